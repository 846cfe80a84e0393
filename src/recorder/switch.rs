//! One allocator or another under the recorder, while the program runs.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU32, Ordering};

/// An allocator that leaves the work to the system's: a block that was made through one of its kind may be freed or
/// reallocated through any other.
///
/// # Safety
/// Every call is passed on to [`System`], with the same layout, and what it returns is returned.
pub unsafe trait OverSystem: GlobalAlloc {}

// SAFETY: it is the system's.
unsafe impl OverSystem for System {}

// SAFETY: dhat's allocator passes each call on to `System`, its arguments unchanged.
unsafe impl OverSystem for dhat::Alloc {}

// SAFETY: stats_alloc counts and passes each call on to the allocator that it wraps, its arguments unchanged.
unsafe impl OverSystem for &stats_alloc::StatsAlloc<System> {}

// SAFETY: both of its allocators do so.
unsafe impl<A: OverSystem, B: OverSystem> OverSystem for Switch<A, B> {}

/// An allocator that is one of two: the first, and for a while the second.
///
/// A [`Recorder`](super::Recorder) takes it as any other allocator, so that in one program each of several instruments
/// can be at work in turn; a switch in the place of the second makes three of them. What the choice costs while the
/// first is at work is a load and a branch. Both leave the work to the system's allocator, so that blocks may outlive
/// the choice.
///
/// # Examples
/// ```
/// use alloclab::recorder::{Recorder, Switch};
/// use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
/// use std::alloc::System;
///
/// #[global_allocator]
/// static ALLOCATOR: Recorder<Switch<System, &'static StatsAlloc<System>>> =
///     Recorder::wrap(Switch::new(System, &INSTRUMENTED_SYSTEM));
///
/// let region = Region::new(&INSTRUMENTED_SYSTEM);
/// let kept = std::hint::black_box(Box::new(1_u64));
/// assert_eq!(region.change().allocations, 0);
/// ALLOCATOR.inner().while_second(|| drop(kept));
/// assert_eq!(region.change().deallocations, 1);
/// ```
#[derive(Debug)]
pub struct Switch<A, B> {
    first: A,
    second: B,
    /// How many stretches there are at the moment in which the second is at work.
    to_second: AtomicU32,
}

impl<A, B> Switch<A, B> {
    /// The first of two allocators, until [`while_second`](Self::while_second) says otherwise.
    pub const fn new(first: A, second: B) -> Self {
        Self { first, second, to_second: AtomicU32::new(0) }
    }

    /// The second allocator, whether it is at work or not.
    pub const fn second(&self) -> &B {
        &self.second
    }

    /// Has the second allocator at work, for all threads, until `work` is done or panics, and whatever else other threads run in
    /// this way meanwhile.
    pub fn while_second<T>(&self, work: impl FnOnce() -> T) -> T {
        self.to_second.fetch_add(1, Ordering::Relaxed);
        let _stretch = Stretch(&self.to_second);
        work()
    }

    /// Blocks are the system's whichever allocator made them: it does not matter when a thread sees the choice.
    #[inline(always)]
    fn is_first(&self) -> bool {
        self.to_second.load(Ordering::Relaxed) == 0
    }
}

/// Ends a stretch in which the second allocator is at work.
struct Stretch<'a>(&'a AtomicU32);

impl Drop for Stretch<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Keeps what the second allocator does out of the functions that call the first.
#[cold]
#[inline(never)]
fn apart<T>(call: impl FnOnce() -> T) -> T {
    call()
}

// SAFETY: every call is passed on with its arguments unchanged to one of two allocators, and what that returns is
// returned. A block may go to the one that did not make it: `OverSystem` allows for that.
unsafe impl<A: OverSystem, B: OverSystem> GlobalAlloc for Switch<A, B> {
    #[inline(always)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if self.is_first() {
            // SAFETY: the caller keeps the contract of `alloc`.
            return unsafe { self.first.alloc(layout) };
        }
        // SAFETY: as above.
        apart(|| unsafe { self.second.alloc(layout) })
    }

    #[inline(always)]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if self.is_first() {
            // SAFETY: the caller keeps the contract of `alloc_zeroed`.
            return unsafe { self.first.alloc_zeroed(layout) };
        }
        // SAFETY: as above.
        apart(|| unsafe { self.second.alloc_zeroed(layout) })
    }

    #[inline(always)]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if self.is_first() {
            // SAFETY: the caller keeps the contract of `dealloc`, with a block of the system's allocator.
            return unsafe { self.first.dealloc(block, layout) };
        }
        // SAFETY: as above.
        apart(|| unsafe { self.second.dealloc(block, layout) });
    }

    #[inline(always)]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if self.is_first() {
            // SAFETY: the caller keeps the contract of `realloc`, with a block of the system's allocator.
            return unsafe { self.first.realloc(block, layout, new_size) };
        }
        // SAFETY: as above.
        apart(|| unsafe { self.second.realloc(block, layout, new_size) })
    }
}
