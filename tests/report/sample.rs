//! Results as a run of the span profile leaves them, with whole windows of 100,000 operations.

use alloclab::results::*;

pub(crate) const ITERATIONS: u64 = 100_000;

/// A type of a sample case: name, the original's name, kind, blocks and bytes of an operation.
pub(crate) struct Kind(&'static str, Option<&'static str>, TypeKind, u64, u64);

const BINARY: &[Kind] = &[
    Kind(
        "Stack<BinaryComposite, alloc::alloc::Global>",
        Some("System.Collections.Generic.Stack<Object>"),
        TypeKind::Type,
        4,
        320,
    ),
    Kind("Binary", Some("NewLife.Serialization.Binary"), TypeKind::Type, 1, 112),
    Kind("Vec<Box<dyn BinaryHandler>>", Some("IBinaryHandler[]"), TypeKind::Type, 4, 256),
    Kind("BinaryList", None, TypeKind::Type, 1, 32),
    Kind("BinaryDictionary", None, TypeKind::Type, 1, 32),
    Kind("BinaryGeneral", None, TypeKind::Type, 1, 32),
    Kind("BinaryNormal", None, TypeKind::Type, 1, 32),
    Kind("MemoryStream", Some("System.IO.MemoryStream"), TypeKind::Type, 2, 128),
    Kind(
        "Func<MemberInfo, IEnumerable<CustomAttribute>, DisplayClass17_0<PropertyInfo>>",
        None,
        TypeKind::Type,
        3,
        192,
    ),
    Kind(
        "HashMap<String, PropertyAccessor<Box<dyn Any>>, RandomState>",
        Some("System.Collections.Generic.Dictionary`2"),
        TypeKind::Type,
        2,
        264,
    ),
    Kind("HashMap<String, PropertyAccessor<Box<dyn Fn>>, RandomState>", None, TypeKind::Type, 2, 160),
    Kind(
        "WhereEnumerableIterator<PropertyInfo>",
        Some("System.Linq.Enumerable.WhereEnumerableIterator`1"),
        TypeKind::Type,
        2,
        112,
    ),
    Kind("Boxed<i32>", Some("System.Int32"), TypeKind::Type, 2, 48),
    Kind("Boxed<bool>", Some("System.Boolean"), TypeKind::Type, 1, 24),
    Kind("Boxed<f64>", Some("System.Double"), TypeKind::Type, 1, 24),
    Kind("Boxed<DateTime>", Some("System.DateTime"), TypeKind::Type, 1, 24),
    Kind("Vec<u8>", Some("System.Byte[]"), TypeKind::Type, 6, 168),
    Kind("IndexMap<Arc<str>, TypeCacheEntry>", None, TypeKind::RustOnly, 1, 88),
    Kind("AsyncLocal", Some("System.Threading.AsyncLocal`1"), TypeKind::Inline, 0, 0),
    Kind("String", Some("System.String"), TypeKind::Type, 1, 14),
];

pub(crate) const REFLECT: &[Kind] = &[
    Kind("Boxed<i32>", Some("System.Int32"), TypeKind::Type, 1, 24),
    Kind("Boxed<bool>", Some("System.Boolean"), TypeKind::Type, 1, 24),
    Kind("Boxed<f64>", Some("System.Double"), TypeKind::Type, 1, 24),
    Kind("Boxed<DateTime>", Some("System.DateTime"), TypeKind::Type, 1, 24),
];

const OWNED: &[Kind] = &[Kind("String", Some("System.String"), TypeKind::Type, 1, 8)];

/// Two cases that fit a page.
pub(crate) fn small() -> Results {
    let mut builder = CaseBuilder::new();
    builder.case(["span-reflect", "simple", "serialize", "span"], 1, REFLECT, 59.03);
    builder.case(["span", "simple", "serialize", "span"], 1, &[], 23.49);
    builder.finish()
}

/// A case whose figures follow from its types.
pub(crate) struct CaseBuilder {
    frames: FrameTable,
    cases: Vec<Case>,
}

impl CaseBuilder {
    pub(crate) fn new() -> Self {
        Self { frames: FrameTable::default(), cases: Vec::new() }
    }

