//! The values that are encoded.

mod contact;
mod datetime;
#[cfg(feature = "lab")]
mod datetime_serde;
mod datetime_text;
mod decimal;
mod demo;
mod guid;
#[cfg(feature = "lab")]
mod list;
mod payload;
mod samples;
mod simple;
mod user;

pub use contact::Contact;
pub use datetime::{DateTime, DateTimeKind, MAX_TICKS, TICKS_PER_SECOND, UNIX_EPOCH_TICKS};
pub use datetime_text::ParseDateTimeError;
#[cfg(feature = "lab")]
pub(crate) use datetime_text::date_of_days;
pub use decimal::Decimal;
pub use demo::{Demo, DemoSub};
pub use guid::Guid;
#[cfg(feature = "lab")]
pub(crate) use list::ListSeed;
pub use payload::Payload;
#[cfg(feature = "lab")]
pub use samples::USERS;
pub use samples::{CONTACT, DEMOS, FAST, NESTED, PAYLOAD_16, PAYLOAD_128, PAYLOAD_1024, SIMPLE};
pub use simple::{FastModel, NestedModel, SimpleModel};
pub use user::User;

/// Which value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ModelKind {
    /// Five fields, encoded through reflection in the original.
    Simple,
    /// Three fields and a [`ModelKind::Simple`].
    Nested,
    /// The fields of [`ModelKind::Simple`], encoded by the type's own code in the original.
    Fast,
    /// Six fields: four strings and two numbers.
    Contact,
    /// A number, a string of 110 characters and 16 numbers.
    Payload16,
    /// The same with 128 numbers.
    Payload128,
    /// The same with 1024 numbers.
    Payload1024,
    /// A list of 60,000 users of ten fields.
    User,
    /// A list of 10,000 objects of five fields, each with four smaller ones.
    Demo,
}

impl ModelKind {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 9] = [
        Self::Simple,
        Self::Nested,
        Self::Fast,
        Self::Contact,
        Self::Payload16,
        Self::Payload128,
        Self::Payload1024,
        Self::User,
        Self::Demo,
    ];

    /// The name in profiles and in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Nested => "nested",
            Self::Fast => "fast",
            Self::Contact => "contact",
            Self::Payload16 => "payload-16",
            Self::Payload128 => "payload-128",
            Self::Payload1024 => "payload-1024",
            Self::User => "user",
            Self::Demo => "demo",
        }
    }

    /// Objects at the top of the value: 1, or the length of the list.
    pub fn objects(self) -> u32 {
        match self {
            Self::User => user::COUNT,
            Self::Demo => demo::COUNT,
            _ => 1,
        }
    }
}
