//! Writing into a new array, by way of a buffer that is used again.

use super::{EncodeError, MemoryPackSerialize, to_slice};
use crate::codec::reused::ReusedBuffer;

/// A buffer that values are written into before they are copied into arrays of exactly their size, as the original does
/// with one of each thread.
///
/// The original's is a list of segments, of which the first has [`ScratchBuffer::BUFFER_BYTES`] and each further one is
/// twice as large. This one is told the size before, and is a single segment.
///
/// # Examples
/// ```
/// use alloclab::codec::memorypack::ScratchBuffer;
///
/// let mut scratch = ScratchBuffer::new();
/// assert_eq!(scratch.serialize(&7i32)?, [7, 0, 0, 0]);
/// # Ok::<(), alloclab::codec::memorypack::EncodeError>(())
/// ```
#[derive(Debug, Default)]
pub struct ScratchBuffer {
    buffer: ReusedBuffer,
}

impl ScratchBuffer {
    /// Bytes of the first buffer.
    pub const BUFFER_BYTES: usize = 256 << 10;

    /// Without memory.
    pub const fn new() -> Self {
        Self { buffer: ReusedBuffer::new() }
    }

    /// Writes a value into a new array of exactly its size.
    ///
    /// # Errors
    /// When the format has no room for the value.
    #[inline]
    pub fn serialize<T: MemoryPackSerialize + ?Sized>(&mut self, value: &T) -> Result<Vec<u8>, EncodeError> {
        self.write(value).map(<[u8]>::to_vec)
    }

    /// Writes a value into the buffer.
    ///
    /// # Errors
    /// When the format has no room for the value.
    #[inline]
    pub fn write<T: MemoryPackSerialize + ?Sized>(&mut self, value: &T) -> Result<&[u8], EncodeError> {
        let buffer = self.buffer.of_at_least(value.encoded_bytes(), Self::BUFFER_BYTES);
        let written = to_slice(value, buffer)?;
        Ok(&buffer[..written])
    }
}
