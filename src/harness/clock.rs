//! Times an operation, with the recorder off.

use std::time::{Duration, Instant};

use super::runner::Runner;
use super::statistics::{self, ROUNDS};
use crate::results::Time;

/// How long a round takes, if one operation is not longer than that.
const ROUND: Duration = Duration::from_millis(3);

/// Times rounds of as many operations as fill [`ROUND`].
pub(super) fn time(runner: &mut Runner<'_>) -> Time {
    let operations = operations_per_round(runner);
    let nanos = |elapsed: Duration| elapsed.as_nanos() as f64 / operations as f64;
    let rounds = (0..ROUNDS).map(|_| nanos(round(runner, operations))).collect();
    statistics::summarize(rounds, operations)
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
