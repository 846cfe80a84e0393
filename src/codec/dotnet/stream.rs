//! `System.IO`: streams.

use std::fmt;
use std::io;

/// A stream that cannot take what is written: a buffer that does not grow, or bytes that only can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamFull {
    /// How many bytes were to be written.
    pub needed: usize,
    /// For how many there is room.
    pub available: usize,
}

impl fmt::Display for StreamFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} bytes do not fit, the stream has room for {} and does not grow",
            self.needed, self.available
        )
    }
}

impl std::error::Error for StreamFull {}

/// What a serializer needs of a stream.
pub trait Stream: Send {
    /// Where the next byte is read or written.
    fn position(&self) -> usize;

    /// How many bytes there are from the position to the end.
    fn remaining(&self) -> usize;

    /// Goes back to the start.
    fn rewind(&mut self);

    /// Writes all bytes.
    ///
    /// # Errors
    /// If they do not fit; then nothing is written.
    fn write(&mut self, bytes: &[u8]) -> Result<(), StreamFull>;

    /// The next `count` bytes, or none if there are fewer; then the position stays.
    fn take(&mut self, count: usize) -> Option<&[u8]>;
}

/// .NET's `MemoryStream`: over bytes that are given, or over an array of its own.
#[derive(Debug)]
pub struct MemoryStream<'b> {
    buffer: Buffer<'b>,
    position: usize,
    length: usize,
}

#[derive(Debug)]
enum Buffer<'b> {
    ReadOnly(&'b [u8]),
    Fixed(&'b mut [u8]),
    FixedOwned(Vec<u8>),
    Growing(Vec<u8>),
}

/// The length of a growing stream's first array, unless more is asked for.
const FIRST_CAPACITY: usize = 256;

impl<'b> MemoryStream<'b> {
    /// An empty stream, which has no array until something is written.
    pub const fn new() -> Self {
        Self { buffer: Buffer::Growing(Vec::new()), position: 0, length: 0 }
    }

    /// An empty stream with an array that grows when it is full.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { buffer: Buffer::Growing(vec![0; capacity]), position: 0, length: 0 }
    }

    /// A stream that reads given bytes.
    pub const fn over(bytes: &'b [u8]) -> Self {
        Self { length: bytes.len(), buffer: Buffer::ReadOnly(bytes), position: 0 }
    }

    /// A stream over a given buffer, which does not grow. All of it can be read.
    pub const fn over_mut(buffer: &'b mut [u8]) -> Self {
        Self { length: buffer.len(), buffer: Buffer::Fixed(buffer), position: 0 }
    }

    /// As [`MemoryStream::over_mut`], for a buffer that the stream keeps.
    pub const fn over_owned(buffer: Vec<u8>) -> Self {
        Self { length: buffer.len(), buffer: Buffer::FixedOwned(buffer), position: 0 }
    }

    /// Replaces the array of a growing stream by one of this length, unless it has it already or needs more. Other
    /// streams stay as they are.
    ///
    /// # Examples
    /// ```
    /// use alloclab::codec::dotnet::{MemoryStream, Stream};
    ///
    /// let mut stream = MemoryStream::new();
    /// stream.set_capacity(4);
    /// stream.write(b"four")?;
    /// stream.set_capacity(2);
    /// assert_eq!(stream.written(), b"four");
    /// # Ok::<(), alloclab::codec::dotnet::StreamFull>(())
    /// ```
    pub fn set_capacity(&mut self, capacity: usize) {
        if let Buffer::Growing(array) = &mut self.buffer
            && capacity >= self.length
            && capacity != array.len()
        {
            replace(array, capacity, self.length);
        }
    }

    /// Goes back to the start.
    pub fn rewind(&mut self) {
        self.position = 0;
    }

    /// Everything before the position.
    pub fn written(&self) -> &[u8] {
        &self.bytes()[..self.position]
    }

    fn bytes(&self) -> &[u8] {
        match &self.buffer {
            Buffer::ReadOnly(bytes) => bytes,
            Buffer::Fixed(bytes) => bytes,
            Buffer::FixedOwned(bytes) | Buffer::Growing(bytes) => bytes,
        }
    }

    /// The bytes that can be written to, after a growing array has grown to hold at least `needed`.
    fn writable(&mut self, needed: usize) -> &mut [u8] {
        match &mut self.buffer {
            Buffer::ReadOnly(_) => &mut [],
            Buffer::Fixed(bytes) => bytes,
            Buffer::FixedOwned(bytes) => bytes,
            Buffer::Growing(array) => {
                if needed > array.len() {
                    let capacity = needed.max(FIRST_CAPACITY).max(array.len() * 2);
                    replace(array, capacity, self.length);
                }
                array
            }
        }
    }
}

/// Takes a new array and leaves the old one behind, but for the bytes that were written to it.
fn replace(array: &mut Vec<u8>, capacity: usize, length: usize) {
    let mut replacement = vec![0; capacity];
    replacement[..length].copy_from_slice(&array[..length]);
    *array = replacement;
}

impl Default for MemoryStream<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl Stream for MemoryStream<'_> {
    fn position(&self) -> usize {
        self.position
    }

    fn remaining(&self) -> usize {
        self.length - self.position
    }

    fn rewind(&mut self) {
        MemoryStream::rewind(self);
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), StreamFull> {
        let start = self.position;
        let end = start + bytes.len();
        let target = self.writable(end);
        if end > target.len() {
            return Err(StreamFull { needed: bytes.len(), available: target.len().saturating_sub(start) });
        }
        target[start..end].copy_from_slice(bytes);
        self.position = end;
        self.length = self.length.max(end);
        Ok(())
    }

    fn take(&mut self, count: usize) -> Option<&[u8]> {
        if count > self.remaining() {
            return None;
        }
        let start = self.position;
        self.position += count;
        Some(&self.bytes()[start..start + count])
    }
}

impl io::Write for MemoryStream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Stream::write(self, bytes).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
