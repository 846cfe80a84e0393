//! Tables that are full: totals stay exact, and the snapshot says what is missing.

use std::alloc::{GlobalAlloc, Layout};
use std::hint::black_box;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use alloclab::recorder::{Label, Recorder, Window, WindowOptions, measure};
use alloclab::snapshot::{SiteKind, Snapshot};

use super::{Condition, Outcome, holds, same};

pub(super) const CONDITIONS: &[Condition] = &[
    Condition::new("more_events_than_there_is_room_for", more_events_than_there_is_room_for),
    Condition::new(
        "more_names_of_labels_than_there_is_room_for",
        more_names_of_labels_than_there_is_room_for,
    ),
    Condition::new("blocks_all_over_the_address_space", blocks_all_over_the_address_space)
        .without_tools("a tool has no room for so many shadows"),
    Condition::new(
        "more_parts_of_the_address_space_than_can_be_listed",
        more_parts_of_the_address_space_than_can_be_listed,
    )
    .without_tools("a tool has no room for so many shadows")
    .long(),
    Condition::new("more_sites_than_a_window_asked_for", more_sites_than_a_window_asked_for),
    Condition::new("more_sites_than_there_can_be", more_sites_than_there_can_be)
        .without_tools("it would take an hour")
        .long(),
    Condition::new(
        "more_words_of_stacks_than_there_is_room_for",
        more_words_of_stacks_than_there_is_room_for,
    )
    .without_tools("it would take an hour")
    .long(),
];

/// Allocates at the end of a path of calls: each digit of the path, to base two, is one of two call sites.
#[inline(never)]
fn at_end_of_path(path: u32, length: u32, bytes: usize) {
    match (length, path & 1) {
        (0, _) => drop(black_box(Vec::<u8>::with_capacity(black_box(bytes)))),
        (_, 0) => at_end_of_path(path >> 1, length - 1, bytes),
        _ => black_box(at_end_of_path(black_box(path >> 1), length - 1, bytes)),
    }
    black_box(path);
}

fn overflow(snapshot: &Snapshot) -> u64 {
    let sites = snapshot.sites.iter().filter(|site| site.kind == SiteKind::Overflow);
    sites.map(|site| site.counts.requests()).sum()
}

/// Paths at whose ends there is a block, twice each, in a window of so many sites.
fn walk_paths(
    options: &WindowOptions,
    length: u32,
    sizes: &[usize],
) -> Result<Snapshot, Box<dyn std::error::Error>> {
    let window = options.open_over_process()?;
    for _ in 0..black_box(2) {
        for path in 0..1 << length {
            sizes.iter().for_each(|bytes| at_end_of_path(path, length, *bytes));
        }
    }
    let snapshot = window.close();
    let (blocks, bytes) = (2 * sizes.len() as u64, 2 * sizes.iter().sum::<usize>() as u64);
    let totals = &snapshot.totals;
    same((totals.allocations, totals.deallocations), (blocks << length, blocks << length))?;
    same((totals.allocated_bytes, totals.freed_bytes), (bytes << length, bytes << length))?;
    same((totals.live_blocks, snapshot.untracked, snapshot.torn), (0, 0, false))?;
    same(totals.lifetimes.iter().sum::<u64>(), totals.deallocations)?;
    same(overflow(&snapshot), snapshot.overflowed)?;
    Ok(snapshot)
}

fn more_sites_than_a_window_asked_for() -> Outcome {
    // Each path has two records: one for each size.
    let records = |limit: u32| -> Outcome {
        let snapshot = walk_paths(&WindowOptions::new().max_sites(limit), 10, &[20, 2000])?;
        // Both rounds count for those that found no room.
        same(snapshot.overflowed, 2 * (2048 - u64::from(limit.min(2048))))?;
        let kept: usize = snapshot.sites.iter().map(|site| site.size_classes.len()).sum();
        same(kept, limit.min(2048) as usize)
    };
    [0, 1, 2, 2047, 2048, 2049, 5000].into_iter().try_for_each(records)
}

fn more_sites_than_there_can_be() -> Outcome {
    const MOST: u64 = 1 << 20;
    let snapshot = walk_paths(&WindowOptions::new(), 20, &[20, 2000])?;
    let stacks = snapshot.sites.iter().map(|site| site.size_classes.len() as u64).sum::<u64>();
    eprintln!("{stacks} records, {} overflowed, {} bytes", snapshot.overflowed, snapshot.recorder_bytes);
    holds(stacks <= MOST - 2 && stacks > MOST * 99 / 100, || format!("{stacks} records"))?;
    same(snapshot.overflowed, 2 * (2 * MOST - stacks))?;
    // The next window starts anew.
    let snapshot = walk_paths(&WindowOptions::new(), 5, &[20])?;
    same((snapshot.overflowed, snapshot.sites.len()), (0, 32))
}

/// Stacks as long as they are kept: all of them together are more than all records can have.
#[inline(never)]
fn further_in(depth: u32, path: u32, bytes: &[usize]) {
    match depth {
        0 => bytes.iter().for_each(|bytes| at_end_of_path(path, 17, *bytes)),
        _ => black_box(further_in(black_box(depth - 1), path, bytes)),
    }
    black_box(depth);
}

