//! Every row and every column, the published figures beside the measured ones.

use super::figures::{alloc_ratio, allocated, shown, time, time_ratio};
use crate::report::case_name;
use crate::report::document::Part;
use crate::report::grid::{Grid, Row};
use crate::report::number::{bytes, count, duration, figure, operations_per_second, percent, ratio};
use crate::results::{Case, Published};

const TITLES: &[&str] = &[
    "Case",
    "Mean",
    "Mean pub.",
    "Error",
    "StdDev",
    "Median",
    "P95",
    "Ratio",
    "Ratio pub.",
    "Op/s",
    "Allocated",
    "Allocated pub.",
    ".NET model",
    "Saved %",
    "Alloc Ratio",
    "Alloc Ratio pub.",
    "Allocs/op",
    "Reallocs/op",
    "Frees/op",
    "dhat B/op",
    "Encoded",
    "Peak live",
    "Left alive",
    "First op",
    "Untyped %",
    "Ops counted",
];

const LEGEND: &str = "Saved %: bytes per operation saved against the row of the same model, operation, batch and loop \
     that allocates most. pub.: published, the write-up's figure. .NET model: what the original's objects take in .NET. \
     dhat B/op: fresh sizes and new sizes of reallocations. Left alive: bytes of the whole window. First op: bytes of \
     the very first operation, before any warm-up.";

pub(in crate::report) fn parts(cases: &[&Case]) -> Vec<Part> {
    let mut grid = Grid::new(TITLES);
    for operation in case_name::operations(cases) {
        grid.rows.push(Row::Heading(operation.to_owned()));
        let of_operation = cases.iter().filter(|case| case.operation == operation);
        grid.rows.extend(of_operation.map(|case| Row::Cells(cells(case, cases))));
    }
    vec![Part::Title("All operations".to_owned()), Part::Grid(grid), Part::Text(LEGEND.to_owned())]
}

fn cells(case: &Case, among: &[&Case]) -> Vec<String> {
    let published = case.published.clone().unwrap_or_default();
    let mut cells = vec![case_name::name(case, among)];
    cells.extend(time_cells(case, &published));
    cells.extend(byte_cells(case, &published, among));
    cells.extend(count_cells(case));
    cells
}

fn time_cells(case: &Case, published: &Published) -> [String; 9] {
    [
        time(case, |time| time.mean_ns),
        shown(published.mean_ns, duration),
        time(case, |time| time.error_ns),
        time(case, |time| time.stddev_ns),
        time(case, |time| time.median_ns),
        time(case, |time| time.p95_ns),
        time_ratio(case),
        shown(published.ratio, ratio),
        shown(case.time.as_ref().and_then(|time| operations_per_second(time.mean_ns)), |text| text),
    ]
}

fn byte_cells(case: &Case, published: &Published, among: &[&Case]) -> [String; 6] {
    [
        allocated(case),
        shown(published.allocated_bytes, bytes),
        shown(case.modelled_dotnet_bytes_per_op, bytes),
        shown(saved_percent(case, among), percent),
        alloc_ratio(case),
        shown(published.alloc_ratio, ratio),
    ]
}

fn count_cells(case: &Case) -> [String; 10] {
    [
        figure(case.allocations_per_op),
        figure(case.reallocations_per_op),
        figure(case.frees_per_op),
        bytes(case.new_size_bytes_per_op),
        bytes(case.encoded_bytes as f64),
        peak(case),
        bytes(case.leaked_bytes as f64),
        bytes((case.first_operation.allocated_bytes + case.first_operation.grown_bytes) as f64),
        percent(100.0 * case.untyped_share),
        count(case.iterations),
    ]
}

fn peak(case: &Case) -> String {
    let sign = if case.peak_error_bytes > 0 { "~" } else { "" };
    format!("{sign}{}", bytes(case.peak_live_bytes as f64))
}

/// What a row saves against the one of its kind that allocates most; nothing to say of that row itself.
pub(super) fn saved_percent(case: &Case, among: &[&Case]) -> Option<f64> {
    let most = among
        .iter()
        .filter(|other| is_of_kind(case, other))
        .map(|other| other.bytes_per_op)
        .fold(0.0, f64::max);
    (case.bytes_per_op < most).then(|| 100.0 * (1.0 - case.bytes_per_op / most))
}

fn is_of_kind(case: &Case, other: &Case) -> bool {
    let kind = |case: &Case| (case.batch, case.threads, case.variant == "concurrent");
    case.model == other.model && case.operation == other.operation && kind(case) == kind(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saving_is_told_against_the_row_of_the_same_kind_that_allocates_most() {
        let case = |codec: &str, batch, bytes_per_op| Case {
            codec: codec.into(),
            batch,
            bytes_per_op,
            ..Case::default()
        };
        let (span, reflect, binary) =
            (case("span", 1, 0.0), case("span-reflect", 1, 96.0), case("binary", 1, 2016.0));
        let batch = case("binary", 100, 97_167.0);
        let among = [&span, &reflect, &binary, &batch];
        assert_eq!(saved_percent(&span, &among), Some(100.0));
        assert!((saved_percent(&reflect, &among).unwrap() - 95.238).abs() < 0.001);
        assert_eq!(saved_percent(&binary, &among), None);
        assert_eq!(saved_percent(&batch, &among), None);
    }

    #[test]
    fn every_title_has_a_cell() {
        let case = Case::default();
        assert_eq!(cells(&case, &[&case]).len(), TITLES.len());
    }
}
