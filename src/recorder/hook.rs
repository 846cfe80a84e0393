//! What happens at every call of the allocator: the hot path.
//!
//! These functions know nothing of `GlobalAlloc`; whatever sees allocations can call them. Each costs one relaxed load
//! while no window is open. In a window they take no lock, make no system call, read no clock and allocate nothing; first
//! touches of memory, of a thread and of a stack are apart in cold functions. Two exceptions: while the tables of a window
//! that stays open are being read, threads wait; and without frame pointers the unwinder reads each stack, which may take
//! the loader's lock.

use super::block::{self, Birth, Place};
use super::event::RawEvent;
use super::primitive::{Ordering, light_barrier};
use super::site::{self, Key};
use super::stack::{self, Frame, Stack};
use super::state::{self, State};
use super::stray;
use super::thread::{Mode, Table};
use crate::snapshot::EventKind;

/// A fresh block of `bytes` at `address`, or null.
#[inline(always)]
pub(super) fn allocated(address: usize, bytes: usize, zeroed: bool) {
    if !State::glance().is_off() {
        match zeroed {
            false => record_allocation::<false>(address, bytes),
            true => record_allocation::<true>(address, bytes),
        }
    }
}

/// The block of `bytes` at `address` is about to be freed.
#[inline(always)]
pub(super) fn freeing(address: usize, bytes: usize) {
    if !State::glance().is_off() {
        record_free::<true>(address, bytes);
    }
}

/// The block of `bytes` at `address` is about to be reallocated; none while no window is open.
#[inline(always)]
pub(super) fn reallocating(address: usize, bytes: usize) -> Option<Reallocation> {
    if State::glance().is_off() {
        return None;
    }
    Some(Reallocation::begin(address, bytes))
}

/// The presence of a thread inside the recorder, with its table.
///
/// Entering sets a flag before it looks at the state again, and whoever closes a window clears the state before looking
/// at the flags: either this thread sees the window closed, or the other waits (invariant 2). The processor may not
/// reorder the two here, because closing makes every thread execute a barrier.
struct Inside {
    table: &'static Table,
    state: State,
}

impl Inside {
    /// Enters, unless the thread has no table, is inside already (a signal handler that allocates), the last window
    /// has closed meanwhile, or the tables are being read.
    #[inline(always)]
    fn enter(table: Option<&'static Table>) -> Result<Self, Refusal> {
        let Some(table) = table.filter(|table| table.busy.load(Ordering::Relaxed) == 0) else {
            return Err(Refusal::Stray);
        };
        table.busy.store(1, Ordering::Relaxed);
        light_barrier();
        let inside = Self { table, state: State::load() };
        match inside.state.is_open() {
            true => Ok(inside),
            false if inside.state.is_off() => Err(Refusal::Off),
            false => Err(Refusal::Paused),
        }
    }

    /// Enters with a table that is made on first use, and when the tables have been read, if they are just being read.
    #[inline(always)]
    fn enter_in_the_end() -> Result<Self, Refusal> {
        match Self::enter(Table::current()) {
            Err(Refusal::Paused) => Self::enter_after_pause(),
            outcome => outcome,
        }
    }

    #[cold]
    #[inline(never)]
    fn enter_after_pause() -> Result<Self, Refusal> {
        loop {
            if Table::known().is_some_and(|table| table.left_out.get()) {
                // This is the thread that reads them.
                return Err(Refusal::Off);
            }
            state::wait_while_paused();
            match Self::enter(Table::current()) {
                Err(Refusal::Paused) => {}
                outcome => return outcome,
            }
        }
    }

    /// Enters if nothing out of the ordinary is to be done: the thread has a table, counts, and does no
    /// more.
    #[inline(always)]
    fn enter_quickly() -> Option<Self> {
        let inside = Self::enter(Table::known()).ok()?;
        (inside.table.mode.get() == Mode::Quick).then_some(inside)
    }

