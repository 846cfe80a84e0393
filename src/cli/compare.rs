//! `alloclab compare`: cases of any results files side by side.

use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind};
use crate::report::View;
use crate::results::{Results, merge};

use super::args::CompareArgs;
use super::outcome::Outcome;
use super::output::width;
use super::report::show;
use super::rows::{Binary, read_kept};

pub(super) fn run(args: &CompareArgs) -> anyhow::Result<Outcome> {
    let mut runs = Vec::new();
    for file in &args.results {
        runs.push((file.as_path(), read_kept(file, Binary::Unmoved, &args.rows)?));
    }
    let baseline = args.baseline.as_deref();
    let merged = merge(named(runs), baseline);
    if let Some(codec) = baseline
        && merged.cases.iter().all(|case| case.codec != codec)
    {
        return Err(no_baseline(codec).into());
    }
    let usual = View::default();
    let view = View { side_by_side: true, width: width().unwrap_or(usual.width), ..usual };
    let sources: Vec<&Path> = args.results.iter().map(PathBuf::as_path).collect();
    show(&merged, args.format, &view, args.out.as_deref(), &sources)?;
    Ok(Outcome::Fine)
}

fn no_baseline(codec: &str) -> Error {
    Error::new(ErrorKind::NothingSelected, format!("no row that is compared is of the codec `{codec}`"))
        .at("--baseline")
        .with_help("name a codec that has rows there, or let its rows through the filters")
}

/// Each run under its profile's name; where two have the same one, under the names of their files, and a file that is named
/// twice under its place in the list too.
fn named(runs: Vec<(&Path, Results)>) -> Vec<(String, Results)> {
    let repeats = |run: &Results| runs.iter().filter(|(_, other)| other.profile == run.profile).count() > 1;
    let is_twice = |file: &Path| runs.iter().filter(|(other, _)| *other == file).count() > 1;
    let name = |(index, (file, run)): (usize, &(&Path, Results))| {
        // A file's name may hold anything; what is written has to be read again.
        let path = file.display().to_string().replace(char::is_control, "\u{fffd}");
        match (repeats(run), is_twice(file)) {
            (false, _) => run.profile.clone(),
            (true, false) => path,
            (true, true) => format!("{path}, {}", index + 1),
        }
    };
    let names: Vec<String> = runs.iter().enumerate().map(name).collect();
    std::iter::zip(names, runs).map(|(name, (_, run))| (name, run)).collect()
}
