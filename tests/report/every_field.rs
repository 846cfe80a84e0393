//! The span profile with every field that a run on several threads can write.

use alloclab::results::*;

use crate::sample::span_profile;

/// Results with every field of a run on several threads, and with many sites.
pub(crate) fn with_every_field() -> Results {
    let mut results = span_profile();
    results.see_also = Some("See also: `alloclab list`.".into());
    results.partial = true;
    results.environment.missing_flags = vec!["debug = 1: types have no paths".into()];
    results.environment.overflowed = 7;
    for (number, case) in results.cases.iter_mut().enumerate() {
        let number = number as u64;
        case.heap_run = vec![
            HeapSample { operations: 1, live_bytes: -40 },
            HeapSample { operations: 3, live_bytes: 128 },
        ];
        case.peak_requests = Some(12 + number);
        case.torn = number == 3;
        case.references = vec![Reference { source: "Mono".into(), types: vec![ReferenceType::default()] }];
        case.lifetimes = vec![LifetimeClass { from_allocations: 16, to_allocations: None, blocks: number }];
        for (index, site) in case.sites.iter_mut().enumerate() {
            let index = index as u64;
            (site.peak_bytes, site.peak_blocks, site.live_bytes, site.live_blocks) = (index, 1, 7 * index, 2);
            (site.mean_lifetime, site.lifetime_sum) = (index as f64 / 3.0, index);
            (site.truncated, site.reallocations) = (index % 2 == 1, index % 3);
            site.label = index.is_multiple_of(4).then(|| format!("request {index}"));
            site.own_frame = (!index.is_multiple_of(5)).then_some(1);
        }
        for row in &mut case.types {
            row.block_types =
                vec![BlockType { name: "RawVec<u8>".into(), allocations: 1, ..BlockType::default() }];
            row.merged = number.is_multiple_of(2);
        }
    }
    results
}
