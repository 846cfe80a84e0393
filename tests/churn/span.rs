//! Every object of the originals, one for one: what the codecs `span`, `span-reflect` and `binary` allocate, by type, is
//! what the tables of the originals' objects say, and its size in .NET adds up to the published figures.

use std::collections::BTreeMap;

use alloclab::codec::{self, ModelledObject, Operation, Prepared, Request, Variant, Workload};
use alloclab::model::ModelKind;
use alloclab::recorder::WindowOptions;
use alloclab::snapshot::{EventKind, Snapshot};

/// Sizes of batches.
const BATCHES: [u32; 2] = [100, 1000];

/// Room for the calls of the longest operation measured here.
const MAX_EVENTS: usize = 100_000;

/// How far the published average of a batch may be off: it has two decimals of a KB, of which 0.005 are 5.12 B.
const ROUNDING: f64 = 5.13;

/// Objects by name: how many, and their bytes in .NET. Arrays of all lengths are one.
type Objects = BTreeMap<String, (u64, f64)>;

/// A row of a fixture, by the names of its columns.
type Row = BTreeMap<String, String>;

fn rows(fixture: &str) -> Vec<Row> {
    let path = format!("{}/fixtures/{fixture}", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

/// `MemberInfo[5]` is a `MemberInfo[]`.
fn without_length(name: &str) -> String {
    let array = name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
    array.map_or(name.to_owned(), |(element, _)| format!("{element}[]"))
}

fn add(objects: &mut Objects, name: String, count: u64, dotnet_bytes: f64) {
    if count > 0 {
        let sum = objects.entry(name).or_default();
        *sum = (sum.0 + count, sum.1 + dotnet_bytes);
    }
}

/// The objects that the original makes, from contexts of a table, each taken so many times.
fn expected(fixture: &str, request: &Request, contexts: &[(&str, u64)]) -> Objects {
    let mut objects = Objects::new();
    for row in rows(fixture) {
        let matches = row["model"] == request.model.name() && row["operation"] == request.operation.name();
        let times = contexts.iter().find(|(context, _)| matches && row["context"] == *context);
        if let Some((_, times)) = times {
            let count = row["count"].parse::<u64>().unwrap() * times;
            let each: f64 = row["dotnet_bytes_each"].parse().unwrap();
            add(&mut objects, without_length(&row["object"]), count, each * count as f64);
        }
    }
    objects
}

/// The second operation: the first one may fill pools.
fn record(mut workload: Workload) -> Snapshot {
    let mut run = || match &mut workload {
        Workload::Serial(run) => run(1),
        Workload::Parallel(run) => run(),
    };
    run();
    let window = WindowOptions::new().events(MAX_EVENTS).open_over_thread().unwrap();
    run();
    let snapshot = window.close();
    assert_eq!(snapshot.events_lost, 0);
    assert_eq!(snapshot.totals.reallocations, 0, "no object of .NET changes its size");
    snapshot
}

/// The objects that the codec makes. A block that stands for none is an object by its own name.
fn made(codec: &str, request: &Request) -> Objects {
    let codec = codec::find(codec).unwrap();
    let Prepared { workload, inline_objects, .. } = codec.prepare(request).unwrap();
    let mut objects = Objects::new();
    for inline in inline_objects {
        let dotnet_bytes = (inline.count * inline.dotnet_bytes) as f64;
        add(&mut objects, inline.name.to_owned(), inline.count, dotnet_bytes);
    }
    let snapshot = record(workload);
    let mut attributor = crate::attributor();
    let attribution = attributor.attribute(&snapshot);
    let names = attributor.names();
    let modelled = codec.objects(request);
    for event in snapshot.events.iter().filter(|event| event.kind == EventKind::Allocate) {
        let path = names.path(attribution.sites[event.site as usize].owner);
        let object = modelled.iter().find(|object| object.rust_type == path);
        let (name, bytes) =
            object.map_or((path, 0), |object| (object.name, object.dotnet_bytes(event.bytes)));
        add(&mut objects, name.to_owned(), 1, bytes as f64);
    }
    objects
}

fn total(objects: &Objects) -> f64 {
    objects.values().map(|(_, bytes)| bytes).sum()
}

fn published(codec: &str, request: &Request) -> f64 {
    let row = rows("published/span-vs-binary.csv").into_iter().find(|row| {
        row["codec"] == codec
            && row["model"] == request.model.name()
            && row["operation"] == request.operation.name()
            && row["variant"] == request.variant.name()
            && row["batch"] == request.batch.to_string()
    });
    row.unwrap()["allocated_bytes"].parse().unwrap()
}

/// What a batch's published average has beyond its objects.
fn unexplained(fixture: &str, request: &Request) -> f64 {
    let context = format!("batch-{}", request.batch);
    let row = rows(fixture).into_iter().find(|row| {
        row["context"] == context
            && row["model"] == request.model.name()
            && row["operation"] == request.operation.name()
    });
    row.map_or(0.0, |row| row["dotnet_bytes"].parse().unwrap())
}

#[track_caller]
fn assert_one_for_one(codec: &str, fixture: &str, request: Request, contexts: &[(&str, u64)]) {
    let made = made(codec, &request);
    assert_eq!(made, expected(fixture, &request, contexts), "{codec} {request:?}");
    let rounding = if request.batch > 1 { ROUNDING } else { 0.0 };
    let difference = published(codec, &request) - unexplained(fixture, &request) - total(&made);
    assert!(difference.abs() <= rounding, "{codec} {request:?}: {difference} B beside the published figure");
}

const BINARY: &str = "churn/binary.csv";
const SPAN: &str = "churn/span-reflect.csv";

fn request(model: ModelKind, operation: Operation, variant: Variant, batch: u32) -> Request {
    Request { model, operation, variant, batch }
}

fn batches() -> impl Iterator<Item = (Operation, u32)> {
    Operation::ALL.into_iter().flat_map(|operation| BATCHES.map(|size| (operation, size)))
}

#[test]
fn binary_makes_the_objects_of_a_single_operation() {
    for model in [ModelKind::Simple, ModelKind::Nested] {
        for operation in Operation::ALL {
            let request = request(model, operation, Variant::Stream, 1);
            assert_one_for_one("binary", BINARY, request, &[("single", 1)]);
        }
    }
}

#[test]
fn binary_makes_the_objects_of_a_batch() {
    for (operation, size) in batches() {
        let request = request(ModelKind::Simple, operation, Variant::Batch, size);
        assert_one_for_one("binary", BINARY, request, &[("batch-fixed", 1), ("batch-item", size.into())]);
    }
}

#[test]
fn binary_adds_a_stream_with_an_array_in_each_iteration_of_a_parallel_loop() {
    let request = request(ModelKind::Simple, Operation::Serialize, Variant::Concurrent, 1);
    let mut objects = expected(BINARY, &request, &[("single", 1)]);
    add(&mut objects, "MemoryStream".to_owned(), 1, 64.0);
    add(&mut objects, "Byte[]".to_owned(), 1, 280.0);
    assert_eq!(made("binary", &request), objects);
}

#[test]
fn reflection_makes_the_boxes_of_a_single_operation() {
    for model in [ModelKind::Simple, ModelKind::Nested] {
        for operation in Operation::ALL {
            let request = request(model, operation, Variant::Span, 1);
            assert_one_for_one("span-reflect", SPAN, request, &[("single", 1)]);
        }
    }
}

#[test]
fn a_pooled_packet_adds_nothing() {
    let simple = request(ModelKind::Simple, Operation::Serialize, Variant::Pooled, 1);
    assert_one_for_one("span-reflect", SPAN, simple, &[("single-pooled", 1)]);
    let fast = request(ModelKind::Fast, Operation::Serialize, Variant::Pooled, 1);
    assert_one_for_one("span", SPAN, fast, &[("single-pooled", 1)]);
}

#[test]
fn reflection_makes_the_same_boxes_for_each_item_of_a_batch() {
    for (operation, size) in batches() {
        let request = request(ModelKind::Simple, operation, Variant::Batch, size);
        assert_one_for_one("span-reflect", SPAN, request, &[("batch-item", size.into())]);
    }
}

#[test]
fn a_type_with_a_layout_of_its_own_makes_its_result_and_nothing_else() {
    for operation in Operation::ALL {
        let request = request(ModelKind::Fast, operation, Variant::Span, 1);
        assert_one_for_one("span", SPAN, request, &[("single", 1)]);
    }
}

#[test]
fn a_type_stands_for_one_object_alone() {
    for codec in codec::all() {
        for operation in Operation::ALL {
            let objects = codec.objects(&request(ModelKind::Simple, operation, Variant::Span, 1));
            let by_type: BTreeMap<_, &ModelledObject> =
                objects.iter().map(|object| (&object.rust_type, object)).collect();
            assert_eq!(by_type.len(), objects.len(), "{}", codec.name());
        }
    }
}
