//! Threads that begin and end in a storm, that allocate to their very end, and more of them than there are tables.

use std::alloc::{Layout, alloc, dealloc};
use std::cell::RefCell;
use std::hint::black_box;
use std::ptr;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread::{self, Builder};

use alloclab::recorder::{Recording, Window, measure, measure_process};
use alloclab::snapshot::{Counts, SiteKind, Snapshot};

use super::process::in_child;
use super::{Condition, Outcome, holds, same};

pub(super) const CONDITIONS: &[Condition] = &[
    Condition::new("a_storm_of_threads_in_windows", a_storm_of_threads_in_windows),
    Condition::new(
        "a_storm_of_threads_while_a_recording_is_written",
        a_storm_of_threads_while_a_recording_is_written,
    ),
    Condition::new(
        "a_forked_process_waits_for_the_thread_that_it_has_from_its_parent",
        a_forked_process_waits_for_the_thread_that_it_has_from_its_parent,
    ),
    Condition::new("threads_that_allocate_to_the_last", threads_that_allocate_to_the_last)
        .without_tools("so many threads take a tool too long"),
    Condition::new("more_threads_than_tables", more_threads_than_tables)
        .without_tools("a tool has fewer threads"),
    Condition::new("more_threads_than_tables_time_and_again", more_threads_than_tables_time_and_again)
        .without_tools("a tool has fewer threads")
        .long(),
];

/// Blocks of this size are counted: nothing else allocates as much.
const LAYOUT: Layout = Layout::new::<[u8; 5000]>();
const CLASS: u8 = 12;

fn block() -> *mut u8 {
    // SAFETY: the layout has a size.
    black_box(unsafe { alloc(LAYOUT) })
}

fn free(block: *mut u8) {
    // SAFETY: the block is there and has this layout.
    unsafe { dealloc(block, LAYOUT) };
}

/// Allocates and frees when the thread ends.
struct AtEnd(*mut u8);

impl Drop for AtEnd {
    fn drop(&mut self) {
        free(self.0);
        (0..3).for_each(|_| free(block()));
        // Anew, in an allocation of the end.
        LAST.with_borrow_mut(|last| last.get_or_insert_with(|| Last(block())).0);
    }
}

struct Last(*mut u8);

impl Drop for Last {
    fn drop(&mut self) {
        free(self.0);
        free(block());
    }
}

thread_local! {
    static AT_END: RefCell<Option<AtEnd>> = const { RefCell::new(None) };
    static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
}

/// Blocks that a short life makes, and frees.
const BLOCKS_OF_A_LIFE: u64 = 4 + 1 + 3 + 1 + 1;

/// What a thread of the storm does, to the end of its thread-locals.
fn live_shortly() {
    AT_END.with_borrow_mut(|end| *end = Some(AtEnd(block())));
    (0..4).for_each(|_| free(block()));
}

fn spawn(work: fn()) -> thread::JoinHandle<()> {
    Builder::new().stack_size(64 << 10).spawn(work).expect("the system has threads")
}

/// Threads in rows, one row after the other.
fn storm(rows: usize) {
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..rows {
                    let row: Vec<_> = (0..8).map(|_| spawn(live_shortly)).collect();
                    row.into_iter().for_each(|thread| thread.join().expect("it does not panic"));
                }
            });
        }
    });
}

/// Figures of the blocks that are counted.
fn counted(snapshot: &Snapshot) -> Counts {
    let mut sum = Counts::default();
    let is_counted = |class: &(u8, u64)| class.0 == CLASS;
    snapshot
        .sites
        .iter()
        .filter(|site| site.size_classes.iter().any(is_counted))
        .for_each(|site| sum.add(&site.counts));
    sum
}

fn knows_lives(snapshot: &Snapshot, lives: u64) -> Outcome {
    let (sum, blocks) = (counted(snapshot), lives * BLOCKS_OF_A_LIFE);
    same((sum.allocations, sum.deallocations, sum.live_blocks), (blocks, blocks, 0))?;
    same((sum.allocated_bytes, sum.freed_bytes), (5000 * blocks, 5000 * blocks))?;
    same(sum.lifetimes.iter().sum::<u64>(), blocks)?;
    same((snapshot.overflowed, snapshot.untracked, snapshot.torn), (0, 0, false))
}

fn a_storm_of_threads_in_windows() -> Outcome {
    for _ in 0..10 {
        let rows = 12;
        let snapshot = measure_process(|| storm(rows))?.snapshot;
        knows_lives(&snapshot, 3 * 8 * rows as u64)?;
    }
    // Windows that open and close in the middle of it: closing checks the sums itself.
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            storm(100);
            is_over.store(true, Ordering::Relaxed);
        });
        while !is_over.load(Ordering::Relaxed) {
            let snapshot = measure_process(|| (0..10).for_each(|_| free(block())))?.snapshot;
            same(snapshot.torn, false)?;
            let own = measure(|| (0..10).for_each(|_| free(block())))?.snapshot.totals;
            same((own.allocations, own.deallocations, own.live_blocks), (10, 10, 0))?;
        }
        Ok(())
    })
}

