//! The program that makes it hard to count, around mimalloc.

#[path = "../../../adopter/hard/src/work.rs"]
mod work;

use alloclab::recorder::Recorder;

#[global_allocator]
static ALLOCATOR: Recorder<mimalloc::MiMalloc> = Recorder::wrap(mimalloc::MiMalloc);

fn main() {
    work::main();
}
