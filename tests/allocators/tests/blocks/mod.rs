//! Blocks as other allocators place them: closer to one another than the system's does, and anywhere.

use std::alloc::{Layout, alloc, dealloc};
use std::hint::black_box;
use std::thread;

use alloclab::assertion::{Limits, no_allocations, no_growth, no_leak};
use alloclab::recorder::measure;
use alloclab::snapshot::Counts;

fn totals<T>(work: impl FnOnce() -> T) -> (T, Counts) {
    let measured = measure(work).unwrap();
    assert_eq!(measured.snapshot.untracked, 0);
    (measured.value, measured.snapshot.totals)
}

#[test]
fn small_blocks_eight_bytes_apart_are_told_apart() {
    let (kept, counts) = totals(|| {
        let blocks: Vec<Box<u64>> = (0..1000).map(|number| black_box(Box::new(number))).collect();
        // Every second one goes.
        blocks.into_iter().filter(|number| **number % 2 == 0).collect::<Vec<_>>()
    });
    let between = kept.iter().filter(|block| (&raw const ***block).addr() % 16 == 8).count();
    assert!(between > 0, "all blocks lie 16 bytes apart: the test sees nothing");
    // The vector is used again for what is kept.
    assert_eq!((counts.allocations, counts.deallocations), (1001, 500));
    assert_eq!((counts.live_blocks, counts.live_bytes), (501, 500 * 8 + 8000));
    drop(kept);
}

#[test]
fn live_blocks_peak_and_lifetimes_are_exact() {
    let measured = measure(|| {
        let first = black_box(vec![1_u8; 3]);
        let second = black_box(vec![1_u8; 5000]);
        drop(second);
        (first, black_box(vec![1_u8; 70]))
    });
    let snapshot = measured.unwrap().snapshot;
    assert_eq!((snapshot.peak.bytes, snapshot.peak.blocks, snapshot.peak.error_bytes), (5003, 2, 0));
    assert_eq!((snapshot.totals.live_blocks, snapshot.totals.live_bytes), (2, 73));
    let (_, counts) = totals(|| {
        let outlives_five = black_box(Box::new(1_u64));
        (0..5).for_each(|number| drop(black_box(Box::new(number as u16))));
        drop(outlives_five);
    });
    assert_eq!((counts.lifetime_sum, counts.lifetimes[0], counts.lifetimes[1]), (5, 5, 1));
}

#[test]
fn sizes_and_alignments_of_all_kinds_are_followed() {
    let layouts = || {
        let alignments = (0..=13).map(|power| 1_usize << power);
        alignments.flat_map(|align| [1, 7, 8, 24, 100, 4096, 70_000, 40 << 20].map(|size| (size, align)))
    };
    let expected: u64 = layouts().map(|(size, _)| size as u64).sum();
    let (_, counts) = totals(|| {
        for (size, align) in layouts() {
            let layout = Layout::from_size_align(size, align).unwrap();
            // SAFETY: the size is not zero, and the block is freed with its layout.
            unsafe { dealloc(black_box(alloc(layout)), layout) };
        }
    });
    assert_eq!((counts.allocations, counts.deallocations), (14 * 8, 14 * 8));
    assert_eq!((counts.allocated_bytes, counts.freed_bytes, counts.live_blocks), (expected, expected, 0));
}

#[test]
fn a_block_that_moves_stays_itself() {
    let (_, counts) = totals(|| {
        let mut list = black_box(vec![0_u8; 32]);
        for capacity in [1000, 100_000, 50 << 20] {
            list.reserve_exact(capacity - list.len());
        }
        list.truncate(10);
        list.shrink_to_fit();
        list
    });
    assert_eq!((counts.zeroed, counts.grown, counts.shrunk, counts.live_blocks), (1, 3, 1, 1));
    assert_eq!((counts.grown_bytes, counts.shrunk_bytes), ((50 << 20) - 32, (50 << 20) - 10));
    assert_eq!((counts.live_bytes, counts.deallocations), (10, 0));
}

#[test]
fn a_block_of_another_thread_is_counted_as_it_goes() {
    // Over this thread, it is a block from outside.
    let block = thread::spawn(|| black_box(vec![1_u8; 123])).join().unwrap();
    let (_, counts) = totals(|| drop(block));
    assert_eq!((counts.allocations, counts.deallocations, counts.freed_bytes), (0, 1, 123));
}

#[test]
fn assertions_hold() {
    let mut list = Vec::with_capacity(10);
    no_allocations(|| list.push(1_u8));
    no_leak(|| drop(black_box(Box::new(7_u64))));
    no_growth(|| list = black_box(vec![1_u8; 10]));
    assert!(Limits::new().allocations(0).check(|| black_box(Box::new(7_u64))).is_err());
}
