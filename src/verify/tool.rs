//! Instruments that are programs of their own, and count a process from its start to its end.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::comparison::Compared;
use crate::error::{Error, ErrorKind, Result};
use crate::snapshot::Counts;
use tempfile::TempDir;

/// A program that counts what another one allocates.
pub(super) trait Tool {
    /// What it is called.
    fn name(&self) -> &'static str;

    /// The program, which Debian has in a package of the same name.
    fn program(&self) -> &'static str;

    /// Counts a run of the command, with `folder` to itself: figures in the order of [`Tool::definitions`].
    ///
    /// # Errors
    /// If the tool or what it runs fails, or if what it says is not what it was known to say.
    fn count(&self, command: &Child, rounds: u8, folder: &Path) -> Result<Vec<i64>>;

    /// What it calls its figures, and what they are by the recorder's counts.
    fn definitions(&self, counts: &Counts) -> Vec<(&'static str, i64)>;
}

/// A tool, and its version if it is installed.
pub(crate) struct InstalledTool {
    pub(super) tool: &'static dyn Tool,
    pub(crate) version: Option<String>,
}

impl InstalledTool {
    /// The program, which Debian has in a package of the same name.
    pub(crate) fn program(&self) -> &'static str {
        self.tool.program()
    }
}

/// All tools.
///
/// # Errors
/// If one is installed and cannot be run, or if it could write its files nowhere.
pub(crate) fn tools() -> Result<Vec<InstalledTool>> {
    let tools: [&'static dyn Tool; 2] = [&super::heaptrack::Heaptrack, &super::valgrind::Valgrind];
    let tools: Result<Vec<_>> =
        tools.into_iter().map(|tool| Ok(InstalledTool { tool, version: version(tool)? })).collect();
    drop(folder()?);
    tools
}

/// A folder for what a tool writes.
fn folder() -> Result<TempDir> {
    tempfile::tempdir().map_err(|error| {
        Error::new(ErrorKind::Io, "no folder for temporary files can be made")
            .with_help("free some space, or name another place with TMPDIR")
            .with_source(error)
    })
}

/// This program, about to run its cases without any instrument of its own.
#[derive(Clone, Debug)]
pub(crate) struct Child {
    /// Its file.
    pub(crate) program: PathBuf,
    /// Its arguments before the number of rounds.
    pub(crate) before: Vec<OsString>,
    /// Its arguments behind it.
    pub(crate) after: Vec<OsString>,
}

impl Child {
    /// Adds the program and its arguments to those of a tool. Whatever the rounds, the arguments take the same memory.
    pub(super) fn append_to<'a>(&self, command: &'a mut Command, rounds: u8) -> &'a mut Command {
        command.arg(&self.program).args(&self.before).arg(rounds.to_string()).args(&self.after)
    }
}

/// The first line of `--version`; none where the tool is not installed.
pub(super) fn version(tool: &dyn Tool) -> Result<Option<String>> {
    match Command::new(tool.program()).arg("--version").output() {
        Ok(output) => {
            let output = String::from_utf8_lossy(&checked(tool.program(), output)?.stdout).into_owned();
            Ok(Some(output.lines().next().unwrap_or_default().to_owned()))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(not_started(tool.program(), error)),
    }
}

/// The tool's figures for what a second round does more than the first.
pub(super) fn compare(tool: &dyn Tool, child: &Child, counts: &Counts) -> Result<Vec<Compared>> {
    let folder = folder()?;
    let once = tool.count(child, 1, folder.path())?;
    let twice = tool.count(child, 2, folder.path())?;
    let pairs = std::iter::zip(once, twice);
    let figures = std::iter::zip(tool.definitions(counts), pairs).map(|((name, recorder), (once, twice))| {
        let instrument = twice.checked_sub(once).ok_or_else(|| {
            let message = format!("{} says that its {name} went from {once} to {twice}", tool.name());
            Error::new(ErrorKind::Malformed, message)
        })?;
        Ok(Compared::new(name, recorder, instrument))
    });
    figures.collect()
}

/// Runs a program to its end.
///
/// # Errors
/// If it cannot be started, or fails: with its last lines.
pub(super) fn output(command: &mut Command) -> Result<Output> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| not_started(&program, error))?;
    checked(&program, output)
}

fn checked(program: &str, output: Output) -> Result<Output> {
    if output.status.success() {
        return Ok(output);
    }
    let said = if output.stderr.is_empty() { &output.stdout } else { &output.stderr };
    let message =
        format!("{program} failed: {}{}", output.status, last_lines(&String::from_utf8_lossy(said)));
    Err(Error::new(ErrorKind::Unsupported, message))
}

fn not_started(program: &str, error: io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("{program} cannot be started")).with_source(error)
}

/// How much of what a program said is repeated.
const LAST_LINES: usize = 10;

/// The last lines of a text, each on a line of its own below what stands before.
pub(super) fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
    last.iter().map(|line| format!("\n  | {line}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_fails_is_an_error_with_its_last_lines() {
        let script = "seq 1 20 >&2; exit 3";
        let error = output(Command::new("sh").args(["-c", script])).unwrap_err().to_string();
        assert!(error.starts_with("sh failed: exit status: 3\n  | 11\n"), "{error}");
        assert!(error.ends_with("\n  | 20"), "{error}");
    }

    #[test]
    fn a_program_that_is_not_there_is_an_error() {
        let error = output(&mut Command::new("no-such-program")).unwrap_err();
        assert_eq!(error.to_string(), "no-such-program cannot be started");
    }
}
