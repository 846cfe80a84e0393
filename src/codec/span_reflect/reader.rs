//! Reading through setters.

use std::hint::black_box;

use crate::codec::dotnet::{
    Boxable, Boxed, Constructor, Property, Reflect, TypeCode, TypeInfo, TypeKind, Value,
};
use crate::codec::span::{SpanDeserialize, SpanFormat, SpanReader};
use crate::codec::{DecodeError, DecodeProblem};
use crate::model::{DateTime, Decimal, Guid};

use super::{Access, Original};

/// Reads an object, in the standard format, from the start of the input; what follows it is not looked at.
///
/// # Errors
/// As [`read_object`].
///
/// # Examples
/// ```
/// use alloclab::codec::span_reflect;
/// use alloclab::model::SimpleModel;
///
/// let mut buffer = [0; 64];
/// let written = span_reflect::to_slice(&SimpleModel::sample(), &mut buffer)?;
/// let read = span_reflect::from_slice::<SimpleModel>(&buffer[..written])?;
/// assert_eq!(*read, SimpleModel::sample());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn from_slice<T: Property + Reflect>(input: &[u8]) -> Result<Box<T>, DecodeError> {
    read_object::<T, Original, _>(&mut SpanReader::new(input))
}

/// Reads an object through one of the ways to its members, member after member, as long as there are bytes.
///
/// # Errors
/// When the bytes make no such object, or a member's type is not supported.
#[inline]
pub fn read_object<T: Property + Reflect, A: Access, F: SpanFormat>(
    reader: &mut SpanReader<'_, F>,
) -> Result<Box<T>, DecodeError> {
    let mut object = black_box(constructor::<T, A>().ok_or_else(|| unsupported(reader, T::type_info()))?());
    read_members::<A, F>(reader, &mut *object)?;
    Value::Class(object).into_class().ok_or_else(|| unsupported(reader, T::type_info()))
}

/// As in .NET, it is known at run time alone what is to be made, be it by its type or by its constructor.
#[inline]
fn constructor<T: Property, A: Access>() -> Option<Constructor> {
    if A::KEEPS_CONSTRUCTORS {
        black_box(T::CONSTRUCTOR)
    } else {
        black_box(T::type_info()).class().map(|class| class.create)
    }
}

#[inline]
fn read_members<A: Access, F: SpanFormat>(
    reader: &mut SpanReader<'_, F>,
    object: &mut dyn Reflect,
) -> Result<(), DecodeError> {
    let class = object.class();
    let members = class.class().ok_or_else(|| unsupported(reader, class))?.members;
    for (index, member) in members.iter().enumerate() {
        if reader.is_at_end() {
            break;
        }
        let value = match member.code {
            TypeCode::String => A::object(Value::Text(black_box(String::from(reader.read_str()?)))),
            TypeCode::Object | TypeCode::Empty => match member.constructor {
                Some(constructor) if A::KEEPS_CONSTRUCTORS => read_class::<A, F>(reader, constructor)?,
                _ => read_other::<A, F>(reader, (member.type_info)())?,
            },
            code => read_code::<A, F>(reader, code)?,
        };
        if !A::set(object, index, value) {
            return Err(reader.error(DecodeProblem::ValueOutOfRange));
        }
    }
    Ok(())
}

/// A value of a type that its code tells: a number, a character, a time. Inlined: a member's code is looked at once.
#[inline(always)]
fn read_code<A: Access, F: SpanFormat>(
    reader: &mut SpanReader<'_, F>,
    code: TypeCode,
) -> Result<A::Value, DecodeError> {
    match code {
        TypeCode::Boolean => read_value::<bool, A, F>(reader),
        TypeCode::Char => read_value::<char, A, F>(reader),
        TypeCode::SByte => read_value::<i8, A, F>(reader),
        TypeCode::Byte => read_value::<u8, A, F>(reader),
        TypeCode::Int16 => read_value::<i16, A, F>(reader),
        TypeCode::UInt16 => read_value::<u16, A, F>(reader),
        TypeCode::Int32 => read_value::<i32, A, F>(reader),
        TypeCode::UInt32 => read_value::<u32, A, F>(reader),
        TypeCode::Int64 => read_value::<i64, A, F>(reader),
        TypeCode::UInt64 => read_value::<u64, A, F>(reader),
        TypeCode::Single => read_value::<f32, A, F>(reader),
        TypeCode::Double => read_value::<f64, A, F>(reader),
        TypeCode::Decimal => read_value::<Decimal, A, F>(reader),
        TypeCode::DateTime => read_value::<DateTime, A, F>(reader),
        TypeCode::Object | TypeCode::Empty | TypeCode::String => {
            Err(reader.error(DecodeProblem::ValueOutOfRange))
        }
    }
}

