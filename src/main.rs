//! The command line `alloclab`: see `alloclab help`.

use std::process::ExitCode;

use alloclab::recorder::Recorder;
use alloclab::verify::{Instruments, instruments};

/// Around the system's allocator, but in `alloclab verify`, which has other instruments at work in turn.
#[global_allocator]
static ALLOCATOR: Recorder<Instruments> = Recorder::wrap(instruments());

fn main() -> ExitCode {
    alloclab::cli::run(ALLOCATOR.inner())
}
