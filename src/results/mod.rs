//! The results file: everything that a run measured, in a documented, versioned form.

mod file;
mod frame_table;
mod merge;
mod ratio;
mod schema;
mod text;
mod whole;

pub use file::{read, to_json, write};
pub use frame_table::FrameTable;
pub use merge::merge;
pub use ratio::tell_ratios;
pub use schema::*;
pub use whole::write_whole;
