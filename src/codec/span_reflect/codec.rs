//! The codec `span-reflect`: what the lab measures of it.

use std::marker::PhantomData;

use crate::codec::dotnet::{Property, Reflect};
use crate::codec::span::{
    self, EncodeError, Size, SpanDeserialize, SpanFormat, SpanReader, SpanSerialize, SpanWriter,
};
use crate::codec::{Codec, DecodeError, ModelledObject, Operation, Prepared, Request, Variant};
use crate::model::{DateTime, ModelKind, NestedModel, SimpleModel};

use super::{Access, KeptConstructors, Original, Typed, read_object};

/// The codec `span-reflect`.
pub struct SpanReflectCodec;

impl Codec for SpanReflectCodec {
    fn name(&self) -> &'static str {
        "span-reflect"
    }

    fn stands_for(&self) -> &'static str {
        "SpanSerializer on plain objects (NewLife.Core)"
    }

    fn prepare(&self, request: &Request) -> Option<Prepared> {
        let in_buffer = Request { variant: Variant::Span, ..*request };
        match (request.variant, request.operation) {
            (Variant::Unboxed, _) => prepare::<Typed>(&in_buffer),
            (Variant::Cached, Operation::Deserialize) => prepare::<KeptConstructors>(&in_buffer),
            (Variant::Cached, Operation::Serialize) => None,
            _ => prepare::<Original>(request),
        }
    }

    fn objects(&self, _request: &Request) -> Vec<ModelledObject> {
        vec![
            ModelledObject::fixed::<Box<SimpleModel>>("SimpleModel", 48),
            ModelledObject::fixed::<Box<NestedModel>>("NestedModel", 48),
            ModelledObject::string::<String>(),
            ModelledObject::fixed::<Box<bool>>("Boolean (boxed)", 24),
            ModelledObject::fixed::<Box<i32>>("Int32 (boxed)", 24),
            ModelledObject::fixed::<Box<i64>>("Int64 (boxed)", 24),
            ModelledObject::fixed::<Box<f64>>("Double (boxed)", 24),
            ModelledObject::fixed::<Box<DateTime>>("DateTime (boxed)", 24),
        ]
    }
}

fn prepare<A: Access + 'static>(request: &Request) -> Option<Prepared> {
    match request.model {
        ModelKind::Simple => {
            span::prepare(request, Reflected::<_, A>::simple, Reflected::<_, A>::simple_batch, &[])
        }
        ModelKind::Nested => {
            span::prepare(request, Reflected::<_, A>::nested, Reflected::<_, A>::nested_batch, &[])
        }
        _ => None,
    }
}

/// An object that lies where the original has it, in a block of its own, and that is written and read by reflection.
struct Reflected<T, A> {
    object: Box<T>,
    access: PhantomData<fn() -> A>,
}

impl<T: Reflect, A: Access> SpanSerialize for Reflected<T, A> {
    /// Nothing is known of it before it is looked at.
    const SIZE: Size = Size::AtLeast(0);

    #[inline]
    fn write<F: SpanFormat>(&self, writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
        A::write(&*self.object, writer)
    }
}

impl<'a, T: Property + Reflect, A: Access> SpanDeserialize<'a> for Reflected<T, A> {
    #[inline]
    fn read<F: SpanFormat>(reader: &mut SpanReader<'a, F>) -> Result<Self, DecodeError> {
        read_object::<T, A, F>(reader).map(Self::over)
    }
}

impl<T, A> Reflected<T, A> {
    #[inline]
    fn over(object: Box<T>) -> Self {
        Self { object, access: PhantomData }
    }

    fn all(values: Vec<T>) -> Vec<Self> {
        values.into_iter().map(|value| Self::over(Box::new(value))).collect()
    }
}

impl<A> Reflected<SimpleModel, A> {
    fn simple() -> Self {
        Self::over(Box::new(SimpleModel::sample()))
    }

    fn simple_batch(count: u32) -> Vec<Self> {
        Self::all(SimpleModel::batch(count))
    }
}

impl<A> Reflected<NestedModel, A> {
    fn nested() -> Self {
        Self::over(Box::new(NestedModel::sample()))
    }

    fn nested_batch(count: u32) -> Vec<Self> {
        Self::all(NestedModel::batch(count))
    }
}
