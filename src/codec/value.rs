//! From a model's name to its value, and to its type.

use crate::model::{Contact, FastModel, NestedModel, Payload, SimpleModel};

/// Evaluates an expression with the value of a model at hand, whatever its type: a reference that lives forever. A list is
/// a slice.
macro_rules! with_value {
    ($kind:expr, $value:ident => $body:expr) => {
        match $kind {
            $crate::model::ModelKind::Simple => with_value!(@ $crate::model::SIMPLE, $value => $body),
            $crate::model::ModelKind::Nested => with_value!(@ $crate::model::NESTED, $value => $body),
            $crate::model::ModelKind::Fast => with_value!(@ $crate::model::FAST, $value => $body),
            $crate::model::ModelKind::Contact => with_value!(@ $crate::model::CONTACT, $value => $body),
            $crate::model::ModelKind::Payload16 => with_value!(@ $crate::model::PAYLOAD_16, $value => $body),
            $crate::model::ModelKind::Payload128 => with_value!(@ $crate::model::PAYLOAD_128, $value => $body),
            $crate::model::ModelKind::Payload1024 => with_value!(@ $crate::model::PAYLOAD_1024, $value => $body),
            $crate::model::ModelKind::User => {
                let $value: &'static [$crate::model::User] = &$crate::model::USERS;
                $body
            }
            $crate::model::ModelKind::Demo => {
                let $value: &'static [$crate::model::Demo] = &$crate::model::DEMOS;
                $body
            }
        }
    };
    (@ $sample:path, $value:ident => $body:expr) => {{
        let $value = &*$sample;
        $body
    }};
}

/// Evaluates an expression with the type of a model at hand, under a name. The type of a list is that of a slice.
macro_rules! with_type {
    ($kind:expr, $type:ident => $body:expr) => {
        match $kind {
            $crate::model::ModelKind::Simple => with_type!(@ $crate::model::SimpleModel, $type => $body),
            $crate::model::ModelKind::Nested => with_type!(@ $crate::model::NestedModel, $type => $body),
            $crate::model::ModelKind::Fast => with_type!(@ $crate::model::FastModel, $type => $body),
            $crate::model::ModelKind::Contact => with_type!(@ $crate::model::Contact, $type => $body),
            $crate::model::ModelKind::Payload16
            | $crate::model::ModelKind::Payload128
            | $crate::model::ModelKind::Payload1024 => with_type!(@ $crate::model::Payload, $type => $body),
            $crate::model::ModelKind::User => with_type!(@ [$crate::model::User], $type => $body),
            $crate::model::ModelKind::Demo => with_type!(@ [$crate::model::Demo], $type => $body),
        }
    };
    (@ $model:ty, $type:ident => $body:expr) => {{
        type $type = $model;
        $body
    }};
}

/// A value, or as much of it as is wanted.
pub(in crate::codec) trait Beginning {
    /// Of a list, the first so many items at most; anything else is whole.
    fn beginning(&self, items: usize) -> &Self;
}

impl<T> Beginning for [T] {
    fn beginning(&self, items: usize) -> &Self {
        &self[..items.min(self.len())]
    }
}

macro_rules! whole {
    ($($model:ty),*) => {
        $(
            impl Beginning for $model {
                fn beginning(&self, _items: usize) -> &Self {
                    self
                }
            }
        )*
    };
}
whole!(SimpleModel, NestedModel, FastModel, Contact, Payload);
