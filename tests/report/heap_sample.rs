//! One case whose sites have every figure: alive at the peak and at the end, with lifetimes, types, labels and deep stacks.

use alloclab::results::*;

/// Sites that share stacks, and differ by type, block type or label; the last two read the same.
pub(crate) fn heap() -> Results {
    let mut frames = FrameTable::default();
    let mut stack = |functions: &[(&str, Option<&str>)]| -> Vec<u32> {
        let frame = |&(function, location): &(&str, Option<&str>)| Frame {
            function: function.to_owned(),
            location: location.map(str::to_owned),
        };
        functions.iter().map(|function| frames.index_of(frame(function))).collect()
    };
    let grow = ("RawVecInner::finish_grow", Some("alloc/src/raw_vec/mod.rs:464"));
    let (write, main) = (("Writer::write", Some("src/writer.rs:12")), ("main", Some("src/main.rs:3")));
    let deep = stack(&[grow, write, main]);
    let short = stack(&[grow, write]);
    let other =
        stack(&[("Box<Node>::new", Some("alloc/src/boxed.rs:286")), ("<impl Tree>::grow", None), main]);
    let sites = vec![
        site(0, "Vec<u8>", &deep, [700, 41, 48_123], [960, 3, 320, 1, 12_345]),
        site(1, "Vec<u8>", &deep, [90, 0, 7_200], [80, 1, 160, 2, 400]),
        SiteRow { truncated: true, ..site(0, "Vec<u8>", &short, [60, 2, 4_000], [0, 0, 64, 1, 61]) },
        SiteRow {
            label: Some("request".into()),
            ..site(0, "Vec<u8>", &deep, [50, 1, 3_000], [64, 1, 0, 0, 153])
        },
        site(2, "Box<Node>", &other, [40, 0, 2_560], [2_560, 40, 2_560, 40, 0]),
        site(2, "Box<Leaf>", &other, [30, 0, 960], [32, 1, 0, 0, 90]),
        site(3, "(untyped)", &[], [20, 3, 900], [9, 1, 10, 1, 7]),
        site(2, "Box<Leaf>", &other, [10, 5, 640], [32, 1, 48, 2, 31]),
    ];
    let names = ["Vec<u8>", "String", "BTreeMap<u32, Node>", "(untyped)"];
    let types = names.map(|name| TypeRow { name: name.into(), ..TypeRow::default() }).into();
    results(frames, types, sites)
}

/// Figures of a site: allocations, reallocations and bytes; bytes and blocks at the peak, those at the end, lifetimes.
fn site(type_index: u32, block_type: &str, frames: &[u32], window: [u64; 3], rest: [u64; 5]) -> SiteRow {
    let [allocations, reallocations, bytes] = window;
    let [peak_bytes, peak_blocks, live_bytes, live_blocks, lifetime_sum] = rest;
    SiteRow {
        type_index,
        block_type: block_type.into(),
        frames: frames.to_vec(),
        allocations,
        reallocations,
        bytes,
        peak_bytes,
        peak_blocks,
        live_bytes,
        live_blocks,
        lifetime_sum,
        ..SiteRow::default()
    }
}

fn results(frames: FrameTable, types: Vec<TypeRow>, sites: Vec<SiteRow>) -> Results {
    let sum = |figure: fn(&SiteRow) -> u64| sites.iter().map(figure).sum::<u64>();
    let case = Case {
        codec: "tree".into(),
        model: "forest".into(),
        operation: "serialize".into(),
        variant: "span".into(),
        batch: 1,
        threads: 1,
        iterations: 1_000,
        peak_requests: Some(600),
        peak_live_bytes: sum(|site| site.peak_bytes),
        leaked_bytes: sum(|site| site.live_bytes),
        totals: Totals {
            allocations: sum(|site| site.allocations),
            reallocations: sum(|site| site.reallocations),
            allocated_bytes: sum(|site| site.bytes),
            ..Totals::default()
        },
        types,
        sites,
        ..Case::default()
    };
    let environment = Environment { alloclab: "0.1.0".into(), ..Environment::default() };
    Results { cases: vec![case], frames: frames.into_frames(), environment, ..Results::default() }
}
