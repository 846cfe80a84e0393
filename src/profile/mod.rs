//! A profile: the definition of an experiment, from its TOML file to a plan that is valid by construction.

mod plan;

pub use plan::{Plan, PlannedCase, PublishedRow};
