//! Allocations by the type of the block itself.

use super::breakdown::cut;
use super::stack::owner;
use crate::report::grid::{Grid, Row};
use crate::report::number::{count, figure, percent, total};
use crate::results::{Case, SiteRow};

/// All sites that allocate blocks of one type.
struct Block<'a> {
    name: &'a str,
    sites: Vec<&'a SiteRow>,
}

impl Block<'_> {
    fn bytes(&self) -> u64 {
        total(self.sites.iter().map(|site| site.bytes))
    }
}

/// The column of bytes that were alive when the window closed.
pub(super) const ALIVE: &str = "Left B";

pub(super) fn grid(case: &Case, top: Option<usize>) -> Grid {
    let mut grid =
        Grid::new(&["Block type", "Allocations", "Reallocs", "Bytes", "per op", "B/op", "%", ALIVE]);
    let show = |block: &Block<'_>| {
        let mut rows = vec![Row::Cells(site_cells(block.name.to_owned(), &block.sites))];
        rows.extend(other_owners(case, block).map(Row::Detail));
        rows
    };
    let sum = |left: &[Block<'_>], name| {
        site_cells(name, &left.iter().flat_map(|block| block.sites.iter().copied()).collect::<Vec<_>>())
    };
    grid.rows = cut(blocks(case), top, show, sum, "block type");
    grid.rows.push(Row::Sum(site_cells("Total".to_owned(), &case.sites.iter().collect::<Vec<_>>())));
    grid
}

/// Blocks by their types, most bytes first; the sites' order decides among equals.
fn blocks(case: &Case) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    for site in &case.sites {
        match blocks.iter_mut().find(|block| block.name == site.block_type) {
            Some(block) => block.sites.push(site),
            None => blocks.push(Block { name: &site.block_type, sites: vec![site] }),
        }
    }
    blocks.sort_by_key(|block| std::cmp::Reverse(block.bytes()));
    blocks
}

/// Who owns the blocks, where it is not the blocks' own type alone.
fn other_owners(case: &Case, block: &Block<'_>) -> Option<String> {
    let mut owners: Vec<&str> = Vec::new();
    for site in &block.sites {
        let owner = owner(case, site);
        if !owners.contains(&owner) {
            owners.push(owner);
        }
    }
    (owners != [block.name]).then(|| format!("    owned by {}", owners.join(", ")))
}

/// The figures of sites, summed.
pub(super) fn site_cells(name: String, sites: &[&SiteRow]) -> Vec<String> {
    let whole = |figure: fn(&SiteRow) -> u64| count(total(sites.iter().map(|site| figure(site))));
    let sum = |figure: fn(&SiteRow) -> f64| sites.iter().map(|site| figure(site)).sum::<f64>();
    vec![
        name,
        whole(|site| site.allocations),
        whole(|site| site.reallocations),
        whole(|site| site.bytes),
        figure(sum(|site| site.allocations_per_op)),
        figure(sum(|site| site.bytes_per_op)),
        percent(sum(|site| site.percent)),
        whole(|site| site.live_bytes),
    ]
}
