//! The command line `alloclab`: see `alloclab help`.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: alloclab::recorder::Recorder = alloclab::recorder::Recorder::system();

fn main() -> ExitCode {
    alloclab::cli::run()
}
