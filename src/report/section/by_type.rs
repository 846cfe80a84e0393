//! The type table, in the form of the write-up about object churn.

use super::breakdown::cut;
use super::by_block::ALIVE;
use super::figures::shown;
use super::who::{self, Who};
use crate::report::calls::Calls;
use crate::report::grid::{Grid, Row};
use crate::report::number::{count, figure, percent, total};
use crate::results::{Case, Frame, Results, TypeKind, TypeRow};

/// Sites that stand under each type; the others are summed in a line.
const SITES: usize = 3;

pub(super) fn grid(results: &Results, case: &Case, top: Option<usize>) -> Grid {
    let mut grid =
        Grid::new(&["Type", "Allocations", "Reallocs", "Bytes", "per op", "B/op", "%", ALIVE, ".NET B/op"]);
    let rows: Vec<&TypeRow> = case.types.iter().filter(|row| says_something(row)).collect();
    let stacks = who::stacks(results, case);
    let show = |row: &&TypeRow| {
        let mut lines = vec![Row::Cells(cells(case, marked(row), &[row]))];
        lines.extend(details(case, row, &stacks));
        lines
    };
    grid.rows = cut(rows.clone(), top, show, |left, name| cells(case, name, left), "type");
    grid.rows.push(Row::Sum(cells(case, "Total".to_owned(), &rows)));
    grid
}

/// Types that only stand in the list of heap events have no figures to show.
fn says_something(row: &TypeRow) -> bool {
    row.allocations > 0
        || row.reallocations > 0
        || row.bytes > 0
        || row.modelled_dotnet_bytes_per_op.is_some()
}

fn cells(case: &Case, name: String, rows: &[&TypeRow]) -> Vec<String> {
    let whole = |figure: fn(&TypeRow) -> u64| count(total(rows.iter().map(|row| figure(row))));
    let sum = |figure: fn(&TypeRow) -> f64| rows.iter().map(|row| figure(row)).sum::<f64>();
    let modelled: Vec<f64> = rows.iter().filter_map(|row| row.modelled_dotnet_bytes_per_op).collect();
    let sites = rows.iter().flat_map(|row| &row.sites).filter_map(|&site| case.sites.get(site as usize));
    vec![
        name,
        whole(|row| row.allocations),
        whole(|row| row.reallocations),
        whole(|row| row.bytes),
        figure(sum(|row| row.allocations_per_op)),
        figure(sum(|row| row.bytes_per_op)),
        percent(sum(|row| row.percent)),
        count(total(sites.map(|site| site.live_bytes))),
        shown((!modelled.is_empty()).then(|| modelled.iter().sum()), figure),
    ]
}

/// A type's name, and what sets it apart from an object of the original.
fn marked(row: &TypeRow) -> String {
    let kind = match row.kind {
        TypeKind::Type | TypeKind::Untyped => "",
        TypeKind::RustOnly => " [Rust only]",
        TypeKind::Inline => " [inline]",
        TypeKind::Harness => " [harness]",
    };
    let merged = if row.merged { " [merged]" } else { "" };
    format!("{}{kind}{merged}", row.name)
}

fn details(case: &Case, row: &TypeRow, stacks: &[Vec<&Frame>]) -> Vec<Row> {
    let mut details = Vec::new();
    if let Some(original) = row.dotnet.as_ref().filter(|original| **original != row.name) {
        details.push(Row::Detail(format!("    .NET: {original}")));
    }
    let sites = who::of_type(case, row, stacks);
    // One line more says as much as the line that would sum it.
    let shown = if sites.len() == SITES + 1 { sites.len() } else { SITES.min(sites.len()) };
    let unit = if case.iterations == 1 { "B" } else { "B/op" };
    let share = |bytes_per_op| {
        if sites.len() > 1 { format!("{} {unit}  ", figure(bytes_per_op)) } else { String::new() }
    };
    for Who { calls, bytes_per_op } in &sites[..shown] {
        let before = format!("    {}", share(*bytes_per_op));
        details.push(Row::Calls(Calls { before, calls: calls.clone() }));
    }
    if sites.len() > shown {
        let left: f64 = sites[shown..].iter().map(|who| who.bytes_per_op).sum();
        details.push(Row::Detail(format!("    {}… {} more sites", share(left), sites.len() - shown)));
    }
    details
}
