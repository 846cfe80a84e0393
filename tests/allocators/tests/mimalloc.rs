//! The recorder around mimalloc counts what it counts around the system's allocator.

mod blocks;
#[path = "../../adopter/hard/checks.rs"]
mod checks;
#[path = "../../known_counts/counts.rs"]
mod counts;

use std::process::Command;

use alloclab::recorder::Recorder;

#[global_allocator]
static ALLOCATOR: Recorder<mimalloc::MiMalloc> = Recorder::wrap(mimalloc::MiMalloc);

fn hard() -> Command {
    Command::new(env!("CARGO_BIN_EXE_hard-mimalloc"))
}
