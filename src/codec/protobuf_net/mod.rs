//! protobuf-net: the protobuf wire format as .NET's own implementation writes it.
//!
//! # Format
//! An object is its members as fields, each a tag (number and wire type) and a value: integers with seven bits in a byte,
//! numbers of fixed width little-endian, text, objects and packed numbers after their length. Sources: protobuf's
//! encoding guide; protobuf-net 3.1.22 and its `bcl.proto`.
//!
//! | member | bytes |
//! | --- | --- |
//! | `i32`, `i64`, `bool` | an encoded integer; a negative one takes 10 bytes; zero and false are left out |
//! | `f64` | 8; zero is left out |
//! | `String` | length and UTF-8; an empty one is written, other than in proto3; null (`None`) is left out |
//! | object, `Option` of it | length and members |
//! | `Vec` of objects | a field for each |
//! | `Vec<i32>` | a field for each number: proto3's packed form only on request (`IsPacked`), which no model makes; both are read |
//! | [`DateTime`](crate::model::DateTime) | an object: zigzag-encoded distance from 1970, and its unit, the largest that is exact |
//!
//! A list at the top is an object with the items as field 1. Kinds of instants are not written: they read back as
//! unspecified.
//!
//! # Reading
//! Fields that belong to no member are passed over, groups too. Numbers may come in any width. Objects and groups can be
//! nested [`MAX_DEPTH`] deep. Text that is not UTF-8, which .NET reads with replacement characters, is an error here.
//!
//! # Examples
//! ```
//! use alloclab::codec::protobuf_net::{from_slice, to_vec};
//! use alloclab::model::DemoSub;
//!
//! let sub = DemoSub { p1: 1, p3: Some(String::new()), ..DemoSub::default() };
//! let bytes = to_vec(&sub);
//! assert_eq!(bytes, [0x08, 1, 0x1a, 0]);
//! assert_eq!(from_slice::<DemoSub>(&bytes), Ok(sub));
//! ```

mod bcl;
mod buffer;
mod codec;
mod contract;
mod input;
mod member;
mod models;
mod object_cache;
mod reader;
mod type_model;
mod wire;
mod writer;

use std::io::{self, BufRead, Write};

pub use codec::ProtobufNetCodec;
pub use contract::{ProtoContract, ProtoRoot};
pub use member::ProtoMember;
pub use object_cache::NetObjectCache;
pub use reader::{MAX_DEPTH, ProtoReader};
pub use type_model::RuntimeTypeModel;
pub use wire::{Field, WireType};
pub use writer::{ProtoWriter, SubItem};

use super::DecodeError;

/// The bytes of a value.
///
/// # Panics
/// If the value's own [`ProtoContract`] fails: memory does not.
pub fn to_vec<T: ProtoRoot + ?Sized>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    to_writer(&mut bytes, value).expect("a vector takes every byte");
    bytes
}

/// Writes a value to a stream, in pieces of about 1,024 bytes.
///
/// # Errors
/// Those of the stream.
pub fn to_writer<T: ProtoRoot + ?Sized>(stream: &mut dyn Write, value: &T) -> io::Result<()> {
    let mut writer = ProtoWriter::new(stream);
    value.write_root(&mut writer)?;
    writer.finish()
}

/// The value of bytes, all of which belong to it.
///
/// The items of a list at the top are counted first, so that the list is made at its length: the original collects them
/// in memory from a pool, to the same effect.
///
/// # Errors
/// If the bytes are no such value: where, and why.
pub fn from_slice<T: ProtoRoot + ?Sized>(bytes: &[u8]) -> Result<T::Owned, DecodeError> {
    let mut reader = ProtoReader::new(bytes);
    let items = T::count_items(&reader);
    T::read_root(&mut reader, items)
}

/// Reads a value from a stream up to its end.
///
/// # Errors
/// Those of the stream; a [`DecodeError`] in one of kind [`InvalidData`](io::ErrorKind::InvalidData) if the bytes are no
/// such value.
pub fn from_reader<T: ProtoRoot + ?Sized>(stream: impl BufRead) -> io::Result<T::Owned> {
    let mut reader = ProtoReader::of_stream(stream);
    let value = T::read_root(&mut reader, 0);
    match reader.failure() {
        Some(kind) => Err(kind.into()),
        None => value.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error)),
    }
}
