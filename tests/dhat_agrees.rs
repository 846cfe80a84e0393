//! The same loop under the recorder and under dhat: every total is equal.
//!
//! dhat's own tables go through the global allocator, so that only one of them may be at work at a time.

use std::collections::BTreeMap;
use std::hint::black_box;

use alloclab::recorder::{Recorder, measure};

#[global_allocator]
static ALLOCATOR: Recorder<dhat::Alloc> = Recorder::wrap(dhat::Alloc);

fn work() {
    for round in 0..black_box(500_u32) {
        let mut list = Vec::new();
        (0..20 + round % 7).for_each(|item| list.push(item));
        let map: BTreeMap<u32, String> = list.iter().map(|item| (*item, format!("item {item}"))).collect();
        black_box((list, map, vec![0_u8; 100]));
    }
    // Left alive, so that the ends differ from the peaks.
    std::mem::forget(black_box(vec![1_u8; 333]));
}

#[test]
fn totals_and_peak_equal_those_of_dhat() {
    let ours = measure(work).unwrap().snapshot;
    let profiler = dhat::Profiler::builder().testing().build();
    work();
    let theirs = dhat::HeapStats::get();
    drop(profiler);
    assert_eq!(ours.totals.requests(), theirs.total_blocks);
    assert_eq!(ours.totals.new_size_bytes(), theirs.total_bytes);
    assert_eq!(ours.peak.bytes as usize, theirs.max_bytes);
    assert_eq!(ours.peak.blocks as usize, theirs.max_blocks);
    assert_eq!(ours.totals.live_bytes as usize, theirs.curr_bytes);
    assert_eq!(ours.totals.live_blocks as usize, theirs.curr_blocks);
}
