//! Windows over the whole process: measured before the test harness starts threads of its own.

#[cfg(feature = "symbolize")]
mod first_use;
mod label_room;
#[cfg(feature = "lab")]
mod labeled_run;
#[cfg(feature = "lab")]
mod stopped_run;
#[cfg(feature = "lab")]
mod thread_pool;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;

use alloclab::recorder::{Recorder, Window, WindowOptions, measure, measure_process};
use alloclab::snapshot::{Counts, Site, SiteKind, Snapshot};
use libtest_mimic::{Arguments, Failed, Trial};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

/// stats_alloc under the recorder: both see the same calls.
#[global_allocator]
static ALLOCATOR: Recorder<&StatsAlloc<std::alloc::System>> = Recorder::wrap(&INSTRUMENTED_SYSTEM);

type Check = Result<(), Failed>;
type Named = (&'static str, fn() -> Check);

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let checks: Vec<Named> = vec![
        #[cfg(feature = "symbolize")]
        (
            "counting_the_processors_is_not_the_maps_work",
            first_use::counting_the_processors_is_not_the_maps_work,
        ),
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
        ("a_child_process_does_not_disturb_a_window", a_child_process_does_not_disturb_a_window),
        ("calls_that_fail_are_counted_and_change_nothing", calls_that_fail_are_counted_and_change_nothing),
        ("zeroed_moved_grown_and_shrunk_are_told_apart", zeroed_moved_grown_and_shrunk_are_told_apart),
        ("a_lifetime_is_told_in_allocations", a_lifetime_is_told_in_allocations),
        ("events_beyond_the_capacity_are_counted_as_lost", events_beyond_the_capacity_are_counted_as_lost),
        (
            "sites_keep_their_share_of_a_peak_before_other_threads",
            sites_keep_their_share_of_a_peak_before_other_threads,
        ),
        (
            "a_peak_is_not_raised_by_what_another_thread_asks_for_after_it",
            a_peak_is_not_raised_by_what_another_thread_asks_for_after_it,
        ),
        ("a_block_is_not_its_makers_successors", a_block_is_not_its_makers_successors),
        ("windows_open_and_close_while_threads_allocate", windows_open_and_close_while_threads_allocate),
        ("a_thread_s_forgotten_window_does_not_outlive_it", a_thread_s_forgotten_window_does_not_outlive_it),
        (
            "a_main_thread_that_is_left_out_counts_for_others_alone",
            a_main_thread_that_is_left_out_counts_for_others_alone,
        ),
        #[cfg(feature = "lab")]
        (
            "blocks_of_the_pool_are_the_harnesss_and_blocks_of_jobs_are_not",
            thread_pool::blocks_of_the_pool_are_the_harnesss_and_blocks_of_jobs_are_not,
        ),
        #[cfg(feature = "lab")]
        ("every_site_of_a_labeled_run_has_the_label", labeled_run::every_site_of_a_labeled_run_has_the_label),
        #[cfg(feature = "lab")]
        (
            "a_run_is_partial_if_a_case_or_its_timing_was_left_out",
            stopped_run::a_run_is_partial_if_a_case_or_its_timing_was_left_out,
        ),
        (
            "labels_beyond_the_room_are_counted_as_other_labels",
            label_room::labels_beyond_the_room_are_counted_as_other_labels,
        ),
    ];
    // The harness allocates as it likes: everything is measured before it starts.
    let trials = if arguments.list { Vec::new() } else { checks.iter().map(|(_, check)| check()).collect() };
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

fn a_child_process_does_not_disturb_a_window() -> Check {
    let window = Window::over_process()?;
    let status = std::process::Command::new("true").status()?;
    let snapshot = window.close();
    same((status.success(), snapshot.torn), (true, false))
}

/// More than a process can have.
const TOO_MUCH: usize = 1 << 46;

fn calls_that_fail_are_counted_and_change_nothing() -> Check {
    let measured = measure(|| {
        let fresh = Vec::<u8>::new().try_reserve_exact(black_box(TOO_MUCH)).is_err();
        let mut list = black_box(vec![1_u8; 40]);
        let grown = list.try_reserve_exact(black_box(TOO_MUCH)).is_err();
        (fresh, grown)
    })?;
    let totals = &measured.snapshot.totals;
    same(measured.value, (true, true))?;
    same((totals.failed, totals.allocations, totals.reallocations), (2, 1, 0))?;
    same((totals.deallocations, totals.live_bytes, measured.snapshot.peak.bytes), (1, 0, 40))
}

fn zeroed_moved_grown_and_shrunk_are_told_apart() -> Check {
    let totals = measure(|| {
        let mut list = black_box(vec![0_u8; 32]);
        let mut moves = 0;
        for capacity in [1000, 100_000, 10] {
            let before = list.as_ptr();
            if capacity < list.capacity() {
                list.truncate(capacity);
                list.shrink_to_fit();
            } else {
                list.reserve_exact(capacity - list.len());
            }
            moves += u64::from(list.as_ptr() != before);
        }
        moves
    })?;
    let (moves, totals) = (totals.value, totals.snapshot.totals);
    same((totals.zeroed, totals.grown, totals.shrunk, totals.moved), (1, 2, 1, moves))?;
    same((totals.grown_bytes, totals.shrunk_bytes), (100_000 - 32, 100_000 - 10))?;
    same((totals.allocated_bytes, totals.freed_bytes, totals.live_bytes), (32, 10, 0))
}

fn a_lifetime_is_told_in_allocations() -> Check {
    let snapshot = measure(|| {
        let outlives_five = black_box(Box::new(1_u64));
        (0..5).for_each(|number| drop(black_box(Box::new(number as u16))));
        drop(outlives_five);
    })?;
    let totals = &snapshot.snapshot.totals;
    same((totals.lifetime_sum, totals.lifetimes[0], totals.lifetimes[1]), (5, 5, 1))
}

fn events_beyond_the_capacity_are_counted_as_lost() -> Check {
    let mut old = vec![1_u8; 10];
    let window = WindowOptions::new().events(3).open_over_thread()?;
    old.reserve_exact(100);
    (0..2).for_each(|_| drop(black_box(Box::new(1_u8))));
    let snapshot = window.close();
    same((snapshot.events.len(), snapshot.events_lost), (3, 2))?;
    let former = &snapshot.sites[snapshot.events[0].former_site as usize];
    same((former.kind, snapshot.events[0].former_bytes), (SiteKind::Outside, 10))
}

fn sites_keep_their_share_of_a_peak_before_other_threads() -> Check {
    const LARGE: usize = 10 << 20;
    let window = Window::over_process()?;
    drop(black_box(vec![1_u8; LARGE]));
    thread::spawn(|| black_box(vec![1_u8; 300_000])).join().unwrap();
    let snapshot = window.close();
    let share: u64 = snapshot.sites.iter().map(|site| site.counts.peak_bytes).sum();
    let error = snapshot.peak.error_bytes;
    let within = |bytes: u64| bytes.abs_diff(LARGE as u64) <= error;
    same((within(snapshot.peak.bytes), within(share)), (true, true))
}

/// Two threads take turns: the first makes and frees most, then the second makes half as much.
fn a_peak_is_not_raised_by_what_another_thread_asks_for_after_it() -> Check {
    const LARGE: u64 = 10 << 20;
    for is_exact in [false, true] {
        let turn = std::sync::Barrier::new(2);
        let options = WindowOptions::new();
        let options = if is_exact { options.exact_peak() } else { options };
        let snapshot = thread::scope(|scope| {
            scope.spawn(|| {
                turn.wait();
                drop(black_box(Box::new(1_u8)));
                turn.wait();
                turn.wait();
                drop(black_box(vec![1_u8; LARGE as usize / 2]));
                turn.wait();
                turn.wait();
            });
            let window = options.open_over_process()?;
            turn.wait();
            turn.wait();
            drop(black_box(vec![1_u8; LARGE as usize]));
            turn.wait();
            turn.wait();
            let snapshot = window.close();
            turn.wait();
            Ok::<_, Failed>(snapshot)
        })?;
        let shares: u64 = snapshot.sites.iter().map(|site| site.counts.peak_bytes).sum();
        let peak = snapshot.peak;
        let is_near = |bytes: u64| bytes.abs_diff(LARGE) <= peak.error_bytes;
        same((is_near(peak.bytes), is_near(shares), peak.error_bytes == 0), (true, true, is_exact))?;
    }
    Ok(())
}

/// The thread that frees it gets the table of the one that made it and has ended.
fn a_block_is_not_its_makers_successors() -> Check {
    let window = Window::over_process()?;
    let block = thread::spawn(|| black_box(vec![1_u8; 5000])).join().unwrap();
    thread::spawn(move || drop(block)).join().unwrap();
    let snapshot = window.close();
    let is_its = |site: &&Site| site.size_classes.iter().any(|(class, _)| *class == 12);
    let counts = snapshot.sites.iter().find(is_its).map(|site| &site.counts);
    let figures = counts.map(|counts| (counts.deallocations, counts.freed_elsewhere, counts.lifetimes[0]));
    same(figures, Some((1, 1, 0)))
}

/// Windows over the process and over threads, one after the other, while other threads allocate, free and reallocate;
/// closing checks the sums itself.
fn windows_open_and_close_while_threads_allocate() -> Check {
    // Whether a block moves is up to the allocator and what others do to it.
    let count = || measure(|| mixed_work(2)).map(|measured| Counts { moved: 0, ..measured.snapshot.totals });
    let alone = count()?;
    let stop = std::sync::atomic::AtomicBool::new(false);
    let is_over = || stop.load(std::sync::atomic::Ordering::Relaxed);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                let mut kept = Vec::new();
                while !is_over() {
                    mixed_work(3);
                    kept.push(vec![1_u8; 50]);
                    kept.truncate(100);
                    thread::spawn(|| mixed_work(1)).join().unwrap();
                }
            });
        }
        let outcome = (0..300).try_for_each(|_| {
            let snapshot = measure_process(|| mixed_work(2))?.snapshot;
            same(snapshot.torn, false)?;
            same(&count()?, &alone)
        });
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
        outcome
    })
}

