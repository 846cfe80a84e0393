//! MemoryPack: little-endian memory, with as little as possible between it.
//!
//! The format is that of Cysharp's MemoryPack 1.4.4. Values of a type of fixed size stand as they stand in memory,
//! members one after the other without padding; there are no type tags, and both sides have to know the types.
//! [`MemoryPackSerialize`] and [`MemoryPackDeserialize`] give a type its layout, for an object by
//! [`memorypack_object!`](crate::memorypack_object).
//!
//! | type | bytes |
//! | --- | --- |
//! | `i8` … `i64`, `u8` … `u64`, `f32`, `f64` | fixed width |
//! | `bool` | 1; any byte but 0 and 1 is an error |
//! | `char` | 2: a UTF-16 unit |
//! | `String` | 4 zeros if empty; else bitwise complement of the length in bytes, length in UTF-16 units, UTF-8 |
//! | `Vec<T>` | `i32` count and elements; numbers are one block |
//! | [`DateTime`](crate::model::DateTime) | 8: ticks, and the kind in the two bits above |
//! | [`Guid`](crate::model::Guid) | 16, in .NET's order |
//! | [`Decimal`](crate::model::Decimal) | 16: flags, high, low, middle |
//! | object | member count of 1 byte, and members |
//! | version-tolerant object | member count of 1 byte, the length of each as a [varint](Varint), and members |
//! | `Option` of an object | the object, or 255 |
//! | `Option` of a string or list | the string or list, or -1 |
//! | `Option` of a type of fixed size | a flag and the value, padded as in memory |
//! | union | [tag](MemoryPackWriter::write_union_tag) and object |
//!
//! Strings in the format's other form, UTF-16 behind their length, are read, too.
//!
//! # Versions
//! An object with fewer members than the type has gets default values for the rest; one with more is an error, as in
//! the original. A version-tolerant object may have more: they are skipped.
//!
//! # Null
//! A string or list that is null reads as empty where the type is no `Option`; an object that is null is then an error.
//!
//! # What is left out
//! Circular references: they need shared owners, which the models of this crate do not have.
//!
//! # Examples
//! ```
//! use alloclab::codec::memorypack;
//! use alloclab::model::Payload;
//!
//! let payload = Payload { id: 42, name: "hi".to_owned(), items: vec![7] };
//! let bytes = memorypack::to_vec(&payload)?;
//! assert_eq!(bytes, *b"\x03\x2a\0\0\0\xfd\xff\xff\xff\x02\0\0\0hi\x01\0\0\0\x07\0\0\0");
//! assert_eq!(memorypack::from_slice::<Payload>(&bytes), Ok(payload));
//! # Ok::<(), memorypack::EncodeError>(())
//! ```

mod codec;
mod compound;
mod model;
mod object;
mod primitive;
mod reader;
mod scratch;
mod varint;
mod writer;

pub use crate::codec::span::{EncodeError, EncodeProblem, Size};
pub use codec::MemoryPackCodec;
pub(super) use codec::MemoryPackModel;
pub use reader::{MAX_READ_DEPTH, MemoryPackReader};
pub use scratch::ScratchBuffer;
pub use varint::Varint;
pub use writer::{MAX_WRITE_DEPTH, MemoryPackWriter};

use crate::codec::DecodeError;

/// Most members of an object, and the highest union tag of one byte: higher bytes have meanings of their own.
pub const MAX_MEMBERS: u8 = 249;

/// Where an object would begin: it is null.
const NULL_OBJECT: u8 = 255;

/// In front of a union tag of two bytes.
const WIDE_TAG: u8 = 250;

/// Where a count would stand: the string or list is null.
const NULL_COLLECTION: i32 = -1;

/// A type that has a layout in MemoryPack's format, and writes itself.
pub trait MemoryPackSerialize {
    /// How many bytes a value takes, as far as the type tells.
    const SIZE: Size;

    /// How many bytes this value takes.
    fn encoded_bytes(&self) -> usize;

