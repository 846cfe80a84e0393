//! A program that is built without the flags: counts are exact, callers are named, and so is as much of the types as debug
//! information and symbols tell.
#![cfg(all(feature = "symbolize", target_os = "linux", target_arch = "x86_64"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program: each function allocates for one type.
const MAIN: &str = r#"
use std::collections::HashMap;
use std::hint::black_box;

use alloclab::attribute::Summary;
use alloclab::recorder::{Recorder, measure};

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

pub struct Planet {
    pub mass: u64,
    pub moons: u64,
}

#[inline(never)]
fn text(word: &str) -> String {
    word.to_string() // a text
}

#[inline(never)]
fn numbers(count: u64) -> Vec<u64> {
    let mut numbers = Vec::new();
    for number in 0..count {
        numbers.push(number); // a number
    }
    numbers
}

#[inline(never)]
fn planet(mass: u64) -> Box<Planet> {
    Box::new(Planet { mass, moons: 2 }) // a planet
}

#[inline(never)]
fn index(key: String) -> HashMap<String, u32> {
    let mut index = HashMap::new();
    index.insert(key, 1); // an entry
    index
}

fn main() {
    index(text("first use"));
    let key = black_box("key".to_owned());
    let measured = measure(|| {
        let planet = planet(black_box(7));
        black_box((text(black_box("seven")), numbers(black_box(5)), planet.mass, index(key), planet.moons));
        drop(black_box(planet));
    });
    let snapshot = measured.unwrap().snapshot;
    println!("{:?} {:?}", snapshot.stacks, snapshot.totals.allocations);
    print!("{}", Summary::of(&snapshot).unwrap());
}
"#;

/// What each function allocates: its name, its type, the mark of the line, fresh blocks, reallocations, bytes.
const ALLOCATED: [(&str, &str, &str, [u64; 3]); 4] = [
    ("text", "String", "// a text", [1, 0, 5]),
    ("numbers", "Vec<u64>", "// a number", [1, 1, 64]),
    ("planet", "Box<Planet>", "// a planet", [1, 0, 16]),
    // Four buckets of 32 bytes, and a byte for each and for a group of 16.
    ("index", "HashMap<String, u32>", "// an entry", [1, 0, 148]),
];

fn write(file: &Path, text: &str) {
    // What is as it was is not built again.
    if fs::read_to_string(file).is_ok_and(|before| before == text) {
        return;
    }
    fs::create_dir_all(file.parent().expect("it is in a folder")).expect("the folder can be made");
    fs::write(file, text).expect("the file can be written");
}

/// Writes the package, and builds it with these arguments as one would who knows of no flags.
fn build(command: &str, arguments: &[&str], folder: &str) -> PathBuf {
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("without-flags");
    let library = env!("CARGO_MANIFEST_DIR");
    let manifest = format!(
        "[package]\nname = \"planets\"\nversion = \"1.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
         alloclab = {{ path = {library:?}, default-features = false, features = [\"symbolize\"] }}\n\n\
         # What reads symbols is no part of what is tested.\n[profile.release.package.\"*\"]\nopt-level = 1\n"
    );
    write(&package.join("Cargo.toml"), &manifest);
    write(&package.join("src/main.rs"), MAIN);
    if !package.join("Cargo.lock").exists() {
        fs::copy(Path::new(library).join("Cargo.lock"), package.join("Cargo.lock"))
            .expect("the lock file is there");
    }
    let output = Command::new(env!("CARGO"))
        .current_dir(&package)
        .arg(command)
        .args(["--offline", "--target-dir", "target"])
        .args(arguments)
        // This package's own folder is around it, with the flags.
        .env("RUSTFLAGS", "")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("CARGO_BUILD_RUSTFLAGS")
        .output()
        .expect("cargo can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    package.join("target").join(folder).join("planets")
}

fn run(program: &Path) -> String {
    let output = Command::new(program)
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .output()
        .expect("the program can be started");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the table is text")
}

/// A call site in the table, under its type; behind three columns of figures, it stands further in.
struct Row {
    ty: String,
    function: String,
    location: String,
    figures: [u64; 3],
}

fn rows(table: &str) -> Vec<Row> {
    let (mut rows, mut ty) = (Vec::new(), String::new());
    for line in table.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [Ok(allocations), Ok(reallocations), Ok(bytes)] =
            [0, 1, 2].map(|index| words.get(index).copied().unwrap_or_default().parse())
        else {
            continue;
        };
        if !line[44..].starts_with("    ") {
            ty = line[44..].to_owned();
            continue;
        }
        rows.push(Row {
            ty: ty.clone(),
            function: words[3].to_owned(),
            location: words.get(4).copied().unwrap_or_default().to_owned(),
            figures: [allocations, reallocations, bytes],
        });
    }
    rows
}

fn row(table: &str, function: &str) -> Row {
    let mut rows = rows(table).into_iter();
    rows.find(|row| row.function == function).unwrap_or_else(|| panic!("{function} is not in {table}"))
}

fn says_what_is_missing_and_the_command(table: &str) {
    for line in [
        "built without `-Cforce-frame-pointers=yes`: call stacks are read by the unwinder",
        "built without `-Csymbol-mangling-version=v0`: type arguments are read from debug information",
    ] {
        assert!(table.contains(line), "{line} is not in {table}");
    }
    let commands = table.lines().filter(|line| line.contains("run `alloclab flags --write` in your package"));
    assert_eq!(commands.count(), 1, "{table}");
}

#[test]
fn a_development_build_has_every_type_and_line() {
    let table = run(&build("build", &[], "debug"));
    assert!(table.starts_with("Unwinder 4\n"), "{table}");
    assert_eq!(rows(&table).len(), ALLOCATED.len(), "{table}");
    for (function, ty, mark, figures) in ALLOCATED {
        let row = row(&table, function);
        let line = 1 + MAIN.lines().position(|line| line.ends_with(mark)).expect("the line is marked");
        assert_eq!((row.ty.as_str(), row.figures), (ty, figures), "{table}");
        assert_eq!(row.location, format!("src/main.rs:{line}"), "{table}");
    }
    says_what_is_missing_and_the_command(&table);
}

#[test]
fn a_release_has_every_caller_and_with_debug_information_every_type() {
    let table = run(&build("build", &["--release"], "release"));
    assert!(table.starts_with("Unwinder 4\n"), "{table}");
    assert_eq!(rows(&table).len(), ALLOCATED.len(), "{table}");
    for (function, ty, _, figures) in ALLOCATED {
        let row = row(&table, function);
        assert_eq!(row.figures, figures, "{table}");
        let open = ty.split_once('<').map_or_else(|| ty.to_owned(), |(name, _)| format!("{name}<_"));
        let is_fair = [ty, &open, "(untyped) ", "RawVec<_>"].iter().any(|start| row.ty.starts_with(start));
        assert!(is_fair, "{function}: {table}");
    }
    says_what_is_missing_and_the_command(&table);
    assert!(table.contains("built without `debug = 1`: inlined functions have no name"), "{table}");

    // The libraries are the same, so that it takes the program alone.
    let table = run(&build("rustc", &["--release", "--", "-Cdebuginfo=1", "-Cstrip=none"], "release"));
    for (function, ty, _, figures) in ALLOCATED {
        let row = row(&table, function);
        assert_eq!((row.ty.as_str(), row.figures), (ty, figures), "with debug information: {table}");
    }
}
