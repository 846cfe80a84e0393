//! The part of a stack that is the program's own.

use super::{Frame, Results, SiteRow};

/// Whose functions on a site's stack tell who allocates, innermost first: those of the crate that does, and the program's.
///
/// A crate is known by the folder that its sources stand in. Where places are not known, all functions are.
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
///
/// # Examples
/// ```
/// use alloclab::results::{Frame, is_programs};
///
/// let frame = |place: &str| Frame { function: "f".into(), location: Some(place.into()) };
/// assert!(is_programs(&frame("src/codec.rs:7")));
/// assert!(!is_programs(&frame("serde_json-1.0.1/src/map.rs:138")));
/// ```
pub fn is_programs(frame: &Frame) -> bool {
    root(frame) == Some("")
}
