//! A system for models: threads are loom's, memory is the allocator's, nothing else is there.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ffi::{c_int, c_void};
use std::io;
use std::ops::{ControlFlow, Range};
use std::ptr;
use std::sync::Arc;
use std::thread;

use ::loom::thread::JoinHandle;

use crate::recorder::primitive::{AtomicBool, AtomicU32, Ordering, fence, keep, yield_now};
use crate::snapshot::Module;

/// Zeroed memory, until the run is over.
struct Block {
    start: *mut u8,
    layout: Layout,
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: `map` took the block with this layout.
        unsafe { System.dealloc(self.start, self.layout) };
    }
}

/// Takes zeroed memory for what loom does not watch.
pub(in crate::recorder) fn map(bytes: usize) -> *mut u8 {
    let Ok(layout) = Layout::from_size_align(bytes, 128) else { return ptr::null_mut() };
    // SAFETY: the size is not zero: every table of the recorder has entries.
    let start = unsafe { System.alloc_zeroed(layout) };
    if !start.is_null() {
        keep(Box::new(Block { start, layout }));
    }
    start
}

/// The memory ends with the run.
///
/// # Safety
/// None is needed.
pub(in crate::recorder) unsafe fn unmap(_address: *mut u8, _bytes: usize) {}

/// Makes memory from [`map`] zero again.
///
/// # Safety
/// The range lies in one mapping, and no thread uses it meanwhile.
pub(in crate::recorder) unsafe fn discard(address: *mut u8, bytes: usize) {
    // SAFETY: the caller says that the range is ours.
    unsafe { ptr::write_bytes(address, 0, bytes) };
}

/// Nobody asks.
pub(in crate::recorder) fn resident(_address: *mut u8, _bytes: usize) -> u64 {
    0
}

/// A full fence, the other half of which every thread executes by itself; see `primitive`.
pub(in crate::recorder) fn barrier() {
    fence(Ordering::SeqCst);
}

/// Stacks of loom's threads are read no further than their innermost frame.
pub(in crate::recorder) fn stack_bounds() -> Range<usize> {
    0..0
}

/// A frame that the unwinder has come to.
pub(in crate::recorder) struct CallerFrame {
    pub(in crate::recorder) return_address: usize,
    pub(in crate::recorder) stack_pointer: usize,
}

/// The unwinder is not asked here.
pub(in crate::recorder) fn callers<V: FnMut(CallerFrame) -> ControlFlow<()>>(_visit: V) {}

/// Models end their threads themselves.
pub(in crate::recorder) fn at_thread_exit(_table: *mut c_void) {}

/// Loaded files are not listed here.
pub(in crate::recorder) fn modules() -> Vec<Module> {
    Vec::new()
}

/// Lets other threads run.
pub(in crate::recorder) fn rest(_turn: u32) {
    yield_now();
}

/// No thread is the process's first.
pub(in crate::recorder) fn is_main_thread() -> bool {
    false
}

/// Threads are not told apart here.
pub(in crate::recorder) fn thread_number() -> u32 {
    1
}

/// No process is forked off.
pub(in crate::recorder) fn at_fork(_in_child: extern "C" fn()) -> bool {
    true
}

/// Threads of models give up their tables.
pub(in crate::recorder) fn is_alive(_thread: u32) -> bool {
    true
}

/// Waits until the word is another: a model in which it never is runs into loom's limit of steps.
pub(in crate::recorder) fn wait_for_change(word: &AtomicU32, seen: u32) {
    while word.load(Ordering::Relaxed) == seen {
        yield_now();
    }
}

/// Whoever waits looks again and again.
pub(in crate::recorder) fn wake_all(_word: &AtomicU32) {}

/// Models call the function that is called at exit themselves; no process is forked off.
pub(in crate::recorder) fn at_exit_and_fork(_at_exit: extern "C" fn(), _in_child: extern "C" fn()) -> bool {
    true
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

/// A thread of loom's.
pub(in crate::recorder) struct Thread<T> {
    thread: JoinHandle<T>,
    is_over: Arc<AtomicBool>,
}

impl<T: 'static> Thread<T> {
    /// Runs a function in a thread of its own.
    pub(in crate::recorder) fn start(work: impl FnOnce() -> T + 'static) -> io::Result<Self> {
        let is_over = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&is_over);
        let thread = crate::recorder::loom::spawn(move || {
            let value = work();
            told.store(true, Ordering::Release);
            value
        });
        Ok(Self { thread, is_over })
    }

    /// Whether the function has ended.
    pub(in crate::recorder) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// Waits for the end of the thread: what its function returned.
    pub(in crate::recorder) fn join(self) -> thread::Result<T> {
        self.thread.join()
    }
}
