//! Times an operation, with the recorder off.

use std::time::{Duration, Instant};

use super::runner::Runner;
use super::statistics::{self, ROUNDS};
use crate::results::Time;

/// How long a round takes at least, if one operation is not longer than that.
const ROUND: Duration = Duration::from_millis(4);

/// Times rounds of as many operations as fill [`ROUND`].
pub(super) fn time(runner: &mut Runner<'_>) -> Time {
    let operations = operations_per_round(runner);
    let nanos = |elapsed: Duration| elapsed.as_nanos() as f64 / operations as f64;
    let rounds = (0..ROUNDS).map(|_| nanos(round(runner, operations))).collect();
    statistics::summarize(rounds, operations)
}

/// Doubles until a round is long enough.
fn operations_per_round(runner: &mut Runner<'_>) -> u64 {
    let mut operations = 1;
    while round(runner, operations) < ROUND {
        operations *= 2;
    }
    operations
}

fn round(runner: &mut Runner<'_>, operations: u64) -> Duration {
    runner.run(|run| {
        let start = Instant::now();
        run(operations);
        start.elapsed()
    })
}