fn a_storm_of_threads_while_a_recording_is_written() -> Outcome {
    let file = std::env::temp_dir().join(format!("alloclab-hard-{}.alloclab", std::process::id()));
    let rows = 60;
    let recording = Recording::start(&file)?;
    let is_over = AtomicBool::new(false);
    let written = thread::scope(|scope| -> Result<u32, std::io::Error> {
        scope.spawn(|| {
            storm(rows);
            is_over.store(true, Ordering::Relaxed);
        });
        let mut written = 0;
        while !is_over.load(Ordering::Relaxed) {
            recording.write()?;
            written += 1;
        }
        Ok(written)
    })?;
    let snapshot = recording.finish()?;
    let _ = std::fs::remove_file(&file);
    knows_lives(&snapshot, 3 * 8 * rows as u64)?;
    holds(written > 3, || format!("{written} times written"))
}

/// The key of a value whose destructor allocates and sets it again, for as long as the system allows that.
static KEY: AtomicU32 = AtomicU32::new(0);
static DESTROYED: AtomicU64 = AtomicU64::new(0);

extern "C" fn destroy(value: *mut libc::c_void) {
    DESTROYED.fetch_add(1, Ordering::Relaxed);
    free(block());
    // SAFETY: the key exists, and the value is only handed back.
    unsafe { libc::pthread_setspecific(KEY.load(Ordering::Relaxed), value) };
}

fn live_to_the_last() {
    let anything = ptr::without_provenance(1);
    // SAFETY: as above.
    unsafe { libc::pthread_setspecific(KEY.load(Ordering::Relaxed), anything) };
    free(block());
}

/// The last call of each thread comes after every notice that a thread ends.
fn threads_that_allocate_to_the_last() -> Outcome {
    let mut key = 0;
    // Behind the recorder's own key.
    drop(Window::over_thread()?);
    // SAFETY: the key is a place to write to, and the destructor is one.
    same(unsafe { libc::pthread_key_create(&raw mut key, Some(destroy)) }, 0)?;
    KEY.store(key, Ordering::Relaxed);
    const LIVES: u64 = 2500;
    let snapshot = measure_process(|| {
        (0..LIVES).for_each(|_| spawn(live_to_the_last).join().expect("it does not panic"))
    })?
    .snapshot;
    let blocks = LIVES + DESTROYED.load(Ordering::Relaxed);
    let sum = counted(&snapshot);
    same((sum.allocations, sum.deallocations), (blocks, blocks))?;
    same((blocks > 3 * LIVES, snapshot.overflowed, snapshot.torn), (true, 0, false))
}

/// Live threads of which each makes and frees so many blocks.
fn together(count: usize) -> Result<Snapshot, Box<dyn std::error::Error>> {
    const BLOCKS: u64 = 5;
    let [started, ready, done] = [(); 3].map(|()| Barrier::new(count + 1));
    let snapshot = thread::scope(|scope| {
        for _ in 0..count {
            let work = || {
                started.wait();
                ready.wait();
                (0..BLOCKS).for_each(|_| free(block()));
                done.wait();
            };
            Builder::new().stack_size(64 << 10).spawn_scoped(scope, work).expect("the system has threads");
        }
        // What the system takes for threads that begin is no part of it.
        started.wait();
        let window = Window::over_process().expect("no other window is open");
        ready.wait();
        done.wait();
        window.close()
    });
    let totals = &snapshot.totals;
    let blocks = count as u64 * BLOCKS;
    // Threads also free what was made to start them, before the window.
    same((totals.allocations, totals.allocated_bytes, totals.live_blocks), (blocks, 5000 * blocks, 0))?;
    same((totals.deallocations >= blocks, totals.freed_bytes >= 5000 * blocks), (true, true))?;
    same(snapshot.torn, false)?;
    let overflow = snapshot.sites.iter().filter(|site| site.kind == SiteKind::Overflow);
    let overflow: u64 = overflow.map(|site| site.counts.allocations).sum();
    same(overflow, snapshot.overflowed)?;
    // A thread has a table, or none: all of its blocks are of one kind.
    same(overflow % BLOCKS, 0)?;
    let known = count as u64 - overflow / BLOCKS;
    // One table is that of the thread that opened the window.
    same(known, (count as u64).min(1022))?;
    Ok(snapshot)
}

fn more_threads_than_tables() -> Outcome {
    together(50)?;
    together(1100)?;
    // They have gone, and their tables are free again.
    together(50).map(drop)
}

fn more_threads_than_tables_time_and_again() -> Outcome {
    (0..30).try_for_each(|round| together(1000 + 10 * round).map(drop))
}

/// The thread that forks has a table, and goes on allocating in the child, where another thread opens and closes windows: no
/// window may be torn, and each call is counted in one of them or in none.
fn a_forked_process_waits_for_the_thread_that_it_has_from_its_parent() -> Outcome {
    // The table is made before the fork.
    same(measure(|| free(block()))?.snapshot.totals.allocations, 1)?;
    in_child(windows_over_the_survivor)
}

fn windows_over_the_survivor() -> Outcome {
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let windows = scope.spawn(|| {
            let torn = (0..2000).any(|_| Window::over_process().is_ok_and(|window| window.close().torn));
            is_over.store(true, Ordering::Relaxed);
            torn
        });
        while !is_over.load(Ordering::Relaxed) {
            free(block());
        }
        same(windows.join().map_err(|_| "the recorder's figures contradict each other")?, false)
    })
}