    /// Adds a case: `scale` values make one operation, and one value takes `mean_ns`.
    pub(crate) fn case(&mut self, names: [&str; 4], scale: u32, kinds: &[Kind], mean_ns: f64) -> &mut Case {
        let [codec, model, operation, variant] = names;
        let iterations = ITERATIONS / u64::from(scale);
        let count = |kind: &Kind| kind.3 * u64::from(scale) * iterations;
        let bytes = |kind: &Kind| kind.4 * u64::from(scale) * iterations;
        let (blocks, total): (u64, u64) = (kinds.iter().map(count).sum(), kinds.iter().map(bytes).sum());
        let mut sites = Vec::new();
        let types = kinds.iter().enumerate().map(|(index, kind)| {
            // The first type of every case has a site for each of its blocks, the others one.
            let share = if index == 0 { kind.3.max(1) } else { 1 };
            let first = sites.len() as u32;
            for part in 0..share {
                sites.push(self.site(
                    index as u32,
                    part,
                    kind,
                    codec,
                    count(kind) / share,
                    bytes(kind) / share,
                    total,
                    iterations,
                ));
            }
            TypeRow {
                name: kind.0.to_owned(),
                path: format!("alloclab::codec::{}", kind.0),
                dotnet: kind.1.map(str::to_owned),
                kind: kind.2,
                allocations: count(kind),
                bytes: bytes(kind),
                allocations_per_op: count(kind) as f64 / iterations as f64,
                bytes_per_op: bytes(kind) as f64 / iterations as f64,
                percent: if total == 0 { 0.0 } else { 100.0 * bytes(kind) as f64 / total as f64 },
                modelled_dotnet_bytes_per_op: kind.1.map(|_| (kind.4.max(32)) as f64 * f64::from(scale)),
                sites: (first..first + share as u32).collect(),
                ..TypeRow::default()
            }
        });
        let types: Vec<TypeRow> = types.collect();
        let modelled: f64 = types.iter().filter_map(|row| row.modelled_dotnet_bytes_per_op).sum();
        let totals = Totals {
            allocations: blocks,
            deallocations: blocks,
            allocated_bytes: total,
            freed_bytes: total,
            ..Totals::default()
        };
        self.cases.push(Case {
            codec: codec.into(),
            model: model.into(),
            operation: operation.into(),
            variant: variant.into(),
            batch: if variant == "batch" { scale } else { 1 },
            threads: if variant == "concurrent" { scale } else { 1 },
            group: "single".into(),
            baseline: codec == "span-reflect" && model == "simple" && variant == "span",
            iterations,
            encoded_bytes: 23 * u64::from(scale),
            allocations_per_op: blocks as f64 / iterations as f64,
            bytes_per_op: total as f64 / iterations as f64,
            new_size_bytes_per_op: total as f64 / iterations as f64,
            frees_per_op: blocks as f64 / iterations as f64,
            modelled_dotnet_bytes_per_op: (modelled > 0.0).then_some(modelled),
            peak_live_bytes: total / iterations.max(1),
            ratio: Some(mean_ns / 59.03),
            alloc_ratio: Some(total as f64 / iterations as f64 / 96.0),
            first_operation: Totals { allocations: blocks / iterations, ..Totals::default() },
            totals,
            time: Some(time(mean_ns * f64::from(scale))),
            heap_events: heap_events(&types, kinds),
            heap_events_complete: true,
            size_classes: size_classes(kinds, iterations),
            types,
            sites,
            published: Some(Published {
                mean_ns: Some(mean_ns * 1.2),
                ratio: Some(mean_ns / 60.0),
                allocated_bytes: Some(modelled),
                alloc_ratio: Some(modelled / 96.0),
                ..Published::default()
            }),
            ..Case::default()
        });
        self.cases.last_mut().expect("a case was just pushed")
    }

