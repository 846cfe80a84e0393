//! The front that Rust programs see: a [`GlobalAlloc`] around any other.

use std::alloc::{GlobalAlloc, Layout, System};

use super::hook;

/// A global allocator that records what goes through it and leaves the work to another allocator.
///
/// Layouts are passed on unchanged, no header is added: the program asks its allocator for exactly what it asked for
/// without the recorder. While no [`Window`](super::Window) is open, a call costs one load more.
///
/// # Examples
/// ```
/// use alloclab::recorder::{Recorder, measure};
///
/// #[global_allocator]
/// static ALLOCATOR: Recorder = Recorder::system();
///
/// let measured = measure(|| vec![1_u8; 100]).unwrap();
/// assert_eq!(measured.snapshot.totals.allocations, 1);
/// assert_eq!(measured.snapshot.totals.allocated_bytes, 100);
/// ```
#[derive(Debug, Default)]
pub struct Recorder<A = System> {
    inner: A,
}

impl Recorder {
    /// Records around the system's allocator.
    pub const fn system() -> Self {
        Self::wrap(System)
    }
}

impl<A> Recorder<A> {
    /// Records around another allocator.
    ///
    /// # Examples
    /// ```
    /// use alloclab::recorder::Recorder;
    /// use std::alloc::System;
    ///
    /// #[global_allocator]
    /// static ALLOCATOR: Recorder<System> = Recorder::wrap(System);
    /// # fn main() {}
    /// ```
    pub const fn wrap(inner: A) -> Self {
        Self { inner }
    }

    /// The allocator that it records around.
    ///
    /// # Examples
    /// ```
    /// use alloclab::recorder::Recorder;
    /// use std::alloc::System;
    ///
    /// #[global_allocator]
    /// static ALLOCATOR: Recorder<System> = Recorder::wrap(System);
    /// # fn main() {
    /// let _system: &System = ALLOCATOR.inner();
    /// # }
    /// ```
    pub const fn inner(&self) -> &A {
        &self.inner
    }
}

// SAFETY: every call is passed on with its arguments unchanged, and what the inner allocator returns is returned; the
// hooks only look at addresses and never unwind.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Recorder<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`.
        let block = unsafe { self.inner.alloc(layout) };
        hook::allocated(block.addr(), layout.size(), false);
        block
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        let block = unsafe { self.inner.alloc_zeroed(layout) };
        hook::allocated(block.addr(), layout.size(), true);
        block
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // Before the block is freed: once it is, its address may be another thread's.
        hook::freeing(block.addr(), layout.size());
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { self.inner.dealloc(block, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let under_way = hook::reallocating(block.addr(), layout.size());
        // SAFETY: the caller keeps the contract of `realloc`.
        let new_block = unsafe { self.inner.realloc(block, layout, new_size) };
        if let Some(reallocation) = under_way {
            reallocation.done(new_block.addr(), new_size);
        }
        new_block
    }
}
