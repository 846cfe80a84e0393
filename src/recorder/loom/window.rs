//! Opening, closing and reading windows while threads allocate.

use std::sync::Arc;

use super::heap::{allocate, free, reallocate};
use super::{explore, spawn};
use crate::recorder::primitive::{AtomicBool, Ordering, yield_now};
use crate::recorder::window::{self, Window, WindowError, WindowOptions};

/// Invariant 2: while a window closes and the next one opens, no thread touches its table; what a thread has counted, the
/// window has seen whole. The thread gets its table meanwhile, and gives it up.
#[test]
fn a_new_thread_is_outside_when_a_window_closes() {
    explore(2, || {
        let window = Window::over_process().unwrap();
        let other = spawn(|| free(allocate(8), 8));
        let first = window.close().totals;
        assert_eq!(first.allocated_bytes, 8 * first.allocations);
        assert!(first.allocations <= 1 && first.deallocations <= 1);
        let second = Window::over_process().unwrap().close().totals;
        other.join().unwrap();
        assert!(first.allocations + second.allocations <= 1);
    });
}

/// Invariant 2, where the thread has its table and does nothing out of the ordinary: the hot path.
#[test]
fn a_thread_on_the_hot_path_is_outside_when_a_window_closes() {
    explore(2, || {
        let window = Window::over_process().unwrap();
        let other = spawn(|| (0..3).for_each(|_| free(allocate(8), 8)));
        let first = window.close().totals;
        assert_eq!(first.allocated_bytes, 8 * first.allocations);
        assert!(first.live_blocks <= 1 && first.allocations - first.deallocations == first.live_blocks);
        drop(Window::over_process().unwrap());
        other.join().unwrap();
    });
}

/// Invariant 2: who enters sees what the opener of the window did to its table. The thread has it from an earlier window.
#[test]
fn a_thread_that_enters_sees_its_table_made_ready() {
    explore(2, || {
        let window = Window::over_process().unwrap();
        let has_table = Arc::new(AtomicBool::new(false));
        let other = spawn({
            let has_table = Arc::clone(&has_table);
            move || {
                let address = allocate(8);
                // Says nothing else: what a thread sees by it would be seen without the recorder.
                has_table.store(true, Ordering::Relaxed);
                free(address, 8);
                allocate(16);
            }
        });
        while !has_table.load(Ordering::Relaxed) {
            yield_now();
        }
        drop(window);
        let window = Window::over_process().unwrap();
        other.join().unwrap();
        let totals = window.close().totals;
        assert_eq!(
            (totals.allocated_bytes, totals.live_bytes),
            (16 * totals.allocations, 16 * totals.allocations)
        );
        assert!(totals.allocations <= 1 && totals.deallocations <= 1);
    });
}

/// Invariant 2: while a window over one thread is open, others are inside for a moment too; who opens the next one waits for
/// them.
#[test]
fn a_thread_that_a_window_does_not_count_is_waited_for() {
    explore(2, || {
        let window = Window::over_thread().unwrap();
        let other = spawn(|| free(allocate(8), 8));
        drop(window);
        let totals = Window::over_process().unwrap().close().totals;
        other.join().unwrap();
        assert_eq!(totals.allocated_bytes, 8 * totals.allocations);
    });
}

/// Invariant 2: with no window left open, a window over the process that opens has all tables, also that of a thread whose own
/// window has just closed.
#[test]
fn windows_over_threads_and_over_the_process_exclude_each_other() {
    explore(2, || {
        let other = spawn(|| {
            let window = Window::over_thread()?;
            let address = allocate(8);
            let totals = window.close().totals;
            assert_eq!((totals.allocations, totals.live_bytes), (1, 8));
            free(address, 8);
            Ok::<_, WindowError>(())
        });
        let own = Window::over_process();
        let closed = own.map(|window| window.close().totals);
        let other = other.join().unwrap();
        let is_refused = |error| assert_eq!(error, WindowError::OtherWindow);
        // A block from before the window is one of outside.
        let is_quiet = closed.map(|totals| assert_eq!((totals.allocations, totals.live_blocks), (0, 0)));
        assert!(is_quiet.is_ok() || other.is_ok(), "one of them came first");
        is_quiet.map_err(is_refused).ok();
        other.map_err(is_refused).ok();
    });
}

/// Invariant 2, paused: while a window's tables are read, no thread touches its own; afterwards all go on, and nothing of
/// what they do is lost.
#[test]
fn a_pause_keeps_threads_out_and_loses_nothing() {
    explore(2, || {
        let window = Window::over_process().unwrap();
        let other = spawn(|| free(allocate(8), 8));
        let reader = ::loom::thread::spawn(|| {
            window::leave_out_this_thread().unwrap();
            window::read_process().unwrap().totals
        });
        let read = reader.join().unwrap();
        assert_eq!(read.allocated_bytes, 8 * read.allocations);
        assert!(read.allocations <= 1 && read.deallocations <= read.allocations);
        other.join().unwrap();
        let closed = window.close().totals;
        assert_eq!((closed.allocations, closed.deallocations, closed.live_bytes), (1, 1, 0));
    });
}

/// The record of a block is cleared before the block is freed: another thread that gets its address then keeps its own.
#[test]
fn a_block_at_the_address_of_another_that_is_freed_is_not_lost() {
    explore(2, || {
        let window = Window::over_process().unwrap();
        let address = allocate(8);
        let other = spawn(|| allocate(16));
        free(address, 8);
        let others = other.join().unwrap();
        free(others, 16);
        let totals = window.close().totals;
        assert_eq!((totals.allocations, totals.deallocations, totals.freed_bytes), (2, 2, 24));
        assert_eq!((totals.live_blocks, totals.live_bytes), (0, 0));
    });
}

/// The same of a block that is reallocated to another address.
#[test]
fn a_block_at_the_address_of_another_that_moved_is_not_lost() {
    explore(2, || {
        let window = WindowOptions::new().exact_peak().open_over_process().unwrap();
        let address = allocate(8);
        let other = spawn(|| allocate(16));
        let moved = reallocate(address, 8, 24);
        let others = other.join().unwrap();
        assert_ne!(moved, others);
        free(others, 16);
        let totals = window.close().totals;
        assert_eq!((totals.allocations, totals.reallocations, totals.deallocations), (2, 1, 1));
        assert_eq!((totals.live_blocks, totals.live_bytes), (1, 24));
    });
}
