//! A case's operation on its own, for other instruments than the recorder's windows.

use super::measure::{prepare, warm_up};
use crate::error::Result;
use crate::plan::{PlannedCase, Workload};

/// Runs an operation as many times as it is told, one after the other.
type Operations = Box<dyn FnMut(u64) + Send>;

/// A new operation as it is when its counted window opens: it has run once and warmed up. None for a parallel one.
pub(crate) fn warmed_up(case: &PlannedCase) -> Result<Option<Operations>> {
    let Workload::Serial(mut operations) = prepare(case)?.workload else { return Ok(None) };
    operations(1);
    operations(warm_up(case.operations()));
    Ok(Some(operations))
}
