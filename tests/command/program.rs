//! The built program `alloclab`, run in a folder.

use std::fs;
use std::process::{Command, Output};

use tempfile::TempDir;

/// The program with its arguments, free of what the surroundings of the test say.
pub(crate) fn alloclab(folder: &TempDir, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alloclab"));
    command
        .current_dir(folder.path())
        .args(arguments)
        .env_remove("RUSTFLAGS")
        .env_remove("COLUMNS")
        .env_remove("GITHUB_STEP_SUMMARY")
        .env("NO_COLOR", "1");
    command
}

pub(crate) fn run(folder: &TempDir, arguments: &[&str]) -> Output {
    alloclab(folder, arguments).output().unwrap()
}

pub(crate) fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

pub(crate) fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// The text of a file in the folder.
pub(crate) fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}
