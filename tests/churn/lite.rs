//! Every object of the originals, one for one: what the codecs `lite`, `memorypack` and `memorypack-brotli` allocate,
//! by type, is what the table of the originals' objects says, and its size in .NET adds up to the published figures.

use std::collections::BTreeMap;

use alloclab::codec::{self, Operation, Prepared, Request, Variant, Workload};
use alloclab::model::ModelKind;
use alloclab::recorder::WindowOptions;
use alloclab::snapshot::{EventKind, Snapshot};

/// The codecs of the write-up that this test is about.
const CODECS: [&str; 2] = ["lite", "memorypack"];

const PAYLOADS: [ModelKind; 3] = [ModelKind::Payload16, ModelKind::Payload128, ModelKind::Payload1024];

/// Room for the calls of the longest operation measured here: a list of 10,000 objects with five strings each.
const MAX_EVENTS: usize = 200_000;

/// Objects by name: how many, and their bytes in .NET.
type Objects = BTreeMap<String, (u64, u64)>;

/// A row of a fixture, by the names of its columns.
type Row = BTreeMap<String, String>;

fn rows(fixture: &str) -> Vec<Row> {
    let path = format!("{}/fixtures/{fixture}", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

fn is_of(row: &Row, codec: &str, request: &Request) -> bool {
    row["codec"] == codec
        && row["model"] == request.model.name()
        && row["operation"] == request.operation.name()
        && row["variant"] == request.variant.name()
}

/// `Byte[186]` is a `Byte[]`.
fn without_length(name: &str) -> String {
    let array = name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
    array.map_or(name.to_owned(), |(element, _)| format!("{element}[]"))
}

fn add(objects: &mut Objects, name: &str, count: u64, dotnet_bytes: u64) {
    if count > 0 {
        let sum = objects.entry(name.to_owned()).or_default();
        *sum = (sum.0 + count, sum.1 + dotnet_bytes);
    }
}

/// The objects that the original makes.
fn expected(codec: &str, request: &Request) -> Objects {
    let mut objects = Objects::new();
    let table = rows("churn/lite-memorypack.csv");
    let table: Vec<Row> = table.into_iter().filter(|row| is_of(row, codec, request)).collect();
    assert!(!table.is_empty(), "{codec} {request:?} has no rows");
    for row in table {
        let count = row["count"].parse().unwrap();
        let bytes = if count > 0 { row["dotnet_bytes"].parse().unwrap() } else { 0 };
        add(&mut objects, &without_length(&row["object"]), count, bytes);
    }
    objects
}

/// The second operation: the first one may fill buffers that are used again.
fn record(workload: &mut Workload) -> Snapshot {
    let Workload::Serial(run) = workload else { panic!("these codecs have no parallel cases") };
    run(1);
    let window = WindowOptions::new().events(MAX_EVENTS).open_over_thread().unwrap();
    run(1);
    let snapshot = window.close();
    assert_eq!(snapshot.events_lost, 0);
    snapshot
}

/// What one operation allocates: blocks by type, and the objects that they and inline ones stand for. A block that
/// stands for none is an object by its own name.
fn made(codec: &str, request: &Request) -> (BTreeMap<String, Vec<u64>>, Objects) {
    let codec = codec::find(codec).unwrap();
    let Prepared { mut workload, inline_objects, .. } = codec.prepare(request).unwrap();
    let mut objects = Objects::new();
    for inline in inline_objects {
        add(&mut objects, inline.name, inline.count, inline.count * inline.dotnet_bytes);
    }
    let snapshot = record(&mut workload);
    let mut attributor = crate::attributor();
    let attribution = attributor.attribute(&snapshot);
    let names = attributor.names();
    let modelled = codec.objects(request);
    let mut blocks = BTreeMap::<String, Vec<u64>>::new();
    for event in snapshot.events.iter().filter(|event| event.kind == EventKind::Allocate) {
        let types = &attribution.sites[event.site as usize];
        let path = names.path(types.owner);
        assert!(!types.untyped, "{request:?}: {path}");
        blocks.entry(path.to_owned()).or_default().push(event.bytes);
        let object = modelled.iter().find(|object| object.rust_type == path);
        let (name, bytes) =
            object.map_or((path, 0), |object| (object.name, object.dotnet_bytes(event.bytes)));
        add(&mut objects, name, 1, bytes);
    }
    assert_eq!(snapshot.totals.reallocations, 0, "no object of .NET changes its size: {blocks:?}");
    (blocks, objects)
}

fn total(objects: &Objects) -> u64 {
    objects.values().map(|(_, bytes)| bytes).sum()
}

fn request(model: ModelKind, operation: Operation, variant: Variant) -> Request {
    Request { model, operation, variant, batch: 1 }
}

fn blocks_of(name: &str, bytes: &[u64]) -> (String, Vec<u64>) {
    (name.to_owned(), bytes.to_vec())
}

fn items(model: ModelKind) -> u64 {
    model.name().rsplit_once('-').unwrap().1.parse().unwrap()
}

#[test]
fn every_row_of_the_table_is_made_one_for_one() {
    for codec in CODECS {
        for model in PAYLOADS {
            for (operation, variant) in [
                (Operation::Serialize, Variant::Array),
                (Operation::Serialize, Variant::Span),
                (Operation::Deserialize, Variant::Array),
            ] {
                let request = request(model, operation, variant);
                assert_eq!(made(codec, &request).1, expected(codec, &request), "{codec} {request:?}");
            }
        }
    }
}

/// Where LiteSerializer's writer grows it allocates 32 B that nobody could explain: they are no object.
#[test]
fn the_objects_add_up_to_the_published_bytes() {
    for row in rows("published/lite-vs-memorypack.csv") {
        let codec = row["codec"].as_str();
        if !CODECS.contains(&codec) {
            continue;
        }
        let named = |name: &str| PAYLOADS.into_iter().find(|model| model.name() == name).unwrap();
        let operation = Operation::ALL.into_iter().find(|operation| operation.name() == row["operation"]);
        let variant = Variant::ALL.into_iter().find(|variant| variant.name() == row["variant"]);
        let request = request(named(&row["model"]), operation.unwrap(), variant.unwrap());
        let published: u64 = row["allocated_bytes"].parse().unwrap();
        let unexplained = match (codec, request.model, request.operation, request.variant) {
            ("lite", ModelKind::Payload1024, Operation::Serialize, Variant::Array) => 32,
            _ => 0,
        };
        assert_eq!(total(&made(codec, &request).1), published - unexplained, "{codec} {request:?}");
    }
}

#[test]
fn an_array_is_one_block_of_exactly_the_result_and_a_span_none() {
    for codec in CODECS {
        for model in ModelKind::ALL {
            let array = request(model, Operation::Serialize, Variant::Array);
            let encoded_bytes = codec::find(codec).unwrap().prepare(&array).unwrap().encoded_bytes;
            let blocks = made(codec, &array).0;
            assert_eq!(
                blocks,
                [blocks_of("alloc::vec::Vec<u8>", &[encoded_bytes])].into(),
                "{codec} {model:?}"
            );
            let span = request(model, Operation::Serialize, Variant::Span);
            assert_eq!(made(codec, &span).0, BTreeMap::new(), "{codec} {model:?}");
        }
    }
}

#[test]
fn a_payload_is_read_into_one_string_and_one_vector() {
    for codec in CODECS {
        for model in PAYLOADS {
            for variant in [Variant::Array, Variant::Span] {
                let (blocks, _) = made(codec, &request(model, Operation::Deserialize, variant));
                let string = blocks_of("alloc::string::String", &[110]);
                let numbers = blocks_of("alloc::vec::Vec<i32>", &[4 * items(model)]);
                assert_eq!(blocks, [string, numbers].into(), "{codec} {model:?}");
            }
        }
    }
}

/// 10,000 objects of 56 B, each with an array of 56 B, four smaller objects of 48 B and five strings; and their array.
#[test]
fn the_list_of_the_other_write_up_is_made_one_for_one() {
    for codec in ["lite", "memorypack"] {
        let (_, objects) = made(codec, &request(ModelKind::Demo, Operation::Deserialize, Variant::Array));
        let strings = 5 * (10 * 48 + 9_990 * 56);
        let expected: Objects = [
            ("DemoClass".to_owned(), (10_000, 560_000)),
            ("DemoClass[]".to_owned(), (1, 80_024)),
            ("DemoSubClass".to_owned(), (40_000, 1_920_000)),
            ("DemoSubClass[]".to_owned(), (10_000, 560_000)),
            ("String".to_owned(), (50_000, strings)),
        ]
        .into();
        assert_eq!(objects, expected, "{codec}");
        assert_eq!(total(&objects), 5_919_624);
    }
}

/// What the compressor and the decompressor work with: the original rents it from pools, or has it outside of its heap.
fn is_brotlis(name: &str) -> bool {
    name.contains("::")
        && (name.contains("brotli")
            || ["<u8>", "<u16>", "<u32>", "<i32>"].iter().any(|end| name.ends_with(end)))
}

#[test]
fn brotli_adds_nothing_but_typed_blocks_of_its_own() {
    for model in PAYLOADS.into_iter().chain([ModelKind::Demo]) {
        let array = request(model, Operation::Serialize, Variant::Array);
        let encoded_bytes = codec::find("memorypack-brotli").unwrap().prepare(&array).unwrap().encoded_bytes;
        let (_, mut objects) = made("memorypack-brotli", &array);
        objects.retain(|name, _| !is_brotlis(name));
        let dotnet_bytes = (24 + encoded_bytes).next_multiple_of(8);
        assert_eq!(objects, [("Byte[]".to_owned(), (1, dotnet_bytes))].into(), "{model:?}");

        let array = request(model, Operation::Deserialize, Variant::Array);
        let (_, mut objects) = made("memorypack-brotli", &array);
        objects.retain(|name, _| !is_brotlis(name));
        assert_eq!(objects, made("memorypack", &array).1, "{model:?}");
    }
}
