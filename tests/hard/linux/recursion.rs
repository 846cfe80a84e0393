//! Recursion up to the depth that a stack is kept to, and far beyond.

use std::hint::black_box;

use alloclab::recorder::measure;
use alloclab::snapshot::Snapshot;

use super::{Condition, Outcome, holds, same};

pub(super) const CONDITIONS: &[Condition] = &[
    Condition::new("recursion_around_the_depth_that_is_kept", recursion_around_the_depth_that_is_kept),
    Condition::new("recursion_of_ten_thousand_frames", recursion_of_ten_thousand_frames),
];

/// Frames that are kept.
const KEPT: usize = 64;

/// Allocates once, `depth` calls further in.
#[inline(never)]
fn once_in(depth: usize) {
    if depth == 0 {
        drop(black_box(Box::new([1_u8; 77])));
    } else {
        once_in(black_box(depth - 1));
    }
    black_box(depth);
}

/// Allocates on the way in and on the way out.
#[inline(never)]
fn on_the_way(depth: usize) {
    let block = black_box(Box::new([1_u8; 77]));
    if depth > 1 {
        on_the_way(black_box(depth - 1));
    }
    drop(black_box(block));
}

/// A loop that is none to the compiler: its rounds have one call site.
#[inline(never)]
fn again(rounds: u32, work: &dyn Fn()) {
    for _ in 0..black_box(rounds) {
        work();
    }
}

/// In a thread whose outermost frames are always the same.
fn in_thread(work: impl FnOnce() + Send + 'static) -> Result<Snapshot, Box<dyn std::error::Error>> {
    let thread = std::thread::Builder::new().stack_size(8 << 20);
    let measured = thread.spawn(|| measure(work))?.join().map_err(|_| "it panicked")?;
    Ok(measured?.snapshot)
}

/// The site of one block `depth` calls in.
fn site(depth: usize) -> Result<(Vec<u64>, bool), Box<dyn std::error::Error>> {
    let snapshot = in_thread(move || once_in(depth))?;
    let totals = &snapshot.totals;
    same((totals.allocations, totals.deallocations, snapshot.sites.len()), (1, 1, 1))?;
    Ok((snapshot.sites[0].frames.clone(), snapshot.sites[0].truncated))
}

fn recursion_around_the_depth_that_is_kept() -> Outcome {
    let (shallow, is_cut) = site(1)?;
    same(is_cut, false)?;
    let around = shallow.len() - 1;
    // Every depth once, so that 63, 64 and 65 frames are among them whatever is around.
    for depth in 1..KEPT + 5 {
        let (frames, is_cut) = site(depth)?;
        let all = around + depth;
        same((frames.len(), is_cut), (all.min(KEPT), all > KEPT))?;
        // The innermost are kept.
        let inner =
            shallow.iter().position(|address| shallow.iter().filter(|other| *other == address).count() > 1);
        let inner = inner.unwrap_or(1).min(2);
        same(&frames[..inner], &shallow[..inner])?;
        if !is_cut {
            same(frames.last(), shallow.last())?;
        }
    }
    Ok(())
}

fn recursion_of_ten_thousand_frames() -> Outcome {
    const DEPTH: u64 = 10_000;
    let snapshot = in_thread(|| again(20, &|| on_the_way(DEPTH as usize)))?;
    let totals = &snapshot.totals;
    same(
        (totals.allocations, totals.deallocations, totals.allocated_bytes),
        (20 * DEPTH, 20 * DEPTH, 20 * 77 * DEPTH),
    )?;
    same((totals.live_blocks, snapshot.overflowed, snapshot.peak.bytes), (0, 0, 77 * DEPTH))?;
    // All further in than the depth that is kept are one site.
    let deepest = snapshot.sites.iter().map(|site| site.counts.allocations).max();
    holds(deepest > Some(20 * (DEPTH - KEPT as u64)), || format!("{deepest:?} at one site"))?;
    holds(snapshot.sites.len() <= KEPT + 1, || format!("{} sites", snapshot.sites.len()))?;
    same(snapshot.sites.iter().all(|site| site.frames.len() <= KEPT), true)
}
