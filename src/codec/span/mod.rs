//! The span format: values one after the other in a buffer of the caller, with no allocation to write them.
//!
//! The format is that of NewLife.Core's `SpanWriter` and `SpanReader` (at commit 9ae95de58), without header, member count
//! or type tags. [`SpanSerialize`] and [`SpanDeserialize`] give a type its layout, by hand or by
//! `#[derive(SpanSerialize)]`, which makes both.
//!
//! | type | bytes |
//! | --- | --- |
//! | `i8` … `i64`, `u8` … `u64` | fixed width; see [`SpanFormat`] for byte order and encoded integers |
//! | `f32`, `f64` | fixed width |
//! | `bool` | 1; any byte but 0 reads as true |
//! | `char` | 1; characters above U+00FF are an error |
//! | `str`, `String`, `[u8]` | encoded length and content; the original's null reads as empty |
//! | `Vec<T>`, [`Elements`] | encoded count and elements |
//! | `[u8; N]` | the bytes |
//! | `Option<T>` | flag of 1 byte, and the value |
//! | unit enum | its `repr` in fixed width |
//! | [`Guid`](crate::model::Guid) | 16, in .NET's order |
//! | [`Decimal`](crate::model::Decimal) | four `i32`: low, middle, high, flags |
//! | [`DateTime`](crate::model::DateTime) | `u32` seconds since 1970; with [`SpanFormat::FULL_TIME`] an `i64` |
//!
//! # Times in seconds
//! Fractions of a second are dropped. The kind is lost: every time reads back as UTC. 0 stands for
//! [`DateTime::MIN`](crate::model::DateTime::MIN), so that the first second of 1970 reads back as that. Times before 1970
//! (other than the minimum) and from 2106-02-07T06:28:16 on are an error. Full time keeps all of it.
//!
//! # Objects within objects
//! A field is written inline, without a flag. For an optional object there are two ways: `Option<T>` has a flag, and
//! `#[span(flagless)]` is what the original does with members of a class type: nothing at all for `None`, which therefore
//! reads back only where the input ends.
//!
//! # Examples
//! ```
//! use alloclab::codec::span::{self, SpanSerialize};
//!
//! #[derive(SpanSerialize, Debug, PartialEq)]
//! struct Point {
//!     x: i32,
//!     label: String,
//! }
//!
//! #[derive(SpanSerialize)]
//! struct PointRef<'a> {
//!     x: i32,
//!     label: &'a str,
//! }
//!
//! let point = Point { x: -1, label: "here".to_owned() };
//! let mut buffer = [0; 64];
//! let length = span::to_slice(&point, &mut buffer).unwrap();
//! assert_eq!(span::from_slice::<Point>(&buffer[..length]), Ok(point));
//! assert_eq!(span::from_slice::<PointRef>(&buffer[..length]).unwrap().label, "here");
//! ```

mod block;
#[cfg(feature = "lab")]
mod borrowed;
#[cfg(feature = "lab")]
mod cases;
#[cfg(feature = "lab")]
mod codec;
mod compound;
mod elements;
mod error;
mod fast_model;
mod format;
mod integer;
mod length;
mod pool;
mod primitive;
mod reader;
mod size;
mod stream;
mod writer;

pub use alloclab_derive::SpanSerialize;
#[cfg(feature = "lab")]
pub use codec::SpanCodec;
#[cfg(feature = "lab")]
pub(super) use codec::prepare;
pub use elements::Elements;
pub use error::{EncodeError, EncodeProblem};
pub use format::{SpanFormat, Standard};
pub use integer::Integer;
pub use length::LengthWidth;
pub use pool::{BufferPool, Packet};
pub use reader::{MAX_DEPTH, SpanReader};
pub use size::Size;
pub use stream::{read_list, write_list};
pub use writer::SpanWriter;

use crate::codec::DecodeError;

/// A type that has a layout in the span format, and writes itself.
///
/// # Examples
/// By hand, with one check for the fields of fixed size:
/// ```
/// use alloclab::codec::DecodeError;
/// use alloclab::codec::span::{
///     EncodeError, Size, SpanDeserialize, SpanFormat, SpanReader, SpanSerialize, SpanWriter,
/// };
///
/// struct Point {
///     x: i32,
///     y: i32,
/// }
///
/// impl SpanSerialize for Point {
///     const SIZE: Size = Size::Fixed(8);
///
///     fn write<F: SpanFormat>(&self, writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
///         writer.require(8)?;
///         writer.write(&self.x)?;
///         writer.write(&self.y)
///     }
/// }
///
/// impl<'a> SpanDeserialize<'a> for Point {
///     fn read<F: SpanFormat>(reader: &mut SpanReader<'a, F>) -> Result<Self, DecodeError> {
///         reader.require(8)?;
///         Ok(Self { x: reader.read()?, y: reader.read()? })
///     }
/// }
/// ```
///
/// A field of a type without a layout does not compile; it can be left out with `#[span(skip)]`:
/// ```compile_fail,E0277
/// #[derive(alloclab::codec::span::SpanSerialize)]
/// struct Message {
///     address: std::net::IpAddr,
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no layout in the span format",
    label = "this type has no layout",
    note = "derive `SpanSerialize` for it, implement it by hand, or leave the field out with `#[span(skip)]`"
)]
pub trait SpanSerialize {
    /// How many bytes a value takes in the standard format.
    const SIZE: Size;

    /// Writes the value.
    ///
    /// # Errors
    /// When the buffer is too small, or the format has no room for the value.
    fn write<F: SpanFormat>(&self, writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError>;

    /// Writes the elements of a list. Types that know a faster way than one by one override it.
    ///
    /// # Errors
    /// As [`SpanSerialize::write`].
    #[inline]
    fn write_all<F: SpanFormat>(items: &[Self], writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError>
    where
        Self: Sized,
    {
        items.iter().try_for_each(|item| item.write(writer))
    }
}

/// A type that can be read from bytes in the span format, and may borrow from them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from the span format",
    label = "this type cannot be read",
    note = "derive `SpanSerialize` for it, implement `SpanDeserialize` by hand, or leave the field out with `#[span(skip)]`"
)]
pub trait SpanDeserialize<'a>: SpanSerialize + Sized {
    /// Reads a value.
    ///
    /// # Errors
    /// When the bytes make no such value. A value that is cut off is an error at any place.
    fn read<F: SpanFormat>(reader: &mut SpanReader<'a, F>) -> Result<Self, DecodeError>;

    /// Reads the elements of a list. Types that know a faster way than one by one override it.
    ///
    /// # Errors
    /// As [`SpanDeserialize::read`], and when there are fewer bytes left than so many elements take.
    fn read_all<F: SpanFormat>(
        count: usize,
        reader: &mut SpanReader<'a, F>,
    ) -> Result<Vec<Self>, DecodeError> {
        compound::read_list(count, reader)
    }
}

/// Writes a value in the standard format and says how many bytes it took.
///
/// # Errors
/// When the buffer is too small, or the format has no room for the value.
#[inline]
pub fn to_slice<T: SpanSerialize + ?Sized>(value: &T, buffer: &mut [u8]) -> Result<usize, EncodeError> {
    let mut writer = SpanWriter::new(buffer);
    value.write(&mut writer)?;
    Ok(writer.written())
}

/// Reads a value in the standard format from the start of the input; what follows it is not looked at.
///
/// # Errors
/// When the bytes make no such value.
#[inline]
pub fn from_slice<'a, T: SpanDeserialize<'a>>(input: &'a [u8]) -> Result<T, DecodeError> {
    T::read(&mut SpanReader::new(input))
}
