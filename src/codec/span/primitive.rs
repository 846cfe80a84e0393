//! The layout of primitives.

use super::compound::read_list;
use super::{
    EncodeError, EncodeProblem, Size, SpanDeserialize, SpanFormat, SpanReader, SpanSerialize, SpanWriter,
    block,
};
use crate::codec::{DecodeError, DecodeProblem};
use crate::model::{DateTime, Decimal, Guid, TICKS_PER_SECOND, UNIX_EPOCH_TICKS};

/// A type whose layout is one of a smaller type's, and what goes from one to the other.
macro_rules! layout {
    ($type:ty, $size:expr, |$self:ident, $writer:ident| $write:expr, |$reader:ident| $read:expr) => {
        impl SpanSerialize for $type {
            const SIZE: Size = $size;

            #[inline(always)]
            fn write<F: SpanFormat>(&$self, $writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
                $write
            }
        }

        impl<'a> SpanDeserialize<'a> for $type {
            #[inline(always)]
            fn read<F: SpanFormat>($reader: &mut SpanReader<'a, F>) -> Result<Self, DecodeError> {
                $read
            }
        }
    };
}

/// Numbers, of which a list is one block of bytes unless they are encoded.
macro_rules! number_layouts {
    ($($type:ty, $is_encoded:expr, |$value:ident, $writer:ident| $write:expr, |$reader:ident| $read:expr;)*) => {$(
        impl SpanSerialize for $type {
            const SIZE: Size = Size::Fixed(size_of::<Self>());

            #[inline(always)]
            fn write<F: SpanFormat>(&self, $writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
                let $value = *self;
                $write
            }

            #[inline]
            fn write_all<F: SpanFormat>(
                items: &[Self],
                writer: &mut SpanWriter<'_, F>,
            ) -> Result<(), EncodeError> {
                if F::ENCODE_INT && $is_encoded {
                    return items.iter().try_for_each(|item| item.write(writer));
                }
                let block = writer.claim(size_of_val(items))?;
                if F::BIG_ENDIAN {
                    block::write(items, block, Self::to_be_bytes);
                } else {
                    block::write(items, block, Self::to_le_bytes);
                }
                Ok(())
            }
        }

        impl<'a> SpanDeserialize<'a> for $type {
            #[inline(always)]
            fn read<F: SpanFormat>($reader: &mut SpanReader<'a, F>) -> Result<Self, DecodeError> {
                $read
            }

            #[inline]
            fn read_all<F: SpanFormat>(
                count: usize,
                reader: &mut SpanReader<'a, F>,
            ) -> Result<Vec<Self>, DecodeError> {
                if F::ENCODE_INT && $is_encoded {
                    return read_list(count, reader);
                }
                let width = size_of::<Self>();
                let block = reader.promise(count, width, |reader| reader.read_raw(count * width))?;
                Ok(if F::BIG_ENDIAN {
                    block::read(block, Self::from_be_bytes)
                } else {
                    block::read(block, Self::from_le_bytes)
                })
            }
        }
    )*};
}

macro_rules! integer_layouts {
    ($($type:ty),*) => {
        number_layouts!($(
            $type,
            size_of::<$type>() > 1,
            |value, writer| writer.write_int(value),
            |reader| reader.read_int();
        )*);
    };
}

integer_layouts!(i8, i16, i32, i64, u8, u16, u32, u64);

number_layouts!(
    f32, false, |value, writer| writer.write_fixed(value.to_bits()), |reader| reader.read_fixed().map(Self::from_bits);
    f64, false, |value, writer| writer.write_fixed(value.to_bits()), |reader| reader.read_fixed().map(Self::from_bits);
);

// Any byte but 0 reads as true, as in the original.
layout!(bool, Size::Fixed(1), |self, writer| writer.write_fixed(u8::from(*self)), |reader| reader
    .read_fixed::<u8>()
    .map(|byte| byte != 0));

// One byte: the first 256 characters.
layout!(
    char,
    Size::Fixed(1),
    |self, writer| match u8::try_from(*self) {
        Ok(byte) => writer.write_fixed(byte),
        Err(_) => Err(writer.error(EncodeProblem::CharOutOfRange(*self))),
    },
    |reader| reader.read_fixed::<u8>().map(Self::from)
);

layout!(Guid, Size::Fixed(16), |self, writer| writer.put(self.to_bytes()), |reader| reader
    .take()
    .map(Self::from_bytes));

layout!(
    Decimal,
    Size::Fixed(16),
    |self, writer| {
        writer.require(16)?;
        self.to_parts().into_iter().try_for_each(|part| writer.write_int(part))
    },
    |reader| {
        reader.require(16)?;
        let offset = reader.offset();
        let parts = [reader.read_int()?, reader.read_int()?, reader.read_int()?, reader.read_int()?];
        Self::from_parts(parts).ok_or(DecodeError { offset, problem: DecodeProblem::ValueOutOfRange })
    }
);

layout!(
    DateTime,
    Size::Fixed(4),
    |self, writer| if F::FULL_TIME {
        writer.write_full_time(*self)
    } else {
        // Without a sign the division is a few instructions shorter.
        let since_epoch = self.ticks().checked_sub(UNIX_EPOCH_TICKS).map(|ticks| ticks / TICKS_PER_SECOND);
        match since_epoch.map(u32::try_from) {
            Some(Ok(seconds)) => writer.write_int(seconds),
            None if self.ticks() == 0 => writer.write_int(0_u32),
            _ => Err(writer.error(EncodeProblem::TimeOutOfRange(self.unix_seconds()))),
        }
    },
    |reader| if F::FULL_TIME {
        reader.read_full_time()
    } else {
        let seconds = reader.read_int()?;
        Ok(if seconds == 0 { Self::MIN } else { Self::from_unix_seconds(seconds) })
    }
);
