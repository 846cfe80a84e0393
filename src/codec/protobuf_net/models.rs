//! The models' numbers: those of the write-ups where they show them, the order of declaration elsewhere.

use crate::model::{Contact, Demo, DemoSub, FastModel, NestedModel, Payload, SimpleModel, User};
use crate::proto_contract;

proto_contract!(SimpleModel { 1 => id, 2 => name, 3 => is_active, 4 => created_at, 5 => score });

proto_contract!(NestedModel { 1 => id, 2 => title, 3 => inner, 4 => timestamp });

proto_contract!(FastModel { 1 => id, 2 => name, 3 => is_active, 4 => created_at, 5 => score });

// The write-up does not show the class: the numbers are assumed.
proto_contract!(Contact { 1 => email, 2 => first_name, 3 => last_name, 4 => id, 5 => phone, 6 => kind });

proto_contract!(Payload { 1 => id, 2 => name, 3 => items });

proto_contract!(User {
    1 => id,
    2 => gender,
    3 => first_name,
    4 => last_name,
    5 => email,
    6 => birth_date,
    7 => company,
    8 => phone,
    9 => website,
    10 => ssn,
});

proto_contract!(Demo { 1 => p1, 2 => p2, 3 => p3, 4 => p4, 5 => p5, 6 => subs });

proto_contract!(DemoSub { 1 => p1, 2 => p2, 3 => p3, 4 => p4, 5 => p5 });
