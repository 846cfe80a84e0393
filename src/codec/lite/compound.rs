//! The layout of strings, lists, boxes, options and pairs.

use super::{EncodeError, LiteDeserialize, LiteNullable, LiteReader, LiteSerialize, LiteWriter, Size};
use crate::codec::DecodeError;

/// Bytes of a length or a count.
const LENGTH_BYTES: usize = 4;

impl LiteSerialize for str {
    const SIZE: Size = Size::AtLeast(LENGTH_BYTES);

    #[inline]
    fn encoded_bytes(&self) -> usize {
        LENGTH_BYTES + self.len()
    }

    #[inline]
    fn write(&self, writer: &mut LiteWriter<'_>) -> Result<(), EncodeError> {
        writer.write_str(self)
    }
}

impl LiteSerialize for String {
    const SIZE: Size = str::SIZE;

    #[inline]
    fn encoded_bytes(&self) -> usize {
        self.as_str().encoded_bytes()
    }

    #[inline]
    fn write(&self, writer: &mut LiteWriter<'_>) -> Result<(), EncodeError> {
        writer.write_str(self)
    }
}

/// A null string reads as an empty one.
impl LiteDeserialize for String {
    #[inline]
    fn read(reader: &mut LiteReader<'_>) -> Result<Self, DecodeError> {
        reader.read_str().map(|text| text.unwrap_or_default().to_owned())
    }
}

impl LiteNullable for String {
    const NULL_BYTES: usize = LENGTH_BYTES;

    #[inline]
    fn encoded_bytes_of_some(&self) -> usize {
        self.encoded_bytes()
    }

    #[inline]
    fn write_option(text: Option<&Self>, writer: &mut LiteWriter<'_>) -> Result<(), EncodeError> {
        match text {
            Some(text) => writer.write_str(text),
            None => writer.write_null(),
        }
    }

    #[inline]
    fn read_option(reader: &mut LiteReader<'_>) -> Result<Option<Self>, DecodeError> {
        reader.read_str().map(|text| text.map(str::to_owned))
    }
}

impl<T: LiteSerialize + ?Sized> LiteSerialize for &T {
    const SIZE: Size = T::SIZE;

    #[inline]
    fn encoded_bytes(&self) -> usize {
        T::encoded_bytes(self)
    }

    #[inline]
    fn write(&self, writer: &mut LiteWriter<'_>) -> Result<(), EncodeError> {
        T::write(self, writer)
    }
}

impl<T: LiteSerialize> LiteSerialize for [T] {
    const SIZE: Size = Size::AtLeast(LENGTH_BYTES);

    #[inline]
    fn encoded_bytes(&self) -> usize {
        LENGTH_BYTES + T::encoded_bytes_of_all(self)
    }

    #[inline]
    fn write(&self, writer: &mut LiteWriter<'_>) -> Result<(), EncodeError> {
        writer.write_count(self.len())?;
        T::write_all(self, writer)
    }
}

impl<T: LiteSerialize> LiteSerialize for Vec<T> {
    const SIZE: Size = <[T]>::SIZE;

    #[inline]
    fn encoded_bytes(&self) -> usize {
        self.as_slice().encoded_bytes()
    }

    #[inline]
    fn write(&self, writer: &mut LiteWriter<'_>) -> Result<(), EncodeError> {
        self.as_slice().write(writer)
    }
}

/// A null list reads as an empty one.
impl<T: LiteDeserialize> LiteDeserialize for Vec<T> {
    #[inline]
    fn read(reader: &mut LiteReader<'_>) -> Result<Self, DecodeError> {
        Self::read_option(reader).map(Option::unwrap_or_default)
    }
}

impl<T: LiteDeserialize> LiteNullable for Vec<T> {
    const NULL_BYTES: usize = LENGTH_BYTES;

    #[inline]
    fn encoded_bytes_of_some(&self) -> usize {
        self.encoded_bytes()
    }

    #[inline]
    fn write_option(items: Option<&Self>, writer: &mut LiteWriter<'_>) -> Result<(), EncodeError> {
        match items {
            Some(items) => items.write(writer),
            None => writer.write_null(),
        }
    }

    #[inline]
    fn read_option(reader: &mut LiteReader<'_>) -> Result<Option<Self>, DecodeError> {
        let count = reader.read_count()?;
        count.map(|count| reader.nest(|reader| T::read_all(count, reader))).transpose()
    }
}

impl<T: LiteNullable> LiteSerialize for Option<T> {
    const SIZE: Size = Size::AtLeast(T::NULL_BYTES);

    #[inline]
    fn encoded_bytes(&self) -> usize {
        self.as_ref().map_or(T::NULL_BYTES, T::encoded_bytes_of_some)
    }

    #[inline]
    fn write(&self, writer: &mut LiteWriter<'_>) -> Result<(), EncodeError> {
        T::write_option(self.as_ref(), writer)
    }
}

impl<T: LiteNullable> LiteDeserialize for Option<T> {
    #[inline]
    fn read(reader: &mut LiteReader<'_>) -> Result<Self, DecodeError> {
        T::read_option(reader)
    }
}

/// An object of its own, so that types can contain themselves.
impl<T: LiteSerialize> LiteSerialize for Box<T> {
    const SIZE: Size = T::SIZE;

    fn encoded_bytes(&self) -> usize {
        T::encoded_bytes(self)
    }

    fn write(&self, writer: &mut LiteWriter<'_>) -> Result<(), EncodeError> {
        T::write(self, writer)
    }
}

impl<T: LiteDeserialize> LiteDeserialize for Box<T> {
    fn read(reader: &mut LiteReader<'_>) -> Result<Self, DecodeError> {
        reader.nest(T::read).map(Self::new)
    }
}

impl<T: LiteDeserialize> LiteNullable for Box<T> {}

/// One after the other: the original's tuples, and the entries of its dictionaries.
impl<K: LiteSerialize, V: LiteSerialize> LiteSerialize for (K, V) {
    const SIZE: Size = Size::sum([K::SIZE, V::SIZE]);

    fn encoded_bytes(&self) -> usize {
        self.0.encoded_bytes() + self.1.encoded_bytes()
    }

    fn write(&self, writer: &mut LiteWriter<'_>) -> Result<(), EncodeError> {
        self.0.write(writer)?;
        self.1.write(writer)
    }
}

impl<K: LiteDeserialize, V: LiteDeserialize> LiteDeserialize for (K, V) {
    fn read(reader: &mut LiteReader<'_>) -> Result<Self, DecodeError> {
        Ok((K::read(reader)?, V::read(reader)?))
    }
}
