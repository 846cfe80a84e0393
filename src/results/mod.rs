//! The results file: everything that a run measured, in a documented, versioned form.

mod difference;
mod figures;
mod file;
mod frame_table;
mod key;
mod merge;
mod ratio;
mod schema;
mod site;
mod stack;
mod text;
mod whole;

pub use difference::{CaseDifference, Difference, SiteDifference, TypeDifference};
pub use figures::{Change, Counts, Figures, Metric, Sides};
pub use file::{read, to_json, write};
pub use frame_table::FrameTable;
pub use key::CaseKey;
pub use merge::merge;
pub use ratio::tell_ratios;
pub use schema::*;
pub use site::{FunctionSites, by_function};
pub use stack::{is_programs, own_calls};
pub use whole::write_whole;
