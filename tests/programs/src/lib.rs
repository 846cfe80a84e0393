//! Programs of well-known crates, each real work on the same input every time, to be run with the recorder and without.

mod findings;
mod input;
mod program;

pub use findings::Findings;
pub use program::{PROGRAMS, Program};
