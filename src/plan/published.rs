//! What others found: the figures that stand beside those of a case.

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
