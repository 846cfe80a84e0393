//! What stands in front of every value: a number and a wire type.

/// How a value is framed, the lowest three bits of its tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireType {
    /// An integer of 1 to 10 bytes, seven bits in each.
    Varint = 0,
    /// 8 bytes, little-endian.
    Fixed64 = 1,
    /// A length, and as many bytes: text, an object, packed numbers.
    LengthDelimited = 2,
    /// An object that goes on to the tag of [`WireType::EndGroup`] with the same number.
    StartGroup = 3,
    /// The end of a group.
    EndGroup = 4,
    /// 4 bytes, little-endian.
    Fixed32 = 5,
}

/// Bits of a tag below the number.
const WIRE_TYPE_BITS: u32 = 3;

impl WireType {
    /// The wire type of a tag, unless its bits mean nothing.
    #[inline]
    pub(super) const fn of_tag(tag: u32) -> Option<Self> {
        Some(match tag & 7 {
            0 => Self::Varint,
            1 => Self::Fixed64,
            2 => Self::LengthDelimited,
            3 => Self::StartGroup,
            4 => Self::EndGroup,
            5 => Self::Fixed32,
            _ => return None,
        })
    }
}

/// A tag that was read: a value follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The number of the member, never 0.
    pub number: u32,
    /// How the value is framed.
    pub wire_type: WireType,
    /// Where the tag stands in the input.
    pub offset: usize,
}

/// The tag of a member.
#[inline]
pub(super) const fn tag(number: u32, wire_type: WireType) -> u32 {
    number << WIRE_TYPE_BITS | wire_type as u32
}

/// The member's number in a tag.
#[inline]
pub(super) const fn number_of(tag: u32) -> u32 {
    tag >> WIRE_TYPE_BITS
}

/// The longest encoded integer: 64 bits, seven in a byte.
pub(super) const MAX_VARINT_BYTES: usize = 10;

/// Bytes that an encoded integer takes.
#[inline]
pub(super) const fn varint_length(value: u64) -> usize {
    // Zero has a byte as well.
    let bits = u64::BITS - (value | 1).leading_zeros();
    bits.div_ceil(7) as usize
}

/// Encodes an integer at the start of a buffer that can hold it, and says how many bytes it takes.
#[inline]
pub(super) fn put_varint(mut value: u64, buffer: &mut [u8]) -> usize {
    let mut length = 0;
    while value >= 0x80 {
        buffer[length] = value as u8 | 0x80;
        value >>= 7;
        length += 1;
    }
    buffer[length] = value as u8;
    length + 1
}

/// Signed integers as unsigned ones, small in both directions: 0, -1, 1, -2 …
#[inline]
pub(super) const fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

/// The signed integer of [`zigzag`].
#[inline]
pub(super) const fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_integer_takes_as_many_bytes_as_it_is_said_to() {
        let edges = (0..64).flat_map(|shift| [(1_u64 << shift) - 1, 1 << shift]).chain([u64::MAX]);
        for value in edges {
            assert_eq!(put_varint(value, &mut [0; MAX_VARINT_BYTES]), varint_length(value), "{value}");
        }
    }

    #[test]
    fn zigzag_goes_both_ways() {
        for value in [0, -1, 1, i64::MIN, i64::MAX] {
            assert_eq!(unzigzag(zigzag(value)), value);
        }
        assert_eq!([0, -1, 1, -2].map(zigzag), [0, 1, 2, 3]);
    }
}
