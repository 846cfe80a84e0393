//! Primitive values as text.

use std::fmt;

use crate::model::{TICKS_PER_SECOND, date_of_days};

use super::primitive::{DateTimeBits, Primitive};
use super::record::PrimitiveType;

/// The value, without its type: a `TimeSpan` in ticks, a `DateTime` as date, time and kind.
impl fmt::Display for Primitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Boolean(value) => write!(f, "{value}"),
            Self::Char(value) => write!(f, "{value:?}"),
            Self::Decimal(value) => write!(f, "{value}"),
            Self::Single(value) => write!(f, "{value:?}"),
            Self::Double(value) => write!(f, "{value:?}"),
            Self::SByte(value) => write!(f, "{value}"),
            Self::Int16(value) => write!(f, "{value}"),
            Self::Int32(value) => write!(f, "{value}"),
            Self::Int64(value) => write!(f, "{value}"),
            Self::Byte(value) => write!(f, "{value}"),
            Self::UInt16(value) => write!(f, "{value}"),
            Self::UInt32(value) => write!(f, "{value}"),
            Self::UInt64(value) => write!(f, "{value}"),
            Self::TimeSpan(ticks) => write!(f, "{ticks} ticks"),
            Self::DateTime(time) => write!(f, "{time}"),
        }
    }
}

/// Date, time and kind: `2024-02-29 12:34:56.789 Utc`.
impl fmt::Display for DateTimeBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, fraction) = (self.ticks() / TICKS_PER_SECOND, self.ticks() % TICKS_PER_SECOND);
        let (days, second) = (seconds / 86_400, seconds % 86_400);
        let (year, month, day) = date_of_days(days);
        write!(f, "{year:04}-{month:02}-{day:02}")?;
        write!(f, " {:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60)?;
        if fraction > 0 {
            write!(f, ".{}", format!("{fraction:07}").trim_end_matches('0'))?;
        }
        f.write_str([" Unspecified", " Utc", " Local", " LocalAgain"][usize::from(self.kind())])
    }
}

/// The name of a primitive type in .NET.
impl fmt::Display for PrimitiveType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
