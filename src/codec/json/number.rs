//! Floating-point numbers as .NET lays them out.
//!
//! Source: dotnet/runtime, `Number.Formatting.cs` (`FormatDouble` with format `R`, `FormatGeneral`): the shortest digits
//! that read back to the number; as a plain number if its point is at most three zeros in front of them, and not behind more
//! places than the type has digits for certain or the number itself has; else with an exponent of two digits or more.

use std::io::{self, Write};

use serde_json::ser::{CompactFormatter, Formatter};

/// Digits that a `double` has for certain.
const DOUBLE_DIGITS: i32 = 15;

/// Digits that a `float` has for certain.
const SINGLE_DIGITS: i32 = 7;

/// The first integer that has more digits than that.
const WHOLE_END: u64 = 10_u64.pow(DOUBLE_DIGITS as u32);

/// Zeros between the point and the first digit of a plain number, at most.
const MAX_ZEROS: i32 = 3;

/// Bytes of the longest text: a sign, 17 digits, a point, an exponent of five; or the longest plain number.
const MAX_BYTES: usize = 32;

/// Digits of the longest shortest form.
const MAX_DIGITS: usize = 17;

/// A number's text, on the stack.
pub(in crate::codec) struct NumberText {
    bytes: [u8; MAX_BYTES],
    length: usize,
}

impl NumberText {
    /// The text of a finite `double`.
    pub(in crate::codec) fn of_double(number: f64) -> Self {
        if let Some(whole) = small_whole(number) {
            return Self::of_whole(whole);
        }
        Self::of(number.is_sign_negative(), DOUBLE_DIGITS, |text| CompactFormatter.write_f64(text, number))
    }

    /// The text of a finite `float`.
    pub(in crate::codec) fn of_single(number: f32) -> Self {
        Self::of(number.is_sign_negative(), SINGLE_DIGITS, |text| CompactFormatter.write_f32(text, number))
    }

    /// The bytes, all of them ASCII.
    pub(in crate::codec) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    fn of_whole(number: i64) -> Self {
        let mut text = Self { bytes: [0; MAX_BYTES], length: 0 };
        text.push_written(|rest| CompactFormatter.write_i64(rest, number));
        text
    }

    /// `write` gives the digits, in whatever layout.
    fn of(
        is_negative: bool,
        certain_digits: i32,
        write: impl FnOnce(&mut &mut [u8]) -> io::Result<()>,
    ) -> Self {
        let mut text = Self { bytes: [0; MAX_BYTES], length: 0 };
        text.push_written(write);
        let decimal = Decimal::parse(text.as_bytes());
        text.length = 0;
        if is_negative {
            text.push(b"-");
        }
        text.lay_out(&decimal, certain_digits);
        text
    }

    fn lay_out(&mut self, decimal: &Decimal, certain_digits: i32) {
        let digits = decimal.digits();
        let max_scale = certain_digits.max(digits.len() as i32);
        if decimal.scale > max_scale || decimal.scale < -MAX_ZEROS {
            self.push_plain(digits, 1);
            self.push_exponent(decimal.scale - 1);
        } else {
            self.push_plain(digits, decimal.scale);
        }
    }

    /// Digits with the point behind the first `scale` of them.
    fn push_plain(&mut self, digits: &[u8], scale: i32) {
        let whole = usize::try_from(scale).unwrap_or_default();
        let (front, fraction) = digits.split_at(whole.min(digits.len()));
        self.push(if whole == 0 { b"0" } else { front });
        self.push_zeros(whole - front.len());
        if !fraction.is_empty() {
            self.push(b".");
            self.push_zeros(usize::try_from(-scale).unwrap_or_default());
            self.push(fraction);
        }
    }

    fn push_exponent(&mut self, exponent: i32) {
        self.push(if exponent < 0 { b"E-" } else { b"E+" });
        self.push_written(|rest| write!(rest, "{:02}", exponent.unsigned_abs()));
    }

    fn push_written(&mut self, write: impl FnOnce(&mut &mut [u8]) -> io::Result<()>) {
        let mut rest = &mut self.bytes[self.length..];
        write(&mut rest).expect("a number takes less than the buffer");
        let unused = rest.len();
        self.length = MAX_BYTES - unused;
    }

    fn push_zeros(&mut self, count: usize) {
        self.bytes[self.length..self.length + count].fill(b'0');
        self.length += count;
    }

