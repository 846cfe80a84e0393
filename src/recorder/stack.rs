//! Call stacks, by frame pointers, or without them by the unwinder.
//!
//! A function compiled with frame pointers pushes its caller's `rbp` right below its return address and lets `rbp` point
//! there. The walk follows these links outward; each is checked against the bounds of the thread's stack before it is
//! read, so that a register that holds something else ends the walk and never faults.
//!
//! A program that was built without them has tables for the unwinder all the same: by those a frame takes some 1,700
//! instructions, and a stack cannot be recognized without them. For a function's frame may then lie at a distance from the
//! next that only the tables tell; equal words at equal places are no proof of an equal stack.

use std::mem::MaybeUninit;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU8, Ordering};

use super::platform::{self, CallerFrame};
use crate::snapshot::Stacks;

/// Return addresses that a stack holds at most.
pub(super) const MAX_DEPTH: usize = 64;

/// How stacks are read, as one of the following.
static READING: AtomicU8 = AtomicU8::new(UNTRIED);
const UNTRIED: u8 = 0;
const IMPOSSIBLE: u8 = 1;
const BY_FRAME_POINTERS: u8 = 2;
const BY_UNWINDER: u8 = 3;

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

    /// A stack of which nothing is known. What is read goes into one, and is not returned, or it would be there twice: in a
    /// kilobyte each of the stack that is read.
    pub(super) fn unknown() -> Self {
        const NOTHING: [MaybeUninit<u64>; MAX_DEPTH] = [const { MaybeUninit::uninit() }; MAX_DEPTH];
        Self { frames: NOTHING, links: NOTHING, depth: 0, hash: 0, truncated: false }
    }

    /// The stack outward from a frame, where there are no frame pointers: what the unwinder finds, if it can be used.
    #[inline(always)]
    pub(super) fn read_without_frame_pointers(&mut self, from: Frame) {
        if READING.load(Ordering::Relaxed) == BY_UNWINDER {
            self.unwind(from);
        }
    }

    /// Asks the unwinder for the frames further out than one. It starts with this function's own; the first that counts is
    /// the first whose stack begins beyond a variable in the frame. Further out stacks may lie anywhere: a signal handler
    /// can have one of its own. Inlined, for every frame of the recorder's own is one more to unwind.
    #[inline(always)]
    fn unwind(&mut self, from: Frame) {
        let mut is_outside = false;
        platform::callers(|CallerFrame { return_address, stack_pointer }| {
            is_outside |= stack_pointer > from.variable;
            if !is_outside {
                return ControlFlow::Continue(());
            }
            if return_address == 0 || self.depth == MAX_DEPTH {
                self.truncated = return_address != 0;
                return ControlFlow::Break(());
            }
            self.push(0, return_address as u64);
            ControlFlow::Continue(())
        });
    }

    /// A stack of these addresses.
    #[cfg(all(test, loom))]
    pub(super) fn of(addresses: &[u64]) -> Self {
        let mut stack = Self::unknown();
        addresses.iter().for_each(|address| stack.push(0, *address));
        stack
    }

    #[inline(always)]
    fn push(&mut self, link: u64, address: u64) {
        self.links[self.depth].write(link);
        self.frames[self.depth].write(address);
        self.depth += 1;
        self.hash = self.hash.wrapping_mul(9).wrapping_add(address);
    }

    /// Walks outward from a frame.
    pub(super) fn walk(&mut self, from: Frame, bounds: Bounds) {
        const WORD: usize = size_of::<usize>();
        let mut frame = from.pointer;
        loop {
            let link = frame as *const usize;
            // SAFETY: invariant 1: the first frame is the hook's own, every other was checked below.
            let outer = unsafe { link.read() };
            // SAFETY: as above.
            let address = unsafe { link.wrapping_add(1).read() } as u64;
            self.push(outer as u64, address);
            if !(bounds.low..bounds.high).contains(&frame) {
                // Not the thread's own stack: nothing is known of what lies further out.
                self.truncated = true;
                break;
            }
            // Links only lead outward, to higher addresses on the same stack.
            if outer <= frame || outer.saturating_add(2 * WORD) > bounds.high || !outer.is_multiple_of(WORD) {
                break;
            }
            if self.depth == MAX_DEPTH {
                self.truncated = true;
                break;
            }
            frame = outer;
        }
    }
}

/// A function's frame.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// The address of its caller's frame pointer, and above it the return address. Without frame pointers, anything.
    pub(super) pointer: usize,
    /// The address of a variable in it.
    variable: usize,
}

impl Frame {
    /// The frame of the function that this is inlined into.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) fn current() -> Self {
        // In: the address of a variable in the frame. It keeps the compiler from moving the instruction to a place before
        // the function has set up its frame. Out: `rbp`.
        let in_frame = MaybeUninit::<u64>::uninit();
        let variable = in_frame.as_ptr().addr();
        let mut pointer = variable;
        // SAFETY: reads a register.
        unsafe { std::arch::asm!("mov {0}, rbp", inout(reg) pointer, options(nostack, preserves_flags)) };
        Self { pointer, variable }
    }

    /// Other architectures: no stacks yet.
    #[cfg(not(target_arch = "x86_64"))]
    pub(super) fn current() -> Self {
        Self { pointer: 0, variable: 0 }
    }

    /// The return address above the frame.
    ///
    /// # Safety
    /// The frame is that of a function which has not returned.
    #[inline(always)]
    pub(super) unsafe fn return_address(self) -> u64 {
        // SAFETY: a function with a frame pointer has its return address there.
        unsafe { (self.pointer as *const u64).wrapping_add(1).read() }
    }
}

