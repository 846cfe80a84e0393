//! `ProtoWriter`: fields into a buffer, the buffer into a stream.

use std::fmt;
use std::io::{self, Write};

use super::buffer;
use super::object_cache::NetObjectCache;
use super::wire::{MAX_VARINT_BYTES, WireType, put_varint, tag, varint_length};

/// Writes fields to a stream, through a buffer of 1,024 bytes from a pool.
///
/// The length of an object stands in front of it and is known after it: one byte is left free, and the object moves on
/// when its length needs more. As long as an object is open its bytes stay in the buffer, which grows if need be.
///
/// What is in the buffer at the end is lost without [`ProtoWriter::finish`].
pub struct ProtoWriter<'s> {
    stream: &'s mut dyn Write,
    buffer: Vec<u8>,
    open_items: u32,
    // An object of its own, as in the original; there since version 2 and gone from version 3's plain messages.
    net_cache: Option<Box<NetObjectCache>>,
}

/// Where the length of an object will stand.
#[derive(Debug)]
#[must_use = "an object that is not closed has no length"]
pub struct SubItem {
    start: usize,
}

impl<'s> ProtoWriter<'s> {
    /// A writer to a stream.
    pub fn new(stream: &'s mut dyn Write) -> Self {
        Self { stream, buffer: buffer::take(), open_items: 0, net_cache: None }
    }

    /// A writer on the heap with a cache of objects that were written, as version 2 has it.
    pub(super) fn boxed(stream: &'s mut dyn Write) -> Box<Self> {
        let mut writer = Box::new(Self::new(stream));
        writer.net_cache = Some(Box::default());
        writer
    }

    /// Tells the cache, if there is one, which object is at the top.
    pub(super) fn set_root<T: ?Sized>(&mut self, value: &T) {
        if let Some(cache) = &mut self.net_cache {
            cache.set_root(value);
        }
    }

    /// Writes the tag of a member.
    ///
    /// # Errors
    /// Those of the stream, as for every other method.
    #[inline]
    pub fn write_field(&mut self, number: u32, wire_type: WireType) -> io::Result<()> {
        // An object of unknown length follows perhaps: with half of the buffer free it rarely has to grow.
        if self.open_items == 0 && self.buffer.len() > buffer::BUFFER_BYTES / 2 {
            self.flush()?;
        }
        self.write_varint(tag(number, wire_type).into())
    }

    /// Writes an integer, seven bits in a byte.
    ///
    /// # Errors
    /// Those of the stream.
    #[inline]
    pub fn write_varint(&mut self, value: u64) -> io::Result<()> {
        let mut bytes = [0; MAX_VARINT_BYTES];
        let length = put_varint(value, &mut bytes);
        self.write_bytes(&bytes[..length])
    }

    /// Writes 8 bytes, little-endian.
    ///
    /// # Errors
    /// Those of the stream.
    #[inline]
    pub fn write_fixed64(&mut self, value: u64) -> io::Result<()> {
        self.write_bytes(&value.to_le_bytes())
    }

    /// Writes a length and text.
    ///
    /// # Errors
    /// Those of the stream.
    #[inline]
    pub fn write_string(&mut self, text: &str) -> io::Result<()> {
        self.write_varint(text.len() as u64)?;
        self.write_bytes(text.as_bytes())
    }

    /// Begins an object, of which the tag was written.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn start_sub_item(&mut self) -> io::Result<SubItem> {
        self.write_bytes(&[0])?;
        self.open_items += 1;
        Ok(SubItem { start: self.buffer.len() })
    }

    /// Ends an object: now its length can be written.
    ///
    /// # Panics
    /// If the object was begun by another writer.
    pub fn end_sub_item(&mut self, item: SubItem) {
        let SubItem { start } = item;
        let end = self.buffer.len();
        let length = (end - start) as u64;
        let length_bytes = varint_length(length);
        if length_bytes > 1 {
            self.buffer.resize(end + length_bytes - 1, 0);
            self.buffer.copy_within(start..end, start + length_bytes - 1);
        }
        put_varint(length, &mut self.buffer[start - 1..]);
        self.open_items -= 1;
    }

    /// Hands everything to the stream.
    ///
    /// # Errors
    /// Those of the stream.
    pub fn finish(&mut self) -> io::Result<()> {
        self.flush()?;
        self.stream.flush()
    }

    #[inline]
    fn write_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        if bytes.len() > self.buffer.capacity() - self.buffer.len() && self.open_items == 0 {
            return self.write_past_end(bytes);
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    #[cold]
    fn write_past_end(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.flush()?;
        if bytes.len() > self.buffer.capacity() {
            return self.stream.write_all(bytes);
        }
        self.buffer.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

impl Drop for ProtoWriter<'_> {
    fn drop(&mut self) {
        buffer::give_back(std::mem::take(&mut self.buffer));
    }
}

impl fmt::Debug for ProtoWriter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProtoWriter")
            .field("buffered_bytes", &self.buffer.len())
            .field("open_items", &self.open_items)
            .finish_non_exhaustive()
    }
}
