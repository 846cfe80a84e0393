//! The names of labels: each gets a number, once, for all threads.
//!
//! A number is a place in a table, which a name keeps for good: a look-up starts at the place of the name's hash and goes
//! on until it finds the name, or a free place and takes it. Memory comes from the system, not from the global allocator.

use std::ptr;

use super::Label;
use crate::fnv;
use crate::recorder::platform;
use crate::recorder::primitive::{
    self, AtomicPtr, AtomicU32, AtomicU64, Ordering, Plain, array, scaled, shared,
};
use crate::recorder::site::{map_once, reserve};

/// Bits of a number.
pub(super) const BITS: u32 = scaled(12, 2) as u32;

/// The number of all names for which there is no room. 0 is no label.
pub(super) const OTHER: u32 = (1 << BITS) - 1;

/// Bytes that all names together can take; only what is used is ever touched.
const TEXT_BYTES: u32 = scaled(4 << 20, 16) as u32;

shared! {
    /// Where each number's name stands: its length above its position in [`TEXT`]; 0 is free.
    static NAMES: [AtomicU64; OTHER as usize] = array![AtomicU64::new(0); OTHER as usize];

    /// Names, one after the other.
    static TEXT: AtomicPtr<Plain<u8>> = AtomicPtr::new(ptr::null_mut());

    /// Bytes of [`TEXT`] in use; the first is kept free so that no name has position 0.
    static TEXT_END: AtomicU32 = AtomicU32::new(1);
}

/// The number of a name; [`OTHER`] if it is new and there is no room for it.
pub(super) fn number(name: &str) -> u32 {
    number_among(NAMES.as_slice(), name)
}

fn number_among(names: &[AtomicU64], name: &str) -> u32 {
    let numbers = names.len() - 1;
    let start = fnv::hash(name.as_bytes()) as usize % numbers;
    let mut written = None;
    for step in 0..numbers {
        let number = 1 + (start + step) % numbers;
        let mut known = names[number].load(Ordering::Acquire);
        if known == 0 {
            if name == Label::OTHER {
                break;
            }
            // A name that other threads are adding too may be written more than once; one of them gets the place.
            let Some(fresh) = written.or_else(|| write(name)) else { break };
            written = Some(fresh);
            match names[number].compare_exchange(0, fresh, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return number as u32,
                Err(winner) => known = winner,
            }
        }
        if text(known) == name {
            return number as u32;
        }
    }
    OTHER
}

/// The name of a number that [`number`] gave.
pub(super) fn of(number: u32) -> &'static str {
    match NAMES.get(number as usize) {
        Some(place) => text(place.load(Ordering::Acquire)),
        None => Label::OTHER,
    }
}

/// Memory that the names take.
pub(in crate::recorder) fn resident_bytes() -> u64 {
    let texts = TEXT.load(Ordering::Acquire);
    if texts.is_null() {
        return 0;
    }
    platform::resident(texts.cast(), TEXT_END.load(Ordering::Relaxed) as usize)
}

/// Writes a name, and says where; none if there is no room.
fn write(name: &str) -> Option<u64> {
    let texts = map_once(&TEXT, TEXT_BYTES as usize);
    if texts.is_null() {
        return None;
    }
    let length = u32::try_from(name.len()).ok()?;
    let position = reserve(&TEXT_END, length, TEXT_BYTES)?;
    let start = texts.wrapping_add(position as usize);
    // SAFETY: invariant 4: `reserve` gives the bytes from `position` on to this thread alone, inside the mapping.
    unsafe { primitive::write_all(start, name.as_bytes()) };
    Some((u64::from(length) << 32) | u64::from(position))
}

/// The name that stands where a word of [`NAMES`] says, which is not 0.
fn text(word: u64) -> &'static str {
    let start = TEXT.load(Ordering::Acquire).wrapping_add(word as u32 as usize);
    // SAFETY: invariant 5: a name was written whole before its word was published, and nothing of it ever changes.
    let bytes = unsafe { primitive::slice(start, (word >> 32) as usize) };
    // SAFETY: the bytes were copied from a `str`.
    unsafe { std::str::from_utf8_unchecked(bytes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_beyond_the_room_are_one_and_those_before_are_still_found() {
        let names: [AtomicU64; 6] = array![AtomicU64::new(0); 6];
        let numbers: Vec<_> =
            ["a", "b", "", "d", "e", "f", "g"].map(|name| number_among(&names, name)).into();
        let mut given = numbers[..5].to_vec();
        given.sort_unstable();
        assert_eq!(given, [1, 2, 3, 4, 5]);
        assert_eq!(numbers[5..], [OTHER, OTHER]);
        assert_eq!(number_among(&names, ""), numbers[2]);
    }

    #[test]
    fn threads_that_bring_the_same_names_get_the_same_numbers() {
        let bring = || (0..200).map(|index| number(&format!("name {index}"))).collect::<Vec<_>>();
        let threads: Vec<_> = (0..8).map(|_| std::thread::spawn(bring)).collect();
        let numbers: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        assert!(numbers.iter().all(|given| *given == numbers[0]));
        let named = numbers[0].iter().map(|number| of(*number));
        assert!(named.eq((0..200).map(|index| format!("name {index}"))));
    }
}
