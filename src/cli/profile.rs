//! `alloclab profile`: runs a profile, writes what it measured, and shows it.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind, Result};
use crate::plan::{Overrides, Plan};
use crate::report::{self, View, chart};
use crate::results::{self, Results, write_whole};
use crate::{flags, harness};

use super::args::{FILTERS_HELP, ProfileArgs};
use super::catalog::Catalog;
use super::outcome::{Outcome, say};
use super::output::{is_colored, open, print, say_written, width, writable_folder};
use super::{interrupt, progress::Progress};

pub(super) fn run(catalog: &dyn Catalog, args: &ProfileArgs) -> anyhow::Result<Outcome> {
    let stop = interrupt::flag()?;
    let plan = catalog.plan(args.profile.as_deref(), &overrides(args)).map_err(naming_filters)?;
    let folder = writable_folder(args.out.join(&plan.name))?;
    warn_of_missing_flags();
    if io::stderr().is_terminal() {
        say(announcement(&plan));
    }
    let results = harness::run(&plan, &mut Progress::new(), &stop)?;
    if results.partial {
        return interrupted(args, &plan, &results, &folder);
    }
    let file = folder.join(COMPLETE);
    let written = results::write(&file, &results);
    let charts = if args.no_charts { Ok(Vec::new()) } else { chart::draw_all(&results, &folder) };
    let page = write_page(&results, &folder);
    // What cannot be kept is shown all the same; that nobody reads it does not hide what was not kept.
    let shown = show(args, &results);
    written?;
    say_written(&[file]);
    let charts = charts.inspect(|charts| say_written(charts));
    let page = page?;
    say_written(&[&page]);
    charts?;
    if args.open {
        open(&page)?;
    }
    shown?;
    Ok(Outcome::Fine)
}

/// The results of a run, and those of a run that was interrupted: an earlier run's stay as they are.
const COMPLETE: &str = "results.json";
const PARTIAL: &str = "results.partial.json";

fn interrupted(args: &ProfileArgs, plan: &Plan, results: &Results, folder: &Path) -> anyhow::Result<Outcome> {
    let (measured, planned) = (results.cases.len(), plan.cases.len());
    if measured == 0 {
        say("interrupted: nothing was measured yet");
        return Ok(Outcome::Interrupted);
    }
    say(format_args!(
        "interrupted: {measured} of {planned} rows were measured, and are written as a partial result"
    ));
    let file = folder.join(PARTIAL);
    let written = results::write(&file, results);
    let shown = show(args, results);
    written?;
    say_written(&[file]);
    shown?;
    Ok(Outcome::Interrupted)
}

/// Writes the page of a run beside its results.
fn write_page(results: &Results, folder: &Path) -> Result<PathBuf> {
    let format = report::html();
    let file = folder.join(format.file_name().unwrap_or(format.name()));
    let page = format.render(results, &View::default())?;
    write_whole(&file, |unfinished| fs::write(unfinished, page))?;
    Ok(file)
}

fn show(args: &ProfileArgs, results: &Results) -> anyhow::Result<()> {
    print(args.format.render(results, &args.view.view(width(), is_colored()))?)
}

/// The library speaks of filters; here they are flags.
pub(super) fn naming_filters(error: Error) -> Error {
    match error.kind() {
        ErrorKind::NothingSelected => error.with_help(FILTERS_HELP),
        _ => error,
    }
}

fn overrides(args: &ProfileArgs) -> Overrides {
    Overrides { iterations: args.iterations, no_time: args.no_time, rows: args.rows.filter() }
}

/// What is about to be done. How long it takes is not known before the first rows are measured: the bar shows that.
fn announcement(plan: &Plan) -> String {
    let (rows, iterations) = (plan.cases.len(), plan.iterations);
    let timed = if plan.time { "counted, then timed" } else { "counted" };
    format!("{}: {rows} rows, {iterations} objects each, are {timed}", plan.name)
}

pub(super) fn warn_of_missing_flags() {
    for flag in flags::missing() {
        say(format_args!("warning: this program was built without `{}`: {}", flag.text, flag.lost));
    }
    if let Some(remedy) = flags::remedy() {
        say(format_args!("help: counts are exact all the same; {remedy}"));
    }
}
