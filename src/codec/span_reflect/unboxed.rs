//! Writing through typed getters.

use crate::codec::dotnet::{Form, Object, Plain, Reflect};
use crate::codec::span::{EncodeError, SpanFormat, SpanWriter};

use super::writer::{unsupported, write_other};

/// Writes an object, member after member, each value as it is.
#[inline]
pub(super) fn write_unboxed<F: SpanFormat>(
    object: &dyn Reflect,
    writer: &mut SpanWriter<'_, F>,
) -> Result<(), EncodeError> {
    let class = object.class();
    let members = class.class().ok_or_else(|| unsupported(writer, class))?.members;
    for (index, member) in members.iter().enumerate() {
        let value = object.typed_get(index);
        if member.form == Form::Nullable && !matches!(value, Plain::Object(_)) {
            writer.write(&true)?;
        }
        match value {
            Plain::Boolean(value) => writer.write(&value)?,
            Plain::Char(value) => writer.write(&value)?,
            Plain::SByte(value) => writer.write(&value)?,
            Plain::Byte(value) => writer.write(&value)?,
            Plain::Int16(value) => writer.write(&value)?,
            Plain::UInt16(value) => writer.write(&value)?,
            Plain::Int32(value) => writer.write(&value)?,
            Plain::UInt32(value) => writer.write(&value)?,
            Plain::Int64(value) => writer.write(&value)?,
            Plain::UInt64(value) => writer.write(&value)?,
            Plain::Single(value) => writer.write(&value)?,
            Plain::Double(value) => writer.write(&value)?,
            Plain::Decimal(value) => writer.write(&value)?,
            Plain::DateTime(value) => writer.write(&value)?,
            Plain::Guid(value) => writer.write(&value)?,
            Plain::DateOnly(_) | Plain::TimeOnly(_) => {
                return Err(unsupported(writer, (member.type_info)()));
            }
            Plain::Object(Object::Text(text)) => writer.write_bytes(text.as_bytes())?,
            Plain::Object(Object::Class(inner)) => write_unboxed(inner, writer)?,
            Plain::Object(object) => write_other(writer, object, member)?,
        }
    }
    Ok(())
}
