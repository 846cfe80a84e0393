//! Writing into a buffer of the caller.

use super::{EncodeError, EncodeProblem, LiteSerialize, MAX_ELEMENTS, MAX_STRING_BYTES, NULL};
use crate::codec::span::SpanWriter;

/// Writes values one after the other into a buffer of the caller; allocates nothing.
///
/// # Examples
/// ```
/// use alloclab::codec::lite::LiteWriter;
///
/// let mut buffer = [0; 16];
/// let mut writer = LiteWriter::new(&mut buffer);
/// writer.write(&42i32)?;
/// writer.write("hi")?;
/// let length = writer.written();
/// assert_eq!(buffer[..length], *b"\x2a\0\0\0\x02\0\0\0hi");
/// # Ok::<(), alloclab::codec::lite::EncodeError>(())
/// ```
#[derive(Debug)]
pub struct LiteWriter<'a> {
    // Its standard format has numbers as this one has them.
    pub(super) bytes: SpanWriter<'a>,
}

impl<'a> LiteWriter<'a> {
    /// A writer at the start of a buffer.
    #[inline(always)]
    pub fn new(buffer: &'a mut [u8]) -> Self {
        Self { bytes: SpanWriter::new(buffer) }
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
    pub fn write<T: LiteSerialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
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

    /// Writes the count in front of a list's elements.
    ///
    /// # Errors
    /// When the buffer is too small, or the count is above [`MAX_ELEMENTS`].
    #[inline(always)]
    pub fn write_count(&mut self, count: usize) -> Result<(), EncodeError> {
        self.write_length(count, MAX_ELEMENTS)
    }

    /// Writes a string.
    ///
    /// # Errors
    /// When the buffer is too small, or there are more than [`MAX_STRING_BYTES`].
    #[inline]
    pub fn write_str(&mut self, text: &str) -> Result<(), EncodeError> {
        self.write_length(text.len(), MAX_STRING_BYTES)?;
        self.bytes.write_raw(text.as_bytes())
    }

    /// Writes what stands for a string or list that is null.
    ///
    /// # Errors
    /// When the buffer is too small.
    #[inline(always)]
    pub fn write_null(&mut self) -> Result<(), EncodeError> {
        self.bytes.write_fixed(NULL)
    }

    #[inline(always)]
    fn write_length(&mut self, length: usize, limit: usize) -> Result<(), EncodeError> {
        if length > limit {
            return Err(self.bytes.error(EncodeProblem::LengthOutOfRange { length, limit }));
        }
        self.bytes.write_fixed(length as u32)
    }
}
