//! The handler of types that have a type code of their own: numbers, instants, strings, enumerations.

use std::hint::black_box;

use crate::codec::dotnet::{Boxable, Boxed, ObjectRef, TypeCode, TypeInfo, TypeKind, Value};
use crate::codec::{DecodeError, DecodeProblem};
use crate::model::{DateTime, Decimal};

use super::core::BinaryCore;
use super::error::EncodeError;
use super::handler::{Handler, Host};

/// First in the chain.
pub(super) struct BinaryGeneral {
    priority: i32,
}

impl BinaryGeneral {
    pub(super) const fn new() -> Self {
        Self { priority: 10 }
    }
}

impl Handler for BinaryGeneral {
    fn priority(&self) -> i32 {
        self.priority
    }

    fn write(
        &self,
        host: &mut Host<'_, '_>,
        value: ObjectRef<'_>,
        type_info: &'static TypeInfo,
    ) -> Result<bool, EncodeError> {
        let core = &mut *host.core;
        match (type_info.code(), value) {
            (TypeCode::Object, _) => return Ok(false),
            (TypeCode::Empty, _) => core.write_bytes(&[0])?,
            (TypeCode::String, ObjectRef::Text(text)) => write_text(core, text)?,
            (TypeCode::String, ObjectRef::Null) => core.write_sized(&[])?,
            (code, ObjectRef::Value(value)) => write_value(core, code, value)?,
            _ => return Err(EncodeError::WrongType(type_info.name)),
        }
        Ok(true)
    }

    fn read(
        &self,
        host: &mut Host<'_, '_>,
        type_info: &'static TypeInfo,
    ) -> Result<Option<Value>, DecodeError> {
        let core = &mut *host.core;
        match (type_info.code(), &type_info.kind) {
            (TypeCode::Object, _) => Ok(None),
            (TypeCode::Empty, _) => Ok(Some(Value::Null)),
            (TypeCode::String, _) => read_text(core).map(Some),
            (code, TypeKind::Enumeration { from_bits, .. }) => {
                let bits = read_enumeration(core, code)?;
                from_bits(bits).map(|value| Some(Value::Boxed(value))).ok_or(core.value_out_of_range())
            }
            (code, _) => read_value(core, code).map(Some),
        }
    }
}

/// A null string and an empty one are the same bytes.
fn write_text(core: &mut BinaryCore<'_>, text: &str) -> Result<(), EncodeError> {
    let bytes = black_box(Vec::from(text.as_bytes()));
    core.write_sized(&bytes)
}

/// Zeros at the end of text of a fixed width are padding.
fn read_text(core: &mut BinaryCore<'_>) -> Result<Value, DecodeError> {
    let is_padded = core.width.is_some();
    let invalid = core.error(DecodeProblem::InvalidUtf8);
    let bytes = core.read_sized()?;
    let text = str::from_utf8(bytes).map_err(|_| invalid)?;
    let text = if is_padded { text.trim_end_matches('\0') } else { text };
    Ok(Value::Text(black_box(String::from(text))))
}

/// Unsigned integers are written as the signed ones of the same bits.
fn write_value(core: &mut BinaryCore<'_>, code: TypeCode, value: &Boxed) -> Result<(), EncodeError> {
    match value {
        Boxed::Boolean(value) => core.write_bytes(&[(**value).into()]),
        Boxed::Byte(value) => core.write_bytes(&[**value]),
        Boxed::SByte(value) => core.write_bytes(&[to_byte(**value, "SByte")?]),
        Boxed::Char(value) => core.write_bytes(&[to_byte(**value, "Char")?]),
        Boxed::Int16(value) => core.write_int16(**value as u16),
        Boxed::UInt16(value) => core.write_int16(**value),
        Boxed::Int32(value) => core.write_int32(**value as u32),
        Boxed::UInt32(value) => core.write_int32(**value),
        Boxed::Int64(value) => core.write_int64(**value as u64),
        Boxed::UInt64(value) => core.write_int64(**value),
        Boxed::Single(value) => core.write_fixed32(value.to_bits()),
        Boxed::Double(value) => core.write_fixed64(value.to_bits()),
        Boxed::Decimal(value) => write_decimal(core, **value),
        Boxed::DateTime(value) => write_date_time(core, **value),
        Boxed::Enumeration(value) => write_enumeration(core, code, value.bits()),
        Boxed::Guid(_) | Boxed::DateOnly(_) | Boxed::TimeOnly(_) => Err(EncodeError::WrongType("Object")),
    }
}

/// The original converts to a byte what has one byte, and refuses what does not fit.
fn to_byte<T: TryInto<u8>>(value: T, type_name: &'static str) -> Result<u8, EncodeError> {
    value.try_into().map_err(|_| EncodeError::ValueOutOfRange(type_name))
}

fn write_decimal(core: &mut BinaryCore<'_>, value: Decimal) -> Result<(), EncodeError> {
    value.to_parts().into_iter().try_for_each(|word| core.write_int32(word as u32))
}

