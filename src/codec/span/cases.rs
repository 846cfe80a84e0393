//! The cases that the codec `span` offers for every model.

use std::hint::black_box;

use super::{BufferPool, SpanDeserialize, SpanSerialize, borrowed, from_slice, to_slice};
use crate::codec::{Operation, Prepared, Request, Variant, Workload, file};
use crate::model::User;

/// Bytes of the buffer on the stack through which a file goes.
const FILE_BUFFER_BYTES: usize = 64 << 10;

/// A model's value, or list, to which an owned one can be read.
trait Value: SpanSerialize + ToOwned + Sync + 'static {}

impl<V: SpanSerialize + ToOwned + Sync + ?Sized + 'static> Value for V {}

/// Through a buffer of the caller, a new array or a file; owned or borrowed.
pub(super) fn prepare(request: &Request) -> Option<Prepared> {
    match request.variant {
        Variant::Ready | Variant::Lazy => through_file(request),
        Variant::Span | Variant::Array | Variant::Borrowed => {
            with_value!(request.model, value => through_bytes(request, value))
        }
        _ => None,
    }
}

fn through_bytes<V: Value + ?Sized>(request: &Request, value: &'static V) -> Option<Prepared>
where
    V::Owned: for<'a> SpanDeserialize<'a>,
{
    if request.batch != 1 {
        return None;
    }
    let pool = BufferPool::new();
    let bytes = pool.serialize(value).expect("the format has room for every model").to_vec();
    let encoded_bytes = bytes.len() as u64;
    let workload = match (request.operation, request.variant) {
        (Operation::Serialize, Variant::Span) => {
            Workload::write_span(value, bytes.len(), |value, buffer| to_slice(*value, buffer))
        }
        (Operation::Serialize, Variant::Array) => write_to_array(value, pool),
        (Operation::Deserialize, Variant::Span | Variant::Array) => {
            Workload::read(bytes, |bytes| from_slice::<V::Owned>(bytes))
        }
        (Operation::Deserialize, Variant::Borrowed) => {
            let read = borrowed::read(request.model);
            Workload::serial(move || read(black_box(&bytes)))
        }
        _ => return None,
    };
    Some(Prepared { encoded_bytes, workload, inline_objects: Vec::new() })
}

/// The array is exact: the value is written into a buffer of a pool first.
fn write_to_array<V: Value + ?Sized>(value: &'static V, pool: BufferPool) -> Workload {
    Workload::serial(move || {
        let packet = pool.serialize(black_box(value)).expect("it was written before");
        drop(black_box(packet.to_vec()));
    })
}

/// Nothing is modelled: nobody told what the original would make of users.
fn through_file(request: &Request) -> Option<Prepared> {
    let prepared = file::users(
        request,
        |users, file| {
            let mut buffer = [0; FILE_BUFFER_BYTES];
            super::write_list(users, &mut buffer, file).expect("a file of our own takes users");
        },
        |file| {
            let bytes = file.metadata().expect("an open file has a length").len();
            let mut buffer = [0; FILE_BUFFER_BYTES];
            super::read_list::<User>(&mut buffer, file, bytes).expect("the file holds users")
        },
    )?;
    Some(Prepared { inline_objects: Vec::new(), ..prepared })
}
