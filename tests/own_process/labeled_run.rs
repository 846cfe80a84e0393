//! A run whose operations have a label keeps it in its results.

use std::sync::atomic::AtomicBool;

use alloclab::harness::{self, Observer};
use alloclab::plan::{Overrides, RowFilter};
use alloclab::profile;
use alloclab::recorder::Label;
use alloclab::results::Results;
use libtest_mimic::Failed;

struct Nobody;

impl Observer for Nobody {
    fn case_started(&mut self, _index: usize, _total: usize, _label: &str) {}

    fn case_finished(&mut self, _index: usize, _total: usize) {}
}

fn run() -> Results {
    let rows = RowFilter {
        codecs: vec!["binary".to_owned()],
        models: vec!["simple".to_owned()],
        operations: vec!["serialize".to_owned()],
        threads: vec![1],
        ..RowFilter::default()
    };
    let overrides = Overrides { iterations: Some(10), no_time: true, rows };
    let plan = profile::load("span", &overrides).unwrap();
    harness::run(&plan, &mut Nobody, &AtomicBool::new(false)).unwrap()
}

pub(crate) fn every_site_of_a_labeled_run_has_the_label() -> Result<(), Failed> {
    let results = Label::new("GET \u{7}").in_scope(run);
    // Parallel rows run on a pool's threads, which have no label.
    let serial = results.cases.iter().filter(|case| case.variant != "concurrent");
    let sites: Vec<_> = serial.flat_map(|case| &case.sites).collect();
    assert!(sites.len() > 10);
    assert!(sites.iter().all(|site| site.label.as_deref() == Some("GET \u{fffd}")), "{sites:#?}");
    let without = run();
    assert!(without.cases.iter().flat_map(|case| &case.sites).all(|site| site.label.is_none()));
    Ok(())
}
