//! Primitive values as text.

use std::fmt;

use crate::model::TICKS_PER_SECOND;

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

/// Years, their days, and how many such stretches the next longer one has; its leap day lengthens the last of them.
const YEARS: [(u64, u64, u64); 4] = [(400, 146_097, u64::MAX), (100, 36_524, 4), (4, 1_461, 25), (1, 365, 4)];

/// Date, time and kind: `2024-02-29 12:34:56.789 Utc`.
impl fmt::Display for DateTimeBits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (seconds, fraction) = (self.ticks() / TICKS_PER_SECOND, self.ticks() % TICKS_PER_SECOND);
        let (days, second) = (seconds / 86_400, seconds % 86_400);
        let (year, month, day) = date(days);
        write!(f, "{year:04}-{month:02}-{day:02}")?;
        write!(f, " {:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60)?;
        if fraction > 0 {
            write!(f, ".{}", format!("{fraction:07}").trim_end_matches('0'))?;
        }
        f.write_str([" Unspecified", " Utc", " Local", " LocalAgain"][usize::from(self.kind())])
    }
}

/// Year, month and day of a day since 0001-01-01.
fn date(mut days: u64) -> (u64, u64, u64) {
    let mut year = 1;
    for (years, length, most) in YEARS {
        let parts = (days / length).min(most - 1);
        year += parts * years;
        days -= parts * length;
    }
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let february = if is_leap { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

/// The name of a primitive type in .NET.
impl fmt::Display for PrimitiveType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_become_dates_of_the_gregorian_calendar() {
        let dates = [
            (0, (1, 1, 1)),
            (58, (1, 2, 28)),
            (59, (1, 3, 1)),
            (1_460, (4, 12, 31)),
            (36_523, (100, 12, 31)),
            (146_096, (400, 12, 31)),
            (719_162, (1970, 1, 1)),
            (730_178, (2000, 2, 29)),
            (730_484, (2000, 12, 31)),
            (766_702, (2100, 2, 28)),
            (766_703, (2100, 3, 1)),
            (3_652_058, (9999, 12, 31)),
        ];
        for (days, expected) in dates {
            assert_eq!(date(days), expected, "{days}");
        }
    }
}
