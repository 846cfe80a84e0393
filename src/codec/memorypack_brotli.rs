//! MemoryPack's bytes, compressed by brotli as its `BrotliCompressor` does by default: quality 1, a window of 22 bits.
//!
//! The stream is a plain brotli stream (RFC 7932), made by the crate brotli.
//!
//! # Examples
//! ```
//! use alloclab::codec::memorypack_brotli::{Brotli, MAX_UNPACKED_BYTES};
//!
//! let numbers = vec![7i64; 1000];
//! let mut brotli = Brotli::new();
//! let bytes = brotli.serialize(&numbers)?;
//! assert!(bytes.len() < 100);
//! assert_eq!(brotli.deserialize(&bytes, MAX_UNPACKED_BYTES), Ok(numbers));
//! # Ok::<(), alloclab::codec::memorypack::EncodeError>(())
//! ```

use std::hint::black_box;

use brotli::enc::StandardAlloc;
use brotli::enc::encode::{BrotliEncoderOperation, BrotliEncoderParameter, BrotliEncoderStateStruct};
use brotli::interface::{PredictionModeContextMap, StaticCommand};
use brotli::{BrotliDecompressStream, BrotliResult, BrotliState, InputPair, InputReferenceMut};

use super::case::dropped;
use super::memorypack::{
    self, EncodeError, MemoryPackDeserialize, MemoryPackModel, MemoryPackSerialize, ScratchBuffer,
};
use super::value::Beginning;
use super::{
    Codec, DecodeError, DecodeProblem, Decoded, ModelledObject, Operation, Prepared, Request, Variant,
    Workload, model_objects,
};
use crate::model::ModelKind;

/// Most bytes that the lab unpacks: 64 MiB.
pub const MAX_UNPACKED_BYTES: usize = 64 << 20;

/// Most bytes that the lab unpacks for each byte of a stream: its values take 15. A stream could make thousands of one, and
/// an object of 96 bytes of each of them.
pub const MAX_EXPANSION: usize = 64;

/// The original's fastest level.
const QUALITY: u32 = 1;

/// Bits of the window.
const WINDOW_BITS: u32 = 22;

/// Bytes of the first buffer for a stream, or for what it unpacks to; larger ones are twice the size.
const FIRST_BYTES: usize = 4 << 10;

/// Buffers that values go through on their way to or from a brotli stream, used again from one value to the next.
#[derive(Debug, Default)]
pub struct Brotli {
    values: ScratchBuffer,
    unpacked: Vec<u8>,
    packed: Vec<u8>,
}

impl Brotli {
    /// Without buffers.
    pub const fn new() -> Self {
        Self { values: ScratchBuffer::new(), unpacked: Vec::new(), packed: Vec::new() }
    }

    /// Writes a value, compressed, into a new array of exactly its size.
    ///
    /// # Errors
    /// When MemoryPack has no room for the value.
    pub fn serialize<T: MemoryPackSerialize + ?Sized>(
        &mut self,
        value: &T,
    ) -> Result<Box<[u8]>, EncodeError> {
        let length = compress(self.values.write(value)?, &mut self.packed);
        Ok(Box::from(&self.packed[..length]))
    }

    /// Reads a value from a stream that unpacks to at most `limit` bytes. What follows the stream is not looked at.
    ///
    /// # Errors
    /// When the bytes make no brotli stream, it unpacks to more, or to what makes no such value: the offset is then one
    /// among the unpacked bytes.
    pub fn deserialize<T: MemoryPackDeserialize>(
        &mut self,
        input: &[u8],
        limit: usize,
    ) -> Result<T, DecodeError> {
        let length = decompress(input, &mut self.unpacked, limit)?;
        memorypack::from_slice(&self.unpacked[..length])
    }
}

/// Writes the brotli stream of the bytes to the start of a buffer, which grows as it has to, and says how many bytes
/// that makes.
///
/// The bytes are handed over in one piece: at this quality the compressor makes a block of each piece, so that small
/// ones cost more than half of the compression. The crate's own writer would make two errors with texts first, in case
/// they are needed.
pub fn compress(bytes: &[u8], stream: &mut Vec<u8>) -> usize {
    let mut state = BrotliEncoderStateStruct::new(StandardAlloc::default());
    state.set_parameter(BrotliEncoderParameter::BROTLI_PARAM_QUALITY, QUALITY);
    state.set_parameter(BrotliEncoderParameter::BROTLI_PARAM_LGWIN, WINDOW_BITS);
    let (mut available, mut offset, mut length) = (bytes.len(), 0, 0);
    while !state.is_finished() {
        if length == stream.len() {
            stream.resize(FIRST_BYTES.max(2 * length), 0);
        }
        let mut free = stream.len() - length;
        let is_taken = state.compress_stream(
            BrotliEncoderOperation::BROTLI_OPERATION_FINISH,
            &mut available,
            bytes,
            &mut offset,
            &mut free,
            stream,
            &mut length,
            &mut None,
            &mut ignore_commands,
        );
        assert!(is_taken, "the compressor refuses no bytes");
    }
    length
}

