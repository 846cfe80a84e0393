//! The models once more, as types that every crate can derive its traits for.
//!
//! A time is the 64 bits of [`DateTime::to_binary`](crate::model::DateTime::to_binary). Each mirror has a second type whose
//! strings point into the input; its lists are lists still, for none of the crates borrows those.

use crate::model;

/// A mirror with strings of its own.
pub trait Mirror: Send + 'static {
    /// The mirror with strings of the input.
    type Borrowed<'a>;
}

/// Gives a struct with strings of its own the traits of every crate.
macro_rules! owned {
    ($(#[$documentation:meta])* $name:ident { $($field:ident: $type:ty),* }) => {
        $(#[$documentation])*
        #[derive(Clone, Debug, PartialEq)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[derive(bincode::Encode, bincode::Decode)]
        #[derive(bitcode::Encode, bitcode::Decode)]
        #[derive(rkyv::Archive, rkyv::Serialize, rkyv::Deserialize)]
        #[derive(speedy::Readable, speedy::Writable)]
        #[derive(wincode::SchemaRead, wincode::SchemaWrite)]
        #[rkyv(derive(Debug))]
        pub struct $name {
            $($field: $type),*
        }
    };
}

/// Gives a struct with strings of the input the traits by which the crates read.
macro_rules! borrowed {
    ($(#[$documentation:meta])* $name:ident { $($(#[$attribute:meta])* $field:ident: $type:ty),* }) => {
        $(#[$documentation])*
        #[derive(Debug)]
        #[derive(serde::Deserialize)]
        #[derive(bincode::BorrowDecode)]
        #[derive(bitcode::Decode)]
        #[derive(speedy::Readable)]
        #[derive(wincode::SchemaRead)]
        pub struct $name<'a> {
            $($(#[$attribute])* $field: $type),*
        }
    };
}

owned!(
    /// [`model::SimpleModel`] and [`model::FastModel`].
    Simple { id: i32, name: String, is_active: bool, created_at: i64, score: f64 }
);

owned!(
    /// [`model::NestedModel`].
    Nested { id: i32, title: String, inner: Option<Simple>, timestamp: i64 }
);

owned!(
    /// [`model::Contact`].
    Contact { email: String, first_name: String, last_name: String, id: i32, phone: String, kind: i32 }
);

owned!(
    /// [`model::Payload`].
    Payload { id: i32, name: String, items: Vec<i32> }
);

owned!(
    /// [`model::User`].
    User {
        id: i32,
        gender: i32,
        first_name: String,
        last_name: String,
        email: String,
        birth_date: i64,
        company: String,
        phone: String,
        website: String,
        ssn: String
    }
);

owned!(
    /// [`model::Demo`].
    Demo { p1: i32, p2: bool, p3: Option<String>, p4: f64, p5: i64, subs: Option<Vec<DemoSub>> }
);

owned!(
    /// [`model::DemoSub`].
    DemoSub { p1: i32, p2: bool, p3: Option<String>, p4: f64, p5: i64 }
);

borrowed!(
    /// [`Simple`].
    SimpleRef { id: i32, name: &'a str, is_active: bool, created_at: i64, score: f64 }
);

borrowed!(
    /// [`Nested`].
    NestedRef {
        id: i32,
        title: &'a str,
        #[serde(borrow)]
        inner: Option<SimpleRef<'a>>,
        timestamp: i64
    }
);

borrowed!(
    /// [`Contact`].
    ContactRef { email: &'a str, first_name: &'a str, last_name: &'a str, id: i32, phone: &'a str, kind: i32 }
);

borrowed!(
    /// [`Payload`].
    PayloadRef { id: i32, name: &'a str, items: Vec<i32> }
);

borrowed!(
    /// [`User`].
    UserRef {
        id: i32,
        gender: i32,
        first_name: &'a str,
        last_name: &'a str,
        email: &'a str,
        birth_date: i64,
        company: &'a str,
        phone: &'a str,
        website: &'a str,
        ssn: &'a str
    }
);

borrowed!(
    /// [`Demo`].
    DemoRef {
        p1: i32,
        p2: bool,
        #[serde(borrow)]
        p3: Option<&'a str>,
        p4: f64,
        p5: i64,
        #[serde(borrow)]
        subs: Option<Vec<DemoSubRef<'a>>>
    }
);

borrowed!(
    /// [`DemoSub`].
    DemoSubRef {
        p1: i32,
        p2: bool,
        #[serde(borrow)]
        p3: Option<&'a str>,
        p4: f64,
        p5: i64
    }
);

/// Says which borrowed type belongs to an owned one.
macro_rules! mirrors {
    ($($owned:ty => $borrowed:ty;)*) => {$(
        impl Mirror for $owned {
            type Borrowed<'a> = $borrowed;
        }
    )*};
}

mirrors! {
    Simple => SimpleRef<'a>;
    Nested => NestedRef<'a>;
    Contact => ContactRef<'a>;
    Payload => PayloadRef<'a>;
    Vec<User> => Vec<UserRef<'a>>;
    Vec<Demo> => Vec<DemoRef<'a>>;
}

impl From<&model::SimpleModel> for Simple {
    fn from(model: &model::SimpleModel) -> Self {
        Self {
            id: model.id,
            name: model.name.clone(),
            is_active: model.is_active,
            created_at: model.created_at.to_binary(),
            score: model.score,
        }
    }
}

impl From<&model::FastModel> for Simple {
    fn from(model: &model::FastModel) -> Self {
        Self {
            id: model.id,
            name: model.name.clone(),
            is_active: model.is_active,
            created_at: model.created_at.to_binary(),
            score: model.score,
        }
    }
}

impl From<&model::NestedModel> for Nested {
    fn from(model: &model::NestedModel) -> Self {
        Self {
            id: model.id,
            title: model.title.clone(),
            inner: model.inner.as_ref().map(Simple::from),
            timestamp: model.timestamp,
        }
    }
}

impl From<&model::Contact> for Contact {
    fn from(model: &model::Contact) -> Self {
        let model::Contact { email, first_name, last_name, id, phone, kind } = model.clone();
        Self { email, first_name, last_name, id, phone, kind }
    }
}

impl From<&model::Payload> for Payload {
    fn from(model: &model::Payload) -> Self {
        let model::Payload { id, name, items } = model.clone();
        Self { id, name, items }
    }
}

impl From<&model::User> for User {
    fn from(model: &model::User) -> Self {
        let model = model.clone();
        Self {
            id: model.id,
            gender: model.gender,
            first_name: model.first_name,
            last_name: model.last_name,
            email: model.email,
            birth_date: model.birth_date.to_binary(),
            company: model.company,
            phone: model.phone,
            website: model.website,
            ssn: model.ssn,
        }
    }
}

impl From<&model::Demo> for Demo {
    fn from(model: &model::Demo) -> Self {
        Self {
            p1: model.p1,
            p2: model.p2,
            p3: model.p3.clone(),
            p4: model.p4,
            p5: model.p5,
            subs: model.subs.as_ref().map(|subs| subs.iter().map(DemoSub::from).collect()),
        }
    }
}

impl From<&model::DemoSub> for DemoSub {
    fn from(model: &model::DemoSub) -> Self {
        let model::DemoSub { p1, p2, p3, p4, p5 } = model.clone();
        Self { p1, p2, p3, p4, p5 }
    }
}
