//! Writing into a buffer of the caller.

use std::hint::cold_path;
use std::marker::PhantomData;

use super::integer::Integer;
use super::{EncodeError, EncodeProblem, LengthWidth, SpanFormat, SpanSerialize, Standard};
use crate::model::DateTime;

/// Writes values one after the other into a buffer of the caller; allocates nothing.
///
/// When a value does not fit, nothing of its last primitive is written and the writer stays where it is.
///
/// # Examples
/// ```
/// use alloclab::codec::span::SpanWriter;
///
/// let mut buffer = [0; 16];
/// let mut writer = SpanWriter::new(&mut buffer);
/// writer.write(&42i32)?;
/// writer.write("NewLife")?;
/// let length = writer.written();
/// assert_eq!(buffer[..length], *b"\x2a\0\0\0\x07NewLife");
/// # Ok::<(), alloclab::codec::span::EncodeError>(())
/// ```
#[derive(Debug)]
pub struct SpanWriter<'a, F: SpanFormat = Standard> {
    // What is still free, not the whole and a position: a check against one length is all that a primitive costs, and
    // the compiler sees which checks an earlier one has made needless.
    free: &'a mut [u8],
    capacity: usize,
    format: PhantomData<F>,
}

impl<'a> SpanWriter<'a> {
    /// A writer of the standard format.
    #[inline(always)]
    pub fn new(buffer: &'a mut [u8]) -> Self {
        Self::with_format(buffer, Standard)
    }
}

impl<'a, F: SpanFormat> SpanWriter<'a, F> {
    /// A writer of a format of your own.
    #[inline(always)]
    pub fn with_format(buffer: &'a mut [u8], _format: F) -> Self {
        Self { capacity: buffer.len(), free: buffer, format: PhantomData }
    }

    /// How many bytes have been written.
    #[inline(always)]
    pub fn written(&self) -> usize {
        self.capacity - self.free.len()
    }

    /// How many bytes are still free.
    #[inline(always)]
    pub fn available(&self) -> usize {
        self.free.len()
    }

    /// Writes a value of any type that has its layout: a primitive, a string, an object.
    ///
    /// # Errors
    /// When the buffer is too small, or the format has no room for the value.
    #[inline(always)]
    pub fn write<T: SpanSerialize + ?Sized>(&mut self, value: &T) -> Result<(), EncodeError> {
        value.write(self)
    }

    /// Checks now that a run of fields will find this many bytes, so that their own checks fall away.
    ///
    /// Worth its place in front of several fields of fixed size. It says nothing about bytes: when integers are encoded,
    /// and their widths are not known, it does nothing.
    ///
    /// # Errors
    /// When fewer bytes are free.
    #[inline(always)]
    pub fn require(&mut self, bytes: usize) -> Result<(), EncodeError> {
        if !F::ENCODE_INT && self.free.len() < bytes { Err(self.out_of_space(bytes)) } else { Ok(()) }
    }

    /// Writes an integer as the format has it: in fixed width, or encoded under [`SpanFormat::ENCODE_INT`].
    ///
    /// # Errors
    /// When the buffer is too small.
    #[inline(always)]
    pub fn write_int<I: Integer>(&mut self, value: I) -> Result<(), EncodeError> {
        if F::ENCODE_INT && I::BYTES > 1 { self.write_encoded(value) } else { self.write_fixed(value) }
    }

    /// Writes an integer in the width of its type, whatever the format says: enums and flags.
    ///
    /// # Errors
    /// When the buffer is too small.
    #[inline(always)]
    pub fn write_fixed<I: Integer>(&mut self, value: I) -> Result<(), EncodeError> {
        value.write_fixed(self)
    }

    /// Writes an integer in groups of seven bits, lowest first, each but the last with its highest bit set.
    ///
    /// # Errors
    /// When the buffer is too small.
    #[inline(always)]
    pub fn write_encoded<I: Integer>(&mut self, value: I) -> Result<(), EncodeError> {
        let bits = value.to_bits();
        if bits < 0x80 {
            return self.put([bits as u8]);
        }
        if bits < 0x4000 {
            return self.put([bits as u8 | 0x80, (bits >> 7) as u8]);
        }
        let (groups, length) = groups(bits);
        self.write_raw(&groups[..length])
    }

    /// Writes bytes as they are.
    ///
    /// # Errors
    /// When the buffer is too small.
    #[inline(always)]
    pub fn write_raw(&mut self, bytes: &[u8]) -> Result<(), EncodeError> {
        self.claim(bytes.len())?.copy_from_slice(bytes);
        Ok(())
    }

    /// Writes an encoded length and the bytes: how the format has strings and byte arrays.
    ///
    /// # Errors
    /// When the buffer is too small, or there are more than `i32::MAX` bytes.
    #[inline(always)]
    pub fn write_bytes(&mut self, bytes: &[u8]) -> Result<(), EncodeError> {
        if bytes.len() < 0x80 {
            self.put([bytes.len() as u8])?;
            copy(bytes, self.claim(bytes.len())?);
            return Ok(());
        }
        let written = copy_long(bytes, self.free).map_err(|problem| self.error(problem))?;
        self.claim(written).map(drop)
    }

    /// Writes bytes behind a length of a width of your choice.
    ///
    /// # Errors
    /// When the buffer is too small, or the length does not fit its width.
    #[inline]
    pub fn write_array(&mut self, bytes: &[u8], width: LengthWidth) -> Result<(), EncodeError> {
        self.write_length(bytes.len(), width)?;
        self.write_raw(bytes)
    }

