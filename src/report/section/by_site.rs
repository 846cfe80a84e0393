//! Allocations by call site, each with the calls that lead there.

use std::collections::HashMap;

use super::breakdown::cut;
use super::by_block::{ALIVE, site_cells};
use super::stack::{own_calls, owner};
use crate::report::grid::{Grid, Row};
use crate::report::number::total;
use crate::results::{Case, Frame, Results, SiteRow};

/// Callers that stand under a site; `tree` shows them all.
const CALLERS: usize = 3;

/// Sites that differ in nothing of the program's own: a thread pool's stacks, say.
struct Site<'a> {
    stack: Vec<&'a Frame>,
    sites: Vec<&'a SiteRow>,
}

pub(super) fn grid(results: &Results, case: &Case, top: Option<usize>) -> Grid {
    let mut grid = Grid::new(&["Site", "Allocations", "Reallocs", "Bytes", "per op", "B/op", "%", ALIVE]);
    let show = |site: &Site<'_>| {
        let frame = site.stack.first();
        let function = frame.map_or("(no stack)", |frame| &frame.function);
        let mut rows = vec![Row::Cells(site_cells(function.to_owned(), &site.sites))];
        let location = frame.and_then(|frame| frame.location.as_deref()).unwrap_or("(no location)");
        rows.push(Row::Detail(format!("    {} at {location}", types(case, site.sites[0]))));
        rows.extend(caller_lines(site).into_iter().map(Row::Detail));
        rows
    };
    let sum = |left: &[Site<'_>], name| {
        site_cells(name, &left.iter().flat_map(|site| site.sites.iter().copied()).collect::<Vec<_>>())
    };
    grid.rows = cut(sites(results, case), top, show, sum, "site");
    grid.rows.push(Row::Sum(site_cells("Total".to_owned(), &case.sites.iter().collect::<Vec<_>>())));
    grid
}

/// Sites by their types and own functions, most bytes first; the results' order decides among equals.
fn sites<'a>(results: &'a Results, case: &'a Case) -> Vec<Site<'a>> {
    let mut indices: HashMap<(u32, &str, Vec<&Frame>), usize> = HashMap::new();
    let mut sites: Vec<Site<'_>> = Vec::new();
    for site in &case.sites {
        let stack = own_calls(results, site);
        let key = (site.type_index, site.block_type.as_str(), stack.clone());
        let index = *indices.entry(key).or_insert(sites.len());
        match sites.get_mut(index) {
            Some(same) => same.sites.push(site),
            None => sites.push(Site { stack, sites: vec![site] }),
        }
    }
    sites.sort_by_key(|site| std::cmp::Reverse(total(site.sites.iter().map(|site| site.bytes))));
    sites
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
fn caller_lines(site: &Site<'_>) -> Vec<String> {
    let callers = site.stack.iter().skip(1);
    let more = callers.len() > CALLERS || site.sites.iter().any(|site| site.truncated);
    let mut lines: Vec<String> =
        callers.take(CALLERS).map(|frame| format!("    < {}", frame.function)).collect();
    if let Some(last) = lines.last_mut().filter(|_| more) {
        *last += " < …";
    }
    lines
}
