//! The codec `rkyv`: values laid out so that they can be used where they lie.

use std::fmt::Debug;

use rkyv::api::high::{HighDeserializer, HighSerializer, HighValidator, to_bytes_in};
use rkyv::bytecheck::CheckBytes;
use rkyv::rancor::Error;
use rkyv::ser::allocator::ArenaHandle;
use rkyv::ser::writer::Buffer;
use rkyv::util::AlignedVec;
use rkyv::{Archive, Deserialize, Portable, Serialize};

use super::Peer;
use super::case::{decode_untrusted, encoded, prepare, with_mirror, with_mirror_type};
use super::mirror::Mirror;
use crate::codec::{Codec, Decoded, ModelledObject, Prepared, Request};
use crate::model::ModelKind;

/// The codec `rkyv`. Its bytes are checked before they are used; they have to be aligned.
pub struct RkyvCodec;

impl Codec for RkyvCodec {
    fn name(&self) -> &'static str {
        "rkyv"
    }

    fn stands_for(&self) -> &'static str {
        "rkyv, values that are used where they lie"
    }

    fn implementation(&self) -> &'static str {
        "rkyv 0.8.18"
    }

    fn prepare(&self, request: &Request) -> Option<Prepared> {
        with_mirror!(request.model, value => prepare::<Self, _>(request, value))
    }

    fn encode(&self, model: ModelKind, items: usize) -> Option<Vec<u8>> {
        with_mirror!(model, items, value => encoded::<Self, _>(value))
    }

    /// Decodes a copy, which is aligned.
    fn decode(&self, model: ModelKind, bytes: &[u8]) -> Option<Decoded> {
        let mut aligned = <AlignedVec>::new();
        aligned.extend_from_slice(bytes);
        Some(with_mirror_type!(model, M => decode_untrusted::<Self, M>(&aligned)))
    }

    fn objects(&self, _request: &Request) -> Vec<ModelledObject> {
        Vec::new()
    }
}

impl<T> Peer<T> for RkyvCodec
where
    T: Mirror + Archive,
    T: for<'a> Serialize<HighSerializer<AlignedVec, ArenaHandle<'a>, Error>>,
    T: for<'a, 'b> Serialize<HighSerializer<Buffer<'b>, ArenaHandle<'a>, Error>>,
    T::Archived: Portable + Debug + Deserialize<T, HighDeserializer<Error>>,
    T::Archived: for<'a> CheckBytes<HighValidator<'a, Error>>,
{
    type Bytes = AlignedVec;
    type Buffer = AlignedVec;
    type Error = Error;

    fn buffer(encoded_bytes: usize) -> AlignedVec {
        let mut buffer = AlignedVec::new();
        buffer.resize(encoded_bytes, 0);
        buffer
    }

    fn encode_into<'b>(value: &T, buffer: &'b mut AlignedVec) -> Result<&'b [u8], Error> {
        let written = to_bytes_in(value, Buffer::from(&mut buffer[..]))?.len();
        Ok(&buffer[..written])
    }

    fn encode(value: &T) -> Result<AlignedVec, Error> {
        rkyv::to_bytes(value)
    }

    fn decode(bytes: &[u8]) -> Result<T, Error> {
        rkyv::from_bytes(bytes)
    }

    fn borrow(bytes: &[u8]) -> Result<impl Debug, Error> {
        rkyv::access::<T::Archived, Error>(bytes)
    }
}
