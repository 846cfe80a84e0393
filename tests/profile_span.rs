//! The profile `span`, run by the built program: what it counts, and that it counts the same again.

use std::process::Command;

use alloclab::results::{self, Case, Results};
use tempfile::TempDir;

/// Runs the profile without timing, which alone differs from run to run.
fn run() -> Results {
    let folder = TempDir::new().unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_alloclab"));
    program.args(["profile", "span", "--iterations", "2000", "--no-time", "--no-charts", "--out"]);
    assert!(program.arg(folder.path()).output().unwrap().status.success());
    results::read(&folder.path().join("span/results.json")).unwrap()
}

fn is_parallel(case: &Case) -> bool {
    case.variant == "concurrent"
}

fn name(case: &Case) -> String {
    format!("{} {} {} {} × {}", case.codec, case.model, case.operation, case.variant, case.batch)
}

#[test]
fn every_allocation_of_every_row_has_a_type() {
    let results = run();
    assert!(results.cases.iter().any(|case| case.totals.allocations > 0));
    for case in &results.cases {
        assert_eq!(case.untyped_share, 0.0, "{}", name(case));
    }
    assert_eq!((results.environment.untyped_share, results.environment.overflowed), (0.0, 0));
}

#[test]
fn modelled_bytes_equal_the_published_ones_but_for_rounding_and_garbage_collections() {
    let results = run();
    let published = results.cases.iter().filter(|case| !is_parallel(case)).filter_map(|case| {
        let published = case.published.as_ref()?.allocated_bytes?;
        Some((case, case.modelled_dotnet_bytes_per_op.unwrap(), published))
    });
    let mut rows = 0;
    for (case, modelled, published) in published {
        // Batches are published in KB with two decimals, and hold what garbage collections make anew: 7 to 10 B in a
        // hundred items, 79 to 84 B in a thousand.
        let unexplained = if case.batch == 1 { 0.0 } else { 5.12 + 0.085 * f64::from(case.batch) };
        assert!((published - modelled).abs() <= unexplained, "{}: {modelled} for {published}", name(case));
        rows += 1;
    }
    assert_eq!(rows, 20);
}

#[test]
fn counts_per_operation_are_whole_numbers_where_operations_are_alike() {
    for case in run().cases.iter().filter(|case| !is_parallel(case)) {
        assert_eq!(case.totals.allocations % case.iterations, 0, "{}: {:?}", name(case), case.totals);
        assert_eq!(case.totals.deallocations, case.totals.allocations, "{}", name(case));
        assert_eq!(case.leaked_bytes, 0, "{}", name(case));
    }
}

#[test]
fn two_runs_give_the_same_file() {
    let [first, second] = [run(), run()].map(|mut results| {
        // Pages that the recorder touched depend on where the system puts the heap.
        results.environment.recorder_bytes = 0;
        let parallel = |case: &Case| is_parallel(case);
        let serial = results.cases.iter().position(parallel).unwrap();
        results.cases.truncate(serial);
        results
    });
    assert!(first.cases.len() >= 32, "{} rows before the first parallel one", first.cases.len());
    assert_eq!(first.cases, second.cases);
    assert_eq!(first.environment, second.environment);
}
