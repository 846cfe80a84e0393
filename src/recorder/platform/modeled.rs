//! A system for models: threads are loom's, memory is the allocator's, nothing else is there.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io;
use std::ptr;
use std::sync::Arc;
use std::thread;

use ::loom::thread::JoinHandle;

use crate::recorder::primitive::{AtomicBool, AtomicU32, Ordering, fence, keep, yield_now};

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

/// Nobody asks.
pub(in crate::recorder) fn resident(_address: *mut u8, _bytes: usize) -> u64 {
    0
}

/// A full fence, the other half of which every thread executes by itself; see `primitive`.
pub(in crate::recorder) fn barrier() {
    fence(Ordering::SeqCst);
}

/// Lets other threads run.
pub(in crate::recorder) fn rest(_turn: u32) {
    yield_now();
}

/// No process is forked off.
pub(in crate::recorder) fn at_fork(_in_child: extern "C" fn()) -> bool {
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