fn more_words_of_stacks_than_there_is_room_for() -> Outcome {
    let sizes = [1, 2, 4, 8, 16, 32, 64, 128];
    let window = Window::over_process()?;
    let paths = 1_u32 << 17;
    for path in 0..paths {
        further_in(60, path, &sizes);
    }
    let snapshot = window.close();
    let totals = &snapshot.totals;
    let blocks = u64::from(paths) * 8;
    same((totals.allocations, totals.deallocations, totals.live_blocks), (blocks, blocks, 0))?;
    let kept = snapshot.sites.iter().map(|site| site.size_classes.len() as u64).sum::<u64>();
    eprintln!("{kept} records, {} overflowed, {} bytes", snapshot.overflowed, snapshot.recorder_bytes);
    same((kept + snapshot.overflowed, overflow(&snapshot)), (blocks, snapshot.overflowed))?;
    // 66 words each, of 2^26.
    holds((1 << 26) / 66 - kept < 20_000, || format!("{kept} stacks"))
}

fn more_events_than_there_is_room_for() -> Outcome {
    for (capacity, kept) in
        [(0, 0), (1, 1), (99, 99), (100, 100), (usize::MAX, 0), (usize::MAX / 100, 0), (1 << 44, 0)]
    {
        let window = WindowOptions::new().events(capacity).open_over_thread()?;
        (0..50).for_each(|_| drop(black_box(Box::new(1_u64))));
        let snapshot = window.close();
        let totals = &snapshot.totals;
        same((totals.allocations, totals.deallocations, totals.live_blocks), (50, 50, 0))?;
        let lost = if capacity == 0 { 0 } else { 100 - kept as u64 };
        same((snapshot.events.len(), snapshot.events_lost), (kept, lost))?;
    }
    Ok(())
}

fn more_names_of_labels_than_there_is_room_for() -> Outcome {
    const MEBIBYTE: usize = 1 << 20;
    let names: Vec<String> = (0..6).map(|index| index.to_string().repeat(MEBIBYTE)).collect();
    let too_long = "x".repeat(5 * MEBIBYTE);
    let labels: Vec<_> = names.iter().chain([&too_long]).map(|name| Label::new(name)).collect();
    let measured = measure(|| {
        for label in labels.iter().chain([&Label::new("short")]) {
            label.in_scope(|| drop(black_box(Box::new(7_u64))));
        }
    })?;
    // Three are there, whole; a byte of the fourth finds no room. A short one still does.
    let whole = (0..3).all(|index| labels[index].name() == names[index]);
    let others = labels[3..].iter().all(|label| label.name() == Label::OTHER);
    same((whole, others, Label::new("short").name()), (true, true, "short"))?;
    let snapshot = &measured.snapshot;
    let of_others: u64 = (snapshot.sites.iter())
        .filter(|site| site.label.is_some_and(|label| snapshot.labels[label as usize] == Label::OTHER))
        .map(|site| site.counts.allocations)
        .sum();
    same((snapshot.totals.allocations, of_others, snapshot.labels.len()), (8, 4, 5))
}

/// An allocator of addresses that lie far apart, each in a part of the address space of its own. There is no memory.
struct FarApart(AtomicUsize);

/// The part of the address space that has one shadow.
const PART: usize = 64 << 20;

// SAFETY: nobody reads or writes what is returned.
unsafe impl GlobalAlloc for FarApart {
    unsafe fn alloc(&self, _layout: Layout) -> *mut u8 {
        ptr::without_provenance_mut(self.0.fetch_add(PART, Ordering::Relaxed) + 64)
    }

    unsafe fn dealloc(&self, _block: *mut u8, _layout: Layout) {}
}

/// So many blocks, each in a part of its own, of which each second one is freed. They are found, but for `untracked`.
fn far_apart(blocks: usize, untracked: u64) -> Result<Vec<*mut u8>, Box<dyn std::error::Error>> {
    let recorder = Recorder::wrap(FarApart(AtomicUsize::new(0)));
    let layout = Layout::new::<[u8; 30]>();
    let mut kept = Vec::with_capacity(blocks);
    let window = Window::over_process()?;
    for index in 0..blocks {
        // SAFETY: nobody touches the block.
        let block = unsafe { recorder.alloc(layout) };
        if index % 2 == 0 {
            // SAFETY: it has this layout.
            unsafe { recorder.dealloc(block, layout) };
        } else {
            kept.push(block);
        }
    }
    let snapshot = window.close();
    let (totals, blocks) = (&snapshot.totals, blocks as u64);
    same((totals.allocations, totals.deallocations), (blocks, blocks / 2))?;
    same((snapshot.untracked, snapshot.overflowed), (untracked, 0))?;
    // Those that are not followed are the last.
    same(totals.live_blocks, (blocks - untracked) / 2)?;
    Ok(kept)
}

fn freed_outside(kept: Vec<*mut u8>) -> Outcome {
    let recorder = Recorder::wrap(FarApart(AtomicUsize::new(0)));
    let window = Window::over_process()?;
    for block in &kept {
        // SAFETY: nobody touches the block, which has this layout.
        unsafe { recorder.dealloc(*block, Layout::new::<[u8; 30]>()) };
    }
    let snapshot = window.close();
    // Not one is taken for a block of this window.
    let sites: Vec<_> = snapshot.sites.iter().map(|site| (site.kind, site.counts.deallocations)).collect();
    same(sites, vec![(SiteKind::Outside, kept.len() as u64)])
}

fn blocks_all_over_the_address_space() -> Outcome {
    for _ in 0..2 {
        let kept = far_apart(1000, 0)?;
        freed_outside(kept)?;
    }
    Ok(())
}

fn more_parts_of_the_address_space_than_can_be_listed() -> Outcome {
    const LISTED: usize = 1 << 16;
    for _ in 0..2 {
        // Some parts are in use by the program itself.
        let tried = (0..8).map(|in_use| far_apart(LISTED + 2000, 2000 + in_use));
        let kept = tried.reduce(|first, next| first.or(next)).expect("there are some");
        freed_outside(kept?)?;
    }
    Ok(())
}
