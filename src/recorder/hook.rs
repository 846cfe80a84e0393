//! What happens at every call of the allocator: the hot path.
//!
//! These functions know nothing of `GlobalAlloc`; whatever sees allocations can call them. Each costs one relaxed load
//! while no window is open. In a window they take no lock, make no system call, read no clock and allocate nothing; first
//! touches of memory, of a thread and of a stack are apart in cold functions.

use std::sync::atomic::{Ordering, compiler_fence};

use super::block::{self, Birth};
use super::event::RawEvent;
use super::site;
use super::stack::Stack;
use super::state::State;
use super::stray;
use super::thread::Table;
use crate::snapshot::EventKind;

/// The presence of a thread inside the recorder, with its table.
struct Inside {
    table: &'static Table,
    state: State,
}

impl Inside {
    /// Enters, unless the last window has closed meanwhile.
    ///
    /// The flag is set before the state is looked at again, and whoever closes a window clears the state before looking
    /// at the flag: either this thread sees the window closed, or the other waits (invariant 2). The processor may not
    /// reorder the two here, because closing makes every thread execute a barrier.
    #[inline(always)]
    fn enter() -> Entry {
        let Some(table) = Table::current() else { return Entry::Stray };
        if table.busy.load(Ordering::Relaxed) != 0 {
            // A signal handler that allocates while its thread is in here.
            return Entry::Stray;
        }
        table.busy.store(1, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
        let inside = Self { table, state: State::load() };
        if inside.state.is_off() { Entry::Off } else { Entry::Inside(inside) }
    }

    /// Whether this thread's calls count in an open window.
    #[inline(always)]
    fn counts(&self) -> bool {
        let counts = self.state.is_process() || self.table.scoped.get();
        if counts && !self.table.joined.get() {
            self.table.join();
        }
        counts
    }

    /// The next moment of the thread's clock.
    #[inline(always)]
    fn tick(&self) -> u64 {
        let now = self.table.clock.get() + 1;
        self.table.clock.set(now);
        now
    }

    /// Where a birth is counted, and how old its block is; the second only if this thread made it.
    ///
    /// For a window over this thread, others' blocks and those from before are born outside.
    #[inline(always)]
    fn place(&self, birth: Option<Birth>) -> (u32, Option<u64>) {
        let Some(birth) = birth else { return (site::OUTSIDE, None) };
        if birth.table() == self.table.number {
            let age = birth.age(self.table.clock.get());
            let since_opening = self.table.clock.get() - self.table.opened_at.get();
            return if age < since_opening { (birth.record(), Some(age)) } else { (site::OUTSIDE, None) };
        }
        if self.state.is_process() { (birth.record(), None) } else { (site::OUTSIDE, None) }
    }

    /// Keeps an event, if the window asked for them.
    #[inline(always)]
    fn log(&self, event: impl FnOnce() -> RawEvent) {
        if self.table.events.is_open() {
            self.table.events.push(event());
        }
    }
}

impl Drop for Inside {
    #[inline(always)]
    fn drop(&mut self) {
        self.table.busy.store(0, Ordering::Release);
    }
}

enum Entry {
    Inside(Inside),
    /// No window is open any more.
    Off,
    /// The thread has no table, or is inside already.
    Stray,
}

/// A fresh block of `bytes` at `address`, or null.
#[inline(always)]
pub(super) fn allocated(address: usize, bytes: usize, zeroed: bool) {
    if !State::load().is_off() {
        record_allocation(address, bytes, zeroed);
    }
}

#[inline(never)]
fn record_allocation(address: usize, bytes: usize, zeroed: bool) {
    let inside = match Inside::enter() {
        Entry::Inside(inside) => inside,
        Entry::Off => return,
        Entry::Stray => return stray::allocated(address, bytes),
    };
    let table = inside.table;
    if !inside.counts() {
        block::take(address);
        return;
    }
    let stack = Stack::capture(table.stack.get());
    let found = site::find(&stack, site::size_class(bytes));
    // SAFETY: this thread is inside with this table, and no other record of it is borrowed.
    let record = unsafe { table.record(found) };
    record.note_peak(table.epoch.get());
    if address == 0 {
        record.failed += 1;
        return;
    }
    record.allocations += 1;
    record.allocated_bytes += bytes as u64;
    record.zeroed += u64::from(zeroed);
    if block::put(address, Birth::new(found, table.number, inside.tick())) {
        table.add_live(1, bytes as i64);
    } else {
        record.unfollowed += 1;
        record.unfollowed_bytes += bytes as u64;
        table.untracked.set(table.untracked.get() + 1);
    }
    inside.log(|| RawEvent {
        kind: EventKind::Allocate,
        record: found,
        former_record: found,
        bytes: bytes as u64,
        former_bytes: 0,
    });
}

/// The block of `bytes` at `address` is about to be freed.
#[inline(always)]
pub(super) fn freeing(address: usize, bytes: usize) {
    if !State::load().is_off() {
        record_free(address, bytes);
    }
}

#[inline(never)]
fn record_free(address: usize, bytes: usize) {
    let birth = block::take(address);
    let inside = match Inside::enter() {
        Entry::Inside(inside) => inside,
        Entry::Off => return,
        Entry::Stray => return stray::freed(bytes),
    };
    if !inside.counts() {
        return;
    }
    let table = inside.table;
    let (place, age) = inside.place(birth);
    // SAFETY: this thread is inside with this table, and no other record of it is borrowed.
    let record = unsafe { table.record(place) };
    record.note_peak(table.epoch.get());
    record.deallocations += 1;
    record.freed_bytes += bytes as u64;
    match age {
        Some(age) => record.end_life(age),
        None if place != site::OUTSIDE => record.freed_elsewhere += 1,
        None => {}
    }
    if place != site::OUTSIDE {
        table.add_live(-1, -(bytes as i64));
    }
    inside.log(|| RawEvent {
        kind: EventKind::Free,
        record: place,
        former_record: place,
        bytes: bytes as u64,
        former_bytes: 0,
    });
}

/// A reallocation that is under way: what the block was, taken out so that another thread may get its address.
pub(super) struct Reallocation {
    birth: Option<Birth>,
    address: usize,
    bytes: usize,
}

/// The block of `bytes` at `address` is about to be reallocated; none while no window is open.
#[inline(always)]
pub(super) fn reallocating(address: usize, bytes: usize) -> Option<Reallocation> {
    if State::load().is_off() {
        return None;
    }
    Some(Reallocation { birth: block::take(address), address, bytes })
}

impl Reallocation {
    /// It has been done: the block has `bytes` at `address` now, or `address` is null and the block is what it was.
    #[inline(never)]
    pub(super) fn done(self, address: usize, bytes: usize) {
        if address == 0
            && let Some(birth) = self.birth
        {
            block::put(self.address, birth);
        }
        let inside = match Inside::enter() {
            Entry::Inside(inside) => inside,
            Entry::Off => return,
            Entry::Stray => return stray::reallocated(address, self.bytes, bytes),
        };
        if !inside.counts() {
            return;
        }
        let stack = Stack::capture(inside.table.stack.get());
        let found = site::find(&stack, site::size_class(bytes));
        if address == 0 {
            // SAFETY: this thread is inside with this table, and no other record of it is borrowed.
            let record = unsafe { inside.table.record(found) };
            record.note_peak(inside.table.epoch.get());
            record.failed += 1;
        } else {
            self.count(&inside, found, address, bytes);
        }
    }

