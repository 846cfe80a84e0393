//! Windows: the stretch during which the recorder counts.

use std::fmt;
use std::marker::PhantomData;

use super::block::{self, MAX_RECORDS};
use super::harvest::{self, ProcessTables};
use super::primitive::{AtomicBool, AtomicU32, Ordering, shared};
use super::state::{self, Pause, State};
use super::thread::{self, FOLD_BYTES, Mode, Others, Patience, Table};
use super::{site, stack, stray};
use crate::snapshot::Snapshot;

shared! {
    /// Opening and closing, one thread at a time.
    static GATE: AtomicBool = AtomicBool::new(false);

    /// Whether the recorder has been seen to be the program's global allocator.
    static INSTALLED: AtomicBool = AtomicBool::new(false);

    /// The number of the table of the thread that opened the last window over the process. The gate guards it.
    static OPENER: AtomicU32 = AtomicU32::new(0);
}

/// An open window. [`close`](Window::close) it for the snapshot; a dropped window is closed and its figures are lost.
///
/// A window is over the calling thread, or over the whole process. Windows over different threads may be open at the
/// same time, each sees its own thread's calls; a window over the process excludes every other.
///
/// # Examples
/// ```
/// use alloclab::recorder::{Recorder, Window};
///
/// #[global_allocator]
/// static ALLOCATOR: Recorder = Recorder::system();
///
/// let window = Window::over_process().unwrap();
/// let text = std::thread::spawn(|| String::from("made elsewhere")).join().unwrap();
/// let snapshot = window.close();
/// assert_eq!(snapshot.totals.live_bytes, text.len() as u64);
/// ```
#[derive(Debug)]
#[must_use = "a window that is dropped is closed, and its figures are lost"]
pub struct Window {
    scope: Scope,
    /// A window over a thread must be closed by that thread.
    not_send: PhantomData<*const ()>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    Thread,
    Process,
    Closed,
}

/// What a window is asked to keep beyond counts.
///
/// # Examples
/// ```
/// use alloclab::recorder::{Recorder, WindowOptions};
///
/// #[global_allocator]
/// static ALLOCATOR: Recorder = Recorder::system();
///
/// let window = WindowOptions::new().events(100).open_over_thread().unwrap();
/// drop(std::hint::black_box(Box::new(7_u64)));
/// assert_eq!(window.close().events.len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct WindowOptions {
    events: usize,
    max_sites: u32,
    exact_peak: bool,
    without_main_thread: bool,
}

impl Default for WindowOptions {
    fn default() -> Self {
        Self { events: 0, max_sites: MAX_RECORDS, exact_peak: false, without_main_thread: false }
    }
}

impl WindowOptions {
    /// Counts only.
    pub fn new() -> Self {
        Self::default()
    }

    /// Keeps the opening thread's first `capacity` events.
    #[must_use]
    pub fn events(mut self, capacity: usize) -> Self {
        self.events = capacity;
        self
    }

    /// Limits the distinct combinations of stack, size class and label; what comes beyond is counted in one overflow site,
    /// without a label.
    ///
    /// The default, and the most, is 1,048,576. Takes effect if no other window is open.
    #[must_use]
    pub fn max_sites(mut self, limit: u32) -> Self {
        self.max_sites = limit.saturating_add(site::FIRST).min(MAX_RECORDS);
        self
    }

    /// Makes the peak of a window over the process exact with any number of threads, at the cost of an access to
    /// shared memory for each call. The shares of single sites may still be off where threads allocate at the same time.
    #[must_use]
    pub fn exact_peak(mut self) -> Self {
        self.exact_peak = true;
        self
    }

    /// Leaves the process's first thread out of a window over the process, unless that one opens it: a test's window does
    /// not count what the test harness does there meanwhile. What that thread does to the window's own blocks
    /// counts all the same: one that it frees is no longer alive.
    ///
    /// # Examples
    /// ```
    /// use alloclab::recorder::{Recorder, WindowOptions};
    ///
    /// #[global_allocator]
    /// static ALLOCATOR: Recorder = Recorder::system();
    ///
    /// # fn main() {
    /// let test = std::thread::spawn(|| {
    ///     let window = WindowOptions::new().without_main_thread().open_over_process().unwrap();
    ///     let block = std::hint::black_box(Box::new(1_u64));
    ///     std::thread::sleep(std::time::Duration::from_millis(2));
    ///     drop(block);
    ///     window.close().totals.allocations
    /// });
    /// while !test.is_finished() {
    ///     drop(std::hint::black_box(vec![0_u8; 100]));
    /// }
    /// assert_eq!(test.join().unwrap(), 1);
    /// # }
    /// ```
    #[must_use]
    pub fn without_main_thread(mut self) -> Self {
        self.without_main_thread = true;
        self
    }

