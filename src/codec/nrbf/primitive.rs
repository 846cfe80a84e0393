//! Primitive values, alone and in arrays.

use crate::codec::{DecodeError, DecodeProblem};
use crate::model::{DateTime, Decimal, MAX_TICKS};

use super::cursor::Cursor;
use super::record::PrimitiveType;

/// The most bytes that the text of a decimal number may have.
const MAX_DECIMAL_BYTES: usize = 256;

const KIND_SHIFT: u32 = 62;

/// The 64 bits of a `DateTime`: ticks of 100 nanoseconds since year 1, and above them two bits of kind.
///
/// They can say what [`DateTime`] cannot: that a local time is the second one of the hour that comes twice when summer
/// time ends (kind 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DateTimeBits(u64);

impl DateTimeBits {
    /// From the 64 bits; none if the ticks are beyond year 9999.
    pub const fn from_bits(bits: u64) -> Option<Self> {
        let time = Self(bits);
        if time.ticks() > MAX_TICKS { None } else { Some(time) }
    }

    /// The 64 bits.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Ticks since year 1.
    pub const fn ticks(self) -> u64 {
        self.0 & ((1 << KIND_SHIFT) - 1)
    }

    /// The two bits of kind: 0 unspecified, 1 UTC, 2 local, 3 local and the second of two.
    pub const fn kind(self) -> u8 {
        (self.0 >> KIND_SHIFT) as u8
    }
}

impl From<DateTime> for DateTimeBits {
    fn from(time: DateTime) -> Self {
        Self(time.to_binary() as u64)
    }
}

/// A primitive as it stands in the bytes.
trait Scalar: Sized {
    /// The least bytes that one takes.
    const MIN_BYTES: usize;

    /// Whether each takes as many.
    const IS_FIXED: bool = true;

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, DecodeError>;

    fn write(&self, out: &mut Vec<u8>);

    fn read_all(cursor: &mut Cursor<'_>, count: u64) -> Result<Box<[Self]>, DecodeError> {
        cursor.require(count * Self::MIN_BYTES as u64)?;
        let mut items = Vec::with_capacity(if Self::IS_FIXED { count as usize } else { 0 });
        for _ in 0..count {
            items.push(Self::read(cursor)?);
        }
        Ok(items.into_boxed_slice())
    }
}

