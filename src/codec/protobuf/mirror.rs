//! From models to messages.

use super::messages::{
    ContactMessage, DemoListMessage, DemoMessage, DemoSubMessage, NestedMessage, PayloadMessage,
    SimpleMessage, TimestampMessage, UserListMessage, UserMessage,
};
use crate::model::{
    Contact, DateTime, Demo, DemoSub, FastModel, NestedModel, Payload, SimpleModel, TICKS_PER_SECOND, User,
};

/// A value that has a message of its own.
pub trait Mirror {
    /// The message.
    type Message: prost::Message + Default;

    /// The message of this value. Text that is not there becomes empty text: proto3 does not tell them apart.
    fn to_message(&self) -> Self::Message;
}

/// Nanoseconds in a tick.
const NANOS_PER_TICK: u64 = 1_000_000_000 / TICKS_PER_SECOND;

impl Mirror for DateTime {
    type Message = TimestampMessage;

    fn to_message(&self) -> TimestampMessage {
        // Seconds are rounded toward the past, and 1970 is a whole second: the rest is the same.
        let nanos = (self.ticks() % TICKS_PER_SECOND * NANOS_PER_TICK) as i32;
        TimestampMessage { seconds: self.unix_seconds(), nanos }
    }
}

impl Mirror for SimpleModel {
    type Message = SimpleMessage;

    fn to_message(&self) -> SimpleMessage {
        SimpleMessage {
            id: self.id,
            name: self.name.clone(),
            is_active: self.is_active,
            created_at: Some(self.created_at.to_message()),
            score: self.score,
        }
    }
}

impl Mirror for NestedModel {
    type Message = NestedMessage;

    fn to_message(&self) -> NestedMessage {
        NestedMessage {
            id: self.id,
            title: self.title.clone(),
            inner: self.inner.as_ref().map(Mirror::to_message),
            timestamp: self.timestamp,
        }
    }
}

impl Mirror for FastModel {
    type Message = SimpleMessage;

    fn to_message(&self) -> SimpleMessage {
        SimpleMessage {
            id: self.id,
            name: self.name.clone(),
            is_active: self.is_active,
            created_at: Some(self.created_at.to_message()),
            score: self.score,
        }
    }
}

impl Mirror for Contact {
    type Message = ContactMessage;

    fn to_message(&self) -> ContactMessage {
        let Self { email, first_name, last_name, id, phone, kind } = self.clone();
        ContactMessage { email, first_name, last_name, id, phone, kind }
    }
}

impl Mirror for Payload {
    type Message = PayloadMessage;

    fn to_message(&self) -> PayloadMessage {
        let Self { id, name, items } = self.clone();
        PayloadMessage { id, name, items }
    }
}

impl Mirror for User {
    type Message = UserMessage;

    fn to_message(&self) -> UserMessage {
        let Self { id, gender, first_name, last_name, email, birth_date, company, phone, website, ssn } =
            self.clone();
        let birth_date = Some(birth_date.to_message());
        UserMessage { id, gender, first_name, last_name, email, birth_date, company, phone, website, ssn }
    }
}

impl Mirror for [User] {
    type Message = UserListMessage;

    fn to_message(&self) -> UserListMessage {
        UserListMessage { users: self.iter().map(Mirror::to_message).collect() }
    }
}

impl Mirror for DemoSub {
    type Message = DemoSubMessage;

    fn to_message(&self) -> DemoSubMessage {
        let &Self { p1, p2, ref p3, p4, p5 } = self;
        DemoSubMessage { p1, p2, p3: p3.clone().unwrap_or_default(), p4, p5 }
    }
}

impl Mirror for Demo {
    type Message = DemoMessage;

    fn to_message(&self) -> DemoMessage {
        let &Self { p1, p2, ref p3, p4, p5, ref subs } = self;
        let subs = subs.iter().flatten().map(Mirror::to_message).collect();
        DemoMessage { p1, p2, p3: p3.clone().unwrap_or_default(), p4, p5, subs }
    }
}

impl Mirror for [Demo] {
    type Message = DemoListMessage;

    fn to_message(&self) -> DemoListMessage {
        DemoListMessage { demos: self.iter().map(Mirror::to_message).collect() }
    }
}
