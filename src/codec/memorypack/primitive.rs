//! The layout of types of fixed size.

use super::{
    EncodeError, EncodeProblem, MemoryPackDeserialize, MemoryPackNullable, MemoryPackReader,
    MemoryPackSerialize, MemoryPackWriter, Size,
};
use crate::codec::span::{SpanDeserialize, SpanSerialize};
use crate::codec::{DecodeError, DecodeProblem};
use crate::model::{DateTime, Decimal, Guid};

/// Bytes of a value behind its flag: the flag and the value are aligned as in memory.
const fn option_bytes(value_bytes: usize, alignment: usize) -> usize {
    (alignment + value_bytes).next_multiple_of(alignment)
}

/// A type's bytes, what it is aligned to in .NET, and how it is written and read.
macro_rules! layouts {
    ($($type:ty: $bytes:literal aligned $alignment:literal, |$self:ident, $writer:ident| $write:expr,
        |$reader:ident| $read:expr $(, $numbers:tt)?;)*) => {$(
        impl MemoryPackSerialize for $type {
            const SIZE: Size = Size::Fixed($bytes);

            #[inline(always)]
            fn encoded_bytes(&self) -> usize {
                $bytes
            }

            #[inline(always)]
            fn write(&$self, $writer: &mut MemoryPackWriter<'_>) -> Result<(), EncodeError> {
                $write
            }

            #[inline]
            fn encoded_bytes_of_all(items: &[Self]) -> usize {
                items.len() * $bytes
            }

            $(layouts!(@ write $numbers);)?
        }

        impl MemoryPackDeserialize for $type {
            #[inline(always)]
            fn read($reader: &mut MemoryPackReader<'_>) -> Result<Self, DecodeError> {
                $read
            }

            $(layouts!(@ read $numbers);)?
        }

        impl MemoryPackNullable for $type {
            const OPTION_SIZE: Size = Size::Fixed(option_bytes($bytes, $alignment));

            fn encoded_bytes_of_some(&self) -> usize {
                Self::NULL_BYTES
            }

            fn write_option(value: Option<&Self>, writer: &mut MemoryPackWriter<'_>) -> Result<(), EncodeError> {
                writer.write_padded(value, $bytes, $alignment)
            }

            fn read_option(reader: &mut MemoryPackReader<'_>) -> Result<Option<Self>, DecodeError> {
                reader.read_padded($bytes, $alignment)
            }
        }
    )*};
    (@ write block) => {
        #[inline]
        fn write_all(items: &[Self], writer: &mut MemoryPackWriter<'_>) -> Result<(), EncodeError> {
            SpanSerialize::write_all(items, &mut writer.bytes)
        }
    };
    (@ read block) => {
        #[inline]
        fn read_all(count: usize, reader: &mut MemoryPackReader<'_>) -> Result<Vec<Self>, DecodeError> {
            SpanDeserialize::read_all(count, &mut reader.bytes)
        }
    };
}

macro_rules! number_layouts {
    ($($type:ty: $bytes:literal;)*) => {
        layouts!($(
            $type: $bytes aligned $bytes,
            |self, writer| SpanSerialize::write(self, &mut writer.bytes),
            |reader| SpanDeserialize::read(&mut reader.bytes),
            block;
        )*);
    };
}

number_layouts!(i8: 1; u8: 1; i16: 2; u16: 2; i32: 4; u32: 4; f32: 4; i64: 8; u64: 8; f64: 8;);

layouts!(
    bool: 1 aligned 1, |self, writer| writer.bytes.write_fixed(u8::from(*self)), |reader| read_bool(reader);
    char: 2 aligned 2, |self, writer| write_char(*self, writer), |reader| read_char(reader);
    DateTime: 8 aligned 8, |self, writer| writer.bytes.write_full_time(*self),
        |reader| reader.bytes.read_full_time();
    Guid: 16 aligned 4, |self, writer| SpanSerialize::write(self, &mut writer.bytes),
        |reader| SpanDeserialize::read(&mut reader.bytes);
    Decimal: 16 aligned 8, |self, writer| write_decimal(*self, writer), |reader| read_decimal(reader);
);

#[inline(always)]
fn read_bool(reader: &mut MemoryPackReader<'_>) -> Result<bool, DecodeError> {
    let offset = reader.offset();
    match reader.bytes.read_fixed::<u8>()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(DecodeError { offset, problem: DecodeProblem::ValueOutOfRange }),
    }
}

fn write_char(char: char, writer: &mut MemoryPackWriter<'_>) -> Result<(), EncodeError> {
    match u16::try_from(char) {
        Ok(unit) => writer.bytes.write_fixed(unit),
        Err(_) => Err(writer.bytes.error(EncodeProblem::CharOfTwoUnits(char))),
    }
}

fn read_char(reader: &mut MemoryPackReader<'_>) -> Result<char, DecodeError> {
    let offset = reader.offset();
    let unit = reader.bytes.read_fixed::<u16>()?;
    char::from_u32(unit.into()).ok_or(DecodeError { offset, problem: DecodeProblem::InvalidUtf16 })
}

/// As in the original's memory, whose flags and high bits come first.
fn write_decimal(decimal: Decimal, writer: &mut MemoryPackWriter<'_>) -> Result<(), EncodeError> {
    let [low, middle, high, flags] = decimal.to_parts();
    writer.require(16)?;
    [flags, high, low, middle].into_iter().try_for_each(|part| writer.write(&part))
}

fn read_decimal(reader: &mut MemoryPackReader<'_>) -> Result<Decimal, DecodeError> {
    reader.require(16)?;
    let offset = reader.offset();
    let [flags, high, low, middle] = [reader.read()?, reader.read()?, reader.read()?, reader.read()?];
    let decimal = Decimal::from_parts([low, middle, high, flags]);
    decimal.ok_or(DecodeError { offset, problem: DecodeProblem::ValueOutOfRange })
}

impl MemoryPackWriter<'_> {
    fn write_padded<T: MemoryPackSerialize>(
        &mut self,
        value: Option<&T>,
        value_bytes: usize,
        alignment: usize,
    ) -> Result<(), EncodeError> {
        let total = option_bytes(value_bytes, alignment);
        self.require(total)?;
        let zeros = [0; 24];
        let Some(value) = value else { return self.bytes.write_raw(&zeros[..total]) };
        self.write(&true)?;
        self.bytes.write_raw(&zeros[1..alignment])?;
        self.write(value)?;
        self.bytes.write_raw(&zeros[..total - alignment - value_bytes])
    }
}

impl MemoryPackReader<'_> {
    /// What stands in the padding is not looked at, as in the original.
    fn read_padded<T: MemoryPackDeserialize>(
        &mut self,
        value_bytes: usize,
        alignment: usize,
    ) -> Result<Option<T>, DecodeError> {
        let total = option_bytes(value_bytes, alignment);
        self.require(total)?;
        if !self.read::<bool>()? {
            return self.skip(total - 1).map(|()| None);
        }
        self.skip(alignment - 1)?;
        let value = self.read()?;
        self.skip(total - alignment - value_bytes)?;
        Ok(Some(value))
    }
}
