//! The codec `protobuf`: what the lab measures of prost.

use prost::Message;

use super::Mirror;
use crate::codec::case::dropped;
use crate::codec::value::Beginning;
use crate::codec::{
    Codec, Decoded, ModelledObject, Operation, Prepared, Request, Variant, Workload, model_objects,
};
use crate::model::ModelKind;

/// The codec `protobuf`.
pub struct ProtobufCodec;

impl Codec for ProtobufCodec {
    fn name(&self) -> &'static str {
        "protobuf"
    }

    fn stands_for(&self) -> &'static str {
        "Google.Protobuf"
    }

    fn implementation(&self) -> &'static str {
        "prost 0.14.6"
    }

    fn prepare(&self, request: &Request) -> Option<Prepared> {
        if request.batch != 1 {
            return None;
        }
        with_value!(request.model, value => prepare(request, value.to_message()))
    }

    fn encode(&self, model: ModelKind, items: usize) -> Option<Vec<u8>> {
        Some(with_value!(model, value => value.beginning(items).to_message().encode_to_vec()))
    }

    fn decode(&self, model: ModelKind, bytes: &[u8]) -> Option<Decoded> {
        Some(with_type!(model, V => dropped(<V as Mirror>::Message::decode(bytes))))
    }

    /// The array that is written. What Google.Protobuf makes when it reads is in no table, so that nothing is modelled then.
    fn objects(&self, request: &Request) -> Vec<ModelledObject> {
        match request.operation {
            Operation::Serialize => vec![model_objects::byte_array::<Vec<u8>>()],
            Operation::Deserialize => Vec::new(),
        }
    }
}

fn prepare<M: Message + Default + 'static>(request: &Request, message: M) -> Option<Prepared> {
    let bytes = message.encode_to_vec();
    let encoded_bytes = bytes.len() as u64;
    let workload = match (request.operation, request.variant) {
        (Operation::Serialize, Variant::Array) => Workload::write(message, M::encode_to_vec),
        (Operation::Serialize, Variant::Span) => {
            Workload::write_span(message, bytes.len(), |message, mut buffer| {
                message.encode(&mut buffer).expect("the buffer has the message's length");
            })
        }
        (Operation::Deserialize, Variant::Array | Variant::Span) => {
            Workload::read(bytes, |bytes| M::decode(bytes))
        }
        _ => return None,
    };
    Some(Prepared { encoded_bytes, workload, inline_objects: Vec::new() })
}
