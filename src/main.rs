//! The command line `alloclab`: see `alloclab help`.

mod cli;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: alloclab::recorder::Recorder = alloclab::recorder::Recorder::system();

fn main() -> ExitCode {
    cli::run()
}