    /// Writes the value.
    ///
    /// # Errors
    /// When the buffer is too small, or the format has no room for the value.
    fn write(&self, writer: &mut MemoryPackWriter<'_>) -> Result<(), EncodeError>;

    /// How many bytes the elements of a list take.
    #[inline]
    fn encoded_bytes_of_all(items: &[Self]) -> usize
    where
        Self: Sized,
    {
        items.iter().map(Self::encoded_bytes).sum()
    }

    /// Writes the elements of a list. Types that know a faster way than one by one override it.
    ///
    /// # Errors
    /// As [`MemoryPackSerialize::write`].
    #[inline]
    fn write_all(items: &[Self], writer: &mut MemoryPackWriter<'_>) -> Result<(), EncodeError>
    where
        Self: Sized,
    {
        items.iter().try_for_each(|item| item.write(writer))
    }
}

/// A type that can be read from MemoryPack's format.
pub trait MemoryPackDeserialize: MemoryPackSerialize + Sized {
    /// The fewest bytes of a value that lacks nothing: for an object, one with all of its members. Lists take room at
    /// first for as many elements as the rest of the input can hold of those.
    const USUAL_BYTES: usize = Self::SIZE.min();

    /// Reads a value.
    ///
    /// # Errors
    /// When the bytes make no such value.
    fn read(reader: &mut MemoryPackReader<'_>) -> Result<Self, DecodeError>;

    /// Reads the elements of a list. Types that know a faster way than one by one override it.
    ///
    /// # Errors
    /// As [`MemoryPackDeserialize::read`], and when there are fewer bytes left than so many elements take.
    fn read_all(count: usize, reader: &mut MemoryPackReader<'_>) -> Result<Vec<Self>, DecodeError> {
        reader.read_list(count)
    }
}

/// A type that can be absent: how the format has `Option` of it.
pub trait MemoryPackNullable: MemoryPackDeserialize {
    /// How many bytes an `Option` takes, as far as the type tells.
    const OPTION_SIZE: Size;

    /// How many bytes an absent value takes.
    const NULL_BYTES: usize = Self::OPTION_SIZE.min();

    /// How many bytes a value takes that is there.
    fn encoded_bytes_of_some(&self) -> usize {
        self.encoded_bytes()
    }

    /// Writes a value that may be absent.
    ///
    /// # Errors
    /// As [`MemoryPackSerialize::write`].
    fn write_option(value: Option<&Self>, writer: &mut MemoryPackWriter<'_>) -> Result<(), EncodeError>;

    /// Reads a value that may be absent.
    ///
    /// # Errors
    /// As [`MemoryPackDeserialize::read`].
    fn read_option(reader: &mut MemoryPackReader<'_>) -> Result<Option<Self>, DecodeError>;
}

/// How many bytes the length of a version-tolerant object's member takes.
pub fn member_length_bytes(length: usize) -> usize {
    varint::encode(length as i64, true).1
}

/// Writes a value into a new array of exactly its size.
///
/// # Errors
/// When the format has no room for the value.
#[inline]
pub fn to_vec<T: MemoryPackSerialize + ?Sized>(value: &T) -> Result<Vec<u8>, EncodeError> {
    let mut bytes = vec![0; value.encoded_bytes()];
    to_slice(value, &mut bytes)?;
    Ok(bytes)
}

/// Writes a value into a buffer and says how many bytes it took.
///
/// # Errors
/// When the buffer is too small, or the format has no room for the value.
#[inline]
pub fn to_slice<T: MemoryPackSerialize + ?Sized>(value: &T, buffer: &mut [u8]) -> Result<usize, EncodeError> {
    let mut writer = MemoryPackWriter::new(buffer);
    value.write(&mut writer)?;
    Ok(writer.written())
}

/// Reads a value from the start of the input; what follows it is not looked at.
///
/// # Errors
/// When the bytes make no such value.
#[inline]
pub fn from_slice<T: MemoryPackDeserialize>(input: &[u8]) -> Result<T, DecodeError> {
    T::read(&mut MemoryPackReader::new(input))
}
