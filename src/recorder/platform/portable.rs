//! Any other system: counts are exact while the threads that allocate stand still at the edges of a window; stacks,
//! module lists and the reuse of an ended thread's table are not to be had.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::c_void;
use std::ops::{ControlFlow, Range};
use std::ptr;

use crate::snapshot::Module;

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

/// Makes memory from [`map`] zero again.
///
/// # Safety
/// The range lies in one mapping, and no thread uses it meanwhile.
pub(in crate::recorder) unsafe fn discard(address: *mut u8, bytes: usize) {
    // SAFETY: the caller says that the range is ours.
    unsafe { ptr::write_bytes(address, 0, bytes) };
}

/// Bytes of a mapping that are in memory: all, for want of a better answer.
pub(in crate::recorder) fn resident(_address: *mut u8, bytes: usize) -> u64 {
    bytes as u64
}

/// Waits long enough for the store buffers of other processors to drain.
pub(in crate::recorder) fn barrier() {
    std::thread::sleep(std::time::Duration::from_millis(10));
}

/// Stack bounds are not known here: an empty range.
pub(in crate::recorder) fn stack_bounds() -> Range<usize> {
    0..0
}

/// A frame that the unwinder has come to.
pub(in crate::recorder) struct CallerFrame {
    /// Where the frame's function goes on when what it called returns.
    pub(in crate::recorder) return_address: usize,
    /// Where the stack ended when it made that call.
    pub(in crate::recorder) stack_pointer: usize,
}

/// The unwinder is not asked here.
pub(in crate::recorder) fn callers<V: FnMut(CallerFrame) -> ControlFlow<()>>(_visit: V) {}

/// Thread ends are not seen here: a table stays with its thread.
pub(in crate::recorder) fn at_thread_exit(_table: *mut c_void) {}

/// Loaded files are not listed here.
pub(in crate::recorder) fn modules() -> Vec<Module> {
    Vec::new()
}
