//! `alloclab verify`: what it compares, and that it fails where an instrument says otherwise.

use std::fs;
use std::process::Output;

use crate::program::{alloclab, run, stderr, stdout};
use tempfile::TempDir;

/// Rows that take no time: loops of the standard library, in which every counter moves.
const QUICK: [&str; 5] = ["verify", "--codec", "std", "--iterations", "20"];

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// Where no tool is installed.
fn run_without_tools(arguments: &[&str]) -> Output {
    let folder = folder();
    alloclab(&folder, arguments).env("PATH", folder.path()).output().unwrap()
}

#[test]
fn every_total_equals_that_of_every_instrument() {
    let output = run(&folder(), &["verify", "--iterations", "20", "--codec", "std", "--codec", "binary"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    assert!(text.contains("Equal: all "), "{text}");
    assert!(text.contains("binary simple serialize stream") && text.contains("std kept blocks"), "{text}");
    assert!(!text.contains("DIFFERS"), "{text}");
    for tool in ["heaptrack", "valgrind's DHAT"].iter().filter(|tool| text.contains(&format!("{tool}: not")))
    {
        println!("skipped: {tool} is not installed");
    }
}

#[test]
fn tools_that_are_missing_are_told_and_an_error_only_if_they_are_required() {
    let output = run_without_tools(&QUICK);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(text.contains("heaptrack: not installed (Debian: apt-get install heaptrack)"), "{text}");
    assert!(text.contains("valgrind's DHAT: not installed (Debian: apt-get install valgrind)"), "{text}");

    let output = run_without_tools(&[&QUICK[..], &["--require-tools"]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("heaptrack and valgrind is required"), "{}", stderr(&output));
}

/// Programs that stand in for heaptrack: the one that records, and the one that prints.
#[cfg(unix)]
fn run_with_heaptrack(record: &str, print: &str) -> Output {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    for (name, script) in [("heaptrack", record), ("heaptrack_print", print)] {
        let file = folder.path().join(name);
        fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    alloclab(&folder, &QUICK).env("PATH", folder.path()).output().unwrap()
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
    let output = run(&folder(), &["verify", "--codec", "std", "--model", "simple"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("--codec"), "{}", stderr(&output));
}
