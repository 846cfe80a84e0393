//! Each thread's own table: figures per site record, live total, peak.
//!
//! A table is written by the thread that holds it and read by whoever closes a window, never both at once (invariant 2).
//! When a thread ends, its table and what it counted stay; the next new thread goes on with it.

use std::ops::Range;
use std::ptr;
use std::time::{Duration, Instant};

use super::block::{MAX_RECORDS, MAX_TABLES};
use super::event::EventLog;
use super::platform;
use super::primitive::{
    AtomicBool, AtomicI64, AtomicPtr, AtomicU32, AtomicU64, Cell, Ordering, array, fence, local, scaled,
    shared, yield_now,
};
use super::recent::{self, Recent};
use super::record::Record;
use super::stack::{self, Bounds};
use super::state::{self, State};
use super::stray::{self, Strays, WaitedFor};

/// Bytes by which a thread's live total may differ from what it last told the others; see [`Table::cross_bound`].
pub(super) const FOLD_BYTES: i64 = 64 << 10;

/// What a thread does with its calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Mode {
    /// Nothing: no window that is open counts them, or none has yet.
    Idle,
    /// Counts them, and nothing else is to be done.
    Quick,
    /// Counts them, and more: events are kept, or there are no frame pointers.
    Full,
    /// Nothing, for it is left out; and nobody else has seen it.
    Aside,
    /// Counts what it does to the window's blocks, and nothing else: it is left out.
    Blocks,
}

/// A thread's table.
#[repr(C, align(128))]
pub(super) struct Table {
    /// 1 while its thread is inside the recorder.
    pub(super) busy: AtomicU32,
    /// Its number, from 1 on.
    pub(super) number: u32,
    /// What its thread does with its calls; [`Mode::Idle`] again whenever a window has closed.
    pub(super) mode: Cell<Mode>,
    /// Whether a window over this thread is open.
    pub(super) scoped: Cell<bool>,
    /// Whether its thread is left out of windows over the process: it reads and writes what others do.
    pub(super) left_out: Cell<bool>,
    /// Whether its thread is the process's first.
    pub(super) is_main: Cell<bool>,
    /// Allocations and reallocations so far, over all windows.
    pub(super) clock: Cell<u64>,
    /// Bytes of the window's blocks that this thread made, less those that it freed.
    pub(super) live_bytes: Cell<i64>,
    /// Live bytes above and below which [`Table::cross_bound`] has to look.
    upper: Cell<i64>,
    lower: Cell<i64>,
    /// How often a new maximum was seen: tells the records whether their figures changed since.
    pub(super) epoch: Cell<u64>,
    records: *mut Record,
    /// The clock when the window was opened, or when the thread took the table over in it: blocks from before are not its own.
    pub(super) own_since: Cell<u64>,
    /// Records from 0 to here may hold figures.
    pub(super) records_end: Cell<u32>,
    pub(super) stack: Cell<Bounds>,
    pub(super) recent: Recent,

    /// The maximum while this thread was alone; [`i64::MAX`] once it is not.
    alone_max_bytes: Cell<i64>,
    /// The clock at the call that reached it.
    alone_max_clock: Cell<u64>,
    /// What of the live bytes is already in the shared total.
    folded_bytes: Cell<i64>,
    /// The clock when the window was opened.
    pub(super) opened_at: Cell<u64>,
    pub(super) untracked: Cell<u64>,
    pub(super) events: EventLog,
    /// What signal handlers did that came while the thread was inside.
    pub(super) strays: Strays,
    /// The process of the thread that holds it: a forked child has copies of tables without their threads.
    /// Set before its thread enters for the first time.
    process: AtomicU32,
    /// The system's number of the thread that holds it; 0 for none. See [`Table::is_left`].
    holder: AtomicU32,
}

local! {
    /// The calling thread's table; null before its first recorded call, [`NONE`] when it has none to be had.
    ///
    /// A plain cell without destructor: it can be read at any time of a thread's life, its end included.
    static CURRENT: Cell<*const Table> = ptr::null();
}

/// Stands in [`CURRENT`] while a table is being attached, and from then on if there was none to be had.
const NONE: *const Table = ptr::without_provenance(1);

