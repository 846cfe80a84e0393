//! What one run allocates that another does not, by type and by site.
//!
//! Sites are told by names: the type that owns the block, the program's function that is nearest to the allocator, and, where a
//! function allocates more or less than before, the functions that call it. Addresses and lines change with every build, and
//! say nothing about who allocates.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use serde::Serialize;

use super::site::{Site, StackSites, sum};
use super::{
    Case, CaseKey, Counts, Figures, Frame, FunctionSites, Results, Sides, TypeKind, TypeRow, by_function,
};

/// What differs between two runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Difference {
    /// Cases that both have and that allocate differently, in the order of the new run.
    pub cases: Vec<CaseDifference>,
    /// Cases in which every type and every site allocates the same.
    pub unchanged: usize,
    /// Cases that the old run alone has.
    pub only_old: Vec<CaseKey>,
    /// Cases that the new run alone has.
    pub only_new: Vec<CaseKey>,
}

/// What differs in a case. Rows that do not differ are left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseDifference {
    /// Which case it is.
    pub case: CaseKey,
    /// Operations of the old run and of the new one: whole counts compare only where these are equal.
    pub operations: [u64; 2],
    /// What a whole operation asked for before.
    pub old: Figures,
    /// What a whole operation asks for now.
    pub new: Figures,
    /// Types, in the order of the new run; those that are gone come last.
    pub types: Vec<TypeDifference>,
    /// Types that do not differ.
    pub unchanged_types: usize,
    /// Sites, in the order of the new run; those that are gone come last.
    pub sites: Vec<SiteDifference>,
    /// Functions whose sites do not differ, counted once for each type that they allocate.
    pub unchanged_sites: usize,
}

/// A type that is allocated differently.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TypeDifference {
    /// Its short name.
    #[serde(rename = "type")]
    pub name: String,
    /// Its name with full paths.
    pub path: String,
    /// Before and now.
    #[serde(flatten)]
    pub sides: Sides,
}

/// A site that allocates differently.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SiteDifference {
    /// The short name of the type that owns what is allocated.
    pub owner: String,
    /// The program's functions, innermost first; with the places of the new run, unless the site is gone.
    pub stack: Vec<Frame>,
    /// Before and now.
    #[serde(flatten)]
    pub sides: Sides,
}

impl Difference {
    /// What the second run allocates that the first did not, and the reverse.
    ///
    /// # Examples
    /// ```
    /// use alloclab::results::{Case, Difference, Results};
    ///
    /// let run = |bytes_per_op| {
    ///     Results { cases: vec![Case { bytes_per_op, ..Case::default() }], ..Results::default() }
    /// };
    /// let difference = Difference::between(&run(100.0), &run(25.0));
    /// assert_eq!(difference.cases[0].new.bytes_per_op, 25.0);
    /// assert_eq!(Difference::between(&run(100.0), &run(100.0)).unchanged, 1);
    /// ```
    pub fn between(old: &Results, new: &Results) -> Self {
        let old_cases = by_key(&old.cases, CaseKey::of);
        let mut difference = Self::default();
        let mut met = HashSet::new();
        for case in &new.cases {
            let key = CaseKey::of(case);
            match old_cases.get(&key) {
                None => difference.only_new.push(key.clone()),
                Some(old_case) => match CaseDifference::between((old, old_case), (new, case)) {
                    Some(changed) => difference.cases.push(changed),
                    None => difference.unchanged += 1,
                },
            }
            met.insert(key);
        }
        difference.only_old = old.cases.iter().map(CaseKey::of).filter(|key| !met.contains(key)).collect();
        difference
    }
}

/// A case, and the results that its frames stand in.
type CaseOf<'a> = (&'a Results, &'a Case);

impl CaseDifference {
    fn between(old: CaseOf<'_>, new: CaseOf<'_>) -> Option<Self> {
        let (types, unchanged_types) = types(old.1, new.1);
        let (sites, unchanged_sites) = sites(old, new);
        let [old_figures, new_figures] = [old.1, new.1].map(Figures::of_case);
        let is_same = types.is_empty() && sites.is_empty() && old_figures.equals_per_op(&new_figures);
        (!is_same).then(|| Self {
            case: CaseKey::of(new.1),
            operations: [old.1.iterations, new.1.iterations],
            old: old_figures,
            new: new_figures,
            types,
            unchanged_types,
            sites,
            unchanged_sites,
        })
    }
}

/// The first of each name.
fn by_key<T, K: Eq + Hash>(all: &[T], key: impl Fn(&T) -> K) -> HashMap<K, &T> {
    all.iter().rev().map(|one| (key(one), one)).collect()
}

/// What each name stands for in the old and in the new run, in the order of the new one.
fn pairs<T, K: Eq + Hash>(old: Vec<T>, new: Vec<T>, key: impl Fn(&T) -> K) -> Vec<(Option<T>, Option<T>)> {
    let mut old: Vec<Option<T>> = old.into_iter().map(Some).collect();
    let positions: HashMap<K, usize> =
        old.iter().enumerate().rev().filter_map(|(index, one)| Some((key(one.as_ref()?), index))).collect();
    let mut pairs: Vec<_> = new
        .into_iter()
        .map(|one| (positions.get(&key(&one)).and_then(|&index| old[index].take()), Some(one)))
        .collect();
    pairs.extend(old.into_iter().flatten().map(|one| (Some(one), None)));
    pairs
}

