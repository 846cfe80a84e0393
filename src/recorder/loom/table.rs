//! Tables: who holds them, and what threads add up together.

use super::heap::allocate;
use super::{explore, spawn};
use crate::recorder::thread::{self, Table};
use crate::recorder::window::Window;

/// A thread gets a table, counts in it, and ends.
fn count_once() -> u32 {
    let table = Table::current_at_gate().expect("there are three");
    table.tick();
    table.number
}

/// Invariant 3: a table has one thread at a time; that of a thread that has ended goes on, with what it counted.
#[test]
fn a_table_has_one_thread_at_a_time_and_keeps_what_it_counted() {
    explore(3, || {
        let others = [spawn(count_once), spawn(count_once)];
        let numbers = others.map(|thread| thread.join().unwrap());
        let clocks: Vec<_> = thread::all().map(|table| (table.number, table.clock.get())).collect();
        let expected = if numbers[0] == numbers[1] { vec![(1, 2)] } else { vec![(1, 1), (2, 1)] };
        assert_eq!(clocks, expected);
    });
}

/// Invariant 3: of two threads that want the table of one that has ended, one gets it.
#[test]
fn a_free_table_goes_to_one_thread() {
    explore(2, || {
        spawn(count_once).join().unwrap();
        let hold = || Table::current_at_gate().expect("there are three").number;
        // They do not end: neither gives its table to the other.
        let others = [::loom::thread::spawn(hold), ::loom::thread::spawn(hold)];
        let [first, second] = others.map(|thread| thread.join().unwrap());
        assert!(first != second && first.min(second) == 1, "tables {first} and {second}");
    });
}

/// Invariant 3: what a thread counted that has ended is in the snapshot of the window, once, whoever has its table now.
#[test]
fn what_threads_counted_that_have_ended_is_seen() {
    explore(1, || {
        let window = Window::over_process().unwrap();
        spawn(|| allocate(8)).join().unwrap();
        let next = spawn(|| allocate(16));
        let totals = window.close().totals;
        next.join().unwrap();
        assert!([8, 24].contains(&totals.allocated_bytes) && totals.live_bytes == totals.allocated_bytes);
    });
}

/// With `exact_peak`, the peak of several threads is the highest total that there was.
#[test]
fn the_exact_peak_of_two_threads_is_that_of_their_sum() {
    fn count(changes: &[i64]) {
        let table = Table::current_at_gate().expect("there are three");
        table.join();
        changes.iter().for_each(|bytes| table.add_live(*bytes));
    }
    explore(3, || {
        // SAFETY: no other thread is there yet.
        unsafe { thread::reset_all(0, false) };
        let other = spawn(|| count(&[32, -32, 16]));
        count(&[8]);
        other.join().unwrap();
        let (peak, _) = thread::shared_peak();
        assert!([32, 40].contains(&peak), "{peak} bytes at the peak");
        assert_eq!(thread::joined(), 2);
        count(&[100]);
        assert_eq!(thread::shared_peak().0, 124);
    });
}
