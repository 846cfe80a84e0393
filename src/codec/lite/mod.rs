//! LiteSerializer: little-endian values one after the other, without padding, headers or type tags.
//!
//! The format is that of `LiteSerializer` in ppn-systems' Nalix (its "Binary Serialization Specification", at commit
//! 5474398). [`LiteSerialize`] and [`LiteDeserialize`] give a type its layout, for an object by
//! [`lite_object!`](crate::lite_object).
//!
//! | type | bytes |
//! | --- | --- |
//! | `i8` … `i64`, `u8` … `u64`, `f32`, `f64` | fixed width |
//! | `bool` | 1; any byte but 0 and 1 is an error |
//! | `char` | 2: a UTF-16 unit |
//! | `String` | `i32` length in bytes and UTF-8 |
//! | `Vec<T>` | `i32` count and elements; numbers are one block |
//! | [`DateTime`](crate::model::DateTime) | 8: ticks, and the kind in the two bits above |
//! | [`Guid`](crate::model::Guid) | 16, in .NET's order |
//! | [`Decimal`](crate::model::Decimal) | 16: low, middle, high, flags |
//! | object | its members |
//! | `Option<T>` | a length of -1 for strings and lists; else a flag of 1 byte, and the value |
//!
//! A member of a class type can be null in the original and always has the flag: it is an `Option` here. The root, and
//! the elements of a list, have none.
//!
//! # Order of members
//! The original's source generator writes members in the order of their declaration. Its reflection, under automatic
//! layout, writes the largest first, with references counted as 8 bytes; [`lite_object!`](crate::lite_object) knows
//! both.
//!
//! # Limits
//! [`MAX_ELEMENTS`] and [`MAX_STRING_BYTES`] both ways, and [`MAX_ENCODED_BYTES`] for values that are written into an
//! array.
//!
//! # Examples
//! ```
//! use alloclab::codec::lite;
//! use alloclab::model::Payload;
//!
//! let payload = Payload { id: 42, name: "hi".to_owned(), items: vec![7] };
//! let mut buffer = [0; 32];
//! let length = lite::to_slice(&payload, &mut buffer)?;
//! assert_eq!(buffer[..length], *b"\x2a\0\0\0\x02\0\0\0hi\x01\0\0\0\x07\0\0\0");
//! assert_eq!(lite::from_slice::<Payload>(&buffer[..length]), Ok(payload));
//! # Ok::<(), lite::EncodeError>(())
//! ```

mod codec;
mod compound;
mod model;
mod object;
mod primitive;
mod reader;
mod scratch;
mod writer;

pub use crate::codec::span::{EncodeError, EncodeProblem, Size};
pub use codec::LiteCodec;
pub use object::automatic_order;
pub use reader::{LiteReader, MAX_READ_DEPTH};
pub use scratch::ScratchBuffer;
pub use writer::LiteWriter;

use crate::codec::DecodeError;

/// Most elements of a list.
pub const MAX_ELEMENTS: usize = 1_048_576;

/// Most bytes of a string.
pub const MAX_STRING_BYTES: usize = 1_048_576;

/// Most bytes of a value that is written into an array: 128 MiB.
pub const MAX_ENCODED_BYTES: usize = 128 << 20;

/// Where a length or a count would stand: the string or list is null.
const NULL: i32 = -1;

/// A type that has a layout in LiteSerializer's format, and writes itself.
pub trait LiteSerialize {
    /// How many bytes a value takes, as far as the type tells.
    const SIZE: Size;

    /// How many bytes this value takes.
    fn encoded_bytes(&self) -> usize;

    /// Writes the value.
    ///
    /// # Errors
    /// When the buffer is too small, or the format has no room for the value.
    fn write(&self, writer: &mut LiteWriter<'_>) -> Result<(), EncodeError>;

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
    /// As [`LiteSerialize::write`].
    #[inline]
    fn write_all(items: &[Self], writer: &mut LiteWriter<'_>) -> Result<(), EncodeError>
    where
        Self: Sized,
    {
        items.iter().try_for_each(|item| item.write(writer))
    }
}

/// A type that can be read from LiteSerializer's format.
pub trait LiteDeserialize: LiteSerialize + Sized {
    /// Reads a value.
    ///
    /// # Errors
    /// When the bytes make no such value.
    fn read(reader: &mut LiteReader<'_>) -> Result<Self, DecodeError>;

    /// Reads the elements of a list. Types that know a faster way than one by one override it.
    ///
    /// # Errors
    /// As [`LiteDeserialize::read`], and when there are fewer bytes left than so many elements take.
    fn read_all(count: usize, reader: &mut LiteReader<'_>) -> Result<Vec<Self>, DecodeError> {
        reader.read_list(count)
    }
}

/// A type that can be absent: how the format has `Option` of it. Unless it says otherwise, that is a flag and the
/// value.
pub trait LiteNullable: LiteDeserialize {
    /// How many bytes an absent value takes.
    const NULL_BYTES: usize = 1;

    /// How many bytes a value takes that is there.
    #[inline]
    fn encoded_bytes_of_some(&self) -> usize {
        1 + self.encoded_bytes()
    }

    /// Writes a value that may be absent.
    ///
    /// # Errors
    /// As [`LiteSerialize::write`].
    #[inline]
    fn write_option(value: Option<&Self>, writer: &mut LiteWriter<'_>) -> Result<(), EncodeError> {
        writer.write(&value.is_some())?;
        value.map_or(Ok(()), |value| writer.write(value))
    }

    /// Reads a value that may be absent.
    ///
    /// # Errors
    /// As [`LiteDeserialize::read`].
    #[inline]
    fn read_option(reader: &mut LiteReader<'_>) -> Result<Option<Self>, DecodeError> {
        if reader.read()? { reader.read().map(Some) } else { Ok(None) }
    }
}

/// Writes a value into a buffer and says how many bytes it took.
///
/// # Errors
/// When the buffer is too small, or the format has no room for the value.
#[inline]
pub fn to_slice<T: LiteSerialize + ?Sized>(value: &T, buffer: &mut [u8]) -> Result<usize, EncodeError> {
    let mut writer = LiteWriter::new(buffer);
    value.write(&mut writer)?;
    Ok(writer.written())
}

/// Reads a value from the start of the input; what follows it is not looked at.
///
/// # Errors
/// When the bytes make no such value.
#[inline]
pub fn from_slice<T: LiteDeserialize>(input: &[u8]) -> Result<T, DecodeError> {
    T::read(&mut LiteReader::new(input))
}