    /// Opens a window over the calling thread.
    ///
    /// # Errors
    /// See [`WindowError`].
    pub fn open_over_thread(&self) -> Result<Window, WindowError> {
        let _gate = Gate::enter()?;
        let table = self.prepare()?;
        // SAFETY: the table is this thread's own, and its window is not open yet.
        unsafe { table.reset() };
        table.events.open(self.events);
        table.scoped.set(true);
        state::open_thread();
        Ok(Window { scope: Scope::Thread, not_send: PhantomData })
    }

    /// Opens a window over all threads of the process.
    ///
    /// # Errors
    /// See [`WindowError`].
    pub fn open_over_process(&self) -> Result<Window, WindowError> {
        let _gate = Gate::enter()?;
        // Once it is off it stays so; a window over a thread may close at any time.
        let is_off = State::load().is_off();
        let table = self.prepare()?;
        if !is_off {
            return Err(WindowError::OtherWindow);
        }
        let fold_bound = if self.exact_peak { 0 } else { FOLD_BYTES };
        let leaves_out_main = self.without_main_thread && !table.is_main.get();
        // SAFETY: the state is off and stays so while the gate is held; `prepare` waited for the last thread to leave.
        unsafe { thread::reset_all(fold_bound, leaves_out_main) };
        table.events.open(self.events);
        stray::clear_tableless();
        OPENER.store(table.number, Ordering::Relaxed);
        state::open_process();
        Ok(Window { scope: Scope::Process, not_send: PhantomData })
    }

    /// What both kinds of window need; the caller holds the gate.
    fn prepare(&self) -> Result<&'static Table, WindowError> {
        let table = Table::current_at_gate().ok_or(WindowError::NoTable)?;
        if has_window(table) {
            return Err(WindowError::Nested);
        }
        if State::load().is_process() {
            return Err(WindowError::OtherWindow);
        }
        check_installed(table)?;
        stack::check_reading(table.stack.get());
        if State::load().is_off() {
            if thread::wait_for_others() == Others::Stuck {
                return Err(WindowError::Stuck);
            }
            state::next_generation();
            // SAFETY: the state is off and stays so while the gate is held, and all threads have left.
            unsafe { block::clear() };
            // SAFETY: as above; every table is reset before it counts again.
            unsafe { site::clear(self.max_sites) };
        }
        Ok(table)
    }
}

/// Whether the calling thread, whose table it is, has a window open. The caller holds the gate.
fn has_window(table: &Table) -> bool {
    table.scoped.get() || State::load().is_process() && OPENER.load(Ordering::Relaxed) == table.number
}

/// [`WindowError::Nested`] if the calling thread has a window open: whoever waits for other windows asks first, for those may
/// wait for this one.
pub(crate) fn refuse_nested() -> Result<(), WindowError> {
    let _gate = Gate::enter()?;
    let table = Table::current_at_gate().ok_or(WindowError::NoTable)?;
    if has_window(table) { Err(WindowError::Nested) } else { Ok(()) }
}

/// Finds out, once, whether an allocation comes by here. The caller holds the gate.
fn check_installed(table: &Table) -> Result<(), WindowError> {
    if INSTALLED.load(Ordering::Relaxed) {
        return Ok(());
    }
    table.scoped.set(true);
    state::open_thread();
    let before = table.clock.get();
    drop(std::hint::black_box(Box::new(0_u8)));
    let came_by = table.clock.get() != before;
    state::close_thread();
    table.scoped.set(false);
    INSTALLED.store(came_by, Ordering::Relaxed);
    if came_by { Ok(()) } else { Err(WindowError::NotInstalled) }
}

