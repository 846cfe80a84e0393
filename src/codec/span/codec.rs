//! The codec `span`: what the lab measures of the span format.

use std::hint::black_box;

use super::{
    BufferPool, SpanDeserialize, SpanReader, SpanSerialize, SpanWriter, cases, from_slice, to_slice,
};
use crate::codec::case::dropped;
use crate::codec::value::Beginning;
use crate::codec::{
    Codec, Decoded, InlineObject, ModelledObject, Operation, Prepared, Request, Variant, Workload,
    model_objects,
};
use crate::model::{FastModel, ModelKind, NestedModel, SimpleModel};

/// Bytes of the buffer that a single value is written into, again and again.
const BUFFER_BYTES: usize = 512;

/// Bytes of the buffer on the stack of an iteration of a parallel loop.
const STACK_BYTES: usize = 256;

/// Bytes of a batch's buffer for each of its values.
const BATCH_BYTES_PER_VALUE: usize = 64;

/// The codec `span`.
pub struct SpanCodec;

impl Codec for SpanCodec {
    fn name(&self) -> &'static str {
        "span"
    }

    fn stands_for(&self) -> &'static str {
        "SpanSerializer with ISpanSerializable (NewLife.Core)"
    }

    fn prepare(&self, request: &Request) -> Option<Prepared> {
        if !is_of_write_up(request) {
            return cases::prepare(request);
        }
        let inline_objects = model_objects::inline_objects(request);
        match request.model {
            ModelKind::Simple => prepare(request, SimpleModel::sample, SimpleModel::batch, inline_objects),
            ModelKind::Nested => prepare(request, NestedModel::sample, NestedModel::batch, inline_objects),
            ModelKind::Fast => prepare(request, FastModel::sample, FastModel::batch, inline_objects),
            _ => None,
        }
    }

    fn encode(&self, model: ModelKind, items: usize) -> Option<Vec<u8>> {
        with_value!(model, value => BufferPool::new().serialize(value.beginning(items)).ok().map(|bytes| bytes.to_vec()))
    }

    fn decode(&self, model: ModelKind, bytes: &[u8]) -> Option<Decoded> {
        Some(with_type!(model, V => dropped(from_slice::<<V as ToOwned>::Owned>(bytes))))
    }

    /// Those of the write-up's models; nobody told what the original would make of the others.
    fn objects(&self, request: &Request) -> Vec<ModelledObject> {
        if is_of_write_up(request) { vec![ModelledObject::string::<String>()] } else { Vec::new() }
    }
}

/// Whether it is a case of the span serializer's own write-up, which goes into more ways than those of every model.
fn is_of_write_up(request: &Request) -> bool {
    matches!(request.model, ModelKind::Simple | ModelKind::Nested | ModelKind::Fast)
        && !matches!(request.variant, Variant::Array | Variant::Borrowed)
}

/// A model that the codec takes.
pub(in crate::codec) trait SpanModel:
    SpanSerialize + for<'a> SpanDeserialize<'a> + Send + Sync + 'static
{
}

impl<M: SpanSerialize + for<'a> SpanDeserialize<'a> + Send + Sync + 'static> SpanModel for M {}

/// `inline_objects` are those of the original's result that are no blocks here.
pub(in crate::codec) fn prepare<M: SpanModel>(
    request: &Request,
    sample: fn() -> M,
    batch: fn(u32) -> Vec<M>,
    inline_objects: Vec<InlineObject>,
) -> Option<Prepared> {
    let values = match (request.variant, request.batch) {
        (Variant::Batch, 1..) => batch(request.batch),
        (Variant::Span | Variant::Pooled | Variant::Concurrent, 1) => vec![sample()],
        _ => return None,
    };
    let bytes = encode(&values);
    let encoded_bytes = bytes.len() as u64;
    let workload = match request.operation {
        Operation::Serialize => serialize(values, request.variant)?,
        Operation::Deserialize => deserialize::<M>(bytes, request)?,
    };
    Some(Prepared { encoded_bytes, workload, inline_objects })
}

fn encode<M: SpanModel>(values: &[M]) -> Vec<u8> {
    let mut bytes = vec![0; values.len() * BATCH_BYTES_PER_VALUE];
    let mut writer = SpanWriter::new(&mut bytes);
    values.iter().for_each(|value| writer.write(value).expect("a model takes less than its part of a batch"));
    let written = writer.written();
    bytes.truncate(written);
    bytes
}

fn serialize<M: SpanModel>(mut values: Vec<M>, variant: Variant) -> Option<Workload> {
    match variant {
        Variant::Span => values.pop().map(write_to_buffer),
        Variant::Pooled => values.pop().map(write_to_pool),
        Variant::Batch => Some(write_batch(values)),
        Variant::Concurrent => values.pop().map(write_in_parallel),
        _ => None,
    }
}

fn deserialize<M: SpanModel>(bytes: Vec<u8>, request: &Request) -> Option<Workload> {
    match request.variant {
        Variant::Span => Some(read_from_buffer::<M>(bytes)),
        Variant::Batch => Some(read_batch::<M>(bytes, request.batch)),
        Variant::Concurrent => Some(read_in_parallel::<M>(bytes)),
        _ => None,
    }
}

fn write_to_buffer<M: SpanModel>(value: M) -> Workload {
    let mut buffer = [0; BUFFER_BYTES];
    Workload::serial(move || {
        black_box(&to_slice(black_box(&value), &mut buffer));
        black_box(&buffer);
    })
}

fn write_to_pool<M: SpanModel>(value: M) -> Workload {
    let pool = BufferPool::new();
    Workload::serial(move || {
        black_box(&pool.serialize(black_box(&value)));
    })
}

fn write_batch<M: SpanModel>(values: Vec<M>) -> Workload {
    let mut buffer = vec![0; values.len() * BATCH_BYTES_PER_VALUE];
    Workload::serial(move || {
        let mut writer = SpanWriter::new(&mut buffer);
        black_box(&black_box(&values[..]).iter().try_for_each(|value| writer.write(value)));
        black_box(&buffer);
    })
}

fn write_in_parallel<M: SpanModel>(value: M) -> Workload {
    Workload::Parallel(Box::new(move || {
        let mut buffer = [0; STACK_BYTES];
        black_box(&to_slice(black_box(&value), &mut buffer));
        black_box(&buffer);
    }))
}

fn read_from_buffer<M: SpanModel>(bytes: Vec<u8>) -> Workload {
    Workload::serial(move || {
        black_box(&from_slice::<M>(black_box(&bytes)));
    })
}

fn read_batch<M: SpanModel>(bytes: Vec<u8>, count: u32) -> Workload {
    Workload::serial(move || {
        let mut reader = SpanReader::new(black_box(&bytes));
        for _ in 0..count {
            black_box(&reader.read::<M>());
        }
    })
}

fn read_in_parallel<M: SpanModel>(bytes: Vec<u8>) -> Workload {
    Workload::Parallel(Box::new(move || {
        black_box(&from_slice::<M>(black_box(&bytes)));
    }))
}
