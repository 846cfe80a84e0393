//! Sites: every distinct stack gets a number, once, for all threads.
//!
//! A record is a stack together with a size class and a label, so that sizes are counted per site, and sites per label,
//! without a counter more. Records are only ever added, so that they can be looked up without a lock. The index has levels: a bucket of a level is one
//! cache line of eight places, and a record whose bucket is full goes to the next, larger level. Few sites therefore live
//! in few pages.

use std::ptr;

use super::block::MAX_RECORDS;
use super::label::{self, Label};
use super::platform;
use super::primitive::{self, AtomicPtr, AtomicU32, AtomicU64, Ordering, Plain, Zero, scaled, shared};
use super::stack::{MAX_DEPTH, Stack};

/// The record of stacks for which there was no room.
pub(super) const OVERFLOW: u32 = 0;

/// The record of blocks that were born outside the window.
pub(super) const OUTSIDE: u32 = 1;

/// The first record that is a stack.
pub(super) const FIRST: u32 = 2;

/// Places in a bucket: one cache line of them.
const BUCKET: usize = scaled(8, 2);

/// Buckets of each level, as a power of two.
const LEVEL_BITS: [u32; 4] =
    [scaled(9, 0) as u32, scaled(12, 0) as u32, scaled(15, 1) as u32, scaled(18, 1) as u32];

/// Words that all stacks together can take: 512 MiB, of which only what is used is ever touched.
const STACK_WORDS: usize = scaled(1 << 26, 32);

/// Words of an entry before its return addresses: the hash, and the shape.
const HEADER_WORDS: usize = 2;

/// A level of the index. A place holds 32 bits of the hash and the position of an entry in [`STACKS`]; 0 is free.
struct Level {
    places: AtomicPtr<AtomicU64>,
    bits: u32,
}

shared! {
    static LEVELS: [Level; LEVEL_BITS.len()] = [
        Level { places: AtomicPtr::new(ptr::null_mut()), bits: LEVEL_BITS[0] },
        Level { places: AtomicPtr::new(ptr::null_mut()), bits: LEVEL_BITS[1] },
        Level { places: AtomicPtr::new(ptr::null_mut()), bits: LEVEL_BITS[2] },
        Level { places: AtomicPtr::new(ptr::null_mut()), bits: LEVEL_BITS[3] },
    ];

    /// Entries, one after the other: hash, shape, return addresses.
    static STACKS: AtomicPtr<Plain<u64>> = AtomicPtr::new(ptr::null_mut());

    /// Words of [`STACKS`] in use; the first is kept free so that no entry has position 0.
    static STACK_END: AtomicU32 = AtomicU32::new(1);

    /// The position of each record's entry, by record; 0 for a number that came to nothing.
    static POSITIONS: AtomicPtr<AtomicU32> = AtomicPtr::new(ptr::null_mut());

    /// The next record.
    static NEXT: AtomicU32 = AtomicU32::new(FIRST);

    /// Records that may be made: [`MAX_RECORDS`], unless a window asked for fewer.
    static LIMIT: AtomicU32 = AtomicU32::new(MAX_RECORDS);
}

/// What tells the records of one stack apart: the size class in the lowest 8 bits, the label above.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Key(u32);

/// Bits that a key takes.
const KEY_BITS: u32 = label::BITS_END;

impl Key {
    /// The key of a block of this size, under the label that the calling thread has.
    #[inline(always)]
    pub(super) fn of(bytes: usize) -> Self {
        // The size class of a size: the number of its binary digits, less one.
        Self(label::current_bits() | (bytes | 1).ilog2())
    }

    /// The key in one word, for whoever keeps it.
    #[inline(always)]
    pub(super) fn bits(self) -> u32 {
        self.0
    }
}

/// Record, depth, truncation and key, in one word.
#[inline(always)]
fn shape(record: u32, key: Key, stack: &Stack) -> u64 {
    pack(record, key, stack.frames().len()) | u64::from(stack.truncated) << KEY_BITS
}

/// A shape without the truncation.
#[inline(always)]
pub(super) fn pack(record: u32, key: Key, depth: usize) -> u64 {
    (u64::from(record) << RECORD_SHIFT) | ((depth as u64) << DEPTH_SHIFT) | u64::from(key.0)
}

/// The record in a shape.
#[inline(always)]
pub(super) fn record_of(shape: u64) -> u32 {
    (shape >> RECORD_SHIFT) as u32
}

/// The depth in a shape.
#[inline(always)]
pub(super) fn depth_of(shape: u64) -> usize {
    (shape >> DEPTH_SHIFT & ((1 << (RECORD_SHIFT - DEPTH_SHIFT)) - 1)) as usize
}

const DEPTH_SHIFT: u32 = 32;
const RECORD_SHIFT: u32 = 40;

/// The part of a shape that is the same for equal stacks under one key.
const SHAPE_KEY: u64 = (1 << RECORD_SHIFT) - 1;

