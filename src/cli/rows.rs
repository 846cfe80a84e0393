//! Rows of results files that pass the filters.

use std::path::Path;

use crate::error::{Error, ErrorKind};
use crate::harness::recorded;
use crate::results::{CaseKey, Results, read};
use crate::snapshot::Snapshot;
use crate::snapshot::file::is_snapshot;

use super::args::{FILTERS_HELP, RowArgs};
use super::outcome::say;

/// Reads a file and leaves the rows that pass all filters; that none does is an error, as it is for `profile`.
pub(super) fn read_kept(file: &Path, binary: Binary<'_>, rows: &RowArgs) -> Result<Results, Error> {
    let mut results = read_any(file, binary)?;
    let before = results.cases.len();
    let filter = rows.filter();
    results.cases.retain(|case| filter.passes(&CaseKey::of(case)));
    if before > 0 && results.cases.is_empty() {
        return Err(Error::new(ErrorKind::NothingSelected, "no row of the results passes the filters")
            .at(file.display().to_string())
            .with_help(FILTERS_HELP));
    }
    Ok(results)
}

/// Where the program of a recording lies now.
#[derive(Clone, Copy)]
pub(super) enum Binary<'a> {
    /// Where it was.
    Unmoved,
    /// Where the option of this name says; where it was, if it is not given.
    Option(&'static str, Option<&'a Path>),
}

impl Binary<'_> {
    fn file(&self) -> Option<&Path> {
        match self {
            Self::Unmoved => None,
            Self::Option(_, file) => *file,
        }
    }

    fn help(self) -> String {
        match self {
            Self::Unmoved => {
                "put the program's file, of the build that was recorded, where it was".to_owned()
            }
            Self::Option(option, _) => {
                format!("name the program's file, of the build that was recorded, with `{option} FILE`")
            }
        }
    }
}

/// Reads a results file, or names what a program recorded: its own file may lie elsewhere now.
pub(super) fn read_any(file: &Path, binary: Binary<'_>) -> Result<Results, Error> {
    if !is_snapshot(file) {
        return read(file);
    }
    let recorded =
        recorded(Snapshot::read(file)?, binary.file()).map_err(|error| error.with_help(binary.help()))?;
    for file in &recorded.unchecked {
        let file = file.display();
        say(format_args!(
            "warning: {file} has no build id: nothing tells whether it is the file that was recorded"
        ));
    }
    for file in &recorded.other_builds {
        say(format_args!(
            "warning: {} is another build than the one that was recorded: it has no names",
            file.display()
        ));
    }
    Ok(recorded.results)
}
