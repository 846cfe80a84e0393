//! Rows of results files that pass the filters.

use std::path::Path;

use crate::error::{Error, ErrorKind};
use crate::plan::{CaseKey, RowFilter};
use crate::results::{Case, Results, read};

use super::args::{FILTERS_HELP, RowArgs};

/// Reads a file and leaves the rows that pass all filters; that none does is an error, as it is for `profile`.
pub(super) fn read_kept(file: &Path, rows: &RowArgs) -> Result<Results, Error> {
    let mut results = read(file)?;
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

fn passes(case: &Case, filter: &RowFilter) -> bool {
    let Case { codec, model, operation, variant, .. } = case.clone();
    filter.passes(&CaseKey { codec, model, operation, variant, batch: case.batch, threads: case.threads })
}
