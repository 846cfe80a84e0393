//! The codec `bincode`: its standard configuration, and a limit.

use bincode::config::{Configuration, Limit, standard};
use bincode::error::{DecodeError, EncodeError};
use bincode::{BorrowDecode, Decode, Encode};

use super::case::{decode_untrusted, encoded, prepare, with_mirror, with_mirror_type};
use super::mirror::Mirror;
use super::{MEMORY_LIMIT, Peer};
use crate::codec::{Codec, Decoded, ModelledObject, Prepared, Request};
use crate::model::ModelKind;

/// The codec `bincode`: bincode 2.0.1.
///
/// It is no longer maintained (RUSTSEC-2025-0141), and its release 3.0.0 is a notice of that, without code. It is measured
/// because many programs use it; [`wincode`](super::WincodeCodec) can write the same bytes, and is maintained.
///
/// Integers take one byte to nine, by their size. A list takes the memory that it claims before its elements are read, up to
/// [`MEMORY_LIMIT`] for the whole value.
pub struct BincodeCodec;

const CONFIGURATION: Configuration<
    bincode::config::LittleEndian,
    bincode::config::Varint,
    Limit<MEMORY_LIMIT>,
> = standard().with_limit::<MEMORY_LIMIT>();

/// What went wrong in bincode.
#[derive(Debug)]
pub enum BincodeError {
    /// While it wrote.
    Encode(EncodeError),
    /// While it read.
    Decode(DecodeError),
}

impl Codec for BincodeCodec {
    fn name(&self) -> &'static str {
        "bincode"
    }

    fn stands_for(&self) -> &'static str {
        "bincode, unmaintained (RUSTSEC-2025-0141)"
    }

    fn implementation(&self) -> &'static str {
        "bincode 2.0.1"
    }

    fn prepare(&self, request: &Request) -> Option<Prepared> {
        with_mirror!(request.model, value => prepare::<Self, _>(request, value))
    }

    fn encode(&self, model: ModelKind, items: usize) -> Option<Vec<u8>> {
        with_mirror!(model, items, value => encoded::<Self, _>(value))
    }

    fn decode(&self, model: ModelKind, bytes: &[u8]) -> Option<Decoded> {
        Some(with_mirror_type!(model, M => decode_untrusted::<Self, M>(bytes)))
    }

    fn objects(&self, _request: &Request) -> Vec<ModelledObject> {
        Vec::new()
    }
}

impl<T: Mirror + Encode + Decode<()>> Peer<T> for BincodeCodec
where
    for<'a> T::Borrowed<'a>: BorrowDecode<'a, ()> + std::fmt::Debug,
{
    type Bytes = Vec<u8>;
    type Buffer = Vec<u8>;
    type Error = BincodeError;

    fn buffer(encoded_bytes: usize) -> Vec<u8> {
        vec![0; encoded_bytes]
    }

    fn encode_into<'b>(value: &T, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], BincodeError> {
        let written = bincode::encode_into_slice(value, buffer, CONFIGURATION);
        written.map(|written| &buffer[..written]).map_err(BincodeError::Encode)
    }

    fn encode(value: &T) -> Result<Vec<u8>, BincodeError> {
        bincode::encode_to_vec(value, CONFIGURATION).map_err(BincodeError::Encode)
    }

    fn decode(bytes: &[u8]) -> Result<T, BincodeError> {
        let decoded = bincode::decode_from_slice(bytes, CONFIGURATION);
        decoded.map(|(value, _)| value).map_err(BincodeError::Decode)
    }

    fn borrow(bytes: &[u8]) -> Result<impl std::fmt::Debug, BincodeError> {
        let decoded = bincode::borrow_decode_from_slice::<T::Borrowed<'_>, _>(bytes, CONFIGURATION);
        decoded.map(|(value, _)| value).map_err(BincodeError::Decode)
    }
}
