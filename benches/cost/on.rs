//! The recorder in a window: stacks, live blocks, peak, lifetimes.

use alloclab::recorder::{Recorder, Window};

mod work;

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

fn main() {
    let window = Window::over_process().expect("the recorder is installed");
    work::print_cost();
    let snapshot = window.close();
    let busiest = snapshot.sites.iter().max_by_key(|site| site.counts.allocations);
    let frames = busiest.map_or(0, |site| site.frames.len());
    println!("{} {frames}", snapshot.recorder_bytes);
}
