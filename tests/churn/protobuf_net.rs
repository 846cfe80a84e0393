//! Every object of protobuf-net, one for one: what `protobuf-net` allocates, in order and by type, is what the table of the
//! original's objects says. Beside it, what `protobuf` allocates.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufWriter;

use alloclab::codec::{self, Operation, Prepared, Request, Variant, Workload, protobuf_net};
use alloclab::model::{ModelKind, User};
use alloclab::recorder::{WindowOptions, measure};
use alloclab::snapshot::{EventKind, Snapshot};

/// Room for the calls of the longest operation measured here.
const MAX_EVENTS: usize = 200_000;

/// An object of the original: its name and its bytes there.
type Object = (String, u64);

/// `Byte[819200]` is a `Byte[]`.
fn without_length(name: &str) -> String {
    let array = name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
    array.map_or(name.to_owned(), |(element, _)| format!("{element}[]"))
}

/// The objects that the original makes, in order.
fn expected(variant: &str) -> Vec<Object> {
    let path = format!("{}/fixtures/churn/protobuf-net.csv", env!("CARGO_MANIFEST_DIR"));
    let mut objects = Vec::new();
    for row in csv::Reader::from_path(path).unwrap().deserialize() {
        let row: BTreeMap<String, String> = row.unwrap();
        let count = row["count"].parse().unwrap();
        let object = || (without_length(&row["object"]), row["bytes_each"].parse().unwrap());
        if row["variant"] == variant && count > 0 {
            objects.extend(vec![object(); count]);
        }
    }
    objects
}

fn request(model: ModelKind, operation: Operation, variant: Variant) -> Request {
    Request { model, operation, variant, batch: 1 }
}

/// The second operation: the first one may fill the pool.
fn record(codec: &str, request: &Request) -> Snapshot {
    let Prepared { workload, .. } = codec::find(codec).unwrap().prepare(request).unwrap();
    let Workload::Serial(mut run) = workload else { panic!("no case here is parallel") };
    run(1);
    let window = WindowOptions::new().events(MAX_EVENTS).open_over_thread().unwrap();
    run(1);
    let snapshot = window.close();
    assert_eq!(snapshot.events_lost, 0);
    snapshot
}

/// The objects that the codec makes, in order. A block that stands for none is an object by its own name.
fn made(request: &Request) -> Vec<Object> {
    let codec = codec::find("protobuf-net").unwrap();
    let snapshot = record(codec.name(), request);
    assert_eq!(snapshot.totals.reallocations, 0, "no object of .NET changes its size");
    let mut attributor = crate::attributor();
    let attribution = attributor.attribute(&snapshot);
    let names = attributor.names();
    let modelled = codec.objects(request);
    let allocations = snapshot.events.iter().filter(|event| event.kind == EventKind::Allocate);
    allocations
        .map(|event| {
            let path = names.path(attribution.sites[event.site as usize].owner);
            let object = modelled.iter().find(|object| object.rust_type == path);
            object.map_or((path.to_owned(), 0), |object| {
                (object.name.to_owned(), object.dotnet_bytes(event.bytes))
            })
        })
        .collect()
}

fn dotnet_bytes(objects: &[Object]) -> u64 {
    objects.iter().map(|(_, bytes)| bytes).sum()
}

#[test]
fn version_2_makes_a_writer_a_cache_and_two_type_finders() {
    let made = made(&request(ModelKind::Contact, Operation::Serialize, Variant::V2));
    assert_eq!(made, expected("v2"));
    assert_eq!((made.len(), dotnet_bytes(&made)), (4, 108));
}

#[test]
fn version_3_makes_a_stream_and_the_four_arrays_that_it_grows_through() {
    let made = made(&request(ModelKind::Demo, Operation::Serialize, Variant::V3));
    assert_eq!(made, expected("v3"));
    assert_eq!((made.len(), dotnet_bytes(&made)), (5, 6_144_160));
}

/// Objects by name: how many.
type Counts = BTreeMap<String, u64>;

/// The objects of the original that are no blocks here: how many of each, and the bytes of all.
fn inline(request: &Request) -> (Counts, u64) {
    let inline = codec::find("protobuf-net").unwrap().prepare(request).unwrap().inline_objects;
    let counts = inline.iter().map(|object| (object.name.to_owned(), object.count)).collect();
    (counts, inline.iter().map(|object| object.count * object.dotnet_bytes).sum())
}

/// All objects of a case, blocks or not, and their bytes.
fn counted(request: &Request) -> (Counts, u64) {
    let made = made(request);
    let (mut counts, bytes) = inline(request);
    for (name, _) in &made {
        *counts.entry(name.clone()).or_default() += 1;
    }
    (counts, bytes + dotnet_bytes(&made))
}

fn counts<const N: usize>(expected: [(&str, u64); N]) -> Counts {
    expected.map(|(name, count)| (name.to_owned(), count)).into()
}

