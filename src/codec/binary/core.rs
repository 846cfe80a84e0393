//! Everything of a `Binary` but its handlers: the stream, the settings, and the values that have no parts.

use std::hint::black_box;
use std::ops::{Deref, DerefMut};

use crate::codec::dotnet::{List, ObjectRef, Stack, Stream, TypeInfo};
use crate::codec::{DecodeError, DecodeProblem};

use super::error::EncodeError;
use super::options::{Options, SizeWidth};

/// How deeply objects may be nested: the original has no limit and overflows its stack.
const MAX_DEPTH: usize = 64;

/// The most bytes that a string or a byte array may have, as the original's `MaxSafeArraySize`.
const MAX_BYTES: usize = 1 << 20;

/// Bytes that a variable-length integer of 16, 32 and 64 bits can take.
const MAX_ENCODED_16: u32 = 3;
const MAX_ENCODED_32: u32 = 5;
const MAX_ENCODED_64: u32 = 10;

/// The state that all handlers share.
pub(super) struct BinaryCore<'s> {
    pub(super) options: Options,
    pub(super) ignore_members: Box<List<String>>,
    /// The bytes that the member at hand takes, if they are fixed.
    pub(super) width: Option<usize>,
    stream: StreamRef<'s>,
    /// The objects that the value at hand lies in.
    hosts: Box<Stack<ObjectRef<'static>>>,
}

/// The reference to a stream, which may be the only one.
pub(super) enum StreamRef<'s> {
    /// The caller has the stream.
    Borrowed(&'s mut (dyn Stream + 's)),
    /// Nobody else has it.
    Owned(Box<dyn Stream + 's>),
}

impl<'s> Deref for StreamRef<'s> {
    type Target = dyn Stream + 's;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Borrowed(stream) => *stream,
            Self::Owned(stream) => &**stream,
        }
    }
}

impl DerefMut for StreamRef<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Borrowed(stream) => *stream,
            Self::Owned(stream) => &mut **stream,
        }
    }
}

/// Objects and their nesting.
impl<'s> BinaryCore<'s> {
    pub(super) fn new(
        stream: StreamRef<'s>,
        options: Options,
        ignore_members: Box<List<String>>,
        hosts: Box<Stack<ObjectRef<'static>>>,
    ) -> Self {
        Self { options, ignore_members, width: None, stream, hosts }
    }

    /// Goes back to the start of the stream.
    pub(super) fn rewind(&mut self) {
        self.stream.rewind();
    }

    /// Whether no object is being written or read.
    pub(super) fn at_root(&self) -> bool {
        self.hosts.items().is_empty()
    }

    /// Enters an object, unless that is too deep.
    pub(super) fn enter(&mut self, class: &'static TypeInfo) -> bool {
        if self.hosts.items().len() == MAX_DEPTH {
            return false;
        }
        self.hosts.push(ObjectRef::Host(class));
        true
    }

    /// Leaves the object that was entered last.
    pub(super) fn leave(&mut self) {
        self.hosts.pop();
    }

    /// Leaves all objects: what a value that failed has left behind.
    pub(super) fn leave_all(&mut self) {
        while self.hosts.pop().is_some() {}
    }

    /// The number that announces an object that has not come before; one inside another alone has it.
    ///
    /// Lower numbers refer to the objects around it. No value here can contain itself, so that they are never written.
    fn next_reference(&self) -> Option<u32> {
        let hosts = self.hosts.items().len() as u32;
        (self.options.use_ref && hosts > 0).then_some(hosts + 1)
    }

    pub(super) fn write_reference(&mut self, is_null: bool) -> Result<(), EncodeError> {
        match self.next_reference() {
            Some(_) if is_null => self.write_varint(0),
            Some(number) => self.write_varint(number.into()),
            None => Ok(()),
        }
    }

    /// Whether an object follows; null does not.
    pub(super) fn read_reference(&mut self) -> Result<bool, DecodeError> {
        let Some(expected) = self.next_reference() else { return Ok(true) };
        let number = self.read_varint(MAX_ENCODED_32)? as u32;
        if number != 0 && number != expected {
            return Err(self.value_out_of_range());
        }
        Ok(number != 0)
    }

