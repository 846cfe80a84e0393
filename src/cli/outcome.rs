//! How a run ends: its exit code, and what standard error says about a failure.

use std::fmt::{Display, Write as _};
use std::io::{self, Write as _};
use std::process::ExitCode;

use anyhow::Error;

/// How a verb ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Fine,
    /// A check that was made did not pass.
    Failed,
    /// Ctrl-C came before everything was measured.
    Interrupted,
}

const ERROR: u8 = 1;
const FAILED: u8 = 3;
const INTERRUPTED: u8 = 130;

/// The exit code of what a verb came to; says on standard error what went wrong.
pub(super) fn exit_code(outcome: anyhow::Result<Outcome>) -> ExitCode {
    match outcome {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Failed) => ExitCode::from(FAILED),
        Ok(Outcome::Interrupted) => ExitCode::from(INTERRUPTED),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            say(explanation(&error).trim_end());
            ExitCode::from(ERROR)
        }
    }
}

/// Lines on standard error, in which names from files are shown and not obeyed. If nobody reads them, there is nobody to
/// tell.
pub(super) fn say(lines: impl Display) {
    let is_command = |letter: char| letter.is_control() && letter != '\n';
    let lines = lines.to_string();
    let shown: String = if lines.contains(is_command) {
        lines
            .chars()
            .map(|letter| if is_command(letter) { char::REPLACEMENT_CHARACTER } else { letter })
            .collect()
    } else {
        lines
    };
    let _ = writeln!(io::stderr(), "{shown}");
}

/// Whoever reads standard output has seen enough.
pub(super) fn is_closed_pipe(error: &Error) -> bool {
    let cause = error.downcast_ref::<io::Error>();
    cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

fn explanation(error: &Error) -> String {
    let mut text = format!("error: {error}\n");
    for (told, cause) in error.chain().zip(error.chain().skip(1)) {
        // Some messages end with their cause already.
        let cause = cause.to_string();
        if !told.to_string().contains(&cause) {
            let _ = writeln!(text, "  because: {cause}");
        }
    }
    let helps = error.chain().filter_map(|cause| cause.downcast_ref::<crate::error::Error>()?.help());
    for help in helps {
        let _ = writeln!(text, "help: {help}");
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::error::{Error as LabError, ErrorKind};

    use super::*;

    #[test]
    fn an_error_is_explained_by_place_causes_and_help() {
        let cause = LabError::new(ErrorKind::Io, "no").at("a.csv").with_help("bring it");
        let error = LabError::new(ErrorKind::Malformed, "no table").at("p.toml, line 3").with_source(cause);
        let lines = "error: p.toml, line 3: no table\n  because: a.csv: no\nhelp: bring it\n";
        assert_eq!(explanation(&error.into()), lines);
    }

    #[test]
    fn a_cause_that_the_message_tells_is_not_told_again() {
        let cause = io::Error::from(io::ErrorKind::NotFound);
        let error = LabError::new(ErrorKind::Io, format!("cannot be read: {cause}")).with_source(cause);
        assert_eq!(explanation(&error.into()).lines().count(), 1);
    }

    #[test]
    fn only_standard_output_that_is_closed_is_no_error() {
        let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
        assert!(is_closed_pipe(&closed().into()));
        let of_a_file = LabError::new(ErrorKind::Io, "cannot be written").with_source(closed());
        assert!(!is_closed_pipe(&of_a_file.into()));
    }
}
