//! Who made the difference.

use std::collections::BTreeMap;

use crate::results::{Case, Figures, FunctionSites, Results, Sides, by_function};

use super::baseline::Accepted;
use super::judgement::SiteChange;

/// Callers that are named beside the function that allocates.
const CALLERS: usize = 3;

/// Between the type and the function in the name of a baseline's line.
const IN: &str = " in ";

/// What each type has allocated by each function of the program, under the names that a baseline gives them: a type is called
/// by the shortest name that is its own in the run.
pub(super) fn sites(results: &Results, case: &Case) -> BTreeMap<String, Figures> {
    let named = by_name(results, case).into_iter();
    named.map(|(name, sites)| (name, sum(&sites))).collect()
}

/// Sites by the names that a baseline gives them. Blocks of the harness and of the program may share one.
fn by_name<'a>(results: &'a Results, case: &'a Case) -> BTreeMap<String, Vec<FunctionSites<'a>>> {
    let mut named = BTreeMap::<String, Vec<_>>::new();
    for site in by_function(results, case) {
        named.entry(format!("{}{IN}{}", site.owner.name, site.function)).or_default().push(site);
    }
    named
}

fn sum(sites: &[FunctionSites<'_>]) -> Figures {
    sites.iter().fold(Figures::default(), |sum, site| Figures {
        allocations_per_op: sum.allocations_per_op + site.figures.allocations_per_op,
        reallocations_per_op: sum.reallocations_per_op + site.figures.reallocations_per_op,
        bytes_per_op: sum.bytes_per_op + site.figures.bytes_per_op,
        counts: None,
    })
}

/// The types and functions that allocate something else than the baseline has of them, the largest difference first.
pub(super) fn changes(accepted: &Accepted, results: &Results, case: &Case) -> Vec<SiteChange> {
    let measured = by_name(results, case);
    let gone = accepted.sites.keys().filter(|name| !measured.contains_key(*name));
    let mut changes = Vec::new();
    for name in measured.keys().chain(gone) {
        let sites = measured.get(name);
        let sides = Sides { old: accepted.sites.get(name).copied(), new: sites.map(|sites| sum(sites)) };
        if sides.change().is_some() {
            changes.push(change(name, sides, sites.map_or(&[], Vec::as_slice)));
        }
    }
    let size = |change: &SiteChange| {
        let growth = change.sides.growth();
        (growth.bytes_per_op.abs(), growth.requests_per_op().abs())
    };
    changes.sort_by(|one, other| {
        let ((bytes, requests), (other_bytes, other_requests)) = (size(one), size(other));
        other_bytes.total_cmp(&bytes).then(other_requests.total_cmp(&requests))
    });
    changes
}

fn change(name: &str, sides: Sides, sites: &[FunctionSites<'_>]) -> SiteChange {
    let (owner, function) = name.split_once(IN).unwrap_or((name, ""));
    let lines: Vec<_> = sites.iter().flat_map(FunctionSites::lines).collect();
    let places = lines.iter().filter_map(|stack| stack.first()?.location.clone()).collect();
    let callers = lines.into_iter().next().unwrap_or_default().into_iter().skip(1).take(CALLERS).collect();
    SiteChange { owner: owner.to_owned(), function: function.to_owned(), places, callers, sides }
}
