//! Writing.

use std::io::Write;

use lz4_flex::block::{CompressTable, compress_into_with_table, get_maximum_output_size};
use rmp_serde::encode::Error;
use serde::Serialize;

use super::header::{self, Header, MAX_EXTENSION_HEADER_BYTES};
use super::{LZ4_BLOCK, LZ4_BLOCK_ARRAY};

/// Bytes of a value from which on it is compressed.
pub const MIN_COMPRESSED_BYTES: usize = 64;

/// Bytes of the largest array that the original's pool keeps (`SequencePool`): .NET puts arrays from 85,000 bytes on into its
/// heap of large objects.
pub const MAX_POOLED_BYTES: usize = 80 << 10;

/// Bytes that one block of many holds, unpacked.
const BLOCK_BYTES: usize = 32 << 10;

/// Bytes of a length in its longest form, which lengths around blocks always have.
const LENGTH_BYTES: usize = 5;

/// How a value is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// As one block.
    Lz4Block,
    /// As blocks of 32 KiB.
    Lz4BlockArray,
}

/// Writes a value, uncompressed. Nothing is allocated.
///
/// # Errors
/// When the writer takes no more, or the value has a list whose length is not known.
pub fn to_writer<T: Serialize + ?Sized>(mut writer: impl Write, value: &T) -> Result<(), Error> {
    rmp_serde::encode::write(&mut writer, value)
}

/// Writes values into buffers that it keeps: once they are large enough, nothing is allocated.
///
/// # Examples
/// ```
/// use alloclab::codec::messagepack::{Compression, Writer, from_slice};
///
/// let mut writer = Writer::new(Compression::Lz4Block);
/// assert_eq!(writer.write(&(1, true))?, b"\x92\x01\xc3");
/// let zeros = writer.write(&[0; 1000][..])?;
/// assert!(zeros.len() < 30);
/// assert_eq!(from_slice::<Vec<i32>>(zeros).unwrap(), [0; 1000]);
/// # Ok::<(), rmp_serde::encode::Error>(())
/// ```
pub struct Writer {
    compression: Compression,
    plain: Vec<u8>,
    packed: Vec<u8>,
    extension: Vec<u8>,
    table: Option<CompressTable>,
}

impl Writer {
    /// A writer without buffers.
    pub const fn new(compression: Compression) -> Self {
        Self { compression, plain: Vec::new(), packed: Vec::new(), extension: Vec::new(), table: None }
    }

    /// Writes a value; its bytes stay until the next one is written.
    ///
    /// # Errors
    /// When the value has a list whose length is not known, or is larger than 4 GiB.
    pub fn write<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<&[u8], Error> {
        self.plain.clear();
        to_writer(&mut self.plain, value)?;
        if self.plain.len() < MIN_COMPRESSED_BYTES {
            return Ok(&self.plain);
        }
        match self.compression {
            Compression::None => Ok(&self.plain),
            Compression::Lz4Block => self.pack_block(),
            Compression::Lz4BlockArray => self.pack_blocks(),
        }
    }

    /// Lets go of the array of one block if it has more than [`MAX_POOLED_BYTES`]: the original takes a new one each time.
    pub fn trim(&mut self) {
        keep_if_pooled(&mut self.extension);
    }

    /// The block is copied behind its header, which depends on its length.
    fn pack_block(&mut self) -> Result<&[u8], Error> {
        let mut packer = Packer::new(&mut self.packed, &mut self.table, self.plain.len(), 0);
        let packed_bytes = packer.block(&self.plain);
        let length_of_plain = header::integer_of_32_bits(length(self.plain.len())?);
        let header = header::extension(LZ4_BLOCK, length(LENGTH_BYTES + packed_bytes)?);
        let extension = &mut self.extension;
        extension.clear();
        extension.reserve_exact(header.as_bytes().len() + LENGTH_BYTES + packed_bytes);
        extension.extend_from_slice(header.as_bytes());
        extension.extend_from_slice(length_of_plain.as_bytes());
        extension.extend_from_slice(&self.packed[..packed_bytes]);
        Ok(extension)
    }

    fn pack_blocks(&mut self) -> Result<&[u8], Error> {
        let blocks = self.plain.chunks(BLOCK_BYTES);
        let lengths = || blocks.clone().map(|block| header::integer(block.len() as u32));
        let lengths_bytes: usize = lengths().map(|length| length.as_bytes().len()).sum();
        let headers = 2 * MAX_EXTENSION_HEADER_BYTES + lengths_bytes + LENGTH_BYTES * blocks.len();
        let mut packer = Packer::new(&mut self.packed, &mut self.table, self.plain.len(), headers);
        packer.header(&header::array(length(blocks.len() + 1)?));
        packer.header(&header::extension(LZ4_BLOCK_ARRAY, length(lengths_bytes)?));
        lengths().for_each(|length| packer.header(&length));
        for block in blocks {
            packer.block_with_length(block)?;
        }
        let end = packer.end;
        Ok(&self.packed[..end])
    }
}

/// Lets go of a buffer that the original's pool would not have kept.
pub(super) fn keep_if_pooled(buffer: &mut Vec<u8>) {
    if buffer.capacity() > MAX_POOLED_BYTES {
        *buffer = Vec::new();
    }
}

/// A length as the format has it.
fn length(bytes: usize) -> Result<u32, Error> {
    u32::try_from(bytes).map_err(|_| Error::InvalidDataModel("a value of more than 4 GiB"))
}

/// A buffer with room for compressed blocks and their headers.
struct Packer<'a> {
    buffer: &'a mut [u8],
    table: &'a mut CompressTable,
    end: usize,
}

impl<'a> Packer<'a> {
    /// For `plain_bytes` in blocks, and headers of at most `header_bytes`.
    fn new(
        buffer: &'a mut Vec<u8>,
        table: &'a mut Option<CompressTable>,
        plain_bytes: usize,
        header_bytes: usize,
    ) -> Self {
        // What may be added to each block is in the bound once for all of them: their number is bounded by their bytes.
        let blocks = plain_bytes.div_ceil(BLOCK_BYTES);
        let bytes = header_bytes + get_maximum_output_size(plain_bytes) + blocks * get_maximum_output_size(0);
        if buffer.len() < bytes {
            buffer.resize(bytes, 0);
        }
        Self { buffer, table: table.get_or_insert_default(), end: 0 }
    }

    fn header(&mut self, header: &Header) {
        let bytes = header.as_bytes();
        self.buffer[self.end..self.end + bytes.len()].copy_from_slice(bytes);
        self.end += bytes.len();
    }

    /// Compresses bytes, and says to how many.
    fn block(&mut self, plain: &[u8]) -> usize {
        let packed = compress_into_with_table(plain, &mut self.buffer[self.end..], self.table);
        let packed_bytes = packed.expect("the buffer has room for the worst case");
        self.end += packed_bytes;
        packed_bytes
    }

    /// The length comes in front when it is known.
    fn block_with_length(&mut self, plain: &[u8]) -> Result<(), Error> {
        let start = self.end;
        self.end += LENGTH_BYTES;
        let packed_bytes = self.block(plain);
        let end = std::mem::replace(&mut self.end, start);
        self.header(&header::bytes_of_32_bits(length(packed_bytes)?));
        self.end = end;
        Ok(())
    }
}
