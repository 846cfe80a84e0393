//! NewLife's `Binary`: a serializer over streams, with each object of the original a Rust object of that name.
//!
//! # Format
//! An object is its members in the order of declaration, without header, names or tags. Numbers are big-endian unless
//! the [`Options`] say otherwise; lengths and counts are variable-length integers; strings are UTF-8 after their length,
//! null and empty being the same; instants are whole seconds since 1970 in four bytes, 0 being the first instant of year
//! 1. Source: NewLife.Core at commit 9ae95de58.
//!
//! Left out, as the original does not read back what it writes: `IPAddress`, `IPEndPoint` and `DateTimeOffset`; and
//! sizes that depend on a protocol version.
//!
//! # Where it is stricter than the original
//! What the original writes reads the same. Beyond that, the original takes some bytes that are errors here: values cut
//! short (it pads them with zeros), counts larger than the bytes that are left, strings that are not UTF-8, numbers that
//! an enumeration has no value for. Objects nested more than 64 deep are an error in both directions, lengths that the
//! chosen width cannot hold are not cut, and instants before 1970 are an error. A member that holds another's size is
//! written with that size; the original also changes it in the object.

mod codec;
mod composite;
mod core;
mod dictionary;
mod error;
mod general;
mod handler;
mod list;
mod normal;
mod options;
mod serializer;

pub use codec::BinaryCodec;
pub use error::EncodeError;
pub use options::{HeapEnumerators, Options, SizeWidth};
pub use serializer::{Binary, fast_read, fast_write};