    #[allow(clippy::too_many_arguments)]
    fn site(
        &mut self,
        type_index: u32,
        part: u64,
        kind: &Kind,
        codec: &str,
        allocations: u64,
        bytes: u64,
        total: u64,
        iterations: u64,
    ) -> SiteRow {
        let module = codec.replace('-', "_");
        let mut frame = |function: String, location: String| {
            self.frames.index_of(Frame { function, location: Some(location) })
        };
        let frames = vec![
            frame("Box<T>::new".into(), "/rustc/library/alloc/src/boxed.rs:263".into()),
            frame(
                format!("{module}::handler::write_{}", type_index * 10 + part as u32),
                format!("src/codec/{module}/handler.rs:{}", 40 + type_index),
            ),
            frame(
                format!("{module}::Writer::write_{}", type_index % 3),
                format!("src/codec/{module}/writer.rs:{}", 90 + type_index % 3),
            ),
            frame(format!("{module}::serialize"), format!("src/codec/{module}/mod.rs:31")),
        ];
        SiteRow {
            type_index,
            block_type: if type_index % 4 == 2 { "RawVec<u8>".into() } else { kind.0.to_owned() },
            frames,
            own_frame: Some(1),
            allocations,
            bytes,
            allocations_per_op: allocations as f64 / iterations as f64,
            bytes_per_op: bytes as f64 / iterations as f64,
            percent: if total == 0 { 0.0 } else { 100.0 * bytes as f64 / total as f64 },
            ..SiteRow::default()
        }
    }

    pub(crate) fn finish(self) -> Results {
        Results {
            profile: "span".into(),
            title: "SpanSerializer against Binary".into(),
            environment: environment(),
            cases: self.cases,
            frames: self.frames.into_frames(),
            ..Results::default()
        }
    }
}

/// The span profile, with single operations, batches and parallel loops.
pub(crate) fn span_profile() -> Results {
    let mut builder = CaseBuilder::new();
    builder.case(["span-reflect", "simple", "serialize", "span"], 1, REFLECT, 59.03);
    builder.case(["span-reflect", "simple", "serialize", "pooled"], 1, REFLECT, 64.8);
    builder.case(["span-reflect", "nested", "serialize", "span"], 1, REFLECT, 110.56);
    for model in ["simple", "nested", "fast"] {
        builder.case(["span", model, "serialize", "span"], 1, &[], 23.49);
    }
    builder.case(["span", "fast", "serialize", "pooled"], 1, &[], 29.26);
    builder.case(["binary", "simple", "serialize", "stream"], 1, BINARY, 800.83);
    builder.case(["binary", "nested", "serialize", "stream"], 1, BINARY, 1222.42);
    builder.case(["span-reflect", "simple", "deserialize", "span"], 1, REFLECT, 111.96);
    builder.case(["span", "simple", "deserialize", "span"], 1, OWNED, 75.72);
    builder.case(["span", "fast", "deserialize", "span"], 1, OWNED, 75.72);
    builder.case(["binary", "simple", "deserialize", "stream"], 1, BINARY, 1008.17);
    for batch in [100, 1000] {
        builder.case(["span-reflect", "simple", "serialize", "batch"], batch, REFLECT, 55.0);
        builder.case(["binary", "simple", "serialize", "batch"], batch, BINARY, 556.0);
    }
    for loops in [1, 32] {
        builder
            .case(["span-reflect", "simple", "serialize", "concurrent"], loops, REFLECT, 300.0)
            .peak_error_bytes = 4096;
        builder.case(["binary", "simple", "serialize", "concurrent"], loops, BINARY, 700.0);
    }
    builder.finish()
}

/// The span profile of a run that took no time.
pub(crate) fn without_time() -> Results {
    let mut results = span_profile();
    for case in &mut results.cases {
        case.time = None;
        case.ratio = None;
    }
    results
}

