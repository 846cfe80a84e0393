//! The layout of the models, as the source generator has it: all members, in the order of their declaration.

use crate::lite_object;
use crate::model::{Contact, DateTime, Demo, DemoSub, FastModel, NestedModel, Payload, SimpleModel, User};

lite_object!(SimpleModel { id: i32, name: String, is_active: bool, created_at: DateTime, score: f64 });
lite_object!(FastModel { id: i32, name: String, is_active: bool, created_at: DateTime, score: f64 });
lite_object!(NestedModel { id: i32, title: String, inner: Option<SimpleModel>, timestamp: i64 });
lite_object!(Contact {
    email: String,
    first_name: String,
    last_name: String,
    id: i32,
    phone: String,
    kind: i32,
});
lite_object!(Payload { id: i32, name: String, items: Vec<i32> });
lite_object!(User {
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
lite_object!(Demo {
    p1: i32,
    p2: bool,
    p3: Option<String>,
    p4: f64,
    p5: i64,
    subs: Option<Vec<DemoSub>>,
});
lite_object!(DemoSub { p1: i32, p2: bool, p3: Option<String>, p4: f64, p5: i64 });
