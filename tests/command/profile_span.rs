//! The profile `span`, run by the built program: what it counts, and that it counts the same again.

use std::collections::BTreeSet;
use std::process::Command;

use alloclab::results::{self, Case, Results};
use tempfile::TempDir;

/// Runs the profile without timing, which alone differs from run to run.
fn run() -> Results {
    let folder = TempDir::new().unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_alloclab"));
    program.args(["profile", "span", "--iterations", "2000", "--no-time", "--no-charts", "--out"]);
    assert!(program.arg(folder.path()).output().unwrap().status.success());
    results::read(folder.path().join("span/results.json")).unwrap()
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

/// Without what differs between runs: pages that the recorder touched, which depend on where the system puts the heap, and
/// parallel rows with the frames that only they name.
fn without_parallel_rows(mut results: Results) -> Results {
    results.environment.recorder_bytes = 0;
    results.cases.retain(|case| !is_parallel(case));
    let sites = results.cases.iter().flat_map(|case| &case.sites);
    let named: BTreeSet<u32> = sites.flat_map(|site| &site.frames).copied().collect();
    let kept: Vec<u32> = named.into_iter().collect();
    for frame in results.cases.iter_mut().flat_map(|case| &mut case.sites).flat_map(|site| &mut site.frames) {
        *frame = kept.binary_search(frame).unwrap() as u32;
    }
    results.frames = kept.iter().map(|&frame| results.frames[frame as usize].clone()).collect();
    results
}

#[test]
fn two_runs_give_the_same_file() {
    let [first, second] = [run(), run()].map(without_parallel_rows);
    assert!(first.cases.len() >= 32 && first.frames.len() > 50, "{} rows", first.cases.len());
    let [first, second] = [first, second].map(|results| results::to_json(&results).unwrap());
    let difference = first.lines().zip(second.lines()).find(|(first, second)| first != second);
    assert_eq!(difference, None);
    assert_eq!(first.len(), second.len());
}
