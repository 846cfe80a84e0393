//! One line for each case, with all of its figures, in the words of the results file.

use super::{Format, View};
use crate::error::Result;
use crate::results::{Case, Results};

pub(super) struct Csv;

/// A column: its title, and what a case has to say there.
type Column = (&'static str, fn(&Case) -> String);

const COLUMNS: &[Column] = &[
    ("codec", |case| case.codec.clone()),
    ("model", |case| case.model.clone()),
    ("operation", |case| case.operation.clone()),
    ("variant", |case| case.variant.clone()),
    ("batch", |case| case.batch.to_string()),
    ("threads", |case| case.threads.to_string()),
    ("parallel", |case| case.parallel.to_string()),
    ("objects", |case| case.objects.to_string()),
    ("group", |case| case.group.clone()),
    ("baseline", |case| case.baseline.to_string()),
    ("iterations", |case| case.iterations.to_string()),
    ("encoded_bytes", |case| case.encoded_bytes.to_string()),
    ("allocations_per_op", |case| case.allocations_per_op.to_string()),
    ("reallocations_per_op", |case| case.reallocations_per_op.to_string()),
    ("bytes_per_op", |case| case.bytes_per_op.to_string()),
    ("new_size_bytes_per_op", |case| case.new_size_bytes_per_op.to_string()),
    ("frees_per_op", |case| case.frees_per_op.to_string()),
    ("modelled_dotnet_bytes_per_op", |case| known(case.modelled_dotnet_bytes_per_op)),
    ("peak_live_bytes", |case| case.peak_live_bytes.to_string()),
    ("peak_error_bytes", |case| case.peak_error_bytes.to_string()),
    ("peak_requests", |case| known(case.peak_requests)),
    ("leaked_bytes", |case| case.leaked_bytes.to_string()),
    ("untyped_share", |case| case.untyped_share.to_string()),
    ("torn", |case| case.torn.to_string()),
    ("ratio", |case| known(case.ratio)),
    ("alloc_ratio", |case| known(case.alloc_ratio)),
    ("allocations", |case| case.totals.allocations.to_string()),
    ("reallocations", |case| case.totals.reallocations.to_string()),
    ("deallocations", |case| case.totals.deallocations.to_string()),
    ("allocated_bytes", |case| case.totals.allocated_bytes.to_string()),
    ("grown_bytes", |case| case.totals.grown_bytes.to_string()),
    ("shrunk_bytes", |case| case.totals.shrunk_bytes.to_string()),
    ("reallocated_new_bytes", |case| case.totals.reallocated_new_bytes.to_string()),
    ("freed_bytes", |case| case.totals.freed_bytes.to_string()),
    ("failed", |case| case.totals.failed.to_string()),
    ("first_operation_allocations", |case| case.first_operation.allocations.to_string()),
    ("first_operation_reallocations", |case| case.first_operation.reallocations.to_string()),
    ("first_operation_deallocations", |case| case.first_operation.deallocations.to_string()),
    ("first_operation_allocated_bytes", |case| case.first_operation.allocated_bytes.to_string()),
    ("first_operation_grown_bytes", |case| case.first_operation.grown_bytes.to_string()),
    ("first_operation_shrunk_bytes", |case| case.first_operation.shrunk_bytes.to_string()),
    ("first_operation_reallocated_new_bytes", |case| case.first_operation.reallocated_new_bytes.to_string()),
    ("first_operation_freed_bytes", |case| case.first_operation.freed_bytes.to_string()),
    ("first_operation_failed", |case| case.first_operation.failed.to_string()),
    ("rounds", |case| known(case.time.as_ref().map(|time| time.rounds))),
    ("operations_per_round", |case| known(case.time.as_ref().map(|time| time.operations_per_round))),
    ("mean_ns", |case| known(case.time.as_ref().map(|time| time.mean_ns))),
    ("error_ns", |case| known(case.time.as_ref().map(|time| time.error_ns))),
    ("stddev_ns", |case| known(case.time.as_ref().map(|time| time.stddev_ns))),
    ("median_ns", |case| known(case.time.as_ref().map(|time| time.median_ns))),
    ("p95_ns", |case| known(case.time.as_ref().map(|time| time.p95_ns))),
    ("published_mean_ns", |case| known(case.published.as_ref().and_then(|published| published.mean_ns))),
    ("published_ratio", |case| known(case.published.as_ref().and_then(|published| published.ratio))),
    ("published_allocated_bytes", |case| {
        known(case.published.as_ref().and_then(|published| published.allocated_bytes))
    }),
    ("published_p95_ns", |case| known(case.published.as_ref().and_then(|published| published.p95_ns))),
    ("published_encoded_bytes", |case| {
        known(case.published.as_ref().and_then(|published| published.encoded_bytes))
    }),
    ("published_retained_bytes", |case| {
        known(case.published.as_ref().and_then(|published| published.retained_bytes))
    }),
    ("published_alloc_ratio", |case| {
        known(case.published.as_ref().and_then(|published| published.alloc_ratio))
    }),
];

impl Format for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn purpose(&self) -> &'static str {
        "one line for each case, with all of its figures"
    }

    fn extension(&self) -> &'static str {
        "csv"
    }

    fn render(&self, results: &Results, _view: &View) -> Result<Vec<u8>> {
        let mut text = line(COLUMNS.iter().map(|(title, _)| (*title).to_owned()));
        for case in &results.cases {
            text += &line(COLUMNS.iter().map(|(_, figure)| figure(case)));
        }
        Ok(text.into_bytes())
    }
}

/// An empty cell stands for a figure that there is not.
fn known<T: ToString>(figure: Option<T>) -> String {
    figure.map(|figure| figure.to_string()).unwrap_or_default()
}

fn line(cells: impl Iterator<Item = String>) -> String {
    cells.map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

/// A cell as RFC 4180 has it: in quotes where it holds what would end it.
fn quoted(cell: String) -> String {
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
}
