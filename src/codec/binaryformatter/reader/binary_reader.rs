//! `System.IO.BinaryReader`: numbers and strings from the bytes of a stream.

use crate::codec::dotnet::{Boxable, Boxed, Stream};
use crate::codec::nrbf::PrimitiveType;
use crate::codec::{DecodeError, DecodeProblem};
use crate::model::DateTime;

use super::super::heap::{allocate, create, new_array};
use super::decoder::UTF8Decoder;

/// Bytes of the buffer for numbers.
const NUMBER_BYTES: usize = 16;

/// Bytes of the buffer for strings.
const TEXT_BYTES: usize = 128;

/// UTF-16 units that so many bytes can give: one more than bytes, for a character that has begun before them.
const TEXT_CHARS: usize = TEXT_BYTES + 1;

/// Bytes that a length can take.
const MAX_LENGTH_BYTES: u32 = 5;

/// Reads numbers through one buffer, strings through two others.
pub(crate) struct BinaryReader<'s> {
    stream: &'s mut dyn Stream,
    /// Where the graph begins.
    start: usize,
    decoder: Box<UTF8Decoder>,
    buffer: Vec<u8>,
    /// Made for the first string.
    char_bytes: Vec<u8>,
    /// Made for the first string.
    char_buffer: Vec<u16>,
}

/// Errors, and what there is.
impl<'s> BinaryReader<'s> {
    pub(super) fn new(stream: &'s mut dyn Stream) -> Box<Self> {
        let reader = allocate();
        let start = stream.position();
        let decoder = create(UTF8Decoder::default());
        let buffer = new_array(NUMBER_BYTES);
        Box::write(
            reader,
            Self { stream, start, decoder, buffer, char_bytes: Vec::new(), char_buffer: Vec::new() },
        )
    }

    /// An error at the position.
    pub(super) fn error(&self, problem: DecodeProblem) -> DecodeError {
        DecodeError { offset: self.stream.position(), problem }
    }

    /// An error some bytes before the position.
    pub(super) fn error_before(&self, bytes: usize, problem: DecodeProblem) -> DecodeError {
        DecodeError { offset: self.stream.position() - bytes, problem }
    }

    fn take(&mut self, count: usize) -> Result<&[u8], DecodeError> {
        let offset = self.stream.position();
        let problem = DecodeProblem::EndOfInput { needed: count, available: self.stream.remaining() };
        self.stream.take(count).ok_or(DecodeError { offset, problem })
    }
}

