//! Writing through getters.

use crate::codec::dotnet::{
    Boxed, EnumerationValue, Form, Member, Object, Reflect, TypeCode, TypeInfo, TypeKind,
};
use crate::codec::span::{EncodeError, EncodeProblem, SpanFormat, SpanWriter};

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

/// Writes what the box of a member of this type holds; anything else the long way.
macro_rules! write_boxed {
    ($writer:ident, $object:expr, $member:ident, $boxed:ident) => {
        match $object {
            Object::Boxed(Boxed::$boxed(value)) => $writer.write(&*value)?,
            object => write_other($writer, object, $member)?,
        }
    };
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
        let get = || object.compiled_get(index);
        // By the type's code, as the original chooses: it stands in the table, whatever the getter is still busy with.
        match member.code {
            TypeCode::Boolean => write_boxed!(writer, get(), member, Boolean),
            TypeCode::Char => write_boxed!(writer, get(), member, Char),
            TypeCode::SByte => write_boxed!(writer, get(), member, SByte),
            TypeCode::Byte => write_boxed!(writer, get(), member, Byte),
            TypeCode::Int16 => write_boxed!(writer, get(), member, Int16),
            TypeCode::UInt16 => write_boxed!(writer, get(), member, UInt16),
            TypeCode::Int32 => write_boxed!(writer, get(), member, Int32),
            TypeCode::UInt32 => write_boxed!(writer, get(), member, UInt32),
            TypeCode::Int64 => write_boxed!(writer, get(), member, Int64),
            TypeCode::UInt64 => write_boxed!(writer, get(), member, UInt64),
            TypeCode::Single => write_boxed!(writer, get(), member, Single),
            TypeCode::Double => write_boxed!(writer, get(), member, Double),
            TypeCode::Decimal => write_boxed!(writer, get(), member, Decimal),
            TypeCode::DateTime => write_boxed!(writer, get(), member, DateTime),
            TypeCode::String => match get() {
                Object::Text(text) => writer.write_bytes(text.as_bytes())?,
                object => write_other(writer, object, member)?,
            },
            TypeCode::Object | TypeCode::Empty => match get() {
                Object::Class(inner) => write_object(inner, writer)?,
                object => write_other(writer, object, member)?,
            },
        }
    }
    Ok(())
}

/// Null, and types that are told by more than their code.
#[cold]
pub(super) fn write_other<F: SpanFormat>(
    writer: &mut SpanWriter<'_, F>,
    object: Object<'_>,
    member: &Member,
) -> Result<(), EncodeError> {
    let type_info = (member.type_info)();
    match object {
        Object::Null => write_null(writer, type_info),
        Object::Bytes(bytes) => writer.write_bytes(bytes),
        Object::Boxed(value) => {
            if member.form == Form::Nullable {
                writer.write(&true)?;
            }
            write_value(writer, &value, type_info)
        }
        _ => Err(unsupported(writer, type_info)),
    }
}

fn write_value<F: SpanFormat>(
    writer: &mut SpanWriter<'_, F>,
    value: &Boxed,
    type_info: &'static TypeInfo,
) -> Result<(), EncodeError> {
    match value {
        Boxed::Boolean(value) => writer.write(&**value),
        Boxed::Char(value) => writer.write(&**value),
        Boxed::SByte(value) => writer.write(&**value),
        Boxed::Byte(value) => writer.write(&**value),
        Boxed::Int16(value) => writer.write(&**value),
        Boxed::UInt16(value) => writer.write(&**value),
        Boxed::Int32(value) => writer.write(&**value),
        Boxed::UInt32(value) => writer.write(&**value),
        Boxed::Int64(value) => writer.write(&**value),
        Boxed::UInt64(value) => writer.write(&**value),
        Boxed::Single(value) => writer.write(&**value),
        Boxed::Double(value) => writer.write(&**value),
        Boxed::Decimal(value) => writer.write(&**value),
        Boxed::DateTime(value) => writer.write(&**value),
        Boxed::Guid(value) => writer.write(&**value),
        Boxed::Enumeration(value) => write_enumeration(writer, &**value),
        Boxed::DateOnly(_) | Boxed::TimeOnly(_) => Err(unsupported(writer, type_info)),
    }
}

/// In the width of the underlying type, whatever the format says of integers.
fn write_enumeration<F: SpanFormat>(
    writer: &mut SpanWriter<'_, F>,
    value: &dyn EnumerationValue,
) -> Result<(), EncodeError> {
    let bits = value.bits();
    match value.code() {
        TypeCode::SByte | TypeCode::Byte => writer.write_fixed(bits as u8),
        TypeCode::Int16 | TypeCode::UInt16 => writer.write_fixed(bits as u16),
        TypeCode::Int64 | TypeCode::UInt64 => writer.write_fixed(bits),
        _ => writer.write_fixed(bits as i32),
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
pub(super) fn unsupported<F: SpanFormat>(
    writer: &SpanWriter<'_, F>,
    type_info: &'static TypeInfo,
) -> EncodeError {
    writer.error(EncodeProblem::UnsupportedType(type_info.name))
}
