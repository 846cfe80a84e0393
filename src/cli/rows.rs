//! Rows of results files that pass the filters.

use std::path::Path;

use crate::error::{Error, ErrorKind};
use crate::harness::recorded;
use crate::plan::{CaseKey, RowFilter};
use crate::results::{Case, Results, read};
use crate::snapshot::Snapshot;
use crate::snapshot::file::is_snapshot;

use super::args::{FILTERS_HELP, RowArgs};
use super::outcome::say;

/// Reads a file and leaves the rows that pass all filters; that none does is an error, as it is for `profile`.
pub(super) fn read_kept(file: &Path, binary: Option<&Path>, rows: &RowArgs) -> Result<Results, Error> {
    let mut results = read_any(file, binary)?;
    let before = results.cases.len();
    let filter = rows.filter();
    results.cases.retain(|case| passes(case, &filter));
    if before > 0 && results.cases.is_empty() {
        return Err(Error::new(ErrorKind::NothingSelected, "no row of the results passes the filters")
            .at(file.display().to_string())
            .with_help(FILTERS_HELP));
    }
    Ok(results)
}

const BINARY_HELP: &str = "name the program's file, of the build that was recorded, with `--binary FILE`";

/// Reads a results file, or names what a program recorded: its own file may lie elsewhere now.
pub(super) fn read_any(file: &Path, binary: Option<&Path>) -> Result<Results, Error> {
    if !is_snapshot(file) {
        return read(file);
    }
    let recorded = recorded(Snapshot::read(file)?, binary).map_err(|error| error.with_help(BINARY_HELP))?;
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

fn passes(case: &Case, filter: &RowFilter) -> bool {
    let Case { codec, model, operation, variant, .. } = case.clone();
    filter.passes(&CaseKey { codec, model, operation, variant, batch: case.batch, threads: case.threads })
}
