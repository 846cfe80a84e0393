//! Every object of BinaryFormatter, one for one and in the order in which it is made: what the codec allocates is what
//! the table of the original's objects says, and the sizes in .NET add up to the published figures.

use std::collections::BTreeMap;

use alloclab::codec::binaryformatter::{BinaryFormatter, FieldNames, GenericList, Names};
use alloclab::codec::dotnet::{List, MemoryStream, Property};
use alloclab::codec::{self, ModelledObject, Operation, Request, Variant, Workload};
use alloclab::model::{DateTime, Demo, DemoSub, ModelKind, User};
use alloclab::recorder::WindowOptions;
use alloclab::reflect_class;
use alloclab::snapshot::{EventKind, Snapshot};

/// Room for the calls of one operation.
const MAX_EVENTS: usize = 1_000;

/// Operations of the write-up: 100,000, and one before them.
const OPERATIONS: u64 = 100_001;

/// An object: its name and its bytes in the original.
type Object = (String, u64);

/// A row of a fixture, by the names of its columns.
type Row = BTreeMap<String, String>;

fn rows(fixture: &str) -> Vec<Row> {
    let path = format!("{}/fixtures/{fixture}", env!("CARGO_MANIFEST_DIR"));
    csv::Reader::from_path(path).unwrap().deserialize().map(Result::unwrap).collect()
}

/// The objects of an operation in order, from two columns of the table.
fn expected(operation: Operation, count: &str, bytes: &str) -> Vec<Object> {
    let is_made =
        |row: &Row| row["operation"] == operation.name() && !["", "0"].contains(&row[count].as_str());
    let rows = rows("churn/binaryformatter.csv").into_iter().filter(is_made);
    rows.map(|row| {
        assert_eq!(row[count], "1");
        (row["object"].clone(), row[bytes].parse().unwrap())
    })
    .collect()
}

/// The second operation: the first one may grow the stream.
fn record(workload: Workload) -> Snapshot {
    let Workload::Serial(mut run) = workload else { panic!("these cases run one after the other") };
    run(1);
    let window = WindowOptions::new().events(MAX_EVENTS).open_over_thread().unwrap();
    run(1);
    let snapshot = window.close();
    assert_eq!(snapshot.events_lost, 0);
    assert_eq!(snapshot.totals.reallocations, 0, "no object of .NET changes its size");
    snapshot
}

fn request(model: ModelKind, operation: Operation, variant: Variant) -> Request {
    Request { model, operation, variant, batch: 1 }
}

/// The objects that the codec makes, in order.
fn made(request: &Request) -> Vec<Object> {
    let codec = codec::find("binaryformatter").unwrap();
    made_by(codec.prepare(request).unwrap().workload, &codec.objects(request))
}

/// The objects that an operation makes, in order. A block that stands for none is an object by its own name.
fn made_by(workload: Workload, modelled: &[ModelledObject]) -> Vec<Object> {
    let snapshot = record(workload);
    let mut attributor = crate::attributor();
    let attribution = attributor.attribute(&snapshot);
    let names = attributor.names();
    let allocations = snapshot.events.iter().filter(|event| event.kind == EventKind::Allocate);
    allocations
        .map(|event| {
            let path = names.path(attribution.sites[event.site as usize].owner);
            let object = modelled.iter().find(|object| object.rust_type == path);
            object.map_or((path, 0), |object| (object.name, object.dotnet_bytes(event.bytes)))
        })
        .map(|(name, bytes)| (name.to_owned(), bytes))
        .collect()
}

fn total(objects: &[Object]) -> u64 {
    objects.iter().map(|(_, bytes)| bytes).sum()
}

#[track_caller]
fn assert_in_order(made: &[Object], expected: &[Object]) {
    for (index, pair) in made.iter().zip(expected).enumerate() {
        assert_eq!(pair.0, pair.1, "object {} of {made:#?}", index + 1);
    }
    assert_eq!(made.len(), expected.len(), "{made:#?}");
}

#[test]
fn writing_makes_the_57_objects_in_order() {
    let expected = expected(Operation::Serialize, "count", "x86_bytes_each");
    for variant in [Variant::Stream, Variant::Fields] {
        let made = made(&request(ModelKind::Contact, Operation::Serialize, variant));
        assert_in_order(&made, &expected);
        assert_eq!((made.len(), total(&made)), (57, 3_256), "{variant:?}");
    }
}

