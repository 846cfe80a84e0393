//! The layout of types of fixed size.

use super::{
    EncodeError, EncodeProblem, LiteDeserialize, LiteNullable, LiteReader, LiteSerialize, LiteWriter, Size,
};
use crate::codec::span::{SpanDeserialize, SpanSerialize};
use crate::codec::{DecodeError, DecodeProblem};
use crate::model::{DateTime, Decimal, Guid};

/// A type's bytes, and how it is written and read.
macro_rules! layouts {
    ($($type:ty: $bytes:literal, |$self:ident, $writer:ident| $write:expr, |$reader:ident| $read:expr
        $(, $numbers:tt)?;)*) => {$(
        impl LiteSerialize for $type {
            const SIZE: Size = Size::Fixed($bytes);

            #[inline(always)]
            fn encoded_bytes(&self) -> usize {
                $bytes
            }

            #[inline(always)]
            fn write(&$self, $writer: &mut LiteWriter<'_>) -> Result<(), EncodeError> {
                $write
            }

            #[inline]
            fn encoded_bytes_of_all(items: &[Self]) -> usize {
                items.len() * $bytes
            }

            $(layouts!(@ write $numbers);)?
        }

        impl LiteDeserialize for $type {
            #[inline(always)]
            fn read($reader: &mut LiteReader<'_>) -> Result<Self, DecodeError> {
                $read
            }

            $(layouts!(@ read $numbers);)?
        }

        impl LiteNullable for $type {}
    )*};
    (@ write block) => {
        #[inline]
        fn write_all(items: &[Self], writer: &mut LiteWriter<'_>) -> Result<(), EncodeError> {
            SpanSerialize::write_all(items, &mut writer.bytes)
        }
    };
    (@ read block) => {
        #[inline]
        fn read_all(count: usize, reader: &mut LiteReader<'_>) -> Result<Vec<Self>, DecodeError> {
            SpanDeserialize::read_all(count, &mut reader.bytes)
        }
    };
}

macro_rules! number_layouts {
    ($($type:ty: $bytes:literal;)*) => {
        layouts!($(
            $type: $bytes,
            |self, writer| SpanSerialize::write(self, &mut writer.bytes),
            |reader| SpanDeserialize::read(&mut reader.bytes),
            block;
        )*);
    };
}

number_layouts!(i8: 1; u8: 1; i16: 2; u16: 2; i32: 4; u32: 4; f32: 4; i64: 8; u64: 8; f64: 8;);

layouts!(
    bool: 1, |self, writer| writer.bytes.write_fixed(u8::from(*self)), |reader| read_bool(reader);
    char: 2, |self, writer| write_char(*self, writer), |reader| read_char(reader);
    DateTime: 8, |self, writer| writer.bytes.write_full_time(*self), |reader| reader.bytes.read_full_time();
    Guid: 16, |self, writer| SpanSerialize::write(self, &mut writer.bytes),
        |reader| SpanDeserialize::read(&mut reader.bytes);
    // Low, middle, high, flags, as in the span format.
    Decimal: 16, |self, writer| SpanSerialize::write(self, &mut writer.bytes),
        |reader| SpanDeserialize::read(&mut reader.bytes);
);

#[inline(always)]
fn read_bool(reader: &mut LiteReader<'_>) -> Result<bool, DecodeError> {
    let offset = reader.offset();
    match reader.bytes.read_fixed::<u8>()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(DecodeError { offset, problem: DecodeProblem::ValueOutOfRange }),
    }
}

fn write_char(char: char, writer: &mut LiteWriter<'_>) -> Result<(), EncodeError> {
    match u16::try_from(char) {
        Ok(unit) => writer.bytes.write_fixed(unit),
        Err(_) => Err(writer.bytes.error(EncodeProblem::CharOfTwoUnits(char))),
    }
}

fn read_char(reader: &mut LiteReader<'_>) -> Result<char, DecodeError> {
    let offset = reader.offset();
    let unit = reader.bytes.read_fixed::<u16>()?;
    char::from_u32(unit.into()).ok_or(DecodeError { offset, problem: DecodeProblem::InvalidUtf16 })
}
