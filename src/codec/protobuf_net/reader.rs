//! `ProtoReader`: fields from bytes or from a stream, which may come from anyone.

use std::io::{self, BufRead, Read};
use std::mem;

use super::ProtoContract;
use super::wire::{Field, MAX_VARINT_BYTES, WireType, number_of};
use crate::codec::{DecodeError, DecodeProblem};

/// How deep objects and groups may be nested in each other; that of protobuf-net 3.
pub const MAX_DEPTH: u32 = 512;

/// The longest text of which a stream's claim is believed before the bytes are there.
const TRUSTED_BYTES: usize = 1024;

/// Reads fields one after the other.
///
/// A slice is a stream that is there as a whole: lengths are checked against what is left of it. Of another stream the
/// end is not known, so that what is made for a long value grows as its bytes come in. After an error a reader is of no
/// use any more.
#[derive(Clone, Debug)]
pub struct ProtoReader<R> {
    source: R,
    position: usize,
    // The end of the innermost object; of a stream whose length nobody knows, the largest number.
    end: usize,
    depth: u32,
    failure: Option<io::ErrorKind>,
}

impl<'a> ProtoReader<&'a [u8]> {
    /// A reader of bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { end: bytes.len(), ..Self::of_stream(bytes) }
    }

    /// How many of the coming fields have this number, up to the end or to bytes that are no field.
    pub(super) fn count_fields(&self, number: u32) -> usize {
        let mut ahead = self.clone();
        let mut count = 0;
        while let Ok(Some(field)) = ahead.next_field() {
            if ahead.skip(field).is_err() {
                break;
            }
            count += usize::from(field.number == number);
        }
        count
    }
}

impl<R: BufRead> ProtoReader<R> {
    /// A reader of a stream up to its end.
    pub fn of_stream(source: R) -> Self {
        Self { source, position: 0, end: usize::MAX, depth: 0, failure: None }
    }

    /// What the stream said when it failed; the error of decoding is then that of an early end.
    pub(super) fn failure(&self) -> Option<io::ErrorKind> {
        self.failure
    }

    /// The tag of the next field, or none at the end of the object.
    ///
    /// # Errors
    /// If the tag does not end, its number is 0 or its wire type has no meaning.
    pub fn next_field(&mut self) -> Result<Option<Field>, DecodeError> {
        let offset = self.position;
        if self.is_at_end() {
            return Ok(None);
        }
        let error = |problem| DecodeError { offset, problem };
        let tag = self.read_varint()?;
        let tag = u32::try_from(tag).map_err(|_| error(DecodeProblem::InvalidTag(tag)))?;
        let invalid = error(DecodeProblem::InvalidTag(tag.into()));
        let wire_type = WireType::of_tag(tag).map_err(|_| invalid)?;
        match number_of(tag) {
            0 => Err(invalid),
            number => Ok(Some(Field { number, wire_type, offset })),
        }
    }

    /// Reads the members of an object, up to its end or to the end of the group that it is.
    pub(super) fn read_members<T: ProtoContract>(
        &mut self,
        object: &mut T,
        group: Option<u32>,
    ) -> Result<(), DecodeError> {
        while let Some(field) = self.next_field()? {
            if field.wire_type == WireType::EndGroup {
                return self.end_group(field, group);
            }
            object.read_member(field, self)?;
        }
        self.end_object(group)
    }

    /// Reads the object of a field, whose members come on top of what is there.
    ///
    /// # Errors
    /// If the field is no object, it is nested deeper than [`MAX_DEPTH`], or its bytes are none of its kind.
    pub fn read_sub_item<T: ProtoContract>(
        &mut self,
        field: Field,
        object: &mut T,
    ) -> Result<(), DecodeError> {
        self.enter(field)?;
        match field.wire_type {
            WireType::LengthDelimited => {
                let outer = self.narrow()?;
                self.read_members(object, None)?;
                self.end = outer;
            }
            WireType::StartGroup => self.read_members(object, Some(field.number))?,
            _ => return Err(unexpected(field)),
        }
        self.depth -= 1;
        Ok(())
    }

    /// Reads numbers that are packed after a length, or one of them.
    ///
    /// # Errors
    /// Those of `read`, which reads one number of the wire type that it is told.
    pub fn read_repeated(
        &mut self,
        field: Field,
        unpacked: WireType,
        mut read: impl FnMut(&mut Self, Field) -> Result<(), DecodeError>,
    ) -> Result<(), DecodeError> {
        if field.wire_type != WireType::LengthDelimited {
            return read(self, field);
        }
        let outer = self.narrow()?;
        while !self.is_at_end() {
            read(self, Field { wire_type: unpacked, ..field })?;
        }
        self.end_object(None)?;
        self.end = outer;
        Ok(())
    }

