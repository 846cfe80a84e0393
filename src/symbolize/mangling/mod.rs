//! Rust's names as a tree: crates, paths, impls, generic arguments and types. Names of v0 mangling (RFC 2603) are one by
//! themselves, legacy ones with the help of debug information.
//!
//! Names are taken apart before they are turned into text, because text loses what matters: the crate of an `impl`
//! stands in the mangled name only.

mod arena;
mod legacy;
mod parser;
mod punycode;
#[cfg(test)]
mod tests;
mod type_text;

pub use arena::{Arena, Argument, DynTrait, Path, PathId, Type, TypeId, Word};
pub use legacy::{Spelling, demangle_legacy, is_legacy_name, parse_legacy};
pub use parser::{ParseError, parse};
