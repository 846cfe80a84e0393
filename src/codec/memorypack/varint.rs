//! Integers of variable width.
//!
//! A first byte from -120 to 127 is the value. Lower ones say in which width it follows.

/// First bytes that say how the value follows, from -121 down: `u8`, `i8`, `u16` … `i64`.
const CODES: std::ops::RangeInclusive<i8> = -128..=-121;
const I8: i8 = -122;
const U16: i8 = -123;
const I16: i8 = -124;
const U32: i8 = -125;
const I32: i8 = -126;
const U64: i8 = -127;
const I64: i8 = -128;

/// Most bytes of an encoded integer.
const MAX_BYTES: usize = 9;

/// An integer type that the format has a variable width for: `i32`, `u32`, `i64`.
pub trait Varint: Copy + Into<i64> {
    /// Whether the original writes the type's larger values as signed ones.
    const IS_SIGNED: bool;
}

impl Varint for i32 {
    const IS_SIGNED: bool = true;
}

impl Varint for u32 {
    const IS_SIGNED: bool = false;
}

impl Varint for i64 {
    const IS_SIGNED: bool = true;
}

/// The bytes of an integer, and how many they are.
pub(super) fn encode(value: i64, is_signed: bool) -> ([u8; MAX_BYTES], usize) {
    if (i64::from(*CODES.end()) + 1..=127).contains(&value) {
        return with_code(value as i8, &[]);
    }
    let bytes = value.to_le_bytes();
    if is_signed {
        if i8::try_from(value).is_ok() {
            return with_code(I8, &bytes[..1]);
        }
        if i16::try_from(value).is_ok() {
            return with_code(I16, &bytes[..2]);
        }
        return if i32::try_from(value).is_ok() {
            with_code(I32, &bytes[..4])
        } else {
            with_code(I64, &bytes)
        };
    }
    if u16::try_from(value).is_ok() {
        return with_code(U16, &bytes[..2]);
    }
    if u32::try_from(value).is_ok() { with_code(U32, &bytes[..4]) } else { with_code(U64, &bytes) }
}

fn with_code(code: i8, rest: &[u8]) -> ([u8; MAX_BYTES], usize) {
    let mut bytes = [0; MAX_BYTES];
    bytes[0] = code as u8;
    bytes[1..=rest.len()].copy_from_slice(rest);
    (bytes, 1 + rest.len())
}

/// How many bytes follow a first byte, and whether they are signed; none if the first byte is the value.
pub(super) fn width(first: i8) -> Option<(usize, bool)> {
    CODES.contains(&first).then(|| (1 << ((CODES.end() - first) / 2), first % 2 == 0))
}