    /// Writes a length, or a count.
    ///
    /// # Errors
    /// When the buffer is too small, or the length does not fit its width.
    #[inline(always)]
    pub fn write_length(&mut self, length: usize, width: LengthWidth) -> Result<(), EncodeError> {
        // Most lists are short; their length is within every limit.
        if width == LengthWidth::Encoded && length < 0x80 {
            return self.put([length as u8]);
        }
        if length > width.limit() {
            let problem = EncodeProblem::LengthOutOfRange { length, limit: width.limit() };
            return Err(self.error(problem));
        }
        match width {
            LengthWidth::Encoded => self.write_encoded(length as u32),
            LengthWidth::One => self.write_fixed(length as u8),
            LengthWidth::Two => self.write_fixed(length as u16),
            LengthWidth::Four => self.write_fixed(length as u32),
        }
    }

    /// Writes a string in a field of a fixed number of bytes: zeros fill it up, and what is too long is cut off, inside
    /// of a character too.
    ///
    /// # Errors
    /// When the buffer is too small.
    pub fn write_fixed_str(&mut self, text: &str, width: usize) -> Result<(), EncodeError> {
        let room = self.claim(width)?;
        let kept = text.len().min(width);
        room[..kept].copy_from_slice(&text.as_bytes()[..kept]);
        room[kept..].fill(0);
        Ok(())
    }

    /// Writes a time with its ticks and its kind, whatever the format says.
    ///
    /// # Errors
    /// When the buffer is too small.
    #[inline(always)]
    pub fn write_full_time(&mut self, time: DateTime) -> Result<(), EncodeError> {
        self.write_int(time.to_binary())
    }

    /// Writes an inner object without a flag: for `None` nothing at all.
    ///
    /// That is how the original writes a member of a class type. `None` can be read back only where the input ends.
    ///
    /// # Errors
    /// When the buffer is too small, or the format has no room for the value.
    #[inline(always)]
    pub fn write_flagless<T: SpanSerialize>(&mut self, object: Option<&T>) -> Result<(), EncodeError> {
        object.map_or(Ok(()), |object| object.write(self))
    }

    /// An error at this place, for a `write` of your own.
    #[inline(always)]
    pub fn error(&self, problem: EncodeProblem) -> EncodeError {
        EncodeError { offset: self.written(), problem }
    }

    #[inline(always)]
    pub(super) fn put<const N: usize>(&mut self, bytes: [u8; N]) -> Result<(), EncodeError> {
        self.claim(N)?.copy_from_slice(&bytes);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn claim(&mut self, bytes: usize) -> Result<&'a mut [u8], EncodeError> {
        if self.free.len() < bytes {
            return Err(self.out_of_space(bytes));
        }
        let (claimed, free) = std::mem::take(&mut self.free).split_at_mut(bytes);
        self.free = free;
        Ok(claimed)
    }

    // Built in place, not in a function of its own: the compiler then sees that it is an error, and keeps the writer in
    // registers.
    #[inline(always)]
    fn out_of_space(&self, needed: usize) -> EncodeError {
        cold_path();
        self.error(EncodeProblem::OutOfSpace { needed, available: self.free.len() })
    }
}

/// Copies bytes behind their encoded length, and says how many bytes that makes. Out of line, so that what short strings
/// need stays small.
#[inline(never)]
fn copy_long(from: &[u8], to: &mut [u8]) -> Result<usize, EncodeProblem> {
    let (length, limit) = (from.len(), LengthWidth::Encoded.limit());
    if length > limit {
        return Err(EncodeProblem::LengthOutOfRange { length, limit });
    }
    let (groups, count) = groups(length as u64);
    let (needed, available) = (count + length, to.len());
    let room = to.get_mut(..needed).ok_or(EncodeProblem::OutOfSpace { needed, available })?;
    room[..count].copy_from_slice(&groups[..count]);
    room[count..].copy_from_slice(from);
    Ok(needed)
}

/// Copies bytes to as many others. Short strings are the rule, and a call to copy them takes longer than the copying: up
/// to 16 bytes are copied as two words that may overlap.
#[inline(always)]
fn copy(from: &[u8], to: &mut [u8]) {
    if from.len() > 16 || !(copy_words::<8>(from, to) || copy_words::<4>(from, to)) {
        to.copy_from_slice(from);
    }
}

/// Copies the first `N` bytes and the last, if there are that many.
#[inline(always)]
fn copy_words<const N: usize>(from: &[u8], to: &mut [u8]) -> bool {
    let (Some(first), Some(last)) = (from.first_chunk::<N>(), from.last_chunk::<N>()) else { return false };
    let Some(start) = to.first_chunk_mut() else { return false };
    *start = *first;
    let Some(end) = to.last_chunk_mut() else { return false };
    *end = *last;
    true
}

/// The groups of seven bits of a number, and how many they are.
#[inline(never)]
fn groups(mut bits: u64) -> ([u8; 10], usize) {
    let mut groups = [0; 10];
    let mut length = 0;
    loop {
        groups[length] = bits as u8 | 0x80;
        bits >>= 7;
        length += 1;
        if bits == 0 {
            groups[length - 1] &= 0x7f;
            return (groups, length);
        }
    }
}