    /// Where the original formats a line of its log. The log is off, its arguments are made all the same.
    pub(super) fn write_log(&self, arguments: &[ObjectRef<'_>]) {
        black_box(arguments);
    }
}

/// Writing.
impl BinaryCore<'_> {
    pub(super) fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), EncodeError> {
        Ok(self.stream.write(bytes)?)
    }

    pub(super) fn write_int16(&mut self, bits: u16) -> Result<(), EncodeError> {
        match (self.options.encode_int, self.options.little_endian) {
            (true, _) => self.write_varint(bits.into()),
            (false, true) => self.write_bytes(&bits.to_le_bytes()),
            (false, false) => self.write_bytes(&bits.to_be_bytes()),
        }
    }

    pub(super) fn write_int32(&mut self, bits: u32) -> Result<(), EncodeError> {
        if self.options.encode_int { self.write_varint(bits.into()) } else { self.write_fixed32(bits) }
    }

    pub(super) fn write_int64(&mut self, bits: u64) -> Result<(), EncodeError> {
        if self.options.encode_int { self.write_varint(bits) } else { self.write_fixed64(bits) }
    }

    pub(super) fn write_fixed32(&mut self, bits: u32) -> Result<(), EncodeError> {
        self.write_bytes(&if self.options.little_endian { bits.to_le_bytes() } else { bits.to_be_bytes() })
    }

    pub(super) fn write_fixed64(&mut self, bits: u64) -> Result<(), EncodeError> {
        self.write_bytes(&if self.options.little_endian { bits.to_le_bytes() } else { bits.to_be_bytes() })
    }

    fn write_varint(&mut self, mut bits: u64) -> Result<(), EncodeError> {
        let mut bytes = [0; MAX_ENCODED_64 as usize];
        let mut length = 0;
        while bits >= 0x80 {
            bytes[length] = bits as u8 | 0x80;
            bits >>= 7;
            length += 1;
        }
        bytes[length] = bits as u8;
        self.write_bytes(&bytes[..=length])
    }

    /// Writes a length or a count.
    pub(super) fn write_size(&mut self, size: usize) -> Result<(), EncodeError> {
        let out_of_range = EncodeError::LengthOutOfRange(size);
        match self.options.size_width {
            SizeWidth::Variable => {
                let size = i32::try_from(size).map_err(|_| out_of_range)?;
                self.write_varint(size as u64)
            }
            SizeWidth::One => self.write_bytes(&[u8::try_from(size).map_err(|_| out_of_range)?]),
            SizeWidth::Two => self.write_int16(i16::try_from(size).map_err(|_| out_of_range)? as u16),
            SizeWidth::Four => self.write_int32(i32::try_from(size).map_err(|_| out_of_range)? as u32),
        }
    }

    /// Writes bytes after their length; or as many as the member takes, cut or filled up with zeros.
    pub(super) fn write_sized(&mut self, bytes: &[u8]) -> Result<(), EncodeError> {
        let Some(width) = self.width.take() else {
            self.write_size(bytes.len())?;
            return self.write_bytes(bytes);
        };
        self.write_bytes(&bytes[..bytes.len().min(width)])?;
        (bytes.len()..width).try_for_each(|_| self.write_bytes(&[0]))
    }
}

/// Reading.
impl BinaryCore<'_> {
    pub(super) fn at_end(&self) -> bool {
        self.stream.remaining() == 0
    }

    /// An error at the position.
    pub(super) fn error(&self, problem: DecodeProblem) -> DecodeError {
        DecodeError { offset: self.stream.position(), problem }
    }

    pub(super) fn value_out_of_range(&self) -> DecodeError {
        self.error(DecodeProblem::ValueOutOfRange)
    }

    /// The next bytes.
    pub(super) fn read_bytes(&mut self, count: usize) -> Result<&[u8], DecodeError> {
        let offset = self.stream.position();
        let available = self.stream.remaining();
        let problem = DecodeProblem::EndOfInput { needed: count, available };
        self.stream.take(count).ok_or(DecodeError { offset, problem })
    }

    /// The next bytes, as many as an array has.
    pub(super) fn read_array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let mut array = [0; N];
        array.copy_from_slice(self.read_bytes(N)?);
        Ok(array)
    }

    pub(super) fn read_byte(&mut self) -> Result<u8, DecodeError> {
        Ok(u8::from_le_bytes(self.read_array()?))
    }

    pub(super) fn read_int16(&mut self) -> Result<u16, DecodeError> {
        if self.options.encode_int {
            return Ok(self.read_varint(MAX_ENCODED_16)? as u16);
        }
        let bytes = self.read_array()?;
        Ok(if self.options.little_endian { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    }

    pub(super) fn read_int32(&mut self) -> Result<u32, DecodeError> {
        if self.options.encode_int {
            Ok(self.read_varint(MAX_ENCODED_32)? as u32)
        } else {
            self.read_fixed32()
        }
    }

    pub(super) fn read_int64(&mut self) -> Result<u64, DecodeError> {
        if self.options.encode_int { self.read_varint(MAX_ENCODED_64) } else { self.read_fixed64() }
    }

    pub(super) fn read_fixed32(&mut self) -> Result<u32, DecodeError> {
        let bytes = self.read_array()?;
        Ok(if self.options.little_endian { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) })
    }

    pub(super) fn read_fixed64(&mut self) -> Result<u64, DecodeError> {
        let bytes = self.read_array()?;
        Ok(if self.options.little_endian { u64::from_le_bytes(bytes) } else { u64::from_be_bytes(bytes) })
    }

    /// A variable-length integer. Bits beyond those of its type are dropped, as in the original.
    fn read_varint(&mut self, max_bytes: u32) -> Result<u64, DecodeError> {
        let offset = self.stream.position();
        let mut bits = 0;
        for index in 0..max_bytes {
            let byte = self.read_byte()?;
            bits |= u64::from(byte & 0x7f) << (7 * index);
            if byte < 0x80 {
                return Ok(bits);
            }
        }
        Err(DecodeError { offset, problem: DecodeProblem::IntegerTooLong })
    }

    /// A count of things that take a byte each, at least.
    pub(super) fn read_size(&mut self) -> Result<usize, DecodeError> {
        let offset = self.stream.position();
        let size = match self.options.size_width {
            SizeWidth::Variable => self.read_varint(MAX_ENCODED_32)? as i32,
            SizeWidth::One => self.read_byte()?.into(),
            SizeWidth::Two => (self.read_int16()? as i16).into(),
            SizeWidth::Four => self.read_int32()? as i32,
        };
        usize::try_from(size)
            .ok()
            .filter(|&size| size <= self.stream.remaining())
            .ok_or(DecodeError { offset, problem: DecodeProblem::LengthOutOfRange(size.into()) })
    }

    /// Bytes after their length; or as many as the member takes.
    pub(super) fn read_sized(&mut self) -> Result<&[u8], DecodeError> {
        let offset = self.stream.position();
        let size = match self.width.take() {
            Some(width) => width,
            None => self.read_size()?,
        };
        if size > MAX_BYTES {
            return Err(DecodeError { offset, problem: DecodeProblem::LengthOutOfRange(size as i64) });
        }
        self.read_bytes(size)
    }
}
