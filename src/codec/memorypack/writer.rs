//! Writing into a buffer of the caller.

use super::varint::{self, Varint};
use super::{
    EncodeError, EncodeProblem, MAX_MEMBERS, MemoryPackSerialize, NULL_COLLECTION, NULL_OBJECT, WIDE_TAG,
};
use crate::codec::span::SpanWriter;

/// How deep boxes and lists may be nested in each other while they are written: the original's limit.
pub const MAX_WRITE_DEPTH: usize = 1000;

/// Writes values one after the other into a buffer of the caller; allocates nothing.
///
/// # Examples
/// ```
/// use alloclab::codec::memorypack::MemoryPackWriter;
///
/// let mut buffer = [0; 16];
/// let mut writer = MemoryPackWriter::new(&mut buffer);
/// writer.write_object_header(2)?;
/// writer.write(&42i32)?;
/// writer.write(&true)?;
/// let length = writer.written();
/// assert_eq!(buffer[..length], *b"\x02\x2a\0\0\0\x01");
/// # Ok::<(), alloclab::codec::memorypack::EncodeError>(())
/// ```
#[derive(Debug)]
pub struct MemoryPackWriter<'a> {
    // Its standard format has numbers as this one has them.
    pub(super) bytes: SpanWriter<'a>,
    depth: usize,
}

impl<'a> MemoryPackWriter<'a> {
    /// A writer at the start of a buffer.
    #[inline(always)]
    pub fn new(buffer: &'a mut [u8]) -> Self {
        Self { bytes: SpanWriter::new(buffer), depth: 0 }
    }

    /// How many bytes have been written.
    #[inline(always)]
    pub fn written(&self) -> usize {
        self.bytes.written()
    }

