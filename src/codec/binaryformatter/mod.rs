//! BinaryFormatter, and the objects that it makes on its way.
//!
//! The format is MS-NRBF ("[MS-NRBF]: .NET Remoting: Binary Format Data Structure"); [`nrbf`](super::nrbf) reads and writes
//! any graph in it. Here a graph of known classes is written and read as BinaryFormatter does it, byte for byte and object
//! by object: every object that the original makes for an operation is a block of a type of its name, made where and when
//! the original makes it, and used for what it is used for there.
//!
//! Sources: .NET reference source, `System.Runtime.Serialization.Formatters.Binary` (the writer as of .NET Framework 2.0
//! to 3.5, 32-bit, which the write-up's figures were taken with); the reader is Mono 6.8's, 64-bit, for which alone an
//! object table could be had.
//!
//! # What differs
//! - Objects of a graph form a tree: one that is referred to twice, or refers to one that stands before it, cannot be
//!   read, as Rust values own their parts. Strings can be shared.
//! - Classes, arrays of classes, strings and primitives are taken, not `Char`, `Decimal`, enumerations and structs.
//! - Equal empty strings are one object, as .NET's literals are.
//! - Objects that the collector frees later are freed at once, or at the end of the operation.

mod codec;
mod error;
mod format;
mod heap;
mod list;
mod model;
mod objects;
mod reader;
mod ser_stack;
mod types;
mod writer;

use std::marker::PhantomData;

use crate::codec::DecodeError;
use crate::codec::dotnet::{Property, Stream};

pub use codec::BinaryFormatterCodec;
pub use error::EncodeError;
pub use list::GenericList;
pub use types::{FieldNames, Names, UnsupportedType};

use types::Types;

/// .NET's `BinaryFormatter`, for graphs whose root is a `T`: a class, or a list of classes, which is an array there.
///
/// # Examples
/// ```
/// use alloclab::codec::binaryformatter::{BinaryFormatter, FieldNames, Names};
/// use alloclab::codec::dotnet::MemoryStream;
/// use alloclab::model::Contact;
///
/// let names = Names {
///     assembly: "Fixtures, Version=0.0.0.0, Culture=neutral, PublicKeyToken=null",
///     namespace: "Models",
///     root: None,
///     fields: FieldNames::BackingFields,
/// };
/// let formatter = BinaryFormatter::<Contact>::new(&names)?;
/// let mut stream = MemoryStream::new();
/// formatter.serialize(&mut stream, &Contact::sample())?;
/// assert_eq!(stream.written().len(), 335);
///
/// stream.rewind();
/// assert_eq!(formatter.deserialize(&mut stream)?, Contact::sample());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BinaryFormatter<T> {
    types: Types,
    root: PhantomData<fn() -> T>,
}

impl<T: Property> BinaryFormatter<T> {
    /// Loads the types that a graph consists of, under the names that they have in .NET.
    ///
    /// # Errors
    /// If one of them is none that the formatter takes.
    pub fn new(names: &Names<'_>) -> Result<Self, UnsupportedType> {
        Ok(Self { types: Types::load::<T>(names)?, root: PhantomData })
    }

    /// Writes a graph at the stream's position.
    ///
    /// # Errors
    /// If the stream is full, or the root is null.
    pub fn serialize(&self, stream: &mut dyn Stream, graph: &T) -> Result<(), EncodeError> {
        let root = graph.get();
        if matches!(root, super::dotnet::Object::Null) {
            return Err(EncodeError::NullGraph);
        }
        Ok(writer::ObjectWriter::new(&self.types, stream).serialize(root.as_ref())?)
    }

    /// Reads a graph at the stream's position.
    ///
    /// # Errors
    /// If the bytes are not what BinaryFormatter writes for a graph of these types.
    pub fn deserialize(&self, stream: &mut dyn Stream) -> Result<T, DecodeError> {
        reader::deserialize(&self.types, stream)
    }
}
