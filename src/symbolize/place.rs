//! Paths of sources as readers know them: without the folders of the machine that compiled.

/// Shortens the path of a source file.
///
/// Sources of the standard library start at its crate (`alloc/src/vec/mod.rs`), those of packages from a registry or a
/// repository at the package (`serde_json-1.0.1/src/ser.rs`), all others at the folder that the compiler ran in.
pub(super) fn shorten<'a>(file: &'a str, folder: Option<&str>) -> &'a str {
    standard_library(file)
        .or_else(|| below(file, "/registry/src/", 1))
        .or_else(|| below(file, "/git/checkouts/", 0))
        .or_else(|| file.strip_prefix(folder?)?.strip_prefix('/'))
        .or_else(|| from_package(file))
        .unwrap_or(file)
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
        ];
        for (file, short) in cases {
            assert_eq!(shorten(file, Some("/home/a/project")), short);
        }
    }
}