    /// Whether this thread's calls count in an open window.
    fn counts(&self) -> bool {
        let table = self.table;
        if table.mode.get() == Mode::Idle && (self.state.is_process() || table.scoped.get()) {
            table.join();
        }
        if self.state.is_process() {
            table.follow_epoch();
        }
        matches!(table.mode.get(), Mode::Quick | Mode::Full)
    }

    /// Whether it counts what this thread does to a block. A thread that is left out counts for the window's blocks alone,
    /// or they would stay alive for ever.
    fn counts_for(&self, birth: Option<Birth>) -> bool {
        self.counts() || (birth.is_some() && self.table.join_for_blocks())
    }

    /// The age of a block that this thread allocated in the open window.
    #[inline(always)]
    fn age_of_own(&self, birth: Birth) -> Option<u64> {
        let table = self.table;
        let age = birth.age(table.clock.get());
        let own_clock = table.clock.get() - table.own_since.get();
        (birth.table() == table.number && age < own_clock).then_some(age)
    }

    /// Where a birth is counted, and how old its block is; the second only if this thread made it.
    ///
    /// For a window over this thread, others' blocks and those from before are born outside.
    fn place(&self, birth: Option<Birth>) -> (u32, Option<u64>) {
        let Some(birth) = birth else { return (site::OUTSIDE, None) };
        match self.age_of_own(birth) {
            Some(age) => (birth.record(), Some(age)),
            None if self.state.is_process() => (birth.record(), None),
            None => (site::OUTSIDE, None),
        }
    }

    /// Keeps an event, if the window asked for them.
    fn log(&self, kind: EventKind, record: u32, bytes: usize, former_record: u32, former_bytes: usize) {
        if self.table.events.is_open() {
            let (bytes, former_bytes) = (bytes as u64, former_bytes as u64);
            self.table.events.push(RawEvent { kind, record, former_record, bytes, former_bytes });
        }
    }
}

impl Drop for Inside {
    #[inline(always)]
    fn drop(&mut self) {
        self.table.busy.store(0, Ordering::Release);
    }
}

/// Why a thread cannot enter.
enum Refusal {
    /// No window is open any more.
    Off,
    /// The thread has no table, or is inside already.
    Stray,
    /// The tables are being read.
    Paused,
}

/// Counts a fresh block of a known stack. Whatever is not so simple goes to [`record_any_allocation`].
#[inline(never)]
fn record_allocation<const ZEROED: bool>(address: usize, bytes: usize) {
    let frame = Frame::current();
    if !count_known_allocation::<ZEROED>(frame, address, bytes) {
        record_any_allocation(frame, address, bytes, ZEROED);
    }
}

#[inline(always)]
fn count_known_allocation<const ZEROED: bool>(frame: Frame, address: usize, bytes: usize) -> bool {
    if address == 0 {
        return false;
    }
    let Some(inside) = Inside::enter_quickly() else { return false };
    let table = inside.table;
    // SAFETY: the frame is that of the hook, which has not returned, and the table is this thread's.
    let Some(found) = (unsafe { table.recent.find(frame, Key::of(bytes)) }) else { return false };
    let Some(place) = block::place(address) else { return false };
    let Some(live) = table.grown_live(bytes) else {
        count_growth(table, inside.state, found, bytes, ZEROED, place);
        return true;
    };
    // SAFETY: this thread is inside with this table, no other record of it is borrowed, and a remembered record is one
    // that it has used.
    let record = unsafe { table.used_record(found) };
    record.begin_life(table.epoch.get(), bytes, ZEROED);
    place.store(Birth::new(found, table.number, table.tick()));
    table.live_bytes.set(live);
    true
}

