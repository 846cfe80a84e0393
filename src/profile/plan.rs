//! What will be run.

use crate::codec::{Codec, Request};

/// An experiment that can be run: every codec is known and offers what is asked of it.
pub struct Plan {
    /// The profile's name.
    pub name: String,
    /// What it is about, in one line.
    pub title: String,
    /// Objects that each row encodes or decodes in its counted window: a row's operations are this number over its batch
    /// or its parallel iterations, and at least one.
    pub iterations: u64,
    /// Whether rounds are timed.
    pub time: bool,
    /// Threads of the pool for parallel rows.
    pub pool_threads: u32,
    /// The rows.
    pub cases: Vec<PlannedCase>,
}

/// One row of a plan.
pub struct PlannedCase {
    /// Who encodes or decodes.
    pub codec: &'static dyn Codec,
    /// What is asked of it.
    pub request: Request,
    /// Iterations of the parallel loop that make one operation; 1 for every other row.
    pub threads: u32,
    /// The group of rows that share a base line.
    pub group: String,
    /// Whether this row is its group's base line.
    pub baseline: bool,
    /// The write-up's figures for this row.
    pub published: Option<PublishedRow>,
}

/// A row of a write-up's table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedRow {
    /// Mean time of an operation, in nanoseconds.
    pub mean_ns: Option<f64>,
    /// Time over the write-up's base line.
    pub ratio: Option<f64>,
    /// Bytes allocated by an operation.
    pub allocated_bytes: Option<f64>,
    /// Bytes over the write-up's base line.
    pub alloc_ratio: Option<f64>,
}
