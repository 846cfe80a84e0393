//! .NET's `Guid`.

use std::fmt;

/// 128 bits, of which .NET stores the first three fields little-endian and the rest as it is printed.
///
/// # Examples
/// ```
/// use alloclab::model::Guid;
///
/// let guid = Guid::from_bytes([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
/// assert_eq!(guid.to_string(), "04030201-0605-0807-090a-0b0c0d0e0f10");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Guid([u8; 16]);

impl Guid {
    /// From bytes in .NET's order.
    #[inline]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// Bytes in .NET's order.
    #[inline]
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for index in [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15] {
            // The hyphen stands in front of the byte that is printed first in its group.
            if matches!(index, 5 | 7 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{:02x}", self.0[index])?;
        }
        Ok(())
    }
}
