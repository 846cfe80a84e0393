//! The codec `speedy`: fixed widths, lengths in four bytes.

use std::fmt::Debug;

use speedy::{Error, LittleEndian, Readable, Writable};

use super::Peer;
use super::case::{decode_untrusted, encoded, prepare, with_mirror, with_mirror_type};
use super::mirror::Mirror;
use crate::codec::{Codec, Decoded, ModelledObject, Prepared, Request};
use crate::model::ModelKind;

/// The codec `speedy`.
pub struct SpeedyCodec;

impl Codec for SpeedyCodec {
    fn name(&self) -> &'static str {
        "speedy"
    }

    fn stands_for(&self) -> &'static str {
        "speedy, values as they are in memory"
    }

    fn implementation(&self) -> &'static str {
        "speedy 0.8.7"
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

impl<T: Mirror + Writable<LittleEndian> + for<'a> Readable<'a, LittleEndian>> Peer<T> for SpeedyCodec
where
    for<'a> T::Borrowed<'a>: Readable<'a, LittleEndian> + Debug,
{
    type Bytes = Vec<u8>;
    type Buffer = Vec<u8>;
    type Error = Error;

    fn buffer(encoded_bytes: usize) -> Vec<u8> {
        vec![0; encoded_bytes]
    }

    fn encode_into<'b>(value: &T, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Error> {
        value.write_to_buffer_with_ctx(LittleEndian {}, buffer).map(|()| &buffer[..])
    }

    fn encode(value: &T) -> Result<Vec<u8>, Error> {
        value.write_to_vec_with_ctx(LittleEndian {})
    }

    fn decode(bytes: &[u8]) -> Result<T, Error> {
        T::read_from_buffer_with_ctx(LittleEndian {}, bytes)
    }

    fn borrow(bytes: &[u8]) -> Result<impl Debug, Error> {
        <T::Borrowed<'_>>::read_from_buffer_with_ctx(LittleEndian {}, bytes)
    }
}
