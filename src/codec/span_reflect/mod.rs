//! The span serializer on plain objects: member after member through getters and setters that box.
//!
//! The bytes are those of [`span`](super::span); what differs is what is allocated. A getter boxes each value type before
//! it is written, a reader boxes each before a setter takes it, and objects are made with default values and filled.
//! Source: NewLife.Core's `SpanSerializer` at commit 9ae95de58.
//!
//! Nullable values have a flag in front; an object inside another has none, and null writes nothing. An object whose
//! bytes end between two members keeps the defaults of the rest. Lists and dictionaries are not supported, as in the
//! original.

//!
//! # Without boxes
//! [`Access`] is how members are reached: as in the original, or in a way that its write-up advises.

mod access;
mod codec;
mod reader;
mod unboxed;
mod writer;

pub use access::{Access, KeptConstructors, Original, Typed};
pub use codec::SpanReflectCodec;
pub use reader::{from_slice, read_object};
pub use writer::{to_slice, write_object};
