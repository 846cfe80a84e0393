//! Reading from bytes of the caller.

use std::hint::cold_path;
use std::marker::PhantomData;

use super::integer::Integer;
use super::{LengthWidth, SpanDeserialize, SpanFormat, Standard};
use crate::codec::{DecodeError, DecodeProblem};
use crate::model::DateTime;

/// How deep boxes and lists may be nested in each other while they are read.
pub const MAX_DEPTH: usize = 128;

/// Reads values one after the other from bytes of the caller, which may come from anyone.
///
/// Strings and byte arrays can be borrowed from the input. Bytes that make no value are an error that says where; no
/// length in the input makes the reader allocate more than the input can fill.
///
/// # Examples
/// ```
/// use alloclab::codec::span::SpanReader;
///
/// let mut reader = SpanReader::new(b"\x2a\0\0\0\x07NewLife");
/// assert_eq!(reader.read::<i32>()?, 42);
/// assert_eq!(reader.read_str()?, "NewLife");
/// assert!(reader.is_at_end());
/// # Ok::<(), alloclab::codec::DecodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SpanReader<'a, F: SpanFormat = Standard> {
    rest: &'a [u8],
    length: usize,
    depth: usize,
    // Bytes that are left for elements of lists for which room has been taken; see `promise`.
    promised: usize,
    format: PhantomData<F>,
}

impl<'a> SpanReader<'a> {
    /// A reader of the standard format.
    #[inline(always)]
    pub fn new(input: &'a [u8]) -> Self {
        Self::with_format(input, Standard)
    }
}

impl<'a, F: SpanFormat> SpanReader<'a, F> {
    /// A reader of a format of your own.
    #[inline(always)]
    pub fn with_format(input: &'a [u8], _format: F) -> Self {
        Self { rest: input, length: input.len(), depth: 0, promised: 0, format: PhantomData }
    }

    /// How many bytes have been read.
    #[inline(always)]
    pub fn offset(&self) -> usize {
        self.length - self.rest.len()
    }

    /// How many bytes are left.
    #[inline(always)]
    pub fn available(&self) -> usize {
        self.rest.len()
    }

