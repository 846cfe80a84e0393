//! Every row and every column, the published figures beside the measured ones.

use super::figures::{NONE, alloc_ratio, allocated, shown, time, time_ratio};
use crate::report::case_name;
use crate::report::document::Part;
use crate::report::grid::{Grid, Row};
use crate::report::number::{bytes, count, duration, figure, operations_per_second, percent, ratio};
use crate::results::{Case, Published};

/// A table of the summary: its title, and its columns.
type Table = (&'static str, &'static [Column]);

/// A column: its title, and what a case among all that are shown has to say there.
type Column = (&'static str, fn(&Case, &[&Case]) -> String);

/// Tables that fit on a terminal, one below the other.
const TABLES: &[Table] = &[
    (
        "time",
        &[
            ("Mean", |case, _| time(case, |time| time.mean_ns)),
            ("Mean pub.", |case, _| published(case, |row| row.mean_ns, duration)),
            ("Ratio", |case, _| time_ratio(case)),
            ("Ratio pub.", |case, _| published(case, |row| row.ratio, ratio)),
            ("Op/s", |case, _| {
                shown(case.time.as_ref().and_then(|time| operations_per_second(time.mean_ns)), |text| text)
            }),
        ],
    ),
    (
        "scatter of the times",
        &[
            ("Error", |case, _| time(case, |time| time.error_ns)),
            ("StdDev", |case, _| time(case, |time| time.stddev_ns)),
            ("Median", |case, _| time(case, |time| time.median_ns)),
            ("P95", |case, _| time(case, |time| time.p95_ns)),
            ("P95 pub.", |case, _| published(case, |row| row.p95_ns, duration)),
        ],
    ),
    (
        "bytes",
        &[
            ("Allocated", |case, _| allocated(case)),
            ("pub.", |case, _| published(case, |row| row.allocated_bytes, bytes)),
            (".NET model", |case, _| shown(case.modelled_dotnet_bytes_per_op, bytes)),
            ("Saved %", |case, among| shown(saved_percent(case, among), percent)),
            ("Alloc Ratio", |case, _| alloc_ratio(case)),
            ("Ratio pub.", |case, _| published(case, |row| row.alloc_ratio, ratio)),
        ],
    ),
    (
        "allocations",
        &[
            ("Allocs/op", |case, _| figure(case.allocations_per_op)),
            ("Reallocs/op", |case, _| figure(case.reallocations_per_op)),
            ("Frees/op", |case, _| figure(case.frees_per_op)),
            ("Untyped %", |case, _| percent(100.0 * case.untyped_share)),
            ("Ops counted", |case, _| count(case.iterations)),
        ],
    ),
    (
        "memory",
        &[
            ("dhat B/op", |case, _| bytes(case.new_size_bytes_per_op)),
            ("Encoded", |case, _| bytes(case.encoded_bytes as f64)),
            ("Encoded pub.", |case, _| published(case, |row| row.encoded_bytes, bytes)),
            ("Peak live", |case, _| peak(case)),
            ("Left alive", |case, _| bytes(case.leaked_bytes as f64)),
            ("Left pub./op", |case, _| published(case, |row| row.retained_bytes, bytes)),
            ("First op", |case, _| {
                bytes((case.first_operation.allocated_bytes + case.first_operation.grown_bytes) as f64)
            }),
        ],
    ),
];

const LEGEND: &str = "Saved %: bytes per operation saved against the row of the same model, operation, batch and loop \
     that allocates most. pub.: published, the write-up's figure. .NET model: what the original's objects take in .NET. \
     dhat B/op: fresh sizes and new sizes of reallocations. Encoded: bytes that one operation writes or reads, so of a \
     whole batch; but of one iteration for a parallel row. Peak live: `-` where it is less than its error. Left alive: \
     bytes of the whole window, published per operation. First op: bytes of the very first operation, before any warm-up.";

pub(in crate::report) fn parts(cases: &[&Case]) -> Vec<Part> {
    let mut parts = Vec::new();
    for (title, columns) in TABLES {
        let grid = grid(cases, columns).without_unknown_columns();
        // Without timed rounds there is no time to show.
        if grid.titles.len() > 1 {
            parts.extend([Part::Title(format!("All operations: {title}")), Part::Grid(grid)]);
        }
    }
    parts.push(Part::Text(LEGEND.to_owned()));
    parts
}

fn grid(cases: &[&Case], columns: &[Column]) -> Grid {
    let titles: Vec<&str> = std::iter::once("Case").chain(columns.iter().map(|(title, _)| *title)).collect();
    let mut grid = Grid::new(&titles);
    for operation in case_name::operations(cases) {
        grid.rows.push(Row::Heading(operation.to_owned()));
        let of_operation = cases.iter().filter(|case| case.operation == operation);
        grid.rows.extend(of_operation.map(|case| {
            let figures = columns.iter().map(|(_, figure)| figure(case, cases));
            Row::Cells(std::iter::once(case_name::name(case, cases)).chain(figures).collect())
        }));
    }
    grid
}

fn published(case: &Case, figure: fn(&Published) -> Option<f64>, show: fn(f64) -> String) -> String {
    shown(case.published.as_ref().and_then(figure), show)
}

/// The peak, where it is more than its error: a smaller one may as well be none.
fn peak(case: &Case) -> String {
    if case.peak_error_bytes > case.peak_live_bytes {
        return NONE.to_owned();
    }
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
    fn a_peak_that_is_less_than_its_error_is_none() {
        let case =
            |peak_live_bytes, peak_error_bytes| Case { peak_live_bytes, peak_error_bytes, ..Case::default() };
        assert_eq!(
            [peak(&case(0, 0)), peak(&case(0, 4096)), peak(&case(5000, 4096))],
            ["0 B", "-", "~5,000 B"]
        );
    }
}
