//! `alloclab report`: renders a results file once more.

use std::fs;
use std::path::Path;

use alloclab::report::View;
use alloclab::results::{Results, write_whole};

use super::args::{ReportArgs, ViewArgs};
use super::outcome::{Outcome, say};
use super::output::{is_colored, print, width};
use super::rows::read_kept;

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<Outcome> {
    let results = read_kept(&args.results, &args.rows)?;
    show(&results, &args.view, args.out.as_deref(), |view| view)
}

/// Renders results to a file or to standard output, in a view that may be changed.
pub(super) fn show(
    results: &Results,
    view: &ViewArgs,
    out: Option<&Path>,
    change: impl Fn(View) -> View,
) -> anyhow::Result<Outcome> {
    let render = |color| view.format.render(results, &change(view.view(width(), color)));
    match out.filter(|&file| file != Path::new("-")) {
        None => print(&render(is_colored())?)?,
        Some(file) => {
            let text = render(false)?;
            write_whole(file, |unfinished| fs::write(unfinished, text))?;
            say(format_args!("wrote {}", file.display()));
        }
    }
    Ok(Outcome::Fine)
}
