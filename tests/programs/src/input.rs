//! What the programs work on: the same every time.

use std::fs;
use std::path::{Path, PathBuf};

/// The project's Markdown files.
pub(crate) const MARKDOWN: [&str; 3] = [
    include_str!("../../../README.md"),
    include_str!("../../../CONTRIBUTING.md"),
    include_str!("../../../CHANGELOG.md"),
];

/// The project's own source files, in the order of their paths.
pub(crate) fn sources() -> Vec<String> {
    let mut paths = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src"), &mut paths);
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).expect("a source file is text")).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the project has a folder `src`") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
}

/// A number that looks random and is the same for the same index.
pub(crate) fn scatter(index: u64) -> u64 {
    // The finalizer of SplitMix64.
    let mut number = index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// A number that stands for a text: FNV-1a.
pub(crate) fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