/// Outside of the loop, too, the write-up's program made some objects of these types: many byte arrays and strings, up to
/// twelve of the others.
#[test]
fn each_published_type_is_made_as_often_as_published() {
    let made = made(&request(ModelKind::Contact, Operation::Serialize, Variant::Stream));
    let table = rows("published/binaryformatter-churn.csv");
    let published: Vec<_> = table.iter().filter(|row| row["codec"] == "binaryformatter").collect();
    assert_eq!(published.len(), 12);
    for row in published {
        let (name, allocations) =
            (row["type"].as_str(), row["inclusive_allocations"].parse::<u64>().unwrap());
        let of_type: Vec<_> = made.iter().filter(|object| object.0 == name).cloned().collect();
        let others = allocations - of_type.len() as u64 * OPERATIONS;
        let other_bytes = row["inclusive_bytes"].parse::<u64>().unwrap() - total(&of_type) * OPERATIONS;
        match name {
            "System.Byte[]" => assert_eq!((others, other_bytes), (1_072, 2_098_909)),
            "System.String" => assert_eq!((others, other_bytes), (77, 4_846)),
            _ => assert!(others <= 12 && other_bytes <= 5_000, "{name}: {others} others, {other_bytes} B"),
        }
    }
}

#[test]
fn reading_makes_the_75_objects_of_mono_in_order() {
    let expected = expected(Operation::Deserialize, "mono_count", "mono_x64_bytes_each");
    let made = made(&request(ModelKind::Contact, Operation::Deserialize, Variant::Stream));
    assert_in_order(&made, &expected);
    assert_eq!((made.len(), total(&made)), (75, 5_936));
}

#[test]
fn plain_fields_have_shorter_names() {
    let made = made(&request(ModelKind::Contact, Operation::Deserialize, Variant::Fields));
    assert_eq!((made.len(), total(&made)), (75, 5_736));
}

#[test]
fn every_block_of_every_case_is_an_object_of_the_original() {
    let offered = [
        (ModelKind::Contact, Variant::Stream),
        (ModelKind::Contact, Variant::Fields),
        (ModelKind::Simple, Variant::Stream),
        (ModelKind::Nested, Variant::Stream),
    ];
    for (model, variant) in offered {
        for operation in Operation::ALL {
            let made = made(&request(model, operation, variant));
            let unknown: Vec<_> = made.iter().filter(|(_, bytes)| *bytes == 0).collect();
            assert!(unknown.is_empty(), "{model:?} {operation:?} {variant:?}: {unknown:?}");
        }
    }
}

#[test]
fn cases_that_were_not_measured_are_not_offered() {
    let codec = codec::find("binaryformatter").unwrap();
    for model in [ModelKind::Fast, ModelKind::Payload16, ModelKind::User, ModelKind::Demo] {
        assert!(codec.prepare(&request(model, Operation::Serialize, Variant::Stream)).is_none());
    }
    let batch = Request { batch: 100, ..request(ModelKind::Simple, Operation::Serialize, Variant::Stream) };
    assert!(codec.prepare(&batch).is_none());
}

/// The program that Mono's objects were counted in.
const FIXTURES: Names<'static> = Names {
    assembly: "Fixtures, Version=0.0.0.0, Culture=neutral, PublicKeyToken=null",
    namespace: "Models",
    root: None,
    fields: FieldNames::BackingFields,
};

#[derive(Clone, Debug, Default, PartialEq)]
struct Simple {
    id: i32,
    name: String,
    enabled: bool,
    create_time: DateTime,
    score: f64,
}
reflect_class!(Simple = "SimpleModel" {
    id => "Id", name => "Name", enabled => "Enabled", create_time => "CreateTime", score => "Score",
});

#[derive(Debug, Default, PartialEq)]
struct Nested {
    id: i32,
    title: String,
    active: bool,
    amount: f64,
    inner: Option<Simple>,
}
reflect_class!(Nested = "NestedModel" {
    id => "Id", title => "Title", active => "Active", amount => "Amount", inner => "Inner",
});

fn simple() -> Simple {
    Simple { id: 12_345, name: "SimpleModel".to_owned(), enabled: true, score: 98.75, ..Simple::default() }
}

fn nested() -> Nested {
    Nested { id: 7, title: "Nested".to_owned(), active: true, amount: 1234.5, inner: Some(simple()) }
}

/// Three users, none of whose strings is empty.
fn users() -> GenericList<User> {
    let user = |id: i32| {
        let [first_name, last_name, email, company, phone, website, ssn] =
            ["first", "last", "email", "company", "phone", "site", "ssn"].map(|text| format!("{text}{id}"));
        let birth_date = DateTime::from_unix_seconds(id as u32);
        User { id, gender: 1, first_name, last_name, email, birth_date, company, phone, website, ssn }
    };
    (1..=3).map(user).collect()
}

/// How many objects of each type, and their bytes.
type Sums = BTreeMap<String, (u64, u64)>;

/// What Mono makes.
fn made_by_mono(experiment: &str, operation: Operation) -> Sums {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/nrbf/churn-mono.tsv");
    let mut reader = csv::ReaderBuilder::new().delimiter(b'\t').from_path(path).unwrap();
    let rows = reader.deserialize().map(Result::<Row, _>::unwrap);
    let matches = |row: &Row| {
        row["experiment"] == experiment
            && row["operation"] == operation.name()
            && row["type"] != "(all types)"
    };
    let figure = |row: &Row, column: &str| row[column].parse().unwrap();
    let sums = |row: Row| (figure(&row, "count_per_op"), figure(&row, "bytes_per_op"));
    rows.filter(matches).map(|row| (row["type"].clone(), sums(row))).collect()
}