    /// Writes a value of any type that has its layout.
    ///
    /// # Errors
    /// When the buffer is too small, or the format has no room for the value.
    #[inline(always)]
    pub fn write<T: MemoryPackSerialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        value.write(self)
    }

    /// Checks now that a run of members will find this many bytes, so that their own checks fall away.
    ///
    /// # Errors
    /// When fewer bytes are free.
    #[inline(always)]
    pub fn require(&mut self, bytes: usize) -> Result<(), EncodeError> {
        self.bytes.require(bytes)
    }

    /// Writes the member count in front of an object's members.
    ///
    /// # Errors
    /// When the buffer is too small, or there are more than [`MAX_MEMBERS`].
    #[inline(always)]
    pub fn write_object_header(&mut self, members: u8) -> Result<(), EncodeError> {
        if members > MAX_MEMBERS {
            let (length, limit) = (members.into(), MAX_MEMBERS.into());
            return Err(self.bytes.error(EncodeProblem::LengthOutOfRange { length, limit }));
        }
        self.bytes.write_fixed(members)
    }

    /// Writes what stands for an object, or a union, that is null.
    ///
    /// # Errors
    /// When the buffer is too small.
    #[inline(always)]
    pub fn write_null_object(&mut self) -> Result<(), EncodeError> {
        self.bytes.write_fixed(NULL_OBJECT)
    }

    /// Writes the tag in front of a union's object: one byte up to [`MAX_MEMBERS`], else three.
    ///
    /// # Errors
    /// When the buffer is too small.
    pub fn write_union_tag(&mut self, tag: u16) -> Result<(), EncodeError> {
        match u8::try_from(tag) {
            Ok(tag) if tag <= MAX_MEMBERS => self.bytes.write_fixed(tag),
            _ => {
                self.bytes.require(3)?;
                self.bytes.write_fixed(WIDE_TAG)?;
                self.bytes.write_fixed(tag)
            }
        }
    }

    /// Writes the count in front of a list's elements.
    ///
    /// # Errors
    /// When the buffer is too small, or the count is above `i32::MAX`.
    #[inline(always)]
    pub fn write_count(&mut self, count: usize) -> Result<(), EncodeError> {
        let count = self.length(count)?;
        self.bytes.write_fixed(count)
    }

    /// Writes what stands for a string or list that is null.
    ///
    /// # Errors
    /// When the buffer is too small.
    #[inline(always)]
    pub fn write_null_collection(&mut self) -> Result<(), EncodeError> {
        self.bytes.write_fixed(NULL_COLLECTION)
    }

    /// Writes a string in the format's default form, UTF-8.
    ///
    /// # Errors
    /// When the buffer is too small, or there are more than `i32::MAX` bytes.
    #[inline]
    pub fn write_str(&mut self, text: &str) -> Result<(), EncodeError> {
        if text.is_empty() {
            return self.bytes.write_fixed(0i32);
        }
        let length = self.length(text.len())?;
        self.bytes.require(8 + text.len())?;
        self.bytes.write_fixed(!length)?;
        self.bytes.write_fixed(utf16_length(text) as u32)?;
        self.bytes.write_raw(text.as_bytes())
    }

    /// Writes an integer in the format's variable width: one byte from -120 to 127, else a code and the narrowest width
    /// that the original takes for the type.
    ///
    /// # Errors
    /// When the buffer is too small.
    ///
    /// # Examples
    /// ```
    /// use alloclab::codec::memorypack::MemoryPackWriter;
    ///
    /// let mut buffer = [0; 8];
    /// let mut writer = MemoryPackWriter::new(&mut buffer);
    /// writer.write_varint(300u32)?;
    /// writer.write_varint(-121i32)?;
    /// let length = writer.written();
    /// assert_eq!(buffer[..length], [-123i8 as u8, 0x2c, 0x01, -122i8 as u8, -121i8 as u8]);
    /// # Ok::<(), alloclab::codec::memorypack::EncodeError>(())
    /// ```
    pub fn write_varint<I: Varint>(&mut self, value: I) -> Result<(), EncodeError> {
        let (bytes, length) = varint::encode(value.into(), I::IS_SIGNED);
        self.bytes.write_raw(&bytes[..length])
    }

    /// Writes what stands in front of a version-tolerant object's members: their count, and the bytes that each takes.
    ///
    /// # Errors
    /// When the buffer is too small, there are more than [`MAX_MEMBERS`], or one takes more than `i32::MAX` bytes.
    pub fn write_member_lengths(&mut self, lengths: &[usize]) -> Result<(), EncodeError> {
        self.write_object_header(u8::try_from(lengths.len()).unwrap_or(u8::MAX))?;
        for length in lengths {
            let length = self.length(*length)?;
            self.write_varint(length)?;
        }
        Ok(())
    }

    /// Writes something one level deeper. Types that can contain themselves go through it; [`Box`] and [`Vec`] do.
    ///
    /// # Errors
    /// When that is deeper than [`MAX_WRITE_DEPTH`], and whatever `write` fails with.
    #[inline(always)]
    pub fn nest(
        &mut self,
        write: impl FnOnce(&mut Self) -> Result<(), EncodeError>,
    ) -> Result<(), EncodeError> {
        if self.depth == MAX_WRITE_DEPTH {
            return Err(self.bytes.error(EncodeProblem::TooDeep));
        }
        self.depth += 1;
        let written = write(self);
        self.depth -= 1;
        written
    }

    #[inline(always)]
    fn length(&self, length: usize) -> Result<i32, EncodeError> {
        let limit = i32::MAX as usize;
        i32::try_from(length).map_err(|_| self.bytes.error(EncodeProblem::LengthOutOfRange { length, limit }))
    }
}

/// How many UTF-16 units a string has.
#[inline]
pub(super) fn utf16_length(text: &str) -> usize {
    if is_ascii(text.as_bytes()) {
        return text.len();
    }
    // A unit for each byte that begins a character, and one more for characters of four bytes.
    let units = |byte: &u8| usize::from(byte & 0xc0 != 0x80) + usize::from(*byte >= 0xf0);
    text.as_bytes().iter().map(units).sum()
}

/// The standard library's looks at the last bytes one by one, which takes longer than the rest of a short string.
#[inline]
fn is_ascii(bytes: &[u8]) -> bool {
    const HIGH_BITS: u128 = u128::from_ne_bytes([0x80; 16]);
    let Some(last) = bytes.last_chunk() else { return bytes.iter().fold(0, |bits, byte| bits | byte) < 0x80 };
    let chunks = bytes.as_chunks().0.iter().chain([last]);
    chunks.fold(0, |bits, chunk| bits | u128::from_ne_bytes(*chunk)) & HIGH_BITS == 0
}

#[cfg(test)]
mod tests {
    use super::utf16_length;

    #[test]
    fn the_length_in_utf_16_is_that_of_the_encoded_text() {
        for length in 0..70 {
            for (at, char) in (0..=length).flat_map(|at| ['e', 'é', '€', '😀'].map(|char| (at, char))) {
                let mut text = "x".repeat(length);
                text.insert(at, char);
                assert_eq!(utf16_length(&text), text.encode_utf16().count(), "{text}");
            }
        }
        assert_eq!(utf16_length(""), 0);
    }
}
