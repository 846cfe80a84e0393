//! heaptrack: a library before the C library that writes every call down.
//!
//! What it counts is what `heaptrack_print` shows as "calls to allocation functions": each `malloc`, `calloc`,
//! `posix_memalign` and the like, and each `realloc` (`libheaptrack.cpp` writes a `-` for the old block and a `+` for the
//! new one; `accumulatedtracedata.cpp` counts every `+`). Its other totals are rounded where it prints them.

use std::path::Path;
use std::process::Command;

use super::tool::{Child, Tool, last_lines, output};
use crate::error::{Error, ErrorKind, Result};
use crate::snapshot::Counts;

pub(super) struct Heaptrack;

/// What stands before the figure.
const CALLS: &str = "calls to allocation functions: ";

impl Tool for Heaptrack {
    fn name(&self) -> &'static str {
        "heaptrack"
    }

    fn program(&self) -> &'static str {
        "heaptrack"
    }

    fn count(&self, child: &Child, rounds: u8, folder: &Path) -> Result<Vec<i64>> {
        let recorded = folder.join(format!("heaptrack-{rounds}"));
        let mut command = Command::new(self.program());
        // Its window would open afterwards, where there is a display.
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").arg("--output").arg(&recorded);
        output(child.append_to(&mut command, rounds))?;
        let file = ["zst", "gz"].map(|ending| recorded.with_extension(ending));
        let file = file.iter().find(|file| file.exists()).ok_or_else(|| {
            let expected = format!("heaptrack wrote no file: {} or .gz was expected", file[0].display());
            Error::new(ErrorKind::Malformed, expected)
                .with_help("it cannot write to folders with a space in their name: TMPDIR names another")
        })?;
        let printed = output(Command::new("heaptrack_print").arg("--file").arg(file))?;
        Ok(vec![calls(&String::from_utf8_lossy(&printed.stdout))?])
    }

    fn definitions(&self, counts: &Counts) -> Vec<(&'static str, i64)> {
        vec![("calls to allocation functions", counts.requests() as i64)]
    }
}

/// The figure in what `heaptrack_print` prints: `calls to allocation functions: 91 (91000/s)`.
fn calls(printed: &str) -> Result<i64> {
    let figure = printed.lines().find_map(|line| line.strip_prefix(CALLS)?.split(' ').next()?.parse().ok());
    figure.ok_or_else(|| {
        let message = format!(
            "heaptrack_print printed no line `{CALLS}`, followed by a number; its last lines are:{}",
            last_lines(printed)
        );
        Error::new(ErrorKind::Malformed, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figure_is_the_number_of_calls() {
        let printed = "total runtime: 0.00s.\ncalls to allocation functions: 91 (91000/s)\n";
        assert_eq!(calls(printed).unwrap(), 91);
    }

    #[test]
    fn what_is_printed_otherwise_is_an_error_that_says_what_was_expected() {
        let error = calls("calls to allocation functions: many\nmore\n").unwrap_err().to_string();
        let expected = "heaptrack_print printed no line `calls to allocation functions: `, followed by a number; \
                        its last lines are:\n  | calls to allocation functions: many\n  | more";
        assert_eq!(error, expected);
    }
}
