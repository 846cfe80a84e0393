//! A [`DateTime`] as text: the form of ISO 8601 that .NET's JSON serializers write and read.
//!
//! Source: .NET documentation, "DateTime and DateTimeOffset support in System.Text.Json" (the extended profile of
//! ISO 8601-1:2019). Local time is UTC here, as on a machine whose clock is set to it. The calendar's arithmetic is Howard
//! Hinnant's ("chrono-Compatible Low-Level Date Algorithms"): its years begin in March, so that leap days come last.

use std::fmt;
use std::str::FromStr;

use super::datetime::{DateTime, DateTimeKind, TICKS_PER_SECOND};

const TICKS_PER_MINUTE: u64 = 60 * TICKS_PER_SECOND;
const TICKS_PER_HOUR: u64 = 60 * TICKS_PER_MINUTE;
const TICKS_PER_DAY: u64 = 24 * TICKS_PER_HOUR;

/// Days from the first of March of year 0 to the first of January of year 1.
const DAYS_BEFORE_YEAR_1: u64 = 306;
const DAYS_PER_400_YEARS: u64 = 146_097;

/// Bytes of the longest text: `9999-12-31T23:59:59.9999999+00:00`.
const MAX_BYTES: usize = 33;

/// Text that is no [`DateTime`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseDateTimeError {
    /// The offset of the byte that does not fit; the text's length if it ends too early.
    pub offset: usize,
}

impl fmt::Display for ParseDateTimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no time in the form of ISO 8601: wrong at byte {}", self.offset)
    }
}

impl std::error::Error for ParseDateTimeError {}

/// A time's text, on the stack.
pub(super) struct Text {
    bytes: [u8; MAX_BYTES],
    length: usize,
}

impl Text {
    pub(super) fn of(time: DateTime) -> Self {
        let mut text = Self { bytes: [0; MAX_BYTES], length: 0 };
        let (year, month, day) = date_of_days(time.ticks() / TICKS_PER_DAY);
        let ticks = time.ticks() % TICKS_PER_DAY;
        text.number(year, 4);
        text.number_after(b'-', month, 2);
        text.number_after(b'-', day, 2);
        text.number_after(b'T', ticks / TICKS_PER_HOUR, 2);
        text.number_after(b':', ticks % TICKS_PER_HOUR / TICKS_PER_MINUTE, 2);
        text.number_after(b':', ticks % TICKS_PER_MINUTE / TICKS_PER_SECOND, 2);
        text.fraction(ticks % TICKS_PER_SECOND);
        text.push(match time.kind() {
            DateTimeKind::Unspecified => b"",
            DateTimeKind::Utc => b"Z",
            DateTimeKind::Local => b"+00:00",
        });
        text
    }

    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.length]).expect("digits and signs are ASCII")
    }

    fn push(&mut self, bytes: &[u8]) {
        self.bytes[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    fn number(&mut self, mut number: u64, digits: usize) {
        self.length += digits;
        for byte in self.bytes[self.length - digits..self.length].iter_mut().rev() {
            *byte = b'0' + (number % 10) as u8;
            number /= 10;
        }
    }

    fn number_after(&mut self, separator: u8, number: u64, digits: usize) {
        self.push(&[separator]);
        self.number(number, digits);
    }

    /// Seven digits without the zeros at their end.
    fn fraction(&mut self, ticks: u64) {
        if ticks == 0 {
            return;
        }
        self.number_after(b'.', ticks, 7);
        while self.bytes[self.length - 1] == b'0' {
            self.length -= 1;
        }
    }
}

/// Year, month and day from days since the first of January of year 1.
pub(crate) fn date_of_days(days: u64) -> (u64, u64, u64) {
    let days = days + DAYS_BEFORE_YEAR_1;
    let (era, day_of_era) = (days / DAYS_PER_400_YEARS, days % DAYS_PER_400_YEARS);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let year = era * 400 + year_of_era;
    if month_from_march < 10 {
        (year, month_from_march + 3, day)
    } else {
        (year + 1, month_from_march - 9, day)
    }
}

/// Days since the first of January of year 1, of a day that exists.
fn days_of_date(year: u64, month: u64, day: u64) -> u64 {
    let (year, month_from_march) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days_of_years = year * 365 + year / 4 - year / 100 + year / 400;
    days_of_years + (153 * month_from_march + 2) / 5 + day - 1 - DAYS_BEFORE_YEAR_1
}

fn days_in_month(year: u64, month: u64) -> u64 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// `2025-01-01T00:00:00.5Z`: seven digits of a fraction without the zeros at their end, then `Z` for UTC, `+00:00` for
/// local time, nothing where nothing is known.
///
/// # Examples
/// ```
/// use alloclab::model::{DateTime, DateTimeKind};
///
/// assert_eq!(DateTime::from_unix_seconds(1).to_string(), "1970-01-01T00:00:01Z");
/// let local = DateTime::from_ticks(5_000_000, DateTimeKind::Local).unwrap();
/// assert_eq!(local.to_string(), "0001-01-01T00:00:00.5+00:00");
/// ```
impl fmt::Display for DateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Text::of(*self).as_str())
    }
}

