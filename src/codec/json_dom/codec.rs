//! The codec `json-dom`: what the lab measures of Newtonsoft.Json.

use std::fs::File;
use std::hint::black_box;
use std::io::{self, Write};

use super::{from_slice_seed, to_writer};
use crate::codec::adapter::SerdeModel;
use crate::codec::case::dropped;
use crate::codec::value::Beginning;
use crate::codec::{
    Codec, Decoded, ModelledObject, Operation, Prepared, Request, Variant, Workload, file, model_objects,
};
use crate::model::{ModelKind, User};

/// The codec `json-dom`.
pub struct JsonDomCodec;

impl Codec for JsonDomCodec {
    fn name(&self) -> &'static str {
        "json-dom"
    }

    fn stands_for(&self) -> &'static str {
        "Newtonsoft.Json"
    }

    fn implementation(&self) -> &'static str {
        "serde_json 1.0.154"
    }

    fn prepare(&self, request: &Request) -> Option<Prepared> {
        match request.variant {
            Variant::Array if request.batch == 1 => {
                Some(with_value!(request.model, value => prepare(request, value)))
            }
            Variant::Ready | Variant::Lazy => prepare_users(request),
            _ => None,
        }
    }

    fn encode(&self, model: ModelKind, items: usize) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        with_value!(model, value => to_writer(&mut bytes, value.beginning(items))).ok()?;
        Some(bytes)
    }

    fn decode(&self, model: ModelKind, bytes: &[u8]) -> Option<Decoded> {
        Some(with_type!(model, V => dropped(from_slice_seed(bytes, <V as SerdeModel>::seed()))))
    }

    fn objects(&self, _request: &Request) -> Vec<ModelledObject> {
        [model_objects::contents(), vec![model_objects::byte_array::<Vec<u8>>()]].concat()
    }
}

fn prepare<M: SerdeModel + ?Sized>(request: &Request, value: &'static M) -> Prepared {
    let mut bytes = Vec::new();
    to_writer(&mut bytes, value).expect("a model has keys that are text");
    let encoded_bytes = bytes.len() as u64;
    let workload = match request.operation {
        Operation::Serialize => write_array(value),
        Operation::Deserialize => Workload::read(bytes, |bytes| from_slice_seed(bytes, M::seed())),
    };
    let inline_objects = model_objects::inline_objects_and_empty_list(request);
    Prepared { encoded_bytes, workload, inline_objects }
}

/// Into a buffer that is kept, and from it into a new array.
fn write_array<M: SerdeModel + ?Sized>(value: &'static M) -> Workload {
    let mut buffer = Vec::new();
    Workload::serial(move || {
        buffer.clear();
        black_box(&to_writer(&mut buffer, black_box(value)));
        black_box(&buffer.to_vec());
    })
}

/// The whole text is made, then written; read whole, then parsed.
fn prepare_users(request: &Request) -> Option<Prepared> {
    let write = |users: &[User], mut file: File| {
        let mut bytes = Vec::new();
        to_writer(&mut bytes, users).expect("a user has keys that are text");
        file.write_all(&bytes).expect("a file in a folder of our own takes all users");
    };
    file::users(request, write, |file| {
        let text = io::read_to_string(file).expect("the file was written as text");
        from_slice_seed(text.as_bytes(), <[User]>::seed()).expect("the file was written as users")
    })
}
