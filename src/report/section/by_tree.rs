//! Allocations along the program's own calls that lead to them, from the outermost function inward.
//!
//! A row is a call, or at the end of the calls an allocation, with the line that makes it. Calls that make but one other
//! call stand with it in one row.

use super::breakdown::cut;
use super::by_block::{ALIVE, site_cells};
use super::stack::{file_and_line, own_calls, owner};
use crate::report::calls::brief;
use crate::report::grid::{Grid, Row};
use crate::report::number::total;
use crate::results::{Case, Results, SiteRow};

/// Calls of a row that are named; of more, the last.
const NAMED: usize = 2;

/// What is called, or at the end of the calls a type that is allocated, and the line of the caller.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Step<'a> {
    name: &'a str,
    line: Option<&'a str>,
}

/// A step, and every site below it.
struct Node<'a> {
    step: Step<'a>,
    sites: Vec<&'a SiteRow>,
    children: Vec<Node<'a>>,
}

pub(super) fn grid(results: &Results, case: &Case, top: Option<usize>) -> Grid {
    let mut grid =
        Grid::new(&["Calls (››: several)", "Allocations", "Reallocs", "Bytes", "per op", "B/op", "%", ALIVE]);
    let root = tree(results, case);
    push_nodes(&mut grid.rows, &below_trunk(&root).iter().collect::<Vec<_>>(), 0, top);
    grid.rows.push(Row::Sum(site_cells("Total".to_owned(), &root.sites)));
    grid
}

fn tree<'a>(results: &'a Results, case: &'a Case) -> Node<'a> {
    let mut root = Node { step: Step { name: "", line: None }, sites: Vec::new(), children: Vec::new() };
    for site in &case.sites {
        let mut node = &mut root;
        node.sites.push(site);
        for step in path(results, case, site) {
            node = node.child(step);
            node.sites.push(site);
        }
    }
    root
}

/// The functions of a site from the outermost to the program's innermost, then the type.
fn path<'a>(results: &'a Results, case: &'a Case, site: &'a SiteRow) -> Vec<Step<'a>> {
    let mut line = None;
    let mut path = Vec::new();
    for frame in own_calls(results, site).into_iter().rev() {
        path.push(Step { name: &frame.function, line });
        line = file_and_line(frame);
    }
    path.push(Step { name: owner(case, site), line });
    path
}

impl<'a> Node<'a> {
    fn child(&mut self, step: Step<'a>) -> &mut Self {
        let index = self.children.iter().position(|child| child.step == step).unwrap_or_else(|| {
            self.children.push(Node { step, sites: Vec::new(), children: Vec::new() });
            self.children.len() - 1
        });
        &mut self.children[index]
    }

    fn bytes(&self) -> u64 {
        total(self.sites.iter().map(|site| site.bytes))
    }

    /// The node and those below it as far as each has but one below, which is no allocation yet.
    fn run(&self) -> Vec<&Self> {
        let mut run = vec![self];
        while let [only] = run[run.len() - 1].children.as_slice()
            && !only.children.is_empty()
        {
            run.push(only);
        }
        run
    }
}

/// A run of calls in words: where the first is made, and at most [`NAMED`] names.
fn name(run: &[&Node<'_>]) -> String {
    let names: Vec<String> = run.iter().map(|node| brief(node.step.name)).collect();
    let named =
        if names.len() > NAMED { format!("›› {}", names[names.len() - 1]) } else { names.join(" › ") };
    match run[0].step.line {
        Some(line) => format!("{line} {named}"),
        None => named,
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
    sorted.sort_by_key(|node| std::cmp::Reverse(node.bytes()));
    let show = |node: &&Node<'_>| {
        let run = node.run();
        let mut rows = vec![Row::Cells(site_cells(format!("{indent}{}", name(&run)), &node.sites))];
        let children: Vec<&Node<'_>> = run[run.len() - 1].children.iter().collect();
        push_nodes(&mut rows, &children, depth + 1, top);
        rows
    };
    let sum = |left: &[&Node<'_>], name| {
        let sites: Vec<&SiteRow> = left.iter().flat_map(|node| node.sites.iter().copied()).collect();
        site_cells(format!("{indent}{name}"), &sites)
    };
    rows.extend(cut(sorted, top, show, sum, "call"));
}