/// A date; after it, if anything, the time of day to the minute, to the second, or with a fraction of which all digits
/// beyond the seventh are dropped; after that `Z`, an offset from UTC, or nothing. A time with an offset becomes local time.
///
/// # Examples
/// ```
/// use alloclab::model::{DateTime, DateTimeKind};
///
/// let time: DateTime = "2025-01-01T02:00:00+02:00".parse()?;
/// assert_eq!((time.to_string(), time.kind()), ("2025-01-01T00:00:00+00:00".into(), DateTimeKind::Local));
/// assert_eq!("2025-02-29".parse::<DateTime>().unwrap_err().offset, 8);
/// # Ok::<(), alloclab::model::ParseDateTimeError>(())
/// ```
impl FromStr for DateTime {
    type Err = ParseDateTimeError;

    fn from_str(text: &str) -> Result<Self, ParseDateTimeError> {
        let mut parser = Parser { text: text.as_bytes(), offset: 0 };
        let days = parser.date()?;
        let has_time = parser.next_is(b'T');
        let ticks = if has_time { parser.time_of_day()? } else { 0 };
        let (kind, ticks_ahead) = if has_time { parser.zone()? } else { Default::default() };
        if parser.offset < text.len() {
            return Err(parser.error());
        }
        let ticks = (days * TICKS_PER_DAY + ticks).checked_add_signed(-ticks_ahead);
        let time = ticks.and_then(|ticks| Self::from_ticks(ticks, kind));
        time.ok_or(ParseDateTimeError { offset: 0 })
    }
}

struct Parser<'a> {
    text: &'a [u8],
    offset: usize,
}