/// Stands in place of the number of a thread that holds a table.
const NOBODY: u32 = 0;

/// Tables that can be made.
const PLACES: usize = scaled(MAX_TABLES as usize, 3);

shared! {
    static TABLES: [AtomicPtr<Table>; PLACES] = array![AtomicPtr::new(ptr::null_mut()); PLACES];
}

const RECORD_BYTES: usize = MAX_RECORDS as usize * size_of::<Record>();

shared! {
    /// Live totals of all threads, as far as they are folded in, and the highest seen.
    static SHARED_BYTES: AtomicI64 = AtomicI64::new(0);
    static SHARED_MAX_BYTES: AtomicI64 = AtomicI64::new(0);
    static SHARED_EPOCH: AtomicU64 = AtomicU64::new(0);

    /// Threads that recorded in the open window over the process.
    static JOINED: AtomicU32 = AtomicU32::new(0);

    /// The bound of the open window over the process: [`FOLD_BYTES`], or 0 for an exact peak.
    static FOLD_BOUND: AtomicI64 = AtomicI64::new(FOLD_BYTES);

    /// Whether the open window over the process leaves out the process's first thread.
    static LEAVES_OUT_MAIN: AtomicBool = AtomicBool::new(false);

    /// Whether [`in_child`] is called in processes that are forked off.
    static SEES_FORKS: AtomicBool = AtomicBool::new(false);
}

