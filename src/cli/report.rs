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
    show(&results, args.view.format, &args.view.view(width(), false), args.out.as_deref())
}

/// Renders results to a file or to standard output, which may have colors.
pub(super) fn show(
    results: &Results,
    format: &dyn Format,
    view: &View,
    out: Option<&Path>,
) -> anyhow::Result<Outcome> {
    match out.filter(|&file| file != Path::new("-")) {
        None => print(&format.render(results, &View { color: is_colored(), ..view.clone() })?)?,
        Some(file) => {
            let text = format.render(results, view)?;
            write_whole(file, |unfinished| fs::write(unfinished, text))?;
            say(format_args!("wrote {}", file.display()));
        }
    }
    Ok(Outcome::Fine)
}
