//! The rows that are compared first, in BenchmarkDotNet's words.

use super::figures::{alloc_ratio, allocated, time, time_ratio};
use crate::report::case_name;
use crate::report::document::Part;
use crate::report::grid::{Grid, Row};
use crate::results::Case;

pub(in crate::report) fn parts(cases: &[&Case]) -> Vec<Part> {
    let mut grid =
        Grid::new(&["Case", "Mean", "Error", "StdDev", "P95", "Ratio", "Allocated", "Alloc Ratio"]);
    for operation in case_name::operations(cases) {
        grid.rows.push(Row::Heading(operation.to_owned()));
        let of_operation = cases.iter().filter(|case| case.operation == operation);
        grid.rows.extend(of_operation.map(|case| Row::Cells(cells(case, cases))));
    }
    let title = if cases.iter().all(|case| case_name::is_single(case)) {
        "Single operations"
    } else {
        "Batches and parallel loops"
    };
    vec![Part::Title(title.to_owned()), Part::Grid(grid.without_unknown_columns())]
}

fn cells(case: &Case, among: &[&Case]) -> Vec<String> {
    vec![
        case_name::name(case, among),
        time(case, |time| time.mean_ns),
        time(case, |time| time.error_ns),
        time(case, |time| time.stddev_ns),
        time(case, |time| time.p95_ns),
        time_ratio(case),
        allocated(case),
        alloc_ratio(case),
    ]
}
