//! Whose source a short path names: the one rule for who writes such paths and for who reads them.
//!
//! Paths of sources are relative to the folder that the compiler ran in, and those of other packages begin with the package:
//! `serde_json-1.0.1/src/ser.rs`, `alloc/src/vec/mod.rs`.

/// Folders of the standard library's crates.
const STANDARD: [&str; 11] = [
    "alloc",
    "backtrace",
    "compiler-builtins",
    "core",
    "panic_abort",
    "panic_unwind",
    "portable-simd",
    "proc_macro",
    "std",
    "stdarch",
    "test",
];

/// The folder of the library that a path leads into; none where it leads to code of the program's own.
///
/// A library is a package with a version, a checkout of a repository, what `cargo vendor` wrote, a crate of the standard
/// library, and whatever lies outside of the folder that the compiler ran in. All else is the program's, in whichever member
/// of its workspace.
pub(crate) fn library(path: &str) -> Option<&str> {
    let (first, rest) = path.split_once('/')?;
    let next = rest.split('/').next().unwrap_or_default();
    match first {
        "" => path.find("/src/").or_else(|| path.rfind('/')).map(|end| &path[..=end]),
        "vendor" => Some(&path[..first.len() + 1 + next.len()]),
        _ => (is_standard(first, next) || is_version_of(first) || is_checkout(first, next)).then_some(first),
    }
}

fn is_standard(first: &str, next: &str) -> bool {
    STANDARD.contains(&first) && ["src", "crates"].contains(&next)
}

/// `serde_json-1.0.1`, `zstd-sys-2.0.16+zstd.1.5.7`.
fn is_version_of(folder: &str) -> bool {
    folder.match_indices('-').any(|(dash, _)| is_version(&folder[dash + 1..]))
}

fn is_version(text: &str) -> bool {
    let numbers = text.split(['-', '+']).next().unwrap_or_default();
    numbers.split('.').count() == 3 && numbers.split('.').all(is_number)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `bytes-0123456789abcdef/0a1b2c3`: cargo's folder for a repository, and the commit.
fn is_checkout(first: &str, next: &str) -> bool {
    let is_hash =
        |text: &str, length: usize| text.len() >= length && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    first.rsplit_once('-').is_some_and(|(_, hash)| is_hash(hash, 16)) && is_hash(next, 7)
}

#[cfg(test)]
mod tests {
    use super::library;

    #[test]
    fn the_programs_code_lies_in_any_member_of_its_workspace() {
        for path in [
            "src/codec.rs:7",
            "main.rs:1",
            "crates/app/src/x.rs:1",
            "crates/app/benches/alloc.rs:1",
            "app-2/src/x.rs:1",
            "elsewhere/src/lib.rs",
            "core/tests/x.rs:1",
            "./core/src/lib.rs:1",
            "bytes-cafe/src/lib.rs:1",
            "tests/alloc-1.0/x.rs",
        ] {
            assert_eq!(library(path), None, "{path}");
        }
    }

    #[test]
    fn a_librarys_code_lies_in_the_folder_of_its_package() {
        for (path, folder) in [
            ("serde_json-1.0.154/src/map.rs:138", "serde_json-1.0.154"),
            ("zstd-sys-2.0.16+zstd.1.5.7/zstd/lib/a.c", "zstd-sys-2.0.16+zstd.1.5.7"),
            ("rand-0.9.0-beta.1/src/lib.rs:1", "rand-0.9.0-beta.1"),
            ("hashbrown-0.15.2/src/raw/mod.rs:1", "hashbrown-0.15.2"),
            ("bytes-0123456789abcdef/0a1b2c3/src/lib.rs:1", "bytes-0123456789abcdef"),
            ("vendor/serde/src/lib.rs:1", "vendor/serde"),
            ("alloc/src/vec/mod.rs:1", "alloc"),
            ("portable-simd/crates/core_simd/src/a.rs", "portable-simd"),
            ("/rustc/59807616e/library/alloc/src/boxed.rs:263", "/rustc/59807616e/library/alloc/"),
            ("/build/libc/malloc.c:1", "/build/libc/"),
        ] {
            assert_eq!(library(path), Some(folder), "{path}");
        }
    }
}
