//! Live blocks: from an address to the record of its birth, without hashing.
//!
//! The address space is shadowed in chunks that are mapped on first touch; each 8 bytes of it have a place of 8 bytes.
//! Blocks at addresses that are no multiple of 8 could share a place; they are not followed but counted as untracked.

use std::ptr;

use super::platform;
use super::primitive::{self, AtomicPtr, AtomicU32, AtomicU64, Ordering, array, scaled, shared};
use super::site;

/// Address bits that a chunk shadows.
const CHUNK_BITS: u32 = scaled(26, 4) as u32;

/// Address bits of user space.
const ADDRESS_BITS: u32 = scaled(47, 6) as u32;

const CHUNKS: usize = 1 << (ADDRESS_BITS - CHUNK_BITS);
const CHUNK_PLACES: usize = 1 << (CHUNK_BITS - 3);
const CHUNK_BYTES: usize = CHUNK_PLACES * size_of::<AtomicU64>();

shared! {
    static CHUNK: [AtomicPtr<AtomicU64>; CHUNKS] = array![AtomicPtr::new(ptr::null_mut()); CHUNKS];
}

/// Chunks that can be listed; 4 TiB of heap in use.
const LISTED: usize = scaled(1 << 16, 3);

shared! {
    /// The indices of mapped chunks plus one, so that 0 is "not written yet", or "came to nothing".
    static MAPPED: [AtomicU32; LISTED] = array![AtomicU32::new(0); LISTED];
    static MAPPED_COUNT: AtomicU32 = AtomicU32::new(0);
}

const CLOCK_BITS: u32 = 34;
const TABLE_BITS: u32 = 10;

/// Site records that a [`Birth`] can name.
pub(super) const MAX_RECORDS: u32 = scaled(1 << (64 - CLOCK_BITS - TABLE_BITS), 8) as u32;

/// Tables that a [`Birth`] can name, numbered from 1 on.
pub(super) const MAX_TABLES: u32 = (1 << TABLE_BITS) - 1;

/// Where and when a block was born: site record (20 bits), table (10 bits), and the table's clock (34 bits).
///
/// Never zero, since tables count from 1: zero in the shadow is "no block of a window". The clock is kept modulo 2^34: a
/// lifetime of more than 17 billion allocations of one thread comes out too short, and a block from an earlier window over
/// the same thread, while others stayed open, is taken for one of this window after so many.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Birth(u64);

impl Birth {
    /// The birth of a block.
    #[inline(always)]
    pub(super) const fn new(record: u32, table: u32, clock: u64) -> Self {
        let place = ((record as u64) << TABLE_BITS) | (table as u64);
        Self((place << CLOCK_BITS) | (clock & ((1 << CLOCK_BITS) - 1)))
    }

    /// The site record.
    #[inline(always)]
    pub(super) fn record(self) -> u32 {
        (self.0 >> (CLOCK_BITS + TABLE_BITS)) as u32
    }

    /// The table.
    #[inline(always)]
    pub(super) fn table(self) -> u32 {
        (self.0 >> CLOCK_BITS) as u32 & ((1 << TABLE_BITS) - 1)
    }

    /// How far a clock is past the birth's.
    #[inline(always)]
    pub(super) fn age(self, clock: u64) -> u64 {
        clock.wrapping_sub(self.0) & ((1 << CLOCK_BITS) - 1)
    }
}