/// Finds out how stacks can be read, once, by looking for a chain of two known callers. Where the bounds of the stack at
/// hand are not known it stays open.
pub(super) fn check_reading(bounds: Bounds) {
    let in_stack = 0_u8;
    if READING.load(Ordering::Relaxed) == UNTRIED
        && (bounds.low..bounds.high).contains(&(&raw const in_stack).addr())
    {
        let finds = |walk| cfg!(target_arch = "x86_64") && outer_probe(bounds, walk);
        let reading = match () {
            () if finds(by_frame_pointers) => BY_FRAME_POINTERS,
            () if finds(by_unwinder) => BY_UNWINDER,
            () => IMPOSSIBLE,
        };
        READING.store(reading, Ordering::Relaxed);
    }
}

/// Models do not try: the stacks of loom's threads are not those that the system knows.
#[cfg(all(test, loom))]
pub(super) fn take_frame_pointers_for_found() {
    READING.store(BY_FRAME_POINTERS, Ordering::Relaxed);
}

/// Whether there are frame pointers; false before anybody tried.
#[inline(always)]
pub(super) fn has_frame_pointers() -> bool {
    READING.load(Ordering::Relaxed) == BY_FRAME_POINTERS
}

/// How stacks are read.
pub(super) fn reading() -> Stacks {
    match READING.load(Ordering::Relaxed) {
        BY_FRAME_POINTERS => Stacks::FramePointers,
        BY_UNWINDER => Stacks::Unwinder,
        _ => Stacks::None,
    }
}

/// A way to read the stack outward from a frame; none where the frame cannot be one.
type Walk = fn(Frame, Bounds) -> Option<Stack>;

fn by_frame_pointers(frame: Frame, bounds: Bounds) -> Option<Stack> {
    let pointer = frame.pointer;
    let is_frame = pointer >= bounds.low
        && pointer < bounds.high.saturating_sub(64)
        && pointer.is_multiple_of(size_of::<usize>());
    is_frame.then(|| {
        let mut stack = Stack::unknown();
        stack.walk(frame, bounds);
        stack
    })
}

fn by_unwinder(frame: Frame, _bounds: Bounds) -> Option<Stack> {
    let mut stack = Stack::unknown();
    stack.unwind(frame);
    Some(stack)
}

/// How far into a probe function its call can stand, in bytes of code.
const PROBE_BYTES: u64 = 1024;

#[inline(never)]
fn outer_probe(bounds: Bounds, walk: Walk) -> bool {
    std::hint::black_box(middle_probe(std::hint::black_box(bounds), walk))
}

#[inline(never)]
fn middle_probe(bounds: Bounds, walk: Walk) -> bool {
    std::hint::black_box(inner_probe(std::hint::black_box(bounds), walk))
}

#[inline(never)]
fn inner_probe(bounds: Bounds, walk: Walk) -> bool {
    let Some(stack) = walk(Frame::current(), bounds) else { return false };
    let callers: [fn(Bounds, Walk) -> bool; 2] = [middle_probe, outer_probe];
    let expected = callers.map(|caller| caller as usize as u64);
    stack.depth >= expected.len()
        && std::iter::zip(stack.frames(), expected)
            .all(|(frame, start)| frame.wrapping_sub(start) < PROBE_BYTES)
}

#[cfg(all(test, target_os = "linux", target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[inline(never)]
    fn both_ways() -> (Option<Stack>, Option<Stack>) {
        let range = platform::stack_bounds();
        let bounds = Bounds { low: range.start, high: range.end };
        let frame = Frame::current();
        std::hint::black_box((by_frame_pointers(frame, bounds), by_unwinder(frame, bounds)))
    }

    #[test]
    fn the_unwinder_finds_the_same_stack_as_frame_pointers() {
        let (pointed, unwound) = both_ways();
        let (pointed, unwound) = (pointed.expect("the tests have them"), unwound.expect("it always walks"));
        // Where the thread starts, the system's own code may have none.
        let own = pointed.frames().len() - 1;
        assert!(own > 3 && unwound.frames().starts_with(&pointed.frames()[..own]));
    }

    #[inline(never)]
    fn recurse(depth: usize) -> Option<Stack> {
        if depth == 0 {
            let mut stack = Stack::unknown();
            stack.unwind(Frame::current());
            Some(stack)
        } else {
            std::hint::black_box(recurse(depth - 1))
        }
    }

    #[test]
    fn a_stack_deeper_than_the_limit_is_cut_there() {
        let stack = recurse(MAX_DEPTH).expect("it always walks");
        assert!(stack.truncated && stack.frames().len() == MAX_DEPTH);
    }
}
