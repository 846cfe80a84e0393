//! A site's stack in words.

use std::path::Path;

use crate::report::calls::{Call, brief};
use crate::results::{Case, Frame, SiteRow, TypeRow};

pub(super) use crate::results::{is_programs, own_calls};

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
pub(in crate::report) fn owner<'a>(case: &'a Case, site: &SiteRow) -> &'a str {
    case.types.get(site.type_index as usize).map_or("(untyped)", |owner: &TypeRow| &owner.name)
}
