//! The work that all instruments are timed on: 34 allocations an operation, stacks of about ten frames.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Blocks that one operation allocates and frees.
const ALLOCATIONS: u32 = 34;

/// Calls between the operation and its allocations.
const DEPTH: u32 = 1;

/// How long a round takes at least, and how many there are.
const ROUND: Duration = Duration::from_millis(5);
const ROUNDS: u32 = 40;

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

/// Prints nanoseconds of an allocation and its free, work included: the fastest round, on as many threads at once as the
/// first argument says.
pub(crate) fn print_nanos_per_allocation() {
    let threads = std::env::args().nth(1).and_then(|argument| argument.parse().ok()).unwrap_or(1_usize);
    let fastest = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(fastest_round)).collect();
        let own = fastest_round();
        others.into_iter().map(|other| other.join().unwrap()).fold(own, f64::max)
    });
    println!("{fastest:.2}");
}

fn fastest_round() -> f64 {
    let mut operations = 1_u64;
    while time(operations) < ROUND {
        operations *= 2;
    }
    let fastest = (0..ROUNDS).map(|_| time(operations)).min().unwrap_or_default();
    fastest.as_nanos() as f64 / operations as f64 / f64::from(ALLOCATIONS)
}

fn time(operations: u64) -> Duration {
    let start = Instant::now();
    for _ in 0..operations {
        operate();
    }
    start.elapsed()
}
