//! Writing into a new array, by way of a buffer that is used again.

use super::{EncodeError, EncodeProblem, LiteSerialize, MAX_ENCODED_BYTES, to_slice};
use crate::codec::reused::ReusedBuffer;

/// A buffer that values are written into before they are copied into arrays of exactly their size, as the original does
/// with one from its pool.
///
/// The original's buffer begins with [`ScratchBuffer::BUFFER_BYTES`] at each value and doubles while it is written into.
/// This one is told the size before, grows by the same doubling, and stays as large as it became.
///
/// # Examples
/// ```
/// use alloclab::codec::lite::ScratchBuffer;
///
/// let mut scratch = ScratchBuffer::new();
/// assert_eq!(scratch.serialize("hi")?, b"\x02\0\0\0hi");
/// # Ok::<(), alloclab::codec::lite::EncodeError>(())
/// ```
#[derive(Debug, Default)]
pub struct ScratchBuffer {
    buffer: ReusedBuffer,
}

impl ScratchBuffer {
    /// Bytes of the first buffer.
    pub const BUFFER_BYTES: usize = 2048;

    /// Without memory.
    pub const fn new() -> Self {
        Self { buffer: ReusedBuffer::new() }
    }

    /// Writes a value into a new array of exactly its size.
    ///
    /// # Errors
    /// When the format has no room for the value, or it takes more than [`MAX_ENCODED_BYTES`].
    #[inline]
    pub fn serialize<T: LiteSerialize + ?Sized>(&mut self, value: &T) -> Result<Vec<u8>, EncodeError> {
        let length = value.encoded_bytes();
        if length > MAX_ENCODED_BYTES {
            let problem = EncodeProblem::LengthOutOfRange { length, limit: MAX_ENCODED_BYTES };
            return Err(EncodeError { offset: 0, problem });
        }
        let buffer = self.buffer.of_at_least(length, Self::BUFFER_BYTES);
        let written = to_slice(value, buffer)?;
        Ok(buffer[..written].to_vec())
    }
}
