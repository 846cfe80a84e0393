//! Holds the recorder against other instruments: the same operations under each, and every total compared by the
//! instrument's own definition.
//!
//! stats_alloc and dhat are in the program, under the recorder's static: a [`Switch`] has one instrument at work at a time,
//! the others do nothing then. heaptrack and valgrind's DHAT count a whole process: the program starts itself under them,
//! once with N operations of each case and once with 2N, and what it asks for besides drops out of the difference.

mod comparison;
mod dhat;
mod heaptrack;
mod run;
mod standard;
mod stats_alloc;
mod text;
mod tool;
mod valgrind;

use std::alloc::System;

use ::dhat::Alloc;
use ::stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

use crate::recorder::Switch;

pub(crate) use run::{Run, Section, run, run_uncounted};
pub(crate) use standard::{CODEC as STANDARD, cases as standard_cases};
pub(crate) use text::{VerifyFormat, sentence};
pub(crate) use tool::{Child, InstalledTool, tools};

/// The allocators that can be at work under the recorder: the system's; stats_alloc's; dhat's.
pub type Instruments = Switch<System, Switch<&'static StatsAlloc<System>, Alloc>>;

/// The system's allocator, with the others at hand.
///
/// # Examples
/// ```no_run
/// use alloclab::recorder::Recorder;
/// use alloclab::verify::{Instruments, instruments};
///
/// #[global_allocator]
/// static ALLOCATOR: Recorder<Instruments> = Recorder::wrap(instruments());
///
/// fn main() -> std::process::ExitCode {
///     alloclab::cli::run(ALLOCATOR.inner())
/// }
/// ```
pub const fn instruments() -> Instruments {
    Switch::new(System, Switch::new(&INSTRUMENTED_SYSTEM, Alloc))
}
