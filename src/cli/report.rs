//! `alloclab report`: renders a results file once more.

use std::fs;
use std::path::Path;

use crate::report::{Format, View};
use crate::results::{Results, write_whole};

use super::args::ReportArgs;
use super::outcome::{Outcome, say};
use super::output::{is_colored, print, width};
use super::rows::{Binary, read_kept};

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<Outcome> {
    let binary = Binary::Option("--binary", args.binary.as_deref());
    let results = read_kept(&args.results, binary, &args.rows)?;
    let view = View { weight: args.weight, ..args.view.view(width(), false) };
    let beside = args.format.file_name().map(|name| args.results.with_file_name(name));
    show(&results, args.format, &view, args.out.clone().or(beside).as_deref())
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
            say(format_args!("wrote {}", file.display()));
        }
    }
    Ok(Outcome::Fine)
}
