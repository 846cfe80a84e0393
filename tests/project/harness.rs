//! A test program that begins by itself has to be one that cargo does not begin: the standard harness would find no test in
//! it, and call that a success.

use std::fs;
use std::path::Path;

use toml_edit::DocumentMut;

#[test]
fn every_test_program_with_a_beginning_of_its_own_has_no_other() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest: DocumentMut = fs::read_to_string(root.join("Cargo.toml")).unwrap().parse().unwrap();
    let entries = manifest["test"].as_array_of_tables().unwrap();
    let own: Vec<_> = entries
        .iter()
        .filter(|entry| entry.get("harness").and_then(|harness| harness.as_bool()) == Some(false))
        .map(|entry| entry["name"].as_str().unwrap())
        .collect();
    let mut seen = 0;
    for entry in fs::read_dir(root.join("tests")).unwrap() {
        let path = entry.unwrap().path();
        let program = if path.is_dir() { path.join("main.rs") } else { path.clone() };
        let Ok(text) = fs::read_to_string(&program) else { continue };
        if text.lines().any(|line| line.starts_with("fn main() -> ")) {
            let name = path.file_stem().unwrap().to_str().unwrap();
            assert!(own.contains(&name), "{name} begins by itself; in Cargo.toml it needs `harness = false`");
            seen += 1;
        }
    }
    assert_eq!(seen, own.len());
}
