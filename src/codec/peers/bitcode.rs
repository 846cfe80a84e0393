//! The codec `bitcode`: column by column, packed into as few bits as the values of a column need.

use std::fmt::Debug;

use bitcode::{Buffer, Decode, DecodeOwned, Encode, Error};

use super::Peer;
use super::case::{decode_untrusted, encoded, prepare, with_mirror, with_mirror_type};
use super::mirror::Mirror;
use crate::codec::{Codec, Decoded, ModelledObject, Prepared, Request};
use crate::model::ModelKind;

/// The codec `bitcode`.
///
/// It compresses: an element of a list whose members are all the same as in the elements before takes a few bits, and the
/// memory that it decodes to is a hundred times that and more.
pub struct BitcodeCodec;

impl Codec for BitcodeCodec {
    fn name(&self) -> &'static str {
        "bitcode"
    }

    fn stands_for(&self) -> &'static str {
        "bitcode, a compact format by columns"
    }

    fn implementation(&self) -> &'static str {
        "bitcode 0.6.9"
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

impl<T: Mirror + Encode + DecodeOwned> Peer<T> for BitcodeCodec
where
    for<'a> T::Borrowed<'a>: Decode<'a> + Debug,
{
    type Bytes = Vec<u8>;
    type Buffer = Buffer;
    type Error = Error;

    fn buffer(_encoded_bytes: usize) -> Buffer {
        Buffer::new()
    }

    fn encode_into<'b>(value: &T, buffer: &'b mut Buffer) -> Result<&'b [u8], Error> {
        Ok(buffer.encode(value))
    }

    fn encode(value: &T) -> Result<Vec<u8>, Error> {
        Ok(bitcode::encode(value))
    }

    fn decode(bytes: &[u8]) -> Result<T, Error> {
        bitcode::decode(bytes)
    }

    fn decode_with(bytes: &[u8], buffer: &mut Buffer) -> Result<T, Error> {
        buffer.decode(bytes)
    }

    fn borrow(bytes: &[u8]) -> Result<impl Debug, Error> {
        bitcode::decode::<T::Borrowed<'_>>(bytes)
    }
}
