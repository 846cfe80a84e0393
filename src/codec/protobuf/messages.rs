//! The models as messages, with the numbers that they have for protobuf-net.

use prost::Message;

/// `google.protobuf.Timestamp`.
#[derive(Clone, Copy, PartialEq, Message)]
pub struct TimestampMessage {
    /// Whole seconds since 1970.
    #[prost(int64, tag = "1")]
    pub seconds: i64,
    /// Nanoseconds after that, up to a second.
    #[prost(int32, tag = "2")]
    pub nanos: i32,
}

/// The message of [`SimpleModel`](crate::model::SimpleModel) and of [`FastModel`](crate::model::FastModel).
#[derive(Clone, PartialEq, Message)]
pub struct SimpleMessage {
    /// A number.
    #[prost(int32, tag = "1")]
    pub id: i32,
    /// A short name.
    #[prost(string, tag = "2")]
    pub name: String,
    /// A flag.
    #[prost(bool, tag = "3")]
    pub is_active: bool,
    /// An instant.
    #[prost(message, optional, tag = "4")]
    pub created_at: Option<TimestampMessage>,
    /// A score.
    #[prost(double, tag = "5")]
    pub score: f64,
}

/// The message of [`NestedModel`](crate::model::NestedModel).
#[derive(Clone, PartialEq, Message)]
pub struct NestedMessage {
    /// A number.
    #[prost(int32, tag = "1")]
    pub id: i32,
    /// A short title.
    #[prost(string, tag = "2")]
    pub title: String,
    /// The inner object.
    #[prost(message, optional, tag = "3")]
    pub inner: Option<SimpleMessage>,
    /// Seconds since 1970.
    #[prost(int64, tag = "4")]
    pub timestamp: i64,
}

/// The message of [`Contact`](crate::model::Contact).
#[derive(Clone, PartialEq, Message)]
pub struct ContactMessage {
    /// An e-mail address.
    #[prost(string, tag = "1")]
    pub email: String,
    /// A given name.
    #[prost(string, tag = "2")]
    pub first_name: String,
    /// A family name.
    #[prost(string, tag = "3")]
    pub last_name: String,
    /// A number.
    #[prost(int32, tag = "4")]
    pub id: i32,
    /// A telephone number.
    #[prost(string, tag = "5")]
    pub phone: String,
    /// What kind of contact it is.
    #[prost(int32, tag = "6")]
    pub kind: i32,
}

/// The message of [`Payload`](crate::model::Payload); its numbers are packed, as proto3 has them.
#[derive(Clone, PartialEq, Message)]
pub struct PayloadMessage {
    /// A number.
    #[prost(int32, tag = "1")]
    pub id: i32,
    /// 110 characters.
    #[prost(string, tag = "2")]
    pub name: String,
    /// Multiples of 17.
    #[prost(int32, repeated, tag = "3")]
    pub items: Vec<i32>,
}

/// The message of [`User`](crate::model::User).
#[derive(Clone, PartialEq, Message)]
pub struct UserMessage {
    /// A number.
    #[prost(int32, tag = "1")]
    pub id: i32,
    /// 0 for a man, 1 for a woman.
    #[prost(int32, tag = "2")]
    pub gender: i32,
    /// A given name.
    #[prost(string, tag = "3")]
    pub first_name: String,
    /// A family name.
    #[prost(string, tag = "4")]
    pub last_name: String,
    /// An e-mail address.
    #[prost(string, tag = "5")]
    pub email: String,
    /// A time of birth.
    #[prost(message, optional, tag = "6")]
    pub birth_date: Option<TimestampMessage>,
    /// A company's name.
    #[prost(string, tag = "7")]
    pub company: String,
    /// A telephone number.
    #[prost(string, tag = "8")]
    pub phone: String,
    /// A web site.
    #[prost(string, tag = "9")]
    pub website: String,
    /// A social security number.
    #[prost(string, tag = "10")]
    pub ssn: String,
}

/// The message of a list of [`User`](crate::model::User).
#[derive(Clone, PartialEq, Message)]
pub struct UserListMessage {
    /// The users.
    #[prost(message, repeated, tag = "1")]
    pub users: Vec<UserMessage>,
}

/// The message of [`Demo`](crate::model::Demo).
#[derive(Clone, PartialEq, Message)]
pub struct DemoMessage {
    /// A number.
    #[prost(int32, tag = "1")]
    pub p1: i32,
    /// Whether the number is even.
    #[prost(bool, tag = "2")]
    pub p2: bool,
    /// A greeting.
    #[prost(string, tag = "3")]
    pub p3: String,
    /// The number.
    #[prost(double, tag = "4")]
    pub p4: f64,
    /// The number.
    #[prost(int64, tag = "5")]
    pub p5: i64,
    /// Smaller objects.
    #[prost(message, repeated, tag = "6")]
    pub subs: Vec<DemoSubMessage>,
}

/// The message of [`DemoSub`](crate::model::DemoSub).
#[derive(Clone, PartialEq, Message)]
pub struct DemoSubMessage {
    /// A number.
    #[prost(int32, tag = "1")]
    pub p1: i32,
    /// Whether the number is even.
    #[prost(bool, tag = "2")]
    pub p2: bool,
    /// A greeting.
    #[prost(string, tag = "3")]
    pub p3: String,
    /// The number.
    #[prost(double, tag = "4")]
    pub p4: f64,
    /// The number.
    #[prost(int64, tag = "5")]
    pub p5: i64,
}

/// The message of a list of [`Demo`](crate::model::Demo).
#[derive(Clone, PartialEq, Message)]
pub struct DemoListMessage {
    /// The objects.
    #[prost(message, repeated, tag = "1")]
    pub demos: Vec<DemoMessage>,
}
