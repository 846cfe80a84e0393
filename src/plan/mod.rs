//! What will be measured: cases, each with a way to make its operation, wherever they come from.
//!
//! The lab's cases come from a profile and its codecs, those of another program from the program itself. The harness knows
//! neither: it takes a [`Plan`].

mod modelled;
mod overrides;
mod published;
mod workload;

use std::num::NonZero;

pub use crate::results::CaseKey;
pub use modelled::{DotnetSize, InlineObject, ModelledObject};
pub use overrides::{Overrides, RowFilter};
pub use published::{PublishedRow, Reference, ReferenceType};
pub use workload::{Prepared, Workload};

/// Objects of a row in its counted window where nobody says how many.
pub const DEFAULT_ITERATIONS: u64 = 100_000;

/// Most objects of a row: up to 2^40, the bytes of objects that ask for less than 16 MiB each fit a 64-bit counter.
pub const MAX_ITERATIONS: u64 = 1 << 40;

/// An experiment that can be run.
pub struct Plan {
    /// The profile's name.
    pub name: String,
    /// What it is about, in one line.
    pub title: String,
    /// What to look at next, in one sentence.
    pub see_also: Option<String>,
    /// Objects that a row takes in its counted window, where it says nothing else.
    pub iterations: u64,
    /// Whether rounds are timed.
    pub time: bool,
    /// Threads of the pool for parallel rows.
    pub pool_threads: u32,
    /// The allocator under the recorder, where that is known.
    pub allocator: &'static str,
    /// The rows, in the order in which tables show them.
    pub cases: Vec<PlannedCase>,
}

/// One row of a plan.
pub struct PlannedCase {
    /// What tells the row from all others.
    pub key: CaseKey,
    /// Objects at the top of the value: more than one for a model that is a list.
    pub objects: u32,
    /// Objects that this row takes in its counted window.
    pub iterations: u64,
    /// The group of rows that share a baseline.
    pub group: String,
    /// Whether this row is its group's baseline.
    pub baseline: bool,
    /// Makes the operation.
    pub subject: Box<dyn Subject>,
    /// The write-up's figures for this row.
    pub published: Option<PublishedRow>,
    /// What others found to be allocated in this case, type by type.
    pub references: Vec<Reference>,
}

/// What is measured in a case.
pub trait Subject {
    /// Builds the values, buffers and bytes that the operation works on; nothing if there is no such case.
    ///
    /// Everything that is not part of the operation happens here, outside of any window.
    fn prepare(&self) -> Option<Prepared>;

    /// The objects of an original that the operation re-creates.
    fn modelled_objects(&self) -> Vec<ModelledObject> {
        Vec::new()
    }
}

impl PlannedCase {
    /// Operations in the counted window: the iterations over the objects that one operation takes, and at least one.
    pub fn operations(&self) -> u64 {
        let objects = u64::from(self.objects) * u64::from(self.key.batch.max(self.key.threads));
        (self.iterations / objects.max(1)).max(1)
    }
}

/// Threads that can run at the same time on this machine: what a pool has.
pub fn available_threads() -> u32 {
    std::thread::available_parallelism().map_or(1, NonZero::get).try_into().unwrap_or(u32::MAX)
}