const _: () = assert!(KEY_BITS < DEPTH_SHIFT && MAX_DEPTH < 1 << (RECORD_SHIFT - DEPTH_SHIFT));

/// The record of a stack under a key; [`OVERFLOW`] if there is no room for a new one.
pub(super) fn find(stack: &Stack, key: Key) -> u32 {
    let hash = mix(stack.hash, key);
    let sought = shape(0, key, stack);
    for level in LEVELS.iter() {
        let Some(bucket) = level.bucket(hash) else { break };
        for place in bucket {
            let entry = place.load(Ordering::Acquire);
            if entry == 0 {
                return insert(stack, key, hash);
            }
            if entry >> 32 == hash >> 32
                && let Some(record) = record_if_equal(entry as u32, sought, stack.frames())
            {
                return record;
            }
        }
    }
    insert(stack, key, hash)
}

/// Spreads a stack's hash and its key over all bits.
#[inline(always)]
fn mix(hash: u64, key: Key) -> u64 {
    let hash = (hash ^ u64::from(key.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    hash ^ (hash >> 29)
}

impl Level {
    /// The bucket of a hash, if the level is mapped.
    #[inline(always)]
    fn bucket(&self, hash: u64) -> Option<&'static [AtomicU64; BUCKET]> {
        let places = self.places.load(Ordering::Acquire);
        if places.is_null() {
            return None;
        }
        let bucket = hash as usize & ((1 << self.bits) - 1);
        // SAFETY: invariant 5: a mapped level has `BUCKET << bits` places, is never unmapped, and `bucket` is below the
        // number of its buckets; the mapping is page-aligned and zeroed.
        Some(unsafe { &*places.cast::<[AtomicU64; BUCKET]>().wrapping_add(bucket) })
    }

    /// How many places it has.
    fn length(&self) -> usize {
        BUCKET << self.bits
    }
}

/// The record of the entry at `position`, if its stack is the one sought.
#[inline(always)]
fn record_if_equal(position: u32, sought: u64, frames: &[u64]) -> Option<u32> {
    let entry = STACKS.load(Ordering::Relaxed).wrapping_add(position as usize);
    // SAFETY: invariant 5: a position in the index belongs to an entry that was written whole before it was published.
    let shape = unsafe { primitive::read(entry.wrapping_add(1)) };
    if shape & SHAPE_KEY != sought {
        return None;
    }
    // SAFETY: as above; equal shapes mean equal depths.
    let known = unsafe { primitive::slice(entry.wrapping_add(HEADER_WORDS), frames.len()) };
    let equal = std::iter::zip(known, frames).all(|(known, frame)| known == frame);
    equal.then_some(record_of(shape))
}

/// Adds a stack that no look-up has found; another thread may be adding the same one.
#[cold]
#[inline(never)]
fn insert(stack: &Stack, key: Key, hash: u64) -> u32 {
    // Before a number is taken: a stack that finds its buckets full comes here again and again.
    if !LEVELS.iter().any(|level| level.has_room(hash)) {
        return OVERFLOW;
    }
    let Some(position) = write_entry(stack, key, hash) else { return OVERFLOW };
    let entry = (hash >> 32 << 32) | u64::from(position);
    for level in LEVELS.iter() {
        let Some(bucket) = level.bucket_or_map(hash) else { break };
        for place in bucket {
            match place.compare_exchange(0, entry, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return record_at(position),
                Err(known) if known >> 32 == hash >> 32 => {
                    let sought = shape(0, key, stack);
                    if let Some(record) = record_if_equal(known as u32, sought, stack.frames()) {
                        return record;
                    }
                }
                Err(_) => {}
            }
        }
    }
    OVERFLOW
}

impl Level {
    fn has_room(&self, hash: u64) -> bool {
        let bucket = self.bucket_or_map(hash);
        bucket.is_some_and(|bucket| bucket.iter().any(|place| place.load(Ordering::Relaxed) == 0))
    }

    fn bucket_or_map(&self, hash: u64) -> Option<&'static [AtomicU64; BUCKET]> {
        map_once(&self.places, self.length());
        self.bucket(hash)
    }
}

/// Maps a table on its first use; null stays null if the system refuses.
pub(super) fn map_once<T: Zero>(table: &AtomicPtr<T>, length: usize) -> *mut T {
    let known = table.load(Ordering::Acquire);
    if !known.is_null() {
        return known;
    }
    let fresh = primitive::map::<T>(length);
    if fresh.is_null() {
        return fresh;
    }
    match table.compare_exchange(ptr::null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => fresh,
        Err(winner) => {
            // SAFETY: nobody has seen this mapping.
            unsafe { primitive::unmap(fresh, length) };
            winner
        }
    }
}

