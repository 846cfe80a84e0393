//! Names of Rust's legacy mangling as a tree, the type arguments that they have lost put back from debug information.
//!
//! The legacy mangling says where a function stands and what its `impl` is for, in the words of the source:
//! `alloc::vec::Vec<T,A>::push`. Debug information says what the parameters are: `push<u64, alloc::alloc::Global>`, those
//! of the `impl` first, in the order in which the source declares them. That order is told by the parameters' names where
//! debug information is complete (`debug = 2`). Where it is not, it is the order in which the path names them, except
//! where a trait's `impl` may have it otherwise: what is not certain there stays open.

mod arguments;
mod demangle;
mod path;
mod place;

use super::arena::{Arena, PathId};
use arguments::Spelled;
pub use demangle::demangle as demangle_legacy;
use demangle::segments;
use path::Builder;
use place::Place;

/// What debug information tells of a function whose name is of the legacy mangling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spelling {
    /// Its own name with all type arguments in effect: `push<u64, alloc::alloc::Global>`.
    pub name: String,
    /// The names of the parameters that are types, in their order; empty unless debug information is complete.
    pub parameters: Vec<String>,
}

/// Whether a name is of the legacy mangling.
///
/// # Examples
/// ```
/// use alloclab::symbolize::mangling::is_legacy_name;
///
/// assert!(is_legacy_name("_ZN3lab4main17h0123456789abcdefE"));
/// assert!(!is_legacy_name("_RNvC3lab4main") && !is_legacy_name("main"));
/// ```
pub fn is_legacy_name(symbol: &str) -> bool {
    segments(symbol).is_some()
}

/// Takes a name of the legacy mangling apart, with what debug information tells of the function; none if it is not such a
/// name.
///
/// Arguments that nothing tells are [`Type::Unknown`](super::Type::Unknown).
///
/// # Examples
/// ```
/// use alloclab::symbolize::mangling::{Arena, Path, Spelling, parse_legacy};
///
/// let mut arena = Arena::default();
/// let name = "_ZN5alloc3vec16Vec$LT$T$C$A$GT$4push17h0123456789abcdefE";
/// let spelling = Spelling { name: "push<u64, alloc::alloc::Global>".to_owned(), parameters: Vec::new() };
/// let path = parse_legacy(name, Some(&spelling), &mut arena).unwrap();
/// let Path::Nested { parent, .. } = arena.path(path) else { panic!("a function") };
/// assert!(matches!(arena.path(*parent), Path::Inherent { .. }));
/// ```
pub fn parse_legacy(symbol: &str, spelling: Option<&Spelling>, arena: &mut Arena) -> Option<PathId> {
    let segments = segments(symbol)?;
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    let function = segments.iter().rposition(|segment| !segment.starts_with('{'))?;
    let spelled = Spelled::new(spelling, arena);
    let place = Place::new(&segments[..function], &spelled);
    let arguments = spelled.assign(&place);
    let mut builder = Builder { arena, known: &arguments.known };
    let parent = builder.parent(&segments[..function], &place)?;
    let path = builder.function(parent, segments[function], arguments.own)?;
    let path = builder.unnamed(path, &segments[function + 1..], spelling);
    arena.is_reasonable(path).then_some(path)
}

/// How far downstream a crate is: an `impl` stands in the later one of its type's and its trait's.
pub(super) fn rank(crate_name: &str) -> u32 {
    match crate_name {
        "core" => 0,
        "alloc" => 1,
        "std" => 2,
        _ => OTHER,
    }
}

pub(super) const OTHER: u32 = 3;
