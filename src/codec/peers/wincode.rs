//! The codec `wincode`: written for the layout of bincode 1, values built in place.

use std::fmt::Debug;

use wincode::config::{Configuration, deserialize, serialize, serialize_into};
use wincode::{ReadError, SchemaRead, SchemaWrite, WriteError};

use super::case::{decode_untrusted, encoded, prepare, with_mirror, with_mirror_type};
use super::mirror::Mirror;
use super::{MEMORY_LIMIT, Peer};
use crate::codec::{Codec, Decoded, ModelledObject, Prepared, Request};
use crate::model::ModelKind;

/// The codec `wincode`.
///
/// A list takes the memory that it claims before its elements are read, up to [`MEMORY_LIMIT`]: more than the crate's own
/// 4 MiB, which the list of users does not fit.
pub struct WincodeCodec;

/// The crate's own configuration, with more room for a list.
type Options = Configuration<true, MEMORY_LIMIT>;

/// What went wrong in wincode.
#[derive(Debug)]
pub enum WincodeError {
    /// While it wrote.
    Write(WriteError),
    /// While it read.
    Read(ReadError),
}

impl Codec for WincodeCodec {
    fn name(&self) -> &'static str {
        "wincode"
    }

    fn stands_for(&self) -> &'static str {
        "wincode, the bytes of bincode 1"
    }

    fn implementation(&self) -> &'static str {
        "wincode 0.6.3"
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

impl<T: Mirror + SchemaWrite<Options, Src = T> + for<'a> SchemaRead<'a, Options, Dst = T>> Peer<T>
    for WincodeCodec
where
    for<'a> T::Borrowed<'a>: SchemaRead<'a, Options, Dst = T::Borrowed<'a>> + Debug,
{
    type Bytes = Vec<u8>;
    type Buffer = Vec<u8>;
    type Error = WincodeError;

    fn buffer(encoded_bytes: usize) -> Vec<u8> {
        vec![0; encoded_bytes]
    }

    fn encode_into<'b>(value: &T, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], WincodeError> {
        let written = serialize_into(&mut buffer[..], value, Options::new());
        written.map(|()| &buffer[..]).map_err(WincodeError::Write)
    }

    fn encode(value: &T) -> Result<Vec<u8>, WincodeError> {
        serialize(value, Options::new()).map_err(WincodeError::Write)
    }

    fn decode(bytes: &[u8]) -> Result<T, WincodeError> {
        deserialize(bytes, Options::new()).map_err(WincodeError::Read)
    }

    fn borrow(bytes: &[u8]) -> Result<impl Debug, WincodeError> {
        deserialize::<T::Borrowed<'_>, _>(bytes, Options::new()).map_err(WincodeError::Read)
    }
}
