//! The commands of the example for GitHub Actions do what their comments say, with stand-ins for cargo and rustup.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const WORKFLOW: &str = include_str!("../../examples/github-actions/alloclab.yml");

/// What marks a line, where GitHub reads it: in the log.
const MARKED: &str = "::error file=a.rs,line=1::more\n";

/// The command of each step that has one, in order.
fn commands() -> Vec<&'static str> {
    WORKFLOW.lines().filter_map(|line| line.trim_start().strip_prefix("run: ")).collect()
}

/// A machine of GitHub's, as far as the commands see it.
struct Machine {
    folder: PathBuf,
}

impl Machine {
    /// One whose cargo prints a line and exits with a code.
    fn new(name: &str, cargo_exits_with: u8) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("workflow").join(name);
        drop(fs::remove_dir_all(&folder));
        fs::create_dir_all(&folder).unwrap();
        let machine = Self { folder };
        machine.program("rustup", 0);
        machine.program("cargo", cargo_exits_with);
        fs::write(machine.summary(), "of an earlier step\n").unwrap();
        machine
    }

    fn program(&self, name: &str, exits_with: u8) {
        let path = self.folder.join(name);
        // As the check does for GitHub: lines are marked on standard output, and the summary is added to.
        let check = "echo '::error file=a.rs,line=1::more'\necho '| a table |' >> \"$GITHUB_STEP_SUMMARY\"";
        let does = if name == "cargo" { check } else { "" };
        let script = format!("#!/bin/sh\necho {name} \"$@\" >> calls\n{does}\nexit {exits_with}\n");
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn summary(&self) -> PathBuf {
        self.folder.join("summary.md")
    }

    /// Runs the steps as GitHub does, each by `bash -e`, until one fails: the exit code of the last one, and the log.
    fn run(&self) -> (i32, String) {
        let mut log = String::new();
        let path = format!("{}:{}", self.folder.display(), env::var("PATH").unwrap());
        for command in commands() {
            let mut bash = Command::new("bash");
            bash.args(["-e", "-c", command]).current_dir(&self.folder);
            bash.env("PATH", &path).env("GITHUB_STEP_SUMMARY", self.summary());
            let output = bash.output().unwrap();
            log += std::str::from_utf8(&output.stdout).unwrap();
            let code = output.status.code().unwrap();
            if code != 0 {
                return (code, log);
            }
        }
        (0, log)
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).unwrap()
    }
}

#[test]
fn every_command_of_the_workflow_is_found() {
    assert_eq!(commands().len(), WORKFLOW.matches("run:").count());
    assert_eq!(commands().len(), 2);
    assert!(!WORKFLOW.contains('\t'), "YAML has no tabs");
}

#[test]
fn a_check_that_passes_leaves_its_table_in_the_summary() {
    let machine = Machine::new("passes", 0);
    assert_eq!(machine.run(), (0, MARKED.to_owned()));
    assert_eq!(machine.read("summary.md"), "of an earlier step\n| a table |\n");
    let calls = machine.read("calls");
    assert!(calls.ends_with("\ncargo bench --bench alloc -- check --format github\n"), "{calls}");
}

#[test]
fn a_check_that_fails_fails_the_job_and_leaves_its_table_all_the_same() {
    let machine = Machine::new("fails", 3);
    assert_eq!(machine.run(), (3, MARKED.to_owned()));
    assert_eq!(machine.read("summary.md"), "of an earlier step\n| a table |\n");
}

#[test]
fn the_compiler_is_the_one_that_the_package_asks_for() {
    let manifest = include_str!("../../Cargo.toml");
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'));
    assert!(commands()[0].contains(&format!("toolchain install {} ", version.unwrap())));
}
