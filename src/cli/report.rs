//! `alloclab report`: renders a results file once more.

use std::fs;
use std::path::Path;

use alloclab::codec::{Codec, Operation};
use alloclab::error::{Error, ErrorKind};
use alloclab::model::ModelKind;
use alloclab::report::View;
use alloclab::results::{Case, Results, read, write_whole};

use super::args::{FILTERS_HELP, ReportArgs, RowArgs};
use super::outcome::{Outcome, say};
use super::output::{is_colored, print, width};

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<Outcome> {
    let mut results = read(&args.results)?;
    keep(&mut results, &args.rows, &args.results)?;
    let render = |view: &View| args.view.format.render(&results, view);
    match args.out.as_deref().filter(|&file| file != Path::new("-")) {
        None => print(&render(&args.view.view(width(), is_colored()))?)?,
        Some(file) => {
            let text = render(&args.view.view(width(), false))?;
            write_whole(file, |unfinished| fs::write(unfinished, text))?;
            say(format_args!("wrote {}", file.display()));
        }
    }
    Ok(Outcome::Fine)
}

/// Leaves the rows that pass all filters; that none does is an error, as it is for `profile`.
fn keep(results: &mut Results, rows: &RowArgs, file: &Path) -> Result<(), Error> {
    let before = results.cases.len();
    results.cases.retain(|case| passes(case, rows));
    if before > 0 && results.cases.is_empty() {
        return Err(Error::new(ErrorKind::NothingSelected, "no row of the results passes the filters")
            .at(file.display().to_string())
            .with_help(FILTERS_HELP));
    }
    Ok(())
}

fn passes(case: &Case, rows: &RowArgs) -> bool {
    allows(&rows.codec, Codec::name, &case.codec)
        && allows(&rows.model, ModelKind::name, &case.model)
        && allows(&rows.operation, Operation::name, &case.operation)
        && (rows.threads.is_empty() || rows.threads.contains(&case.threads))
}

/// A filter without values lets every row through.
fn allows<T: Copy>(chosen: &[T], name: fn(T) -> &'static str, of_row: &str) -> bool {
    chosen.is_empty() || chosen.iter().any(|&one| name(one) == of_row)
}
