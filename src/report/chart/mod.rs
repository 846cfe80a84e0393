//! Charts of a results file, as SVG and PNG.
//!
//! No system font and no C library is needed: letters come with the crate. A type has the same color in every chart.

mod allocations_by_type;
mod bytes_per_operation;
mod class_bars;
mod font;
mod layout;
mod lifetimes;
mod live_heap;
mod live_heap_run;
mod paint;
pub(super) mod palette;
mod picture;
mod scale;
mod scaling_over_threads;
mod size_classes;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use self::layout::Title;
use self::palette::Palette;
use self::picture::Picture;
use super::case_name::{is_single, operations};
use super::compared::compared;
use crate::error::{Error, ErrorKind, Result};
use crate::results::{Case, Results, write_whole};

/// The charts that a run may leave.
const NAMES: [&str; 5] =
    ["bytes-per-operation", "allocations-by-type", "lifetimes", "size-classes", "scaling-over-threads"];

/// Of these there may be several, with a hyphen and what they are of behind.
const SEVERAL: [&str; 3] = ["bytes-per-operation-", "allocations-by-type-", "live-heap-"];

/// Rows of one chart at most: more are drawn in a chart for each model.
const MOST_ROWS: usize = 40;

/// Draws every chart that the results have figures for, each as SVG and as PNG, and tells which files were made.
///
/// | name | shows |
/// | --- | --- |
/// | `bytes-per-operation` | bytes of single operations by codec, with the modelled and the published figures beside |
/// | `bytes-per-operation-batch` | the same for batches |
/// | `bytes-per-operation-concurrent` | the same for the parallel loops of the fewest and of the most iterations |
/// | `allocations-by-type` | allocations of single operations, stacked by type |
/// | `<one of these>-<model>` | the same for each model, where the rows of all are too many for one chart |
/// | `live-heap-<operation>` | live bytes over one operation, call by call, with the peak and who held most of it |
/// | `live-heap-run-<operation>` | live bytes between the operations of a whole run; words where all stay at 0 |
/// | `lifetimes` | blocks by the allocations that were made while they lived |
/// | `size-classes` | requests by size |
/// | `scaling-over-threads` | bytes and time of one object in parallel loops, by their iterations |
///
/// The folder is made if there is none. Results without cases make no chart. Files of earlier runs that
/// are not written over stay; see [`draw_all`].
///
/// # Errors
/// [`ErrorKind::Io`] if the folder or a file in it cannot be written; each file is written whole or not at all.
///
/// # Examples
/// ```
/// use alloclab::report::chart::draw;
/// use alloclab::results::Results;
///
/// let folder = std::env::temp_dir().join("alloclab-no-charts");
/// assert!(draw(&Results::default(), &folder).unwrap().is_empty());
/// ```
pub fn draw(results: &Results, folder: impl AsRef<Path>) -> Result<Vec<PathBuf>> {
    let folder = folder.as_ref();
    fs::create_dir_all(folder).map_err(|source| {
        Error::new(ErrorKind::Io, format!("the folder cannot be made: {source}"))
            .at(folder.display().to_string())
            .with_help("name a folder that exists and that you may write to")
            .with_source(source)
    })?;
    let mut files = Vec::new();
    for (name, picture) in pictures(results) {
        let (svg, png) = (folder.join(format!("{name}.svg")), folder.join(format!("{name}.png")));
        write_whole(&svg, |unfinished| paint::write_svg(&picture, unfinished))?;
        write_whole(&png, |unfinished| paint::write_png(&picture, unfinished))?;
        files.extend([svg, png]);
    }
    Ok(files)
}

/// Draws every chart as [`draw`] does, into the folder of a whole run: charts there that the results have no figures for are
/// removed, whatever model they are of, for they are those of an earlier run.
///
/// # Errors
/// As for [`draw`], and if a chart of an earlier run cannot be removed.
///
/// # Examples
/// ```
/// use alloclab::report::chart::draw_all;
/// use alloclab::results::Results;
///
/// let folder = std::env::temp_dir().join("alloclab-no-charts-at-all");
/// assert!(draw_all(&Results::default(), &folder).unwrap().is_empty());
/// ```
pub fn draw_all(results: &Results, folder: impl AsRef<Path>) -> Result<Vec<PathBuf>> {
    let files = draw(results, &folder)?;
    remove_others(folder.as_ref(), &files)?;
    Ok(files)
}

/// Removes the charts that were not drawn now; files of other names are none of ours.
fn remove_others(folder: &Path, drawn: &[PathBuf]) -> Result<()> {
    let cannot = |message: &str, path: &Path, help: &str, source: io::Error| {
        Error::new(ErrorKind::Io, message).at(path.display().to_string()).with_help(help).with_source(source)
    };
    let unlisted = |source| {
        cannot(
            "the folder cannot be listed, to find charts of earlier runs",
            folder,
            "name another folder",
            source,
        )
    };
    for entry in fs::read_dir(folder).map_err(unlisted)? {
        let file = entry.map_err(unlisted)?.path();
        if is_ours(&file) && file.is_file() && !drawn.contains(&file) {
            fs::remove_file(&file).map_err(|source| {
                let help = "remove it, or name another folder";
                cannot("the chart of an earlier run cannot be removed", &file, help, source)
            })?;
        }
    }
    Ok(())
}

