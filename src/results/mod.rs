//! The results file: everything that a run measured, in a documented, versioned form.

mod file;
mod schema;

pub use file::{read, write};
pub use schema::*;
