//! Call stacks, by frame pointers.
//!
//! A function compiled with frame pointers pushes its caller's `rbp` right below its return address and lets `rbp` point
//! there. The walk follows these links outward; each is checked against the bounds of the thread's stack before it is
//! read, so that a register that holds something else ends the walk and never faults.

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU8, Ordering};

/// Return addresses that a stack holds at most.
pub(super) const MAX_DEPTH: usize = 64;

/// Whether frame pointers are there: 0 not tried yet, 1 no, 2 yes.
static FRAME_POINTERS: AtomicU8 = AtomicU8::new(0);

/// The bounds of a thread's stack.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// The lowest address.
    pub(super) low: usize,
    /// The address after the highest.
    pub(super) high: usize,
}

/// A call stack, innermost address first.
pub(super) struct Stack {
    frames: [MaybeUninit<u64>; MAX_DEPTH],
    /// What stands below each return address: the next frame's address, or what ended the walk.
    links: [MaybeUninit<u64>; MAX_DEPTH],
    depth: usize,
    /// Mixes all addresses; equal stacks have equal hashes.
    pub(super) hash: u64,
    /// Whether the walk ended at the depth limit.
    pub(super) truncated: bool,
}

impl Stack {
    /// The return addresses.
    #[inline(always)]
    pub(super) fn frames(&self) -> &[u64] {
        debug_assert!(self.depth <= MAX_DEPTH, "a stack of {} frames", self.depth);
        let frames = self.frames.as_ptr().cast();
        // SAFETY: the walk has written the first `depth` entries, and `depth` is at most the array's length.
        unsafe { std::slice::from_raw_parts(frames, self.depth) }
    }

    /// Pairs of link and return address, innermost first.
    pub(super) fn pairs(&self) -> impl Iterator<Item = [u64; 2]> {
        let pairs = std::iter::zip(&self.links, &self.frames).take(self.depth);
        // SAFETY: the walk has written the first `depth` entries of both.
        let written = |word: &MaybeUninit<u64>| unsafe { word.assume_init() };
        pairs.map(move |(link, frame)| [written(link), written(frame)])
    }

    /// A stack of which nothing is known.
    pub(super) fn unknown() -> Self {
        const NOTHING: [MaybeUninit<u64>; MAX_DEPTH] = [const { MaybeUninit::uninit() }; MAX_DEPTH];
        Self { frames: NOTHING, links: NOTHING, depth: 0, hash: 0, truncated: false }
    }

    /// Walks outward from a frame.
    pub(super) fn walk(from: Frame, bounds: Bounds) -> Self {
        const WORD: usize = size_of::<usize>();
        let mut stack = Self::unknown();
        let mut frame = from.0;
        loop {
            let link = frame as *const usize;
            // SAFETY: invariant 1: the first frame is the hook's own, every other was checked below.
            let outer = unsafe { link.read() };
            // SAFETY: as above.
            let address = unsafe { link.wrapping_add(1).read() } as u64;
            stack.links[stack.depth].write(outer as u64);
            stack.frames[stack.depth].write(address);
            stack.depth += 1;
            stack.hash = stack.hash.wrapping_mul(9).wrapping_add(address);
            if !(bounds.low..bounds.high).contains(&frame) {
                // Not the thread's own stack: nothing is known of what lies further out.
                stack.truncated = true;
                break;
            }
            // Links only lead outward, to higher addresses on the same stack.
            if outer <= frame || outer.saturating_add(2 * WORD) > bounds.high || !outer.is_multiple_of(WORD) {
                break;
            }
            if stack.depth == MAX_DEPTH {
                stack.truncated = true;
                break;
            }
            frame = outer;
        }
        stack
    }
}

/// The address of a function's frame: its caller's frame pointer, and above it the return address.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame(pub(super) usize);

impl Frame {
    /// The frame of the function that this is inlined into. Without frame pointers, anything.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn current() -> Self {
        // In: the address of a variable in the frame. It keeps the compiler from moving the instruction to a place before
        // the function has set up its frame. Out: `rbp`.
        let in_frame = MaybeUninit::<u64>::uninit();
        let mut frame = in_frame.as_ptr().addr();
        // SAFETY: reads a register.
        unsafe { std::arch::asm!("mov {0}, rbp", inout(reg) frame, options(nostack, preserves_flags)) };
        Self(frame)
    }

    /// Other architectures: no stacks yet.
    #[cfg(not(target_arch = "x86_64"))]
    pub(super) fn current() -> Self {
        Self(0)
    }

    /// The return address above the frame.
    ///
    /// # Safety
    /// The frame is that of a function which has not returned.
    #[inline(always)]
    pub(super) unsafe fn return_address(self) -> u64 {
        // SAFETY: a function with a frame pointer has its return address there.
        unsafe { (self.0 as *const u64).wrapping_add(1).read() }
    }
}

/// Finds out whether frame pointers are there, once, by looking for a chain of two known callers. On a stack whose bounds
/// are not known it stays open.
pub(super) fn check_frame_pointers(bounds: Bounds) {
    let in_stack = 0_u8;
    if FRAME_POINTERS.load(Ordering::Relaxed) == 0
        && (bounds.low..bounds.high).contains(&(&raw const in_stack).addr())
    {
        let found = cfg!(target_arch = "x86_64") && outer_probe(bounds);
        FRAME_POINTERS.store(if found { 2 } else { 1 }, Ordering::Relaxed);
    }
}

/// Whether they are; false before anybody tried.
#[inline(always)]
pub(super) fn has_frame_pointers() -> bool {
    FRAME_POINTERS.load(Ordering::Relaxed) == 2
}

/// How far into a probe function its call can stand, in bytes of code.
const PROBE_BYTES: u64 = 1024;

#[inline(never)]
fn outer_probe(bounds: Bounds) -> bool {
    std::hint::black_box(middle_probe(std::hint::black_box(bounds)))
}

#[inline(never)]
fn middle_probe(bounds: Bounds) -> bool {
    std::hint::black_box(inner_probe(std::hint::black_box(bounds)))
}

#[inline(never)]
fn inner_probe(bounds: Bounds) -> bool {
    let frame = Frame::current();
    if frame.0 < bounds.low
        || frame.0 >= bounds.high.saturating_sub(64)
        || !frame.0.is_multiple_of(size_of::<usize>())
    {
        return false;
    }
    let stack = Stack::walk(frame, bounds);
    let callers: [fn(Bounds) -> bool; 2] = [middle_probe, outer_probe];
    let expected = callers.map(|caller| caller as usize as u64);
    stack.depth >= expected.len()
        && std::iter::zip(stack.frames(), expected)
            .all(|(frame, start)| frame.wrapping_sub(start) < PROBE_BYTES)
}
