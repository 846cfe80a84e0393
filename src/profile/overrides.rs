//! What a run changes of its profile.

use crate::codec::{Codec, Operation, Variant};
use crate::model::ModelKind;

use super::PlannedCase;

/// Changes to a profile: how much is run, and which of its rows.
///
/// A filter without values lets every row through; a row has to pass all filters. Where the baseline of a group does not
/// pass, the group's rows have no ratios.
///
/// # Examples
/// ```
/// use alloclab::codec::Operation;
/// use alloclab::profile::{self, Overrides};
///
/// let overrides = Overrides { operations: vec![Operation::Serialize], threads: vec![1], ..Overrides::default() };
/// let plan = profile::load("span", &overrides)?;
/// assert!(plan.cases.iter().all(|case| case.request.operation == Operation::Serialize && case.threads == 1));
/// # Ok::<(), alloclab::error::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Overrides {
    /// Objects of each row, instead of what the profile says.
    pub iterations: Option<u64>,
    /// Leaves out the timed rounds.
    pub no_time: bool,
    /// Rows of these codecs.
    pub codecs: Vec<&'static dyn Codec>,
    /// Rows of these models.
    pub models: Vec<ModelKind>,
    /// Rows of these operations.
    pub operations: Vec<Operation>,
    /// Rows of these variants.
    pub variants: Vec<Variant>,
    /// Rows with these values of `threads`: 1 stands for rows that run on one thread and for the parallel row of one
    /// iteration, any other number for the parallel rows of so many iterations.
    pub threads: Vec<u32>,
}

impl Overrides {
    /// Whether a row passes all filters.
    pub(super) fn select(&self, case: &PlannedCase) -> bool {
        let codecs: Vec<_> = self.codecs.iter().map(|codec| codec.name()).collect();
        passes(&codecs, &case.codec.name())
            && passes(&self.models, &case.request.model)
            && passes(&self.operations, &case.request.operation)
            && passes(&self.variants, &case.request.variant)
            && passes(&self.threads, &case.threads)
    }
}

fn passes<T: PartialEq>(filter: &[T], value: &T) -> bool {
    filter.is_empty() || filter.contains(value)
}
