//! protobuf: proto3 through prost, what Google.Protobuf is in .NET.
//!
//! Each model has a message with the numbers that protobuf-net gives it; values become messages before anything is
//! measured, and what is read is a message. A list is a message with the items as field 1. Instants are
//! `google.protobuf.Timestamp`.
//!
//! prost reads at most 100 objects within each other, and takes memory for what is there, not for what a length says. Its
//! errors name the message and the field, but not the byte.

mod codec;
mod messages;
mod mirror;

pub use codec::ProtobufCodec;
pub use messages::{
    ContactMessage, DemoListMessage, DemoMessage, DemoSubMessage, NestedMessage, PayloadMessage,
    SimpleMessage, TimestampMessage, UserListMessage, UserMessage,
};
pub use mirror::Mirror;
