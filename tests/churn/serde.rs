//! Every object of the originals, one for one: what the codecs over serde allocate, by type, is what the table of the
//! originals' objects says, and its size in .NET adds up to the published figures.

use std::collections::BTreeMap;

use alloclab::codec::{self, ModelledObject, Operation, Prepared, Request, Variant, Workload};
use alloclab::model::ModelKind;
use alloclab::recorder::WindowOptions;
use alloclab::snapshot::{EventKind, Snapshot};

/// Room for the calls of the longest operation whose objects are told one by one.
const MAX_EVENTS: usize = 200_000;

const CODECS: [&str; 5] = ["json", "json-dom", "messagepack", "messagepack-lz4", "messagepack-lz4-array"];

/// Objects by name: how many, and their bytes in .NET. Arrays of all lengths are one.
type Objects = BTreeMap<String, (u64, u64)>;

/// A row of a fixture, by the names of its columns.
type Row = BTreeMap<String, String>;

fn rows(fixture: &str) -> Vec<Row> {
    let path = format!("{}/fixtures/{fixture}", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

/// The rows of a case.
fn rows_of(fixture: &str, codec: &str, request: &Request) -> Vec<Row> {
    let mut rows = rows(fixture);
    rows.retain(|row| {
        row["codec"] == codec
            && row["model"] == request.model.name()
            && row["operation"] == request.operation.name()
            && row["variant"] == request.variant.name()
    });
    rows
}

/// `Int32[4]` is an `Int32[]`.
fn without_length(name: &str) -> String {
    let array = name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
    array.map_or(name.to_owned(), |(element, _)| format!("{element}[]"))
}

fn add(objects: &mut Objects, name: String, count: u64, dotnet_bytes: u64) {
    let sum = objects.entry(name).or_default();
    *sum = (sum.0 + count, sum.1 + dotnet_bytes);
}

fn expected(codec: &str, request: &Request) -> Objects {
    let mut objects = Objects::new();
    for row in rows_of("churn/lite-memorypack.csv", codec, request) {
        let number = |column: &str| row[column].parse::<u64>().unwrap();
        add(&mut objects, without_length(&row["object"]), number("count"), number("dotnet_bytes"));
    }
    objects
}

fn prepare(codec: &str, request: &Request) -> Option<Prepared> {
    codec::find(codec).unwrap().prepare(request)
}

/// The second operation: the first one makes the buffers that are kept.
fn record(mut workload: Workload, events: usize) -> Snapshot {
    let Workload::Serial(run) = &mut workload else { panic!("none of these codecs works in parallel") };
    run(1);
    let window = WindowOptions::new().events(events).open_over_thread().unwrap();
    run(1);
    window.close()
}

/// The objects that the codec makes. A block that stands for none is an object by its own name.
fn made(codec: &str, request: &Request) -> Objects {
    let Prepared { workload, inline_objects, .. } = prepare(codec, request).unwrap();
    let mut objects = Objects::new();
    for inline in inline_objects {
        add(&mut objects, inline.name.to_owned(), inline.count, inline.count * inline.dotnet_bytes);
    }
    let snapshot = record(workload, MAX_EVENTS);
    assert_eq!(snapshot.events_lost, 0);
    assert_eq!(snapshot.totals.reallocations, 0, "no object of .NET changes its size");
    let mut attributor = crate::attributor();
    let (attribution, names) = (attributor.attribute(&snapshot), attributor.names());
    let modelled = codec::find(codec).unwrap().objects(request);
    for event in snapshot.events.iter().filter(|event| event.kind == EventKind::Allocate) {
        let path = names.path(attribution.sites[event.site as usize].owner);
        let object = modelled.iter().find(|object| object.rust_type == path);
        let (name, bytes) =
            object.map_or((path, 0), |object| (object.name, object.dotnet_bytes(event.bytes)));
        add(&mut objects, name.to_owned(), 1, bytes);
    }
    objects
}

fn total(objects: &Objects) -> u64 {
    objects.values().map(|(_, bytes)| bytes).sum()
}

fn request(model: ModelKind, operation: Operation, variant: Variant) -> Request {
    Request { model, operation, variant, batch: 1 }
}

fn payload_requests() -> impl Iterator<Item = Request> {
    let models = [ModelKind::Payload16, ModelKind::Payload128, ModelKind::Payload1024];
    models
        .into_iter()
        .flat_map(|model| Operation::ALL.map(|operation| request(model, operation, Variant::Array)))
}

#[test]
fn a_payload_makes_the_objects_of_the_original_and_they_add_up_to_the_published_bytes() {
    for codec in ["json", "messagepack"] {
        for request in payload_requests() {
            let made = made(codec, &request);
            assert_eq!(made, expected(codec, &request), "{codec} {request:?}");
            let published = rows_of("published/lite-vs-memorypack.csv", codec, &request);
            let [row] = published.as_slice() else { panic!("one published row: {published:?}") };
            assert_eq!(total(&made).to_string(), row["allocated_bytes"], "{codec} {request:?}");
        }
    }
}

/// The published mebibytes of a demo list that is read.
fn published_mebibytes(codec: &str) -> String {
    let request = request(ModelKind::Demo, Operation::Deserialize, Variant::Array);
    rows_of("published/fastest.csv", codec, &request)[0]["allocated_mib"].clone()
}

fn mebibytes(objects: &Objects) -> String {
    format!("{:.2}", total(objects) as f64 / f64::from(1 << 20))
}

fn counts(objects: &Objects) -> Vec<(&str, u64)> {
    objects.iter().map(|(name, (count, _))| (name.as_str(), *count)).collect()
}

#[test]
fn a_demo_list_read_from_messagepack_is_the_originals_object_graph() {
    let graph = [
        ("DemoClass", 10_000),
        ("DemoClass[]", 1),
        ("DemoSubClass", 40_000),
        ("DemoSubClass[]", 10_000),
        ("String", 50_000),
    ];
    for codec in ["messagepack", "messagepack-lz4-array"] {
        let made = made(codec, &request(ModelKind::Demo, Operation::Deserialize, Variant::Array));
        assert_eq!(counts(&made), graph, "{codec}");
        assert_eq!((total(&made), mebibytes(&made)), (5_919_624, published_mebibytes(codec)), "{codec}");
    }
    // One block is unpacked into an array that is too large for the pool.
    let made = made("messagepack-lz4", &request(ModelKind::Demo, Operation::Deserialize, Variant::Array));
    assert_eq!(counts(&made), [&[("Byte[]", 1)], &graph[..]].concat());
    assert_eq!(mebibytes(&made), published_mebibytes("messagepack-lz4"));
}

#[test]
fn a_demo_list_written_as_json_is_a_string_of_the_original() {
    let made = made("json", &request(ModelKind::Demo, Operation::Serialize, Variant::Array));
    // 22 bytes and two for each of 3,392,801 characters, rounded up to 8.
    let expected = [("String".to_owned(), (1, 6_785_624)), ("WriteStackFrame[]".to_owned(), (1, 312))];
    assert_eq!(made, Objects::from(expected));
}

#[test]
fn a_demo_list_read_from_json_is_made_by_way_of_lists() {
    let made = made("json", &request(ModelKind::Demo, Operation::Deserialize, Variant::Array));
    let expected = [
        ("Byte[]", 1),
        ("DemoClass", 10_000),
        // 4, 8 … 16,384, and the result.
        ("DemoClass[]", 13 + 1),
        ("DemoSubClass", 40_000),
        ("DemoSubClass[]", 20_000),
        ("List<DemoClass>", 1),
        ("List<DemoSubClass>", 10_000),
        ("ReadStackFrame[]", 1),
        ("String", 50_000),
    ];
    assert_eq!(counts(&made), expected);
    assert_eq!(mebibytes(&made), published_mebibytes("json"));
}

#[test]
fn only_the_result_is_allocated_to_write_messagepack_compressed_or_not() {
    for codec in ["messagepack", "messagepack-lz4", "messagepack-lz4-array"] {
        for model in ModelKind::ALL.into_iter().filter(|model| model.objects() == 1) {
            let array = made(codec, &request(model, Operation::Serialize, Variant::Array));
            assert_eq!(counts(&array), [("Byte[]", 1)], "{codec} {model:?}");
            let span = made(codec, &request(model, Operation::Serialize, Variant::Span));
            assert_eq!(span, Objects::new(), "{codec} {model:?}");
        }
    }
}

/// The published figures are 1,660.88 KiB, 516.15 KiB and 259.02 KiB; another LZ4 makes other blocks.
#[test]
fn one_large_block_is_written_by_way_of_an_array_that_no_pool_keeps() {
    for (codec, arrays, published) in
        [("messagepack", 1, 1_660.88), ("messagepack-lz4", 2, 516.15), ("messagepack-lz4-array", 1, 259.02)]
    {
        let made = made(codec, &request(ModelKind::Demo, Operation::Serialize, Variant::Array));
        assert_eq!(counts(&made), [("Byte[]", arrays)], "{codec}");
        let kibibytes = total(&made) as f64 / 1024.0;
        assert!((kibibytes / published - 1.0).abs() < 0.02, "{codec}: {kibibytes} KiB");
    }
}

#[test]
fn every_block_of_every_case_has_a_type() {
    for codec in CODECS {
        let mut cases = 0;
        for model in ModelKind::ALL {
            for (operation, variant) in Operation::ALL
                .into_iter()
                .flat_map(|operation| Variant::ALL.map(|variant| (operation, variant)))
            {
                let request = request(model, operation, variant);
                let Some(Prepared { workload, encoded_bytes, .. }) = prepare(codec, &request) else {
                    continue;
                };
                assert!(encoded_bytes > 0, "{codec} {request:?}");
                let snapshot = record(workload, 0);
                let mut attributor = crate::attributor();
                let (attribution, names) = (attributor.attribute(&snapshot), attributor.names());
                let totals = snapshot.totals;
                assert_eq!(totals.deallocations, totals.allocations, "{codec} {request:?}");
                let untyped = attribution.sites.iter().find(|types| types.untyped);
                assert_eq!(untyped.map(|types| names.path(types.owner)), None, "{codec} {request:?}");
                cases += 1;
            }
        }
        // Of nine models both ways, in one form or two, and three cases of users in a file.
        let forms = if codec == "json-dom" { 1 } else { 2 };
        assert_eq!(cases, 9 * 2 * forms + 3, "{codec}");
    }
}

#[test]
fn users_are_written_to_a_file_without_an_allocation_per_user() {
    for codec in ["json", "messagepack"] {
        let request = request(ModelKind::User, Operation::Serialize, Variant::Ready);
        let Prepared { workload, .. } = prepare(codec, &request).unwrap();
        let totals = record(workload, 0).totals;
        // The file's path, and the stack of what is open.
        assert!(totals.allocations <= 4, "{codec}: {totals:?}");
        assert!(totals.allocated_bytes < 1_024, "{codec}: {totals:?}");
    }
}

#[test]
fn a_type_stands_for_one_object_alone() {
    for codec in CODECS {
        for model in ModelKind::ALL {
            let request = request(model, Operation::Serialize, Variant::Array);
            let objects = codec::find(codec).unwrap().objects(&request);
            let by_type: BTreeMap<_, &ModelledObject> =
                objects.iter().map(|object| (&object.rust_type, object)).collect();
            assert_eq!(by_type.len(), objects.len(), "{codec} {model:?}");
        }
    }
}
