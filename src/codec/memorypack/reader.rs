//! Reading from bytes of the caller.

use super::writer::utf16_length;
use super::{
    MAX_MEMBERS, MemoryPackDeserialize, MemoryPackSerialize, NULL_COLLECTION, NULL_OBJECT, WIDE_TAG, varint,
};
use crate::codec::span::SpanReader;
use crate::codec::{DecodeError, DecodeProblem};

/// How deep boxes and lists may be nested in each other while they are read. The original has no limit here.
pub const MAX_READ_DEPTH: usize = 128;

/// Reads values one after the other from bytes of the caller, which may come from anyone.
///
/// Bytes that make no value are an error that says where; no count in the input makes the reader allocate more than the
/// input can fill.
///
/// # Examples
/// ```
/// use alloclab::codec::memorypack::MemoryPackReader;
///
/// let mut reader = MemoryPackReader::new(b"\x02\x2a\0\0\0\x01");
/// assert_eq!(reader.read_object_header(2)?, 2);
/// assert_eq!(reader.read::<i32>()?, 42);
/// assert!(reader.read::<bool>()?);
/// # Ok::<(), alloclab::codec::DecodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MemoryPackReader<'a> {
    pub(super) bytes: SpanReader<'a>,
    depth: usize,
    // Bytes that are left for elements of lists for which room has been taken.
    promised: usize,
}

impl<'a> MemoryPackReader<'a> {
    /// A reader at the start of the input.
    #[inline(always)]
    pub fn new(input: &'a [u8]) -> Self {
        Self { bytes: SpanReader::new(input), depth: 0, promised: 0 }
    }

    /// How many bytes have been read.
    #[inline(always)]
    pub fn offset(&self) -> usize {
        self.bytes.offset()
    }

    /// How many bytes are left.
    #[inline(always)]
    pub fn available(&self) -> usize {
        self.bytes.available()
    }

    /// Reads a value of any type that has its layout.
    ///
    /// # Errors
    /// When the bytes make no such value.
    #[inline(always)]
    pub fn read<T: MemoryPackDeserialize>(&mut self) -> Result<T, DecodeError> {
        T::read(self)
    }

    /// Checks now that a run of members will find this many bytes, so that their own checks fall away.
    ///
    /// # Errors
    /// When fewer bytes are left.
    #[inline(always)]
    pub fn require(&mut self, bytes: usize) -> Result<(), DecodeError> {
        self.bytes.require(bytes)
    }

    /// Reads an object's member count, of which the type knows so many.
    ///
    /// # Errors
    /// When the input ends, the object is null, or it has more members than the type.
    #[inline(always)]
    pub fn read_object_header(&mut self, known: u8) -> Result<u8, DecodeError> {
        let offset = self.offset();
        let null = DecodeError { offset, problem: DecodeProblem::UnexpectedNull };
        self.read_optional_object_header(known)?.ok_or(null)
    }

    /// Reads an object's member count, of which the type knows so many; none if the object is null.
    ///
    /// # Errors
    /// When the input ends, or the object has more members than the type.
    #[inline(always)]
    pub fn read_optional_object_header(&mut self, known: u8) -> Result<Option<u8>, DecodeError> {
        let offset = self.offset();
        match self.bytes.read_fixed::<u8>()? {
            found if found <= known => Ok(Some(found)),
            NULL_OBJECT => Ok(None),
            found => Err(DecodeError { offset, problem: DecodeProblem::TooManyMembers { found, known } }),
        }
    }

    /// Reads the next member of an object of which `left` more are there: a default value if none is.
    ///
    /// # Errors
    /// When the bytes make no such value.
    pub fn read_member<T: MemoryPackDeserialize + Default>(
        &mut self,
        left: &mut u8,
    ) -> Result<T, DecodeError> {
        match left.checked_sub(1) {
            Some(rest) => {
                *left = rest;
                T::read(self)
            }
            None => Ok(T::default()),
        }
    }

