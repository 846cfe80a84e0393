//! A site's stack in words.

use crate::results::{Case, Frame, Results, SiteRow, TypeRow};

/// The first function of the program itself on a site's stack; the innermost where none is known.
pub(super) fn own_frame<'a>(results: &'a Results, site: &SiteRow) -> Option<&'a Frame> {
    let index = site.own_frame.unwrap_or(0) as usize;
    site.frames.get(index).and_then(|&frame| results.frames.get(frame as usize))
}

/// The functions beyond the program's first, innermost first.
pub(super) fn callers<'a>(results: &'a Results, site: &'a SiteRow) -> impl Iterator<Item = &'a Frame> {
    let beyond = site.own_frame.unwrap_or(0) as usize + 1;
    site.frames.iter().skip(beyond).filter_map(|&frame| results.frames.get(frame as usize))
}

/// A function with its place in the source.
pub(super) fn place(frame: Option<&Frame>) -> String {
    match frame {
        None => "(no stack)".to_owned(),
        Some(Frame { function, location: None }) => function.clone(),
        Some(Frame { function, location: Some(location) }) => format!("{function}  {location}"),
    }
}

/// The type that owns what a site allocates.
pub(super) fn owner<'a>(case: &'a Case, site: &SiteRow) -> &'a str {
    case.types.get(site.type_index as usize).map_or("(untyped)", |owner: &TypeRow| &owner.name)
}
