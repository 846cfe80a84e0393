//! A file behind a buffer that is used again.

use std::fs::File;
use std::io::{self, Write};

/// Bytes of a buffer.
const BUFFER_BYTES: usize = 16 << 10;

/// A file, written through a buffer of the caller's; what is left in it is written by [`BufferedFile::finish`].
pub(in crate::codec) struct BufferedFile<'a> {
    buffer: &'a mut Vec<u8>,
    file: File,
}

impl<'a> BufferedFile<'a> {
    /// Makes the buffer ready, if it is a new one.
    pub(in crate::codec) fn new(file: File, buffer: &'a mut Vec<u8>) -> Self {
        buffer.clear();
        buffer.reserve_exact(BUFFER_BYTES);
        Self { buffer, file }
    }

    /// Writes what the buffer still holds.
    ///
    /// # Errors
    /// When the file takes no more.
    pub(in crate::codec) fn finish(mut self) -> io::Result<()> {
        self.flush()
    }
}

impl Write for BufferedFile<'_> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.buffer.len() + bytes.len() > BUFFER_BYTES {
            self.flush()?;
            if bytes.len() > BUFFER_BYTES {
                return self.file.write_all(bytes);
            }
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.write_all(self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}
