//! The numbers of sites.

use super::{explore, spawn};
use crate::recorder::site::{self, FIRST, Key, OVERFLOW};
use crate::recorder::stack::Stack;

fn find(addresses: &[u64]) -> u32 {
    site::find(&Stack::of(addresses), Key::of(8))
}

fn frames(record: u32) -> &'static [u64] {
    site::entry(record).expect("it is a record of a stack").frames
}

/// Invariants 4 and 5: a stack gets one record, whoever finds it first, and whoever has the record can read the stack.
#[test]
fn a_stack_gets_one_record_and_can_be_read_by_it() {
    explore(3, || {
        let other = spawn(|| find(&[1, 2, 3]));
        let own = find(&[1, 2, 3]);
        assert_eq!(frames(own), [1, 2, 3]);
        assert_eq!(other.join().unwrap(), own);
    });
}

/// Invariants 4 and 5: different stacks get different records, in the same bucket or one level up.
#[test]
fn stacks_that_come_at_once_are_kept_apart() {
    explore(2, || {
        let other = spawn(|| [find(&[4]), find(&[5, 6])]);
        let own = [find(&[5, 6]), find(&[7])];
        let others = other.join().unwrap();
        assert_eq!(others[1], own[0]);
        assert_eq!([frames(others[0]), frames(own[0]), frames(own[1])], [&[4][..], &[5, 6], &[7]]);
    });
}

/// Invariant 4: numbers stop at the limit that a window asked for; what is beyond has none, and what was found stays.
#[test]
fn records_stop_at_the_limit() {
    explore(3, || {
        // SAFETY: no other thread is there yet.
        unsafe { site::clear(FIRST + 1) };
        let other = spawn(|| find(&[1]));
        let own = find(&[2]);
        let records = [other.join().unwrap(), own];
        assert!(records == [FIRST, OVERFLOW] || records == [OVERFLOW, FIRST], "{records:?}");
        let kept = if own == FIRST { [2] } else { [1] };
        assert_eq!((frames(FIRST), find(&kept), site::count()), (&kept[..], FIRST, FIRST as usize + 1));
    });
}
