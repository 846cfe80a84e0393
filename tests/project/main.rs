//! The project itself: the order of its modules, its test programs, its pages, its examples' workflow and its fuzz targets.

#[cfg(feature = "lab")]
mod fuzz_targets;
#[cfg(feature = "lab")]
mod harness;
mod module_order;
mod pages;
#[cfg(unix)]
mod workflow;
#[cfg(feature = "lab")]
mod write_ups;

use alloclab::recorder::Recorder;

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();
