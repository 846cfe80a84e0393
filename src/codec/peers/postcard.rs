//! The codec `postcard`: serde, integers in groups of seven bits.

use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Peer;
use super::case::{decode_untrusted, encoded, prepare, with_mirror, with_mirror_type};
use super::mirror::Mirror;
use crate::codec::{Codec, Decoded, ModelledObject, Prepared, Request};
use crate::model::ModelKind;

/// The codec `postcard`.
pub struct PostcardCodec;

impl Codec for PostcardCodec {
    fn name(&self) -> &'static str {
        "postcard"
    }

    fn stands_for(&self) -> &'static str {
        "postcard, a compact format for serde"
    }

    fn implementation(&self) -> &'static str {
        "postcard 1.2.0"
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

impl<T: Mirror + Serialize + DeserializeOwned> Peer<T> for PostcardCodec
where
    for<'a> T::Borrowed<'a>: Deserialize<'a> + Debug,
{
    type Bytes = Vec<u8>;
    type Buffer = Vec<u8>;
    type Error = postcard::Error;

    fn buffer(encoded_bytes: usize) -> Vec<u8> {
        vec![0; encoded_bytes]
    }

    fn encode_into<'b>(value: &T, buffer: &'b mut Vec<u8>) -> postcard::Result<&'b [u8]> {
        postcard::to_slice(value, buffer).map(|written| &*written)
    }

    fn encode(value: &T) -> postcard::Result<Vec<u8>> {
        postcard::to_stdvec(value)
    }

    fn decode(bytes: &[u8]) -> postcard::Result<T> {
        postcard::from_bytes(bytes)
    }

    fn borrow(bytes: &[u8]) -> postcard::Result<impl Debug> {
        postcard::from_bytes::<T::Borrowed<'_>>(bytes)
    }
}
