//! `alloclab verify`: equal totals, and what it says where tools are missing or fail. Instruments in the program that differ
//! are in `tests/lying_recorder.rs`.

use std::fs;
use std::process::{Command, Output};

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

/// A program of a script's.
#[cfg(unix)]
fn fake(folder: &tempfile::TempDir, name: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    let file = folder.path().join(name);
    fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Programs that stand in for heaptrack: the one that records, and the one that prints.
#[cfg(unix)]
fn run_with_heaptrack(record: &str, print: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    fake(&folder, "heaptrack", record);
    fake(&folder, "heaptrack_print", print);
    alloclab(&folder, &["verify", "--codec", "std", "--iterations", "10"])
        .env("PATH", folder.path())
        .output()
        .unwrap()
}

/// Leaves an empty file where the recording is to be: `--output FILE`.
#[cfg(unix)]
const RECORDS: &str = r#"if [ "$1" = --version ]; then echo heaptrack 1.0; else : > "$2.gz"; fi"#;

#[cfg(unix)]
#[test]
fn a_total_that_differs_is_named_with_both_figures_and_fails() {
    let output = run_with_heaptrack(RECORDS, "echo 'calls to allocation functions: 7 (1/s)'");
    let (text, error) = (stdout(&output), stderr(&output));
    assert_eq!(output.status.code(), Some(1), "{text}{error}");
    assert!(text.contains("DIFFERS"), "{text}");
    // The same twice: a second round would have added nothing.
    let named = "1 total differs, of ";
    assert!(error.contains(named) && error.contains("heaptrack: calls to allocation functions 0"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_tool_that_fails_or_writes_something_else_is_an_error_that_repeats_what_it_said() {
    let fails =
        "if [ \"$1\" = --version ]; then echo heaptrack 1.0; else echo 'no room left' >&2; exit 4; fi";
    let output = run_with_heaptrack(fails, "exit 1");
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(
        error.contains("heaptrack failed: exit status: 4") && error.contains("| no room left"),
        "{error}"
    );

    let output = run_with_heaptrack(RECORDS, "echo nothing");
    let error = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("heaptrack_print printed no line"), "{error}");
}

#[test]
fn rows_that_are_not_there_are_an_error() {
    let output = alloclab(&tempfile::tempdir().unwrap(), &["verify", "--codec", "std", "--model", "simple"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("--codec"), "{}", stderr(&output));
}

#[test]
fn what_counts_nothing_is_found_out_on_rows_that_allocate_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let rows = ["verify", "--codec", "span", "--operation", "serialize", "--iterations", "10"];
    let output = alloclab(&folder, &rows).env("PATH", "").output().unwrap();
    let told = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(told.contains("  span simple serialize span") && told.contains("  std vectors"), "{told}");
}

#[test]
fn rows_that_are_all_parallel_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let rows = ["verify", "span", "--threads", "4", "--iterations", "10"];
    let output = alloclab(&folder, &rows).env("PATH", "").output().unwrap();
    assert_eq!((output.status.code(), stdout(&output)), (Some(1), ""));
    assert!(stderr(&output).contains("parallel ones"), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn the_number_of_rounds_comes_before_arguments_that_end_the_options() {
    let folder = tempfile::tempdir().unwrap();
    let script = "if [ \"$1\" = --version ]; then echo heaptrack 1.0; else echo \"$@\" >&2; exit 4; fi";
    fake(&folder, "heaptrack", script);
    let rows = ["verify", "--codec", "std", "--iterations", "10", "--", "smoke"];
    let output = alloclab(&folder, &rows).env("PATH", folder.path()).output().unwrap();
    let error = stderr(&output);
    assert!(error.contains("verify --uncounted 1 --codec std --iterations 10 -- smoke"), "{error}");
}