/// Names that break whatever does not expect them.
pub(crate) fn hostile() -> Results {
    let mut results = span_profile();
    let long =
        |end: &str| format!("HashMap<{}, Vec<\"a\" & 'b' | `c`>>{end}", "Påth::漢字::Ωmega<T>, ".repeat(25));
    for case in &mut results.cases {
        case.model = format!("{}, \"quoted\" <&|`>\nmödel", case.model);
        for (index, row) in case.types.iter_mut().enumerate() {
            row.name =
                if index % 2 == 0 { long(&"x".repeat(index)) } else { format!("{}<&\"'|`>", row.name) };
            row.dotnet = Some("System.Collections.Generic.List`1<&|".into());
        }
        for site in &mut case.sites {
            site.block_type = long("");
        }
    }
    for frame in &mut results.frames {
        frame.function = format!("{}::{}", frame.function, long(""));
        frame.location = Some("src/a|b <c>.rs:1".into());
    }
    results
}

/// The largest figures that a file can hold: their sums are larger than any number.
pub(crate) fn largest() -> Results {
    let mut results = span_profile();
    for case in &mut results.cases {
        (case.bytes_per_op, case.totals.failed) = (f64::MAX, u64::MAX);
        for row in &mut case.types {
            (row.allocations, row.bytes, row.allocations_per_op) = (u64::MAX, u64::MAX, f64::MAX);
        }
        case.sites.iter_mut().for_each(|site| site.bytes = u64::MAX);
        case.heap_events.iter_mut().for_each(|event| event.bytes = u64::MAX);
        case.size_classes.iter_mut().for_each(|class| class.requests = u64::MAX);
    }
    results
}

fn time(mean_ns: f64) -> Time {
    Time {
        rounds: 15,
        operations_per_round: 20_000,
        mean_ns,
        error_ns: mean_ns * 0.0123,
        stddev_ns: mean_ns * 0.004,
        median_ns: mean_ns * 0.998,
        p95_ns: mean_ns * 1.03,
    }
}

/// Blocks made one after the other, some grown on the way, most of them freed at the end.
fn heap_events(types: &[TypeRow], kinds: &[Kind]) -> Vec<HeapEvent> {
    let mut events = Vec::new();
    for (index, kind) in kinds.iter().enumerate().filter(|(_, kind)| kind.3 > 0) {
        let type_index = index as u32;
        let bytes = kind.4 / kind.3;
        for _ in 0..kind.3 {
            events.push(HeapEvent { type_index, bytes, ..HeapEvent::default() });
        }
        if index % 5 == 0 {
            let kind = HeapEventKind::Reallocate;
            events.push(HeapEvent {
                type_index,
                former_type_index: type_index,
                kind,
                bytes: 2 * bytes,
                former_bytes: bytes,
            });
            events.push(HeapEvent {
                type_index,
                kind: HeapEventKind::Free,
                bytes: 2 * bytes,
                ..HeapEvent::default()
            });
        }
    }
    for (index, kind) in kinds
        .iter()
        .enumerate()
        .filter(|(index, kind)| kind.3 > 0 && index % 5 != 0)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
    {
        let free = HeapEvent {
            type_index: index as u32,
            kind: HeapEventKind::Free,
            bytes: kind.4 / kind.3,
            ..HeapEvent::default()
        };
        events.extend(std::iter::repeat_n(free, kind.3 as usize));
    }
    assert!(events.iter().all(|event| (event.type_index as usize) < types.len()));
    events
}

fn size_classes(kinds: &[Kind], iterations: u64) -> Vec<SizeClass> {
    let mut classes: Vec<SizeClass> = Vec::new();
    for power in 3..9 {
        let (from_bytes, to_bytes) = (1 << power, (1 << (power + 1)) - 1);
        let fits = |kind: &&Kind| kind.3 > 0 && (from_bytes..=to_bytes).contains(&(kind.4 / kind.3));
        let requests: u64 = kinds.iter().filter(fits).map(|kind| kind.3 * iterations).sum();
        if requests > 0 {
            classes.push(SizeClass { from_bytes, to_bytes, requests });
        }
    }
    classes
}

fn environment() -> Environment {
    Environment {
        alloclab: "0.1.0".into(),
        rustc: "rustc 1.95.0".into(),
        target: "x86_64-unknown-linux-gnu".into(),
        opt_level: "3".into(),
        allocator: "System".into(),
        pool_threads: 2,
        frame_pointers: true,
        recorder_bytes: 3_456_789,
        iterations: ITERATIONS,
        ..Environment::default()
    }
}