impl Table {
    /// The calling thread's table, if it has one already.
    #[inline(always)]
    pub(super) fn known() -> Option<&'static Self> {
        let table = CURRENT.get();
        // SAFETY: invariant 3: tables are never unmapped.
        (table.addr() > NONE.addr()).then(|| unsafe { &*table })
    }

    /// The calling thread's table, attached on first use; none for a thread that cannot have one.
    #[inline(always)]
    pub(super) fn current() -> Option<&'static Self> {
        Self::known().or_else(attach)
    }

    /// The calling thread's table, attached on first use, for whoever holds the gate and is about to open a window.
    pub(super) fn current_at_gate() -> Option<&'static Self> {
        Self::known().or_else(|| attach_if(|| true))
    }

    /// Makes the table that of the calling thread, whose stack has these bounds. It is inside the recorder.
    fn take_over(&self, bounds: Range<usize>) {
        self.stack.set(Bounds { low: bounds.start, high: bounds.end });
        self.recent.forget();
        self.mode.set(Mode::Idle);
        self.left_out.set(false);
        self.own_since.set(self.clock.get());
        self.is_main.set(platform::is_main_thread());
    }

    /// The next moment of the thread's clock.
    #[inline(always)]
    pub(super) fn tick(&self) -> u64 {
        let now = self.clock.get() + 1;
        self.clock.set(now);
        now
    }

    /// A record of this table.
    ///
    /// # Safety
    /// The calling thread is inside the recorder with this table, and drops the reference before it asks for another.
    #[inline(always)]
    #[allow(clippy::mut_from_ref)] // The table is a handle; invariant 2 makes the reference exclusive.
    pub(super) unsafe fn record(&self, record: u32) -> &mut Record {
        if record >= self.records_end.get() {
            self.records_end.set(record + 1);
        }
        // SAFETY: the caller's, and the record is used from now on.
        unsafe { self.used_record(record) }
    }

    /// A record of this table that [`Table::record`] has given out before.
    ///
    /// # Safety
    /// As for [`Table::record`].
    #[inline(always)]
    #[allow(clippy::mut_from_ref)] // As above.
    pub(super) unsafe fn used_record(&self, record: u32) -> &mut Record {
        debug_assert!(record < self.records_end.get(), "record {record} has not been used");
        // SAFETY: records are numbered below `MAX_RECORDS`, which is the length of the mapping.
        unsafe { &mut *self.records.wrapping_add(record as usize) }
    }

    /// The live total with a block more, if [`Table::cross_bound`] has nothing to look at there.
    #[inline(always)]
    pub(super) fn grown_live(&self, bytes: usize) -> Option<i64> {
        let live = self.live_bytes.get() + bytes as i64;
        (live <= self.upper.get()).then_some(live)
    }

    /// The live total with a block less, if [`Table::cross_bound`] has nothing to look at there.
    #[inline(always)]
    pub(super) fn shrunk_live(&self, bytes: usize) -> Option<i64> {
        let live = self.live_bytes.get() - bytes as i64;
        (live >= self.lower.get()).then_some(live)
    }

    /// Adds to the live total; to be called after the records have changed.
    pub(super) fn add_live(&self, bytes: i64) {
        let live = self.live_bytes.get() + bytes;
        self.live_bytes.set(live);
        if live > self.upper.get() || live < self.lower.get() {
            self.cross_bound();
        }
    }

    /// Looks whether there is a new maximum, and tells the other threads of this one's live total.
    ///
    /// While one thread records, its own total is the window's, and every new maximum is seen here at once. Otherwise
    /// the shared total is the sum of what the threads told last. Each tells when it is off by [`FOLD_BYTES`], so that
    /// the maximum of the sum is off by no more than that for each thread.
    fn cross_bound(&self) {
        let live = self.live_bytes.get();
        if !self.scoped.get() && JOINED.load(Ordering::Relaxed) > 1 {
            self.alone_max_bytes.set(i64::MAX);
        }
        if live > self.alone_max_bytes.get() {
            self.alone_max_bytes.set(live);
            self.alone_max_clock.set(self.clock.get());
            self.epoch.set(self.next_epoch(live));
        }
        let bound = FOLD_BOUND.load(Ordering::Relaxed);
        if (live - self.folded_bytes.get()).abs() >= bound {
            self.fold();
        }
        let folded = self.folded_bytes.get();
        self.upper.set((folded + bound - 1).max(folded).min(self.alone_max_bytes.get()));
        self.lower.set((folded - bound + 1).min(folded));
    }

    /// Adds to the shared total what it does not have yet of this thread's.
    fn fold(&self) {
        if self.scoped.get() {
            self.folded_bytes.set(self.live_bytes.get());
            return;
        }
        let bytes = self.live_bytes.get() - self.folded_bytes.replace(self.live_bytes.get());
        let shared = SHARED_BYTES.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let is_maximum = SHARED_MAX_BYTES.fetch_max(shared, Ordering::Relaxed) < shared;
        if JOINED.load(Ordering::Relaxed) > 1 {
            self.alone_max_bytes.set(i64::MAX);
            if is_maximum {
                SHARED_EPOCH.fetch_add(1, Ordering::Relaxed);
            }
            self.follow_epoch();
        }
    }

    /// The epoch of a maximum that this thread has seen alone. Over the process it is the shared one, for threads that
    /// join later.
    fn next_epoch(&self, maximum: i64) -> u64 {
        if self.scoped.get() {
            return self.epoch.get() + 1;
        }
        SHARED_MAX_BYTES.fetch_max(maximum, Ordering::Relaxed);
        SHARED_EPOCH.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Takes note of a maximum that another thread has seen. To be called before a change that may be larger than the bound:
    /// or records would take what they are after it for what they were at the maximum.
    pub(super) fn follow_epoch(&self) {
        self.epoch.set(SHARED_EPOCH.load(Ordering::Relaxed));
    }

    /// Whether windows over the process leave out this thread.
    pub(super) fn is_left_out(&self) -> bool {
        self.left_out.get() || self.is_main.get() && LEAVES_OUT_MAIN.load(Ordering::Relaxed)
    }

    /// Notes that this thread counts in the open window, or is left out of it.
    pub(super) fn join(&self) {
        if !self.scoped.get() && self.is_left_out() {
            return self.mode.set(Mode::Aside);
        }
        let is_quick = stack::has_frame_pointers() && !self.events.is_open();
        self.mode.set(if is_quick { Mode::Quick } else { Mode::Full });
        self.be_known();
    }

    /// Notes that a thread that is left out has come upon a block of the window; false if it is not left out.
    #[cold]
    #[inline(never)]
    pub(super) fn join_for_blocks(&self) -> bool {
        if self.mode.get() == Mode::Aside {
            self.mode.set(Mode::Blocks);
            self.be_known();
        }
        self.mode.get() == Mode::Blocks
    }

    /// Notes that this thread has figures in the open window.
    fn be_known(&self) {
        if !self.scoped.get() && JOINED.fetch_add(1, Ordering::Relaxed) > 0 {
            self.fold();
        }
    }

    /// Makes the table ready for a window.
    ///
    /// # Safety
    /// The caller has the table to itself: it is its own thread's, or no thread is inside the recorder.
    pub(super) unsafe fn reset(&self) {
        let used = self.records_end.replace(0) as usize * size_of::<Record>();
        // SAFETY: the range is the used part of the table's own mapping, and the caller has it alone.
        unsafe { platform::discard(self.records.cast(), used) };
        for figure in [&self.live_bytes, &self.alone_max_bytes, &self.folded_bytes, &self.upper, &self.lower]
        {
            figure.set(0);
        }
        // Records start at epoch 0: with the table ahead of them, the first note is made at the first change, when the
        // figures are still zero.
        self.epoch.set(1);
        self.recent.forget();
        self.own_since.set(self.clock.get());
        self.opened_at.set(self.clock.get());
        self.alone_max_clock.set(self.clock.get());
        self.mode.set(Mode::Idle);
        self.untracked.set(0);
        self.strays.clear();
    }

    /// Copies of the records that may hold figures. The caller has the table to itself, as for [`Table::reset`]; if the
    /// window is torn, a figure may be one behind.
    pub(super) fn records(&self) -> impl Iterator<Item = Record> {
        let records = (0..self.records_end.get()).map(|record| self.records.wrapping_add(record as usize));
        // SAFETY: the first `records_end` records are inside the mapping and initialized; volatile, because of torn windows.
        records.map(|record| unsafe { record.read_volatile() })
    }

    /// Closes a window over the ending thread whose handle was forgotten, or it would be the next thread's.
    fn close_forgotten_window(&self) {
        if self.scoped.replace(false) {
            self.mode.set(Mode::Idle);
            drop(self.events.close());
            state::close_thread();
        }
    }

    /// The highest live total of a window that this table's thread had to itself.
    pub(super) fn alone_peak(&self) -> i64 {
        self.alone_max_bytes.get()
    }

    /// Allocations and reallocations of that window up to the one that reached it.
    pub(super) fn alone_peak_requests(&self) -> u64 {
        self.alone_max_clock.get().saturating_sub(self.opened_at.get())
    }

    /// Memory that the table takes.
    pub(super) fn resident_bytes(&self) -> u64 {
        let used = self.records_end.get() as usize * size_of::<Record>();
        platform::resident(self.records.cast(), used)
            + self.recent.resident_bytes()
            + size_of::<Self>() as u64
    }
}

