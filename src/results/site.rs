//! Sites by what they are called, so that those of two builds can be told to be the same.

use std::collections::HashMap;

use super::{Case, Counts, Figures, Frame, Results, SiteRow, TypeKind, TypeRow, is_programs, own_calls};

/// What a type has allocated by one function of the program, on whatever stacks.
#[derive(Clone, Debug)]
pub struct FunctionSites<'a> {
    /// The type that owns what is allocated.
    pub owner: &'a TypeRow,
    /// The program's function that is nearest to the allocator.
    pub function: &'a str,
    /// All that the function allocates of the type.
    pub figures: Figures,
    /// Its sites by their stacks: functions of the program, told by names.
    pub(super) stacks: Vec<StackSites<'a>>,
}

/// Sites that differ in no function of the program; the lines may differ.
#[derive(Clone, Debug)]
pub(super) struct StackSites<'a> {
    pub(super) sites: Vec<Site<'a>>,
}

/// A site with the program's own part of its stack.
#[derive(Clone, Debug)]
pub(super) struct Site<'a> {
    pub(super) row: &'a SiteRow,
    pub(super) stack: Vec<&'a Frame>,
}

/// Who allocates what in a case: each type and function once, most bytes first.
///
/// # Examples
/// ```
/// use alloclab::results::{Case, Frame, Results, SiteRow, TypeRow, by_function};
///
/// let case = Case {
///     iterations: 2,
///     types: vec![TypeRow { name: "String".into(), ..TypeRow::default() }],
///     sites: vec![SiteRow { frames: vec![0], allocations: 4, ..SiteRow::default() }],
///     ..Case::default()
/// };
/// let frames = vec![Frame { function: "encode".into(), location: None }];
/// let results = Results { cases: vec![case], frames, ..Results::default() };
/// let sites = by_function(&results, &results.cases[0]);
/// assert_eq!((sites[0].function, sites[0].figures.allocations_per_op), ("encode", 2.0));
/// ```
pub fn by_function<'a>(results: &'a Results, case: &'a Case) -> Vec<FunctionSites<'a>> {
    let mut groups: Vec<(&TypeRow, &str, Vec<Site<'_>>)> = Vec::new();
    let mut indices = HashMap::new();
    for row in &case.sites {
        let Some(owner) = case.types.get(row.type_index as usize) else { continue };
        let mut stack = own_calls(results, row);
        // A library that allocates is told by who called it.
        let nearest = stack.iter().position(|frame| is_programs(frame)).unwrap_or(0);
        stack.drain(..nearest);
        let function = stack.first().map_or("(no stack)", |frame| &frame.function);
        let index = *indices.entry(name(owner, function)).or_insert_with(|| {
            groups.push((owner, function, Vec::new()));
            groups.len() - 1
        });
        groups[index].2.push(Site { row, stack });
    }
    let mut functions: Vec<_> = groups
        .into_iter()
        .map(|(owner, function, sites)| FunctionSites {
            owner,
            function,
            figures: sum(case.iterations, sites.iter()),
            stacks: by_stack(sites),
        })
        .collect();
    functions.sort_by(|one, other| other.figures.bytes_per_op.total_cmp(&one.figures.bytes_per_op));
    functions
}

impl<'a> FunctionSites<'a> {
    /// What is the same in another run of it.
    pub(super) fn name(&self) -> (&'a str, bool, &'a str) {
        name(self.owner, self.function)
    }

    /// The stack of each of its lines, most bytes first: the function itself and its callers.
    pub fn lines(&self) -> Vec<Vec<Frame>> {
        let mut lines: Vec<&Site<'_>> = Vec::new();
        for site in self.stacks.iter().flat_map(|stack| &stack.sites) {
            let place = |site: &Site<'a>| site.stack.first().and_then(|frame| frame.location.as_deref());
            if lines.iter().all(|line| place(line) != place(site)) {
                lines.push(site);
            }
        }
        lines.sort_by_key(|line| std::cmp::Reverse(line.row.bytes));
        lines.into_iter().map(Site::frames).collect()
    }
}

impl<'a> StackSites<'a> {
    pub(super) fn functions(&self) -> Vec<&'a str> {
        self.sites[0].functions()
    }
}

impl<'a> Site<'a> {
    fn functions(&self) -> Vec<&'a str> {
        self.stack.iter().map(|frame| frame.function.as_str()).collect()
    }

    pub(super) fn frames(&self) -> Vec<Frame> {
        self.stack.iter().map(|&frame| frame.clone()).collect()
    }
}

/// The whole path tells a type; blocks of the harness are not the program's.
fn name<'a>(owner: &'a TypeRow, function: &'a str) -> (&'a str, bool, &'a str) {
    (&owner.path, owner.kind == TypeKind::Harness, function)
}

/// What sites allocate in a window of so many operations.
pub(super) fn sum<'s, 'a: 's>(operations: u64, sites: impl Iterator<Item = &'s Site<'a>>) -> Figures {
    Figures::of(Counts::of_sites(sites.map(|site| site.row)), operations)
}

fn by_stack(sites: Vec<Site<'_>>) -> Vec<StackSites<'_>> {
    let mut stacks: Vec<StackSites<'_>> = Vec::new();
    let mut indices = HashMap::new();
    for site in sites {
        let index = *indices.entry(site.functions()).or_insert_with(|| {
            stacks.push(StackSites { sites: Vec::new() });
            stacks.len() - 1
        });
        stacks[index].sites.push(site);
    }
    stacks
}
