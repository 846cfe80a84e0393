//! The bytes below the fields: from a slice or from a stream, none beyond the end of the object that is read.

use std::io::{self, BufRead, Read};
use std::mem;

use super::wire::MAX_VARINT_BYTES;
use crate::codec::{DecodeError, DecodeProblem};

/// The longest text of which a stream's claim is believed before the bytes are there.
const TRUSTED_BYTES: usize = 1024;

/// A source of bytes, and where in it the reader is.
#[derive(Clone, Debug)]
pub(super) struct Input<R> {
    source: R,
    position: usize,
    // The end of the innermost object; of a stream whose length nobody knows, the largest number.
    end: usize,
    failure: Option<io::ErrorKind>,
}

impl<R: BufRead> Input<R> {
    /// So many bytes, the largest number if nobody knows.
    pub(super) fn new(source: R, length: usize) -> Self {
        Self { source, position: 0, end: length, failure: None }
    }

    /// How many bytes have been read.
    #[inline]
    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// What the stream said when it failed; what the reader saw then is an early end.
    pub(super) fn failure(&self) -> Option<io::ErrorKind> {
        self.failure
    }

    /// Whether the object ends here, or the stream does.
    #[inline]
    pub(super) fn is_at_end(&mut self) -> bool {
        self.position == self.end || self.window().is_empty()
    }

    /// Whether the object that ended had a length that says otherwise. A stream without a length ends where it ends.
    pub(super) fn is_cut_short(&self) -> bool {
        self.end != usize::MAX && self.position < self.end
    }

    /// Reads a length and makes what it spans all that can be read. Answers with the end up to here.
    pub(super) fn narrow(&mut self) -> Result<usize, DecodeError> {
        let length = self.read_length()?;
        Ok(mem::replace(&mut self.end, self.position + length))
    }

    /// Goes back to an end that [`Input::narrow`] answered with.
    pub(super) fn widen(&mut self, end: usize) {
        self.end = end;
    }

    /// Reads a length, which is at most what is left.
    #[inline]
    pub(super) fn read_length(&mut self) -> Result<usize, DecodeError> {
        let offset = self.position;
        let length = self.read_varint()?;
        let left = (self.end - self.position).min(i32::MAX as usize) as u64;
        if length > left {
            return Err(DecodeError { offset, problem: DecodeProblem::LengthOutOfRange(length as i64) });
        }
        Ok(length as usize)
    }

    /// Reads an integer with seven bits in a byte. Most tags and lengths are one byte.
    #[inline]
    pub(super) fn read_varint(&mut self) -> Result<u64, DecodeError> {
        match *self.window() {
            [byte @ ..0x80, ..] => {
                self.advance(1);
                Ok(byte.into())
            }
            _ => self.read_long_varint(),
        }
    }

    fn read_long_varint(&mut self) -> Result<u64, DecodeError> {
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

    /// Reads so many bytes.
    #[inline]
    pub(super) fn read_array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        if let Some(&array) = self.window().first_chunk() {
            self.advance(N);
            return Ok(array);
        }
        self.read_array_in_pieces()
    }

    #[cold]
    fn read_array_in_pieces<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let offset = self.position;
        let mut array = [0; N];
        for (available, byte) in array.iter_mut().enumerate() {
            let problem = DecodeProblem::EndOfInput { needed: N, available };
            *byte = self.read_byte().map_err(|_| DecodeError { offset, problem })?;
        }
        Ok(array)
    }

    /// Reads text of a length that [`Input::read_length`] answered with, into a string of exactly that length.
    #[inline]
    pub(super) fn read_text(&mut self, length: usize) -> Result<String, DecodeError> {
        let offset = self.position;
        let text = match self.window().get(..length) {
            Some(bytes) => str::from_utf8(bytes).map(str::to_owned),
            None => return self.read_text_in_pieces(length),
        };
        self.advance(length);
        text.map_err(|_| DecodeError { offset, problem: DecodeProblem::InvalidUtf8 })
    }

    #[cold]
    fn read_text_in_pieces(&mut self, length: usize) -> Result<String, DecodeError> {
        let offset = self.position;
        // Made as a string: the block is the text's from the start, and is known by the type that allocated it.
        let mut bytes = String::with_capacity(length.min(TRUSTED_BYTES)).into_bytes();
        let read = (&mut self.source).take(length as u64).read_to_end(&mut bytes);
        self.failure = self.failure.or(read.err().map(|error| error.kind()));
        if bytes.len() < length {
            return Err(self.end_of_input(length, bytes.len()));
        }
        self.position += length;
        String::from_utf8(bytes).map_err(|_| DecodeError { offset, problem: DecodeProblem::InvalidUtf8 })
    }

    /// Passes over bytes.
    pub(super) fn skip(&mut self, length: usize) -> Result<(), DecodeError> {
        let mut left = length;
        while left > 0 {
            let step = self.window().len().min(left);
            if step == 0 {
                return Err(self.end_of_input(left, 0));
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

    /// The error of bytes that are missing here.
    #[cold]
    pub(super) fn end_of_input(&self, needed: usize, available: usize) -> DecodeError {
        DecodeError { offset: self.position, problem: DecodeProblem::EndOfInput { needed, available } }
    }
}