#[inline(always)]
fn read_value<T: for<'a> SpanDeserialize<'a> + Boxable, A: Access, F: SpanFormat>(
    reader: &mut SpanReader<'_, F>,
) -> Result<A::Value, DecodeError> {
    Ok(A::value(reader.read::<T>()?))
}

/// A type that is told by more than its code.
fn read_other<A: Access, F: SpanFormat>(
    reader: &mut SpanReader<'_, F>,
    type_info: &'static TypeInfo,
) -> Result<A::Value, DecodeError> {
    match &type_info.kind {
        TypeKind::Class(class) => read_class::<A, F>(reader, class.create),
        TypeKind::Nullable(inner) => {
            if reader.read::<bool>()? {
                read_inner::<A, F>(reader, inner())
            } else {
                Ok(A::object(Value::Null))
            }
        }
        TypeKind::Enumeration { code, from_bits } => {
            read_enumeration(reader, *code, *from_bits).map(A::object)
        }
        TypeKind::Guid => read_value::<Guid, A, F>(reader),
        TypeKind::Bytes => Ok(A::object(Value::Bytes(Vec::from(reader.read_bytes()?).into_boxed_slice()))),
        _ => Err(unsupported(reader, type_info)),
    }
}

fn read_class<A: Access, F: SpanFormat>(
    reader: &mut SpanReader<'_, F>,
    constructor: Constructor,
) -> Result<A::Value, DecodeError> {
    reader.nest(|reader| {
        let mut object = black_box(constructor());
        read_members::<A, F>(reader, &mut *object)?;
        Ok(A::object(Value::Class(object)))
    })
}

/// The value of a nullable one that is there.
fn read_inner<A: Access, F: SpanFormat>(
    reader: &mut SpanReader<'_, F>,
    inner: &'static TypeInfo,
) -> Result<A::Value, DecodeError> {
    match inner.kind {
        TypeKind::Simple(code) => read_code::<A, F>(reader, code),
        _ => read_other::<A, F>(reader, inner),
    }
}

/// In the width of the underlying type, whatever the format says of integers.
fn read_enumeration<F: SpanFormat>(
    reader: &mut SpanReader<'_, F>,
    code: TypeCode,
    from_bits: fn(i64) -> Option<Boxed>,
) -> Result<Value, DecodeError> {
    let bits = match code {
        TypeCode::SByte => reader.read_fixed::<i8>()?.into(),
        TypeCode::Byte => reader.read_fixed::<u8>()?.into(),
        TypeCode::Int16 => reader.read_fixed::<i16>()?.into(),
        TypeCode::UInt16 => reader.read_fixed::<u16>()?.into(),
        TypeCode::UInt32 => reader.read_fixed::<u32>()?.into(),
        TypeCode::Int64 | TypeCode::UInt64 => reader.read_fixed::<i64>()?,
        _ => reader.read_fixed::<i32>()?.into(),
    };
    from_bits(bits).map(Value::Boxed).ok_or_else(|| reader.error(DecodeProblem::ValueOutOfRange))
}

#[cold]
fn unsupported<F: SpanFormat>(reader: &SpanReader<'_, F>, type_info: &'static TypeInfo) -> DecodeError {
    reader.error(DecodeProblem::UnsupportedType(type_info.name))
}
