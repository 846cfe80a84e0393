//! `ProtoReader`: fields from bytes or from a stream, which may come from anyone.

use std::io::{self, BufRead};

use super::ProtoContract;
use super::input::Input;
use super::wire::{Field, WireType, number_of, unzigzag};
use crate::codec::{DecodeError, DecodeProblem};

/// How deep objects and groups may be nested in each other; that of protobuf-net 3.
pub const MAX_DEPTH: u32 = 512;

/// Reads fields one after the other.
///
/// A slice is a stream that is there as a whole: lengths are checked against what is left of it. Of another stream the
/// end is not known, so that what is made for a long value grows as its bytes come in. After an error a reader is of no
/// use any more.
#[derive(Clone, Debug)]
pub struct ProtoReader<R> {
    input: Input<R>,
    depth: u32,
}

impl<'a> ProtoReader<&'a [u8]> {
    /// A reader of bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { input: Input::new(bytes, bytes.len()), depth: 0 }
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
        Self { input: Input::new(source, usize::MAX), depth: 0 }
    }

    /// What the stream said when it failed; the error of decoding is then that of an early end.
    pub(super) fn failure(&self) -> Option<io::ErrorKind> {
        self.input.failure()
    }

    /// The tag of the next field, or none at the end of the object.
    ///
    /// # Errors
    /// If the tag does not end, its number is 0 or its wire type has no meaning.
    #[inline]
    pub fn next_field(&mut self) -> Result<Option<Field>, DecodeError> {
        let offset = self.input.position();
        if self.input.is_at_end() {
            return Ok(None);
        }
        let error = |problem| DecodeError { offset, problem };
        let tag = self.input.read_varint()?;
        let tag = u32::try_from(tag).map_err(|_| error(DecodeProblem::InvalidTag(tag)))?;
        let invalid = error(DecodeProblem::InvalidTag(tag.into()));
        let wire_type = WireType::of_tag(tag).ok_or(invalid)?;
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
                let outer = self.input.narrow()?;
                self.read_members(object, None)?;
                self.input.widen(outer);
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
        let outer = self.input.narrow()?;
        while !self.input.is_at_end() {
            read(self, Field { wire_type: unpacked, ..field })?;
        }
        self.end_object(None)?;
        self.input.widen(outer);
        Ok(())
    }

    /// Reads the number of a field as 64 bits, zigzag-encoded if it is no fixed width.
    pub(super) fn read_signed(&mut self, field: Field) -> Result<i64, DecodeError> {
        let value = self.read_int64(field)?;
        Ok(if field.wire_type == WireType::Varint { unzigzag(value as u64) } else { value })
    }

    /// Reads the number of a field as 64 bits.
    ///
    /// # Errors
    /// If the field is no number, or is cut short.
    #[inline]
    pub fn read_int64(&mut self, field: Field) -> Result<i64, DecodeError> {
        match field.wire_type {
            WireType::Varint => Ok(self.input.read_varint()? as i64),
            WireType::Fixed64 => Ok(i64::from_le_bytes(self.input.read_array()?)),
            WireType::Fixed32 => Ok(i32::from_le_bytes(self.input.read_array()?).into()),
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
        let offset = self.input.position();
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
        let offset = self.input.position();
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
            WireType::Fixed64 => Ok(f64::from_le_bytes(self.input.read_array()?)),
            WireType::Fixed32 => Ok(f32::from_le_bytes(self.input.read_array()?).into()),
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
        let length = self.input.read_length()?;
        self.input.read_text(length)
    }

    /// Passes over the value of a field.
    ///
    /// # Errors
    /// If it is cut short, or a group that is nested too deeply or does not end.
    pub fn skip(&mut self, field: Field) -> Result<(), DecodeError> {
        match field.wire_type {
            WireType::Varint => self.input.read_varint().map(drop),
            WireType::Fixed64 => self.input.read_array::<8>().map(drop),
            WireType::Fixed32 => self.input.read_array::<4>().map(drop),
            WireType::LengthDelimited => {
                let length = self.input.read_length()?;
                self.input.skip(length)
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
    fn end_object(&self, group: Option<u32>) -> Result<(), DecodeError> {
        if group.is_some() || self.input.is_cut_short() {
            return Err(self.input.end_of_input(1, 0));
        }
        Ok(())
    }
}

/// A field of a wire type that its member does not have.
#[cold]
fn unexpected(field: Field) -> DecodeError {
    let problem = DecodeProblem::UnexpectedWireType(field.wire_type as u8);
    DecodeError { offset: field.offset, problem }
}
