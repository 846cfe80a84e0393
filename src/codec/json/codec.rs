//! The codec `json`: what the lab measures of System.Text.Json.

use std::cell::RefCell;
use std::hint::black_box;
use std::io::Read;

use super::stack::{ReadStackFrame, WriteStackFrame};
use super::{from_slice_seed, to_writer};
use crate::codec::adapter::{BufferedFile, SerdeModel};
use crate::codec::case::dropped;
use crate::codec::value::Beginning;
use crate::codec::{
    Codec, Decoded, InlineObject, ModelledObject, Operation, Prepared, Request, Variant, Workload, file,
    model_objects,
};
use crate::model::{ModelKind, User};

/// The codec `json`.
pub struct JsonCodec;

impl Codec for JsonCodec {
    fn name(&self) -> &'static str {
        "json"
    }

    fn stands_for(&self) -> &'static str {
        "System.Text.Json"
    }

    fn implementation(&self) -> &'static str {
        "serde_json 1.0.154"
    }

    fn prepare(&self, request: &Request) -> Option<Prepared> {
        match request.variant {
            Variant::Array | Variant::Span if request.batch == 1 => {
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

    /// The write-up of `demo` writes a string, which in .NET takes two bytes for each byte of it here; it reads one, too, of
    /// which the original makes bytes.
    fn objects(&self, request: &Request) -> Vec<ModelledObject> {
        let bytes = match (request.model, request.operation) {
            (ModelKind::Demo, Operation::Serialize) => ModelledObject::string::<Vec<u8>>(),
            _ => model_objects::byte_array::<Vec<u8>>(),
        };
        let stacks = vec![
            ModelledObject::array::<Vec<WriteStackFrame>, WriteStackFrame>("WriteStackFrame[]", 72),
            ModelledObject::array::<Vec<ReadStackFrame>, ReadStackFrame>("ReadStackFrame[]", 112),
        ];
        [model_objects::contents(), vec![bytes], stacks].concat()
    }
}

fn prepare<M: SerdeModel + ?Sized>(request: &Request, value: &'static M) -> Prepared {
    let mut bytes = Vec::new();
    to_writer(&mut bytes, value).expect("a model has finite numbers and is shallow");
    let encoded_bytes = bytes.len() as u64;
    let mut inline_objects = model_objects::inline_objects_and_empty_list(request);
    let workload = match (request.operation, request.variant) {
        (Operation::Serialize, Variant::Array) => write_array(value),
        (Operation::Serialize, _) => write_span(value, bytes),
        (Operation::Deserialize, Variant::Array) if request.model == ModelKind::Demo => {
            inline_objects.extend(demo_lists());
            read_string::<M>(bytes)
        }
        (Operation::Deserialize, _) => Workload::read(bytes, |bytes| from_slice_seed(bytes, M::seed())),
    };
    Prepared { encoded_bytes, workload, inline_objects }
}

/// The lists that become the arrays of `demo`.
fn demo_lists() -> [InlineObject; 2] {
    let roots = ModelKind::Demo.objects().into();
    [
        InlineObject { name: "List<DemoClass>", count: 1, dotnet_bytes: 32 },
        InlineObject { name: "List<DemoSubClass>", count: roots, dotnet_bytes: 32 },
    ]
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

fn write_span<M: SerdeModel + ?Sized>(value: &'static M, mut span: Vec<u8>) -> Workload {
    Workload::serial(move || {
        black_box(&to_writer(span.as_mut_slice(), black_box(value)));
        black_box(&span);
    })
}

/// From a string, whose bytes as UTF-8 the original puts into a new array: it is too large for one of its pool.
fn read_string<M: SerdeModel + ?Sized>(string: Vec<u8>) -> Workload {
    Workload::serial(move || {
        let bytes = black_box(black_box(&string).clone());
        black_box(&from_slice_seed(&bytes, M::seed()));
    })
}

/// Written through a buffer that is kept; read whole, and then parsed. The published figure has room for the file's bytes,
/// but not for the text that the write-up's other JSON serializer makes of them.
fn prepare_users(request: &Request) -> Option<Prepared> {
    let buffer = RefCell::new(Vec::new());
    let write = move |users: &[User], file| {
        let mut buffer = buffer.borrow_mut();
        let mut file = BufferedFile::new(file, &mut buffer);
        to_writer(&mut file, users).expect("a file in a folder of our own takes all users");
        file.finish().expect("a file in a folder of our own takes all users");
    };
    file::users(request, write, |mut file| {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).expect("the file was written before");
        from_slice_seed(&bytes, <[User]>::seed()).expect("the file was written as users")
    })
}
