//! Counts a case: its first operation, its counted window, and one operation event by event.

use rayon::ThreadPool;
use tracing::{debug, debug_span};

use super::runner::Runner;
use crate::error::{Error, ErrorKind, Result};
use crate::plan::{InlineObject, PlannedCase, Prepared, Workload};
use crate::recorder::{WindowError, WindowOptions};
use crate::results::Time;
use crate::snapshot::Snapshot;

/// Events of one operation that are kept at most: enough for a batch of thousands.
const EVENTS: usize = 1 << 18;

/// Operations before the counted window at most; they fill pools and caches.
const WARM_UP: u64 = 1000;

/// What a case did, without names.
pub(super) struct Measured {
    pub(super) encoded_bytes: u64,
    /// Whether the workload is a parallel one.
    pub(super) is_parallel: bool,
    pub(super) inline_objects: Vec<InlineObject>,
    /// The very first operation.
    pub(super) first: Snapshot,
    /// All operations of the counted window.
    pub(super) counted: Snapshot,
    pub(super) operations: u64,
    /// One operation with its events; of a parallel loop, one iteration.
    pub(super) traced: Snapshot,
    /// How many times one operation does what is traced.
    pub(super) traced_repeats: u32,
    pub(super) time: Option<Time>,
}

impl Measured {
    /// One operation of which nothing is known but what was counted.
    pub(super) fn once(counted: Snapshot) -> Self {
        Self {
            encoded_bytes: 0,
            is_parallel: false,
            inline_objects: Vec::new(),
            first: Snapshot { totals: counted.totals.clone(), ..Snapshot::default() },
            counted,
            operations: 1,
            traced: Snapshot::default(),
            traced_repeats: 1,
            time: None,
        }
    }
}

/// Counts a case, which is not timed yet; its runner comes along. Nothing but the operation runs in a window.
pub(super) fn count_case<'a>(case: &PlannedCase, pool: &'a ThreadPool) -> Result<(Measured, Runner<'a>)> {
    let Prepared { encoded_bytes, workload, inline_objects } =
        case.subject.prepare().ok_or_else(|| not_offered(case))?;
    let is_parallel = matches!(workload, Workload::Parallel(_));
    let mut runner = Runner::new(workload, case.key.threads, pool);
    let operations = case.operations();
    let first = count(&mut runner, 1, "first")?;
    debug_span!("round", kind = "warm-up").in_scope(|| warm_up(&mut runner, operations));
    let counted = count(&mut runner, operations, "counted")?;
    let traced = trace(&mut runner)?;
    let traced_repeats = runner.repeats();
    let measured = Measured {
        encoded_bytes,
        is_parallel,
        inline_objects,
        first,
        counted,
        operations,
        traced,
        traced_repeats,
        time: None,
    };
    Ok((measured, runner))
}

fn not_offered(case: &PlannedCase) -> Error {
    Error::new(ErrorKind::Unsupported, format!("there is no such case: {}", case.key.label()))
}

fn warm_up(runner: &mut Runner<'_>, operations: u64) {
    runner.run(|run| run((operations / 100).clamp(1, WARM_UP)));
}

fn count(runner: &mut Runner<'_>, operations: u64, kind: &str) -> Result<Snapshot> {
    let _round = debug_span!("round", kind, operations).entered();
    let snapshot = runner.run(|run| {
        let window = WindowOptions::new().open_over_process()?;
        run(operations);
        Ok(window.close())
    });
    let snapshot = snapshot.map_err(cannot_open)?;
    debug!(requests = snapshot.totals.requests(), recorder_bytes = snapshot.recorder_bytes, "window closed");
    Ok(snapshot)
}

fn trace(runner: &mut Runner<'_>) -> Result<Snapshot> {
    let _round = debug_span!("round", kind = "traced").entered();
    let window = WindowOptions::new().events(EVENTS).open_over_thread().map_err(cannot_open)?;
    runner.run_alone();
    Ok(window.close())
}

/// The error of a window that cannot be opened.
pub(super) fn cannot_open(error: WindowError) -> Error {
    Error::new(ErrorKind::Unsupported, format!("no window can be opened: {error}")).with_source(error)
}