fn types(old: &Case, new: &Case) -> (Vec<TypeDifference>, usize) {
    let mut changed = Vec::new();
    let mut unchanged = 0;
    let key = |row: &&TypeRow| (row.path.clone(), row.kind == TypeKind::Harness);
    for (old_row, new_row) in pairs(allocated(old), allocated(new), key) {
        let Some(row) = new_row.or(old_row) else { continue };
        let figures = |case: &Case, row: &TypeRow| Figures::of(Counts::of_type(row), case.iterations);
        let sides =
            Sides { old: old_row.map(|row| figures(old, row)), new: new_row.map(|row| figures(new, row)) };
        match sides.change() {
            None => unchanged += 1,
            Some(_) => changed.push(TypeDifference { name: row.name.clone(), path: row.path.clone(), sides }),
        }
    }
    (changed, unchanged)
}

/// Types of which something was allocated: a table also has objects of the original that are no blocks here.
fn allocated(case: &Case) -> Vec<&TypeRow> {
    case.types.iter().filter(|row| row.allocations > 0 || row.reallocations > 0).collect()
}

fn sites(old: CaseOf<'_>, new: CaseOf<'_>) -> (Vec<SiteDifference>, usize) {
    let mut changed = Vec::new();
    let mut unchanged = 0;
    let functions = |(results, case)| by_function(results, case);
    for (old_sites, new_sites) in pairs(functions(old), functions(new), FunctionSites::name) {
        let figures = |sites: &Option<FunctionSites<'_>>| sites.as_ref().map(|sites| sites.figures);
        let sides = Sides { old: figures(&old_sites), new: figures(&new_sites) };
        if sides.change().is_none() {
            unchanged += 1;
            continue;
        }
        let Some(owner) = new_sites.as_ref().or(old_sites.as_ref()).map(|sites| sites.owner) else {
            continue;
        };
        let [old_stacks, new_stacks] = [old_sites, new_sites].map(|sites| sites.map(|sites| sites.stacks));
        let operations = [old.1.iterations, new.1.iterations];
        let stacks = [old_stacks.unwrap_or_default(), new_stacks.unwrap_or_default()];
        for (stack, sides) in within_function(stacks, operations) {
            changed.push(SiteDifference { owner: owner.name.clone(), stack, sides });
        }
    }
    (changed, unchanged)
}

/// Which stacks of a function differ. Stacks that have no counterpart on either side are told together: their callers were
/// renamed or moved, and what counts is the sum.
fn within_function([old, new]: [Vec<StackSites<'_>>; 2], operations: [u64; 2]) -> Vec<(Vec<Frame>, Sides)> {
    let mut changed = Vec::new();
    let (mut left_old, mut left_new) = (Vec::new(), Vec::new());
    for pair in pairs(old, new, StackSites::functions) {
        match pair {
            (Some(old), Some(new)) => {
                let sides = Sides {
                    old: Some(sum(operations[0], old.sites.iter())),
                    new: Some(sum(operations[1], new.sites.iter())),
                };
                if sides.change().is_some() {
                    changed.push((told(&old.sites, &new.sites, operations).frames(), sides));
                }
            }
            (old, new) => {
                left_old.extend(old);
                left_new.extend(new);
            }
        }
    }
    changed.extend(left(left_old, left_new, operations));
    changed
}

/// Stacks without a counterpart.
fn left(
    old: Vec<StackSites<'_>>,
    new: Vec<StackSites<'_>>,
    operations: [u64; 2],
) -> Vec<(Vec<Frame>, Sides)> {
    let figures = |stacks: &[StackSites<'_>], side: usize| {
        Some(sum(operations[side], stacks.iter().flat_map(|stack| &stack.sites)))
    };
    match (&old[..], &new[..]) {
        ([_, ..], [first, ..]) => {
            let sides = Sides { old: figures(&old, 0), new: figures(&new, 1) };
            let is_changed = sides.change().is_some();
            is_changed.then(|| (first.sites[0].frames(), sides)).into_iter().collect()
        }
        _ => {
            let gone = old
                .iter()
                .map(|stack| (stack, Sides { old: figures(std::slice::from_ref(stack), 0), new: None }));
            let appeared = new
                .iter()
                .map(|stack| (stack, Sides { old: None, new: figures(std::slice::from_ref(stack), 1) }));
            gone.chain(appeared).map(|(stack, sides)| (stack.sites[0].frames(), sides)).collect()
        }
    }
}

/// Of sites that differ by their lines alone, the one that the old run has no equal of: the line that was added or changed.
fn told<'s, 'a>(old: &[Site<'a>], new: &'s [Site<'a>], operations: [u64; 2]) -> &'s Site<'a> {
    let mut unmatched: Vec<Figures> = old.iter().map(|site| sum(operations[0], [site].into_iter())).collect();
    let is_added = |site: &&Site<'_>| {
        let figures = sum(operations[1], [*site].into_iter());
        let equal = unmatched.iter().position(|old| old.equals_per_op(&figures));
        equal.map(|index| unmatched.swap_remove(index)).is_none()
    };
    new.iter().find(is_added).unwrap_or(&new[0])
}
