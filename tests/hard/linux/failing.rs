//! The allocator has no memory: at one call, or from one call on, for every call of a run.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, realloc};
use std::collections::{HashMap, VecDeque};
use std::hint::black_box;

use alloclab::recorder::{Window, WindowError, WindowOptions};
use alloclab::snapshot::{SiteKind, Snapshot};

use super::inner::{self, counted};
use super::{Condition, Outcome, same};

pub(super) const CONDITIONS: &[Condition] = &[
    Condition::new("one_call_fails_wherever_it_is", one_call_fails_wherever_it_is),
    Condition::new("all_calls_fail_from_one_on", all_calls_fail_from_one_on),
    Condition::new("a_call_fails_while_events_are_kept", a_call_fails_while_events_are_kept),
];

/// A block that is made, grown, shrunk and freed by calls of the allocator, of which each may fail.
fn raw_block(zeroed: bool, sizes: &[usize]) {
    let layout = |bytes| Layout::from_size_align(bytes, 16).expect("it is small");
    let first = layout(black_box(sizes[0]));
    // SAFETY: the layout has a size.
    let mut block = black_box(unsafe { if zeroed { alloc_zeroed(first) } else { alloc(first) } });
    if block.is_null() {
        return;
    }
    let mut bytes = sizes[0];
    for size in &sizes[1..] {
        // SAFETY: the block has this layout, and the new size is not zero.
        let moved = black_box(unsafe { realloc(block, layout(bytes), *size) });
        if !moved.is_null() {
            (block, bytes) = (moved, *size);
        }
    }
    // SAFETY: the block has this layout.
    unsafe { dealloc(block, layout(bytes)) };
}

/// A run that goes on whatever fails. What it returns is alive.
#[inline(never)]
fn run() -> (Vec<u64>, String, VecDeque<u16>, HashMap<u32, u32>) {
    let (mut list, mut text) = (Vec::new(), String::new());
    let (mut queue, mut map) = (VecDeque::new(), HashMap::new());
    for item in 0..black_box(40) {
        if list.try_reserve(1).is_ok() {
            list.push(item);
        }
        if text.try_reserve_exact(7).is_ok() {
            text.push_str("a word ");
        }
        if queue.try_reserve(1).is_ok() {
            queue.push_back(1);
        }
        if map.try_reserve(1).is_ok() {
            map.insert(item as u32, 1);
        }
    }
    raw_block(false, &[100, 5000, 300_000, 200, 1]);
    raw_block(true, &[3000, 10, 90_000]);
    raw_block(true, &[300_000, 600_000]);
    (list, text, queue, map)
}

/// Runs it in a window, with failures from a call on; whether all of them came.
fn run_failing(
    open: &dyn Fn() -> Result<Window, WindowError>,
    call: u64,
    failures: u64,
) -> Result<bool, Box<dyn std::error::Error>> {
    let window = open()?;
    let before = inner::so_far();
    inner::fail_at(call, failures);
    let kept = run();
    let is_over = inner::fail_no_more();
    let tally = inner::since(&before);
    let snapshot = window.close();
    same(counted(&snapshot.totals), tally.clone())?;
    is_consistent(&snapshot, &kept)?;
    let came = if is_over { failures.min(tally.failed) } else { failures };
    same(tally.failed, came)?;
    Ok(is_over)
}

/// Whatever has failed, every block is known from its birth to its end.
fn is_consistent<T>(snapshot: &Snapshot, _alive: &T) -> Outcome {
    let totals = &snapshot.totals;
    let (came, went) =
        (totals.allocated_bytes + totals.grown_bytes, totals.freed_bytes + totals.shrunk_bytes);
    same(totals.live_blocks, totals.allocations - totals.deallocations)?;
    same(totals.live_bytes, came - went)?;
    same(totals.lifetimes.iter().sum::<u64>(), totals.deallocations + totals.reallocations)?;
    same((snapshot.overflowed, snapshot.untracked, snapshot.torn), (0, 0, false))?;
    same(snapshot.sites.iter().any(|site| site.kind != SiteKind::Stack), false)?;
    let failed: u64 = snapshot.sites.iter().map(|site| site.counts.failed).sum();
    same(failed, totals.failed)
}

/// For every call of the run.
fn at_every_call(open: &dyn Fn() -> Result<Window, WindowError>, failures: u64) -> Outcome {
    drop(run());
    for call in 1.. {
        if run_failing(open, call, failures)? {
            // The call before was the last one.
            return same(call > 30, true);
        }
    }
    unreachable!("the run ends")
}

fn one_call_fails_wherever_it_is() -> Outcome {
    at_every_call(&Window::over_thread, 1)?;
    at_every_call(&Window::over_process, 1)
}

fn all_calls_fail_from_one_on() -> Outcome {
    for call in 1..60 {
        run_failing(&Window::over_thread, call, u64::MAX)?;
    }
    Ok(())
}

fn a_call_fails_while_events_are_kept() -> Outcome {
    at_every_call(&|| WindowOptions::new().events(1000).open_over_thread(), 1)
}