macro_rules! number_scalars {
    ($($type:ty),*) => {$(
        impl Scalar for $type {
            const MIN_BYTES: usize = size_of::<Self>();

            fn read(cursor: &mut Cursor<'_>) -> Result<Self, DecodeError> {
                cursor.array().map(Self::from_le_bytes)
            }

            fn write(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

number_scalars!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);

// Any byte but 0 is true, as in .NET.
impl Scalar for bool {
    const MIN_BYTES: usize = 1;

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, DecodeError> {
        cursor.byte().map(|byte| byte != 0)
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }
}

impl Scalar for char {
    const MIN_BYTES: usize = 1;
    const IS_FIXED: bool = false;

    /// A UTF-16 unit that is a character by itself: neither half of a surrogate pair has UTF-8 bytes.
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, DecodeError> {
        let offset = cursor.offset();
        let first = cursor.byte()?;
        let mut bytes = [first, 0, 0];
        let length = match first {
            0xc0..0xe0 => 2,
            0xe0..0xf0 => 3,
            _ => 1,
        };
        bytes[1..length].copy_from_slice(cursor.take(length - 1)?);
        let text = str::from_utf8(&bytes[..length]).ok();
        text.and_then(|text| text.chars().next())
            .ok_or(DecodeError { offset, problem: DecodeProblem::InvalidUtf8 })
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

impl Scalar for DateTimeBits {
    const MIN_BYTES: usize = 8;

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, DecodeError> {
        let offset = cursor.offset();
        Self::from_bits(u64::read(cursor)?).ok_or(value_out_of_range(offset))
    }

    fn write(&self, out: &mut Vec<u8>) {
        self.bits().write(out);
    }
}

impl Scalar for Decimal {
    const MIN_BYTES: usize = 2;
    const IS_FIXED: bool = false;

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, DecodeError> {
        let offset = cursor.offset();
        let length = cursor.length()?;
        if length > MAX_DECIMAL_BYTES {
            return Err(DecodeError { offset, problem: DecodeProblem::LengthOutOfRange(length as i64) });
        }
        let offset = cursor.offset();
        parse_decimal(cursor.take(length)?).ok_or(value_out_of_range(offset))
    }

    fn write(&self, out: &mut Vec<u8>) {
        write_text(&self.to_string(), out);
    }
}

fn value_out_of_range(offset: usize) -> DecodeError {
    DecodeError { offset, problem: DecodeProblem::ValueOutOfRange }
}

/// A number from the text that .NET writes in its invariant culture: a sign, digits, a point and digits.
fn parse_decimal(text: &[u8]) -> Option<Decimal> {
    let (is_negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let point = digits.iter().position(|&byte| byte == b'.');
    let (whole, fraction) = match point {
        Some(point) => (&digits[..point], &digits[point + 1..]),
        None => (digits, &[][..]),
    };
    if whole.is_empty() || (point.is_some() && fraction.is_empty()) {
        return None;
    }
    let magnitude = whole.iter().chain(fraction).try_fold(0_i128, |number, byte| {
        let digit = byte.is_ascii_digit().then(|| i128::from(byte - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    })?;
    Decimal::new(if is_negative { -magnitude } else { magnitude }, u8::try_from(fraction.len()).ok()?)
}

/// Writes a string.
pub(super) fn write_text(text: &str, out: &mut Vec<u8>) {
    let mut length = text.len();
    while length >= 0x80 {
        out.push(length as u8 | 0x80);
        length >>= 7;
    }
    out.push(length as u8);
    out.extend_from_slice(text.as_bytes());
}

/// The primitives, and the Rust type of each: within an array, and alone.
macro_rules! primitives {
    ($($(#[$doc:meta])* $name:ident: $element:ty, $alone:ty;)*) => {
        /// A primitive value.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Primitive {
            $($(#[$doc])* $name($alone),)*
        }

        impl Primitive {
            /// Its type.
            pub const fn kind(&self) -> PrimitiveType {
                match self {
                    $(Self::$name(_) => PrimitiveType::$name,)*
                }
            }

            /// A value of `kind`; null and strings, which are not written like this, are refused.
            pub(super) fn read(cursor: &mut Cursor<'_>, kind: PrimitiveType) -> Result<Self, DecodeError> {
                match kind {
                    $(PrimitiveType::$name => Ok(Self::$name(<$element>::read(cursor)?.into())),)*
                    PrimitiveType::Null | PrimitiveType::String => Err(value_out_of_range(cursor.offset())),
                }
            }

            pub(super) fn write(&self, out: &mut Vec<u8>) {
                match self {
                    $(Self::$name(value) => value.write(out),)*
                }
            }
        }

        /// The values of an array of primitives.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Primitives {
            $($(#[$doc])* $name(Box<[$element]>),)*
        }

        impl Primitives {
            /// The type of each.
            pub const fn kind(&self) -> PrimitiveType {
                match self {
                    $(Self::$name(_) => PrimitiveType::$name,)*
                }
            }

            /// How many there are.
            pub const fn len(&self) -> usize {
                match self {
                    $(Self::$name(values) => values.len(),)*
                }
            }

            /// Whether there are none.
            pub const fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// The value of an index; none beyond the end.
            pub fn get(&self, index: usize) -> Option<Primitive> {
                match self {
                    $(Self::$name(values) => values.get(index).map(|&value| Primitive::$name(value.into())),)*
                }
            }

            /// `count` values of `kind`, one after the other.
            pub(super) fn read(
                cursor: &mut Cursor<'_>,
                kind: PrimitiveType,
                count: u64,
            ) -> Result<Self, DecodeError> {
                match kind {
                    $(PrimitiveType::$name => Scalar::read_all(cursor, count).map(Self::$name),)*
                    PrimitiveType::Null | PrimitiveType::String => Err(value_out_of_range(cursor.offset())),
                }
            }

            pub(super) fn write(&self, out: &mut Vec<u8>) {
                match self {
                    $(Self::$name(values) => values.iter().for_each(|value| value.write(out)),)*
                }
            }
        }
    };
}

primitives! {
    /// `Boolean`.
    Boolean: bool, bool;
    /// `Byte`.
    Byte: u8, u8;
    /// `Char`: none above U+FFFF.
    Char: char, char;
    /// `Decimal`. Alone it is boxed, so that all other values stay small.
    Decimal: Decimal, Box<Decimal>;
    /// `Double`.
    Double: f64, f64;
    /// `Int16`.
    Int16: i16, i16;
    /// `Int32`.
    Int32: i32, i32;
    /// `Int64`.
    Int64: i64, i64;
    /// `SByte`.
    SByte: i8, i8;
    /// `Single`.
    Single: f32, f32;
    /// `TimeSpan`, in ticks of 100 nanoseconds.
    TimeSpan: i64, i64;
    /// `DateTime`.
    DateTime: DateTimeBits, DateTimeBits;
    /// `UInt16`.
    UInt16: u16, u16;
    /// `UInt32`.
    UInt32: u32, u32;
    /// `UInt64`.
    UInt64: u64, u64;
}
