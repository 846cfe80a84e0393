//! Bytes, and how far they have been read.

use crate::codec::{DecodeError, DecodeProblem};

/// Bytes that the length of a string can take.
const MAX_LENGTH_BYTES: u32 = 5;

/// A position in the bytes of a stream.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0 }
    }

    pub(super) fn offset(&self) -> usize {
        self.offset
    }

    fn remaining(&self) -> usize {
        self.bytes.len() - self.offset
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        let Some(taken) = self.bytes.get(self.offset..).and_then(|rest| rest.get(..count)) else {
            return Err(self.end_of_input(count));
        };
        self.offset += count;
        Ok(taken)
    }

    fn end_of_input(&self, needed: usize) -> DecodeError {
        let problem = DecodeProblem::EndOfInput { needed, available: self.remaining() };
        DecodeError { offset: self.offset, problem }
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    pub(super) fn byte(&mut self) -> Result<u8, DecodeError> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    pub(super) fn int32(&mut self) -> Result<i32, DecodeError> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    /// A byte that says what follows.
    pub(super) fn tag<T>(&mut self, from_code: impl FnOnce(u8) -> Option<T>) -> Result<T, DecodeError> {
        let offset = self.offset;
        let code = self.byte()?;
        from_code(code).ok_or(DecodeError { offset, problem: DecodeProblem::UnexpectedTag(code) })
    }

    /// The length of a string.
    pub(super) fn length(&mut self) -> Result<usize, DecodeError> {
        let offset = self.offset;
        let mut length = 0_i64;
        for index in 0..MAX_LENGTH_BYTES {
            let byte = self.byte()?;
            length |= i64::from(byte & 0x7f) << (7 * index);
            if byte < 0x80 {
                let problem = DecodeProblem::LengthOutOfRange(length);
                return i32::try_from(length)
                    .map(|length| length as usize)
                    .map_err(|_| DecodeError { offset, problem });
            }
        }
        Err(DecodeError { offset, problem: DecodeProblem::IntegerTooLong })
    }

    /// A string.
    pub(super) fn text(&mut self) -> Result<&'a str, DecodeError> {
        let length = self.length()?;
        let offset = self.offset;
        let bytes = self.take(length)?;
        str::from_utf8(bytes).map_err(|error| DecodeError {
            offset: offset + error.valid_up_to(),
            problem: DecodeProblem::InvalidUtf8,
        })
    }

    /// Refuses more bytes than there are, or all of them: the end of the message must follow.
    pub(super) fn require(&self, bytes: u64) -> Result<(), DecodeError> {
        let needed = usize::try_from(bytes + 1).unwrap_or(usize::MAX);
        if self.remaining() < needed { Err(self.end_of_input(needed)) } else { Ok(()) }
    }
}
