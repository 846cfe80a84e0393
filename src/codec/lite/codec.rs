//! The codec `lite`: what the lab measures of LiteSerializer.

use super::{LiteDeserialize, LiteSerialize, ScratchBuffer, from_slice, to_slice};
use crate::codec::case::dropped;
use crate::codec::value::Beginning;
use crate::codec::{
    Codec, Decoded, ModelledObject, Operation, Prepared, Request, Variant, Workload, model_objects,
};
use crate::model::ModelKind;

/// Bytes of the caller's buffer in the write-up.
const BUFFER_BYTES: usize = 256 << 10;

/// The codec `lite`.
pub struct LiteCodec;

impl Codec for LiteCodec {
    fn name(&self) -> &'static str {
        "lite"
    }

    fn stands_for(&self) -> &'static str {
        "LiteSerializer (Nalix)"
    }

    fn prepare(&self, request: &Request) -> Option<Prepared> {
        if request.batch != 1 {
            return None;
        }
        with_value!(request.model, value => prepare(value, request))
    }

    fn encode(&self, model: ModelKind, items: usize) -> Option<Vec<u8>> {
        with_value!(model, value => ScratchBuffer::new().serialize(value.beginning(items)).ok())
    }

    fn decode(&self, model: ModelKind, bytes: &[u8]) -> Option<Decoded> {
        Some(with_type!(model, V => dropped(from_slice::<<V as ToOwned>::Owned>(bytes))))
    }

    fn objects(&self, request: &Request) -> Vec<ModelledObject> {
        model_objects::results::<Vec<u8>>(request)
    }
}

/// A value that the codec takes, or a list of them.
trait LiteModel: LiteSerialize + ToOwned<Owned: LiteDeserialize> + Sync {}

impl<V: LiteSerialize + ToOwned<Owned: LiteDeserialize> + Sync + ?Sized> LiteModel for V {}

fn prepare<V: LiteModel + ?Sized>(value: &'static V, request: &Request) -> Option<Prepared> {
    let mut scratch = ScratchBuffer::new();
    let bytes = scratch.serialize(value).expect("a model fits the format");
    let encoded_bytes = bytes.len() as u64;
    let workload = match (request.operation, request.variant) {
        (Operation::Serialize, Variant::Array) => {
            Workload::write(value, move |value| scratch.serialize(*value))
        }
        (Operation::Serialize, Variant::Span) => {
            let length = bytes.len().max(BUFFER_BYTES);
            Workload::write_span(value, length, |value, buffer| to_slice(*value, buffer))
        }
        (Operation::Deserialize, Variant::Array | Variant::Span) => {
            Workload::read(bytes, from_slice::<V::Owned>)
        }
        _ => return None,
    };
    Some(Prepared { encoded_bytes, workload, inline_objects: model_objects::inline_objects(request) })
}