fn is_ours(file: &Path) -> bool {
    let ending = file.extension().is_some_and(|ending| ending == "svg" || ending == "png");
    let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    ending && (NAMES.contains(&name) || SEVERAL.iter().any(|ours| name.starts_with(ours)))
}

/// Cases of parallel loops of the fewest and of the most iterations: those in between would make a chart of many pages.
fn outermost(loops: Vec<&Case>) -> Vec<&Case> {
    let threads = || loops.iter().map(|case| case.threads);
    let ends = [threads().min(), threads().max()];
    loops.into_iter().filter(|case| ends.contains(&Some(case.threads))).collect()
}

/// Every chart with its name, in the order of the documentation of [`draw`].
fn pictures(results: &Results) -> Vec<(String, Picture)> {
    let palette = Palette::new(results);
    let all: Vec<&Case> = results.cases.iter().collect();
    let mut pictures = bars(&all, &results.profile, &palette);
    let mut add =
        |name: &str, picture: Option<Picture>| pictures.extend(picture.map(|it| (name.to_owned(), it)));
    let by_operation: Vec<(&str, Vec<&Case>)> =
        operations(&all).into_iter().map(|operation| (operation, compared(results, operation))).collect();
    for (operation, cases) in &by_operation {
        let picture = live_heap::picture(cases, &results.profile, &palette);
        add(&format!("live-heap-{}", file_name(operation)), picture);
    }
    for (operation, cases) in &by_operation {
        let of_operation: Vec<&Case> =
            all.iter().copied().filter(|case| case.operation == *operation).collect();
        let picture = live_heap_run::picture(cases, &of_operation, &results.profile, &palette);
        add(&format!("live-heap-run-{}", file_name(operation)), picture);
    }
    let compared: Vec<Vec<&Case>> = by_operation.into_iter().map(|(_, cases)| cases).collect();
    add("lifetimes", lifetimes::picture(&compared, &results.profile, &palette));
    add("size-classes", size_classes::picture(&compared, &results.profile, &palette));
    let threads = results.environment.pool_threads;
    let scaling = scaling_over_threads::picture(&all, &results.profile, threads, &palette);
    add("scaling-over-threads", scaling);
    pictures
}

/// The charts that have a row for every case.
fn bars(all: &[&Case], profile: &str, palette: &Palette<'_>) -> Vec<(String, Picture)> {
    let singles: Vec<&Case> = all.iter().copied().filter(|case| is_single(case)).collect();
    let (loops, batches): (Vec<&Case>, Vec<&Case>) =
        all.iter().copied().filter(|case| !is_single(case)).partition(|case| case.variant == "concurrent");
    let mut pictures = Vec::new();
    for (chart, text, cases) in [
        ("bytes-per-operation", "Bytes that one operation allocates", &singles),
        ("bytes-per-operation-batch", "Bytes that one operation on a batch allocates", &batches),
        ("bytes-per-operation-concurrent", "Bytes that one parallel loop allocates", &outermost(loops)),
    ] {
        for part in charts_of(cases) {
            let text = &part.title(text);
            let picture = bytes_per_operation::picture(Title { text, profile }, &part.cases, palette);
            pictures.push((part.name(chart), picture));
        }
    }
    for part in charts_of(&singles) {
        let text = &part.title("Allocations of one operation, by type");
        let picture = allocations_by_type::picture(Title { text, profile }, &part.cases, palette);
        pictures.push((part.name("allocations-by-type"), picture));
    }
    pictures
}

/// Cases of one chart: all, or those of a model.
struct Part<'a> {
    model: Option<&'a str>,
    cases: Vec<&'a Case>,
}

impl Part<'_> {
    fn name(&self, chart: &str) -> String {
        match self.model {
            None => chart.to_owned(),
            Some(model) => format!("{chart}-{}", file_name(model)),
        }
    }

    fn title(&self, chart: &str) -> String {
        match self.model {
            None => chart.to_owned(),
            Some(model) => format!("{chart}: {model}"),
        }
    }
}

/// All cases in one chart, or in one for each model.
fn charts_of<'a>(cases: &[&'a Case]) -> Vec<Part<'a>> {
    if cases.is_empty() {
        return Vec::new();
    }
    if cases.len() <= MOST_ROWS {
        return vec![Part { model: None, cases: cases.to_vec() }];
    }
    let mut charts: Vec<Part<'_>> = Vec::new();
    for case in cases {
        // Models whose names make the same file stand in one chart.
        let is_of = |part: &&mut Part<'_>| part.model.map(file_name) == Some(file_name(&case.model));
        match charts.iter_mut().find(is_of) {
            Some(part) => part.cases.push(case),
            None => charts.push(Part { model: Some(&case.model), cases: vec![case] }),
        }
    }
    charts
}

/// An operation's or a model's name as part of a file's: a results file from elsewhere may hold anything.
fn file_name(operation: &str) -> String {
    operation
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
        .take(40)
        .collect()
}