impl Parser<'_> {
    fn error(&self) -> ParseDateTimeError {
        ParseDateTimeError { offset: self.offset }
    }

    fn next_is(&mut self, byte: u8) -> bool {
        let is = self.text.get(self.offset) == Some(&byte);
        self.offset += usize::from(is);
        is
    }

    fn expect(&mut self, byte: u8) -> Result<(), ParseDateTimeError> {
        if self.next_is(byte) { Ok(()) } else { Err(self.error()) }
    }

    fn digit(&mut self) -> Option<u64> {
        let digit = self.text.get(self.offset).filter(|byte| byte.is_ascii_digit())?;
        self.offset += 1;
        Some(u64::from(digit - b'0'))
    }

    /// A number of so many digits, from `first` to `last`.
    fn number(&mut self, digits: usize, first: u64, last: u64) -> Result<u64, ParseDateTimeError> {
        let start = self.offset;
        let mut number = 0;
        for _ in 0..digits {
            number = number * 10 + self.digit().ok_or(self.error())?;
        }
        if (first..=last).contains(&number) { Ok(number) } else { Err(ParseDateTimeError { offset: start }) }
    }

    fn date(&mut self) -> Result<u64, ParseDateTimeError> {
        let year = self.number(4, 1, 9999)?;
        self.expect(b'-')?;
        let month = self.number(2, 1, 12)?;
        self.expect(b'-')?;
        let day = self.number(2, 1, days_in_month(year, month))?;
        Ok(days_of_date(year, month, day))
    }

    fn time_of_day(&mut self) -> Result<u64, ParseDateTimeError> {
        let hour = self.number(2, 0, 23)?;
        self.expect(b':')?;
        let mut ticks = hour * TICKS_PER_HOUR + self.number(2, 0, 59)? * TICKS_PER_MINUTE;
        if self.next_is(b':') {
            ticks += self.number(2, 0, 59)? * TICKS_PER_SECOND;
            if self.next_is(b'.') {
                ticks += self.fraction()?;
            }
        }
        Ok(ticks)
    }

    fn fraction(&mut self) -> Result<u64, ParseDateTimeError> {
        let mut unit = TICKS_PER_SECOND / 10;
        let mut ticks = self.digit().ok_or(self.error())? * unit;
        while let Some(digit) = self.digit() {
            unit /= 10;
            ticks += digit * unit;
        }
        Ok(ticks)
    }

    /// The kind, and the ticks by which the time is ahead of UTC.
    fn zone(&mut self) -> Result<(DateTimeKind, i64), ParseDateTimeError> {
        let sign = match self.text.get(self.offset) {
            None => return Ok((DateTimeKind::Unspecified, 0)),
            Some(b'Z') => {
                self.offset += 1;
                return Ok((DateTimeKind::Utc, 0));
            }
            Some(b'+') => 1,
            Some(b'-') => -1,
            Some(_) => return Err(self.error()),
        };
        self.offset += 1;
        let hours = self.number(2, 0, 14)?;
        self.expect(b':')?;
        let ticks = hours * TICKS_PER_HOUR + self.number(2, 0, 59)? * TICKS_PER_MINUTE;
        Ok((DateTimeKind::Local, sign * ticks as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MAX_TICKS;

    fn unspecified(ticks: u64) -> DateTime {
        DateTime::from_ticks(ticks, DateTimeKind::Unspecified).unwrap()
    }

    #[test]
    fn every_day_of_the_first_and_the_last_400_years_is_written_and_read_back() {
        let mut previous = String::new();
        let last = MAX_TICKS / TICKS_PER_DAY;
        for day in (0..DAYS_PER_400_YEARS).chain(last - DAYS_PER_400_YEARS..=last) {
            let time = unspecified(day * TICKS_PER_DAY);
            let text = time.to_string();
            assert!(text > previous, "{text} comes after {previous}");
            assert_eq!(text.parse(), Ok(time));
            previous = text;
        }
        assert_eq!(previous, "9999-12-31T00:00:00");
    }

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
            assert_eq!(date_of_days(days), expected, "{days}");
        }
    }

    #[test]
    fn leap_years_follow_gregory() {
        for (text, is_day) in
            [("2000-02-29", true), ("1900-02-29", false), ("2024-02-29", true), ("2023-02-29", false)]
        {
            assert_eq!(text.parse::<DateTime>().is_ok(), is_day, "{text}");
        }
    }

    #[test]
    fn a_fraction_has_seven_digits_at_most_and_no_zero_at_its_end() {
        assert_eq!(unspecified(1).to_string(), "0001-01-01T00:00:00.0000001");
        assert_eq!(unspecified(1_230_000).to_string(), "0001-01-01T00:00:00.123");
        assert_eq!(unspecified(MAX_TICKS).to_string(), "9999-12-31T23:59:59.9999999");
        assert_eq!("0001-01-01T00:00:00.00000019".parse(), Ok(unspecified(1)));
    }

    #[test]
    fn shorter_forms_and_offsets_are_read() {
        let utc = |text: &str| text.parse::<DateTime>().unwrap().to_string();
        assert_eq!(utc("2025-01-01"), "2025-01-01T00:00:00");
        assert_eq!(utc("2025-01-01T12:30"), "2025-01-01T12:30:00");
        assert_eq!(utc("2025-01-01T12:30Z"), "2025-01-01T12:30:00Z");
        assert_eq!(utc("2025-01-01T12:30:00-01:30"), "2025-01-01T14:00:00+00:00");
    }

    #[test]
    fn other_text_is_refused_and_the_place_is_told() {
        for (text, offset) in [
            ("", 0),
            ("2025-13-01", 5),
            ("2025-01-01 00:00", 10),
            ("2025-01-01Z", 10),
            ("2025-01-01T24:00", 11),
            ("2025-01-01T00:00:00.", 20),
            ("2025-01-01T00:00:00+15:00", 20),
            ("2025-01-01T00:00:00Zz", 20),
            ("0000-01-01", 0),
            ("0001-01-01T00:00:00+01:00", 0),
            ("2025-01-0\u{e9}", 9),
        ] {
            assert_eq!(text.parse::<DateTime>(), Err(ParseDateTimeError { offset }), "{text}");
        }
    }
}