    /// Whether no byte is left.
    #[inline(always)]
    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Reads a value of any type that has its layout: a primitive, a string, an object.
    ///
    /// # Errors
    /// When the bytes make no such value.
    #[inline(always)]
    pub fn read<T: SpanDeserialize<'a>>(&mut self) -> Result<T, DecodeError> {
        T::read(self)
    }

    /// Checks now that a run of fields will find this many bytes, so that their own checks fall away; the counterpart of
    /// [`SpanWriter::require`](super::SpanWriter::require).
    ///
    /// # Errors
    /// When fewer bytes are left.
    #[inline(always)]
    pub fn require(&mut self, bytes: usize) -> Result<(), DecodeError> {
        if !F::ENCODE_INT && self.rest.len() < bytes { Err(self.end_of_input(bytes)) } else { Ok(()) }
    }

    /// Reads an integer as the format has it: in fixed width, or encoded under [`SpanFormat::ENCODE_INT`].
    ///
    /// # Errors
    /// When the input ends in it, or its groups do not end.
    #[inline(always)]
    pub fn read_int<I: Integer>(&mut self) -> Result<I, DecodeError> {
        if F::ENCODE_INT && I::BYTES > 1 { self.read_encoded() } else { self.read_fixed() }
    }

    /// Reads an integer in the width of its type, whatever the format says.
    ///
    /// # Errors
    /// When the input ends in it.
    #[inline(always)]
    pub fn read_fixed<I: Integer>(&mut self) -> Result<I, DecodeError> {
        I::read_fixed(self)
    }

    /// Reads an integer in groups of seven bits, at most 5 of them, or 10 for 64 bits. Bits that the type has no place
    /// for are dropped, as the original does.
    ///
    /// # Errors
    /// When the input ends in it, or its groups do not end.
    #[inline(always)]
    pub fn read_encoded<I: Integer>(&mut self) -> Result<I, DecodeError> {
        match self.rest {
            [group, rest @ ..] if *group < 0x80 => {
                self.rest = rest;
                Ok(I::from_bits(u64::from(*group)))
            }
            [low, high, rest @ ..] if *high < 0x80 => {
                self.rest = rest;
                Ok(I::from_bits(u64::from(low & 0x7f) | u64::from(*high) << 7))
            }
            input => match read_groups(input, I::MAX_ENCODED_BYTES) {
                Some((bits, rest)) => {
                    self.rest = rest;
                    Ok(I::from_bits(bits))
                }
                None if input.len() < I::MAX_ENCODED_BYTES => Err(self.end_of_input(input.len() + 1)),
                None => Err(self.error(DecodeProblem::IntegerTooLong)),
            },
        }
    }

    /// Borrows the next bytes as they are.
    ///
    /// # Errors
    /// When fewer are left.
    #[inline(always)]
    pub fn read_raw(&mut self, length: usize) -> Result<&'a [u8], DecodeError> {
        let Some((bytes, rest)) = self.rest.split_at_checked(length) else {
            return Err(self.end_of_input(length));
        };
        self.rest = rest;
        Ok(bytes)
    }

    /// Borrows a byte array with an encoded length.
    ///
    /// # Errors
    /// When the length is negative or the input is shorter.
    #[inline(always)]
    pub fn read_bytes(&mut self) -> Result<&'a [u8], DecodeError> {
        let length = self.read_length(LengthWidth::Encoded)?;
        self.read_raw(length)
    }

    /// Borrows a string with an encoded length. The original's null string is the empty one here.
    ///
    /// # Errors
    /// When the length is negative, the input is shorter, or the bytes are not UTF-8.
    #[inline(always)]
    pub fn read_str(&mut self) -> Result<&'a str, DecodeError> {
        let bytes = self.read_bytes()?;
        str::from_utf8(bytes).map_err(|error| self.invalid_utf8(bytes.len() - error.valid_up_to()))
    }

    /// Reads a string with an encoded length, to own it.
    ///
    /// # Errors
    /// As [`SpanReader::read_str`].
    #[inline(always)]
    pub fn read_string(&mut self) -> Result<String, DecodeError> {
        let bytes = self.read_bytes()?;
        // The copy is checked, not the input: it is aligned, which the check takes a third of the time for.
        let mut copy = String::with_capacity(bytes.len()).into_bytes();
        copy.extend_from_slice(bytes);
        String::from_utf8(copy)
            .map_err(|error| self.invalid_utf8(bytes.len() - error.utf8_error().valid_up_to()))
    }

    /// Borrows the rest of the input as a string.
    ///
    /// # Errors
    /// When the bytes are not UTF-8.
    pub fn read_rest_str(&mut self) -> Result<&'a str, DecodeError> {
        let bytes = std::mem::take(&mut self.rest);
        str::from_utf8(bytes).map_err(|error| self.invalid_utf8(bytes.len() - error.valid_up_to()))
    }

    /// Borrows a string from a field of a fixed number of bytes, without the zeros that fill it up, and without the
    /// pieces of a last character that was cut.
    ///
    /// # Errors
    /// When the input is shorter, or the bytes are not UTF-8.
    pub fn read_fixed_str(&mut self, width: usize) -> Result<&'a str, DecodeError> {
        let field = self.read_raw(width)?;
        let filled = field.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        match str::from_utf8(&field[..filled]) {
            Ok(text) => Ok(text),
            Err(error) => {
                let (valid, bad) = field.split_at(error.valid_up_to());
                let was_cut = error.error_len().is_none() && filled == width;
                str::from_utf8(valid).ok().filter(|_| was_cut).ok_or_else(|| self.invalid_utf8(bad.len()))
            }
        }
    }

    /// Borrows a byte array behind a length of a width of your choice.
    ///
    /// # Errors
    /// When the length is negative or the input is shorter.
    pub fn read_array(&mut self, width: LengthWidth) -> Result<&'a [u8], DecodeError> {
        let length = self.read_length(width)?;
        self.read_raw(length)
    }

    /// Reads a length, or a count. Nobody has yet checked that the input is that long.
    ///
    /// # Errors
    /// When the input ends in it, or it is negative.
    #[inline(always)]
    pub fn read_length(&mut self, width: LengthWidth) -> Result<usize, DecodeError> {
        let length = match width {
            LengthWidth::Encoded => self.read_encoded::<i32>()?,
            LengthWidth::One => self.read_fixed::<u8>()?.into(),
            LengthWidth::Two => self.read_fixed::<u16>()?.into(),
            LengthWidth::Four => self.read_fixed::<i32>()?,
        };
        usize::try_from(length).map_err(|_| negative_length(self.offset(), length, width))
    }

    /// Reads a time with its ticks and its kind, whatever the format says.
    ///
    /// # Errors
    /// When the input ends in it, or its ticks are beyond year 9999.
    #[inline(always)]
    pub fn read_full_time(&mut self) -> Result<DateTime, DecodeError> {
        let offset = self.offset();
        let binary = self.read_int()?;
        DateTime::from_binary(binary).ok_or(DecodeError { offset, problem: DecodeProblem::ValueOutOfRange })
    }

    /// Reads an inner object without a flag: `None` where the input ends; the counterpart of
    /// [`SpanWriter::write_flagless`](super::SpanWriter::write_flagless).
    ///
    /// # Errors
    /// When the bytes make no such object.
    #[inline(always)]
    pub fn read_flagless<T: SpanDeserialize<'a>>(&mut self) -> Result<Option<T>, DecodeError> {
        if self.is_at_end() { Ok(None) } else { T::read(self).map(Some) }
    }

    /// Reads something one level deeper. Types that can contain themselves go through it; [`Box`] and [`Vec`] do.
    ///
    /// # Errors
    /// When that is deeper than [`MAX_DEPTH`], and whatever `read` fails with.
    #[inline(always)]
    pub fn nest<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        if self.depth == MAX_DEPTH {
            return Err(self.error(DecodeProblem::TooDeep));
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    /// Sets aside the bytes that the elements of a list take at least, while `read` takes room for them, redeems them and
    /// reads them one by one. Lists within lists cannot take room for the same bytes twice.
    #[inline]
    pub(super) fn promise<T>(
        &mut self,
        count: usize,
        smallest: usize,
        read: impl FnOnce(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        if count > self.rest.len().saturating_sub(self.promised) / smallest {
            return Err(self.error(DecodeProblem::LengthOutOfRange(count as i64)));
        }
        let before = self.promised;
        self.promised += count * smallest;
        let value = read(self);
        // After an error too: the reader may still be used.
        self.promised = before;
        value
    }

    #[inline(always)]
    pub(super) fn redeem(&mut self, smallest: usize) {
        self.promised -= smallest;
    }

    /// The bytes that are left.
    #[inline(always)]
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// An error at this place, for a `read` of your own.
    #[inline(always)]
    pub fn error(&self, problem: DecodeProblem) -> DecodeError {
        DecodeError { offset: self.offset(), problem }
    }

    #[inline(always)]
    pub(super) fn take<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let Some((bytes, rest)) = self.rest.split_first_chunk() else {
            return Err(self.end_of_input(N));
        };
        self.rest = rest;
        Ok(*bytes)
    }

    // Built in place, not in a function of its own: the compiler then sees that it is an error, and keeps the reader in
    // registers.
    #[inline(always)]
    fn end_of_input(&self, needed: usize) -> DecodeError {
        cold_path();
        self.error(DecodeProblem::EndOfInput { needed, available: self.rest.len() })
    }

    /// `back` is how far behind the current offset the bad byte stands.
    #[inline(always)]
    fn invalid_utf8(&self, back: usize) -> DecodeError {
        DecodeError { offset: self.offset() - back, problem: DecodeProblem::InvalidUtf8 }
    }
}

/// The number that the input begins with, and what follows it; none if its groups do not end within the limit.
#[inline(never)]
fn read_groups(input: &[u8], limit: usize) -> Option<(u64, &[u8])> {
    let mut bits = 0;
    for (index, group) in input.iter().take(limit).enumerate() {
        bits |= u64::from(group & 0x7f) << (7 * index);
        if *group < 0x80 {
            return Some((bits, &input[index + 1..]));
        }
    }
    None
}

#[cold]
fn negative_length(offset_behind: usize, length: i32, width: LengthWidth) -> DecodeError {
    // With its highest bit set, a number fills all of its groups.
    let bytes = if width == LengthWidth::Encoded { i32::MAX_ENCODED_BYTES } else { i32::BYTES };
    DecodeError { offset: offset_behind - bytes, problem: DecodeProblem::LengthOutOfRange(length.into()) }
}
