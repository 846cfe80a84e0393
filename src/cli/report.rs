//! `alloclab report`: renders a results file once more.

use std::fs;
use std::path::{Path, PathBuf};

use alloclab::results::{read, write_whole};

use super::args::ReportArgs;
use super::outcome::{Outcome, say};
use super::output::{is_colored, print};

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<Outcome> {
    let results = read(&args.results)?;
    let format = args.view.format;
    if args.out.as_deref() == Some(Path::new("-")) {
        print(&format.render(&results, &args.view.view(is_colored()))?)?;
        return Ok(Outcome::Fine);
    }
    let text = format.render(&results, &args.view.view(false))?;
    let file = args.out.clone().unwrap_or_else(|| beside(&args.results, format.extension()));
    write_whole(&file, |unfinished| fs::write(unfinished, text))?;
    say(format_args!("wrote {}", file.display()));
    Ok(Outcome::Fine)
}

/// The file of a report in the folder of its results.
fn beside(results: &Path, extension: &str) -> PathBuf {
    results.with_file_name(format!("report.{extension}"))
}
