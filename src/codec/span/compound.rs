//! The layout of strings, lists, boxes and options.

use super::{
    EncodeError, LengthWidth, Size, SpanDeserialize, SpanFormat, SpanReader, SpanSerialize, SpanWriter,
};
use crate::codec::DecodeError;

impl SpanSerialize for str {
    const SIZE: Size = Size::AtLeast(1);

    #[inline(always)]
    fn write<F: SpanFormat>(&self, writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
        writer.write_bytes(self.as_bytes())
    }
}

impl SpanSerialize for String {
    const SIZE: Size = str::SIZE;

    #[inline(always)]
    fn write<F: SpanFormat>(&self, writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
        self.as_str().write(writer)
    }
}

impl<'a> SpanDeserialize<'a> for String {
    #[inline(always)]
    fn read<F: SpanFormat>(reader: &mut SpanReader<'a, F>) -> Result<Self, DecodeError> {
        reader.read_string()
    }
}

impl<T: SpanSerialize + ?Sized> SpanSerialize for &T {
    const SIZE: Size = T::SIZE;

    #[inline(always)]
    fn write<F: SpanFormat>(&self, writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
        T::write(self, writer)
    }
}

impl<'a> SpanDeserialize<'a> for &'a str {
    #[inline(always)]
    fn read<F: SpanFormat>(reader: &mut SpanReader<'a, F>) -> Result<Self, DecodeError> {
        reader.read_str()
    }
}

impl<'a> SpanDeserialize<'a> for &'a [u8] {
    #[inline(always)]
    fn read<F: SpanFormat>(reader: &mut SpanReader<'a, F>) -> Result<Self, DecodeError> {
        reader.read_bytes()
    }
}

/// An encoded count and the elements. With `u8` for an element that is the original's byte array; its reflection knows
/// no other lists.
impl<T: SpanSerialize> SpanSerialize for [T] {
    const SIZE: Size = Size::AtLeast(1);

    #[inline(always)]
    fn write<F: SpanFormat>(&self, writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
        writer.write_length(self.len(), LengthWidth::Encoded)?;
        T::write_all(self, writer)
    }
}

impl<T: SpanSerialize> SpanSerialize for Vec<T> {
    const SIZE: Size = <[T]>::SIZE;

    #[inline(always)]
    fn write<F: SpanFormat>(&self, writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
        self.as_slice().write(writer)
    }
}

impl<'a, T: SpanDeserialize<'a>> SpanDeserialize<'a> for Vec<T> {
    #[inline(always)]
    fn read<F: SpanFormat>(reader: &mut SpanReader<'a, F>) -> Result<Self, DecodeError> {
        let count = reader.read_length(LengthWidth::Encoded)?;
        reader.nest(|reader| T::read_all(count, reader))
    }
}

/// The elements of a list, one by one.
///
/// Room for all of them is taken at once, for the input has at least the fewest bytes that so many can take: bytes that
/// lists around this one count on are not counted again.
pub(super) fn read_list<'a, T: SpanDeserialize<'a>, F: SpanFormat>(
    count: usize,
    reader: &mut SpanReader<'a, F>,
) -> Result<Vec<T>, DecodeError> {
    const { assert!(T::SIZE.min() > 0, "elements of a list have to take at least one byte") };
    let smallest = if F::ENCODE_INT { 1 } else { T::SIZE.min() };
    reader.promise(count, smallest, |reader| {
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            reader.redeem(smallest);
            items.push(T::read(reader)?);
        }
        Ok(items)
    })
}

impl<T: SpanSerialize> SpanSerialize for Box<T> {
    const SIZE: Size = T::SIZE;

    #[inline(always)]
    fn write<F: SpanFormat>(&self, writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
        T::write(self, writer)
    }
}

impl<'a, T: SpanDeserialize<'a>> SpanDeserialize<'a> for Box<T> {
    #[inline(always)]
    fn read<F: SpanFormat>(reader: &mut SpanReader<'a, F>) -> Result<Self, DecodeError> {
        reader.nest(T::read).map(Self::new)
    }
}

/// A flag of one byte, and the value if there is one: the original's `Nullable<T>`.
impl<T: SpanSerialize> SpanSerialize for Option<T> {
    const SIZE: Size = Size::AtLeast(1);

    #[inline(always)]
    fn write<F: SpanFormat>(&self, writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
        self.is_some().write(writer)?;
        writer.write_flagless(self.as_ref())
    }
}

impl<'a, T: SpanDeserialize<'a>> SpanDeserialize<'a> for Option<T> {
    #[inline(always)]
    fn read<F: SpanFormat>(reader: &mut SpanReader<'a, F>) -> Result<Self, DecodeError> {
        if reader.read()? { T::read(reader).map(Some) } else { Ok(None) }
    }
}
