//! Paths of sources as readers know them: without the folders of the machine that compiled.

use std::borrow::Cow;

use crate::source_place::library;

/// Shortens the path of a source file.
///
/// Sources of the standard library start at its crate (`alloc/src/vec/mod.rs`), those of packages from a registry or a
/// repository at the package (`serde_json-1.0.1/src/ser.rs`), all others at the folder that the compiler ran in. What would
/// read as a crate of the standard library there, such as a member `core` of a workspace, starts with `./`.
pub(super) fn shorten<'a>(file: &'a str, folder: Option<&str>) -> Cow<'a, str> {
    let of_library = standard_library(file)
        .or_else(|| below(file, "/registry/src/", 1))
        .or_else(|| below(file, "/git/checkouts/", 0));
    let own = || file.strip_prefix(folder?)?.strip_prefix('/').map(told_from_libraries);
    of_library
        .map(Cow::Borrowed)
        .or_else(own)
        .unwrap_or_else(|| Cow::Borrowed(from_package(file).unwrap_or(file)))
}

fn told_from_libraries(path: &str) -> Cow<'_, str> {
    match library(path) {
        Some(folder) if !folder.starts_with("vendor/") => Cow::Owned(format!("./{path}")),
        _ => Cow::Borrowed(path),
    }
}

fn standard_library(file: &str) -> Option<&str> {
    let is_toolchain = file.starts_with("/rustc/") || file.contains("/lib/rustlib/src/rust/");
    let (_, rest) = file.split_once("/library/").filter(|_| is_toolchain)?;
    Some(rest)
}

/// What follows a mark in the path and some more folders.
fn below<'a>(file: &'a str, mark: &str, folders: usize) -> Option<&'a str> {
    let (_, mut rest) = file.split_once(mark)?;
    for _ in 0..folders {
        (_, rest) = rest.split_once('/')?;
    }
    Some(rest)
}

/// From the folder above the last `src` on.
fn from_package(file: &str) -> Option<&str> {
    let source = file.rfind("/src/").filter(|_| file.starts_with('/'))?;
    let package = file[..source].rfind('/')? + 1;
    Some(&file[package..])
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn paths_lose_the_folders_of_the_machine() {
        let cases = [
            ("/rustc/59807616e/library/alloc/src/vec/mod.rs", "alloc/src/vec/mod.rs"),
            (
                "/home/a/.cargo/registry/src/example-registry-1/bytes-1.0.0/src/lib.rs",
                "bytes-1.0.0/src/lib.rs",
            ),
            ("/home/a/project/src/codec/mod.rs", "src/codec/mod.rs"),
            ("/home/a/elsewhere/src/lib.rs", "elsewhere/src/lib.rs"),
            ("src/lib.rs", "src/lib.rs"),
            (
                "/home/a/.cargo/git/checkouts/b-0123456789abcdef/0a1b2c3/src/c.rs",
                "b-0123456789abcdef/0a1b2c3/src/c.rs",
            ),
            ("/rust/deps/hashbrown-0.15.2/src/map.rs", "hashbrown-0.15.2/src/map.rs"),
            ("/home/a/project/crates/app/benches/alloc.rs", "crates/app/benches/alloc.rs"),
            ("/home/a/project/vendor/serde/src/lib.rs", "vendor/serde/src/lib.rs"),
            ("/home/a/project/core/src/lib.rs", "./core/src/lib.rs"),
        ];
        for (file, short) in cases {
            assert_eq!(shorten(file, Some("/home/a/project")), short);
        }
    }
}