    fn push(&mut self, bytes: &[u8]) {
        self.bytes[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }
}

/// The number as an integer, if it is one that every `double` near it is, too, and not the negative zero.
fn small_whole(number: f64) -> Option<i64> {
    let whole = number as i64;
    let is_whole = whole as f64 == number
        && whole.unsigned_abs() < WHOLE_END
        && number.to_bits() != (-0.0_f64).to_bits();
    is_whole.then_some(whole)
}

/// 0.d1d2d3… times ten to the power of `scale`; without zeros at either end.
struct Decimal {
    digits: [u8; MAX_DIGITS],
    length: usize,
    scale: i32,
}

impl Decimal {
    /// From a number's shortest text, whose zeros in front and behind say nothing but where its point is.
    fn parse(text: &[u8]) -> Self {
        let mut decimal = Self { digits: [b'0'; MAX_DIGITS], length: 0, scale: 0 };
        let exponent_at = text.iter().position(|byte| matches!(byte, b'e' | b'E')).unwrap_or(text.len());
        let mut is_behind_point = false;
        let mut zeros = 0;
        for &byte in &text[..exponent_at] {
            match byte {
                b'.' => is_behind_point = true,
                b'0' if decimal.length == 0 => decimal.scale -= i32::from(is_behind_point),
                b'0'..=b'9' => {
                    decimal.scale += i32::from(!is_behind_point);
                    zeros += 1;
                    if byte != b'0' {
                        decimal.length += zeros;
                        decimal.digits[decimal.length - 1] = byte;
                        zeros = 0;
                    }
                }
                _ => {}
            }
        }
        decimal.scale += exponent(text.get(exponent_at + 1..).unwrap_or_default());
        if decimal.length == 0 {
            // Zero has one digit, in front of the point.
            decimal.length = 1;
            decimal.scale = 1;
        }
        decimal
    }

    fn digits(&self) -> &[u8] {
        &self.digits[..self.length]
    }
}

fn exponent(text: &[u8]) -> i32 {
    let digits = text.iter().filter(|byte| byte.is_ascii_digit());
    let value = digits.fold(0, |value, &digit| value * 10 + i32::from(digit - b'0'));
    if text.first() == Some(&b'-') { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(number: f64) -> String {
        String::from_utf8(NumberText::of_double(number).as_bytes().to_vec()).unwrap()
    }

    #[test]
    fn doubles_have_the_layout_of_dotnet() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (99.0, "99"),
            (99.5, "99.5"),
            (-10.0, "-10"),
            (0.1, "0.1"),
            (0.001, "0.001"),
            (0.000_1, "0.0001"),
            (0.000_123, "0.000123"),
            (0.000_01, "1E-05"),
            (0.000_015, "1.5E-05"),
            (1e-10, "1E-10"),
            (100_000_000_000_000.0, "100000000000000"),
            (999_999_999_999_999.0, "999999999999999"),
            (1e15, "1E+15"),
            (1.5e15, "1.5E+15"),
            // As many digits as places: no exponent.
            (1_234_567_890_123_456.0, "1234567890123456"),
            (9_007_199_254_740_992.0, "9007199254740992"),
            (12_345_678_901_234_568.0, "12345678901234568"),
            (123_456_789_012_345_680.0, "1.2345678901234568E+17"),
            (1e16, "1E+16"),
            (1e100, "1E+100"),
            (f64::MAX, "1.7976931348623157E+308"),
            (f64::MIN_POSITIVE, "2.2250738585072014E-308"),
            (5e-324, "5E-324"),
            (-1.234_567_890_123_456_7e-5, "-1.2345678901234568E-05"),
            (-0.000_123_456_789_012_345_67, "-0.00012345678901234567"),
            (0.1 + 0.2, "0.30000000000000004"),
            (10.01, "10.01"),
            (1_000_000.5, "1000000.5"),
        ] {
            assert_eq!(double(number), text);
        }
    }

    #[test]
    fn a_double_reads_back_from_its_text() {
        let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..100_000 {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            let number = f64::from_bits(bits);
            if number.is_finite() {
                assert_eq!(double(number).parse::<f64>().unwrap().to_bits(), bits);
            }
        }
    }

    #[test]
    fn floats_have_fewer_digits() {
        let single = |number| String::from_utf8(NumberText::of_single(number).as_bytes().to_vec()).unwrap();
        assert_eq!(single(0.1), "0.1");
        assert_eq!(single(1_234_567.0), "1234567");
        assert_eq!(single(1e7), "1E+07");
        assert_eq!(single(16_777_216.0), "16777216");
    }
}
