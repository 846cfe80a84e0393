//! Writing through getters.

use crate::codec::dotnet::{Object, ObjectRef, Reflect, TypeCode, TypeInfo, TypeKind, ValueType};
use crate::codec::span::{EncodeError, EncodeProblem, SpanFormat, SpanSerialize, SpanWriter};
use crate::model::{DateTime, Decimal, Guid};

/// Writes an object into a buffer, in the standard format, and says how many bytes it took.
///
/// # Errors
/// As [`write_object`].
///
/// # Examples
/// ```
/// use alloclab::codec::{span, span_reflect};
/// use alloclab::model::SimpleModel;
///
/// let (mut reflected, mut direct) = ([0; 64], [0; 64]);
/// let written = span_reflect::to_slice(&SimpleModel::sample(), &mut reflected)?;
/// assert_eq!(written, span::to_slice(&SimpleModel::sample(), &mut direct)?);
/// assert_eq!(reflected, direct);
/// # Ok::<(), span::EncodeError>(())
/// ```
pub fn to_slice(object: &dyn Reflect, buffer: &mut [u8]) -> Result<usize, EncodeError> {
    let mut writer = SpanWriter::new(buffer);
    write_object(object, &mut writer)?;
    Ok(writer.written())
}

/// Writes an object, member after member.
///
/// # Errors
/// When the buffer is too small, the format has no room for a value, or a member's type is not supported.
#[inline]
pub fn write_object<F: SpanFormat>(
    object: &dyn Reflect,
    writer: &mut SpanWriter<'_, F>,
) -> Result<(), EncodeError> {
    let class = object.class();
    let members = class.class().ok_or_else(|| unsupported(writer, class))?.members;
    for (index, member) in members.iter().enumerate() {
        match object.compiled_get(index) {
            Object::Boxed(value) => write_boxed(writer, member.code, &*value, member.type_info)?,
            Object::Ref(reference) => write_reference(writer, reference, member.type_info)?,
        }
    }
    Ok(())
}

/// Takes the type apart only where the code does not say it all.
#[inline]
fn write_boxed<F: SpanFormat>(
    writer: &mut SpanWriter<'_, F>,
    code: TypeCode,
    value: &dyn ValueType,
    type_info: fn() -> &'static TypeInfo,
) -> Result<(), EncodeError> {
    let written = match code {
        TypeCode::Boolean => unbox::<bool, F>(writer, value),
        TypeCode::Char => unbox::<char, F>(writer, value),
        TypeCode::SByte => unbox::<i8, F>(writer, value),
        TypeCode::Byte => unbox::<u8, F>(writer, value),
        TypeCode::Int16 => unbox::<i16, F>(writer, value),
        TypeCode::UInt16 => unbox::<u16, F>(writer, value),
        TypeCode::Int32 => unbox::<i32, F>(writer, value),
        TypeCode::UInt32 => unbox::<u32, F>(writer, value),
        TypeCode::Int64 => unbox::<i64, F>(writer, value),
        TypeCode::UInt64 => unbox::<u64, F>(writer, value),
        TypeCode::Single => unbox::<f32, F>(writer, value),
        TypeCode::Double => unbox::<f64, F>(writer, value),
        TypeCode::Decimal => unbox::<Decimal, F>(writer, value),
        TypeCode::DateTime => unbox::<DateTime, F>(writer, value),
        TypeCode::Object | TypeCode::Empty | TypeCode::String => None,
    };
    written.unwrap_or_else(|| write_other(writer, value, type_info()))
}

#[inline]
fn unbox<T: SpanSerialize + Copy + 'static, F: SpanFormat>(
    writer: &mut SpanWriter<'_, F>,
    value: &dyn ValueType,
) -> Option<Result<(), EncodeError>> {
    value.get::<T>().map(|value| writer.write(&value))
}

/// Values without a code of their own, and enumerations.
#[cold]
fn write_other<F: SpanFormat>(
    writer: &mut SpanWriter<'_, F>,
    value: &dyn ValueType,
    type_info: &'static TypeInfo,
) -> Result<(), EncodeError> {
    match type_info.kind {
        TypeKind::Guid => {
            unbox::<Guid, F>(writer, value).unwrap_or_else(|| Err(unsupported(writer, type_info)))
        }
        TypeKind::Enumeration { code, .. } => {
            let bits = value.enumeration_bits().ok_or_else(|| unsupported(writer, type_info))?;
            write_enumeration(writer, code, bits)
        }
        TypeKind::Nullable(inner) => {
            writer.write(&true)?;
            write_boxed(writer, inner().code(), value, inner)
        }
        _ => Err(unsupported(writer, type_info)),
    }
}

/// In the width of the underlying type, whatever the format says of integers.
fn write_enumeration<F: SpanFormat>(
    writer: &mut SpanWriter<'_, F>,
    code: TypeCode,
    bits: i64,
) -> Result<(), EncodeError> {
    match code {
        TypeCode::SByte | TypeCode::Byte => writer.write_fixed(bits as u8),
        TypeCode::Int16 | TypeCode::UInt16 => writer.write_fixed(bits as u16),
        TypeCode::Int64 | TypeCode::UInt64 => writer.write_fixed(bits),
        _ => writer.write_fixed(bits as i32),
    }
}

#[inline]
fn write_reference<F: SpanFormat>(
    writer: &mut SpanWriter<'_, F>,
    reference: ObjectRef<'_>,
    type_info: fn() -> &'static TypeInfo,
) -> Result<(), EncodeError> {
    match reference {
        ObjectRef::Text(text) => writer.write_bytes(text.as_bytes()),
        ObjectRef::Bytes(bytes) => writer.write_bytes(bytes),
        ObjectRef::Class(object) => write_object(object, writer),
        ObjectRef::Null => write_null(writer, type_info()),
        _ => Err(unsupported(writer, type_info())),
    }
}

/// Null is empty for strings and arrays, a flag for nullable values, and nothing for objects.
fn write_null<F: SpanFormat>(
    writer: &mut SpanWriter<'_, F>,
    type_info: &'static TypeInfo,
) -> Result<(), EncodeError> {
    match type_info.kind {
        TypeKind::Nullable(_) => writer.write(&false),
        TypeKind::Simple(TypeCode::String) | TypeKind::Bytes => writer.write_bytes(&[]),
        TypeKind::Class(_) => Ok(()),
        _ => Err(unsupported(writer, type_info)),
    }
}

#[cold]
fn unsupported<F: SpanFormat>(writer: &SpanWriter<'_, F>, type_info: &'static TypeInfo) -> EncodeError {
    writer.error(EncodeProblem::UnsupportedType(type_info.name))
}
