//! Runs a plan: opens windows around operations, times them in rounds of their own, and hands over results with names.
//!
//! While a window is open, nothing runs but the operation: no drawing, no logging, no timer.

mod assemble;
mod clock;
mod measure;
mod modelled;
mod rows;
mod runner;
mod statistics;

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::{ThreadPool, ThreadPoolBuilder};
use tracing::{info, info_span};

use crate::attribute::{Attributor, Options};
use crate::error::{Error, ErrorKind, Result};
use crate::profile::Plan;
use crate::recorder;
use crate::results::Results;
use crate::symbolize::Symbols;

/// Is told how far a run is; called only while no window is open.
pub trait Observer {
    /// The case at `index` of `total` begins.
    fn case_started(&mut self, index: usize, total: usize, label: &str);

    /// The case at `index` of `total` has been measured.
    fn case_finished(&mut self, index: usize, total: usize);
}

/// Runs every case of a plan, in its order.
///
/// `stop` is looked at between cases: once it is set, the cases so far become a result that is marked as partial.
///
/// # Errors
/// If the recorder is not the program's global allocator or another window is open, if the program's own file cannot be
/// read, or if threads cannot be started.
pub fn run(plan: &Plan, observer: &mut dyn Observer, stop: &AtomicBool) -> Result<Results> {
    let _profile = info_span!("profile", name = plan.name, cases = plan.cases.len()).entered();
    // Before anything is measured: what is measured must not be lost for want of names.
    let mut attributor = attributor()?;
    let pool = pool(plan.pool_threads)?;
    let total = plan.cases.len();
    let mut measured = Vec::with_capacity(total);
    for (index, case) in plan.cases.iter().enumerate() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let label = case.label();
        observer.case_started(index, total, &label);
        let _case = info_span!("case", label).entered();
        measured.push((case, measure::measure(case, &pool, plan.time)?));
        observer.case_finished(index, total);
    }
    let results = assemble::results(plan, &measured, &mut attributor);
    info!(cases = results.cases.len(), "measured");
    Ok(results)
}

fn attributor() -> Result<Attributor> {
    let empty = recorder::measure(|| ()).map_err(measure::cannot_open)?;
    Ok(Attributor::new(Symbols::load(&empty.snapshot.modules)?, Options::default()))
}

fn pool(threads: u32) -> Result<ThreadPool> {
    let build = ThreadPoolBuilder::new().num_threads(threads as usize).build();
    build.map_err(|error| {
        let message = format!("{threads} threads for parallel rows cannot be started");
        Error::new(ErrorKind::Io, message)
            .with_help("leave parallel rows out with `--threads 1`")
            .with_source(error)
    })
}
