//! The prefix that says how long something is.

/// How a length in front of an array is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LengthWidth {
    /// In groups of seven bits, up to `i32::MAX`.
    Encoded,
    /// In one byte, up to 255.
    One,
    /// In two bytes, up to 65,535: the original's default for arrays.
    #[default]
    Two,
    /// In four bytes, up to `i32::MAX`.
    Four,
}

impl LengthWidth {
    /// The largest length that can be written.
    pub const fn limit(self) -> usize {
        match self {
            Self::One => u8::MAX as usize,
            Self::Two => u16::MAX as usize,
            Self::Encoded | Self::Four => i32::MAX as usize,
        }
    }
}
