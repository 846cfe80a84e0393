//! The layout of strings, lists, boxes, options and pairs.

use super::{
    EncodeError, MemoryPackDeserialize, MemoryPackNullable, MemoryPackReader, MemoryPackSerialize,
    MemoryPackWriter, Size,
};
use crate::codec::DecodeError;

/// Bytes of a count, or of an empty string.
const COUNT_BYTES: usize = 4;

impl MemoryPackSerialize for str {
    const SIZE: Size = Size::AtLeast(COUNT_BYTES);

    #[inline]
    fn encoded_bytes(&self) -> usize {
        if self.is_empty() { COUNT_BYTES } else { 2 * COUNT_BYTES + self.len() }
    }

    #[inline]
    fn write(&self, writer: &mut MemoryPackWriter<'_>) -> Result<(), EncodeError> {
        writer.write_str(self)
    }
}

impl MemoryPackSerialize for String {
    const SIZE: Size = str::SIZE;

    #[inline]
    fn encoded_bytes(&self) -> usize {
        self.as_str().encoded_bytes()
    }

    #[inline]
    fn write(&self, writer: &mut MemoryPackWriter<'_>) -> Result<(), EncodeError> {
        writer.write_str(self)
    }
}

impl MemoryPackDeserialize for String {
    #[inline]
    fn read(reader: &mut MemoryPackReader<'_>) -> Result<Self, DecodeError> {
        reader.read_string().map(Option::unwrap_or_default)
    }
}

impl MemoryPackNullable for String {
    const OPTION_SIZE: Size = Self::SIZE;

    #[inline]
    fn write_option(text: Option<&Self>, writer: &mut MemoryPackWriter<'_>) -> Result<(), EncodeError> {
        match text {
            Some(text) => writer.write_str(text),
            None => writer.write_null_collection(),
        }
    }

    #[inline]
    fn read_option(reader: &mut MemoryPackReader<'_>) -> Result<Option<Self>, DecodeError> {
        reader.read_string()
    }
}

impl<T: MemoryPackSerialize + ?Sized> MemoryPackSerialize for &T {
    const SIZE: Size = T::SIZE;

    #[inline]
    fn encoded_bytes(&self) -> usize {
        T::encoded_bytes(self)
    }

    #[inline]
    fn write(&self, writer: &mut MemoryPackWriter<'_>) -> Result<(), EncodeError> {
        T::write(self, writer)
    }
}

impl<T: MemoryPackSerialize> MemoryPackSerialize for [T] {
    const SIZE: Size = Size::AtLeast(COUNT_BYTES);

    #[inline]
    fn encoded_bytes(&self) -> usize {
        COUNT_BYTES + T::encoded_bytes_of_all(self)
    }

    #[inline]
    fn write(&self, writer: &mut MemoryPackWriter<'_>) -> Result<(), EncodeError> {
        writer.write_count(self.len())?;
        writer.nest(|writer| T::write_all(self, writer))
    }
}

impl<T: MemoryPackSerialize> MemoryPackSerialize for Vec<T> {
    const SIZE: Size = <[T]>::SIZE;

    #[inline]
    fn encoded_bytes(&self) -> usize {
        self.as_slice().encoded_bytes()
    }

    #[inline]
    fn write(&self, writer: &mut MemoryPackWriter<'_>) -> Result<(), EncodeError> {
        self.as_slice().write(writer)
    }
}

impl<T: MemoryPackDeserialize> MemoryPackDeserialize for Vec<T> {
    #[inline]
    fn read(reader: &mut MemoryPackReader<'_>) -> Result<Self, DecodeError> {
        Self::read_option(reader).map(Option::unwrap_or_default)
    }
}

impl<T: MemoryPackDeserialize> MemoryPackNullable for Vec<T> {
    const OPTION_SIZE: Size = Self::SIZE;

    #[inline]
    fn write_option(items: Option<&Self>, writer: &mut MemoryPackWriter<'_>) -> Result<(), EncodeError> {
        match items {
            Some(items) => items.write(writer),
            None => writer.write_null_collection(),
        }
    }

    #[inline]
    fn read_option(reader: &mut MemoryPackReader<'_>) -> Result<Option<Self>, DecodeError> {
        let count = reader.read_count()?;
        count.map(|count| reader.nest(|reader| T::read_all(count, reader))).transpose()
    }
}

impl<T: MemoryPackNullable> MemoryPackSerialize for Option<T> {
    const SIZE: Size = T::OPTION_SIZE;

    #[inline]
    fn encoded_bytes(&self) -> usize {
        self.as_ref().map_or(T::NULL_BYTES, T::encoded_bytes_of_some)
    }

    #[inline]
    fn write(&self, writer: &mut MemoryPackWriter<'_>) -> Result<(), EncodeError> {
        T::write_option(self.as_ref(), writer)
    }
}

impl<T: MemoryPackNullable> MemoryPackDeserialize for Option<T> {
    /// Most are there.
    const USUAL_BYTES: usize = {
        let (some, option) = (T::USUAL_BYTES, T::OPTION_SIZE.min());
        if some > option { some } else { option }
    };

    #[inline]
    fn read(reader: &mut MemoryPackReader<'_>) -> Result<Self, DecodeError> {
        T::read_option(reader)
    }
}

/// An object of its own, so that types can contain themselves.
impl<T: MemoryPackSerialize> MemoryPackSerialize for Box<T> {
    const SIZE: Size = T::SIZE;

    fn encoded_bytes(&self) -> usize {
        T::encoded_bytes(self)
    }

    fn write(&self, writer: &mut MemoryPackWriter<'_>) -> Result<(), EncodeError> {
        writer.nest(|writer| T::write(self, writer))
    }
}

impl<T: MemoryPackDeserialize> MemoryPackDeserialize for Box<T> {
    fn read(reader: &mut MemoryPackReader<'_>) -> Result<Self, DecodeError> {
        reader.nest(T::read).map(Self::new)
    }
}

impl<T: MemoryPackNullable> MemoryPackNullable for Box<T> {
    const OPTION_SIZE: Size = T::OPTION_SIZE;

    fn encoded_bytes_of_some(&self) -> usize {
        T::encoded_bytes_of_some(self)
    }

    fn write_option(value: Option<&Self>, writer: &mut MemoryPackWriter<'_>) -> Result<(), EncodeError> {
        writer.nest(|writer| T::write_option(value.map(Box::as_ref), writer))
    }

    fn read_option(reader: &mut MemoryPackReader<'_>) -> Result<Option<Self>, DecodeError> {
        reader.nest(T::read_option).map(|value| value.map(Self::new))
    }
}

/// One after the other: the original's `KeyValuePair`, of which its dictionaries are lists.
impl<K: MemoryPackSerialize, V: MemoryPackSerialize> MemoryPackSerialize for (K, V) {
    const SIZE: Size = Size::sum([K::SIZE, V::SIZE]);

    fn encoded_bytes(&self) -> usize {
        self.0.encoded_bytes() + self.1.encoded_bytes()
    }

    fn write(&self, writer: &mut MemoryPackWriter<'_>) -> Result<(), EncodeError> {
        self.0.write(writer)?;
        self.1.write(writer)
    }
}

impl<K: MemoryPackDeserialize, V: MemoryPackDeserialize> MemoryPackDeserialize for (K, V) {
    const USUAL_BYTES: usize = K::USUAL_BYTES + V::USUAL_BYTES;

    fn read(reader: &mut MemoryPackReader<'_>) -> Result<Self, DecodeError> {
        Ok((K::read(reader)?, V::read(reader)?))
    }
}
