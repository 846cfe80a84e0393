//! The codec `binaryformatter`: what the lab measures of BinaryFormatter.

use std::hint::black_box;

use crate::codec::case::dropped;
use crate::codec::dotnet::{MemoryStream, Property};
use crate::codec::{Codec, Decoded, ModelledObject, Operation, Prepared, Request, Variant, Workload};
use crate::model::{CONTACT, Contact, ModelKind, NESTED, NestedModel, SIMPLE, SimpleModel};

use super::{BinaryFormatter, FieldNames, Names, objects};

/// Bytes of the stream's array, as in the write-up.
const STREAM_BYTES: usize = 256;

/// An assembly's name of 66 characters. That many has the name in the write-up, for the string that BinaryFormatter joins
/// with it takes 190 B; the name itself is not known.
const ASSEMBLY: &str = "ChurnModels, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null";

/// The name in the program that Mono's objects were counted in: what is read is what that program read.
const MONO_ASSEMBLY: &str = "Fixtures, Version=0.0.0.0, Culture=neutral, PublicKeyToken=null";

/// The codec `binaryformatter`.
pub struct BinaryFormatterCodec;

impl Codec for BinaryFormatterCodec {
    fn name(&self) -> &'static str {
        "binaryformatter"
    }

    fn stands_for(&self) -> &'static str {
        "BinaryFormatter (.NET Framework 2.0 to 3.5)"
    }

    fn prepare(&self, request: &Request) -> Option<Prepared> {
        if request.batch != 1 {
            return None;
        }
        match (request.model, request.variant) {
            (ModelKind::Contact, Variant::Stream | Variant::Fields) => Some(prepare(request, &*CONTACT)),
            (ModelKind::Simple, Variant::Stream) => Some(prepare(request, &*SIMPLE)),
            (ModelKind::Nested, Variant::Stream) => Some(prepare(request, &*NESTED)),
            _ => None,
        }
    }

    fn encode(&self, model: ModelKind, _items: usize) -> Option<Vec<u8>> {
        match model {
            ModelKind::Contact => Some(encode(&*CONTACT)),
            ModelKind::Simple => Some(encode(&*SIMPLE)),
            ModelKind::Nested => Some(encode(&*NESTED)),
            _ => None,
        }
    }

    fn decode(&self, model: ModelKind, bytes: &[u8]) -> Option<Decoded> {
        match model {
            ModelKind::Contact => Some(decode::<Contact>(bytes)),
            ModelKind::Simple => Some(decode::<SimpleModel>(bytes)),
            ModelKind::Nested => Some(decode::<NestedModel>(bytes)),
            _ => None,
        }
    }

    fn objects(&self, request: &Request) -> Vec<ModelledObject> {
        match request.operation {
            Operation::Serialize => objects::written(),
            Operation::Deserialize => objects::read(),
        }
    }
}

/// The names of a case: a class with auto-properties, or one with plain fields and a name that says so.
fn names(request: &Request) -> Names<'static> {
    let (fields, root) = match request.variant {
        Variant::Fields => (FieldNames::Plain, Some("TestDotNetFields")),
        _ => (FieldNames::BackingFields, None),
    };
    let assembly = match request.operation {
        Operation::Serialize => ASSEMBLY,
        Operation::Deserialize => MONO_ASSEMBLY,
    };
    Names { assembly, namespace: "Models", root, fields }
}

fn prepare<M: Property + Sync>(request: &Request, value: &'static M) -> Prepared {
    let formatter =
        BinaryFormatter::<M>::new(&names(request)).expect("these models are classes of plain values");
    let mut stream = MemoryStream::with_capacity(STREAM_BYTES);
    formatter.serialize(&mut stream, value).expect("a model is no null, and this stream grows");
    let encoded_bytes = stream.written().len() as u64;
    let workload = match request.operation {
        Operation::Serialize => Workload::serial(move || {
            stream.rewind();
            black_box(&formatter.serialize(&mut stream, black_box(value)));
        }),
        Operation::Deserialize => Workload::serial(move || {
            stream.rewind();
            black_box(&formatter.deserialize(&mut stream));
        }),
    };
    Prepared { encoded_bytes, workload, inline_objects: Vec::new() }
}

/// A formatter for what the cases that decode take.
fn reading<M: Property>() -> BinaryFormatter<M> {
    let names =
        Names { assembly: MONO_ASSEMBLY, namespace: "Models", root: None, fields: FieldNames::BackingFields };
    BinaryFormatter::new(&names).expect("these models are classes of plain values")
}

fn encode<M: Property>(value: &M) -> Vec<u8> {
    let mut stream = MemoryStream::new();
    reading().serialize(&mut stream, value).expect("a model is no null, and this stream grows");
    stream.written().to_vec()
}

fn decode<M: Property>(bytes: &[u8]) -> Decoded {
    dropped(reading::<M>().deserialize(&mut MemoryStream::over(bytes)))
}
