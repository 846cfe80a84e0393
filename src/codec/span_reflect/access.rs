//! Ways to members and to constructors: the original's, and those that the write-up advises.

use crate::codec::dotnet::{Boxable, Plain, Reflect, Value};
use crate::codec::span::{EncodeError, SpanFormat, SpanWriter};

use super::unboxed::write_unboxed;
use super::writer::write_object;

/// How a serializer reaches the members of an object, and how it makes one.
///
/// The bytes are the same whatever the way.
///
/// # Examples
/// ```
/// use alloclab::codec::span::{SpanReader, SpanWriter};
/// use alloclab::codec::span_reflect::{Access, Typed, read_object};
/// use alloclab::model::SimpleModel;
///
/// let mut buffer = [0; 64];
/// Typed::write(&SimpleModel::sample(), &mut SpanWriter::new(&mut buffer))?;
/// let read = read_object::<SimpleModel, Typed, _>(&mut SpanReader::new(&buffer))?;
/// assert_eq!(*read, SimpleModel::sample());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Access {
    /// What a setter takes.
    type Value;

    /// Whether constructors are kept with the members, in place of being looked up by type for each object.
    const KEEPS_CONSTRUCTORS: bool;

    /// Makes a value fit for a setter.
    fn value<T: Boxable>(value: T) -> Self::Value;

    /// Makes an object fit for a setter.
    fn object(object: Value) -> Self::Value;

    /// Gives the member at an index a value, or says that there is none or that the value is of another type.
    fn set(object: &mut dyn Reflect, index: usize, value: Self::Value) -> bool;

    /// Writes an object, member after member.
    ///
    /// # Errors
    /// When the buffer is too small, the format has no room for a value, or a member's type is not supported.
    fn write<F: SpanFormat>(object: &dyn Reflect, writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError>;
}

/// As the original: values pass in boxes, and each object is made by `Activator.CreateInstance` of its type.
pub enum Original {}

/// As [`Original`], with constructors that are looked up once and kept.
///
/// The look-up leaves no object behind in .NET: the published bytes hold nothing that this could save. What there is to gain
/// is some of the 112 ns that it takes to read a `simple`.
pub enum KeptConstructors {}

/// As [`Original`], with accessors that know the types of their members, so that no value is boxed.
///
/// What is expected of it stands in the published rows of a type that serializes itself: 0 B and 23.5 ns instead of 96 B and
/// 59.0 ns to write a `simple`, 88 B and 75.7 ns instead of 184 B and 112.0 ns to read one.
pub enum Typed {}

impl Access for Original {
    type Value = Value;

    const KEEPS_CONSTRUCTORS: bool = false;

    #[inline]
    fn value<T: Boxable>(value: T) -> Value {
        Value::Boxed(value.boxed())
    }

    #[inline]
    fn object(object: Value) -> Value {
        object
    }

    #[inline]
    fn set(object: &mut dyn Reflect, index: usize, value: Value) -> bool {
        object.compiled_set(index, value)
    }

    #[inline]
    fn write<F: SpanFormat>(object: &dyn Reflect, writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
        write_object(object, writer)
    }
}

impl Access for KeptConstructors {
    type Value = Value;

    const KEEPS_CONSTRUCTORS: bool = true;

    #[inline]
    fn value<T: Boxable>(value: T) -> Value {
        Original::value(value)
    }

    #[inline]
    fn object(object: Value) -> Value {
        object
    }

    #[inline]
    fn set(object: &mut dyn Reflect, index: usize, value: Value) -> bool {
        Original::set(object, index, value)
    }

    #[inline]
    fn write<F: SpanFormat>(object: &dyn Reflect, writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
        Original::write(object, writer)
    }
}

impl Access for Typed {
    type Value = Plain<Value>;

    const KEEPS_CONSTRUCTORS: bool = false;

    #[inline]
    fn value<T: Boxable>(value: T) -> Plain<Value> {
        value.plain()
    }

    #[inline]
    fn object(object: Value) -> Plain<Value> {
        Plain::Object(object)
    }

    #[inline]
    fn set(object: &mut dyn Reflect, index: usize, value: Plain<Value>) -> bool {
        object.typed_set(index, value)
    }

    #[inline]
    fn write<F: SpanFormat>(object: &dyn Reflect, writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
        write_unboxed(object, writer)
    }
}
