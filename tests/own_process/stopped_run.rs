//! A run that is stopped is partial only if something was left out.

use std::sync::atomic::{AtomicBool, Ordering};

use alloclab::harness::{self, Observer};
use alloclab::plan::{Overrides, RowFilter};
use alloclab::profile;
use alloclab::results::Results;
use libtest_mimic::Failed;

/// Stops the run when a case has been measured.
struct StopAfter<'a> {
    index: usize,
    stop: &'a AtomicBool,
}

impl Observer for StopAfter<'_> {
    fn case_started(&mut self, _index: usize, _total: usize, _label: &str) {}

    fn case_finished(&mut self, index: usize, _total: usize) {
        self.stop.fetch_or(index == self.index, Ordering::Relaxed);
    }
}

/// The results of a run that is stopped after a case, and how many cases it was to have.
fn stopped_after(case: impl Fn(usize) -> usize, no_time: bool) -> (Results, usize) {
    let rows = RowFilter {
        codecs: vec!["span".to_owned()],
        models: vec!["fast".to_owned()],
        variants: Vec::new(),
        batches: Vec::new(),
        operations: vec!["serialize".to_owned()],
        threads: vec![1],
    };
    let overrides = Overrides { iterations: Some(10), no_time, rows };
    let plan = profile::load("span", &overrides).unwrap();
    let total = plan.cases.len();
    let stop = AtomicBool::new(false);
    let mut observer = StopAfter { index: case(total), stop: &stop };
    (harness::run(&plan, &mut observer, &stop).unwrap(), total)
}

pub(crate) fn a_run_is_partial_if_a_case_or_its_timing_was_left_out() -> Result<(), Failed> {
    let (after_the_last, total) = stopped_after(|total| total - 1, true);
    assert!(total > 1);
    assert_eq!((after_the_last.partial, after_the_last.cases.len()), (false, total));

    let (after_the_first, _) = stopped_after(|_| 0, true);
    assert_eq!((after_the_first.partial, after_the_first.cases.len()), (true, 1));

    let (before_timing, _) = stopped_after(|total| total - 1, false);
    assert_eq!((before_timing.partial, before_timing.cases.len()), (true, total));
    Ok(())
}
