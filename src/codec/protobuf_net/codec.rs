//! The codec `protobuf-net`: what the lab measures of protobuf-net.

use std::fs::File;
use std::hint::black_box;
use std::io::{BufReader, BufWriter, Write};

use super::type_model::TypeFinder;
use super::{NetObjectCache, ProtoRoot, ProtoWriter, RuntimeTypeModel};
use super::{from_reader, from_slice, to_vec, to_writer};
use crate::codec::case::dropped;
use crate::codec::dotnet::MemoryStream;
use crate::codec::value::Beginning;
use crate::codec::{
    Codec, Decoded, ModelledObject, Operation, Prepared, Request, Variant, Workload, file, model_objects,
};
use crate::model::{CONTACT, Contact, DEMOS, Demo, ModelKind, User};

/// Bytes that the write-up of version 3 gives its stream to begin with.
const STREAM_BYTES: usize = 400 << 10;

/// Bytes of a `FileStream`'s own buffer.
const FILE_BUFFER_BYTES: usize = 4096;

/// The codec `protobuf-net`.
pub struct ProtobufNetCodec;

impl Codec for ProtobufNetCodec {
    fn name(&self) -> &'static str {
        "protobuf-net"
    }

    fn stands_for(&self) -> &'static str {
        "protobuf-net (a 2.0 beta and 3.1.22)"
    }

    fn prepare(&self, request: &Request) -> Option<Prepared> {
        if request.batch != 1 {
            return None;
        }
        match (request.variant, request.model, request.operation) {
            (Variant::Array, ..) => Some(with_value!(request.model, value => array(request, value))),
            (Variant::V2, ModelKind::Contact, Operation::Serialize) => Some(version_2()),
            (Variant::V3, ModelKind::Demo, _) => Some(version_3(request)),
            (Variant::Ready | Variant::Lazy, ..) => file::users(request, write_users, read_users),
            _ => None,
        }
    }

    fn encode(&self, model: ModelKind, items: usize) -> Option<Vec<u8>> {
        Some(with_value!(model, value => to_vec(value.beginning(items))))
    }

    fn decode(&self, model: ModelKind, bytes: &[u8]) -> Option<Decoded> {
        Some(with_type!(model, V => dropped(from_slice::<V>(bytes))))
    }

    fn objects(&self, request: &Request) -> Vec<ModelledObject> {
        match request.variant {
            Variant::V2 => vec![
                ModelledObject::fixed::<Box<ProtoWriter<'_>>>("ProtoBuf.ProtoWriter", 60),
                ModelledObject::fixed::<Box<NetObjectCache>>("ProtoBuf.NetObjectCache", 24),
                ModelledObject::fixed::<Box<TypeFinder>>("ProtoBuf.Meta.RuntimeTypeModel.TypeFinder", 12),
                ModelledObject::value_array_x86::<Vec<u8>, u8>("System.Byte[]", 1),
            ],
            _ => {
                let stream = ModelledObject::fixed::<Box<MemoryStream<'_>>>("MemoryStream", 64);
                [vec![stream, model_objects::byte_array::<Vec<u8>>()], model_objects::contents()].concat()
            }
        }
    }
}

/// Into a new array, or from one.
fn array<T: ProtoRoot + Sync + ?Sized>(request: &Request, value: &'static T) -> Prepared {
    let bytes = to_vec(value);
    let encoded_bytes = bytes.len() as u64;
    let workload = match request.operation {
        Operation::Serialize => Workload::write(value, |value| to_vec(*value)),
        Operation::Deserialize => Workload::read(bytes, |bytes| from_slice::<T>(bytes)),
    };
    Prepared { encoded_bytes, workload, inline_objects: model_objects::inline_objects(request) }
}

/// One object after the other into the same stream.
fn version_2() -> Prepared {
    let contact: &'static Contact = &CONTACT;
    let mut model = RuntimeTypeModel::default();
    model.add::<Contact>();
    let mut stream = MemoryStream::new();
    let workload = Workload::serial(move || {
        stream.rewind();
        black_box(&model.serialize(&mut stream, black_box(contact)));
    });
    Prepared { encoded_bytes: to_vec(contact).len() as u64, workload, inline_objects: Vec::new() }
}

/// A list into a new stream, or from an array.
fn version_3(request: &Request) -> Prepared {
    let demos: &'static [Demo] = &DEMOS;
    let bytes = to_vec(demos);
    let encoded_bytes = bytes.len() as u64;
    let workload = match request.operation {
        Operation::Serialize => Workload::serial(move || write_growing(black_box(demos))),
        Operation::Deserialize => Workload::read(bytes, from_slice::<[Demo]>),
    };
    Prepared { encoded_bytes, workload, inline_objects: model_objects::inline_objects(request) }
}

/// The stream doubles its array whenever that is full.
fn write_growing(demos: &[Demo]) {
    let mut stream = black_box(Box::new(MemoryStream::new()));
    stream.set_capacity(STREAM_BYTES);
    black_box(&to_writer(&mut *stream, demos));
    black_box(&stream);
}

fn write_users(users: &[User], file: File) {
    let mut stream = BufWriter::with_capacity(FILE_BUFFER_BYTES, file);
    to_writer(&mut stream, users).and_then(|()| stream.flush()).expect("a temporary file takes every byte");
}

fn read_users(file: File) -> Vec<User> {
    let stream = BufReader::with_capacity(FILE_BUFFER_BYTES, file);
    from_reader::<[User]>(stream).expect("the file was written by this codec")
}
