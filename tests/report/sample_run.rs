//! Results of a few cases, made from what their sites allocate.

use std::collections::BTreeMap;

use alloclab::results::*;

/// Operations of every case.
pub(crate) const OPERATIONS: u64 = 200;

/// What a site allocates in all operations: owner, stack as `function file:line`, innermost first, blocks and bytes.
#[derive(Clone, Copy)]
pub(crate) struct Site(pub &'static str, pub &'static [&'static str], pub u64, pub u64);

/// A run of cases, each named by `codec model operation variant`.
pub(crate) fn run(cases: &[(&str, &[Site])]) -> Results {
    let mut frames = FrameTable::default();
    let cases = cases.iter().map(|(name, sites)| case(name, sites, &mut frames)).collect();
    let environment = Environment {
        rustc: "rustc 1.95.0".into(),
        target: "x86_64-unknown-linux-gnu".into(),
        opt_level: "3".into(),
        iterations: OPERATIONS,
        ..Environment::default()
    };
    Results { profile: "mine".into(), environment, cases, frames: frames.into_frames(), ..Results::default() }
}

fn case(name: &str, sites: &[Site], frames: &mut FrameTable) -> Case {
    let mut types = BTreeMap::<&str, TypeRow>::new();
    for Site(owner, _, allocations, bytes) in sites {
        let row = types.entry(owner).or_default();
        (row.name, row.path) = ((*owner).into(), format!("path::{owner}"));
        row.allocations += allocations;
        row.bytes += bytes;
    }
    let index = |owner: &str| types.keys().position(|name| *name == owner).unwrap() as u32;
    let rows = sites.iter().map(|Site(owner, stack, allocations, bytes)| SiteRow {
        type_index: index(owner),
        frames: stack.iter().map(|frame| frames.index_of(self::frame(frame))).collect(),
        own_frame: Some(0),
        allocations: *allocations,
        bytes: *bytes,
        ..SiteRow::default()
    });
    let sites: Vec<SiteRow> = rows.collect();
    let totals = Totals {
        allocations: sites.iter().map(|site| site.allocations).sum(),
        allocated_bytes: sites.iter().map(|site| site.bytes).sum(),
        ..Totals::default()
    };
    let names: Vec<String> = name.split(' ').map(str::to_owned).collect();
    let [codec, model, operation, variant] = names.try_into().unwrap();
    Case {
        codec,
        model,
        operation,
        variant,
        batch: 1,
        threads: 1,
        iterations: OPERATIONS,
        allocations_per_op: totals.allocations as f64 / OPERATIONS as f64,
        bytes_per_op: totals.allocated_bytes as f64 / OPERATIONS as f64,
        totals,
        types: types.into_values().collect(),
        sites,
        ..Case::default()
    }
}

fn frame(text: &str) -> Frame {
    let (function, place) = text.split_once(' ').unwrap();
    Frame { function: function.into(), location: Some(place.into()) }
}
