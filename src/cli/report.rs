//! `alloclab report`: renders a results file once more.

use std::path::Path;

use crate::error::{Error, ErrorKind};
use crate::report::{Format, View, chart};
use crate::results::Results;

use super::args::ReportArgs;
use super::outcome::{Outcome, say};
use super::output::{file_of, is_colored, open, print, say_written, width, write_made};
use super::rows::{Binary, read_kept};

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<Outcome> {
    let binary = Binary::Option("--binary", args.binary.as_deref());
    let results = read_kept(&args.results, binary, &args.rows)?;
    if args.charts {
        return draw(&results, args);
    }
    let view = View { weight: args.weight, ..args.view.view(width(), false) };
    let beside = args.format.file_name().map(|name| args.results.with_file_name(name));
    let file = file_of(args.out.as_deref().or(beside.as_deref()));
    if args.open && file.is_none() {
        return Err(nothing_to_open().into());
    }
    show(&results, args.format, &view, file, &[&args.results])?;
    if let Some(file) = file.filter(|_| args.open) {
        open(file)?;
    }
    Ok(Outcome::Fine)
}

fn nothing_to_open() -> Error {
    Error::new(ErrorKind::Unsupported, "standard output cannot be opened")
        .at("--open")
        .with_help("name a file with --out FILE, or choose a format that is written to one, as --format html")
}

/// Draws the charts beside the results, or in the folder of `--out`. Others that lie there stay: they may be of other rows.
fn draw(results: &Results, args: &ReportArgs) -> anyhow::Result<Outcome> {
    let beside = args.results.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let charts = chart::draw(results, args.out.as_deref().unwrap_or(beside))?;
    if charts.is_empty() {
        say("nothing is drawn: the results have no case");
    }
    say_written(&charts);
    Ok(Outcome::Fine)
}

/// Renders results that were read from some files to another one, or to standard output, which may have colors.
pub(super) fn show(
    results: &Results,
    format: &dyn Format,
    view: &View,
    out: Option<&Path>,
    sources: &[&Path],
) -> anyhow::Result<()> {
    match file_of(out) {
        None => print(format.render(results, &View { color: is_colored(), ..view.clone() })?)?,
        Some(file) => write_made(file, sources, &format.render(results, view)?)?,
    }
    Ok(())
}
