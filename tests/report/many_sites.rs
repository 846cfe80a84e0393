//! One case with as many sites as one wants.

use alloclab::results::*;

use crate::sample::span_profile;

/// One case with so many sites, each on a stack of its own of twenty calls.
pub(crate) fn with_sites(count: u32) -> Results {
    let mut results = Results { cases: vec![span_profile().cases.swap_remove(7)], ..span_profile() };
    let mut frames = FrameTable::default();
    let mut stack = |number: u32| -> Vec<u32> {
        let functions =
            (0..20).map(|depth| format!("parser::level_{depth}::rule_{}", (number >> depth) % 97));
        let place = Some("src/parser.rs:12".to_owned());
        functions.map(|function| frames.index_of(Frame { function, location: place.clone() })).collect()
    };
    let types = results.cases[0].types.len() as u32;
    results.cases[0].sites = (0..count)
        .map(|number| SiteRow {
            type_index: number % types,
            block_type: format!("Node<{}>", number % 50),
            frames: stack(number),
            own_frame: Some(2),
            allocations: 100_000 + u64::from(number),
            bytes: 24 * (100_000 + u64::from(number)),
            mean_lifetime: f64::from(number) / 7.0,
            lifetime_sum: u64::from(number) * 1_234,
            ..SiteRow::default()
        })
        .collect();
    results.frames = frames.into_frames();
    results
}
