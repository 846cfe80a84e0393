//! The models with strings and lists that stay in the input.

use std::hint::black_box;

use alloclab_derive::SpanSerialize;

use super::{Elements, from_slice};
use crate::model::{DateTime, ModelKind};

/// Reads a model's value, or list, without a string or list of its own.
pub(super) fn read(model: ModelKind) -> fn(&[u8]) {
    match model {
        ModelKind::Simple | ModelKind::Fast => |bytes| take(from_slice::<SimpleRef<'_>>(bytes)),
        ModelKind::Nested => |bytes| take(from_slice::<NestedRef<'_>>(bytes)),
        ModelKind::Contact => |bytes| take(from_slice::<ContactRef<'_>>(bytes)),
        ModelKind::Payload16 | ModelKind::Payload128 | ModelKind::Payload1024 => {
            |bytes| take(from_slice::<PayloadRef<'_>>(bytes))
        }
        ModelKind::User => |bytes| take(from_slice::<Elements<'_, UserRef<'_>>>(bytes)),
        ModelKind::Demo => |bytes| take(from_slice::<Elements<'_, DemoRef<'_>>>(bytes)),
    }
}

fn take<T>(read: T) {
    black_box(&read);
}

#[derive(SpanSerialize)]
struct SimpleRef<'a> {
    id: i32,
    name: &'a str,
    is_active: bool,
    created_at: DateTime,
    score: f64,
}

#[derive(SpanSerialize)]
struct NestedRef<'a> {
    id: i32,
    title: &'a str,
    #[span(flagless)]
    inner: Option<SimpleRef<'a>>,
    timestamp: i64,
}

#[derive(SpanSerialize)]
struct ContactRef<'a> {
    email: &'a str,
    first_name: &'a str,
    last_name: &'a str,
    id: i32,
    phone: &'a str,
    kind: i32,
}

#[derive(SpanSerialize)]
struct PayloadRef<'a> {
    id: i32,
    name: &'a str,
    items: &'a [[u8; size_of::<i32>()]],
}

#[derive(SpanSerialize)]
struct UserRef<'a> {
    id: i32,
    gender: i32,
    first_name: &'a str,
    last_name: &'a str,
    email: &'a str,
    #[span(full_time)]
    birth_date: DateTime,
    company: &'a str,
    phone: &'a str,
    website: &'a str,
    ssn: &'a str,
}

#[derive(SpanSerialize)]
struct DemoRef<'a> {
    p1: i32,
    p2: bool,
    p3: Option<&'a str>,
    p4: f64,
    p5: i64,
    subs: Option<Elements<'a, DemoSubRef<'a>>>,
}

#[derive(SpanSerialize)]
struct DemoSubRef<'a> {
    p1: i32,
    p2: bool,
    p3: Option<&'a str>,
    p4: f64,
    p5: i64,
}
