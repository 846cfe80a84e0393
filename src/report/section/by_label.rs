//! Allocations by the label that the thread had, and under each label by the type that owns the blocks.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::breakdown::cut;
use super::by_block::{ALIVE, site_cells};
use super::stack::owner;
use crate::report::grid::{Grid, Row};
use crate::report::number::total;
use crate::results::{Case, SiteRow};

/// Sites that have something in common, by which they are named.
struct Group<'a> {
    name: &'a str,
    sites: Vec<&'a SiteRow>,
}

pub(super) fn grid(case: &Case, top: Option<usize>) -> Grid {
    let mut grid =
        Grid::new(&["Label, type", "Allocations", "Reallocs", "Bytes", "per op", "B/op", "%", ALIVE]);
    let sites: Vec<&SiteRow> = case.sites.iter().collect();
    let labels = groups(&sites, |site| site.label.as_deref().unwrap_or("(no label)"));
    let show = |label: &Group<'_>| {
        let mut rows = vec![Row::Cells(site_cells(label.name.to_owned(), &label.sites))];
        rows.extend(types(case, label, top));
        rows
    };
    grid.rows = cut(labels, top, show, |left, name| site_cells(name, &all(left)), "label");
    grid.rows.push(Row::Sum(site_cells("Total".to_owned(), &sites)));
    grid
}

/// What was allocated under one label.
fn types(case: &Case, label: &Group<'_>, top: Option<usize>) -> Vec<Row> {
    let types = groups(&label.sites, |site| owner(case, site));
    let cells = |name: &str, sites: &[&SiteRow]| site_cells(format!("  {name}"), sites);
    let show = |row: &Group<'_>| vec![Row::Cells(cells(row.name, &row.sites))];
    cut(types, top, show, |left, name| cells(&name, &all(left)), "type")
}

/// Sites by a name of theirs, most bytes first; the sites' order decides among equals.
fn groups<'a>(sites: &[&'a SiteRow], name_of: impl Fn(&'a SiteRow) -> &'a str) -> Vec<Group<'a>> {
    let mut indices = HashMap::new();
    let mut groups: Vec<Group<'a>> = Vec::new();
    for &site in sites {
        let name = name_of(site);
        let index = *indices.entry(name).or_insert(groups.len());
        match groups.get_mut(index) {
            Some(group) => group.sites.push(site),
            None => groups.push(Group { name, sites: vec![site] }),
        }
    }
    groups.sort_by_key(|group| Reverse(total(group.sites.iter().map(|site| site.bytes))));
    groups
}

fn all<'a>(groups: &[Group<'a>]) -> Vec<&'a SiteRow> {
    groups.iter().flat_map(|group| group.sites.iter().copied()).collect()
}
