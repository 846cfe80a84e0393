//! The recorder in a window: stacks, live blocks, peak, lifetimes.

use alloclab::recorder::{Recorder, Window};

mod work;

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

fn main() {
    let window = Window::over_process().expect("the recorder is installed");
    work::print_nanos_per_allocation();
    let snapshot = window.close();
    let depth = snapshot.sites.iter().map(|site| site.frames.len()).max();
    eprintln!("frames at most: {}", depth.unwrap_or_default());
}
