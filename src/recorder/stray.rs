//! Calls that no table's records can take: of threads beyond the last table, of signal handlers that interrupt the
//! recorder.
//!
//! They are added up apart and become part of the overflow site. Their blocks are not followed: they do not count as live,
//! and their free is that of a block from outside. A followed block that a stray frees stays alive in the figures.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::block;
use super::state::{self, State};
use super::thread::Table;
use crate::snapshot::Counts;

/// What strays did. Signal handlers count with their thread, all others together.
pub(super) struct Strays {
    allocations: AtomicU64,
    allocated_bytes: AtomicU64,
    reallocations: AtomicU64,
    grown: AtomicU64,
    grown_bytes: AtomicU64,
    shrunk: AtomicU64,
    shrunk_bytes: AtomicU64,
    reallocated_new_bytes: AtomicU64,
    deallocations: AtomicU64,
    freed_bytes: AtomicU64,
    failed: AtomicU64,
}

/// Those of threads without a table.
static TABLELESS: Strays = Strays::new();

/// Strays that are at it; whoever opens or closes a window waits for them too.
static BUSY: AtomicU32 = AtomicU32::new(0);

/// Whether no stray is at it.
pub(super) fn is_idle() -> bool {
    BUSY.load(Ordering::Acquire) == 0
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
    let state = loop {
        // A full barrier, so that the state is looked at afterwards.
        BUSY.fetch_add(1, Ordering::SeqCst);
        let state = State::load();
        if !state.is_paused() || Table::known().is_some() {
            break state;
        }
        BUSY.fetch_sub(1, Ordering::Release);
        state::wait_while_paused();
    };
    if !state.is_off() {
        block::take(address);
        match Table::known() {
            Some(table) if state.is_process() || table.scoped.get() => count(&table.strays),
            None if state.is_process() => count(&TABLELESS),
            _ => {}
        }
    }
    BUSY.fetch_sub(1, Ordering::Release);
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
pub(super) fn allocated(address: usize, bytes: usize) {
    be_counted(address, |strays| {
        if address == 0 {
            add(&strays.failed, 1);
        } else {
            add(&strays.allocations, 1);
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

/// A reallocation, done or refused.
#[cold]
#[inline(never)]
pub(super) fn reallocated(address: usize, former_bytes: usize, bytes: usize) {
    be_counted(address, |strays| {
        if address == 0 {
            add(&strays.failed, 1);
            return;
        }
        add(&strays.reallocations, 1);
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
    /// Nothing yet.
    pub(super) const fn new() -> Self {
        Self {
            allocations: AtomicU64::new(0),
            allocated_bytes: AtomicU64::new(0),
            reallocations: AtomicU64::new(0),
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

    /// Starts anew.
    pub(super) fn clear(&self) {
        let Self {
            allocations,
            allocated_bytes,
            reallocations,
            grown,
            grown_bytes,
            shrunk,
            shrunk_bytes,
            reallocated_new_bytes,
            deallocations,
            freed_bytes,
            failed,
        } = self;
        let blocks = [allocations, allocated_bytes, deallocations, freed_bytes, failed];
        let moves = [reallocations, grown, grown_bytes, shrunk, shrunk_bytes, reallocated_new_bytes];
        blocks.into_iter().chain(moves).for_each(|counter| counter.store(0, Ordering::Relaxed));
    }

    /// What was counted so far.
    pub(super) fn counts(&self) -> Counts {
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counts {
            allocations: count(&self.allocations),
            allocated_bytes: count(&self.allocated_bytes),
            reallocations: count(&self.reallocations),
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
