//! What tells a case from all others.

use std::fmt;

use serde::Serialize;

use super::Case;

/// What tells a case from all others of its run: names, and sizes. A name that says nothing is empty.
///
/// # Examples
/// ```
/// use alloclab::results::{Case, CaseKey};
///
/// let [codec, model, operation, variant] = ["span", "simple", "serialize", "batch"].map(str::to_owned);
/// let case = Case { codec, model, operation, variant, batch: 100, threads: 1, ..Case::default() };
/// assert_eq!(CaseKey::of(&case).to_string(), "span simple serialize batch × 100");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct CaseKey {
    /// The codec's name.
    pub codec: String,
    /// The model's name.
    pub model: String,
    /// `serialize` or `deserialize`, or what else it does.
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

    /// The case in a few words: `binary, simple, serialize, batch of 100`.
    ///
    /// # Examples
    /// ```
    /// use alloclab::results::CaseKey;
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

impl fmt::Display for CaseKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [&self.codec, &self.model, &self.operation, &self.variant];
        let names: Vec<_> = names.into_iter().filter(|name| !name.is_empty()).map(String::as_str).collect();
        f.write_str(&names.join(" "))?;
        if self.batch > 1 {
            write!(f, " × {}", self.batch)?;
        }
        if self.threads > 1 {
            write!(f, " × {} parallel", self.threads)?;
        }
        Ok(())
    }
}