/// 5.65 MiB, as published: the objects, and nothing on the way to them.
#[test]
fn version_3_reads_the_objects_and_makes_nothing_else() {
    let objects = counts([
        ("DemoClass", 10_000),
        ("DemoClass[]", 1),
        ("DemoSubClass", 40_000),
        ("DemoSubClass[]", 10_000),
        ("String", 50_000),
    ]);
    for variant in [Variant::V3, Variant::Array] {
        let request = request(ModelKind::Demo, Operation::Deserialize, variant);
        assert_eq!(counted(&request), (objects.clone(), 5_919_624), "{variant:?}");
    }
}

#[test]
fn a_class_that_is_read_is_an_object_beside_its_strings() {
    let request = request(ModelKind::Contact, Operation::Deserialize, Variant::Array);
    let (objects, bytes) = counted(&request);
    assert_eq!(objects, counts([("Contact", 1), ("String", 4)]));
    assert_eq!(bytes, 56 + dotnet_bytes(&made(&request)));
}

/// Its constructor makes a list, and the numbers are added to that one.
#[test]
fn a_payload_that_is_read_is_a_class_and_one_list_beside_its_blocks() {
    for model in [ModelKind::Payload16, ModelKind::Payload128, ModelKind::Payload1024] {
        let inline = inline(&request(model, Operation::Deserialize, Variant::Array));
        assert_eq!(inline, (counts([("BenchPayload", 1), ("List<Int32>", 1)]), 40 + 32), "{}", model.name());
    }
}

#[test]
fn users_that_are_read_are_60000_classes_from_an_array_as_from_a_file() {
    for variant in [Variant::Array, Variant::Ready] {
        let inline = inline(&request(ModelKind::User, Operation::Deserialize, variant));
        assert_eq!(inline, (counts([("User", 60_000)]), 60_000 * 88), "{variant:?}");
    }
}

#[test]
fn what_is_written_has_no_objects_beside_its_blocks() {
    for model in ModelKind::ALL {
        let inline = inline(&request(model, Operation::Serialize, Variant::Array));
        assert_eq!(inline, (Counts::new(), 0), "{}", model.name());
    }
}

#[test]
fn users_are_written_to_a_file_with_nothing_allocated_for_each() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("users");
    let users: Vec<User> = User::list().into_iter().take(10_000).collect();
    let write = |users: &[User]| {
        let mut stream = BufWriter::with_capacity(4_096, File::create(&path).unwrap());
        let measured = measure(|| protobuf_net::to_writer(&mut stream, users).unwrap()).unwrap();
        measured.snapshot.totals.requests()
    };
    write(&users);
    assert_eq!([write(&users[..1]), write(&users[..100]), write(&users)], [0, 0, 0]);
    assert!(fs::metadata(&path).unwrap().len() > 100_000);
}

#[test]
fn the_file_case_allocates_the_files_buffer_and_no_more_than_published() {
    let snapshot = record("protobuf-net", &request(ModelKind::User, Operation::Serialize, Variant::Ready));
    assert!(snapshot.totals.requests() < 10, "{:?}", snapshot.totals);
    assert!((4_096..7_000).contains(&snapshot.totals.allocated_bytes), "{:?}", snapshot.totals);
}

#[test]
fn protobuf_allocates_its_result_once_or_nothing_at_all() {
    for model in ModelKind::ALL {
        let totals = |variant| {
            let totals = record("protobuf", &request(model, Operation::Serialize, variant)).totals;
            (totals.allocations, totals.reallocations)
        };
        assert_eq!(totals(Variant::Array), (1, 0), "{}", model.name());
        assert_eq!(totals(Variant::Span), (0, 0), "{}", model.name());
    }
}

#[test]
fn every_block_of_every_case_has_a_type() {
    let mut attributor = crate::attributor();
    let mut cases = 0;
    for (codec, model, operation, variant) in all_cases() {
        let request = request(model, operation, variant);
        let Some(Prepared { workload, .. }) = codec::find(codec).unwrap().prepare(&request) else { continue };
        let Workload::Serial(mut run) = workload else { panic!("no case here is parallel") };
        let snapshot = measure(|| run(1)).unwrap().snapshot;
        let sites = attributor.attribute(&snapshot).sites;
        assert!(sites.iter().all(|site| !site.untyped), "{codec} {request:?}");
        cases += 1;
    }
    // `array` and `span` of every model; `array` of every model, `v2`, `v3`, `ready`, `lazy`.
    assert_eq!(cases, 9 * 4 + 9 * 2 + 1 + 2 + 2 + 1);
}

fn all_cases() -> impl Iterator<Item = (&'static str, ModelKind, Operation, Variant)> {
    let codecs = ["protobuf", "protobuf-net"].into_iter();
    let models = codecs.flat_map(|codec| ModelKind::ALL.map(|model| (codec, model)));
    let operations =
        models.flat_map(|(codec, model)| Operation::ALL.map(|operation| (codec, model, operation)));
    operations
        .flat_map(|(codec, model, operation)| Variant::ALL.map(|variant| (codec, model, operation, variant)))
}