/// Whole seconds since 1970; 0 stands for the ticks of [`DateTime::MIN`], of whatever kind. What the original makes of other times before 1970 depends on
/// the runtime: they are an error here.
fn write_date_time(core: &mut BinaryCore<'_>, value: DateTime) -> Result<(), EncodeError> {
    if core.options.full_time {
        return core.write_int64(value.to_binary() as u64);
    }
    let seconds = if value.ticks() == DateTime::MIN.ticks() { 0 } else { value.unix_seconds() };
    match u32::try_from(seconds) {
        Ok(seconds) if seconds < u32::MAX => core.write_int32(seconds),
        _ => Err(EncodeError::ValueOutOfRange("DateTime")),
    }
}

fn write_enumeration(core: &mut BinaryCore<'_>, code: TypeCode, bits: i64) -> Result<(), EncodeError> {
    match code {
        TypeCode::SByte | TypeCode::Byte => {
            core.write_bytes(&[u8::try_from(bits).map_err(|_| EncodeError::ValueOutOfRange("SByte"))?])
        }
        TypeCode::Int16 | TypeCode::UInt16 => core.write_int16(bits as u16),
        TypeCode::Int64 | TypeCode::UInt64 => core.write_int64(bits as u64),
        _ => core.write_int32(bits as u32),
    }
}

fn read_value(core: &mut BinaryCore<'_>, code: TypeCode) -> Result<Value, DecodeError> {
    Ok(match code {
        TypeCode::Boolean => boxed(core.read_byte()? != 0),
        TypeCode::Byte => boxed(core.read_byte()?),
        TypeCode::SByte => {
            let offset_error = core.value_out_of_range();
            boxed(i8::try_from(core.read_byte()?).map_err(|_| offset_error)?)
        }
        TypeCode::Char => boxed(char::from(core.read_byte()?)),
        TypeCode::Int16 => boxed(core.read_int16()? as i16),
        TypeCode::UInt16 => boxed(core.read_int16()?),
        TypeCode::Int32 => boxed(core.read_int32()? as i32),
        TypeCode::UInt32 => boxed(core.read_int32()?),
        TypeCode::Int64 => boxed(core.read_int64()? as i64),
        TypeCode::UInt64 => boxed(core.read_int64()?),
        TypeCode::Single => boxed(f32::from_bits(core.read_fixed32()?)),
        TypeCode::Double => boxed(f64::from_bits(core.read_fixed64()?)),
        TypeCode::Decimal => boxed(read_decimal(core)?),
        TypeCode::DateTime => boxed(read_date_time(core)?),
        TypeCode::Empty | TypeCode::Object | TypeCode::String => return Err(core.value_out_of_range()),
    })
}

fn boxed(value: impl Boxable) -> Value {
    Value::Boxed(value.boxed())
}

fn read_decimal(core: &mut BinaryCore<'_>) -> Result<Decimal, DecodeError> {
    let out_of_range = core.value_out_of_range();
    let mut part = || core.read_int32().map(|bits| bits as i32);
    Decimal::from_parts([part()?, part()?, part()?, part()?]).ok_or(out_of_range)
}

fn read_date_time(core: &mut BinaryCore<'_>) -> Result<DateTime, DecodeError> {
    let out_of_range = core.value_out_of_range();
    if core.options.full_time {
        return DateTime::from_binary(core.read_int64()? as i64).ok_or(out_of_range);
    }
    Ok(match core.read_int32()? {
        0 => DateTime::MIN,
        seconds => DateTime::from_unix_seconds(seconds),
    })
}

fn read_enumeration(core: &mut BinaryCore<'_>, code: TypeCode) -> Result<i64, DecodeError> {
    Ok(match code {
        TypeCode::SByte | TypeCode::Byte => core.read_byte()?.into(),
        TypeCode::Int16 => (core.read_int16()? as i16).into(),
        TypeCode::UInt16 => core.read_int16()?.into(),
        TypeCode::UInt32 => core.read_int32()?.into(),
        TypeCode::Int64 | TypeCode::UInt64 => core.read_int64()? as i64,
        _ => (core.read_int32()? as i32).into(),
    })
}

/// A number as an object of an integer type, if it fits.
pub(super) fn box_number(code: TypeCode, number: usize) -> Option<Boxed> {
    Some(match code {
        TypeCode::Byte => u8::try_from(number).ok()?.boxed(),
        TypeCode::Int16 => i16::try_from(number).ok()?.boxed(),
        TypeCode::UInt16 => u16::try_from(number).ok()?.boxed(),
        TypeCode::Int32 => i32::try_from(number).ok()?.boxed(),
        TypeCode::UInt32 => u32::try_from(number).ok()?.boxed(),
        TypeCode::Int64 => i64::try_from(number).ok()?.boxed(),
        TypeCode::UInt64 => u64::try_from(number).ok()?.boxed(),
        _ => return None,
    })
}

/// The number that an object of an integer type holds, if it is a size.
pub(super) fn unbox_number(value: &Boxed) -> Option<usize> {
    match value {
        Boxed::Byte(value) => Some((**value).into()),
        Boxed::Int16(value) => (**value).try_into().ok(),
        Boxed::UInt16(value) => Some((**value).into()),
        Boxed::Int32(value) => (**value).try_into().ok(),
        Boxed::UInt32(value) => (**value).try_into().ok(),
        Boxed::Int64(value) => (**value).try_into().ok(),
        Boxed::UInt64(value) => (**value).try_into().ok(),
        _ => None,
    }
}
