//! The cases that all of the crates offer.

use std::hint::black_box;

use super::Peer;
use super::mirror::Mirror;
use crate::codec::case::dropped;
use crate::codec::{Decoded, Operation, Prepared, Request, Variant, Workload};

/// Evaluates an expression with a function at hand that makes the mirror of a model's value; of a list, of the first so many
/// items at most.
macro_rules! with_mirror {
    ($kind:expr, $mirror:ident => $body:expr) => {
        with_mirror!($kind, usize::MAX, $mirror => $body)
    };
    ($kind:expr, $items:expr, $mirror:ident => $body:expr) => {{
        use $crate::codec::peers::mirror;
        use $crate::model::{self, ModelKind};
        match $kind {
            ModelKind::Simple => with_mirror!(@ mirror::Simple::from(&*model::SIMPLE), $mirror => $body),
            ModelKind::Nested => with_mirror!(@ mirror::Nested::from(&*model::NESTED), $mirror => $body),
            ModelKind::Fast => with_mirror!(@ mirror::Simple::from(&*model::FAST), $mirror => $body),
            ModelKind::Contact => with_mirror!(@ mirror::Contact::from(&*model::CONTACT), $mirror => $body),
            ModelKind::Payload16 => with_mirror!(@ mirror::Payload::from(&*model::PAYLOAD_16), $mirror => $body),
            ModelKind::Payload128 => with_mirror!(@ mirror::Payload::from(&*model::PAYLOAD_128), $mirror => $body),
            ModelKind::Payload1024 => with_mirror!(@ mirror::Payload::from(&*model::PAYLOAD_1024), $mirror => $body),
            ModelKind::User => {
                with_mirror!(@ model::USERS.iter().take($items).map(mirror::User::from).collect::<Vec<_>>(), $mirror => $body)
            }
            ModelKind::Demo => {
                with_mirror!(@ model::DEMOS.iter().take($items).map(mirror::Demo::from).collect::<Vec<_>>(), $mirror => $body)
            }
        }
    }};
    (@ $value:expr, $mirror:ident => $body:expr) => {{
        let $mirror = || $value;
        $body
    }};
}
pub(super) use with_mirror;

/// Evaluates an expression with the type of a model's mirror at hand, under a name.
macro_rules! with_mirror_type {
    ($kind:expr, $type:ident => $body:expr) => {{
        use $crate::codec::peers::mirror;
        use $crate::model::ModelKind;
        match $kind {
            ModelKind::Simple | ModelKind::Fast => with_mirror_type!(@ mirror::Simple, $type => $body),
            ModelKind::Nested => with_mirror_type!(@ mirror::Nested, $type => $body),
            ModelKind::Contact => with_mirror_type!(@ mirror::Contact, $type => $body),
            ModelKind::Payload16 | ModelKind::Payload128 | ModelKind::Payload1024 => {
                with_mirror_type!(@ mirror::Payload, $type => $body)
            }
            ModelKind::User => with_mirror_type!(@ Vec<mirror::User>, $type => $body),
            ModelKind::Demo => with_mirror_type!(@ Vec<mirror::Demo>, $type => $body),
        }
    }};
    (@ $mirror:ty, $type:ident => $body:expr) => {{
        type $type = $mirror;
        $body
    }};
}
pub(super) use with_mirror_type;

/// The case of a crate for a value, which is made if there is one.
///
/// # Panics
/// If the crate cannot encode the value: then there is nothing to measure.
pub(super) fn prepare<P: Peer<T>, T: Mirror>(
    request: &Request,
    value: impl FnOnce() -> T,
) -> Option<Prepared> {
    let workload = match (request.operation, request.variant) {
        _ if request.batch != 1 => return None,
        (Operation::Serialize, Variant::Span) => encode_into::<P, T> as fn(T, P::Bytes) -> Workload,
        (Operation::Serialize, Variant::Array) => encode::<P, T>,
        (Operation::Deserialize, Variant::Span) => decode_with::<P, T>,
        (Operation::Deserialize, Variant::Array) => decode::<P, T>,
        (Operation::Deserialize, Variant::Borrowed) => borrow::<P, T>,
        _ => return None,
    };
    let value = value();
    let bytes = P::encode(&value).expect("every crate can encode every model");
    let encoded_bytes = bytes.len() as u64;
    Some(Prepared { encoded_bytes, workload: workload(value, bytes), inline_objects: Vec::new() })
}

/// A value's bytes.
pub(super) fn encoded<P: Peer<T>, T: Mirror>(value: impl FnOnce() -> T) -> Option<Vec<u8>> {
    P::encode(&value()).ok().map(|bytes| bytes.to_vec())
}

/// Decodes bytes that may be no value's. Not every crate has an error that is one in Rust.
pub(super) fn decode_untrusted<P: Peer<T>, T: Mirror>(bytes: &[u8]) -> Decoded {
    dropped(P::decode(bytes).map_err(|error| format!("{error:?}")))
}

fn encode_into<P: Peer<T>, T: Mirror>(value: T, bytes: P::Bytes) -> Workload {
    let mut buffer = P::buffer(bytes.len());
    Workload::serial(move || {
        black_box(&P::encode_into(black_box(&value), &mut buffer));
    })
}

fn encode<P: Peer<T>, T: Mirror>(value: T, _bytes: P::Bytes) -> Workload {
    Workload::serial(move || drop(black_box(P::encode(black_box(&value)))))
}

fn decode_with<P: Peer<T>, T: Mirror>(_value: T, bytes: P::Bytes) -> Workload {
    let mut buffer = P::buffer(bytes.len());
    Workload::serial(move || drop(black_box(P::decode_with(black_box(&bytes), &mut buffer))))
}

fn decode<P: Peer<T>, T: Mirror>(_value: T, bytes: P::Bytes) -> Workload {
    Workload::serial(move || drop(black_box(P::decode(black_box(&bytes)))))
}

fn borrow<P: Peer<T>, T: Mirror>(_value: T, bytes: P::Bytes) -> Workload {
    Workload::serial(move || drop(black_box(P::borrow(black_box(&bytes)))))
}