/// Takes what the compressor tells about its choices.
fn ignore_commands(
    _: &mut PredictionModeContextMap<InputReferenceMut<'_>>,
    _: &mut [StaticCommand],
    _: InputPair<'_>,
    _: &mut StandardAlloc,
) {
}

/// Unpacks a brotli stream to the start of a buffer, which grows to `limit` at most, and says how many bytes that
/// makes.
///
/// Windows of more than 24 bits, an extension of brotli, are refused: they would be memory that no byte of the input
/// fills.
///
/// # Errors
/// When the bytes make no brotli stream, or it unpacks to more than the limit.
pub fn decompress(input: &[u8], unpacked: &mut Vec<u8>, limit: usize) -> Result<usize, DecodeError> {
    let alloc = StandardAlloc::default();
    let mut state = BrotliState::new_strict(alloc, alloc, alloc);
    let (mut offset, mut length) = (0, 0);
    loop {
        let (mut available, mut free) = (input.len() - offset, unpacked.len().min(limit) - length);
        let mut total = 0;
        let result = BrotliDecompressStream(
            &mut available,
            &mut offset,
            input,
            &mut free,
            &mut length,
            unpacked,
            &mut total,
            &mut state,
        );
        let problem = match result {
            BrotliResult::ResultSuccess => return Ok(length),
            BrotliResult::NeedsMoreOutput if length < limit => {
                let larger = (unpacked.len() * 2).clamp(FIRST_BYTES, FIRST_BYTES.max(limit));
                unpacked.resize(larger, 0);
                continue;
            }
            BrotliResult::NeedsMoreOutput => DecodeProblem::LimitExceeded { limit },
            BrotliResult::NeedsMoreInput => DecodeProblem::EndOfInput { needed: 1, available },
            BrotliResult::ResultFailure => DecodeProblem::InvalidCompression,
        };
        return Err(DecodeError { offset, problem });
    }
}

/// The codec `memorypack-brotli`.
pub struct MemoryPackBrotliCodec;

impl Codec for MemoryPackBrotliCodec {
    fn name(&self) -> &'static str {
        "memorypack-brotli"
    }

    fn stands_for(&self) -> &'static str {
        "MemoryPack with Brotli"
    }

    fn implementation(&self) -> &'static str {
        "own code, brotli 9.1.1"
    }

    fn prepare(&self, request: &Request) -> Option<Prepared> {
        if request.batch != 1 || request.variant != Variant::Array || !is_offered(request.model) {
            return None;
        }
        with_value!(request.model, value => prepare(value, request))
    }

    fn encode(&self, model: ModelKind, items: usize) -> Option<Vec<u8>> {
        if !is_offered(model) {
            return None;
        }
        with_value!(model, value => Brotli::new().serialize(value.beginning(items)).ok().map(Vec::from))
    }

    fn decode(&self, model: ModelKind, bytes: &[u8]) -> Option<Decoded> {
        if !is_offered(model) {
            return None;
        }
        let mut brotli = Brotli::new();
        Some(with_type!(model, V => {
            dropped(brotli.deserialize::<<V as ToOwned>::Owned>(bytes, limit(bytes)))
        }))
    }

    /// Brotli's own vectors of bytes stand for none: the original rents them, or has them outside of its heap.
    fn objects(&self, request: &Request) -> Vec<ModelledObject> {
        model_objects::results::<Box<[u8]>>(request)
    }
}

/// How many bytes a stream may unpack to in the lab.
fn limit(stream: &[u8]) -> usize {
    MAX_UNPACKED_BYTES.min(stream.len().saturating_mul(MAX_EXPANSION))
}

/// Whether there are cases of a model.
fn is_offered(model: ModelKind) -> bool {
    matches!(model, ModelKind::Demo | ModelKind::Payload16 | ModelKind::Payload128 | ModelKind::Payload1024)
}

fn prepare<V: MemoryPackModel + ?Sized>(value: &'static V, request: &Request) -> Option<Prepared> {
    let mut brotli = Brotli::new();
    let bytes = brotli.serialize(value).expect("a model fits the format");
    let (encoded_bytes, limit) = (bytes.len() as u64, limit(&bytes));
    let workload = match request.operation {
        Operation::Serialize => Workload::serial(move || {
            black_box(&brotli.serialize(black_box(value)));
        }),
        Operation::Deserialize => Workload::serial(move || {
            black_box(&brotli.deserialize::<V::Owned>(black_box(&bytes), limit));
        }),
    };
    Some(Prepared {
        encoded_bytes,
        workload,
        inline_objects: model_objects::inline_objects_and_empty_list(request),
    })
}
