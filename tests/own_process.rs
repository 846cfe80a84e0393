//! Windows over the whole process: measured before the test harness starts threads of its own.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;

use alloclab::recorder::{Recorder, Window, WindowOptions, measure, measure_process};
use alloclab::snapshot::{Counts, SiteKind, Snapshot};
use libtest_mimic::{Arguments, Failed, Trial};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

/// stats_alloc under the recorder: both see the same calls.
#[global_allocator]
static ALLOCATOR: Recorder<&StatsAlloc<std::alloc::System>> = Recorder::wrap(&INSTRUMENTED_SYSTEM);

type Check = Result<(), Failed>;
type Named = (&'static str, fn() -> Check);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let checks: [Named; 9] = [
        ("a_thread_allocates_three_blocks", a_thread_allocates_three_blocks),
        ("totals_equal_those_of_stats_alloc", totals_equal_those_of_stats_alloc),
        (
            "thirty_two_threads_count_the_same_a_hundred_times",
            thirty_two_threads_count_the_same_a_hundred_times,
        ),
        ("an_exact_peak_of_two_threads_is_their_sum", an_exact_peak_of_two_threads_is_their_sum),
        (
            "a_peak_of_many_threads_is_within_its_stated_error",
            a_peak_of_many_threads_is_within_its_stated_error,
        ),
        ("a_full_table_overflows_into_one_site", a_full_table_overflows_into_one_site),
        ("blocks_from_before_the_window_are_told_apart", blocks_from_before_the_window_are_told_apart),
        ("a_window_over_the_process_excludes_others", a_window_over_the_process_excludes_others),
        ("a_forked_child_counts_on", a_forked_child_counts_on),
    ];
    // The harness allocates as it likes: everything is measured before it starts.
    let trials = if arguments.list { Vec::new() } else { checks.map(|(_, check)| check()).into() };
    let results = trials.into_iter().map(Some).chain(std::iter::repeat_with(|| None));
    let trials = std::iter::zip(checks, results)
        .map(|((name, _), result)| Trial::test(name, move || result.unwrap_or(Ok(()))))
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn same<T: PartialEq + std::fmt::Debug>(seen: T, expected: T) -> Check {
    if seen == expected { Ok(()) } else { Err(format!("{seen:?} instead of {expected:?}").into()) }
}

fn known(counts: &Counts) -> (u64, u64, u64) {
    (counts.allocations, counts.reallocations, counts.new_size_bytes())
}

fn a_thread_allocates_three_blocks() -> Check {
    let spawn = || thread::spawn(|| ()).join().unwrap();
    // The first thread of a process makes what later ones find.
    spawn();
    same(known(&measure_process(spawn)?.snapshot.totals), (3, 0, 112))
}

/// A little of everything that allocates.
fn mixed_work(rounds: u32) {
    for round in 0..black_box(rounds) {
        let mut list = Vec::new();
        (0..20 + round % 7).for_each(|item| list.push(item));
        list.truncate(3);
        list.shrink_to_fit();
        let map: BTreeMap<u32, String> = list.iter().map(|item| (*item, format!("item {item}"))).collect();
        let zeroed = vec![0_u8; 100];
        black_box((list, map, zeroed));
    }
}

fn totals_equal_those_of_stats_alloc() -> Check {
    let window = Window::over_process()?;
    let region = Region::new(&INSTRUMENTED_SYSTEM);
    mixed_work(1000);
    let theirs = region.change();
    let ours = window.close().totals;
    same(ours.allocations as usize, theirs.allocations)?;
    same(ours.reallocations as usize, theirs.reallocations)?;
    same(ours.deallocations as usize, theirs.deallocations)?;
    same(ours.requested_bytes() as usize, theirs.bytes_allocated)?;
    same((ours.freed_bytes + ours.shrunk_bytes) as usize, theirs.bytes_deallocated)?;
    same(ours.grown_bytes as isize - ours.shrunk_bytes as isize, theirs.bytes_reallocated)
}

const THREADS: u64 = 32;
const BLOCKS: u64 = 100;