/// Makes the tables and the shared total ready for a window over the process.
///
/// # Safety
/// No window is open and no thread is inside the recorder.
pub(super) unsafe fn reset_all(fold_bound: i64, leaves_out_main: bool) {
    for table in all() {
        // SAFETY: no thread is inside the recorder.
        unsafe { table.reset() };
    }
    SHARED_BYTES.store(0, Ordering::Relaxed);
    SHARED_MAX_BYTES.store(0, Ordering::Relaxed);
    SHARED_EPOCH.store(1, Ordering::Relaxed);
    JOINED.store(0, Ordering::Relaxed);
    FOLD_BOUND.store(fold_bound, Ordering::Relaxed);
    LEAVES_OUT_MAIN.store(leaves_out_main, Ordering::Relaxed);
}

/// Whether the open window over the process leaves out the calling thread, which has no table.
pub(super) fn leaves_out_tableless() -> bool {
    LEAVES_OUT_MAIN.load(Ordering::Relaxed) && platform::is_main_thread()
}

/// The window's highest shared total, and its epoch.
pub(super) fn shared_peak() -> (i64, u64) {
    (SHARED_MAX_BYTES.load(Ordering::Relaxed), SHARED_EPOCH.load(Ordering::Relaxed))
}

/// Threads that recorded in the window over the process.
pub(super) fn joined() -> u32 {
    JOINED.load(Ordering::Relaxed)
}

