//! Writing into buffers that are used again.

use std::cell::RefCell;
use std::ops::Deref;

use super::{EncodeError, EncodeProblem, SpanSerialize, to_slice};

/// Buffers that are used again: once it has one that is large enough, writing a value allocates nothing.
///
/// In front of each value room is left for a header, so that a protocol can add its own without copying. A pool belongs to
/// one thread.
///
/// # Examples
/// ```
/// use alloclab::codec::span::BufferPool;
///
/// let pool = BufferPool::new();
/// let mut packet = pool.serialize("NewLife")?;
/// assert_eq!(packet[..], *b"\x07NewLife");
/// packet.header_mut()[31] = 0x2a;
/// assert_eq!(packet.with_header(1), b"\x2a\x07NewLife");
/// # Ok::<(), alloclab::codec::span::EncodeError>(())
/// ```
#[derive(Debug, Default)]
pub struct BufferPool {
    idle: RefCell<Vec<Box<[u8]>>>,
}

/// A value in a buffer of a pool, to which the buffer goes back when this is dropped. Dereferences to the value's bytes.
#[derive(Debug)]
pub struct Packet<'pool> {
    pool: &'pool BufferPool,
    buffer: Box<[u8]>,
    end: usize,
}

impl BufferPool {
    /// Bytes left free in front of a value.
    pub const HEADER_BYTES: usize = 32;

    /// Bytes of a new buffer, header included; a value that needs more gets a buffer of twice the size, until it fits.
    pub const BUFFER_BYTES: usize = 4096;

    /// Buffers that wait at most; further ones are freed when they come back.
    pub const MAX_IDLE: usize = 16;

    /// A pool without buffers.
    pub const fn new() -> Self {
        Self { idle: RefCell::new(Vec::new()) }
    }

    /// Writes a value, in the standard format, into a buffer of the pool.
    ///
    /// # Errors
    /// When the format has no room for the value.
    pub fn serialize<T: SpanSerialize + ?Sized>(&self, value: &T) -> Result<Packet<'_>, EncodeError> {
        let mut packet = self.rent(Self::BUFFER_BYTES);
        loop {
            match to_slice(value, &mut packet.buffer[Self::HEADER_BYTES..]) {
                Ok(written) => {
                    packet.end += written;
                    return Ok(packet);
                }
                Err(EncodeError { problem: EncodeProblem::OutOfSpace { .. }, .. }) => {
                    packet = self.rent(packet.buffer.len() * 2);
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn rent(&self, bytes: usize) -> Packet<'_> {
        let mut idle = self.idle.borrow_mut();
        let found = idle.iter().rposition(|buffer| buffer.len() >= bytes);
        let buffer = match found {
            Some(index) => idle.swap_remove(index),
            None => vec![0; bytes].into_boxed_slice(),
        };
        Packet { pool: self, buffer, end: Self::HEADER_BYTES }
    }

    fn take_back(&self, buffer: Box<[u8]>) {
        let mut idle = self.idle.borrow_mut();
        if idle.len() < Self::MAX_IDLE {
            idle.push(buffer);
        }
    }
}

impl Packet<'_> {
    /// The room in front of the value. What it holds at first is left over from earlier packets.
    pub fn header_mut(&mut self) -> &mut [u8] {
        &mut self.buffer[..BufferPool::HEADER_BYTES]
    }

    /// The value behind the last `header_bytes` of the header; of the whole header, if it is no longer than that.
    pub fn with_header(&self, header_bytes: usize) -> &[u8] {
        &self.buffer[BufferPool::HEADER_BYTES.saturating_sub(header_bytes)..self.end]
    }
}

impl Deref for Packet<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.with_header(0)
    }
}

impl Drop for Packet<'_> {
    fn drop(&mut self) {
        self.pool.take_back(std::mem::take(&mut self.buffer));
    }
}
