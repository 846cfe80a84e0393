//! The handler of common types without a type code: GUIDs, dates, times, byte and character arrays, nullable values.

use crate::codec::dotnet::{Boxable, Boxed, DateOnly, ObjectRef, TimeOnly, TypeInfo, TypeKind, Value};
use crate::codec::{DecodeError, DecodeProblem};
use crate::model::Guid;

use super::core::BinaryCore;
use super::error::EncodeError;
use super::handler::{Handler, Host};

/// Second in the chain.
pub(super) struct BinaryNormal {
    priority: i32,
}

impl BinaryNormal {
    pub(super) const fn new() -> Self {
        Self { priority: 12 }
    }
}

impl Handler for BinaryNormal {
    fn priority(&self) -> i32 {
        self.priority
    }

    fn write(
        &self,
        host: &mut Host<'_, '_>,
        value: ObjectRef<'_>,
        type_info: &'static TypeInfo,
    ) -> Result<bool, EncodeError> {
        if let TypeKind::Nullable(inner) = type_info.kind {
            return write_nullable(host, value, inner()).map(|()| true);
        }
        let core = &mut *host.core;
        match (&type_info.kind, value) {
            (TypeKind::Guid | TypeKind::DateOnly | TypeKind::TimeOnly, ObjectRef::Value(value)) => {
                write_value(core, value, type_info)?;
            }
            (TypeKind::Bytes, ObjectRef::Bytes(bytes)) => core.write_sized(bytes)?,
            (TypeKind::Chars, ObjectRef::Chars(chars)) => {
                let text: String = chars.iter().collect();
                core.write_sized(text.as_bytes())?;
            }
            (TypeKind::Bytes | TypeKind::Chars, ObjectRef::Null) => core.write_sized(&[])?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn read(
        &self,
        host: &mut Host<'_, '_>,
        type_info: &'static TypeInfo,
    ) -> Result<Option<Value>, DecodeError> {
        let core = &mut *host.core;
        let out_of_range = core.value_out_of_range();
        Ok(Some(match type_info.kind {
            TypeKind::Nullable(inner) => return read_nullable(host, inner()).map(Some),
            TypeKind::Guid => boxed(Guid::from_bytes(core.read_array()?)),
            TypeKind::DateOnly => {
                boxed(DateOnly::from_day_number(core.read_int32()? as i32).ok_or(out_of_range)?)
            }
            TypeKind::TimeOnly => boxed(TimeOnly::from_ticks(core.read_int64()? as i64).ok_or(out_of_range)?),
            TypeKind::Bytes => Value::Bytes(Vec::from(core.read_sized()?).into_boxed_slice()),
            TypeKind::Chars => Value::Chars(read_chars(core)?),
            _ => return Ok(None),
        }))
    }
}

fn boxed(value: impl Boxable) -> Value {
    Value::Boxed(value.boxed())
}

/// A flag, and the value if there is one.
fn write_nullable(
    host: &mut Host<'_, '_>,
    value: ObjectRef<'_>,
    inner: &'static TypeInfo,
) -> Result<(), EncodeError> {
    if matches!(value, ObjectRef::Null) {
        return host.core.write_bytes(&[0]);
    }
    host.core.write_bytes(&[1])?;
    host.write(value, inner)
}

fn read_nullable(host: &mut Host<'_, '_>, inner: &'static TypeInfo) -> Result<Value, DecodeError> {
    if host.core.read_byte()? == 0 { Ok(Value::Null) } else { host.read(inner) }
}

fn write_value(
    core: &mut BinaryCore<'_>,
    value: &Boxed,
    type_info: &'static TypeInfo,
) -> Result<(), EncodeError> {
    match value {
        Boxed::Guid(guid) => core.write_bytes(&guid.to_bytes()),
        Boxed::DateOnly(date) => core.write_int32(date.day_number() as u32),
        Boxed::TimeOnly(time) => core.write_int64(time.ticks() as u64),
        _ => Err(EncodeError::WrongType(type_info.name)),
    }
}

fn read_chars(core: &mut BinaryCore<'_>) -> Result<Box<[char]>, DecodeError> {
    let invalid = core.error(DecodeProblem::InvalidUtf8);
    let text = str::from_utf8(core.read_sized()?).map_err(|_| invalid)?;
    let mut chars = Vec::with_capacity(text.chars().count());
    chars.extend(text.chars());
    Ok(chars.into_boxed_slice())
}
