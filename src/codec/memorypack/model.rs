//! The layout of the models: all members, in the order of their declaration.

use crate::memorypack_object;
use crate::model::{Contact, DateTime, Demo, DemoSub, FastModel, NestedModel, Payload, SimpleModel, User};

memorypack_object!(SimpleModel { id: i32, name: String, is_active: bool, created_at: DateTime, score: f64 });
memorypack_object!(FastModel { id: i32, name: String, is_active: bool, created_at: DateTime, score: f64 });
memorypack_object!(NestedModel { id: i32, title: String, inner: Option<SimpleModel>, timestamp: i64 });
memorypack_object!(Contact {
    email: String,
    first_name: String,
    last_name: String,
    id: i32,
    phone: String,
    kind: i32,
});
memorypack_object!(Payload { id: i32, name: String, items: Vec<i32> });
memorypack_object!(User {
    id: i32,
    gender: i32,
    first_name: String,
    last_name: String,
    email: String,
    birth_date: DateTime,
    company: String,
    phone: String,
    website: String,
    ssn: String,
});
memorypack_object!(Demo {
    p1: i32,
    p2: bool,
    p3: Option<String>,
    p4: f64,
    p5: i64,
    subs: Option<Vec<DemoSub>>,
});
memorypack_object!(DemoSub { p1: i32, p2: bool, p3: Option<String>, p4: f64, p5: i64 });
