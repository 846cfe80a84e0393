//! The recorder, installed but off.

use alloclab::recorder::Recorder;

mod work;

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

fn main() {
    work::print_cost();
}