/// The bound of the window over the process.
pub(super) fn fold_bound() -> i64 {
    FOLD_BOUND.load(Ordering::Relaxed)
}

/// All tables that were ever made.
pub(super) fn all() -> impl Iterator<Item = &'static Table> {
    let tables = TABLES.iter().map(|table| table.load(Ordering::Acquire)).filter(|table| !table.is_null());
    // SAFETY: invariant 3: a table in the list is whole and never unmapped.
    tables.map(|table| unsafe { &*table })
}

/// How waiting for other threads ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Others {
    /// All are outside of the recorder.
    Outside,
    /// One was inside when this process was forked off without it: what it was about to count is not counted whole.
    LeftBehind,
    /// One stays inside for too long.
    Stuck,
}

/// Waits until no thread is inside the recorder.
pub(super) fn wait_for_others() -> Others {
    platform::barrier();
    let patience = Patience::new();
    if !patience.wait_until(stray::is_idle) {
        return Others::Stuck;
    }
    let mut others = Others::Outside;
    for table in all() {
        let is_idle = || table.busy.load(Ordering::Acquire) == 0;
        if is_idle() {
            continue;
        }
        if table.process.load(Ordering::Relaxed) != std::process::id() {
            table.busy.store(0, Ordering::Release);
            others = Others::LeftBehind;
        } else if !patience.wait_until(is_idle) {
            return Others::Stuck;
        }
    }
    others
}

/// How long something is waited for that others do in well under a microsecond, once they are let run.
pub(super) struct Patience(Instant);

impl Patience {
    const LONGEST: Duration = Duration::from_secs(5);

    /// Begins to wait.
    pub(super) fn new() -> Self {
        Self(Instant::now())
    }

    /// Lets other threads run until something holds; false if it took too long.
    pub(super) fn wait_until(&self, holds: impl Fn() -> bool) -> bool {
        while !holds() {
            if self.0.elapsed() > Self::LONGEST {
                return false;
            }
            yield_now();
        }
        true
    }
}

/// Gives the calling thread a table, if it is only now that it needs one and a window is open; when the tables have been
/// read, if they are just being read.
#[cold]
#[inline(never)]
fn attach() -> Option<&'static Table> {
    loop {
        let seen = Cell::new(State::load());
        let table = attach_if(|| {
            seen.set(State::load());
            seen.get().is_open()
        });
        if table.is_some() || !seen.get().is_paused() || stray::is_waited_for() {
            return table;
        }
        state::wait_while_paused();
    }
}

/// Gives the calling thread a table while `may_attach`: whoever closes or opens a window may have all tables otherwise.
fn attach_if(may_attach: impl Fn() -> bool) -> Option<&'static Table> {
    if CURRENT.get() == NONE {
        return None;
    }
    // The system's own functions may allocate below; that must not lead back here.
    CURRENT.set(NONE);
    let table = hold_one()?;
    if !SEES_FORKS.swap(true, Ordering::Relaxed) {
        // Where the system refuses, a forked process has the first windows of its threads torn, if they are over the process.
        platform::at_fork(in_child);
    }
    let bounds = platform::stack_bounds();
    table.process.store(std::process::id(), Ordering::Relaxed);
    let waited_for = WaitedFor::begin();
    table.busy.store(1, Ordering::Release);
    fence(Ordering::SeqCst);
    let attached = may_attach();
    if attached {
        table.take_over(bounds);
    }
    table.busy.store(0, Ordering::Release);
    drop(waited_for);
    if !attached {
        table.holder.store(NOBODY, Ordering::Release);
        CURRENT.set(ptr::null());
        return None;
    }
    platform::at_thread_exit(ptr::from_ref(table).cast_mut().cast());
    CURRENT.set(table);
    Some(table)
}

/// In a process that was forked off, makes the table of its only thread that thread's: it has another number there, and
/// is waited for like any other.
extern "C" fn in_child() {
    if let Some(table) = Table::known() {
        table.holder.store(platform::thread_number(), Ordering::Relaxed);
        table.process.store(std::process::id(), Ordering::Relaxed);
    }
}

