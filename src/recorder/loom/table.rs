//! Tables: who holds them, and what threads add up together.

use super::heap::{allocate, free};
use super::{explore, spawn};
use crate::recorder::thread;
use crate::recorder::window::{Window, WindowOptions};

/// Invariant 3: a table has one thread at a time; that of a thread that has ended goes on, with what it counted.
#[test]
fn a_table_has_one_thread_at_a_time_and_keeps_what_it_counted() {
    explore(1, || {
        let window = Window::over_process().unwrap();
        let first = spawn(|| allocate(8));
        let second = spawn(|| allocate(16));
        let addresses = [first.join().unwrap(), second.join().unwrap()];
        let tables = thread::all().count();
        assert!((2..=3).contains(&tables), "{tables} tables");
        free(addresses[0], 8);
        let totals = window.close().totals;
        assert_eq!((totals.allocations, totals.allocated_bytes, totals.live_bytes), (2, 24, 16));
    });
}

/// With `exact_peak`, the peak is the highest total that there was, whatever the threads do meanwhile.
#[test]
fn the_exact_peak_of_two_threads_is_that_of_their_sum() {
    explore(1, || {
        let window = WindowOptions::new().exact_peak().open_over_process().unwrap();
        let other = spawn(|| {
            free(allocate(32), 32);
            allocate(16)
        });
        allocate(8);
        other.join().unwrap();
        let snapshot = window.close();
        let peak = &snapshot.peak;
        assert!([32, 40].contains(&peak.bytes), "{} bytes at the peak", peak.bytes);
        assert_eq!((peak.error_bytes, snapshot.threads, snapshot.totals.live_bytes), (0, 2, 24));
    });
}

/// Without it, the peak is off by no more than it says.
#[test]
fn the_peak_of_two_threads_is_within_its_error() {
    explore(1, || {
        let window = Window::over_process().unwrap();
        let other = spawn(|| allocate(thread::FOLD_BYTES as usize));
        free(allocate(8), 8);
        allocate(16);
        other.join().unwrap();
        let snapshot = window.close();
        let (peak, highest) = (&snapshot.peak, thread::FOLD_BYTES as u64 + 16);
        assert_eq!((snapshot.threads, snapshot.totals.live_bytes), (2, highest));
        assert!(peak.bytes.abs_diff(highest) <= peak.error_bytes);
    });
}
