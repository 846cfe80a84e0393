//! The work that all instruments are timed on: 34 allocations an operation, stacks of about ten frames.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Blocks that one operation allocates and frees.
pub(crate) const ALLOCATIONS: u32 = 34;

/// Calls between the operation and its allocations.
const DEPTH: u32 = 1;

/// One operation.
fn operate() {
    descend(black_box(DEPTH));
}

#[inline(never)]
fn descend(depth: u32) {
    if depth == 0 {
        allocate()
    } else {
        descend(black_box(depth - 1))
    }
    black_box(depth);
}

#[inline(never)]
fn allocate() {
    for round in 0..2_u64 {
        let boxed = Box::new(round);
        let pair = Box::new([round; 4]);
        let text = String::from("seventeen letters");
        let list = Vec::<u32>::with_capacity(black_box(30));
        let words: [Box<u64>; 9] = std::array::from_fn(|index| Box::new(index as u64));
        let lines: [Vec<u8>; 4] = std::array::from_fn(|index| Vec::with_capacity(black_box(index + 20)));
        black_box((boxed, pair, text, list, words, lines));
    }
}

/// Nanoseconds of an allocation and its free, work included: the fastest of many short rounds.
pub(crate) fn nanos_per_allocation(round: Duration, rounds: u32) -> f64 {
    let mut operations = 1_u64;
    while time(operations) < round {
        operations *= 2;
    }
    let fastest = (0..rounds).map(|_| time(operations)).min().unwrap_or_default();
    fastest.as_nanos() as f64 / operations as f64 / f64::from(ALLOCATIONS)
}

fn time(operations: u64) -> Duration {
    let start = Instant::now();
    for _ in 0..operations {
        operate();
    }
    start.elapsed()
}