/// Counts a fresh block of a known stack by which the live total comes to where it has to be looked at.
#[inline(never)]
fn count_growth(table: &Table, state: State, found: u32, bytes: usize, zeroed: bool, place: Place) {
    if state.is_process() {
        table.follow_epoch();
    }
    // SAFETY: as for the caller, which has not borrowed it.
    let record = unsafe { table.used_record(found) };
    record.begin_life(table.epoch.get(), bytes, zeroed);
    place.store(Birth::new(found, table.number, table.tick()));
    table.add_live(bytes as i64);
}

#[cold]
#[inline(never)]
fn record_any_allocation(frame: Frame, address: usize, bytes: usize, zeroed: bool) {
    let inside = match Inside::enter_in_the_end() {
        Ok(inside) => inside,
        Err(Refusal::Off | Refusal::Paused) => return,
        Err(Refusal::Stray) => return stray::allocated(address, bytes, zeroed),
    };
    let table = inside.table;
    if !inside.counts() {
        block::take(address);
        return;
    }
    let found = find_site(table, frame, bytes);
    // SAFETY: this thread is inside with this table, and no other record of it is borrowed.
    let record = unsafe { table.record(found) };
    if address == 0 {
        record.note_peak(table.epoch.get());
        record.failed += 1;
        return;
    }
    record.begin_life(table.epoch.get(), bytes, zeroed);
    if block::put(address, Birth::new(found, table.number, table.tick())) {
        table.add_live(bytes as i64);
    } else {
        record.lose(bytes);
        table.untracked.set(table.untracked.get() + 1);
    }
    inside.log(EventKind::Allocate, found, bytes, found, 0);
}

/// The record of the stack outward from the hook's frame, with the class of a size and the thread's label.
#[inline(always)]
fn find_site(table: &Table, frame: Frame, bytes: usize) -> u32 {
    let key = Key::of(bytes);
    if !stack::has_frame_pointers() {
        return unwind_to_site(frame, key);
    }
    // SAFETY: the frame is that of the hook, which has not returned, and the table is this thread's.
    let known = unsafe { table.recent.find(frame, key) };
    known.unwrap_or_else(|| walk_to_site(table, frame, key))
}

// A `Stack` takes a kilobyte of the stack that it is read from. These two alone hold one, and only while its site is found.
#[inline(never)]
fn unwind_to_site(frame: Frame, key: Key) -> u32 {
    let mut stack = Stack::unknown();
    stack.read_without_frame_pointers(frame);
    site::find(&stack, key)
}

#[inline(never)]
fn walk_to_site(table: &Table, frame: Frame, key: Key) -> u32 {
    let mut stack = Stack::unknown();
    stack.walk(frame, table.stack.get());
    let record = site::find(&stack, key);
    if record != site::OVERFLOW {
        // SAFETY: the frame is that of the hook, which has not returned.
        unsafe { table.recent.remember(frame, key, &stack, record) };
    }
    record
}

/// Counts the end of a block that this thread allocated. Whatever is not so simple goes to [`record_any_free`].
///
/// Generic only to be compiled with the program, as [`record_allocation`] is: where a thread's variables are is known there.
/// A library's code has to be ready to ask for it, and keeps registers for that.
#[inline(never)]
fn record_free<const WITH_PROGRAM: bool>(address: usize, bytes: usize) {
    if !count_own_free(address, bytes) {
        record_any_free(address, bytes);
    }
}

#[inline(always)]
fn count_own_free(address: usize, bytes: usize) -> bool {
    let Some(inside) = Inside::enter_quickly() else { return false };
    let table = inside.table;
    let Some(place) = block::place(address) else { return false };
    let Some(birth) = place.load() else { return false };
    let Some(age) = inside.age_of_own(birth) else { return false };
    let Some(live) = table.shrunk_live(bytes) else { return false };
    place.clear();
    // SAFETY: this thread is inside with this table, no other record of it is borrowed, and it has used this record when
    // it allocated the block.
    let record = unsafe { table.used_record(birth.record()) };
    record.note_peak(table.epoch.get());
    record.deallocations += 1;
    record.freed_bytes += bytes as u64;
    record.end_life(age);
    table.live_bytes.set(live);
    true
}

