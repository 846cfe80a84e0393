//! Rust's names as a tree: crates, paths, impls, generic arguments and types. Names of v0 mangling (RFC 2603) are one by
//! themselves, older ones with the help of debug information.
//!
//! Names are taken apart before they are turned into text, because text loses what matters: the crate of an `impl`
//! stands in the mangled name only.

mod arena;
mod legacy;
mod older;
mod parser;
mod punycode;
mod spelling;
#[cfg(test)]
mod tests;

pub use arena::{Arena, Argument, DynTrait, Path, PathId, Type, TypeId, Word};
pub use legacy::demangle as demangle_legacy;
pub use older::{Spelling, is_older, parse_older};
pub use parser::{ParseError, parse};
