//! The program that makes it hard to count, around jemalloc.

#[path = "../../../adopter/hard/src/work.rs"]
mod work;

use alloclab::recorder::Recorder;

#[global_allocator]
static ALLOCATOR: Recorder<tikv_jemallocator::Jemalloc> = Recorder::wrap(tikv_jemallocator::Jemalloc);

fn main() {
    work::main();
}
