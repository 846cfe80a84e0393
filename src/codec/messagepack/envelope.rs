//! From compressed bytes to those of the value.

use lz4_flex::block::decompress_into;

use super::input::Input;
use super::{LZ4_BLOCK, LZ4_BLOCK_ARRAY, MAX_UNPACKED_BYTES};
use crate::codec::{DecodeError, DecodeProblem};

/// How many bytes one byte of a block can stand for at most: a longer match takes a byte for each further 255.
const MAX_EXPANSION: usize = 255;

/// How the bytes of a value come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As they are.
    Plain,
    /// Compressed, as one block.
    Block,
    /// Compressed, as many blocks.
    Blocks,
}

/// Unpacks compressed bytes into a buffer, and says whether they were compressed.
///
/// # Errors
/// When they begin as compressed bytes do and do not go on like them, or unpack to more than [`MAX_UNPACKED_BYTES`], or a
/// block to more than [`MAX_EXPANSION`] times its own.
pub(super) fn unpack(bytes: &[u8], plain: &mut Vec<u8>) -> Result<Form, DecodeError> {
    plain.clear();
    let mut input = Input::new(bytes);
    if let Some(extension) = input.extension()? {
        return match extension.kind {
            LZ4_BLOCK => input
                .part(extension.length)
                .and_then(|block| unpack_block(block, plain))
                .map(|()| Form::Block),
            _ => Ok(Form::Plain),
        };
    }
    // Whatever is wrong with other bytes, the value's reader says it.
    match lengths_of_blocks(&mut input) {
        Ok(Some((blocks, lengths))) => unpack_blocks(input, blocks, lengths, plain).map(|()| Form::Blocks),
        _ => Ok(Form::Plain),
    }
}

/// The number of blocks, and the extension with their lengths, if that is what the input begins with.
fn lengths_of_blocks<'a>(input: &mut Input<'a>) -> Result<Option<(usize, Input<'a>)>, DecodeError> {
    let Some(blocks) = input.array()?.and_then(|elements| elements.checked_sub(1)) else { return Ok(None) };
    match input.extension()? {
        Some(extension) if extension.kind == LZ4_BLOCK_ARRAY => {
            Ok(Some((blocks, input.part(extension.length)?)))
        }
        _ => Ok(None),
    }
}

fn unpack_block(mut block: Input<'_>, plain: &mut Vec<u8>) -> Result<(), DecodeError> {
    let length = Length::read(&mut block)?;
    append(length, block, plain)
}

fn unpack_blocks(
    mut input: Input<'_>,
    blocks: usize,
    mut lengths: Input<'_>,
    plain: &mut Vec<u8>,
) -> Result<(), DecodeError> {
    for _ in 0..blocks {
        let length = Length::read(&mut lengths)?;
        append(length, input.binary()?, plain)?;
    }
    match lengths.rest().first() {
        Some(&byte) => Err(lengths.error(DecodeProblem::UnexpectedTag(byte))),
        None => Ok(()),
    }
}

/// The length that a block is said to have, and where.
struct Length<'a> {
    value: i64,
    at: Input<'a>,
}

impl<'a> Length<'a> {
    fn read(input: &mut Input<'a>) -> Result<Self, DecodeError> {
        let at = *input;
        Ok(Self { value: input.integer()?, at })
    }

    fn up_to(&self, limit: usize) -> Result<usize, DecodeError> {
        match usize::try_from(self.value) {
            Ok(bytes) if bytes <= limit => Ok(bytes),
            _ if self.value < 0 => Err(self.at.error(DecodeProblem::LengthOutOfRange(self.value))),
            _ => Err(self.at.error(DecodeProblem::LimitExceeded { limit })),
        }
    }
}

/// Unpacks a block behind the others. Room is made for no more than its bytes can stand for.
fn append(length: Length<'_>, block: Input<'_>, plain: &mut Vec<u8>) -> Result<(), DecodeError> {
    let packed = block.rest();
    let free = MAX_UNPACKED_BYTES - plain.len();
    let bytes = length.up_to(free.min(packed.len().saturating_mul(MAX_EXPANSION)))?;
    let start = plain.len();
    plain.resize(start + bytes, 0);
    match decompress_into(packed, &mut plain[start..]) {
        Ok(unpacked) if unpacked == bytes => Ok(()),
        _ => Err(block.error(DecodeProblem::InvalidCompression)),
    }
}
