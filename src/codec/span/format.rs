//! The options of the format, chosen at compile time.

/// How primitives are laid out.
///
/// The options are constants of a type, so that a reader or writer has no branch for them. A type of your own overrides
/// the ones that it wants otherwise.
///
/// # Examples
/// ```
/// use alloclab::codec::span::{SpanFormat, SpanWriter};
///
/// #[derive(Clone, Copy)]
/// struct BigEndian;
///
/// impl SpanFormat for BigEndian {
///     const BIG_ENDIAN: bool = true;
/// }
///
/// let mut buffer = [0; 4];
/// SpanWriter::with_format(&mut buffer, BigEndian).write(&1i32).unwrap();
/// assert_eq!(buffer, [0, 0, 0, 1]);
/// ```
pub trait SpanFormat: Copy {
    /// Whether integers and floats of fixed width have their highest byte first.
    const BIG_ENDIAN: bool = false;

    /// Whether integers of 16 bits and more take one byte for each seven bits that they need. There is no zigzag: a
    /// negative `i32` takes 5 bytes, a negative `i64` 10.
    const ENCODE_INT: bool = false;

    /// Whether a [`DateTime`](crate::model::DateTime) is written with its ticks and its kind, in 8 bytes, and not as
    /// whole seconds.
    const FULL_TIME: bool = false;
}

/// The format as it is by default: little-endian, integers of fixed width, times in whole seconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Standard;

impl SpanFormat for Standard {}
