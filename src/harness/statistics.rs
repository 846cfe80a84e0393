//! Mean, error, deviation and percentiles, as BenchmarkDotNet defines them.

use crate::results::Time;

/// Rounds that are timed for each case.
pub(super) const ROUNDS: u32 = 20;

/// The 99.95 % quantile of Student's t distribution with `ROUNDS - 1` degrees of freedom: the two-sided 99.9 % interval.
///
/// Source: any table of the distribution; 19 degrees of freedom.
const T_999: f64 = 3.883_406;

/// Summarizes the rounds of a case, in nanoseconds per operation.
pub(super) fn summarize(mut rounds: Vec<f64>, operations_per_round: u64) -> Time {
    rounds.sort_by(f64::total_cmp);
    let count = rounds.len() as f64;
    let mean = rounds.iter().sum::<f64>() / count;
    let squares: f64 = rounds.iter().map(|round| (round - mean).powi(2)).sum();
    let deviation = (squares / (count - 1.0)).sqrt();
    Time {
        rounds: rounds.len() as u32,
        operations_per_round,
        mean_ns: mean,
        error_ns: T_999 * deviation / count.sqrt(),
        stddev_ns: deviation,
        median_ns: percentile(&rounds, 0.5),
        p95_ns: percentile(&rounds, 0.95),
    }
}

/// A percentile of ascending values, interpolated between the two nearest.
fn percentile(ascending: &[f64], share: f64) -> f64 {
    let position = share * (ascending.len() - 1) as f64;
    let below = ascending[position.floor() as usize];
    let above = ascending[position.ceil() as usize];
    below + (above - below) * position.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_rounds_are_summarized_as_a_spreadsheet_would() {
        let rounds: Vec<f64> = (1..=20).rev().map(f64::from).collect();
        let time = summarize(rounds, 7);
        assert_eq!((time.rounds, time.operations_per_round), (20, 7));
        assert_eq!((time.mean_ns, time.median_ns), (10.5, 10.5));
        // STDEV.S, PERCENTILE.INC and CONFIDENCE.T of 1 to 20.
        assert!((time.stddev_ns - 5.916_080).abs() < 1e-6);
        assert!((time.p95_ns - 19.05).abs() < 1e-9);
        assert!((time.error_ns - 5.137_263).abs() < 1e-5, "{}", time.error_ns);
    }
}
