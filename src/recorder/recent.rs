//! The stacks that a thread allocated from lately, to be recognized without a walk.
//!
//! A walk is a chain of loads, each waiting for the one before. But a stack that was walked once is known by its chain:
//! if the innermost frame stands at the same address, and every frame of the chain still holds the same link and the same
//! return address, then a walk would take the same steps. These comparisons don't wait for each other. They are as exact
//! as the walk: one difference, and the stack is walked.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_cmpeq_epi32, _mm_load_si128, _mm_loadu_si128, _mm_movemask_epi8,
};

use super::platform;
use super::primitive::{Cell, scaled};
use super::site::{self, Key};
use super::stack::{Frame, MAX_DEPTH, Stack};

/// Places of the index, each the position of an entry; 0 is free.
const PLACES: usize = 1 << PLACE_BITS;
const PLACE_BITS: u32 = scaled(13, 8) as u32;

/// Words before the index: an entry that no frame equals, for places that are free.
const NOTHING: usize = HEADER_WORDS;

/// Words before the first entry: [`NOTHING`] and the index, two places to a word.
const FIRST: u32 = (NOTHING + PLACES / 2) as u32;

/// Words of all entries together.
const WORDS: u32 = scaled(1 << 17, 1 << 8) as u32;

/// Words of an entry before its pairs: frame, and record with depth and key.
const HEADER_WORDS: usize = 2;

/// Memory for the index and the entries of one thread.
pub(super) const BYTES: usize = (FIRST + WORDS) as usize * size_of::<u64>();

/// Recent stacks of one thread.
pub(super) struct Recent {
    words: *mut u64,
    /// Where the next entry goes.
    end: Cell<u32>,
}

impl Recent {
    /// No stacks yet, in zeroed memory of [`BYTES`] bytes.
    pub(super) fn new(memory: *mut u8) -> Self {
        Self { words: memory.cast(), end: Cell::new(FIRST) }
    }

    /// The record that was remembered for the stack outward from a frame, under a key.
    ///
    /// # Safety
    /// The frame is that of a function of this thread which has not returned.
    #[inline(always)]
    pub(super) unsafe fn find(&self, frame: Frame, key: Key) -> Option<u32> {
        // SAFETY: the caller's.
        let innermost = unsafe { frame.return_address() };
        // SAFETY: the caller's.
        let place = unsafe { self.place(frame, innermost, key) };
        // SAFETY: the place is inside the index.
        let entry = self.words.wrapping_add(unsafe { place.read() } as usize);
        // SAFETY: a position is 0, where the entry of no frame stands, or that of a whole entry.
        let known_frame = unsafe { entry.read() };
        // SAFETY: as above.
        let shape = unsafe { entry.wrapping_add(1).read() };
        if known_frame != frame.pointer as u64 || shape as u32 != key.bits() {
            return None;
        }
        let depth = site::depth_of(shape);
        debug_assert!((1..=MAX_DEPTH).contains(&depth), "an entry of {depth} frames");
        // SAFETY: the entry is whole; the frames of its chain lie between the innermost, which is the caller's, and the
        // end of the stack that the thread had when it was walked, and still has: memory in use.
        let is_same = unsafe { is_same_chain(frame, entry.wrapping_add(HEADER_WORDS), depth) };
        is_same.then_some(site::record_of(shape))
    }

    /// Where the index has the stack outward from a frame, if anywhere: by its frame, its two innermost return addresses, and
    /// the key.
    ///
    /// Many sites have the innermost in common, or even both: that of an allocator's own function, or of a helper.
    ///
    /// # Safety
    /// As for [`Recent::find`].
    #[inline(always)]
    unsafe fn place(&self, frame: Frame, innermost: u64, key: Key) -> *mut u32 {
        // SAFETY: the caller's.
        let second = unsafe { second_address(frame) };
        let mixed =
            innermost ^ second ^ (frame.pointer as u64).rotate_left(24) ^ (u64::from(key.bits()) << 40);
        let place = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - PLACE_BITS);
        self.words.wrapping_add(NOTHING).cast::<u32>().wrapping_add(place as usize)
    }

    /// Keeps a stack that was walked outward from a frame. When there is no more room, all others are forgotten.
    ///
    /// # Safety
    /// As for [`Recent::find`].
    pub(super) unsafe fn remember(&self, frame: Frame, key: Key, stack: &Stack, record: u32) {
        // SAFETY: the caller's.
        let place = unsafe { self.place(frame, stack.frames()[0], key) };
        let position = self.room_for(place, stack.frames().len());
        let mut write = Writer { next: self.words.wrapping_add(position as usize) };
        write.word(frame.pointer as u64);
        write.word(site::pack(record, key, stack.frames().len()));
        for [link, address] in stack.pairs() {
            write.word(link);
            write.word(address);
        }
        // SAFETY: the place is inside the index.
        unsafe { place.write(position) };
    }

    /// The position of a new entry: that of the one it replaces, if it is as deep at least.
    fn room_for(&self, place: *mut u32, depth: usize) -> u32 {
        // SAFETY: the place is inside the index.
        let replaced = unsafe { place.read() };
        // SAFETY: a position is 0, where the entry of no frame and no depth stands, or that of a whole entry.
        let shape = unsafe { self.words.wrapping_add(replaced as usize + 1).read() };
        if site::depth_of(shape) >= depth {
            return replaced;
        }
        let words = (HEADER_WORDS + 2 * depth) as u32;
        if self.end.get() + words > FIRST + WORDS {
            self.forget();
        }
        self.end.replace(self.end.get() + words)
    }

    /// Forgets all stacks.
    pub(super) fn forget(&self) {
        // SAFETY: the index is the beginning of the table's memory, which only its own thread or who has all tables uses.
        unsafe { self.words.write_bytes(0, FIRST as usize) };
        self.end.set(FIRST);
    }

    /// Memory that the stacks take.
    pub(super) fn resident_bytes(&self) -> u64 {
        platform::resident(self.words.cast(), BYTES)
    }
}

