//! What will be run.

use crate::codec::{Codec, Request, Variant};

use super::published::RowKey;

/// An experiment that can be run: every codec is known and offers what is asked of it.
pub struct Plan {
    /// The profile's name.
    pub name: String,
    /// What it is about, in one line.
    pub title: String,
    /// What to look at next, in one sentence.
    pub see_also: Option<String>,
    /// Objects that a row encodes or decodes in its counted window, where it says nothing else.
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
    /// Who encodes or decodes.
    pub codec: &'static dyn Codec,
    /// What is asked of it.
    pub request: Request,
    /// Iterations of the parallel loop that make one operation; 1 for every other row.
    pub threads: u32,
    /// Objects that this row encodes or decodes in its counted window.
    pub iterations: u64,
    /// The group of rows that share a baseline.
    pub group: String,
    /// Whether this row is its group's baseline.
    pub baseline: bool,
    /// The write-up's figures for this row.
    pub published: Option<PublishedRow>,
    /// What others found to be allocated in this case, type by type.
    pub references: Vec<Reference>,
}

impl PlannedCase {
    /// Operations in the counted window: the iterations over the objects that one operation takes, and at least one.
    pub fn operations(&self) -> u64 {
        let objects =
            u64::from(self.request.model.objects()) * u64::from(self.request.batch.max(self.threads));
        (self.iterations / objects).max(1)
    }

    /// What tells the row from all others.
    pub(super) fn key(&self) -> RowKey<'static> {
        let Request { model, operation, variant, batch } = self.request;
        RowKey {
            codec: self.codec.name(),
            model: model.name(),
            operation: operation.name(),
            variant: variant.name(),
            batch,
            threads: self.threads,
        }
    }

    /// The row in a few words: `binary, simple, serialize, batch of 100`.
    pub fn label(&self) -> String {
        let Request { model, operation, variant, batch } = self.request;
        let names = [self.codec.name(), model.name(), operation.name()].join(", ");
        match variant {
            Variant::Batch => format!("{names}, batch of {batch}"),
            Variant::Concurrent => format!("{names}, {} parallel iterations", self.threads),
            variant => format!("{names}, {}", variant.name()),
        }
    }
}

/// A row of a write-up's table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PublishedRow {
    /// Mean time of an operation, in nanoseconds.
    pub mean_ns: Option<f64>,
    /// 95th percentile of the time, in nanoseconds.
    pub p95_ns: Option<f64>,
    /// Time over the write-up's baseline.
    pub ratio: Option<f64>,
    /// Bytes allocated by an operation.
    pub allocated_bytes: Option<f64>,
    /// Bytes over the write-up's baseline.
    pub alloc_ratio: Option<f64>,
    /// Bytes that were alive after an operation and not before.
    pub retained_bytes: Option<f64>,
    /// Bytes that an operation writes or reads.
    pub encoded_bytes: Option<f64>,
    /// What an operation allocates, type by type, as far as the write-up tells.
    pub types: Vec<ReferenceType>,
}

/// Somebody else's table of what a case allocates.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Who found it: `published`, or for example `Mono 6.8`.
    pub source: String,
    /// The types.
    pub types: Vec<ReferenceType>,
}

/// A type of the original, and what one operation allocates of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceType {
    /// Its name in .NET.
    pub name: String,
    /// Objects.
    pub allocations_per_op: f64,
    /// Bytes.
    pub bytes_per_op: f64,
}
