//! Calls that no table's records can take: of threads beyond the last table, of signal handlers that interrupt the
//! recorder.
//!
//! They are added up apart and become part of the overflow site. Their blocks are not followed: they do not count as live,
//! and their free is that of a block from outside. A followed block that a stray frees stays alive in the figures.

use super::block;
use super::primitive::{AtomicU64, Ordering, compiler_fence, const_fn, light_barrier, local, shared};
use super::state::{self, State};
use super::thread::{self, Table};
use crate::snapshot::Counts;

/// What strays did. Signal handlers count with their thread, all others together.
pub(super) struct Strays {
    allocations: AtomicU64,
    zeroed: AtomicU64,
    allocated_bytes: AtomicU64,
    reallocations: AtomicU64,
    moved: AtomicU64,
    grown: AtomicU64,
    grown_bytes: AtomicU64,
    shrunk: AtomicU64,
    shrunk_bytes: AtomicU64,
    reallocated_new_bytes: AtomicU64,
    deallocations: AtomicU64,
    freed_bytes: AtomicU64,
    failed: AtomicU64,
}

shared! {
    /// Those of threads without a table.
    static TABLELESS: Strays = Strays::new();

    /// Strays that are at it, below the process whose they are: one that was forked off has none of its parent's. Whoever
    /// opens or closes a window waits for them too.
    static BUSY: AtomicU64 = AtomicU64::new(0);
}

const PROCESS_SHIFT: u32 = 32;

/// The word when one more of this process is at it.
fn with_one_more(word: u64, process: u32) -> u64 {
    let others = if word >> PROCESS_SHIFT == u64::from(process) { word as u32 } else { 0 };
    u64::from(process) << PROCESS_SHIFT | u64::from(others + 1)
}

/// The word when one of this process has gone.
fn with_one_less(word: u64, process: u32) -> u64 {
    if word >> PROCESS_SHIFT == u64::from(process) { word - 1 } else { word }
}

/// Whether no stray of the process is at it, by the word.
fn has_none(word: u64, process: u32) -> bool {
    word as u32 == 0 || word >> PROCESS_SHIFT != u64::from(process)
}

/// Whether no stray is at it.
pub(super) fn is_idle() -> bool {
    has_none(BUSY.load(Ordering::Acquire), std::process::id())
}

local! {
    /// Whether the thread is waited for although it has no table yet. A plain cell without destructor: it can be read at any
    /// time of a thread's life.
    static IS_WAITED_FOR: Cell<bool> = false;
}

/// Whether whoever pauses waits for the calling thread, which has no table yet: this is a signal handler then, and must not
/// wait.
pub(super) fn is_waited_for() -> bool {
    IS_WAITED_FOR.get()
}

/// A stretch in which a thread without a table is waited for; its signal handlers know by it.
pub(super) struct WaitedFor {
    /// Whether it was already.
    before: bool,
}

impl WaitedFor {
    /// To be called before anybody can wait.
    pub(super) fn begin() -> Self {
        let before = IS_WAITED_FOR.replace(true);
        compiler_fence(Ordering::SeqCst);
        Self { before }
    }
}

impl Drop for WaitedFor {
    fn drop(&mut self) {
        compiler_fence(Ordering::SeqCst);
        IS_WAITED_FOR.set(self.before);
    }
}

/// The presence of a stray.
struct Busy {
    process: u32,
    /// Ends last.
    waited_for: WaitedFor,
}

impl Busy {
    /// The state is looked at afterwards, as when a thread enters with a table: the word's order alone does not say so.
    fn begin() -> Self {
        let (process, waited_for) = (std::process::id(), WaitedFor::begin());
        BUSY.update(Ordering::SeqCst, Ordering::Relaxed, |word| with_one_more(word, process));
        light_barrier();
        Self { process, waited_for }
    }

    /// Whether this is a signal handler whose thread is waited for.
    fn cannot_wait(&self) -> bool {
        self.waited_for.before || Table::known().is_some()
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        BUSY.update(Ordering::Release, Ordering::Relaxed, |word| with_one_less(word, self.process));
    }
}

fn add(counter: &AtomicU64, amount: usize) {
    counter.fetch_add(amount as u64, Ordering::Relaxed);
}

/// Runs `count` if a window that is open counts the calling thread, while nobody can open or close one. The block at
/// `address` is forgotten first: it is freed, or another one than the shadow may know.
///
/// While tables are being read, a thread without a table waits. A signal handler cannot wait: its thread is inside, and is
/// itself waited for.
fn be_counted(address: usize, count: impl FnOnce(&Strays)) {
    let (state, _busy) = loop {
        let busy = Busy::begin();
        let state = State::load();
        if !state.is_paused() || busy.cannot_wait() {
            break (state, busy);
        }
        drop(busy);
        state::wait_while_paused();
    };
    if state.is_off() {
        return;
    }
    block::take(address);
    if let Some(strays) = strays_of(Table::known(), state.is_process()) {
        count(strays);
    }
}

