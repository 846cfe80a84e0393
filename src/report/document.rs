//! What a report says, in order, before it takes a form.

use super::grid::Grid;
use super::section::{breakdown, finding, full, notes, side_by_side, summary};
use super::{View, case_name};
use crate::results::{Case, Results};

/// A piece of a report.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// A title over what follows.
    Title(String),
    /// A sentence or more.
    Text(String),
    /// A table.
    Grid(Grid),
}

/// All of a report, as a view asks for it.
pub(super) fn parts(results: &Results, view: &View) -> Vec<Part> {
    if view.side_by_side && !results.cases.is_empty() {
        return side_by_side::parts(results);
    }
    let mut parts = vec![Part::Text(finding::sentence(results))];
    // Where no operation takes one value alone, the rows that there are stand in their place.
    let has_singles = results.cases.iter().any(case_name::is_single);
    let singles: Vec<&Case> =
        results.cases.iter().filter(|case| !has_singles || case_name::is_single(case)).collect();
    let cases: Vec<&Case> = if view.all { results.cases.iter().collect() } else { singles.clone() };
    if !cases.is_empty() {
        if view.all {
            parts.extend(full::parts(&cases));
        } else if !is_alone(&cases) {
            parts.extend(summary::parts(&cases));
        }
        let hidden = results.cases.len() - cases.len();
        if hidden > 0 {
            parts.push(Part::Text(format!(
                "… {hidden} more rows, of batches and of parallel loops: `--all` shows them."
            )));
        }
        let broken_down = if view.every_breakdown { &cases } else { &singles };
        parts.extend(breakdown::parts(results, broken_down, view));
    }
    parts.push(Part::Text(notes::lines(results).join("\n")));
    parts
}

/// Whether there is but one row, of which a table would say no more than the sentence above it.
fn is_alone(cases: &[&Case]) -> bool {
    matches!(cases, [case] if case.iterations == 1 && case.time.is_none())
}
