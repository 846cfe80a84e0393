//! What a run changes of its plan.

use super::CaseKey;

/// Changes to a plan: how much is run, and which of its rows.
///
/// # Examples
/// ```
/// # #[cfg(feature = "lab")] {
/// use alloclab::plan::{Overrides, RowFilter};
/// use alloclab::profile;
///
/// let rows = RowFilter { operations: vec!["serialize".into()], threads: vec![1], ..RowFilter::default() };
/// let plan = profile::load("span", &Overrides { rows, ..Overrides::default() })?;
/// assert!(plan.cases.iter().all(|case| case.key.operation == "serialize" && case.key.threads == 1));
/// # }
/// # Ok::<(), alloclab::error::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Objects of each row, instead of what the plan says.
    pub iterations: Option<u64>,
    /// Leaves out the timed rounds.
    pub no_time: bool,
    /// The rows that are left.
    pub rows: RowFilter,
}

/// Which rows are wanted.
///
/// A filter without values lets every row through; a row has to pass all filters. Where the baseline of a group does not
/// pass, the group's rows have no ratios.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowFilter {
    /// Rows of these codecs.
    pub codecs: Vec<String>,
    /// Rows of these models.
    pub models: Vec<String>,
    /// Rows of these operations.
    pub operations: Vec<String>,
    /// Rows of these variants.
    pub variants: Vec<String>,
    /// Rows of so many values.
    pub batches: Vec<u32>,
    /// Rows with these values of `threads`: 1 stands for rows that run on one thread and for the parallel row of one
    /// iteration, any other number for the parallel rows of so many iterations.
    pub threads: Vec<u32>,
}

impl RowFilter {
    /// Whether a row passes all filters.
    ///
    /// # Examples
    /// ```
    /// use alloclab::plan::{CaseKey, RowFilter};
    ///
    /// let key = CaseKey { codec: "span".into(), ..CaseKey::default() };
    /// assert!(RowFilter::default().passes(&key));
    /// assert!(!RowFilter { codecs: vec!["json".into()], ..RowFilter::default() }.passes(&key));
    /// ```
    pub fn passes(&self, key: &CaseKey) -> bool {
        allows(&self.codecs, &key.codec)
            && allows(&self.models, &key.model)
            && allows(&self.operations, &key.operation)
            && allows(&self.variants, &key.variant)
            && allows(&self.batches, &key.batch)
            && allows(&self.threads, &key.threads)
    }

    /// Whether every row passes.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

fn allows<T: PartialEq>(wanted: &[T], value: &T) -> bool {
    wanted.is_empty() || wanted.contains(value)
}
