//! The codec `span-reflect`: what the lab measures of it.

use crate::codec::dotnet::Reflect;
use crate::codec::span::{
    self, EncodeError, Size, SpanDeserialize, SpanFormat, SpanReader, SpanSerialize, SpanWriter,
};
use crate::codec::{Codec, DecodeError, ModelledObject, Prepared, Request};
use crate::model::{DateTime, ModelKind, NestedModel, SimpleModel};

use super::{read_object, write_object};

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
        match request.model {
            ModelKind::Simple => {
                span::prepare(request, Reflected::<SimpleModel>::sample, Reflected::<SimpleModel>::batch, &[])
            }
            ModelKind::Nested => {
                span::prepare(request, Reflected::<NestedModel>::sample, Reflected::<NestedModel>::batch, &[])
            }
            _ => None,
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

/// An object that lies where the original has it, in a block of its own, and that is written and read by reflection.
struct Reflected<T>(Box<T>);

impl<T: Reflect> SpanSerialize for Reflected<T> {
    /// Nothing is known of it before it is looked at.
    const SIZE: Size = Size::AtLeast(0);

    #[inline]
    fn write<F: SpanFormat>(&self, writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
        write_object(&*self.0, writer)
    }
}

impl<'a, T: Reflect + Default> SpanDeserialize<'a> for Reflected<T> {
    #[inline]
    fn read<F: SpanFormat>(reader: &mut SpanReader<'a, F>) -> Result<Self, DecodeError> {
        read_object(reader).map(Self)
    }
}

impl Reflected<SimpleModel> {
    fn sample() -> Self {
        Self(Box::new(SimpleModel::sample()))
    }

    fn batch(count: u32) -> Vec<Self> {
        SimpleModel::batch(count).into_iter().map(|model| Self(Box::new(model))).collect()
    }
}

impl Reflected<NestedModel> {
    fn sample() -> Self {
        Self(Box::new(NestedModel::sample()))
    }

    fn batch(count: u32) -> Vec<Self> {
        NestedModel::batch(count).into_iter().map(|model| Self(Box::new(model))).collect()
    }
}