/// The return address of the frame beyond a frame, for telling stacks apart; 0 if the two are not in the same page.
///
/// # Safety
/// As for [`Recent::find`].
#[inline(always)]
unsafe fn second_address(frame: Frame) -> u64 {
    // SAFETY: the caller's: the frame is memory in use.
    let link = unsafe { (frame.pointer as *const u64).read() };
    // Bits in which two multiples of 16, as frames are, differ in one page.
    const IN_PAGE: u64 = 4096 - 16;
    if (link ^ frame.pointer as u64) & !IN_PAGE != 0 {
        return 0;
    }
    // The word after the link; "or", because it stays in the page even if frames were multiples of 8 only.
    let address = (link | 8) as *const u64;
    // SAFETY: an aligned word, for the link has the lowest bits of the frame, in the page of a frame in use.
    unsafe { address.read() }
}

/// Writes words one after the other.
struct Writer {
    next: *mut u64,
}

impl Writer {
    fn word(&mut self, word: u64) {
        // SAFETY: `remember` has seen to it that the entry ends inside the memory.
        unsafe { self.next.write(word) };
        self.next = self.next.wrapping_add(1);
    }
}

/// Whether each frame of a remembered chain holds what it held when it was walked.
///
/// # Safety
/// `pairs` points to `depth` pairs of link and return address, at a multiple of 16, and the frames that they link, `frame`
/// first, are memory in use.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn is_same_chain(frame: Frame, pairs: *const u64, depth: usize) -> bool {
    debug_assert!(pairs.addr().is_multiple_of(size_of::<__m128i>()), "pairs at {pairs:?}");
    let end = pairs.wrapping_add(2 * depth);
    // SAFETY: the caller's: there is a pair. Volatile: once the two links have been found equal, the compiler would go on
    // from the one in the frame, and the next frame would wait for it.
    let link = unsafe { pairs.read_volatile() };
    // SAFETY: as above.
    let address = unsafe { pairs.wrapping_add(1).read() };
    // SAFETY: the caller's: the frame is memory in use.
    let seen_link = unsafe { (frame.pointer as *const u64).read() };
    // SAFETY: as above.
    let seen_address = unsafe { frame.return_address() };
    // The innermost frame was written a moment ago, word by word: read as one it would have to come from the cache, and the
    // processor waits until it is there.
    if link != seen_link || address != seen_address {
        return false;
    }
    let mut chain = Chain { frame: link, known: pairs.wrapping_add(2), equal: ALL_EQUAL };
    // Two frames at a time: the loop's own instructions count.
    if depth & 1 == 0 {
        // SAFETY: the caller's: there is a frame more.
        unsafe { chain.step() };
    }
    while chain.known != end {
        // SAFETY: as above.
        unsafe { chain.step() };
        // SAFETY: as above; by now the number of those left is odd.
        unsafe { chain.step() };
    }
    chain.is_equal()
}

/// Where a comparison of a remembered chain is.
#[cfg(target_arch = "x86_64")]
struct Chain {
    frame: u64,
    known: *const u64,
    equal: __m128i,
}

// SAFETY: any bits are numbers.
#[cfg(target_arch = "x86_64")]
const ALL_EQUAL: __m128i = unsafe { std::mem::transmute([u64::MAX; 2]) };

#[cfg(target_arch = "x86_64")]
impl Chain {
    /// Compares a frame, and goes on to the one that the remembered chain says is next.
    ///
    /// # Safety
    /// The frame is memory in use, and the remembered chain has not ended.
    #[inline(always)]
    unsafe fn step(&mut self) {
        // SAFETY: the caller's: a frame's link and return address are two words of memory in use. By now they may be words
        // of another function that has not written them (memcheck tells of it); then they hold anything, and are only compared.
        let seen = unsafe { _mm_loadu_si128(self.frame as *const __m128i) };
        // SAFETY: the caller's; pairs stand at multiples of 16.
        let known = unsafe { _mm_load_si128(self.known.cast()) };
        // SAFETY: every x86-64 processor has SSE2.
        let is_equal = unsafe { _mm_cmpeq_epi32(seen, known) };
        // SAFETY: as above.
        self.equal = unsafe { _mm_and_si128(self.equal, is_equal) };
        // SAFETY: as above. Volatile, for a load of its own: taken out of the vector it would come later, and the next
        // frame with it.
        self.frame = unsafe { self.known.read_volatile() };
        self.known = self.known.wrapping_add(2);
    }

    #[inline(always)]
    fn is_equal(&self) -> bool {
        // SAFETY: every x86-64 processor has SSE2.
        unsafe { _mm_movemask_epi8(self.equal) == 0xffff }
    }
}

/// Other architectures have no stacks yet, so that nothing is ever remembered.
#[cfg(not(target_arch = "x86_64"))]
unsafe fn is_same_chain(_frame: Frame, _pairs: *const u64, _depth: usize) -> bool {
    false
}
