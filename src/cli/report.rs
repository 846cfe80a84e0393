//! `alloclab report`: renders a results file once more.

use std::fs;
use std::path::Path;

use crate::error::{Error, ErrorKind};
use crate::report::{Format, View, chart};
use crate::results::{Results, write_whole};

use super::args::ReportArgs;
use super::outcome::Outcome;
use super::output::{is_colored, open, print, say_written, width};
use super::rows::{Binary, read_kept};

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<Outcome> {
    let binary = Binary::Option("--binary", args.binary.as_deref());
    let results = read_kept(&args.results, binary, &args.rows)?;
    if args.charts {
        return draw(&results, args);
    }
    let view = View { weight: args.weight, ..args.view.view(width(), false) };
    let beside = args.format.file_name().map(|name| args.results.with_file_name(name));
    let file = args.out.clone().or(beside).filter(|file| file != Path::new("-"));
    if args.open && file.is_none() {
        return Err(nothing_to_open().into());
    }
    let outcome = show(&results, args.format, &view, file.as_deref())?;
    if let Some(file) = file.filter(|_| args.open) {
        open(&file)?;
    }
    Ok(outcome)
}

fn nothing_to_open() -> Error {
    Error::new(ErrorKind::Unsupported, "standard output cannot be opened")
        .at("--open")
        .with_help("name a file with --out FILE, or choose a format that is written to one, as --format html")
}

/// Draws the charts beside the results, or in the folder of `--out`. Others that lie there stay: they may be of other rows.
fn draw(results: &Results, args: &ReportArgs) -> anyhow::Result<Outcome> {
    let beside = args.results.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    say_written(&chart::draw(results, args.out.as_deref().unwrap_or(beside))?);
    Ok(Outcome::Fine)
}

/// Renders results to a file or to standard output, which may have colors.
pub(super) fn show(
    results: &Results,
    format: &dyn Format,
    view: &View,
    out: Option<&Path>,
) -> anyhow::Result<Outcome> {
    match out.filter(|&file| file != Path::new("-")) {
        None => print(format.render(results, &View { color: is_colored(), ..view.clone() })?)?,
        Some(file) => {
            let rendered = format.render(results, view)?;
            write_whole(file, |unfinished| fs::write(unfinished, rendered))?;
            say_written(&[file]);
        }
    }
    Ok(Outcome::Fine)
}
