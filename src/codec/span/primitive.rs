//! The layout of primitives.

use super::{
    EncodeError, EncodeProblem, Size, SpanDeserialize, SpanFormat, SpanReader, SpanSerialize, SpanWriter,
};
use crate::codec::{DecodeError, DecodeProblem};
use crate::model::{DateTime, Decimal, Guid};

/// A type whose layout is one of a smaller type's, and what goes from one to the other.
macro_rules! layout {
    ($type:ty, $size:expr, |$self:ident, $writer:ident| $write:expr, |$reader:ident| $read:expr) => {
        impl SpanSerialize for $type {
            const SIZE: Size = $size;

            #[inline]
            fn write<F: SpanFormat>(&$self, $writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
                $write
            }
        }

        impl<'a> SpanDeserialize<'a> for $type {
            #[inline]
            fn read<F: SpanFormat>($reader: &mut SpanReader<'a, F>) -> Result<Self, DecodeError> {
                $read
            }
        }
    };
}

macro_rules! integer_layouts {
    ($($type:ty),*) => {
        $(layout!(
            $type,
            Size::Fixed(size_of::<$type>()),
            |self, writer| writer.write_int(*self),
            |reader| reader.read_int()
        );)*
    };
}

integer_layouts!(i8, i16, i32, i64, u16, u32, u64);

layout!(f32, Size::Fixed(4), |self, writer| writer.write_fixed(self.to_bits()), |reader| reader
    .read_fixed()
    .map(Self::from_bits));
layout!(f64, Size::Fixed(8), |self, writer| writer.write_fixed(self.to_bits()), |reader| reader
    .read_fixed()
    .map(Self::from_bits));

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
        let seconds = if *self == Self::MIN { 0 } else { self.unix_seconds() };
        match u32::try_from(seconds) {
            Ok(seconds) => writer.write_int(seconds),
            Err(_) => Err(writer.error(EncodeProblem::TimeOutOfRange(seconds))),
        }
    },
    |reader| if F::FULL_TIME {
        reader.read_full_time()
    } else {
        let seconds = reader.read_int()?;
        Ok(if seconds == 0 { Self::MIN } else { Self::from_unix_seconds(seconds) })
    }
);

// One by one, bytes would be read and written as slowly as anything else.
impl SpanSerialize for u8 {
    const SIZE: Size = Size::Fixed(1);

    #[inline]
    fn write<F: SpanFormat>(&self, writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
        writer.write_fixed(*self)
    }

    #[inline]
    fn write_all<F: SpanFormat>(items: &[Self], writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
        writer.write_raw(items)
    }
}

impl<'a> SpanDeserialize<'a> for u8 {
    #[inline]
    fn read<F: SpanFormat>(reader: &mut SpanReader<'a, F>) -> Result<Self, DecodeError> {
        reader.read_fixed()
    }

    #[inline]
    fn read_all<F: SpanFormat>(
        count: usize,
        reader: &mut SpanReader<'a, F>,
    ) -> Result<Vec<Self>, DecodeError> {
        reader.read_raw(count).map(<[u8]>::to_vec)
    }
}
