//! Who was allocated, and who allocated: a table for each codec and operation.

use super::{by_block, by_label, by_site, by_tree, by_type, objects};
use crate::report::compared::compared;
use crate::report::document::Part;
use crate::report::grid::{Grid, Row};
use crate::report::number::{bytes, count, figure};
use crate::report::{By, View, case_name};
use crate::results::{Case, Results};

/// The tables of some cases: each case's if the view asks for them, else one for each codec and operation.
pub(in crate::report) fn parts(results: &Results, cases: &[&Case], view: &View) -> Vec<Part> {
    let mut parts = Vec::new();
    for operation in case_name::operations(cases) {
        let compared = compared(results, operation);
        let of_operation: Vec<&Case> =
            cases.iter().copied().filter(|case| case.operation == operation).collect();
        for codec in codecs(&of_operation) {
            let of_codec: Vec<&Case> =
                of_operation.iter().copied().filter(|case| case.codec == codec).collect();
            push_codec(&mut parts, results, &representative_first(of_codec, &compared), view);
        }
    }
    parts
}

/// Puts the case in front that stands beside those of the other codecs.
fn representative_first<'a>(mut cases: Vec<&'a Case>, compared: &[&Case]) -> Vec<&'a Case> {
    cases.sort_by_key(|case| !compared.iter().any(|other| std::ptr::eq(*other, *case)));
    cases
}

/// Codecs in the order of their first rows.
fn codecs<'a>(cases: &[&'a Case]) -> Vec<&'a str> {
    let mut codecs: Vec<&str> = Vec::new();
    for case in cases {
        if !codecs.contains(&case.codec.as_str()) {
            codecs.push(&case.codec);
        }
    }
    codecs
}

fn push_codec(parts: &mut Vec<Part>, results: &Results, cases: &[&Case], view: &View) {
    let shown = if view.every_breakdown { cases } else { &cases[..1] };
    for case in shown {
        parts.push(Part::Title(title(case, cases)));
        parts.push(Part::Text(totals(case)));
        if !case.types.is_empty() || !case.sites.is_empty() {
            parts.push(Part::Grid(grid(results, case, view)));
        }
        if view.by == By::Type
            && let Some(grid) = objects::grid(case)
        {
            parts.push(Part::Text("The original's objects, beside what others found:".to_owned()));
            parts.push(Part::Grid(grid));
        }
    }
    let others: Vec<String> = cases[shown.len()..].iter().map(|case| other(case, cases)).collect();
    if !others.is_empty() {
        parts.push(Part::Text(format!(
            "… and {}: `--all --by {}` shows their tables.",
            others.join("; "),
            view.by.name()
        )));
    }
}

fn title(case: &Case, among: &[&Case]) -> String {
    match case_name::model_name(case, among).trim_start() {
        "" => format!("{} {}", case.codec, case.operation),
        model => format!("{} {}: `{model}`", case.codec, case.operation),
    }
}

fn grid(results: &Results, case: &Case, view: &View) -> Grid {
    let grid = match view.by {
        By::Type => by_type::grid(results, case, view.top),
        By::Block => by_block::grid(case, view.top),
        By::Site => by_site::grid(results, case, view.top),
        By::Tree => by_tree::grid(results, case, view.top),
        By::Label => by_label::grid(case, view.top),
    };
    // Of one operation, all there is stands in the other columns.
    let grid = if case.iterations == 1 { grid.without_columns(&["per op", "B/op"]) } else { grid };
    grid.without_empty_columns()
}

/// What one operation comes to, in a line.
fn totals(case: &Case) -> String {
    if case.totals.allocations == 0 && case.totals.reallocations == 0 && case.allocations_per_op == 0.0 {
        return format!("No allocation in {}.", operations(case));
    }
    let modelled = match case.modelled_dotnet_bytes_per_op {
        Some(modelled) => format!(" ({} of modelled .NET objects)", bytes(modelled)),
        None => String::new(),
    };
    let (requests, bytes) = (requests(case), bytes(case.bytes_per_op));
    match case.iterations {
        1 => {
            let (peak, left) = (live(case.peak_live_bytes), live(case.leaked_bytes));
            format!("In all: {requests}, {bytes}{modelled}. Alive: {peak} at the peak, {left} at the end.")
        }
        _ => format!("One operation: {requests}, {bytes}{modelled}. {} counted.", operations(case)),
    }
}

fn live(count: u64) -> String {
    bytes(count as f64)
}

fn operations(case: &Case) -> String {
    if case.iterations == 1 {
        "one operation".to_owned()
    } else {
        format!("{} operations", count(case.iterations))
    }
}

fn other(case: &Case, among: &[&Case]) -> String {
    let model = case_name::model_name(case, among);
    format!("`{model}` ({}, {})", requests(case), bytes(case.bytes_per_op))
}

/// Allocations of an operation, and reallocations where there are some.
fn requests(case: &Case) -> String {
    let of = |number: f64, noun: &str| {
        format!("{} {noun}{}", figure(number), if number == 1.0 { "" } else { "s" })
    };
    let allocations = of(case.allocations_per_op, "allocation");
    match case.reallocations_per_op {
        0.0 => allocations,
        reallocations => format!("{allocations}, {}", of(reallocations, "reallocation")),
    }
}

/// The first rows of a table; where some are left out, a last row that sums them.
pub(super) fn cut<T>(
    rows: Vec<T>,
    top: Option<usize>,
    show: impl Fn(&T) -> Vec<Row>,
    sum: impl Fn(&[T], String) -> Vec<String>,
    noun: &str,
) -> Vec<Row> {
    let shown = top.unwrap_or(rows.len()).min(rows.len());
    let mut lines: Vec<Row> = rows[..shown].iter().flat_map(show).collect();
    let left = &rows[shown..];
    if !left.is_empty() {
        let plural = if left.len() == 1 { "" } else { "s" };
        lines.push(Row::Sum(sum(left, format!("… {} more {noun}{plural}", left.len()))));
    }
    lines
}
