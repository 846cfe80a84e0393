//! The work that all instruments are timed on, as the program's arguments say: threads, and either nothing more, for the
//! standard work, or calls, sites and live blocks: of each of these one thread has so many.
//!
//! The standard work: 34 allocations an operation, stacks of about ten frames, blocks that live shortly.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Blocks that one operation of the standard work allocates and frees.
const ALLOCATIONS: u32 = 34;

/// Calls between the operation and its allocations.
const DEPTH: u32 = 1;

/// How long a round takes at least, and how many there are.
const ROUND: Duration = Duration::from_millis(5);
const ROUNDS: u32 = 40;

/// Prints nanoseconds of an allocation and its free, work included (the fastest round; of several threads, the slowest
/// thread's), and the bytes of memory that the process has had at most.
pub(crate) fn print_cost() {
    let arguments: Vec<u32> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let threads = arguments.first().copied().unwrap_or(1);
    let measure = || match arguments[..] {
        [_, calls, sites, live] => fastest_round(1, sites.max(live), shaped(calls, sites, live)),
        _ => fastest_round(ALLOCATIONS, 1, || descend(black_box(DEPTH))),
    };
    let fastest = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(measure)).collect();
        let own = measure();
        others.into_iter().map(|other| other.join().unwrap()).fold(own, f64::max)
    });
    println!("{fastest:.2} {}", most_resident_bytes());
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

/// A block of the shaped work.
type Block = Box<[u64; 4]>;

/// An operation that allocates a block, by one path of `sites`, and frees the oldest of `live` blocks.
fn shaped(calls: u32, sites: u32, live: u32) -> impl FnMut() {
    let choices = sites.ilog10();
    let mut ring: Vec<Option<Block>> = vec![None; live as usize];
    let (mut oldest, mut path) = (0, 0);
    move || {
        ring[oldest] = Some(go_down(black_box(calls.saturating_sub(choices)), choices, path));
        oldest = if oldest + 1 == ring.len() { 0 } else { oldest + 1 };
        // A number that has no divisor in common with the sites: all paths take their turn, neighbors at a distance.
        path = (path + 61_803) % sites;
    }
}

/// Calls itself as often as `plain` says, and then one of ten functions as often as `choices` says.
#[inline(never)]
fn go_down(plain: u32, choices: u32, path: u32) -> Block {
    let block = match plain {
        0 => choose(choices, path),
        _ => go_down(black_box(plain - 1), choices, path),
    };
    black_box(block)
}

#[inline(always)]
fn choose(choices: u32, path: u32) -> Block {
    const WAYS: [fn(u32, u32) -> Block; 10] =
        [way::<0>, way::<1>, way::<2>, way::<3>, way::<4>, way::<5>, way::<6>, way::<7>, way::<8>, way::<9>];
    match choices {
        0 => Box::new([u64::from(path); 4]),
        _ => WAYS[path as usize % WAYS.len()](choices - 1, path / 10),
    }
}

#[inline(never)]
fn way<const NUMBER: u32>(choices: u32, path: u32) -> Block {
    black_box(NUMBER);
    black_box(choose(choices, path))
}

/// The time of an allocation in the fastest round, after a round of so many operations that does not count: what is made
/// once is made there. All rounds are timed in one place, for a stack tells where it was called from.
fn fastest_round(allocations: u32, warm_up: u32, mut operate: impl FnMut()) -> f64 {
    let mut operations = 0;
    let mut rounds = 0;
    let mut fastest = Duration::MAX;
    while rounds < ROUNDS {
        let taken = time(if operations == 0 { warm_up.into() } else { operations }, &mut operate);
        if operations == 0 || rounds == 0 && taken < ROUND {
            operations = (2 * operations).max(1);
        } else {
            fastest = fastest.min(taken);
            rounds += 1;
        }
    }
    fastest.as_nanos() as f64 / operations as f64 / f64::from(allocations)
}

#[inline(never)]
fn time(operations: u64, operate: &mut impl FnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..operations {
        operate();
    }
    start.elapsed()
}

/// As the system has counted it; 0 where it does not tell.
fn most_resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
