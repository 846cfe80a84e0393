//! Any other system: counts are exact while the threads that allocate stand still at the edges of a window; stacks,
//! module lists and the reuse of an ended thread's table are not to be had.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;

const PAGE: usize = 4096;

/// Takes zeroed memory from the system allocator; null if it refuses.
pub(in crate::recorder) fn map(bytes: usize) -> *mut u8 {
    match Layout::from_size_align(bytes, PAGE) {
        // SAFETY: the size is not zero: every table of the recorder has entries.
        Ok(layout) => unsafe { System.alloc_zeroed(layout) },
        Err(_) => ptr::null_mut(),
    }
}

/// Gives back memory from [`map`].
///
/// # Safety
/// `address` and `bytes` are a whole mapping, and nothing points into it any more.
pub(in crate::recorder) unsafe fn unmap(address: *mut u8, bytes: usize) {
    if let Ok(layout) = Layout::from_size_align(bytes, PAGE) {
        // SAFETY: `map` took the block with the same layout.
        unsafe { System.dealloc(address, layout) };
    }
}

/// Bytes of a mapping that are in memory: all, for want of a better answer.
pub(in crate::recorder) fn resident(_address: *mut u8, bytes: usize) -> u64 {
    bytes as u64
}

/// Waits long enough for the store buffers of other processors to drain.
pub(in crate::recorder) fn barrier() {
    std::thread::sleep(std::time::Duration::from_millis(10));
}
