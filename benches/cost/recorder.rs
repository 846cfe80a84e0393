//! The recorder, installed but off, and in a window.

use std::time::Duration;

use alloclab::recorder::{Recorder, Window};

mod work;

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

fn main() {
    let off = work::nanos_per_allocation(Duration::from_millis(5), 100);
    let window = Window::over_process().unwrap();
    let on = work::nanos_per_allocation(Duration::from_millis(5), 100);
    let snapshot = window.close();
    let depth = snapshot.sites.iter().map(|s| s.frames.len()).max();
    println!(
        "off {off:.2} on {on:.2} depth {depth:?} sites {} {:?}",
        snapshot.sites.len(),
        snapshot.recorder_bytes
    );
}
