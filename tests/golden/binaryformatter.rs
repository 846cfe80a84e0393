//! Bytes that a real BinaryFormatter wrote: typed encoding gives the same, and decoding them gives the values.

use std::fmt::Debug;
use std::fs;

use alloclab::codec::binaryformatter::{
    BinaryFormatter, EncodeError, FieldNames, GenericList, Names, UnsupportedType,
};
use alloclab::codec::dotnet::{MemoryStream, Property, StreamFull};
use alloclab::model::{Contact, DateTime, DateTimeKind, Decimal, Demo, NestedModel, SimpleModel, User};
use alloclab::reflect_class;

/// The program that wrote the payloads.
const FIXTURES: Names<'static> = Names {
    assembly: "Fixtures, Version=0.0.0.0, Culture=neutral, PublicKeyToken=null",
    namespace: "Models",
    root: None,
    fields: FieldNames::BackingFields,
};

/// Its class with plain fields.
const FIXTURES_FIELDS: Names<'static> =
    Names { root: Some("TestDotNetFields"), fields: FieldNames::Plain, ..FIXTURES };

/// Another program, with the same two classes.
const T: Names<'static> = Names {
    assembly: "nrbf, Version=0.0.0.0, Culture=neutral, PublicKeyToken=null",
    namespace: "T",
    ..FIXTURES
};

const T_TEST_FIELDS: &str = "\
    0001000000ffffffff01000000000000000c020000003b6e7262662c2056657273696f6e3d302e302e302e302c2043756c747572653d6e6575\
    7472616c2c205075626c69634b6579546f6b656e3d6e756c6c05010000000c542e546573744669656c64730600000005456d61696c09466972\
    73744e616d65084c6173744e616d650249440550686f6e650454797065010101000100080802000000060300000011616c6963652e6c656540\
    746573742e696f060400000005616c6963650605000000036c6565800d000006060000000b3135353530313030313233430000000b";

const T_TEST_DOT_NET: &str = "\
    0001000000ffffffff01000000000000000c020000003b6e7262662c2056657273696f6e3d302e302e302e302c2043756c747572653d6e6575\
    7472616c2c205075626c69634b6579546f6b656e3d6e756c6c05010000000c542e54657374446f744e657406000000163c456d61696c3e6b5f\
    5f4261636b696e674669656c641a3c46697273744e616d653e6b5f5f4261636b696e674669656c64193c4c6173744e616d653e6b5f5f426163\
    6b696e674669656c64133c49443e6b5f5f4261636b696e674669656c64163c50686f6e653e6b5f5f4261636b696e674669656c64153c547970\
    653e6b5f5f4261636b696e674669656c64010101000100080802000000060300000011616c6963652e6c656540746573742e696f0604000000\
    05616c6963650605000000036c6565800d000006060000000b3135353530313030313233430000000b";

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}

