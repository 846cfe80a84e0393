//! Time and bytes of a case over those of its baseline.

use super::Case;

/// Sets each case beside its baseline: the case at the index that `baseline_of` finds for it among all, if it finds one.
///
/// A ratio to nothing is none.
pub fn tell_ratios(cases: &mut [Case], baseline_of: impl Fn(&[Case], &Case) -> Option<usize>) {
    let baselines: Vec<_> = cases.iter().map(|case| baseline_of(cases, case)).collect();
    let figures: Vec<_> =
        cases.iter().map(|case| (case.time.as_ref().map(|time| time.mean_ns), case.bytes_per_op)).collect();
    for (case, baseline) in std::iter::zip(cases, baselines) {
        let baseline = baseline.map(|index| figures[index]);
        let mean = baseline.and_then(|(mean, _)| mean).filter(|mean| *mean > 0.0);
        case.ratio = case.time.as_ref().zip(mean).map(|(time, mean)| time.mean_ns / mean);
        let bytes = baseline.map(|(_, bytes)| bytes).filter(|bytes| *bytes > 0.0);
        case.alloc_ratio = bytes.map(|bytes| case.bytes_per_op / bytes);
    }
}