/// Models call the recorder themselves: it is not their global allocator.
#[cfg(all(test, loom))]
pub(super) fn take_for_installed() {
    INSTALLED.store(true, Ordering::Relaxed);
}

impl Window {
    /// Opens a window over the calling thread.
    ///
    /// # Errors
    /// See [`WindowError`].
    pub fn over_thread() -> Result<Self, WindowError> {
        WindowOptions::new().open_over_thread()
    }

    /// Opens a window over all threads of the process.
    ///
    /// # Errors
    /// See [`WindowError`].
    pub fn over_process() -> Result<Self, WindowError> {
        WindowOptions::new().open_over_process()
    }

    /// Bytes that are alive of what the calling thread has asked for in the window so far, less what it has freed of other
    /// threads' blocks.
    ///
    /// # Examples
    /// ```
    /// use alloclab::recorder::{Recorder, Window};
    ///
    /// #[global_allocator]
    /// static ALLOCATOR: Recorder = Recorder::system();
    ///
    /// let window = Window::over_thread().unwrap();
    /// let block = std::hint::black_box(Box::new([0_u8; 40]));
    /// assert_eq!(window.own_live_bytes(), 40);
    /// drop(block);
    /// assert_eq!(window.own_live_bytes(), 0);
    /// ```
    pub fn own_live_bytes(&self) -> i64 {
        Table::current().map_or(0, |table| table.live_bytes.get())
    }

    /// Closes the window: what was seen in it.
    ///
    /// # Panics
    /// If the recorder's own figures contradict each other, which would be an error of it.
    pub fn close(mut self) -> Snapshot {
        self.finish(true).unwrap_or_default()
    }

    fn finish(&mut self, keep: bool) -> Option<Snapshot> {
        match std::mem::replace(&mut self.scope, Scope::Closed) {
            Scope::Thread => Self::finish_thread(keep),
            Scope::Process => Self::finish_process(keep),
            Scope::Closed => None,
        }
    }

    /// The state goes off last, so that no other window clears the sites while they are read.
    fn finish_thread(keep: bool) -> Option<Snapshot> {
        let table = Table::current()?;
        let has_counted = table.mode.replace(Mode::Idle) != Mode::Idle;
        table.scoped.set(false);
        let events = table.events.close();
        let snapshot = keep.then(|| harvest::thread(table, has_counted, events));
        state::close_thread();
        snapshot
    }

    /// The gate stays shut until the tables are read.
    pub(super) fn finish_process(keep: bool) -> Option<Snapshot> {
        // Closing cannot fail: without the gate it goes on all the same.
        let _gate = Gate::enter().ok();
        state::close_process();
        let others = thread::wait_for_others();
        let events = Table::current().map(|table| table.events.close()).unwrap_or_default();
        let torn = others != Others::Outside;
        let snapshot = keep.then(|| ProcessTables::with_room().read(torn).finish(events));
        thread::all().for_each(|table| table.mode.set(Mode::Idle));
        snapshot
    }
}

/// What a window over the process has seen so far. It stays open; threads that come to the recorder wait while their tables
/// are read.
///
/// The calling thread is one that is left out: it would wait for itself. Nothing that another thread may hold is
/// taken while they wait; what the snapshot needs of the loader comes afterwards.
pub(super) fn read_process() -> Result<Snapshot, WindowError> {
    let _gate = Gate::enter()?;
    loop {
        let tables = ProcessTables::with_room();
        let pause = Pause::begin();
        let others = thread::wait_for_others();
        if others == Others::Stuck {
            return Err(WindowError::Stuck);
        }
        if tables.has_room() {
            let tables = tables.read(others != Others::Outside);
            drop(pause);
            return Ok(tables.finish((Vec::new(), 0)));
        }
        // More records came before the pause than there was room for.
    }
}

/// Leaves the calling thread out of windows over the process from now on.
pub(super) fn leave_out_this_thread() -> Result<(), WindowError> {
    let _gate = Gate::enter()?;
    let table = Table::current_at_gate().ok_or(WindowError::NoTable)?;
    table.left_out.set(true);
    Ok(())
}

/// Makes a process that was forked off free of its parent's window. Its only thread calls this, which may have a window over
/// itself, if the parent's was not open yet.
pub(super) fn forget_parents_window() {
    if State::load().is_process() {
        state::forget();
    }
    GATE.store(false, Ordering::Release);
}

