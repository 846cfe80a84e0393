//! Rows of results files that pass the filters.

use std::path::Path;

use crate::codec::{Operation, Variant};
use crate::error::{Error, ErrorKind};
use crate::model::ModelKind;
use crate::profile::Overrides;
use crate::results::{Case, Results, read};

use super::args::{FILTERS_HELP, RowArgs};

impl RowArgs {
    /// The filters, as changes to a profile.
    pub(super) fn overrides(&self) -> Overrides {
        Overrides {
            iterations: None,
            no_time: false,
            codecs: self.codec.clone(),
            models: self.model.clone(),
            operations: self.operation.clone(),
            variants: self.variant.clone(),
            threads: self.threads.clone(),
        }
    }

    /// Whether they let every row through.
    pub(super) fn is_empty(&self) -> bool {
        self.codec.is_empty()
            && self.model.is_empty()
            && self.operation.is_empty()
            && self.variant.is_empty()
            && self.threads.is_empty()
    }
}

/// Reads a file and leaves the rows that pass all filters; that none does is an error, as it is for `profile`.
pub(super) fn read_kept(file: &Path, rows: &RowArgs) -> Result<Results, Error> {
    let mut results = read(file)?;
    let before = results.cases.len();
    results.cases.retain(|case| passes(case, rows));
    if before > 0 && results.cases.is_empty() {
        return Err(Error::new(ErrorKind::NothingSelected, "no row of the results passes the filters")
            .at(file.display().to_string())
            .with_help(FILTERS_HELP));
    }
    Ok(results)
}

fn passes(case: &Case, rows: &RowArgs) -> bool {
    allows(&rows.codec, |codec| codec.name(), &case.codec)
        && allows(&rows.model, ModelKind::name, &case.model)
        && allows(&rows.operation, Operation::name, &case.operation)
        && allows(&rows.variant, Variant::name, &case.variant)
        && (rows.threads.is_empty() || rows.threads.contains(&case.threads))
}

/// A filter without values lets every row through.
fn allows<T: Copy>(chosen: &[T], name: fn(T) -> &'static str, of_row: &str) -> bool {
    chosen.is_empty() || chosen.iter().any(|&one| name(one) == of_row)
}
