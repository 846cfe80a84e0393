//! Lists that go through a buffer of the caller, piece by piece.

use std::io::{self, ErrorKind, Read, Write};

use super::{EncodeProblem, LengthWidth, SpanDeserialize, SpanReader, SpanSerialize, SpanWriter, to_slice};
use crate::codec::{DecodeError, DecodeProblem};

/// Writes a list to a stream, with the bytes that [`to_slice`] writes; allocates nothing.
///
/// # Errors
/// When an element needs more than the buffer, the format has no room for it, or the stream fails.
///
/// # Examples
/// ```
/// use alloclab::codec::span::{read_list, write_list};
///
/// let names = ["one".to_owned(), "two".to_owned(), "three".to_owned()];
/// let (mut buffer, mut stream) = ([0; 8], Vec::new());
/// write_list(&names, &mut buffer, &mut stream)?;
/// assert_eq!(stream, b"\x03\x03one\x03two\x05three");
/// assert_eq!(read_list::<String>(&mut buffer, &stream[..], stream.len() as u64)?, names);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_list<T: SpanSerialize>(
    items: &[T],
    buffer: &mut [u8],
    mut stream: impl Write,
) -> io::Result<()> {
    let mut writer = SpanWriter::new(buffer);
    writer.write_length(items.len(), LengthWidth::Encoded).map_err(io::Error::other)?;
    let mut filled = writer.written();
    for item in items {
        let written = match to_slice(item, &mut buffer[filled..]) {
            Err(error) if filled > 0 && matches!(error.problem, EncodeProblem::OutOfSpace { .. }) => {
                stream.write_all(&buffer[..filled])?;
                filled = 0;
                to_slice(item, buffer)
            }
            written => written,
        };
        filled += written.map_err(io::Error::other)?;
    }
    stream.write_all(&buffer[..filled])
}

/// Reads a list from a stream.
///
/// An element that the end of the buffer cuts is read once more, with what it allocates. Room for elements is taken at
/// once, but for no more than `stream_bytes`, the bytes that the stream is known to hold, can fill.
///
/// # Errors
/// When the bytes make no such list, an element needs more than the buffer, or the stream fails. The offset of a
/// [`DecodeError`] is that in the stream, of what was read here.
pub fn read_list<T: for<'a> SpanDeserialize<'a>>(
    buffer: &mut [u8],
    mut stream: impl Read,
    stream_bytes: u64,
) -> io::Result<Vec<T>> {
    let (mut start, mut end) = (0, fill(&mut stream, buffer)?);
    let mut reader = SpanReader::new(&buffer[..end]);
    let count = reader.read_length(LengthWidth::Encoded).map_err(|error| invalid(error, 0))?;
    start += reader.offset();
    let mut passed = 0;
    let capacity = stream_bytes / T::SIZE.min().max(1) as u64;
    let mut items = Vec::with_capacity(count.min(capacity as usize));
    while items.len() < count {
        let mut reader = SpanReader::new(&buffer[start..end]);
        match reader.read() {
            Ok(item) => {
                items.push(item);
                start += reader.offset();
            }
            Err(error) if start > 0 && is_cut_off(error.problem) => {
                buffer.copy_within(start..end, 0);
                passed += start;
                let kept = end - start;
                (start, end) = (0, kept + fill(&mut stream, &mut buffer[kept..])?);
            }
            Err(error) => return Err(invalid(error, passed + start)),
        }
    }
    Ok(items)
}

/// Reads until the buffer is full or the stream ends.
fn fill(stream: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match stream.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(bytes) => filled += bytes,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Whether more bytes may make the error go away.
fn is_cut_off(problem: DecodeProblem) -> bool {
    matches!(problem, DecodeProblem::EndOfInput { .. } | DecodeProblem::LengthOutOfRange(0..))
}

/// The error of bytes that so many others of the stream came before.
fn invalid(error: DecodeError, before: usize) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, DecodeError { offset: before + error.offset, ..error })
}