/// Threads that begin and end in the window; every block is freed by another thread than the one that made it.
fn crossing_threads() -> Snapshot {
    let window = Window::over_process().unwrap();
    let (senders, receivers): (Vec<_>, Vec<_>) =
        (0..THREADS).map(|_| mpsc::sync_channel(BLOCKS as usize)).unzip();
    let mut senders = senders;
    senders.rotate_left(1);
    let threads: Vec<_> = std::iter::zip(senders, receivers)
        .map(|(sender, receiver)| {
            thread::spawn(move || {
                for size in 0..BLOCKS {
                    sender.send(vec![1_u8; 1000 + size as usize]).unwrap();
                }
                drop(sender);
                let received: Vec<Vec<u8>> = receiver.iter().collect();
                assert_eq!(received.len() as u64, BLOCKS);
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    window.close()
}

/// Figures of the blocks that cross: they alone are between 1000 and 2000 bytes long and made by `vec!`.
fn crossing(snapshot: &Snapshot) -> (u64, u64, u64, u64) {
    let crossing = snapshot.sites.iter().filter(|site| site.counts.freed_elsewhere >= BLOCKS);
    let mut sum = Counts::default();
    crossing.for_each(|site| sum.add(&site.counts));
    (sum.allocations, sum.allocated_bytes, sum.deallocations, sum.live_bytes)
}

fn thirty_two_threads_count_the_same_a_hundred_times() -> Check {
    crossing_threads();
    let first = crossing_threads();
    let blocks = THREADS * BLOCKS;
    let bytes = THREADS * (0..BLOCKS).map(|size| 1000 + size).sum::<u64>();
    for _ in 0..100 {
        let snapshot = crossing_threads();
        let (allocations, allocated_bytes, deallocations, live_bytes) = crossing(&snapshot);
        same((allocations, allocated_bytes), (blocks, bytes))?;
        same((deallocations, live_bytes), (blocks, 0))?;
        let totals = &snapshot.totals;
        same(totals.allocations, totals.deallocations)?;
        same(totals.live_bytes, 0)?;
        // Channels and wake-ups allocate by chance of timing; what the program asks for does not.
        same(totals.reallocations, first.totals.reallocations)?;
    }
    Ok(())
}

fn an_exact_peak_of_two_threads_is_their_sum() -> Check {
    let window = WindowOptions::new().exact_peak().open_over_process()?;
    let here = black_box(vec![1_u8; 1000]);
    let there = thread::spawn(|| black_box(vec![1_u8; 500])).join().unwrap();
    let held = here.len() + there.len();
    drop((here, there));
    let snapshot = window.close();
    let within = snapshot.peak.bytes as usize >= held && (snapshot.peak.bytes as usize) < held + 500;
    same((snapshot.peak.error_bytes, within), (0, true))
}

fn a_peak_of_many_threads_is_within_its_stated_error() -> Check {
    const EACH: usize = 300_000;
    let barrier = std::sync::Barrier::new(4);
    let window = Window::over_process()?;
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let block = black_box(vec![1_u8; EACH]);
                barrier.wait();
                drop(block);
            });
        }
    });
    let peak = window.close().peak;
    let off = peak.bytes.abs_diff(4 * EACH as u64);
    if off <= peak.error_bytes {
        Ok(())
    } else {
        Err(format!("off by {off}, stated {}", peak.error_bytes).into())
    }
}

#[inline(never)]
fn recurse(depth: u32) {
    if depth > 0 {
        black_box(Box::new(depth));
        recurse(depth - 1);
    }
    black_box(depth);
}

fn a_full_table_overflows_into_one_site() -> Check {
    let window = WindowOptions::new().max_sites(5).open_over_process()?;
    recurse(20);
    let snapshot = window.close();
    let overflow: Vec<_> = snapshot.sites.iter().filter(|site| site.kind == SiteKind::Overflow).collect();
    same(snapshot.totals.allocations, 20)?;
    same((overflow.len(), snapshot.overflowed), (1, 15))?;
    same(overflow[0].counts.deallocations, 15)
}

fn blocks_from_before_the_window_are_told_apart() -> Check {
    let (freed, mut grown) = (vec![1_u8; 70], vec![1_u8; 30]);
    let window = Window::over_process()?;
    drop(freed);
    grown.reserve_exact(60);
    let snapshot = window.close();
    let outside = snapshot.sites.iter().find(|site| site.kind == SiteKind::Outside).map(|site| &site.counts);
    same(outside.map(|counts| (counts.deallocations, counts.freed_bytes)), Some((1, 70)))?;
    same((snapshot.totals.live_blocks, snapshot.totals.live_bytes), (1, grown.capacity() as u64))
}

fn a_window_over_the_process_excludes_others() -> Check {
    let window = Window::over_process()?;
    let refused = (measure(|| ()).is_err(), Window::over_process().is_err());
    drop(window);
    same(refused, (true, true))?;
    same(measure(|| black_box(Box::new(1_u8)))?.snapshot.totals.allocations, 1)
}

/// A child that is made by `fork` while a window is open goes on with its copy; `Command` forks and executes.
fn a_forked_child_counts_on() -> Check {
    let window = Window::over_process()?;
    let status = std::process::Command::new("true").status()?;
    let snapshot = window.close();
    same((status.success(), snapshot.torn), (true, false))
}