/// The place of an address in the shadow.
#[derive(Clone, Copy)]
pub(super) struct Place(&'static AtomicU64);

impl Place {
    /// Notes the birth of the block.
    #[inline(always)]
    pub(super) fn store(self, birth: Birth) {
        self.0.store(birth.0, Ordering::Relaxed);
    }

    /// The birth of the block, if it was born in a window.
    #[inline(always)]
    pub(super) fn load(self) -> Option<Birth> {
        let birth = self.0.load(Ordering::Relaxed);
        (birth != 0).then_some(Birth(birth))
    }

    /// Forgets the block.
    #[inline(always)]
    pub(super) fn clear(self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// Notes the birth of the block at `address`; false if the address cannot be followed.
#[inline(always)]
pub(super) fn put(address: usize, birth: Birth) -> bool {
    let Some(place) = place(address).or_else(|| map_place(address)) else { return false };
    place.store(birth);
    true
}

/// Takes the birth of the block at `address` out, if it was born in a window.
#[inline(always)]
pub(super) fn take(address: usize) -> Option<Birth> {
    let place = place(address)?;
    let birth = place.load();
    if birth.is_some() {
        place.clear();
    }
    birth
}

/// The place of an address, if its chunk is mapped and no other block can share it.
#[inline(always)]
pub(super) fn place(address: usize) -> Option<Place> {
    // With the lowest bits on top, an address that is no multiple of 8 is beyond all chunks, too.
    let turned = address.rotate_right(3);
    let chunk = CHUNK.get(turned >> (CHUNK_BITS - 3))?.load(Ordering::Acquire);
    if chunk.is_null() {
        return None;
    }
    let index = turned & (CHUNK_PLACES - 1);
    // SAFETY: invariant 5: a mapped chunk has `CHUNK_PLACES` zero-initialized places, is never unmapped, and `index` is
    // below that number.
    Some(Place(unsafe { &*chunk.wrapping_add(index) }))
}

/// Maps the chunk of an address that is touched for the first time.
#[cold]
fn map_place(address: usize) -> Option<Place> {
    if !address.is_multiple_of(8) {
        return None;
    }
    let chunk = CHUNK.get(address >> CHUNK_BITS)?;
    if chunk.load(Ordering::Acquire).is_null() {
        if MAPPED_COUNT.load(Ordering::Relaxed) as usize >= LISTED {
            return None;
        }
        let fresh = primitive::map::<AtomicU64>(CHUNK_PLACES);
        if fresh.is_null() {
            return None;
        }
        // Its place in the list comes first: a chunk that is in use and not in the list would never be cleared.
        let position = site::reserve(&MAPPED_COUNT, 1, LISTED as u32);
        let is_used = position.is_some()
            && chunk.compare_exchange(ptr::null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire).is_ok();
        match position {
            Some(position) if is_used => {
                MAPPED[position as usize].store((address >> CHUNK_BITS) as u32 + 1, Ordering::Release);
            }
            // SAFETY: there is no place for it, or another thread's chunk stands there now; nobody has seen this one.
            _ => unsafe { primitive::unmap(fresh, CHUNK_PLACES) },
        }
    }
    place(address)
}

/// Forgets every block.
///
/// # Safety
/// No window is open and no thread is inside the recorder.
pub(super) unsafe fn clear() {
    for chunk in mapped() {
        // SAFETY: the chunk is a whole mapping, and the caller says that nobody uses it.
        unsafe { primitive::discard(chunk, CHUNK_PLACES) };
    }
}

/// Memory that the shadow takes.
pub(super) fn resident_bytes() -> u64 {
    mapped().map(|chunk| platform::resident(chunk.cast(), CHUNK_BYTES)).sum()
}

fn mapped() -> impl Iterator<Item = *mut AtomicU64> {
    let listed = MAPPED.iter().take(MAPPED_COUNT.load(Ordering::Acquire) as usize);
    let indices = listed.map(|entry| entry.load(Ordering::Acquire)).filter(|index| *index != 0);
    indices.map(|index| CHUNK[index as usize - 1].load(Ordering::Acquire))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_birth_keeps_its_parts_apart() {
        let birth = Birth::new(MAX_RECORDS - 1, MAX_TABLES, (1 << 40) | 5);
        assert_eq!(
            (birth.record(), birth.table(), birth.age((1 << 40) | 12)),
            (MAX_RECORDS - 1, MAX_TABLES, 7)
        );
        assert_ne!(Birth::new(0, 1, 0).0, 0);
    }

    #[test]
    fn a_block_is_found_once_and_odd_addresses_are_refused() {
        // An address range that no allocator hands out: the last chunk of user space.
        let address = (1 << ADDRESS_BITS) - 64;
        assert!(take(address).is_none());
        assert!(put(address, Birth::new(7, 3, 11)));
        assert_eq!(take(address).map(Birth::record), Some(7));
        assert!(take(address).is_none());
        assert!(!put(address + 4, Birth::new(7, 3, 11)));
        assert!(!put(1 << ADDRESS_BITS, Birth::new(7, 3, 11)));
    }
}