    /// Reads a union's tag; none if the union is null.
    ///
    /// # Errors
    /// When the input ends, or the tag is one of the reserved bytes.
    pub fn read_union_tag(&mut self) -> Result<Option<u16>, DecodeError> {
        let offset = self.offset();
        match self.bytes.read_fixed::<u8>()? {
            NULL_OBJECT => Ok(None),
            WIDE_TAG => self.bytes.read_fixed().map(Some),
            tag if tag < WIDE_TAG => Ok(Some(tag.into())),
            _ => Err(DecodeError { offset, problem: DecodeProblem::ValueOutOfRange }),
        }
    }

    /// Reads the count in front of a list's elements; none if the list is null. Nobody has yet checked that the input
    /// has as many.
    ///
    /// # Errors
    /// When the input ends, or the count is negative.
    #[inline(always)]
    pub fn read_count(&mut self) -> Result<Option<usize>, DecodeError> {
        let offset = self.offset();
        let count = self.bytes.read_fixed::<i32>()?;
        match usize::try_from(count) {
            Ok(count) => Ok(Some(count)),
            Err(_) if count == NULL_COLLECTION => Ok(None),
            Err(_) => Err(DecodeError { offset, problem: DecodeProblem::LengthOutOfRange(count.into()) }),
        }
    }

    /// Reads a string in either form; none if it is null.
    ///
    /// # Errors
    /// When the input ends, or its bytes are not what their form says: no UTF-8, no UTF-16, or a number of UTF-16 units
    /// that is not that of the text. A number of 0 or below says nothing, as in the original.
    #[inline]
    pub fn read_string(&mut self) -> Result<Option<String>, DecodeError> {
        match self.bytes.read_fixed::<i32>()? {
            NULL_COLLECTION => Ok(None),
            0 => Ok(Some(String::new())),
            length if length < 0 => self.read_utf8(!length as usize).map(|text| Some(text.to_owned())),
            length => self.read_utf16(length as usize).map(Some),
        }
    }

