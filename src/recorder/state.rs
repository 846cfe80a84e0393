//! Whether anything counts: one word, read by every call of the allocator.

use std::sync::atomic::{AtomicU32, Ordering};

/// The word. Zero: no window is open anywhere.
static STATE: AtomicU32 = AtomicU32::new(0);

/// A window over the whole process is open.
const PROCESS: u32 = 1;

/// Every open window over a thread adds this much.
const THREAD: u32 = 2;

/// What the word said at one moment.
#[derive(Clone, Copy)]
pub(super) struct State(u32);

impl State {
    /// The word now.
    #[inline(always)]
    pub(super) fn load() -> Self {
        Self(STATE.load(Ordering::Relaxed))
    }

    /// Whether no window is open.
    #[inline(always)]
    pub(super) fn is_off(self) -> bool {
        self.0 == 0
    }

    /// Whether a window over the whole process is open.
    #[inline(always)]
    pub(super) fn is_process(self) -> bool {
        self.0 & PROCESS != 0
    }
}

/// Opens for the whole process. The caller holds the gate, and the state is off.
pub(super) fn open_process() {
    STATE.store(PROCESS, Ordering::SeqCst);
}

/// Closes for the whole process.
pub(super) fn close_process() {
    STATE.store(0, Ordering::SeqCst);
}

/// Opens for one thread. The caller holds the gate, and no window over the process is open.
pub(super) fn open_thread() {
    STATE.fetch_add(THREAD, Ordering::SeqCst);
}

/// Closes for one thread.
pub(super) fn close_thread() {
    STATE.fetch_sub(THREAD, Ordering::SeqCst);
}