/// Writes an entry with a record of its own; none if a table is full.
fn write_entry(stack: &Stack, key: Key, hash: u64) -> Option<u32> {
    let stacks = map_once(&STACKS, STACK_WORDS);
    let positions = map_once(&POSITIONS, MAX_RECORDS as usize);
    if stacks.is_null() || positions.is_null() {
        return None;
    }
    let words = HEADER_WORDS + stack.frames().len();
    let record = reserve(&NEXT, 1, LIMIT.load(Ordering::Relaxed))?;
    let position = reserve(&STACK_END, words as u32, STACK_WORDS as u32)?;
    let entry = stacks.wrapping_add(position as usize);
    // SAFETY: invariant 4: `reserve` gives the words from `position` on to this thread alone, inside the mapping.
    unsafe { primitive::write(entry, hash) };
    // SAFETY: as above.
    unsafe { primitive::write(entry.wrapping_add(1), shape(record, key, stack)) };
    // SAFETY: as above.
    unsafe { primitive::write_all(entry.wrapping_add(HEADER_WORDS), stack.frames()) };
    // SAFETY: `reserve` keeps `record` below the length of the table.
    unsafe { &*positions.wrapping_add(record as usize) }.store(position, Ordering::Release);
    Some(position)
}

/// Takes `count` numbers below `limit`; a refused call takes none, so that the counter never runs away.
pub(super) fn reserve(counter: &AtomicU32, count: u32, limit: u32) -> Option<u32> {
    let within = |used: u32| used.checked_add(count).filter(|end| *end <= limit);
    counter.fetch_update(Ordering::Relaxed, Ordering::Relaxed, within).ok()
}

fn record_at(position: u32) -> u32 {
    let entry = STACKS.load(Ordering::Relaxed).wrapping_add(position as usize);
    // SAFETY: invariant 5: the entry at a position is whole.
    record_of(unsafe { primitive::read(entry.wrapping_add(1)) })
}

/// Records so far.
pub(super) fn count() -> usize {
    NEXT.load(Ordering::Relaxed) as usize
}

/// A record, read back.
pub(super) struct Entry {
    /// Return addresses, innermost first.
    pub(super) frames: &'static [u64],
    /// The size class.
    pub(super) class: u8,
    /// The label that the thread had.
    pub(super) label: Option<Label>,
    /// Whether the stack went on.
    pub(super) truncated: bool,
}

/// The stack, the class and the label of a record; none for [`OVERFLOW`] and [`OUTSIDE`].
pub(super) fn entry(record: u32) -> Option<Entry> {
    let positions = POSITIONS.load(Ordering::Acquire);
    if record < FIRST || positions.is_null() || record >= NEXT.load(Ordering::Acquire) {
        return None;
    }
    // SAFETY: `record` is below the length of the table.
    let position = unsafe { &*positions.wrapping_add(record as usize) }.load(Ordering::Acquire);
    if position == 0 {
        return None;
    }
    let entry = STACKS.load(Ordering::Acquire).wrapping_add(position as usize);
    // SAFETY: invariant 5: the entry at a position is whole.
    let shape = unsafe { primitive::read(entry.wrapping_add(1)) };
    let depth = depth_of(shape);
    // SAFETY: as above; the depth stands in the shape.
    let frames = unsafe { primitive::slice(entry.wrapping_add(HEADER_WORDS), depth) };
    let (class, label) = (shape as u8, Label::from_bits(shape as u32));
    Some(Entry { frames, class, label, truncated: shape >> KEY_BITS & 1 == 1 })
}

/// Forgets every record, and sets how many there may be from now on.
///
/// # Safety
/// No window is open, no thread is inside the recorder, and nobody keeps an [`Entry`].
pub(super) unsafe fn clear(limit: u32) {
    for level in LEVELS.iter() {
        let places = level.places.load(Ordering::Acquire);
        if !places.is_null() {
            // SAFETY: a mapped level is a whole mapping; the caller says that nobody uses it.
            unsafe { primitive::discard(places, level.length()) };
        }
    }
    STACK_END.store(1, Ordering::Relaxed);
    NEXT.store(FIRST, Ordering::Relaxed);
    LIMIT.store(limit.min(MAX_RECORDS), Ordering::Relaxed);
}

/// Memory that the records take.
pub(super) fn resident_bytes() -> u64 {
    let bytes = |level: &Level| level.length() * size_of::<AtomicU64>();
    let levels = LEVELS.iter().map(|level| (level.places.load(Ordering::Acquire).cast(), bytes(level)));
    let stacks = (
        STACKS.load(Ordering::Acquire).cast(),
        STACK_END.load(Ordering::Acquire) as usize * size_of::<u64>(),
    );
    let positions =
        (POSITIONS.load(Ordering::Acquire).cast(), NEXT.load(Ordering::Acquire) as usize * size_of::<u32>());
    let tables = levels.chain([stacks, positions]).filter(|(table, _): &(*mut u8, usize)| !table.is_null());
    tables.map(|(table, bytes)| platform::resident(table, bytes)).sum()
}
