//! `alloclab verify`: equal totals, and what it says where tools are missing. What it says of totals that differ is tested in
//! `tests/lying_recorder.rs`.

use std::process::Command;

use crate::program::{alloclab, stderr, stdout};

#[test]
fn all_totals_of_a_small_selection_are_equal() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["verify", "--codec", "binary,std", "--iterations", "50"];
    // Wide enough for whole names.
    let output = alloclab(&folder, &arguments).env("COLUMNS", "200").output().unwrap();
    let told = stdout(&output);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""), "{told}");
    for row in ["  binary simple serialize stream", "  std kept blocks"] {
        assert!(told.contains(row), "{row} in {told}");
    }
    assert!(told.contains("\nEqual: all ") && !told.contains("DIFFERS"), "{told}");
    for tool in ["heaptrack", "valgrind"] {
        let is_installed = Command::new(tool).arg("--version").output().is_ok();
        assert_eq!(told.contains(&format!("(Debian: apt-get install {tool})")), !is_installed, "{told}");
    }
}

#[test]
fn tools_that_are_missing_are_told_and_may_be_required() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["verify", "--codec", "std", "--iterations", "10", "--require-tools"];
    let output = alloclab(&folder, &arguments[..5]).env("PATH", "").output().unwrap();
    let told = stdout(&output);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""), "{told}");
    for line in [
        "heaptrack: not installed (Debian: apt-get install heaptrack)",
        "valgrind's DHAT: not installed (Debian: apt-get install valgrind)",
    ] {
        assert!(told.lines().any(|told| told == line), "{line} in {told}");
    }
    let output = alloclab(&folder, &arguments).env("PATH", "").output().unwrap();
    let message = "error: not installed: heaptrack, valgrind\n\
                   help: Debian: apt-get install heaptrack valgrind\n";
    assert_eq!((output.status.code(), stderr(&output)), (Some(1), message));
}

#[test]
fn parallel_rows_are_left_out_and_told() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["verify", "span", "--codec", "span", "--iterations", "10", "--operation", "serialize"];
    let output = alloclab(&folder, &arguments).env("PATH", "").output().unwrap();
    let told = stdout(&output);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""), "{told}");
    assert!(told.contains(" parallel rows are left out: "), "{told}");
}
