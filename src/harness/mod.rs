//! Runs a plan: opens windows around operations, times them in rounds of their own, and hands over results with names.
//!
//! While a window is open, nothing runs but the operation: no drawing, no logging, no timer.

mod assemble;
mod clock;
mod measure;
mod modelled;
mod recorded;
mod rows;
mod runner;
#[cfg(feature = "cli")]
mod serial;
mod statistics;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};
use tracing::{debug_span, info, info_span};

use crate::attribute::{Attributor, Options};
use crate::error::{Error, ErrorKind, Result};
use crate::plan::{Plan, PlannedCase};
use crate::recorder::{self, Window};
use crate::results::Results;
use crate::symbolize::Symbols;
use measure::Measured;
#[cfg(feature = "cli")]
pub(crate) use measure::cannot_open;
pub use recorded::{Recorded, recorded};
use runner::Runner;
#[cfg(feature = "cli")]
pub(crate) use serial::warmed_up;

/// Is told how far a run is; called only while no window is open.
pub trait Observer {
    /// The case at `index` of `total` begins.
    fn case_started(&mut self, index: usize, total: usize, label: &str);

    /// The case at `index` of `total` has been measured.
    fn case_finished(&mut self, index: usize, total: usize);
}

/// Runs every case of a plan, in its order: all cases of a group are counted, then they are timed together.
///
/// `stop` is looked at between windows and between rounds: once it is set, what was measured so far becomes a result that
/// is marked as partial.
///
/// # Errors
/// If the recorder is not the program's global allocator or another window is open, if the program's own file cannot be
/// read, or if threads cannot be started.
pub fn run(plan: &Plan, observer: &mut dyn Observer, stop: &AtomicBool) -> Result<Results> {
    let _profile = info_span!("profile", name = plan.name, cases = plan.cases.len()).entered();
    // Before anything is measured: what is measured must not be lost for want of names.
    let mut attributor = attributor()?;
    let pool = pool(plan.pool_threads)?;
    let measured = Vec::with_capacity(plan.cases.len());
    let mut run = Run { plan, pool: &pool, observer, stop, measured, is_partial: false };
    for group in plan.cases.chunk_by(|one, next| one.group == next.group) {
        run.group(group)?;
    }
    let results = assemble::results(plan, &run.measured, run.is_partial, &mut attributor);
    info!(cases = results.cases.len(), "measured");
    Ok(results)
}

/// A run that is under way.
struct Run<'a> {
    plan: &'a Plan,
    pool: &'a ThreadPool,
    observer: &'a mut dyn Observer,
    stop: &'a AtomicBool,
    measured: Vec<(&'a PlannedCase, Measured)>,
    /// Whether a case or its timing was left out, because the run was stopped.
    is_partial: bool,
}

impl<'a> Run<'a> {
    /// Counts the cases of a group, and times them together if they are all there.
    fn group(&mut self, cases: &'a [PlannedCase]) -> Result<()> {
        let first = self.measured.len();
        let mut runners = Vec::with_capacity(cases.len());
        for case in cases {
            if self.stop.load(Ordering::Relaxed) {
                self.is_partial = true;
                return Ok(());
            }
            runners.push(self.case(case)?);
        }
        if self.plan.time {
            let _round = debug_span!("round", kind = "timed", cases = runners.len()).entered();
            let Some(times) = clock::time_together(&mut runners, self.stop) else {
                self.is_partial = true;
                return Ok(());
            };
            for ((_, measured), time) in std::iter::zip(&mut self.measured[first..], times) {
                measured.time = Some(time);
            }
        }
        Ok(())
    }

    fn case(&mut self, case: &'a PlannedCase) -> Result<Runner<'a>> {
        let (index, total) = (self.measured.len(), self.plan.cases.len());
        let label = case.key.label();
        self.observer.case_started(index, total, &label);
        let _case = info_span!("case", label).entered();
        let (measured, runner) = measure::count_case(case, self.pool)?;
        self.measured.push((case, measured));
        self.observer.case_finished(index, total);
        Ok(runner)
    }
}

fn attributor() -> Result<Attributor> {
    let empty = recorder::measure(|| ()).map_err(measure::cannot_open)?;
    Ok(Attributor::new(Symbols::load(&empty.snapshot.modules)?, Options::default()))
}

/// How long nothing is allocated or freed before the threads of a new pool count as asleep.
const QUIET: Duration = Duration::from_millis(5);

/// How long they get to fall asleep: on a machine that busy, their last allocations are harness rows of the first case.
const SETTLING: Duration = Duration::from_secs(1);

fn pool(threads: u32) -> Result<ThreadPool> {
    let build = ThreadPoolBuilder::new().num_threads(threads as usize).build();
    let pool = build.map_err(|error| {
        let message = format!("{threads} threads for parallel rows cannot be started");
        Error::new(ErrorKind::Io, message)
            .with_help("free some threads or raise the limit (`ulimit -u`), then run it again")
            .with_source(error)
    })?;
    // They start by themselves and would do so in the first window.
    pool.broadcast(|_| ());
    settle()?;
    Ok(pool)
}

/// Waits until new threads have looked for work and fallen asleep: they allocate when they do so first.
fn settle() -> Result<()> {
    let start = Instant::now();
    while start.elapsed() < SETTLING {
        let window = Window::over_process().map_err(measure::cannot_open)?;
        std::thread::sleep(QUIET);
        let totals = window.close().totals;
        if totals.requests() + totals.deallocations == 0 {
            break;
        }
    }
    Ok(())
}
