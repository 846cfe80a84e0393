//! The part of a stack that is the program's own.

use super::{Frame, Results, SiteRow};
use crate::source_place::library;

/// Whose functions on a site's stack tell who allocates, innermost first: those of the crate that does, and the program's.
///
/// A library is known by the folder that its sources stand in; the packages of one workspace are one program. Where places
/// are not known, all functions are.
///
/// # Examples
/// ```
/// use alloclab::results::{Frame, Results, SiteRow, own_calls};
///
/// let frame = |function: &str, place: &str| Frame { function: function.into(), location: Some(place.into()) };
/// let results = Results {
///     frames: vec![frame("Vec<u8>::push", "alloc/src/vec/mod.rs:2"), frame("encode", "src/codec.rs:7")],
///     ..Results::default()
/// };
/// let site = SiteRow { frames: vec![0, 1], own_frame: Some(1), ..SiteRow::default() };
/// assert_eq!(own_calls(&results, &site), [&results.frames[1]]);
/// ```
pub fn own_calls<'a>(results: &'a Results, site: &SiteRow) -> Vec<&'a Frame> {
    let first = site.own_frame.unwrap_or(0) as usize;
    let frames = || {
        let frames = site.frames.iter().skip(first);
        frames.filter_map(|&frame| results.frames.get(frame as usize))
    };
    let first = frames().next().and_then(package);
    frames()
        .enumerate()
        .filter(|(index, frame)| {
            *index == 0 || first.is_none() || package(frame) == first || is_programs(frame)
        })
        .map(|(_, frame)| frame)
        .collect()
}

/// The folder of the library that a function belongs to, and nothing for the program's; none where the place is not known.
fn package(frame: &Frame) -> Option<&str> {
    frame.location.as_deref().map(|location| library(location).unwrap_or_default())
}

/// Whether a function is the program's, and no library's: in whichever package of its workspace, and not where its place is
/// not known.
///
/// # Examples
/// ```
/// use alloclab::results::{Frame, is_programs};
///
/// let frame = |place: &str| Frame { function: "f".into(), location: Some(place.into()) };
/// assert!(is_programs(&frame("src/codec.rs:7")));
/// assert!(is_programs(&frame("crates/codec/src/lib.rs:7")));
/// assert!(!is_programs(&frame("serde_json-1.0.1/src/map.rs:138")));
/// ```
pub fn is_programs(frame: &Frame) -> bool {
    package(frame) == Some("")
}
