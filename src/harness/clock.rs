//! Times an operation, with the recorder off.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::runner::Runner;
use super::statistics::{self, ROUNDS};
use crate::results::Time;

/// How long a round takes, if one operation is not longer than that.
const ROUND: Duration = Duration::from_millis(3);

/// Times rounds of as many operations as fill [`ROUND`], of all runners in turn: what slows the machine for a while slows
/// them all, and their ratios stay. None if `stop` is set meanwhile.
pub(super) fn time_together(runners: &mut [Runner<'_>], stop: &AtomicBool) -> Option<Vec<Time>> {
    let operations: Vec<_> = runners.iter_mut().map(operations_per_round).collect();
    let mut nanos = vec![Vec::with_capacity(ROUNDS as usize); runners.len()];
    for _ in 0..ROUNDS {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        for (index, runner) in runners.iter_mut().enumerate() {
            let elapsed = round(runner, operations[index]);
            nanos[index].push(elapsed.as_nanos() as f64 / operations[index] as f64);
        }
    }
    let times = std::iter::zip(nanos, operations);
    Some(times.map(|(rounds, operations)| statistics::summarize(rounds, operations)).collect())
}

/// Doubles until a round is long enough to tell how many operations fill one.
fn operations_per_round(runner: &mut Runner<'_>) -> u64 {
    let mut operations = 1;
    loop {
        let elapsed = round(runner, operations);
        if elapsed >= ROUND / 2 {
            let fitting = operations as f64 * ROUND.as_secs_f64() / elapsed.as_secs_f64();
            return (fitting as u64).max(1);
        }
        operations *= 2;
    }
}

fn round(runner: &mut Runner<'_>, operations: u64) -> Duration {
    runner.run(|run| {
        let start = Instant::now();
        run(operations);
        start.elapsed()
    })
}
