//! The recorder in a window: stacks, live blocks, peak, lifetimes.

use std::collections::BTreeMap;

use alloclab::recorder::{Recorder, Window};

mod work;

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

fn main() {
    let window = Window::over_process().expect("the recorder is installed");
    work::print_cost();
    let snapshot = window.close();
    // Of most allocations: the bench's own printing comes from other depths.
    let mut by_depth = BTreeMap::new();
    for site in &snapshot.sites {
        *by_depth.entry(site.frames.len()).or_insert(0) += site.counts.allocations;
    }
    let frames =
        by_depth.into_iter().max_by_key(|(_, allocations)| *allocations).map_or(0, |(frames, _)| frames);
    println!("{} {frames}", snapshot.recorder_bytes);
}
