//! The results file: everything that a run measured, in a documented, versioned form.

mod schema;

pub use schema::*;
