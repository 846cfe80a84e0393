//! Threads without a table.

use super::heap::{allocate, free};
use super::{explore, spawn};
use crate::recorder::thread::Table;
use crate::recorder::window::{self, Window};

/// Leaves no table for other threads than this one.
fn take_all_tables() {
    while Table::current_at_gate().is_some()
        && ::loom::thread::spawn(Table::current_at_gate).join().unwrap().is_some()
    {}
}

/// Whoever closes or opens a window waits for strays too: what one has counted, the window has seen whole, and none is seen
/// by the next window that is none of its.
#[test]
fn a_stray_is_waited_for_when_a_window_closes() {
    explore(2, || {
        take_all_tables();
        let window = Window::over_process().unwrap();
        let other = spawn(|| allocate(8));
        let first = window.close().totals;
        let second = Window::over_process().unwrap().close().totals;
        other.join().unwrap();
        assert_eq!(first.allocated_bytes, 8 * first.allocations);
        assert_eq!(second.allocated_bytes, 8 * second.allocations);
        assert!(first.allocations + second.allocations <= 1);
    });
}

/// Invariant 2, paused: a thread without a table waits too, and what it does afterwards counts.
#[test]
fn a_stray_waits_while_tables_are_read() {
    explore(2, || {
        window::leave_out_this_thread().unwrap();
        let window = Window::over_process().unwrap();
        take_all_tables();
        let other = spawn(|| free(allocate(8), 8));
        let read = window::read_process().unwrap().totals;
        assert_eq!(read.allocated_bytes, 8 * read.allocations);
        other.join().unwrap();
        let closed = window.close().totals;
        assert_eq!((closed.allocations, closed.freed_bytes), (1, 8));
    });
}