fn payload(name: &str) -> Vec<u8> {
    fs::read(format!("{}/fixtures/nrbf/{name}.bin", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn encode<T: Property>(names: &Names<'_>, value: &T) -> Vec<u8> {
    let mut stream = MemoryStream::new();
    BinaryFormatter::<T>::new(names).unwrap().serialize(&mut stream, value).unwrap();
    stream.written().to_vec()
}

/// The value has these bytes, and these bytes are the value.
#[track_caller]
fn assert_golden<T: Property + PartialEq + Debug>(names: &Names<'_>, value: &T, bytes: &[u8]) {
    let encoded = encode(names, value);
    let differs = encoded.iter().zip(bytes).position(|(ours, theirs)| ours != theirs);
    assert_eq!(differs, None, "the first byte that differs, of {} and {}", encoded.len(), bytes.len());
    assert_eq!(encoded.len(), bytes.len());
    let formatter = BinaryFormatter::<T>::new(names).unwrap();
    assert_eq!(formatter.deserialize(&mut MemoryStream::over(bytes)).as_ref(), Ok(value));
}

fn time(ticks: u64, kind: DateTimeKind) -> DateTime {
    DateTime::from_ticks(ticks, kind).unwrap()
}

fn users() -> Vec<User> {
    let user = |id, gender, texts: [&str; 7], birth_date| {
        let [first_name, last_name, email, company, phone, website, ssn] = texts.map(str::to_owned);
        User { id, gender, first_name, last_name, email, birth_date, company, phone, website, ssn }
    };
    vec![
        user(
            1,
            0,
            [
                "Lamar",
                "Quigley",
                "Lamar.Quigley@example.com",
                "Quigley Group",
                "1-555-010-0101",
                "lamar.example.net",
                "123-45-6781",
            ],
            // 1971-12-20 18:30:45.123
            time(621_976_986_451_230_000, DateTimeKind::Local),
        ),
        user(
            2,
            1,
            [
                "Rosa",
                "Ondricka",
                "Rosa_Ondricka4@example.org",
                "Ondricka and Sons",
                "(555) 010-0102 x42",
                "rosa.example.net",
                "123-45-6782",
            ],
            // 1986-05-17
            time(626_522_688_000_000_000, DateTimeKind::Unspecified),
        ),
        user(
            3,
            1,
            [
                "Zoë",
                "Müller",
                "zoe.mueller@example.com",
                "Müller LLC",
                "555.010.0103",
                "zoe.example.net",
                "123-45-6783",
            ],
            // 2000-02-29 23:59:59
            time(630_874_655_990_000_000, DateTimeKind::Utc),
        ),
    ]
}

#[test]
fn a_class_with_auto_properties() {
    assert_golden(&FIXTURES, &Contact::sample(), &payload("testdotnet_props"));
}

#[test]
fn a_class_with_plain_fields() {
    assert_golden(&FIXTURES_FIELDS, &Contact::sample(), &payload("testdotnet_fields"));
}

#[test]
fn the_same_classes_in_another_assembly_and_namespace() {
    assert_golden(&T, &Contact::sample(), &unhex(T_TEST_DOT_NET));
    let fields = Names { root: Some("TestFields"), fields: FieldNames::Plain, ..T };
    assert_golden(&fields, &Contact::sample(), &unhex(T_TEST_FIELDS));
}

#[test]
fn an_object_with_an_array_of_objects() {
    assert_golden(&FIXTURES, &Demo::sample(0), &payload("demo_0"));
    assert_golden(&FIXTURES, &Demo::sample(12_345), &payload("demo_12345"));
}

#[test]
fn an_array_of_users() {
    assert_golden(&FIXTURES, &users(), &payload("user_array3"));
}

#[test]
fn a_list_of_users() {
    assert_golden(&FIXTURES, &GenericList::from_iter(users()), &payload("user_list3"));
}

/// The payloads' own classes, whose names the lab's models share.
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

#[derive(Debug, Default, PartialEq)]
struct Node {
    name: String,
    next: Option<Box<Node>>,
}
reflect_class!(Node = "Node" { name => "Name", next => "Next" });

#[derive(Debug, Default, PartialEq)]
struct Pair {
    a: Option<String>,
    b: Option<String>,
}
reflect_class!(Pair = "StrPair" { a => "A", b => "B" });

/// The payloads' classes of plain fields.
const PLAIN: Names<'static> = Names { fields: FieldNames::Plain, ..FIXTURES };

fn simple() -> Simple {
    Simple {
        id: 12_345,
        name: "SimpleModel".to_owned(),
        enabled: true,
        // 2024-01-02 03:04:05
        create_time: time(638_397_614_450_000_000, DateTimeKind::Unspecified),
        score: 98.75,
    }
}

fn node(name: &str, next: Option<Box<Node>>) -> Node {
    Node { name: name.to_owned(), next }
}

#[test]
fn an_object_in_an_object() {
    assert_golden(&FIXTURES, &simple(), &payload("simple_model"));
    let nested =
        Nested { id: 7, title: "Nested".to_owned(), active: true, amount: 1234.5, inner: Some(simple()) };
    assert_golden(&FIXTURES, &nested, &payload("nested_model"));
}

#[test]
fn a_chain_of_objects_of_one_class() {
    let chain = (1..=20).rev().fold(None, |next, number| Some(Box::new(node(&format!("n{number}"), next))));
    assert_golden(&PLAIN, &*chain.unwrap(), &payload("chain_20"));
}

#[test]
fn nulls_in_an_array_of_objects() {
    assert_golden(&PLAIN, &vec![None, Some(node("mid", None)), None], &payload("class_array_nulls"));
}

#[test]
fn strings_that_are_equal_but_not_the_same() {
    let same = || Some("same".to_owned());
    assert_golden(&PLAIN, &Pair { a: same(), b: same() }, &payload("string_equal"));
}

#[test]
fn a_string_that_two_members_share_is_read_for_both() {
    let formatter = BinaryFormatter::<Pair>::new(&PLAIN).unwrap();
    let pair = formatter.deserialize(&mut MemoryStream::over(&payload("string_twice"))).unwrap();
    assert_eq!((pair.a.as_deref(), pair.b.as_deref()), (Some("same"), Some("same")));
}

#[test]
fn a_null_member_reads_back_as_none() {
    for pair in [Pair { a: None, b: Some("b".to_owned()) }, Pair { a: Some("a".to_owned()), b: None }] {
        let formatter = BinaryFormatter::<Pair>::new(&PLAIN).unwrap();
        let mut stream = MemoryStream::new();
        formatter.serialize(&mut stream, &pair).unwrap();
        stream.rewind();
        assert_eq!(formatter.deserialize(&mut stream), Ok(pair));
    }
}

/// Longer than the buffers of the writer and of the reader, and with characters across their ends.
#[test]
fn long_strings_pass_through_short_buffers() {
    let formatter = BinaryFormatter::<Pair>::new(&PLAIN).unwrap();
    for length in [0, 1, 41, 42, 43, 84, 85, 86, 127, 128, 129, 1_000] {
        let pair = Pair { a: Some("x你".repeat(length)), b: Some("€".repeat(length)) };
        let mut stream = MemoryStream::new();
        formatter.serialize(&mut stream, &pair).unwrap();
        stream.rewind();
        assert_eq!(formatter.deserialize(&mut stream), Ok(pair), "{length}");
    }
}

/// Mono's own bytes name version 0.0.0.0.
#[test]
fn an_assembly_is_the_same_in_another_version() {
    let later =
        Names { assembly: "Fixtures, Version=9.0.0.0, Culture=neutral, PublicKeyToken=null", ..FIXTURES };
    let formatter = BinaryFormatter::<Contact>::new(&later).unwrap();
    let bytes = payload("testdotnet_props");
    assert_eq!(formatter.deserialize(&mut MemoryStream::over(&bytes)), Ok(Contact::sample()));
}

#[test]
fn two_graphs_stand_one_after_the_other_in_a_stream() {
    let formatter = BinaryFormatter::<Contact>::new(&FIXTURES).unwrap();
    let mut stream = MemoryStream::new();
    for _ in 0..2 {
        formatter.serialize(&mut stream, &Contact::sample()).unwrap();
    }
    stream.rewind();
    for _ in 0..2 {
        assert_eq!(formatter.deserialize(&mut stream), Ok(Contact::sample()));
    }
}

#[test]
fn what_cannot_be_written_is_told() {
    let unsupported = |name| Some(UnsupportedType(name));
    assert_eq!(BinaryFormatter::<i32>::new(&FIXTURES).err(), unsupported("Int32"));
    assert_eq!(BinaryFormatter::<Vec<Decimal>>::new(&FIXTURES).err(), unsupported("Decimal"));
    let nothing: Option<Box<NestedModel>> = None;
    let formatter = BinaryFormatter::<Option<Box<NestedModel>>>::new(&FIXTURES).unwrap();
    assert_eq!(formatter.serialize(&mut MemoryStream::new(), &nothing), Err(EncodeError::NullGraph));
    let formatter = BinaryFormatter::<SimpleModel>::new(&FIXTURES).unwrap();
    let mut short = [0; 40];
    let result = formatter.serialize(&mut MemoryStream::over_mut(&mut short), &SimpleModel::sample());
    assert_eq!(result, Err(EncodeError::StreamFull(StreamFull { needed: 63, available: 17 })));
}