fn a_thread_s_forgotten_window_does_not_outlive_it() -> Check {
    thread::spawn(|| std::mem::forget(Window::over_thread().unwrap())).join().unwrap();
    // Two threads in turn take over the table that was forgotten.
    for _ in 0..2 {
        let again =
            thread::spawn(|| measure(|| black_box(Box::new(1_u8))).map(|it| it.snapshot.totals.allocations));
        same(again.join().unwrap()?, 1)?;
    }
    same(Window::over_process().is_ok(), true)
}

/// The main thread makes, grows and frees blocks of its own, which are not counted, and grows and frees those of the thread
/// that opened the window, which are.
fn a_main_thread_that_is_left_out_counts_for_others_alone() -> Check {
    const LISTS: u64 = 100;
    let (sender, receiver) = mpsc::sync_channel::<Vec<u8>>(LISTS as usize);
    let (is_open, opening) = mpsc::sync_channel::<()>(0);
    let early: Vec<Vec<u8>> = (0..10).map(|_| black_box(vec![1; 30])).collect();
    let test = thread::spawn(move || {
        let window = WindowOptions::new().without_main_thread().open_over_process().unwrap();
        is_open.send(()).unwrap();
        let lists = (0..LISTS).map(|_| black_box(vec![1; 3000]));
        lists.for_each(|list| sender.send(list).unwrap());
        drop(sender);
        // The main thread says with its last word that it is done.
        while is_open.send(()).is_ok() {}
        window.close()
    });
    opening.recv()?;
    drop(early);
    for mut list in receiver {
        drop(black_box(vec![1_u8; 40_000]));
        list.reserve_exact(3000);
        let mut own = black_box(vec![1_u8; 20_000]);
        own.reserve_exact(100_000);
    }
    drop(opening);
    let snapshot = test.join().unwrap();
    // Those of at least 2,048 bytes: what channels and threads take is smaller.
    let mut sum = Counts::default();
    let is_large = |site: &&Site| site.size_classes.iter().any(|(class, _)| *class >= 11);
    snapshot.sites.iter().filter(is_large).for_each(|site| sum.add(&site.counts));
    same(known(&sum), (LISTS, LISTS, LISTS * 9000))?;
    same((sum.deallocations, sum.freed_bytes, sum.live_blocks), (LISTS, LISTS * 6000, 0))?;
    same(snapshot.sites.iter().any(|site| site.kind == SiteKind::Outside), false)?;

    // One that opens the window itself is not left out.
    let window = WindowOptions::new().without_main_thread().open_over_process()?;
    drop(black_box(Box::new(1_u8)));
    same(window.close().totals.allocations, 1)
}
