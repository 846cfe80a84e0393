//! Reading from bytes of the caller.

use super::{LiteDeserialize, MAX_ELEMENTS, MAX_STRING_BYTES, NULL};
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
/// use alloclab::codec::lite::LiteReader;
///
/// let mut reader = LiteReader::new(b"\x2a\0\0\0\x02\0\0\0hi");
/// assert_eq!(reader.read::<i32>()?, 42);
/// assert_eq!(reader.read_str()?, Some("hi"));
/// assert_eq!(reader.available(), 0);
/// # Ok::<(), alloclab::codec::DecodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LiteReader<'a> {
    pub(super) bytes: SpanReader<'a>,
    depth: usize,
    // Bytes that are left for elements of lists for which room has been taken.
    promised: usize,
}

impl<'a> LiteReader<'a> {
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
    pub fn read<T: LiteDeserialize>(&mut self) -> Result<T, DecodeError> {
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

    /// Reads the count in front of a list's elements; none if the list is null. Nobody has yet checked that the input
    /// has as many.
    ///
    /// # Errors
    /// When the input ends, or the count is negative or above [`MAX_ELEMENTS`].
    #[inline(always)]
    pub fn read_count(&mut self) -> Result<Option<usize>, DecodeError> {
        self.read_length(MAX_ELEMENTS)
    }

    /// Borrows a string; none if it is null.
    ///
    /// # Errors
    /// When the input ends, the length is negative or above [`MAX_STRING_BYTES`], or the bytes are not UTF-8.
    #[inline]
    pub fn read_str(&mut self) -> Result<Option<&'a str>, DecodeError> {
        let Some(length) = self.read_length(MAX_STRING_BYTES)? else { return Ok(None) };
        let bytes = self.bytes.read_raw(length)?;
        str::from_utf8(bytes).map(Some).map_err(|error| DecodeError {
            offset: self.offset() - bytes.len() + error.valid_up_to(),
            problem: DecodeProblem::InvalidUtf8,
        })
    }

    #[inline(always)]
    fn read_length(&mut self, limit: usize) -> Result<Option<usize>, DecodeError> {
        let offset = self.offset();
        let length = self.bytes.read_fixed::<i32>()?;
        let problem = match usize::try_from(length) {
            Ok(length) if length <= limit => return Ok(Some(length)),
            Ok(_) => DecodeProblem::LimitExceeded { limit },
            Err(_) if length == NULL => return Ok(None),
            Err(_) => DecodeProblem::LengthOutOfRange(length.into()),
        };
        Err(DecodeError { offset, problem })
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
    /// Room for all of them is taken at once, for the input has at least the fewest bytes that so many can take: bytes
    /// that lists around this one count on are not counted again.
    ///
    /// # Errors
    /// When there are fewer bytes left than so many elements take, or they make no such values.
    pub fn read_list<T: LiteDeserialize>(&mut self, count: usize) -> Result<Vec<T>, DecodeError> {
        const { assert!(T::SIZE.min() > 0, "elements of a list have to take at least one byte") };
        let smallest = T::SIZE.min();
        if count > self.available().saturating_sub(self.promised) / smallest {
            return Err(self.error(DecodeProblem::LengthOutOfRange(count as i64)));
        }
        let before = self.promised;
        self.promised += count * smallest;
        let items = self.read_items(count);
        // After an error too: the reader may still be used.
        self.promised = before;
        items
    }

    #[inline]
    fn read_items<T: LiteDeserialize>(&mut self, count: usize) -> Result<Vec<T>, DecodeError> {
        let mut items = Vec::with_capacity(count);
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