#[cold]
#[inline(never)]
fn record_any_free(address: usize, bytes: usize) {
    let inside = match Inside::enter_in_the_end() {
        Ok(inside) => inside,
        Err(Refusal::Off | Refusal::Paused) => return,
        Err(Refusal::Stray) => return stray::freed(address, bytes),
    };
    let birth = block::take(address);
    if !inside.counts_for(birth) {
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
        table.add_live(-(bytes as i64));
    }
    inside.log(EventKind::Free, place, bytes, place, 0);
}

/// A reallocation that is under way: what the block was, taken out so that another thread may get its address.
pub(super) struct Reallocation {
    birth: Option<Birth>,
    /// When the birth was taken out: windows may close and open while the allocator works.
    generation: u32,
    address: usize,
    bytes: usize,
}

impl Reallocation {
    #[inline(never)]
    fn begin(address: usize, bytes: usize) -> Self {
        let inside = Inside::enter_in_the_end();
        let birth = match &inside {
            Ok(_) => block::take(address),
            Err(Refusal::Off | Refusal::Paused) => None,
            Err(Refusal::Stray) => {
                stray::forget(address);
                None
            }
        };
        Self { birth, generation: state::generation(), address, bytes }
    }

    /// It has been done: the block has `bytes` at `address` now, or `address` is null and the block is what it was.
    #[inline(never)]
    pub(super) fn done(mut self, address: usize, bytes: usize) {
        let inside = match Inside::enter_in_the_end() {
            Ok(inside) => inside,
            Err(Refusal::Off | Refusal::Paused) => return,
            Err(Refusal::Stray) => return stray::reallocated((self.address, self.bytes), (address, bytes)),
        };
        if self.generation != state::generation() {
            self.birth = None;
        }
        if address == 0
            && let Some(birth) = self.birth
        {
            block::put(self.address, birth);
        }
        if !inside.counts_for(self.birth) {
            return;
        }
        let found = find_site(inside.table, Frame::current(), bytes);
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
        let followed = block::put(address, Birth::new(found, table.number, table.tick()));
        if !followed {
            record.lose(bytes);
            table.untracked.set(table.untracked.get() + 1);
        }
        let came = if followed { bytes as i64 } else { 0 };
        let went = if former == site::OUTSIDE { 0 } else { self.bytes as i64 };
        table.add_live(came - went);
        inside.log(EventKind::Reallocate, found, bytes, former, self.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls come to the hook as from an allocator: the tests of the library have another one.
    #[test]
    fn a_lifetime_beyond_the_clock_s_bits_is_told_modulo_them_and_the_block_is_found() {
        const TURN: u64 = 1 << 34;
        let thread = std::thread::spawn(|| {
            let table = Table::current_at_gate().unwrap();
            table.clock.set(TURN - 3);
            // SAFETY: the table is this thread's own, and its window is not open yet.
            unsafe { table.reset() };
            table.scoped.set(true);
            state::open_thread();
            // An address that no allocator hands out.
            let address = (1 << 47) - 4096;
            for turns in [0, 1, 5] {
                allocated(address, 40, false);
                table.clock.set(table.clock.get() + turns * TURN + 6);
                freeing(address, 40);
            }
            state::close_thread();
            table.scoped.set(false);
            let records: Vec<_> = table.records().filter(|record| !record.is_idle()).collect();
            let sum =
                |figure: fn(&crate::recorder::record::Record) -> u64| records.iter().map(figure).sum::<u64>();
            assert_eq!(
                (sum(|it| it.allocations), sum(|it| it.deallocations), table.live_bytes.get()),
                (3, 3, 0)
            );
            assert_eq!((sum(|it| it.lifetime_sum), sum(|it| it.freed_elsewhere)), (3 * 6, 0));
        });
        thread.join().unwrap();
    }
}
