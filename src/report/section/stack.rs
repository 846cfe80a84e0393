//! A site's stack in words.

use std::path::Path;

use crate::report::calls::{Call, brief};
use crate::results::{Case, Frame, Results, SiteRow, TypeRow};

/// Whose functions tell who allocates, innermost first: those of the crate that does, and the program's.
///
/// A crate is known by the folder that its sources stand in. Where places are not known, all functions are.
pub(super) fn own_calls<'a>(results: &'a Results, site: &SiteRow) -> Vec<&'a Frame> {
    let first = site.own_frame.unwrap_or(0) as usize;
    let frames = || {
        let frames = site.frames.iter().skip(first);
        frames.filter_map(|&frame| results.frames.get(frame as usize))
    };
    let root = frames().next().and_then(root);
    frames()
        .enumerate()
        .filter(|(index, frame)| {
            *index == 0 || root.is_none() || self::root(frame) == root || is_programs(frame)
        })
        .map(|(_, frame)| frame)
        .collect()
}

/// The folder that a crate's sources stand in: nothing for the program's, `alloc/` for one of the standard library's.
fn root(frame: &Frame) -> Option<&str> {
    let location = frame.location.as_deref()?;
    let is_beside_sources =
        || ["examples/", "benches/", "tests/"].iter().any(|folder| location.starts_with(folder));
    location.find("src/").map(|end| &location[..end]).or_else(|| is_beside_sources().then_some(""))
}

/// Whether a function is the program's, and no library's.
pub(super) fn is_programs(frame: &Frame) -> bool {
    root(frame) == Some("")
}

/// The folder of the file that a function stands in.
pub(super) fn folder(frame: &Frame) -> Option<&Path> {
    Path::new(frame.location.as_deref()?).parent()
}

/// File and line of a place, without folders.
pub(super) fn file_and_line(frame: &Frame) -> Option<&str> {
    frame.location.as_deref().map(|location| location.rsplit('/').next().unwrap_or(location))
}

/// A function with its place as the results have it.
pub(super) fn call(frame: &Frame) -> Call {
    Call { function: frame.function.clone(), location: frame.location.clone() }
}

/// A function with its file and line, both without what stands in front.
pub(super) fn short_call(frame: &Frame) -> Call {
    Call { function: brief(&frame.function), location: file_and_line(frame).map(str::to_owned) }
}

/// The type that owns what a site allocates.
pub(super) fn owner<'a>(case: &'a Case, site: &SiteRow) -> &'a str {
    case.types.get(site.type_index as usize).map_or("(untyped)", |owner: &TypeRow| &owner.name)
}
