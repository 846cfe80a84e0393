//! `System.IO.BinaryWriter`: numbers and strings as bytes of a stream.

use crate::codec::dotnet::{Stream, StreamFull};

use super::super::heap::{allocate, create, new_array};

/// Bytes of the buffer for numbers.
const NUMBER_BYTES: usize = 16;

/// Bytes of the buffer for strings.
const TEXT_BYTES: usize = 256;

/// Writes numbers through one buffer, strings through another.
pub(crate) struct BinaryWriter<'s> {
    stream: &'s mut dyn Stream,
    #[expect(dead_code, reason = "the original makes this array and never uses it")]
    one_char_buffer: Vec<u16>,
    buffer: Vec<u8>,
    encoder: Box<UTF8Encoder>,
    /// Made for the first string.
    large_byte_buffer: Vec<u8>,
}

/// `System.Text.UTF8Encoding.UTF8Encoder`: cuts a string that does not fit in one buffer between two characters.
pub(crate) struct UTF8Encoder {
    /// How many bytes of the string have been handed out.
    position: usize,
}

impl UTF8Encoder {
    /// Puts as many characters into the buffer as fit, and says how many bytes they take: none when the string is at its
    /// end.
    fn encode(&mut self, text: &str, buffer: &mut [u8]) -> usize {
        let rest = &text.as_bytes()[self.position..];
        let mut length = rest.len().min(buffer.len());
        while !text.is_char_boundary(self.position + length) {
            length -= 1;
        }
        buffer[..length].copy_from_slice(&rest[..length]);
        self.position = if length == 0 { 0 } else { self.position + length };
        length
    }
}

impl<'s> BinaryWriter<'s> {
    pub(super) fn new(stream: &'s mut dyn Stream) -> Box<Self> {
        let writer = allocate();
        let one_char_buffer = new_array(1);
        let buffer = new_array(NUMBER_BYTES);
        let encoder = create(UTF8Encoder { position: 0 });
        Box::write(writer, Self { stream, one_char_buffer, buffer, encoder, large_byte_buffer: Vec::new() })
    }

    /// Writes a number's bytes.
    pub(super) fn write<const N: usize>(&mut self, bytes: [u8; N]) -> Result<(), StreamFull> {
        let buffer = &mut self.buffer[..N];
        buffer.copy_from_slice(&bytes);
        self.stream.write(buffer)
    }

    pub(super) fn write_byte(&mut self, byte: u8) -> Result<(), StreamFull> {
        self.write([byte])
    }

    pub(super) fn write_int32(&mut self, number: i32) -> Result<(), StreamFull> {
        self.write(number.to_le_bytes())
    }

    /// Writes a string: its length in bytes, seven bits a byte, and its UTF-8.
    pub(super) fn write_text(&mut self, text: &str) -> Result<(), StreamFull> {
        self.write_7_bit_encoded(text.len())?;
        if self.large_byte_buffer.is_empty() {
            self.large_byte_buffer = new_array(TEXT_BYTES);
        }
        loop {
            let length = self.encoder.encode(text, &mut self.large_byte_buffer);
            if length == 0 {
                return Ok(());
            }
            self.stream.write(&self.large_byte_buffer[..length])?;
        }
    }

    fn write_7_bit_encoded(&mut self, mut number: usize) -> Result<(), StreamFull> {
        while number >= 0x80 {
            self.write_byte(number as u8 | 0x80)?;
            number >>= 7;
        }
        self.write_byte(number as u8)
    }
}
