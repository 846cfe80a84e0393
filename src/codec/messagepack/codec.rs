//! The codecs `messagepack`, `messagepack-lz4` and `messagepack-lz4-array`: what the lab measures of MessagePack-CSharp.

use std::cell::RefCell;
use std::fs::File;
use std::hint::black_box;
use std::io::{Read, Write};

use super::{Compression, Reader, Writer, to_writer};
use crate::codec::adapter::{BufferedFile, SerdeModel};
use crate::codec::case::dropped;
use crate::codec::value::Beginning;
use crate::codec::{
    Codec, Decoded, ModelledObject, Operation, Prepared, Request, Variant, Workload, file, model_objects,
};
use crate::model::{ModelKind, User};

/// One of the codecs, by its compression.
pub struct MessagePackCodec(pub Compression);

impl Codec for MessagePackCodec {
    fn name(&self) -> &'static str {
        match self.0 {
            Compression::None => "messagepack",
            Compression::Lz4Block => "messagepack-lz4",
            Compression::Lz4BlockArray => "messagepack-lz4-array",
        }
    }

    fn stands_for(&self) -> &'static str {
        match self.0 {
            Compression::None => "MessagePack-CSharp",
            Compression::Lz4Block => "MessagePack-CSharp, Lz4Block",
            Compression::Lz4BlockArray => "MessagePack-CSharp, Lz4BlockArray",
        }
    }

    fn implementation(&self) -> &'static str {
        match self.0 {
            Compression::None => "rmp-serde 1.3.1",
            _ => "rmp-serde 1.3.1, lz4_flex 0.14.2",
        }
    }

    fn prepare(&self, request: &Request) -> Option<Prepared> {
        match request.variant {
            Variant::Array | Variant::Span if request.batch == 1 => {
                Some(with_value!(request.model, value => prepare(self.0, request, value)))
            }
            Variant::Ready | Variant::Lazy => prepare_users(self.0, request),
            _ => None,
        }
    }

    fn encode(&self, model: ModelKind, items: usize) -> Option<Vec<u8>> {
        let mut writer = Writer::new(self.0);
        with_value!(model, value => writer.write(value.beginning(items)).ok().map(<[u8]>::to_vec))
    }

    fn decode(&self, model: ModelKind, bytes: &[u8]) -> Option<Decoded> {
        let mut reader = Reader::new();
        Some(with_type!(model, V => dropped(reader.read_seed(bytes, <V as SerdeModel>::seed()))))
    }

    fn objects(&self, _request: &Request) -> Vec<ModelledObject> {
        [model_objects::contents(), vec![model_objects::byte_array::<Vec<u8>>()]].concat()
    }
}

fn prepare<M: SerdeModel + ?Sized>(
    compression: Compression,
    request: &Request,
    value: &'static M,
) -> Prepared {
    let bytes = Writer::new(compression).write(value).expect("a model's lists have lengths").to_vec();
    let encoded_bytes = bytes.len() as u64;
    let workload = match (request.operation, request.variant) {
        (Operation::Serialize, Variant::Array) => write_array(compression, value),
        (Operation::Serialize, _) => write_span(compression, value, bytes),
        (Operation::Deserialize, _) => {
            let mut reader = Reader::new();
            Workload::read(bytes, move |bytes| reader.read_seed(bytes, M::seed()))
        }
    };
    let inline_objects = model_objects::inline_objects_and_empty_list(request);
    Prepared { encoded_bytes, workload, inline_objects }
}

/// Into buffers that are kept, and from them into a new array.
fn write_array<M: SerdeModel + ?Sized>(compression: Compression, value: &'static M) -> Workload {
    let mut writer = Writer::new(compression);
    Workload::serial(move || {
        black_box(&writer.write(black_box(value)).map(<[u8]>::to_vec));
        writer.trim();
    })
}

/// Compressed bytes are made in buffers that are kept, and copied.
fn write_span<M: SerdeModel + ?Sized>(
    compression: Compression,
    value: &'static M,
    mut span: Vec<u8>,
) -> Workload {
    let mut writer = Writer::new(compression);
    Workload::serial(move || {
        match compression {
            Compression::None => to_writer(span.as_mut_slice(), black_box(value)),
            _ => writer.write(black_box(value)).map(|bytes| span.copy_from_slice(bytes)),
        }
        .expect("the bytes were counted before");
        writer.trim();
        black_box(&span);
    })
}

/// Written through a buffer that is kept; read whole, and then parsed.
fn prepare_users(compression: Compression, request: &Request) -> Option<Prepared> {
    match compression {
        Compression::None => {
            let buffer = RefCell::new(Vec::new());
            file::users(
                request,
                move |users, file| write_users(users, file, &mut buffer.borrow_mut()),
                read_users,
            )
        }
        _ => {
            let writer = RefCell::new(Writer::new(compression));
            file::users(
                request,
                move |users, file| pack_users(users, file, &mut writer.borrow_mut()),
                read_users,
            )
        }
    }
}

fn write_users(users: &[User], file: File, buffer: &mut Vec<u8>) {
    let mut file = BufferedFile::new(file, buffer);
    to_writer(&mut file, users).expect("a file in a folder of our own takes all users");
    file.finish().expect("a file in a folder of our own takes all users");
}

fn pack_users(users: &[User], mut file: File, writer: &mut Writer) {
    let bytes = writer.write(users).expect("a list of users has a length");
    file.write_all(bytes).expect("a file in a folder of our own takes all users");
    writer.trim();
}

fn read_users(mut file: File) -> Vec<User> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).expect("the file was written before");
    let users = Reader::new().read_seed(&bytes, <[User]>::seed());
    users.expect("the file was written as users")
}
