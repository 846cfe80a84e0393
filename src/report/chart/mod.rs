//! Charts of a results file, as SVG and PNG.
//!
//! No system font and no C library is needed: letters come with the crate. A type has the same color in every chart.

mod allocations_by_type;
mod bytes_per_operation;
mod font;
mod layout;
mod live_heap;
mod paint;
pub(super) mod palette;
mod picture;
mod scale;
mod size_classes;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use self::palette::Palette;
use self::picture::Picture;
use super::case_name::{is_single, operations};
use super::compared::compared;
use crate::error::{Error, ErrorKind, Result};
use crate::results::{Case, Results, write_whole};

/// The charts that a run may leave.
const NAMES: [&str; 5] = [
    "bytes-per-operation",
    "allocations-by-type",
    "live-heap-serialize",
    "live-heap-deserialize",
    "size-classes",
];

/// Of these there may be several, with a hyphen and what they are of behind.
const SEVERAL: [&str; 2] = ["bytes-per-operation-", "allocations-by-type-"];

/// Rows of one chart at most: more are drawn in a chart for each model.
const MOST_ROWS: usize = 40;

/// Draws every chart that the results have figures for, each as SVG and as PNG, and tells which files were made.
///
/// | name | shows |
/// | --- | --- |
/// | `bytes-per-operation` | bytes of single operations by codec, with the modelled and the published figures beside |
/// | `bytes-per-operation-<model>`, `allocations-by-type-<model>` | the same for each model, where all are too many |
/// | `bytes-per-operation-batch` | the same for batches |
/// | `bytes-per-operation-concurrent` | the same for the parallel loops of the fewest and of the most iterations |
/// | `allocations-by-type` | allocations of single operations, stacked by type |
/// | `live-heap-<operation>` | live bytes over one operation, call by call |
/// | `size-classes` | requests by size |
///
/// The folder is made if there is none. Results without cases make no chart. Charts of these names that the results have
/// no figures for are removed, whatever model they are of: they would be those of an earlier run.
///
/// # Errors
/// [`ErrorKind::Io`] if the folder or a file in it cannot be written; each file is written whole or not at all.
///
/// # Examples
/// ```
/// use alloclab::report::chart::draw_all;
/// use alloclab::results::Results;
///
/// let folder = std::env::temp_dir().join("alloclab-no-charts");
/// assert!(draw_all(&Results::default(), &folder).unwrap().is_empty());
/// ```
pub fn draw_all(results: &Results, folder: impl AsRef<Path>) -> Result<Vec<PathBuf>> {
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
    remove_others(folder, &files)?;
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
        if is_ours(&file) && !drawn.contains(&file) {
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

/// Every chart with its name, in the order of the documentation of [`draw_all`].
fn pictures(results: &Results) -> Vec<(String, Picture)> {
    let palette = Palette::new(results);
    let all: Vec<&Case> = results.cases.iter().collect();
    let singles: Vec<&Case> = all.iter().copied().filter(|case| is_single(case)).collect();
    let mut pictures = Vec::new();
    let mut add =
        |name: &str, picture: Option<Picture>| pictures.extend(picture.map(|it| (name.to_owned(), it)));
    let (loops, batches): (Vec<&Case>, Vec<&Case>) =
        all.iter().copied().filter(|case| !is_single(case)).partition(|case| case.variant == "concurrent");
    let loops = outermost(loops);
    for (suffix, cases) in charts_of(&singles) {
        let title = "Bytes that one operation allocates";
        let picture = bytes_per_operation::picture(title, &cases, &palette);
        add(&format!("bytes-per-operation{suffix}"), Some(picture));
    }
    for (name, title, cases) in [
        ("bytes-per-operation-batch", "Bytes that one operation on a batch allocates", &batches),
        ("bytes-per-operation-concurrent", "Bytes that one parallel loop allocates", &loops),
    ] {
        let picture = (!cases.is_empty()).then(|| bytes_per_operation::picture(title, cases, &palette));
        add(name, picture);
    }
    for (suffix, cases) in charts_of(&singles) {
        let picture = allocations_by_type::picture(&cases, &palette);
        add(&format!("allocations-by-type{suffix}"), Some(picture));
    }
    let by_operation: Vec<(&str, Vec<&Case>)> =
        operations(&all).into_iter().map(|operation| (operation, compared(results, operation))).collect();
    for (operation, cases) in &by_operation {
        add(&format!("live-heap-{}", file_name(operation)), live_heap::picture(cases, &palette));
    }
    let compared: Vec<Vec<&Case>> = by_operation.into_iter().map(|(_, cases)| cases).collect();
    add("size-classes", size_classes::picture(&compared, &palette));
    pictures
}

/// All cases in one chart, or in one for each model, with what its name ends with.
fn charts_of<'a>(cases: &[&'a Case]) -> Vec<(String, Vec<&'a Case>)> {
    if cases.is_empty() {
        return Vec::new();
    }
    if cases.len() <= MOST_ROWS {
        return vec![(String::new(), cases.to_vec())];
    }
    let mut charts: Vec<(String, Vec<&Case>)> = Vec::new();
    for case in cases {
        let suffix = format!("-{}", file_name(&case.model));
        match charts.iter_mut().find(|(known, _)| *known == suffix) {
            Some((_, of_model)) => of_model.push(case),
            None => charts.push((suffix, vec![case])),
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
