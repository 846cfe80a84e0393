//! The recorder around jemalloc counts what it counts around the system's allocator.

mod blocks;
#[path = "../../adopter/hard/checks.rs"]
mod checks;
#[path = "../../known_counts/counts.rs"]
mod counts;

use std::process::Command;

use alloclab::recorder::Recorder;

#[global_allocator]
static ALLOCATOR: Recorder<tikv_jemallocator::Jemalloc> = Recorder::wrap(tikv_jemallocator::Jemalloc);

fn hard() -> Command {
    Command::new(env!("CARGO_BIN_EXE_hard-jemalloc"))
}
