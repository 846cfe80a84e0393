//! Who made the difference.

use std::collections::BTreeMap;

use crate::results::{Case, Figures, FunctionSites, Results, Sides, by_function};

use super::baseline::Accepted;
use super::judgement::SiteChange;

/// Callers that are named beside the function that allocates.
const CALLERS: usize = 3;

/// Between the type and the function in the name of a baseline's line.
const IN: &str = " in ";

/// What each type has allocated by each function of the program, under the names that a baseline gives them.
pub(super) fn sites(results: &Results, case: &Case) -> BTreeMap<String, Figures> {
    let mut sites = BTreeMap::<String, Figures>::new();
    for site in by_function(results, case) {
        let sum = sites.entry(name(&site)).or_default();
        *sum = plus(sum, &site.figures);
    }
    sites
}

fn plus(one: &Figures, other: &Figures) -> Figures {
    Figures {
        allocations_per_op: one.allocations_per_op + other.allocations_per_op,
        reallocations_per_op: one.reallocations_per_op + other.reallocations_per_op,
        bytes_per_op: one.bytes_per_op + other.bytes_per_op,
        counts: None,
    }
}

fn name(site: &FunctionSites<'_>) -> String {
    format!("{}{IN}{}", site.owner.name, site.function)
}

/// The types and functions that allocate something else than the baseline has of them, the largest difference first.
pub(super) fn changes(accepted: &Accepted, results: &Results, case: &Case) -> Vec<SiteChange> {
    let measured = sites(results, case);
    let known = by_function(results, case);
    let names =
        accepted.sites.keys().chain(measured.keys().filter(|name| !accepted.sites.contains_key(*name)));
    let mut changes = Vec::new();
    for name in names {
        let sides = Sides { old: accepted.sites.get(name).copied(), new: measured.get(name).copied() };
        if sides.change().is_some() {
            changes.push(change(name, sides, known.iter().find(|site| self::name(site) == *name)));
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

fn change(name: &str, sides: Sides, site: Option<&FunctionSites<'_>>) -> SiteChange {
    let (owner, function) = name.split_once(IN).unwrap_or((name, ""));
    let lines = site.map_or_else(Vec::new, FunctionSites::lines);
    let places = lines.iter().filter_map(|stack| stack.first()?.location.clone()).collect();
    let callers = lines.into_iter().next().unwrap_or_default().into_iter().skip(1).take(CALLERS).collect();
    SiteChange { owner: owner.to_owned(), function: function.to_owned(), places, callers, sides }
}