impl Drop for Window {
    fn drop(&mut self) {
        self.finish(false);
    }
}

/// Why a window cannot be opened.
///
/// `Debug` prints the reason in full too, for it is what `unwrap` shows.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WindowError {
    /// The recorder is not the program's global allocator.
    NotInstalled,
    /// Another thread has opened a window over the process; or windows over other threads are open, and this one would be
    /// over the process.
    OtherWindow,
    /// This thread has a window open already.
    Nested,
    /// The thread cannot have a table: when it first needed one, over a thousand threads that allocate were alive, or the
    /// system had no memory.
    NoTable,
    /// A thread has been inside the recorder for too long: it was stopped there.
    Stuck,
}

impl fmt::Display for WindowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotInstalled => {
                "the recorder is not this program's global allocator, so nothing would be counted; add to the program: \
                 #[global_allocator] static ALLOCATOR: alloclab::recorder::Recorder = \
                 alloclab::recorder::Recorder::system();"
            }
            Self::OtherWindow => {
                "another window is open: a window over the process excludes all others; close that one first"
            }
            Self::Nested => {
                "this thread has a window open already, and a thread has one at a time, a recording of the program \
                 included; close that one first, or take the inner measurement or assertion out of the outer one"
            }
            Self::NoTable => {
                "this thread cannot record: too many threads that allocate are alive, or the system has no memory for \
                 the recorder's tables"
            }
            Self::Stuck => "a thread has stopped inside the recorder; no window can be opened in this process any more",
        })
    }
}

impl fmt::Debug for WindowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for WindowError {}

/// A value, and what making it allocated.
#[derive(Clone, Debug)]
pub struct Measured<T> {
    /// What the closure returned.
    pub value: T,
    /// What it did to the heap.
    pub snapshot: Snapshot,
}

/// Runs `work` in a window over the calling thread.
///
/// Calls that other threads make are not counted; a block of this thread that another one frees counts as alive.
///
/// # Errors
/// See [`WindowError`]; `work` is not run then.
///
/// # Panics
/// If `work` does, or as [`Window::close`] does.
///
/// # Examples
/// ```
/// use alloclab::recorder::{Recorder, measure};
///
/// #[global_allocator]
/// static ALLOCATOR: Recorder = Recorder::system();
///
/// let measured = measure(|| (0..20).fold(Vec::new(), |mut list, number: u32| { list.push(number); list })).unwrap();
/// let totals = &measured.snapshot.totals;
/// assert_eq!((totals.allocations, totals.reallocations, totals.new_size_bytes()), (1, 3, 240));
/// ```
pub fn measure<T>(work: impl FnOnce() -> T) -> Result<Measured<T>, WindowError> {
    run_in(Window::over_thread()?, work)
}

/// Runs `work` in a window over the whole process.
///
/// # Errors
/// See [`WindowError`]; `work` is not run then.
///
/// # Panics
/// If `work` does, or as [`Window::close`] does.
///
/// # Examples
/// ```
/// use alloclab::recorder::{Recorder, measure_process};
///
/// #[global_allocator]
/// static ALLOCATOR: Recorder = Recorder::system();
///
/// let work = || std::thread::spawn(|| std::hint::black_box(vec![1_u8; 100])).join().unwrap();
/// let measured = measure_process(work).unwrap();
/// assert!(measured.snapshot.totals.allocated_bytes >= 100);
/// ```
pub fn measure_process<T>(work: impl FnOnce() -> T) -> Result<Measured<T>, WindowError> {
    run_in(Window::over_process()?, work)
}

fn run_in<T>(window: Window, work: impl FnOnce() -> T) -> Result<Measured<T>, WindowError> {
    let value = work();
    Ok(Measured { value, snapshot: window.close() })
}

/// The right to open or close, until dropped.
struct Gate;

impl Gate {
    /// Waits for a while; a process that was forked off while another thread had the gate must not wait forever.
    fn enter() -> Result<Self, WindowError> {
        let free = || GATE.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_ok();
        if Patience::new().wait_until(free) { Ok(Self) } else { Err(WindowError::Stuck) }
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        GATE.store(false, Ordering::Release);
    }
}