/// Takes a table that no thread holds, or makes one; where there are no more, takes one that was left.
fn hold_one() -> Option<&'static Table> {
    let me = platform::thread_number();
    all().find(|table| table.passes(NOBODY, me)).or_else(|| make(me)).or_else(|| take_left(me))
}

/// Takes a table whose thread ended without giving it up.
#[cold]
fn take_left(me: u32) -> Option<&'static Table> {
    let take = |table: &&Table| {
        let holder = table.holder.load(Ordering::Acquire);
        table.is_left(holder) && table.passes(holder, me) && {
            // Since it was looked at, a new thread of the same number may have come to hold it: then it is that one's.
            let is_left = !platform::is_alive(holder);
            if !is_left {
                table.holder.store(holder, Ordering::Release);
            }
            is_left
        }
    };
    all().find(take).inspect(|table| table.close_forgotten_window())
}

fn make(holder: u32) -> Option<&'static Table> {
    let table = platform::map(size_of::<Table>()).cast::<Table>();
    let records = platform::map(RECORD_BYTES).cast::<Record>();
    let recent = platform::map(recent::BYTES);
    let is_whole = !table.is_null() && !records.is_null() && !recent.is_null();
    for (number, place) in std::iter::zip(1.., TABLES.iter()).filter(|_| is_whole) {
        if !place.load(Ordering::Relaxed).is_null() {
            continue;
        }
        // SAFETY: the mapping is page-aligned, large enough, and nobody has seen it.
        unsafe { table.write(Table::new(number, holder, records, recent)) };
        if place.compare_exchange(ptr::null_mut(), table, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
            // SAFETY: invariant 3: from here on the table stays.
            return Some(unsafe { &*table });
        }
    }
    let mappings =
        [(table.cast(), size_of::<Table>()), (records.cast(), RECORD_BYTES), (recent, recent::BYTES)];
    for (mapping, bytes) in mappings.into_iter().filter(|(mapping, _)| !mapping.is_null()) {
        // SAFETY: nobody has seen this mapping.
        unsafe { platform::unmap(mapping, bytes) };
    }
    None
}

impl Table {
    /// A table that its maker holds, ready for the open window.
    fn new(number: u32, holder: u32, records: *mut Record, recent: *mut u8) -> Self {
        Self {
            busy: AtomicU32::new(0),
            number,
            mode: Cell::new(Mode::Idle),
            scoped: Cell::new(false),
            left_out: Cell::new(false),
            is_main: Cell::new(false),
            clock: Cell::new(0),
            live_bytes: Cell::new(0),
            upper: Cell::new(0),
            lower: Cell::new(0),
            epoch: Cell::new(1),
            records,
            records_end: Cell::new(0),
            stack: Cell::new(Bounds { low: 0, high: 0 }),
            recent: Recent::new(recent),
            alone_max_bytes: Cell::new(0),
            alone_max_clock: Cell::new(0),
            folded_bytes: Cell::new(0),
            own_since: Cell::new(0),
            opened_at: Cell::new(0),
            untracked: Cell::new(0),
            events: EventLog::new(),
            strays: Strays::new(),
            process: AtomicU32::new(0),
            holder: AtomicU32::new(holder),
        }
    }

    /// Whether it went from one holder to the next.
    fn passes(&self, from: u32, to: u32) -> bool {
        self.holder.compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Whether the thread that holds it has ended without giving it up: it allocated after the system had told for the last
    /// time that it ends. Of threads of another process, which this one was forked off from, nothing is known.
    fn is_left(&self, holder: u32) -> bool {
        holder != NOBODY
            && self.process.load(Ordering::Relaxed) == std::process::id()
            && !platform::is_alive(holder)
    }
}

/// Gives up the table of a thread that ends. Should the thread allocate once more, it gets another, and comes here again; but
/// the system calls only so often, and what is held then is [left](Table::is_left).
pub(super) fn detach(table: *const Table) {
    // SAFETY: the pointer is the one that `attach_if` left with the system, and tables stay (invariant 3).
    let table = unsafe { &*table };
    CURRENT.set(ptr::null());
    table.close_forgotten_window();
    table.holder.store(NOBODY, Ordering::Release);
}
