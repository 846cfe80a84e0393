//! What a system cannot be asked: the answers of any system that is not known, and of the one for models.

use std::ffi::{c_int, c_void};
use std::ops::{ControlFlow, Range};
use std::ptr;

use crate::snapshot::Module;

/// Makes memory from `map` zero again.
///
/// # Safety
/// The range lies in one mapping, and no thread uses it meanwhile.
pub(in crate::recorder) unsafe fn discard(address: *mut u8, bytes: usize) {
    // SAFETY: the caller says that the range is ours.
    unsafe { ptr::write_bytes(address, 0, bytes) };
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

/// Threads are not told apart here.
pub(in crate::recorder) fn thread_number() -> u32 {
    1
}

/// Ends of threads are not seen here.
pub(in crate::recorder) fn is_alive(_thread: u32) -> bool {
    true
}

/// Which thread is the process's first is not known here.
pub(in crate::recorder) fn is_main_thread() -> bool {
    false
}

/// Writes a line to standard error.
pub(in crate::recorder) fn complain(text: &str) {
    eprintln!("alloclab: {text}");
}

/// Nothing is blocked here.
pub(in crate::recorder) struct BlockedSignals;

impl BlockedSignals {
    /// Blocks none.
    pub(in crate::recorder) fn all() -> Self {
        Self
    }
}

/// Refuses.
pub(in crate::recorder) fn take_signal(_signal: c_int, _handler: extern "C" fn(c_int)) -> bool {
    false
}

/// Nothing was taken.
pub(in crate::recorder) fn give_signal_back(_signal: c_int, _handler: extern "C" fn(c_int)) {}

/// No signal comes here.
pub(in crate::recorder) fn die_of(signal: c_int) -> ! {
    std::process::exit(128 + signal)
}
