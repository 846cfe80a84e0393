//! A site's stack in words.

use std::path::Path;

use crate::report::calls::{Call, brief};
use crate::results::{Case, Frame, Results, SiteRow, TypeRow};

/// The functions that run and measure the operations: what lies beyond them says nothing about who allocates.
const HARNESS: &str = "harness::";

/// The program's own functions on a site's stack up to the harness, innermost first.
///
/// Its own are those whose sources stand in the same folder as the first's. Where places are not known, all are.
pub(super) fn own_calls<'a>(results: &'a Results, site: &SiteRow) -> Vec<&'a Frame> {
    let first = site.own_frame.unwrap_or(0) as usize;
    let frames = || {
        let frames = site.frames.iter().skip(first);
        frames.filter_map(|&frame| results.frames.get(frame as usize))
    };
    let root = frames().next().and_then(root);
    frames()
        .enumerate()
        .take_while(|(index, frame)| *index == 0 || !frame.function.starts_with(HARNESS))
        .filter(|(index, frame)| *index == 0 || root.is_none() || self::root(frame) == root)
        .map(|(_, frame)| frame)
        .collect()
}

/// The folder that a crate's sources stand in: nothing for the program's, `alloc/` for one of the standard library's.
fn root(frame: &Frame) -> Option<&str> {
    let location = frame.location.as_deref()?;
    location.find("src/").map(|end| &location[..end])
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
