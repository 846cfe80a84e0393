//! Lists of numbers as one block of bytes.
//!
//! These functions are not inlined: of arguments the compiler knows that they do not overlap, and makes one copy of the loop
//! where the bytes are in the machine's order.

/// Writes numbers into as many bytes.
#[inline(never)]
pub(super) fn write<T: Copy, const N: usize>(items: &[T], block: &mut [u8], to_bytes: impl Fn(T) -> [u8; N]) {
    for (bytes, item) in block.as_chunks_mut().0.iter_mut().zip(items) {
        *bytes = to_bytes(*item);
    }
}

/// Reads the numbers that the bytes hold.
#[inline(never)]
pub(super) fn read<T, const N: usize>(block: &[u8], from_bytes: impl Fn([u8; N]) -> T) -> Vec<T> {
    block.as_chunks().0.iter().map(|bytes| from_bytes(*bytes)).collect()
}