    /// Reads the number of a field as 64 bits.
    ///
    /// # Errors
    /// If the field is no number, or is cut short.
    #[inline]
    pub fn read_int64(&mut self, field: Field) -> Result<i64, DecodeError> {
        match field.wire_type {
            WireType::Varint => Ok(self.read_varint()? as i64),
            WireType::Fixed64 => Ok(i64::from_le_bytes(self.read_array()?)),
            WireType::Fixed32 => Ok(i32::from_le_bytes(self.read_array()?).into()),
            _ => Err(unexpected(field)),
        }
    }

    /// Reads the number of a field as 32 bits. A negative one has 64 bits when it is written; one whose upper half is
    /// neither zeros nor ones is too large.
    ///
    /// # Errors
    /// If the field is no number, is cut short, or does not fit.
    #[inline]
    pub fn read_int32(&mut self, field: Field) -> Result<i32, DecodeError> {
        let offset = self.position;
        let value = self.read_int64(field)?;
        match value >> u32::BITS {
            0 | -1 => Ok(value as i32),
            _ => Err(DecodeError { offset, problem: DecodeProblem::ValueOutOfRange }),
        }
    }

    /// Reads a field that is 0 or 1.
    ///
    /// # Errors
    /// If it is something else, or cut short.
    #[inline]
    pub fn read_bool(&mut self, field: Field) -> Result<bool, DecodeError> {
        let offset = self.position;
        match self.read_int64(field)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(DecodeError { offset, problem: DecodeProblem::ValueOutOfRange }),
        }
    }

    /// Reads the floating-point number of a field, in either width.
    ///
    /// # Errors
    /// If the field is of another kind, or cut short.
    #[inline]
    pub fn read_double(&mut self, field: Field) -> Result<f64, DecodeError> {
        match field.wire_type {
            WireType::Fixed64 => Ok(f64::from_le_bytes(self.read_array()?)),
            WireType::Fixed32 => Ok(f32::from_le_bytes(self.read_array()?).into()),
            _ => Err(unexpected(field)),
        }
    }

    /// Reads the text of a field into a string of exactly its length.
    ///
    /// # Errors
    /// If the field is no text, its length is more than there is, or it is not UTF-8.
    #[inline]
    pub fn read_string(&mut self, field: Field) -> Result<String, DecodeError> {
        if field.wire_type != WireType::LengthDelimited {
            return Err(unexpected(field));
        }
        let length = self.read_length()?;
        let offset = self.position;
        let text = match self.window().get(..length) {
            Some(bytes) => str::from_utf8(bytes).map(str::to_owned),
            None => return self.read_string_in_pieces(length),
        };
        self.advance(length);
        text.map_err(|_| DecodeError { offset, problem: DecodeProblem::InvalidUtf8 })
    }

    /// Passes over the value of a field.
    ///
    /// # Errors
    /// If it is cut short, or a group that is nested too deeply or does not end.
    pub fn skip(&mut self, field: Field) -> Result<(), DecodeError> {
        match field.wire_type {
            WireType::Varint => self.read_varint().map(drop),
            WireType::Fixed64 => self.read_array::<8>().map(drop),
            WireType::Fixed32 => self.read_array::<4>().map(drop),
            WireType::LengthDelimited => {
                let length = self.read_length()?;
                self.skip_bytes(length)
            }
            WireType::StartGroup => self.skip_group(field),
            WireType::EndGroup => self.end_group(field, None),
        }
    }

    fn skip_group(&mut self, start: Field) -> Result<(), DecodeError> {
        self.enter(start)?;
        while let Some(field) = self.next_field()? {
            if field.wire_type == WireType::EndGroup {
                self.depth -= 1;
                return self.end_group(field, Some(start.number));
            }
            self.skip(field)?;
        }
        self.end_object(Some(start.number))
    }

    fn enter(&mut self, field: Field) -> Result<(), DecodeError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(DecodeError { offset: field.offset, problem: DecodeProblem::TooDeep });
        }
        Ok(())
    }

    /// Takes the end of a group, which must be the one that is open.
    fn end_group(&self, end: Field, open: Option<u32>) -> Result<(), DecodeError> {
        if open == Some(end.number) {
            return Ok(());
        }
        Err(DecodeError { offset: end.offset, problem: DecodeProblem::UnexpectedEndOfGroup(end.number) })
    }

    /// Takes the end of the bytes: for a group too early, for an object of a stream perhaps.
    fn end_object(&mut self, group: Option<u32>) -> Result<(), DecodeError> {
        let is_cut_short = self.end != usize::MAX && self.position < self.end;
        if group.is_some() || is_cut_short {
            return Err(self.end_of_input(1, 0));
        }
        Ok(())
    }

    /// Reads a length and makes what it spans all that can be read. Answers with the end up to here.
    fn narrow(&mut self) -> Result<usize, DecodeError> {
        let length = self.read_length()?;
        Ok(mem::replace(&mut self.end, self.position + length))
    }

    fn read_length(&mut self) -> Result<usize, DecodeError> {
        let offset = self.position;
        let length = self.read_varint()?;
        let left = (self.end - self.position).min(i32::MAX as usize) as u64;
        if length > left {
            let problem = DecodeProblem::LengthOutOfRange(length as i64);
            return Err(DecodeError { offset, problem });
        }
        Ok(length as usize)
    }

    #[inline]
    pub(super) fn read_varint(&mut self) -> Result<u64, DecodeError> {
        let offset = self.position;
        let mut value = 0;
        for index in 0..MAX_VARINT_BYTES {
            let byte = self.read_byte()?;
            value |= u64::from(byte & 0x7f) << (7 * index);
            // The tenth byte has room for one bit.
            if index == MAX_VARINT_BYTES - 1 && byte > 1 {
                break;
            }
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(DecodeError { offset, problem: DecodeProblem::IntegerTooLong })
    }

    #[inline]
    fn read_byte(&mut self) -> Result<u8, DecodeError> {
        let Some(&byte) = self.window().first() else {
            return Err(self.end_of_input(1, 0));
        };
        self.advance(1);
        Ok(byte)
    }

    #[inline]
    fn read_array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        if let Some(&array) = self.window().first_chunk() {
            self.advance(N);
            return Ok(array);
        }
        self.read_array_in_pieces()
    }

    #[cold]
    fn read_array_in_pieces<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        self.available(N)?;
        let offset = self.position;
        let mut array = [0; N];
        for (index, byte) in array.iter_mut().enumerate() {
            let problem = DecodeProblem::EndOfInput { needed: N, available: index };
            *byte = self.read_byte().map_err(|_| DecodeError { offset, problem })?;
        }
        Ok(array)
    }

    #[cold]
    fn read_string_in_pieces(&mut self, length: usize) -> Result<String, DecodeError> {
        let offset = self.position;
        let mut bytes = String::with_capacity(length.min(TRUSTED_BYTES)).into_bytes();
        let read = (&mut self.source).take(length as u64).read_to_end(&mut bytes);
        self.failure = self.failure.or(read.err().map(|error| error.kind()));
        if bytes.len() < length {
            return Err(self.end_of_input(length, bytes.len()));
        }
        self.position += length;
        String::from_utf8(bytes).map_err(|_| DecodeError { offset, problem: DecodeProblem::InvalidUtf8 })
    }

    fn skip_bytes(&mut self, length: usize) -> Result<(), DecodeError> {
        let mut left = length;
        while left > 0 {
            let step = self.window().len().min(left);
            if step == 0 {
                return Err(self.end_of_input(length, length - left));
            }
            self.advance(step);
            left -= step;
        }
        Ok(())
    }

    /// The bytes of the object that are at hand; none at its end, at the end of the stream, and when the stream fails.
    #[inline]
    fn window(&mut self) -> &[u8] {
        let left = self.end - self.position;
        match self.source.fill_buf() {
            Ok(bytes) => &bytes[..bytes.len().min(left)],
            Err(error) => {
                self.failure = Some(error.kind());
                &[]
            }
        }
    }

    #[inline]
    fn advance(&mut self, bytes: usize) {
        self.source.consume(bytes);
        self.position += bytes;
    }

    #[inline]
    fn is_at_end(&mut self) -> bool {
        self.position == self.end || self.window().is_empty()
    }

    /// Checks that so many bytes are left of the object.
    fn available(&self, needed: usize) -> Result<(), DecodeError> {
        let available = self.end - self.position;
        if needed > available { Err(self.end_of_input(needed, available)) } else { Ok(()) }
    }

    #[cold]
    fn end_of_input(&self, needed: usize, available: usize) -> DecodeError {
        DecodeError { offset: self.position, problem: DecodeProblem::EndOfInput { needed, available } }
    }
}

/// A field of a wire type that its member does not have.
#[cold]
fn unexpected(field: Field) -> DecodeError {
    let problem = DecodeProblem::UnexpectedWireType(field.wire_type as u8);
    DecodeError { offset: field.offset, problem }
}
