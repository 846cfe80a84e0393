//! The values of every model, made at first use and kept: codecs borrow them.

use std::sync::LazyLock;

#[cfg(feature = "lab")]
use super::User;
use super::{Contact, Demo, FastModel, NestedModel, Payload, SimpleModel};

/// The value of `simple`.
pub static SIMPLE: LazyLock<SimpleModel> = LazyLock::new(SimpleModel::sample);

/// The value of `nested`.
pub static NESTED: LazyLock<NestedModel> = LazyLock::new(NestedModel::sample);

/// The value of `fast`.
pub static FAST: LazyLock<FastModel> = LazyLock::new(FastModel::sample);

/// The value of `contact`.
pub static CONTACT: LazyLock<Contact> = LazyLock::new(Contact::sample);

/// The value of `payload-16`.
pub static PAYLOAD_16: LazyLock<Payload> = LazyLock::new(|| Payload::sample(16));

/// The value of `payload-128`.
pub static PAYLOAD_128: LazyLock<Payload> = LazyLock::new(|| Payload::sample(128));

/// The value of `payload-1024`.
pub static PAYLOAD_1024: LazyLock<Payload> = LazyLock::new(|| Payload::sample(1024));

/// The value of `user`.
#[cfg(feature = "lab")]
pub static USERS: LazyLock<Vec<User>> = LazyLock::new(User::list);

/// The value of `demo`.
pub static DEMOS: LazyLock<Vec<Demo>> = LazyLock::new(Demo::list);
