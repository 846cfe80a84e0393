//! .NET's `Decimal`.

use std::fmt;

/// A number of up to 96 bits, divided by a power of ten.
///
/// Trailing zeros are part of it: 1.0 and 1.00 are different values, as their bytes are.
///
/// # Examples
/// ```
/// use alloclab::model::Decimal;
///
/// let price = Decimal::new(-1_234_500, 5).unwrap();
/// assert_eq!(price.to_string(), "-12.34500");
/// assert_eq!(Decimal::from_parts(price.to_parts()), Some(price));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Decimal {
    magnitude: u128,
    scale: u8,
    is_negative: bool,
}

impl Decimal {
    /// Most decimal places.
    pub const MAX_SCALE: u8 = 28;

    const MAGNITUDE_LIMIT: u128 = 1 << 96;
    const SIGN_BIT: u32 = 1 << 31;
    const SCALE_SHIFT: u32 = 16;

    /// `mantissa` divided by ten to the power of `scale`; none if the mantissa has more than 96 bits or the scale is above
    /// [`Decimal::MAX_SCALE`].
    pub const fn new(mantissa: i128, scale: u8) -> Option<Self> {
        let magnitude = mantissa.unsigned_abs();
        if magnitude >= Self::MAGNITUDE_LIMIT || scale > Self::MAX_SCALE {
            return None;
        }
        Some(Self { magnitude, scale, is_negative: mantissa < 0 })
    }

    /// From the four numbers of `decimal.GetBits`: low, middle, high, flags. None if a flag is set that has no meaning.
    pub const fn from_parts([low, middle, high, flags]: [i32; 4]) -> Option<Self> {
        let magnitude = low as u32 as u128 | (middle as u32 as u128) << 32 | (high as u32 as u128) << 64;
        let flags = flags as u32;
        let scale = (flags >> Self::SCALE_SHIFT) as u8;
        let known = Self::SIGN_BIT | (scale as u32) << Self::SCALE_SHIFT;
        if flags & !known != 0 || scale > Self::MAX_SCALE {
            return None;
        }
        Some(Self { magnitude, scale, is_negative: flags & Self::SIGN_BIT != 0 })
    }

    /// The four numbers of `decimal.GetBits`: low, middle, high, flags.
    pub const fn to_parts(self) -> [i32; 4] {
        let sign = if self.is_negative { Self::SIGN_BIT } else { 0 };
        let flags = sign | (self.scale as u32) << Self::SCALE_SHIFT;
        let magnitude = self.magnitude;
        [magnitude as i32, (magnitude >> 32) as i32, (magnitude >> 64) as i32, flags as i32]
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scale = usize::from(self.scale);
        let digits = format!("{:0>width$}", self.magnitude, width = scale + 1);
        let (whole, fraction) = digits.split_at(digits.len() - scale);
        let sign = if self.is_negative && self.magnitude != 0 { "-" } else { "" };
        let point = if fraction.is_empty() { "" } else { "." };
        write!(f, "{sign}{whole}{point}{fraction}")
    }
}
