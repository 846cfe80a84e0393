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

    /// A stack of which nothing is known.
    fn empty() -> Self {
        Self { frames: [const { MaybeUninit::uninit() }; MAX_DEPTH], depth: 0, hash: 0, truncated: false }
    }

    /// Walks the calling function's stack outward.
    #[inline(always)]
    pub(super) fn capture(bounds: Bounds) -> Self {
        if has_frame_pointers() { Self::walk(bounds) } else { Self::empty() }
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn walk(bounds: Bounds) -> Self {
        const WORD: usize = size_of::<usize>();
        let mut stack = Self::empty();
        let mut frame: usize;
        // SAFETY: reads a register.
        unsafe { std::arch::asm!("mov {}, rbp", out(reg) frame, options(nomem, nostack, preserves_flags)) };
        if frame < bounds.low || frame & (WORD - 1) != 0 || frame + 2 * WORD > bounds.high {
            return stack;
        }
        let mut hash = 0_u64;
        loop {
            debug_assert!(
                frame >= bounds.low && frame + 2 * WORD <= bounds.high,
                "frame {frame:#x} is off the stack"
            );
            let link = frame as *const usize;
            // SAFETY: invariant 1: `frame` is aligned and two words lie between it and the end of the stack in use.
            let outer = unsafe { link.read() };
            // SAFETY: as above.
            let address = unsafe { link.wrapping_add(1).read() } as u64;
            stack.frames[stack.depth].write(address);
            stack.depth += 1;
            hash = (hash.rotate_left(5) ^ address).wrapping_mul(0x517c_c1b7_2722_0a95);
            // Links only lead outward, to higher addresses: one comparison covers both ends of the range.
            let step = outer.wrapping_sub(frame);
            if step < 2 * WORD || step > bounds.high - 2 * WORD - frame || step & (WORD - 1) != 0 {
                break;
            }
            if stack.depth == MAX_DEPTH {
                stack.truncated = true;
                break;
            }
            frame = outer;
        }
        stack.hash = hash;
        stack
    }

    /// Other architectures: no stacks yet.
    #[cfg(not(target_arch = "x86_64"))]
    fn walk(_bounds: Bounds) -> Self {
        Self::empty()
    }
}

/// Finds out whether frame pointers are there, once, by looking for a chain of two known callers.
pub(super) fn check_frame_pointers(bounds: Bounds) {
    if FRAME_POINTERS.load(Ordering::Relaxed) == 0 {
        let found = outer_probe(bounds);
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
    let stack = Stack::walk(bounds);
    let callers: [fn(Bounds) -> bool; 2] = [middle_probe, outer_probe];
    let expected = callers.map(|caller| caller as usize as u64);
    stack.depth >= expected.len()
        && std::iter::zip(stack.frames(), expected)
            .all(|(frame, start)| frame.wrapping_sub(start) < PROBE_BYTES)
}
