//! Allocations along the calls that lead to them, from the outermost function inward.

use super::breakdown::cut;
use super::by_block::site_cells;
use super::stack::owner;
use crate::report::grid::{Grid, Row};
use crate::report::number::total;
use crate::results::{Case, Results, SiteRow};

/// A function, or at the end of the calls a type, and every site below it.
struct Node<'a> {
    name: &'a str,
    sites: Vec<&'a SiteRow>,
    children: Vec<Node<'a>>,
}

pub(super) fn grid(results: &Results, case: &Case, top: Option<usize>) -> Grid {
    let mut grid = Grid::new(&["Calls", "Allocations", "Reallocs", "Bytes", "per op", "B/op", "%"]);
    let root = tree(results, case);
    push_nodes(&mut grid.rows, &below_trunk(&root).iter().collect::<Vec<_>>(), 0, top);
    grid.rows.push(Row::Sum(site_cells("Total".to_owned(), &root.sites)));
    grid
}

fn tree<'a>(results: &'a Results, case: &'a Case) -> Node<'a> {
    let mut root = Node { name: "", sites: Vec::new(), children: Vec::new() };
    for site in &case.sites {
        let mut node = &mut root;
        node.sites.push(site);
        for name in path(results, case, site) {
            node = node.child(name);
            node.sites.push(site);
        }
    }
    root
}

/// The functions of a site from the outermost to the program's innermost, then the type.
fn path<'a>(results: &'a Results, case: &'a Case, site: &'a SiteRow) -> impl Iterator<Item = &'a str> {
    let own = site.frames.get(site.own_frame.unwrap_or(0) as usize..).unwrap_or_default();
    let functions = own.iter().rev().filter_map(|&frame| results.frames.get(frame as usize));
    functions.map(|frame| frame.function.as_str()).chain(std::iter::once(owner(case, site)))
}

impl<'a> Node<'a> {
    fn child(&mut self, name: &'a str) -> &mut Self {
        let index = self.children.iter().position(|child| child.name == name).unwrap_or_else(|| {
            self.children.push(Node { name, sites: Vec::new(), children: Vec::new() });
            self.children.len() - 1
        });
        &mut self.children[index]
    }
}

/// Follows the calls that all sites share down to the last one: what lies above it says nothing about the case.
fn below_trunk<'a, 'n>(root: &'n Node<'a>) -> &'n [Node<'a>] {
    let (mut trunk, mut node) = (root, root);
    while let [only] = node.children.as_slice()
        && !only.children.is_empty()
    {
        (trunk, node) = (node, only);
    }
    &trunk.children
}

/// Nodes with those below them, most bytes first; of each node's, `top` are shown and the others summed.
fn push_nodes(rows: &mut Vec<Row>, nodes: &[&Node<'_>], depth: usize, top: Option<usize>) {
    let indent = "  ".repeat(depth);
    let mut sorted = nodes.to_vec();
    sorted.sort_by_key(|node| std::cmp::Reverse(total(node.sites.iter().map(|site| site.bytes))));
    let show = |node: &&Node<'_>| {
        let mut rows = vec![Row::Cells(site_cells(format!("{indent}{}", node.name), &node.sites))];
        push_nodes(&mut rows, &node.children.iter().collect::<Vec<_>>(), depth + 1, top);
        rows
    };
    let sum = |left: &[&Node<'_>], name| {
        let sites: Vec<&SiteRow> = left.iter().flat_map(|node| node.sites.iter().copied()).collect();
        site_cells(format!("{indent}{name}"), &sites)
    };
    rows.extend(cut(sorted, top, show, sum, "call"));
}
