//! What tells a case from all others.

use std::fmt;

use serde::Serialize;

use super::Case;

/// What tells a case from all others of its run.
///
/// # Examples
/// ```
/// use alloclab::results::{Case, CaseKey};
///
/// let [codec, model, operation, variant] = ["span", "simple", "serialize", "batch"].map(str::to_owned);
/// let case = Case { codec, model, operation, variant, batch: 100, threads: 1, ..Case::default() };
/// assert_eq!(CaseKey::of(&case).to_string(), "span simple serialize batch × 100");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct CaseKey {
    /// The codec's name.
    pub codec: String,
    /// The model's name.
    pub model: String,
    /// `serialize` or `deserialize`.
    pub operation: String,
    /// The variant's name.
    pub variant: String,
    /// Values that one operation takes.
    pub batch: u32,
    /// Iterations of the parallel loop that make one operation; 1 for every other row.
    pub threads: u32,
}

impl CaseKey {
    /// The key of a case.
    pub fn of(case: &Case) -> Self {
        Self {
            codec: case.codec.clone(),
            model: case.model.clone(),
            operation: case.operation.clone(),
            variant: case.variant.clone(),
            batch: case.batch,
            threads: case.threads,
        }
    }
}

impl fmt::Display for CaseKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} {}", self.codec, self.model, self.operation, self.variant)?;
        if self.batch > 1 {
            write!(f, " × {}", self.batch)?;
        }
        if self.threads > 1 {
            write!(f, " × {} parallel", self.threads)?;
        }
        Ok(())
    }
}
