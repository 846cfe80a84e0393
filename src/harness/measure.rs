//! Counts a case: its first operation, its counted window, and one operation event by event.

use rayon::ThreadPool;
use tracing::{debug, debug_span};

use super::runner::Runner;
use crate::error::{Error, ErrorKind, Result};
use crate::plan::{InlineObject, PlannedCase, Prepared, Workload};
use crate::recorder::{WindowError, WindowOptions};
use crate::results::{HeapSample, Time};
use crate::snapshot::Snapshot;

/// Events of one operation that are kept at most: enough for a batch of thousands.
const EVENTS: usize = 1 << 18;

/// Samples of the live heap over a run.
const HEAP_SAMPLES: u64 = 200;

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
    /// Live bytes between them.
    pub(super) heap_run: Vec<HeapSample>,
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
            heap_run: Vec::new(),
            traced: Snapshot::default(),
            traced_repeats: 1,
            time: None,
        }
    }
}

/// Counts a case, which is not timed yet; its runner comes along. Nothing but the operation runs in a window.
pub(super) fn count_case<'a>(case: &PlannedCase, pool: &'a ThreadPool) -> Result<(Measured, Runner<'a>)> {
    let Prepared { encoded_bytes, workload, inline_objects } = prepare(case)?;
    let is_parallel = matches!(workload, Workload::Parallel(_));
    let mut runner = Runner::new(workload, case.key.threads, pool);
    let operations = case.operations();
    let (first, _) = count(&mut runner, 1, "first", 0)?;
    debug_span!("round", kind = "warm-up").in_scope(|| runner.run(|run| run(warm_up(operations))));
    let samples = if is_parallel { 0 } else { HEAP_SAMPLES };
    let (counted, heap_run) = count(&mut runner, operations, "counted", samples)?;
    let traced = trace(&mut runner)?;
    let traced_repeats = runner.repeats();
    let measured = Measured {
        encoded_bytes,
        is_parallel,
        inline_objects,
        first,
        counted,
        operations,
        heap_run,
        traced,
        traced_repeats,
        time: None,
    };
    Ok((measured, runner))
}

/// Makes the operation of a case.
pub(super) fn prepare(case: &PlannedCase) -> Result<Prepared> {
    let not_offered = || format!("there is no such case: {}", case.key.label());
    case.subject.prepare().ok_or_else(|| Error::new(ErrorKind::Unsupported, not_offered()))
}

/// How many operations come before so many counted ones.
pub(super) fn warm_up(operations: u64) -> u64 {
    (operations / 100).clamp(1, WARM_UP)
}

/// Runs operations in a window, and notes the live bytes between them so many times, evenly.
fn count(
    runner: &mut Runner<'_>,
    operations: u64,
    kind: &str,
    samples: u64,
) -> Result<(Snapshot, Vec<HeapSample>)> {
    let _round = debug_span!("round", kind, operations).entered();
    let stretches = samples.clamp(1, operations.max(1));
    // Made before the window: in it nothing is allocated here.
    let mut heap = Vec::with_capacity(stretches as usize);
    let snapshot = runner.run(|run| {
        let window = WindowOptions::new().open_over_process()?;
        let mut done = 0;
        for stretch in 1..=stretches {
            let end = operations * stretch / stretches;
            run(end - done);
            done = end;
            heap.push(HeapSample { operations: done, live_bytes: window.own_live_bytes() });
        }
        Ok(window.close())
    });
    let snapshot = snapshot.map_err(cannot_open)?;
    debug!(requests = snapshot.totals.requests(), recorder_bytes = snapshot.recorder_bytes, "window closed");
    heap.truncate(samples as usize);
    Ok((snapshot, heap))
}

fn trace(runner: &mut Runner<'_>) -> Result<Snapshot> {
    let _round = debug_span!("round", kind = "traced").entered();
    let window = WindowOptions::new().events(EVENTS).open_over_thread().map_err(cannot_open)?;
    runner.run_alone();
    Ok(window.close())
}

/// The error of a window that cannot be opened.
pub(crate) fn cannot_open(error: WindowError) -> Error {
    Error::new(ErrorKind::Unsupported, format!("no window can be opened: {error}")).with_source(error)
}
