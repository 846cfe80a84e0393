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
    /// The word now, for a first look.
    #[inline(always)]
    pub(super) fn glance() -> Self {
        Self(STATE.load(Ordering::Relaxed))
    }

    /// The word now; what its opener did before is seen from here on.
    #[inline(always)]
    pub(super) fn load() -> Self {
        Self(STATE.load(Ordering::Acquire))
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

/// Counts the times that everything was forgotten because no window was open; see [`generation`].
static GENERATION: AtomicU32 = AtomicU32::new(0);

/// Births of one generation mean nothing in another: the blocks of the shadow have been forgotten in between.
pub(super) fn generation() -> u32 {
    GENERATION.load(Ordering::Acquire)
}

/// Begins a generation. The caller holds the gate, and the state is off.
pub(super) fn next_generation() {
    GENERATION.fetch_add(1, Ordering::AcqRel);
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
