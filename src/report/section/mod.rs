//! The parts of a report, each from the results alone.

pub(super) mod breakdown;
pub(super) mod finding;
pub(super) mod full;
pub(super) mod notes;
pub(super) mod side_by_side;
pub(super) mod stack;
pub(super) mod summary;

mod by_block;
mod by_label;
mod by_site;
mod by_tree;
mod by_type;
mod figures;
mod objects;
mod who;
