//! Lists that stay in the input.

use std::fmt;
use std::marker::PhantomData;

use super::{
    EncodeError, LengthWidth, Size, SpanDeserialize, SpanFormat, SpanReader, SpanSerialize, SpanWriter,
    Standard,
};
use crate::codec::{DecodeError, DecodeProblem};

/// A list that stays in the input, so that reading it allocates nothing.
///
/// Its elements are read once, to know that they are sound and where they end, and once more by whoever asks for them. The
/// format `F` is that of the reader that it comes from; another one does not compile.
///
/// # Examples
/// ```
/// use alloclab::codec::span::{self, Elements};
///
/// let mut buffer = [0; 16];
/// let length = span::to_slice(["one", "two"].as_slice(), &mut buffer)?;
/// let names = span::from_slice::<Elements<&str>>(&buffer[..length]).unwrap();
/// assert_eq!(names.len(), 2);
/// assert!(names.iter().eq(["one", "two"]));
/// # Ok::<(), alloclab::codec::span::EncodeError>(())
/// ```
pub struct Elements<'a, T, F: SpanFormat = Standard> {
    bytes: &'a [u8],
    count: usize,
    format: F,
    element: PhantomData<fn() -> T>,
}

impl<'a, T: SpanDeserialize<'a>, F: SpanFormat> Elements<'a, T, F> {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Reads them once more, one by one.
    pub fn iter(&self) -> impl Iterator<Item = T> {
        let mut reader = SpanReader::with_format(self.bytes, self.format);
        // They have been read before: a read that fails would be a layout that is not the same each time.
        (0..self.count).map_while(move |_| reader.read().ok())
    }
}

impl<'a, T: SpanDeserialize<'a>, F: SpanFormat> SpanSerialize for Elements<'a, T, F> {
    const SIZE: Size = <[T]>::SIZE;

    fn write<G: SpanFormat>(&self, writer: &mut SpanWriter<'_, G>) -> Result<(), EncodeError> {
        writer.write_length(self.count, LengthWidth::Encoded)?;
        self.iter().try_for_each(|element| writer.write(&element))
    }
}

impl<'a, T: SpanDeserialize<'a>, F: SpanFormat + Default> SpanDeserialize<'a> for Elements<'a, T, F> {
    #[inline]
    fn read<G: SpanFormat>(reader: &mut SpanReader<'a, G>) -> Result<Self, DecodeError> {
        const {
            assert!(T::SIZE.min() > 0, "elements of a list have to take at least one byte");
            assert!(F::BIG_ENDIAN == G::BIG_ENDIAN, "a list in the input has the byte order of its reader");
            assert!(F::ENCODE_INT == G::ENCODE_INT, "a list in the input has the integers of its reader");
            assert!(F::FULL_TIME == G::FULL_TIME, "a list in the input has the times of its reader");
        }
        let count = reader.read_length(LengthWidth::Encoded)?;
        let input = reader.rest();
        reader.nest(|reader| (0..count).try_for_each(|_| reader.read::<T>().map(drop)))?;
        let bytes = &input[..input.len() - reader.available()];
        Ok(Self { bytes, count, format: F::default(), element: PhantomData })
    }
}

impl<'a, T: SpanDeserialize<'a> + fmt::Debug, F: SpanFormat> fmt::Debug for Elements<'a, T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Bytes as they are: as many as the type says.
impl<const N: usize> SpanSerialize for [u8; N] {
    const SIZE: Size = Size::Fixed(N);

    #[inline(always)]
    fn write<F: SpanFormat>(&self, writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
        writer.put(*self)
    }
}

impl<'a, const N: usize> SpanDeserialize<'a> for [u8; N] {
    #[inline(always)]
    fn read<F: SpanFormat>(reader: &mut SpanReader<'a, F>) -> Result<Self, DecodeError> {
        reader.take()
    }
}

/// A list of elements of `N` bytes, left in the input: numbers of fixed width, say, to be converted by whoever uses them.
impl<'a, const N: usize> SpanDeserialize<'a> for &'a [[u8; N]] {
    #[inline]
    fn read<F: SpanFormat>(reader: &mut SpanReader<'a, F>) -> Result<Self, DecodeError> {
        const { assert!(N > 0, "elements of a list have to take at least one byte") };
        let count = reader.read_length(LengthWidth::Encoded)?;
        if count > reader.available() / N {
            return Err(reader.error(DecodeProblem::LengthOutOfRange(count as i64)));
        }
        reader.read_raw(count * N).map(|bytes| bytes.as_chunks().0)
    }
}