/// Where strays of the calling thread count, if it has this table; nowhere, if no open window counts the thread.
fn strays_of(table: Option<&'static Table>, is_process: bool) -> Option<&'static Strays> {
    let counts = match table {
        Some(table) => table.scoped.get() || is_process && !table.is_left_out(),
        None => is_process && !thread::leaves_out_tableless(),
    };
    let tableless: &'static Strays = &TABLELESS;
    counts.then(|| table.map_or(tableless, |table| &table.strays))
}

/// A block that is about to be reallocated.
#[cold]
#[inline(never)]
pub(super) fn forget(address: usize) {
    be_counted(address, |_| ());
}

/// A fresh block, or null.
#[cold]
#[inline(never)]
pub(super) fn allocated(address: usize, bytes: usize, zeroed: bool) {
    be_counted(address, |strays| {
        if address == 0 {
            add(&strays.failed, 1);
        } else {
            add(&strays.allocations, 1);
            add(&strays.zeroed, zeroed.into());
            add(&strays.allocated_bytes, bytes);
        }
    });
}

/// A block that is about to be freed.
#[cold]
#[inline(never)]
pub(super) fn freed(address: usize, bytes: usize) {
    be_counted(address, |strays| {
        add(&strays.deallocations, 1);
        add(&strays.freed_bytes, bytes);
    });
}

/// A reallocation, done or refused: the address and the bytes before it and after it.
#[cold]
#[inline(never)]
pub(super) fn reallocated((former_address, former_bytes): (usize, usize), (address, bytes): (usize, usize)) {
    be_counted(address, |strays| {
        if address == 0 {
            add(&strays.failed, 1);
            return;
        }
        add(&strays.reallocations, 1);
        add(&strays.moved, (address != former_address).into());
        add(&strays.reallocated_new_bytes, bytes);
        if bytes > former_bytes {
            add(&strays.grown, 1);
            add(&strays.grown_bytes, bytes - former_bytes);
        } else if bytes < former_bytes {
            add(&strays.shrunk, 1);
            add(&strays.shrunk_bytes, former_bytes - bytes);
        }
    });
}

impl Strays {
    const_fn! {
        /// Nothing yet.
        pub(super) fn new() -> Self {
            Self {
                allocations: AtomicU64::new(0),
                zeroed: AtomicU64::new(0),
                allocated_bytes: AtomicU64::new(0),
                reallocations: AtomicU64::new(0),
                moved: AtomicU64::new(0),
                grown: AtomicU64::new(0),
                grown_bytes: AtomicU64::new(0),
                shrunk: AtomicU64::new(0),
                shrunk_bytes: AtomicU64::new(0),
                reallocated_new_bytes: AtomicU64::new(0),
                deallocations: AtomicU64::new(0),
                freed_bytes: AtomicU64::new(0),
                failed: AtomicU64::new(0),
            }
        }
    }

    /// Starts anew.
    pub(super) fn clear(&self) {
        let Self {
            allocations,
            zeroed,
            allocated_bytes,
            reallocations,
            moved,
            grown,
            grown_bytes,
            shrunk,
            shrunk_bytes,
            reallocated_new_bytes,
            deallocations,
            freed_bytes,
            failed,
        } = self;
        let blocks = [allocations, zeroed, allocated_bytes, deallocations, freed_bytes, failed];
        let moves = [reallocations, moved, grown, grown_bytes, shrunk, shrunk_bytes, reallocated_new_bytes];
        blocks.into_iter().chain(moves).for_each(|counter| counter.store(0, Ordering::Relaxed));
    }

    /// What was counted so far.
    pub(super) fn counts(&self) -> Counts {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counts {
            allocations: count(&self.allocations),
            zeroed: count(&self.zeroed),
            allocated_bytes: count(&self.allocated_bytes),
            reallocations: count(&self.reallocations),
            moved: count(&self.moved),
            grown: count(&self.grown),
            grown_bytes: count(&self.grown_bytes),
            shrunk: count(&self.shrunk),
            shrunk_bytes: count(&self.shrunk_bytes),
            reallocated_new_bytes: count(&self.reallocated_new_bytes),
            deallocations: count(&self.deallocations),
            freed_bytes: count(&self.freed_bytes),
            failed: count(&self.failed),
            ..Counts::default()
        }
    }
}

/// What threads without a table did starts anew.
pub(super) fn clear_tableless() {
    TABLELESS.clear();
}

/// What threads without a table did.
pub(super) fn tableless_counts() -> Counts {
    TABLELESS.counts()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_was_forked_off_has_no_strays_of_its_parent() {
        let parents = with_one_more(with_one_more(0, 7), 7);
        assert!(!has_none(parents, 7) && has_none(parents, 8));
        let childs = with_one_more(parents, 8);
        assert!(!has_none(childs, 8));
        // One that forks in a signal handler leaves as one of its parent's.
        assert_eq!(with_one_less(childs, 7), childs);
        assert!(has_none(with_one_less(childs, 8), 8));
        assert!(!has_none(with_one_less(parents, 7), 7));
    }

    #[test]
    fn strays_of_a_thread_that_is_left_out_count_nowhere() {
        let thread = std::thread::spawn(|| {
            let table = Table::current_at_gate().unwrap();
            let counts = |is_process| strays_of(Some(table), is_process).is_some();
            assert!(counts(true) && !counts(false) && strays_of(None, true).is_some());
            table.left_out.set(true);
            assert!(!counts(true));
            // A window over the thread itself counts it all the same.
            table.scoped.set(true);
            assert!(counts(true) && counts(false));
            table.scoped.set(false);
        });
        thread.join().unwrap();
    }

    #[test]
    fn a_handler_in_a_stray_does_not_wait() {
        assert!(!is_waited_for());
        let interrupted = Busy::begin();
        assert!(is_waited_for() && !interrupted.cannot_wait());
        let handler = Busy::begin();
        assert!(handler.cannot_wait());
        drop(handler);
        assert!(is_waited_for() && !is_idle());
        drop(interrupted);
        assert!(!is_waited_for());
    }
}
