//! The codec `span-reflect`: what the lab measures of it.

use std::marker::PhantomData;

use crate::codec::case::dropped;
use crate::codec::dotnet::{Property, Reflect};
use crate::codec::span::{
    self, EncodeError, Size, SpanDeserialize, SpanFormat, SpanReader, SpanSerialize, SpanWriter,
};
use crate::codec::{
    Codec, DecodeError, Decoded, ModelledObject, Operation, Prepared, Request, Variant, model_objects,
};
use crate::model::{ModelKind, NestedModel, SimpleModel};

use super::{Access, KeptConstructors, Original, Typed, from_slice, read_object};

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

    fn encode(&self, model: ModelKind, items: usize) -> Option<Vec<u8>> {
        match model {
            ModelKind::Simple | ModelKind::Nested => span::SpanCodec.encode(model, items),
            _ => None,
        }
    }

    fn decode(&self, model: ModelKind, bytes: &[u8]) -> Option<Decoded> {
        match model {
            ModelKind::Simple => Some(dropped(from_slice::<SimpleModel>(bytes))),
            ModelKind::Nested => Some(dropped(from_slice::<NestedModel>(bytes))),
            _ => None,
        }
    }

    fn objects(&self, _request: &Request) -> Vec<ModelledObject> {
        model_objects::reflected()
    }
}

fn prepare<A: Access + 'static>(request: &Request) -> Option<Prepared> {
    match request.model {
        ModelKind::Simple => {
            span::prepare(request, Reflected::<_, A>::simple, Reflected::<_, A>::simple_batch, Vec::new())
        }
        ModelKind::Nested => {
            span::prepare(request, Reflected::<_, A>::nested, Reflected::<_, A>::nested_batch, Vec::new())
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
