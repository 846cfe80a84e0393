//! Reading through setters.

use std::hint::black_box;

use crate::codec::dotnet::{Boxable, Boxed, Reflect, TypeCode, TypeInfo, TypeKind, Value};
use crate::codec::span::{SpanDeserialize, SpanFormat, SpanReader};
use crate::codec::{DecodeError, DecodeProblem};
use crate::model::{DateTime, Decimal, Guid};

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
pub fn from_slice<T: Reflect + Default>(input: &[u8]) -> Result<Box<T>, DecodeError> {
    read_object(&mut SpanReader::new(input))
}

/// Reads an object, member after member, as long as there are bytes.
///
/// # Errors
/// When the bytes make no such object, or a member's type is not supported.
#[inline]
pub fn read_object<T: Reflect + Default, F: SpanFormat>(
    reader: &mut SpanReader<'_, F>,
) -> Result<Box<T>, DecodeError> {
    let mut object = black_box(Box::new(T::default()));
    read_members(reader, &mut *object)?;
    Ok(object)
}

/// Reads the value of a member of a type, boxes it, and says whether the setter took it.
macro_rules! set_boxed {
    ($reader:ident, $object:ident, $index:ident, $value:ty) => {{
        let value = $reader.read::<$value>()?;
        $object.compiled_set($index, Value::Boxed(value.boxed()))
    }};
}

#[inline]
fn read_members<F: SpanFormat>(
    reader: &mut SpanReader<'_, F>,
    object: &mut dyn Reflect,
) -> Result<(), DecodeError> {
    let class = object.class();
    let members = class.class().ok_or_else(|| unsupported(reader, class))?.members;
    for (index, member) in members.iter().enumerate() {
        if reader.is_at_end() {
            break;
        }
        let taken = match member.code {
            TypeCode::String => {
                let text = black_box(String::from(reader.read_str()?));
                object.compiled_set(index, Value::Text(text))
            }
            TypeCode::Boolean => set_boxed!(reader, object, index, bool),
            TypeCode::Char => set_boxed!(reader, object, index, char),
            TypeCode::SByte => set_boxed!(reader, object, index, i8),
            TypeCode::Byte => set_boxed!(reader, object, index, u8),
            TypeCode::Int16 => set_boxed!(reader, object, index, i16),
            TypeCode::UInt16 => set_boxed!(reader, object, index, u16),
            TypeCode::Int32 => set_boxed!(reader, object, index, i32),
            TypeCode::UInt32 => set_boxed!(reader, object, index, u32),
            TypeCode::Int64 => set_boxed!(reader, object, index, i64),
            TypeCode::UInt64 => set_boxed!(reader, object, index, u64),
            TypeCode::Single => set_boxed!(reader, object, index, f32),
            TypeCode::Double => set_boxed!(reader, object, index, f64),
            TypeCode::Decimal => set_boxed!(reader, object, index, Decimal),
            TypeCode::DateTime => set_boxed!(reader, object, index, DateTime),
            TypeCode::Object | TypeCode::Empty => {
                let value = read_other(reader, (member.type_info)())?;
                object.compiled_set(index, value)
            }
        };
        if !taken {
            return Err(reader.error(DecodeProblem::ValueOutOfRange));
        }
    }
    Ok(())
}

/// The value of a nullable one, of a type that its code tells.
fn read_code<F: SpanFormat>(reader: &mut SpanReader<'_, F>, code: TypeCode) -> Result<Value, DecodeError> {
    match code {
        TypeCode::Boolean => boxed::<bool, F>(reader),
        TypeCode::Char => boxed::<char, F>(reader),
        TypeCode::SByte => boxed::<i8, F>(reader),
        TypeCode::Byte => boxed::<u8, F>(reader),
        TypeCode::Int16 => boxed::<i16, F>(reader),
        TypeCode::UInt16 => boxed::<u16, F>(reader),
        TypeCode::Int32 => boxed::<i32, F>(reader),
        TypeCode::UInt32 => boxed::<u32, F>(reader),
        TypeCode::Int64 => boxed::<i64, F>(reader),
        TypeCode::UInt64 => boxed::<u64, F>(reader),
        TypeCode::Single => boxed::<f32, F>(reader),
        TypeCode::Double => boxed::<f64, F>(reader),
        TypeCode::Decimal => boxed::<Decimal, F>(reader),
        TypeCode::DateTime => boxed::<DateTime, F>(reader),
        TypeCode::Object | TypeCode::Empty | TypeCode::String => {
            Err(reader.error(DecodeProblem::ValueOutOfRange))
        }
    }
}

fn boxed<T: for<'a> SpanDeserialize<'a> + Boxable, F: SpanFormat>(
    reader: &mut SpanReader<'_, F>,
) -> Result<Value, DecodeError> {
    Ok(Value::Boxed(reader.read::<T>()?.boxed()))
}

/// A type that is told by more than its code.
fn read_other<F: SpanFormat>(
    reader: &mut SpanReader<'_, F>,
    type_info: &'static TypeInfo,
) -> Result<Value, DecodeError> {
    match &type_info.kind {
        TypeKind::Class(class) => reader.nest(|reader| {
            let mut object = black_box((class.create)());
            read_members(reader, &mut *object)?;
            Ok(Value::Class(object))
        }),
        TypeKind::Nullable(inner) => {
            if reader.read::<bool>()? {
                read_inner(reader, inner())
            } else {
                Ok(Value::Null)
            }
        }
        TypeKind::Enumeration { code, from_bits } => read_enumeration(reader, *code, *from_bits),
        TypeKind::Guid => boxed::<Guid, F>(reader),
        TypeKind::Bytes => Ok(Value::Bytes(Vec::from(reader.read_bytes()?).into_boxed_slice())),
        _ => Err(unsupported(reader, type_info)),
    }
}

/// The value of a nullable one that is there.
fn read_inner<F: SpanFormat>(
    reader: &mut SpanReader<'_, F>,
    inner: &'static TypeInfo,
) -> Result<Value, DecodeError> {
    match inner.kind {
        TypeKind::Simple(code) => read_code(reader, code),
        _ => read_other(reader, inner),
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