    /// The block leaves the record of its former site and comes to that of the site that reallocates.
    #[inline(always)]
    fn count(self, inside: &Inside, found: u32, address: usize, bytes: usize) {
        let table = inside.table;
        let (former, age) = inside.place(self.birth);
        // SAFETY: this thread is inside with this table, and the reference ends before the next is taken.
        let record = unsafe { table.record(former) };
        record.note_peak(table.epoch.get());
        record.left += 1;
        record.left_bytes += self.bytes as u64;
        if let Some(age) = age {
            record.end_life(age);
        }
        // SAFETY: as above.
        let record = unsafe { table.record(found) };
        record.note_peak(table.epoch.get());
        record.reallocations += 1;
        record.reallocated_new_bytes += bytes as u64;
        record.moved += u64::from(address != self.address);
        if bytes > self.bytes {
            record.grown += 1;
            record.grown_bytes += (bytes - self.bytes) as u64;
        } else if bytes < self.bytes {
            record.shrunk += 1;
            record.shrunk_bytes += (self.bytes - bytes) as u64;
        }
        let followed = block::put(address, Birth::new(found, table.number, inside.tick()));
        if !followed {
            record.unfollowed += 1;
            record.unfollowed_bytes += bytes as u64;
            table.untracked.set(table.untracked.get() + 1);
        }
        let (came, came_bytes) = if followed { (1, bytes as i64) } else { (0, 0) };
        let (went, went_bytes) = if former == site::OUTSIDE { (0, 0) } else { (1, self.bytes as i64) };
        table.add_live(came - went, came_bytes - went_bytes);
        inside.log(|| RawEvent {
            kind: EventKind::Reallocate,
            record: found,
            former_record: former,
            bytes: bytes as u64,
            former_bytes: self.bytes as u64,
        });
    }
}
