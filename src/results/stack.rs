//! The part of a stack that is the program's own.

use super::{Frame, Results, SiteRow};

/// The functions that run and measure the operations: what lies beyond them says nothing about who allocates.
const HARNESS: &str = "harness::";

/// The program's own functions on a site's stack up to the harness, innermost first.
///
/// Its own are those whose sources stand in the same folder as the first's. Where places are not known, all are.
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
