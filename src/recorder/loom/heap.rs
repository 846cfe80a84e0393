//! A heap of addresses, with the recorder around it.

use std::alloc::{GlobalAlloc, Layout};
use std::ptr;

use crate::recorder::Recorder;
use crate::recorder::primitive::{AtomicU64, Ordering, shared};

shared! {
    /// The blocks that are free, as bits: 4 of 8 bytes.
    static FREE: AtomicU64 = AtomicU64::new(0b1110);
}

/// Gives out the lowest free address. What a thread did before it frees a block, the next that gets the block sees: every
/// allocator has it so.
pub(super) struct Heap;

// SAFETY: nobody touches what it gives out.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, _layout: Layout) -> *mut u8 {
        let taken = |free: u64| (free != 0).then(|| free & (free - 1));
        match FREE.fetch_update(Ordering::AcqRel, Ordering::Acquire, taken) {
            Ok(free) => ptr::without_provenance_mut(free.trailing_zeros() as usize * 8),
            Err(_) => ptr::null_mut(),
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, _layout: Layout) {
        FREE.fetch_or(1 << (block.addr() / 8), Ordering::AcqRel);
    }

    /// Moves the block: the recorder must not rely on its staying, nor on the address's being free for long.
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, _new_size: usize) -> *mut u8 {
        // SAFETY: there is no precondition.
        let moved = unsafe { self.alloc(layout) };
        if !moved.is_null() {
            // SAFETY: as above.
            unsafe { self.dealloc(block, layout) };
        }
        moved
    }
}

static HEAP: Recorder<Heap> = Recorder::wrap(Heap);

/// Allocates through the recorder.
pub(super) fn allocate(bytes: usize) -> usize {
    // SAFETY: the size is not zero.
    unsafe { HEAP.alloc(layout(bytes)) }.addr()
}

/// Frees through the recorder.
pub(super) fn free(address: usize, bytes: usize) {
    // SAFETY: the block is from `allocate`.
    unsafe { HEAP.dealloc(ptr::without_provenance_mut(address), layout(bytes)) };
}

/// Reallocates through the recorder.
pub(super) fn reallocate(address: usize, bytes: usize, new_bytes: usize) -> usize {
    // SAFETY: the block is from `allocate`.
    unsafe { HEAP.realloc(ptr::without_provenance_mut(address), layout(bytes), new_bytes) }.addr()
}

fn layout(bytes: usize) -> Layout {
    Layout::from_size_align(bytes, 8).expect("models have small blocks")
}