/// What has no counterpart there.
const TARGET: &str = "(array that is being filled)";

/// What is made here.
fn made_of<T: Property + Send + Sync>(value: T, operation: Operation) -> Sums {
    let formatter = BinaryFormatter::<T>::new(&FIXTURES).unwrap();
    let mut stream = MemoryStream::new();
    formatter.serialize(&mut stream, &value).unwrap();
    let workload = Workload::serial(move || {
        stream.rewind();
        match operation {
            Operation::Serialize => formatter.serialize(&mut stream, &value).unwrap(),
            Operation::Deserialize => drop(formatter.deserialize(&mut stream).unwrap()),
        }
    });
    let codec = codec::find("binaryformatter").unwrap();
    let mut modelled = codec.objects(&request(ModelKind::Contact, operation, Variant::Stream));
    modelled.push(ModelledObject::fixed::<Box<Simple>>("Models.SimpleModel", 48));
    modelled.push(ModelledObject::fixed::<Box<Nested>>("Models.NestedModel", 48));
    modelled.push(ModelledObject::fixed::<Box<Demo>>("Models.DemoClass", 56));
    modelled.push(ModelledObject::fixed::<Box<DemoSub>>("Models.DemoSubClass", 48));
    modelled.push(ModelledObject::array_mono::<Vec<DemoSub>, DemoSub>("Models.DemoSubClass[]", 8));
    modelled.push(ModelledObject::fixed::<Box<User>>("Models.User", 88));
    modelled.push(ModelledObject::array_mono::<Vec<Option<User>>, Option<User>>("Models.User[]", 8));
    let list = "System.Collections.Generic.List<Models.User>";
    modelled.push(ModelledObject::fixed::<Box<GenericList<User>>>(list, 40));
    // In Rust an array that is being filled is an object with its own array.
    modelled.push(ModelledObject::fixed::<Box<List<DemoSub>>>(TARGET, 0));
    modelled.push(ModelledObject::fixed::<Box<List<Option<User>>>>(TARGET, 0));
    let mut sums = Sums::new();
    for (name, bytes) in made_by(workload, &modelled).into_iter().filter(|(name, _)| name != TARGET) {
        let sum = sums.entry(name).or_default();
        *sum = (sum.0 + 1, sum.1 + bytes);
    }
    sums
}

fn counts(sums: Sums) -> BTreeMap<String, u64> {
    sums.into_iter().map(|(name, (count, _))| (name, count)).collect()
}

/// Mono makes one dictionary where .NET makes two hash tables, no array for one character, and a delegate with its closure
/// for each class; and an array for each double. Its tables begin with three buckets and may grow, .NET's with eleven.
fn as_in_dotnet(mono: Sums) -> BTreeMap<String, u64> {
    let mut counts = counts(mono);
    let doubles = counts.get("System.Double").copied().unwrap_or_default();
    let tables = counts["System.Collections.Hashtable"] + 2;
    counts.insert("System.Collections.Hashtable".to_owned(), tables);
    counts.insert("System.Collections.Hashtable.bucket[]".to_owned(), tables);
    counts.insert("System.Char[]".to_owned(), 1);
    *counts.get_mut("System.Byte[]").unwrap() -= doubles;
    let only_mono = ["<GetSerializableMembers>", "System.Func<", "System.Collections.Generic.Dictionary<"];
    counts.retain(|name, _| !only_mono.iter().any(|part| name.contains(part)));
    counts
}

#[test]
fn an_object_and_an_object_in_an_object_make_the_objects_of_mono() {
    let read = Operation::Deserialize;
    assert_eq!(made_of(simple(), read), made_by_mono("simple", read));
    assert_eq!(made_of(nested(), read), made_by_mono("nested", read));
    let write = Operation::Serialize;
    assert_eq!(counts(made_of(simple(), write)), as_in_dotnet(made_by_mono("simple", write)));
    assert_eq!(counts(made_of(nested(), write)), as_in_dotnet(made_by_mono("nested", write)));
}

#[test]
fn arrays_and_lists_make_the_objects_of_mono() {
    let write = Operation::Serialize;
    assert_eq!(counts(made_of(Demo::sample(12_345), write)), as_in_dotnet(made_by_mono("demo", write)));
    assert_eq!(counts(made_of(users(), write)), as_in_dotnet(made_by_mono("user_list3", write)));
    let read = Operation::Deserialize;
    assert_eq!(made_of(Demo::sample(12_345), read), made_by_mono("demo", read));
    // The users there have other names, two of them with characters of two bytes.
    assert_eq!(counts(made_of(users(), read)), counts(made_by_mono("user_list3", read)));
}
