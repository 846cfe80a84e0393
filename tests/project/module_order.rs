//! The modules of the library stand in the order of the data, and none imports from one below it.

use std::fs;
use std::path::{Path, PathBuf};

const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src");

/// The modules in the order in which `lib.rs` declares them.
fn modules() -> Vec<String> {
    let library = fs::read_to_string(Path::new(SOURCES).join("lib.rs")).unwrap();
    let declarations = library.lines().map(|line| line.strip_prefix("pub ").unwrap_or(line));
    let declared = declarations.filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    declared.map(str::to_owned).collect()
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The modules that a source file names after `crate::`, comments aside.
fn named_modules(source: &str) -> Vec<&str> {
    let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let names = code.flat_map(|line| line.split("crate::").skip(1));
    names
        .map(|rest| rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap())
        .collect()
}

#[test]
fn no_module_imports_from_one_below_it() {
    let modules = modules();
    assert!(modules.len() > 8, "lib.rs declares its modules as `mod name;`: {modules:?}");
    let mut edges = 0;
    for (position, module) in modules.iter().enumerate() {
        let mut files = Vec::new();
        match Path::new(SOURCES).join(module) {
            folder if folder.is_dir() => files_below(&folder, &mut files),
            _ => files.push(Path::new(SOURCES).join(format!("{module}.rs"))),
        }
        for file in files {
            let source = fs::read_to_string(&file).unwrap();
            for named in named_modules(&source) {
                let Some(other) = modules.iter().position(|module| module == named) else { continue };
                assert!(
                    other <= position,
                    "{} imports `{named}`, which stands below `{module}`",
                    file.display()
                );
                edges += usize::from(other < position);
            }
        }
    }
    assert!(edges > 10, "only {edges} imports were found");
}
