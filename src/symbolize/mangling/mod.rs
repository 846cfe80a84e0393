//! Rust's v0 mangling (RFC 2603) as a tree: crates, paths, impls, generic arguments and types.
//!
//! Names are taken apart before they are turned into text, because text loses what matters: the crate of an `impl`
//! stands in the mangled name only.

mod arena;
mod legacy;
mod parser;
mod punycode;
#[cfg(test)]
mod tests;

pub use arena::{Arena, Argument, DynTrait, Path, PathId, Type, TypeId, Word};
pub use legacy::demangle as demangle_legacy;
pub use parser::{ParseError, parse};
