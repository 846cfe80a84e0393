//! Allocations by call site, each with the calls that lead there.

use super::breakdown::cut;
use super::by_block::site_cells;
use super::stack::{callers, own_frame, owner};
use crate::report::grid::{Grid, Row};
use crate::results::{Case, Results, SiteRow};

/// Callers that stand under a site; `tree` shows them all.
const CALLERS: usize = 3;

pub(super) fn grid(results: &Results, case: &Case, top: Option<usize>) -> Grid {
    let mut grid = Grid::new(&["Site", "Allocations", "Reallocs", "Bytes", "per op", "B/op", "%"]);
    let sites: Vec<&SiteRow> = case.sites.iter().collect();
    let show = |site: &&SiteRow| {
        let frame = own_frame(results, site);
        let function = frame.map_or("(no stack)", |frame| &frame.function);
        let mut rows = vec![Row::Cells(site_cells(function.to_owned(), &[site]))];
        let location = frame.and_then(|frame| frame.location.as_deref()).unwrap_or("(no location)");
        rows.push(Row::Detail(format!("    {} at {location}", types(case, site))));
        rows.extend(caller_lines(results, site).into_iter().map(Row::Detail));
        rows
    };
    grid.rows = cut(sites.clone(), top, show, |left, name| site_cells(name, left), "site");
    grid.rows.push(Row::Sum(site_cells("Total".to_owned(), &sites)));
    grid
}

fn types(case: &Case, site: &SiteRow) -> String {
    let owner = owner(case, site);
    if site.block_type.is_empty() || site.block_type == owner {
        owner.to_owned()
    } else {
        format!("{owner}, block {}", site.block_type)
    }
}

/// A line for each of the next callers; the last one says whether there are more.
fn caller_lines(results: &Results, site: &SiteRow) -> Vec<String> {
    let mut functions: Vec<&str> = callers(results, site).map(|frame| frame.function.as_str()).collect();
    let more = functions.len() > CALLERS || site.truncated;
    functions.truncate(CALLERS);
    let mut lines: Vec<String> = functions.iter().map(|function| format!("    < {function}")).collect();
    if let Some(last) = lines.last_mut().filter(|_| more) {
        *last += " < …";
    }
    lines
}
