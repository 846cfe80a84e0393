//! Whether anything counts: one word, read by every call of the allocator.

use super::platform;
use super::primitive::{AtomicU32, Ordering, shared};

shared! {
    /// The word. Zero: no window is open anywhere.
    static STATE: AtomicU32 = AtomicU32::new(0);
}

/// A window over the whole process is open.
const PROCESS: u32 = 1;

/// Every open window over a thread adds this much.
const THREAD: u32 = 2;

/// Set while whoever holds the gate reads the tables of a window that stays open. The sign, so that "open and not paused"
/// is one comparison.
const PAUSED: u32 = 1 << 31;

shared! {
    /// The process that paused: one that is forked off meanwhile has nobody who would go on.
    static PAUSED_BY: AtomicU32 = AtomicU32::new(0);
}

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

    /// Whether a window is open, and its tables may be written to.
    #[inline(always)]
    pub(super) fn is_open(self) -> bool {
        self.0.cast_signed() > 0
    }

    /// Whether the tables of an open window are being read.
    #[inline(always)]
    pub(super) fn is_paused(self) -> bool {
        self.0 & PAUSED != 0
    }

    /// Whether a window over the whole process is open.
    #[inline(always)]
    pub(super) fn is_process(self) -> bool {
        self.0 & PROCESS != 0
    }
}

shared! {
    /// Counts the times that everything was forgotten because no window was open; see [`generation`].
    static GENERATION: AtomicU32 = AtomicU32::new(0);
}

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

/// Keeps every thread out of the recorder until this is dropped. The caller holds the gate, and a window is open.
pub(super) struct Pause(());

impl Pause {
    /// From here on, threads wait when they come to the recorder; those that are inside have to be waited for.
    pub(super) fn begin() -> Self {
        debug_assert!(State::load().is_open(), "no window is open, or it is paused already");
        PAUSED_BY.store(std::process::id(), Ordering::Relaxed);
        STATE.fetch_or(PAUSED, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for Pause {
    fn drop(&mut self) {
        STATE.fetch_and(!PAUSED, Ordering::SeqCst);
        platform::wake_all(&STATE);
    }
}

/// Waits until the tables have been read. The calling thread is outside of the recorder.
#[cold]
#[inline(never)]
pub(super) fn wait_while_paused() {
    loop {
        let state = State::load();
        if !state.is_paused() {
            return;
        }
        if PAUSED_BY.load(Ordering::Relaxed) != std::process::id() {
            return forget();
        }
        platform::wait_for_change(&STATE, state.0);
    }
}

/// Nothing counts any more in a process that was forked off: the window is its parent's.
pub(super) fn forget() {
    STATE.store(0, Ordering::SeqCst);
}
