//! Cases of any runs side by side: one table for each model and operation.

use super::figures::{alloc_ratio, allocated, shown, time, time_ratio};
use crate::report::document::Part;
use crate::report::grid::{Grid, Row};
use crate::report::number::{bytes, count, figure};
use crate::results::{Case, Results};

const TITLES: [&str; 9] = [
    "Case",
    "Mean",
    "Ratio",
    "Allocs/op",
    "Reallocs/op",
    "Allocated",
    "Alloc Ratio",
    ".NET model",
    "Encoded",
];

pub(in crate::report) fn parts(results: &Results) -> Vec<Part> {
    let mut grid = Grid::new(&TITLES);
    let has_sources = results.cases.iter().any(|case| case.group != results.cases[0].group);
    for heading in headings(results) {
        let cases = results.cases.iter().filter(|case| self::heading(case) == heading);
        let rows: Vec<Row> = cases.map(|case| Row::Cells(cells(case, has_sources))).collect();
        grid.rows.push(Row::Heading(heading));
        grid.rows.extend(rows);
    }
    let legend = "Ratios refer to the first row of each part, or to the row of the codec that was asked for.";
    let mut parts = vec![Part::Grid(grid.without_unknown_columns()), Part::Text(legend.to_owned())];
    if results.partial {
        parts.push(Part::Text("A run was interrupted: cases are missing.".to_owned()));
    }
    parts
}

/// Each once, in the order of first rows.
fn headings(results: &Results) -> Vec<String> {
    let mut headings = Vec::new();
    for heading in results.cases.iter().map(heading) {
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    headings
}

fn heading(case: &Case) -> String {
    let size = match (case.batch, case.threads) {
        (0 | 1, 0 | 1) => String::new(),
        (batch, 0 | 1) => format!(", batch of {}", count(batch.into())),
        (_, threads) => format!(", {threads} parallel iterations"),
    };
    format!("{} {}{size}", case.operation, case.model)
}

fn cells(case: &Case, has_sources: bool) -> Vec<String> {
    let source = if has_sources { format!(" [{}]", case.group) } else { String::new() };
    vec![
        format!("{} {}{source}", case.codec, case.variant),
        time(case, |time| time.mean_ns),
        time_ratio(case),
        figure(case.allocations_per_op),
        shown((case.reallocations_per_op > 0.0).then_some(case.reallocations_per_op), figure),
        allocated(case),
        alloc_ratio(case),
        shown(case.modelled_dotnet_bytes_per_op, bytes),
        bytes(case.encoded_bytes as f64),
    ]
}
