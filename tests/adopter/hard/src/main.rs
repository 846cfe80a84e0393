//! The program that makes it hard to count, around the system's allocator; see `work`.

mod work;

use alloclab::recorder::Recorder;

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

fn main() {
    work::main();
}
