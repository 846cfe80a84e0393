//! The built program, and programs that are built with it: how they end, what they say, and what they leave.
#![cfg(feature = "cli")]

mod check;
mod cli;
mod deliberate;
mod label_per_request;
mod page;
mod profile_span;
mod program;
mod suite;
mod verify;

use alloclab::recorder::Recorder;

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();