/// Numbers.
impl BinaryReader<'_> {
    /// The next bytes, in an array of their own.
    pub(super) fn read_bytes(&mut self, count: usize) -> Result<Vec<u8>, DecodeError> {
        let bytes = self.take(count)?;
        let mut array = new_array(count);
        array.copy_from_slice(bytes);
        Ok(array)
    }

    fn read<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N)?);
        self.buffer[..N].copy_from_slice(&bytes);
        Ok(bytes)
    }

    pub(super) fn read_byte(&mut self) -> Result<u8, DecodeError> {
        Ok(u8::from_le_bytes(self.read()?))
    }

    pub(super) fn read_int32(&mut self) -> Result<i32, DecodeError> {
        Ok(i32::from_le_bytes(self.read()?))
    }

    /// The number of an object or of a library. Numbers are counted up, each by some bytes: there is none as high as the
    /// bytes read so far.
    pub(super) fn read_id(&mut self) -> Result<i32, DecodeError> {
        let id = self.read_int32()?;
        let read = self.stream.position() - self.start;
        if usize::try_from(id).is_ok_and(|id| (1..read).contains(&id)) {
            return Ok(id);
        }
        Err(self.error_before(size_of::<i32>(), DecodeProblem::ValueOutOfRange))
    }

    /// A count of things that take so many bytes each, at least.
    pub(super) fn read_count(&mut self, bytes_each: usize) -> Result<usize, DecodeError> {
        let count = self.read_int32()?;
        let available = self.stream.remaining() / bytes_each;
        usize::try_from(count)
            .ok()
            .filter(|&count| count <= available)
            .ok_or_else(|| self.error_before(size_of::<i32>(), DecodeProblem::LengthOutOfRange(count.into())))
    }

    /// A primitive, in a box.
    pub(super) fn read_value(&mut self, primitive: PrimitiveType) -> Result<Boxed, DecodeError> {
        Ok(match primitive {
            PrimitiveType::Boolean => (self.read_byte()? != 0).boxed(),
            PrimitiveType::Byte => self.read_byte()?.boxed(),
            PrimitiveType::SByte => i8::from_le_bytes(self.read()?).boxed(),
            PrimitiveType::Int16 => i16::from_le_bytes(self.read()?).boxed(),
            PrimitiveType::UInt16 => u16::from_le_bytes(self.read()?).boxed(),
            PrimitiveType::Int32 => self.read_int32()?.boxed(),
            PrimitiveType::UInt32 => u32::from_le_bytes(self.read()?).boxed(),
            PrimitiveType::Int64 => i64::from_le_bytes(self.read()?).boxed(),
            PrimitiveType::UInt64 => u64::from_le_bytes(self.read()?).boxed(),
            PrimitiveType::Single => f32::from_le_bytes(self.read()?).boxed(),
            PrimitiveType::Double => f64::from_le_bytes(self.read()?).boxed(),
            PrimitiveType::DateTime => self.read_date_time()?.boxed(),
            // No loaded class has such members.
            _ => {
                return Err(
                    self.error(DecodeProblem::UnsupportedValue("a primitive of a type that no model has"))
                );
            }
        })
    }

    fn read_date_time(&mut self) -> Result<DateTime, DecodeError> {
        let binary = i64::from_le_bytes(self.read()?);
        DateTime::from_binary(binary)
            .ok_or_else(|| self.error_before(size_of::<i64>(), DecodeProblem::ValueOutOfRange))
    }
}

/// Strings.
impl BinaryReader<'_> {
    /// A string: its length in bytes, seven bits a byte, and its UTF-8.
    ///
    /// The original decodes a string that is longer than its buffer into a builder that it keeps for the next one.
    pub(super) fn read_text(&mut self) -> Result<String, DecodeError> {
        let length = self.read_length()?;
        if length == 0 {
            return Ok(String::new());
        }
        if self.char_bytes.is_empty() {
            self.char_bytes = new_array(TEXT_BYTES);
            self.char_buffer = new_array(TEXT_CHARS);
        }
        let mut text = std::hint::black_box(String::with_capacity(length));
        let mut left = length;
        self.decoder.reset();
        while left > 0 {
            let count = left.min(TEXT_BYTES);
            self.read_chars(count, &mut text)?;
            left -= count;
        }
        if self.decoder.is_within_char() {
            return Err(self.error(DecodeProblem::InvalidUtf8));
        }
        Ok(text)
    }

    /// Decodes so many bytes.
    fn read_chars(&mut self, count: usize, text: &mut String) -> Result<(), DecodeError> {
        let offset = self.stream.position();
        let problem = DecodeProblem::EndOfInput { needed: count, available: self.stream.remaining() };
        let bytes = &mut self.char_bytes[..count];
        bytes.copy_from_slice(self.stream.take(count).ok_or(DecodeError { offset, problem })?);
        let chars = self.decoder.decode(bytes, &mut self.char_buffer);
        let chars = chars.ok_or(DecodeError { offset, problem: DecodeProblem::InvalidUtf8 })?;
        text.extend(
            char::decode_utf16(chars.iter().copied()).map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)),
        );
        Ok(())
    }

    fn read_length(&mut self) -> Result<usize, DecodeError> {
        let offset = self.stream.position();
        let mut length = 0_u64;
        for index in 0..MAX_LENGTH_BYTES {
            let byte = self.read_byte()?;
            length |= u64::from(byte & 0x7f) << (7 * index);
            if byte < 0x80 {
                return usize::try_from(length)
                    .ok()
                    .filter(|&length| length <= self.stream.remaining())
                    .ok_or(DecodeError { offset, problem: DecodeProblem::LengthOutOfRange(length as i64) });
            }
        }
        Err(DecodeError { offset, problem: DecodeProblem::IntegerTooLong })
    }
}
