//! What will be measured: cases, each with a way to make its operation, wherever they come from.
//!
//! The lab's cases come from a profile and its codecs, those of another program from the program itself. The harness knows
//! neither: it takes a [`Plan`].

mod modelled;
mod overrides;
mod published;
mod workload;

use std::num::NonZero;

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

/// The names and sizes of a case. A name that says nothing is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CaseKey {
    /// The codec, or whatever else is measured.
    pub codec: String,
    /// The value that it works on.
    pub model: String,
    /// What it does with the value.
    pub operation: String,
    /// How.
    pub variant: String,
    /// Values that one operation takes.
    pub batch: u32,
    /// Iterations of the parallel loop that make one operation; 1 for every other row.
    pub threads: u32,
}

impl CaseKey {
    /// The case in a few words: `binary, simple, serialize, batch of 100`.
    ///
    /// # Examples
    /// ```
    /// use alloclab::plan::CaseKey;
    ///
    /// let key = CaseKey { codec: "parse".into(), model: "small".into(), batch: 1, threads: 1, ..CaseKey::default() };
    /// assert_eq!(key.label(), "parse, small");
    /// ```
    pub fn label(&self) -> String {
        let size = match (self.batch, self.threads) {
            (_, 2..) => format!("{} parallel iterations", self.threads),
            (2.., _) => format!("batch of {}", self.batch),
            _ => self.variant.clone(),
        };
        let names = [&self.codec, &self.model, &self.operation, &size];
        let names: Vec<_> = names.into_iter().filter(|name| !name.is_empty()).map(String::as_str).collect();
        names.join(", ")
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
