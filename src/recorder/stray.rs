//! Calls that no table can take: of threads beyond the last table, of signal handlers that interrupt the recorder.
//!
//! They are added up here, by all threads together, and become part of the overflow site. Their blocks are not followed:
//! they do not count as live, and their free is that of a block from outside. A followed block that a stray frees stays
//! alive in the figures.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::block;
use super::state::State;
use crate::snapshot::Counts;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static ALLOCATED_BYTES: AtomicU64 = AtomicU64::new(0);
static REALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static GROWN: AtomicU64 = AtomicU64::new(0);
static GROWN_BYTES: AtomicU64 = AtomicU64::new(0);
static SHRUNK: AtomicU64 = AtomicU64::new(0);
static SHRUNK_BYTES: AtomicU64 = AtomicU64::new(0);
static REALLOCATED_NEW_BYTES: AtomicU64 = AtomicU64::new(0);
static DEALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static FREED_BYTES: AtomicU64 = AtomicU64::new(0);
static FAILED: AtomicU64 = AtomicU64::new(0);

static ALL: [&AtomicU64; 11] = [
    &ALLOCATIONS,
    &ALLOCATED_BYTES,
    &REALLOCATIONS,
    &GROWN,
    &GROWN_BYTES,
    &SHRUNK,
    &SHRUNK_BYTES,
    &REALLOCATED_NEW_BYTES,
    &DEALLOCATIONS,
    &FREED_BYTES,
    &FAILED,
];

/// Strays that are at it; whoever opens or closes a window waits for them too.
static BUSY: AtomicU32 = AtomicU32::new(0);

/// Whether no stray is at it.
pub(super) fn is_idle() -> bool {
    BUSY.load(Ordering::Acquire) == 0
}

fn add(counter: &AtomicU64, amount: usize) {
    counter.fetch_add(amount as u64, Ordering::Relaxed);
}

/// Runs `count` while nobody can open or close a window, if a window over the process is open: no other
/// sees strays. The block at `address` is forgotten first: it is freed, or another one than the shadow may know.
fn be_counted(address: usize, count: impl FnOnce()) {
    // A full barrier, so that the state is looked at afterwards.
    BUSY.fetch_add(1, Ordering::SeqCst);
    let state = State::load();
    if !state.is_off() {
        block::take(address);
        if state.is_process() {
            count();
        }
    }
    BUSY.fetch_sub(1, Ordering::Release);
}

/// A block that is about to be reallocated.
#[cold]
#[inline(never)]
pub(super) fn forget(address: usize) {
    be_counted(address, || ());
}

/// A fresh block, or null.
#[cold]
#[inline(never)]
pub(super) fn allocated(address: usize, bytes: usize) {
    be_counted(address, || {
        if address == 0 {
            add(&FAILED, 1);
        } else {
            add(&ALLOCATIONS, 1);
            add(&ALLOCATED_BYTES, bytes);
        }
    });
}

/// A block that is about to be freed.
#[cold]
#[inline(never)]
pub(super) fn freed(address: usize, bytes: usize) {
    be_counted(address, || {
        add(&DEALLOCATIONS, 1);
        add(&FREED_BYTES, bytes);
    });
}

/// A reallocation, done or refused.
#[cold]
#[inline(never)]
pub(super) fn reallocated(address: usize, former_bytes: usize, bytes: usize) {
    be_counted(address, || {
        if address == 0 {
            add(&FAILED, 1);
            return;
        }
        add(&REALLOCATIONS, 1);
        add(&REALLOCATED_NEW_BYTES, bytes);
        if bytes > former_bytes {
            add(&GROWN, 1);
            add(&GROWN_BYTES, bytes - former_bytes);
        } else if bytes < former_bytes {
            add(&SHRUNK, 1);
            add(&SHRUNK_BYTES, former_bytes - bytes);
        }
    });
}

/// Starts anew.
pub(super) fn reset() {
    for counter in ALL {
        counter.store(0, Ordering::Relaxed);
    }
}

/// Adds what was counted.
pub(super) fn add_to(counts: &mut Counts) {
    let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    counts.allocations += read(&ALLOCATIONS);
    counts.allocated_bytes += read(&ALLOCATED_BYTES);
    counts.reallocations += read(&REALLOCATIONS);
    counts.grown += read(&GROWN);
    counts.grown_bytes += read(&GROWN_BYTES);
    counts.shrunk += read(&SHRUNK);
    counts.shrunk_bytes += read(&SHRUNK_BYTES);
    counts.reallocated_new_bytes += read(&REALLOCATED_NEW_BYTES);
    counts.deallocations += read(&DEALLOCATIONS);
    counts.freed_bytes += read(&FREED_BYTES);
    counts.failed += read(&FAILED);
}