    #[inline]
    fn read_utf8(&mut self, length: usize) -> Result<&'a str, DecodeError> {
        let offset = self.offset();
        let units = self.bytes.read_fixed::<i32>()?;
        let bytes = self.bytes.read_raw(length)?;
        let text = str::from_utf8(bytes).map_err(|error| DecodeError {
            offset: self.offset() - bytes.len() + error.valid_up_to(),
            problem: DecodeProblem::InvalidUtf8,
        })?;
        if units > 0 && utf16_length(text) != units as usize {
            return Err(DecodeError { offset, problem: DecodeProblem::LengthOutOfRange(units.into()) });
        }
        Ok(text)
    }

    /// Two passes, so that the string has a block of exactly its length.
    fn read_utf16(&mut self, units: usize) -> Result<String, DecodeError> {
        let offset = self.offset();
        let bytes = self.bytes.read_raw(units.saturating_mul(2))?;
        let units = bytes.as_chunks().0.iter().map(|unit| u16::from_le_bytes(*unit));
        let mut length = 0;
        for char in char::decode_utf16(units.clone()) {
            length +=
                char.map_err(|_| DecodeError { offset, problem: DecodeProblem::InvalidUtf16 })?.len_utf8();
        }
        let mut text = String::with_capacity(length);
        text.extend(char::decode_utf16(units).flatten());
        Ok(text)
    }

    /// Reads an integer of variable width.
    ///
    /// # Errors
    /// When the input ends, or the value is above `i64::MAX`.
    pub fn read_varint(&mut self) -> Result<i64, DecodeError> {
        let offset = self.offset();
        let first = self.bytes.read_fixed::<i8>()?;
        let Some((width, is_signed)) = varint::width(first) else { return Ok(first.into()) };
        let bytes = self.bytes.read_raw(width)?;
        let fill = if is_signed && bytes[width - 1] >= 0x80 { 0xff } else { 0 };
        let mut value = [fill; 8];
        value[..width].copy_from_slice(bytes);
        let value = i64::from_le_bytes(value);
        if value < 0 && !is_signed {
            return Err(DecodeError { offset, problem: DecodeProblem::ValueOutOfRange });
        }
        Ok(value)
    }

    /// Reads what stands in front of a version-tolerant object's members, their lengths, and says how many there are;
    /// none if the object is null.
    ///
    /// # Errors
    /// When the input ends, or the member count is one of the reserved bytes, or a length negative.
    pub fn read_member_lengths(
        &mut self,
        lengths: &mut [usize; MAX_MEMBERS as usize],
    ) -> Result<Option<usize>, DecodeError> {
        let Some(count) = self.read_optional_object_header(MAX_MEMBERS)? else { return Ok(None) };
        for length in &mut lengths[..count.into()] {
            let offset = self.offset();
            let varint = self.read_varint()?;
            let problem = DecodeProblem::LengthOutOfRange(varint);
            *length = varint.try_into().map_err(|_| DecodeError { offset, problem })?;
        }
        Ok(Some(count.into()))
    }

    /// Reads a member of a version-tolerant object from its own bytes: a default value if there are none. What the
    /// member does not take of them is skipped.
    ///
    /// # Errors
    /// When the input is shorter, or the bytes make no such value.
    pub fn read_sized_member<T: MemoryPackDeserialize + Default>(
        &mut self,
        length: usize,
    ) -> Result<T, DecodeError> {
        if length == 0 {
            return Ok(T::default());
        }
        let start = self.offset();
        let member = self.bytes.read_raw(length)?;
        // What lists around the object count on has to come behind it.
        if self.promised > self.available() {
            let problem = DecodeProblem::LengthOutOfRange(length as i64);
            return Err(DecodeError { offset: start, problem });
        }
        let mut member = Self { bytes: SpanReader::new(member), depth: self.depth, promised: 0 };
        T::read(&mut member).map_err(|error| DecodeError { offset: start + error.offset, ..error })
    }

    /// Skips a member of a version-tolerant object.
    ///
    /// # Errors
    /// When the input is shorter.
    pub fn skip(&mut self, length: usize) -> Result<(), DecodeError> {
        self.bytes.read_raw(length).map(drop)
    }

    /// Reads something one level deeper. Types that can contain themselves go through it; [`Box`] and [`Vec`] do.
    ///
    /// # Errors
    /// When that is deeper than [`MAX_READ_DEPTH`], and whatever `read` fails with.
    #[inline(always)]
    pub fn nest<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        if self.depth == MAX_READ_DEPTH {
            return Err(self.error(DecodeProblem::TooDeep));
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    /// Reads the elements of a list one by one.
    ///
    /// An object may have fewer members than its type, down to a single byte. Room is taken for as many elements with
    /// all of their members as the input can hold, and more only as elements turn out to be there. Bytes that lists
    /// around this one count on are not counted again.
    ///
    /// # Errors
    /// When there are fewer bytes left than so many elements take, or they make no such values.
    pub fn read_list<T: MemoryPackDeserialize>(&mut self, count: usize) -> Result<Vec<T>, DecodeError> {
        const { assert!(T::SIZE.min() > 0, "elements of a list have to take at least one byte") };
        let smallest = <T as MemoryPackSerialize>::SIZE.min();
        let free = self.available().saturating_sub(self.promised);
        if count > free / smallest {
            return Err(self.error(DecodeProblem::LengthOutOfRange(count as i64)));
        }
        let before = self.promised;
        self.promised += count * smallest;
        let items = self.read_items(count, count.min(free / T::USUAL_BYTES));
        // After an error too: the reader may still be used.
        self.promised = before;
        items
    }

    #[inline]
    fn read_items<T: MemoryPackDeserialize>(
        &mut self,
        count: usize,
        capacity: usize,
    ) -> Result<Vec<T>, DecodeError> {
        let mut items = Vec::with_capacity(capacity);
        for _ in 0..count {
            self.promised -= T::SIZE.min();
            items.push(T::read(self)?);
        }
        Ok(items)
    }

    /// An error at this place, for a `read` of your own.
    #[inline(always)]
    pub fn error(&self, problem: DecodeProblem) -> DecodeError {
        self.bytes.error(problem)
    }
}
