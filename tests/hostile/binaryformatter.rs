//! Bytes that BinaryFormatter has not written: typed decoding fails with an error that lies in the input, and takes no more
//! memory than the input justifies.

use std::fmt::Debug;
use std::hint::black_box;

use alloclab::codec::binaryformatter::{BinaryFormatter, FieldNames, GenericList, Names};
use alloclab::codec::dotnet::{MemoryStream, Property, Stream};
use alloclab::codec::{DecodeError, DecodeProblem};
use alloclab::model::{Contact, Demo, NestedModel, User};
use alloclab::recorder::measure;
use alloclab::reflect_class;

use crate::random::Random;

const NAMES: Names<'static> = Names {
    assembly: "Fixtures, Version=0.0.0.0, Culture=neutral, PublicKeyToken=null",
    namespace: "Models",
    root: None,
    fields: FieldNames::Plain,
};

/// The ids of a graph with one library: its root's and the library's.
const ROOT: i32 = 1;
const LIBRARY: i32 = 2;

/// Memory that is taken whatever the input is: readers, buffers and tables.
const BASE_BYTES: u64 = 8 << 10;

/// The largest object of these models, as an element that may be null, in a list that has just grown to twice its length:
/// what a byte of the input can make at most.
const BYTES_PER_BYTE: u64 = 3 * size_of::<Option<User>>() as u64;

#[derive(Debug, Default, PartialEq)]
struct Node {
    name: Option<String>,
    next: Option<Box<Node>>,
}
reflect_class!(Node = "Node" { name => "Name", next => "Next" });

#[derive(Debug, Default, PartialEq)]
struct Fork {
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}
reflect_class!(Fork = "Fork" { left => "Left", right => "Right" });

/// Changes, cuts or repeats some bytes; most often in a place where one byte means much.
fn mutate(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes[at] = [0x00, 0x7f, 0x80, 0xff][random.below(4)],
            3 => bytes.truncate(at.max(1)),
            // Numbers of records and of objects.
            4 => bytes[at] = random.below(15) as u8,
            _ => bytes.insert(at, 0xff),
        }
    }
    bytes
}

fn encode<T: Property>(value: &T) -> Vec<u8> {
    let mut stream = MemoryStream::new();
    BinaryFormatter::<T>::new(&NAMES).unwrap().serialize(&mut stream, value).unwrap();
    stream.written().to_vec()
}

fn decode<T: Property>(bytes: &[u8]) -> Result<T, DecodeError> {
    BinaryFormatter::<T>::new(&NAMES).unwrap().deserialize(&mut MemoryStream::over(bytes))
}

fn refused<T: Property + Debug>(bytes: &[u8]) -> DecodeProblem {
    let formatter = BinaryFormatter::<T>::new(&NAMES).unwrap();
    let measured = measure(|| formatter.deserialize(&mut MemoryStream::over(bytes))).unwrap();
    let (peak, limit) = (measured.snapshot.peak.bytes, BASE_BYTES + BYTES_PER_BYTE * bytes.len() as u64);
    assert!(peak <= limit, "{peak} B for {} B", bytes.len());
    let error = measured.value.unwrap_err();
    assert!(error.offset <= bytes.len(), "{error}");
    error.problem
}

fn users(count: i32) -> Vec<User> {
    let user = |id| User { id, first_name: format!("first {id}"), ssn: "123".to_owned(), ..User::default() };
    (0..count).map(user).collect()
}

/// Records, put together by hand.
#[derive(Clone)]
struct Records(Vec<u8>);

impl Records {
    /// The header, and the library.
    fn new() -> Self {
        let mut header = vec![0];
        header.extend([ROOT, -1, 1, 0].iter().flat_map(|number| number.to_le_bytes()));
        Self(header).library(LIBRARY)
    }

    fn byte(mut self, byte: u8) -> Self {
        self.0.push(byte);
        self
    }

    fn int(mut self, number: i32) -> Self {
        self.0.extend(number.to_le_bytes());
        self
    }

    fn text(mut self, text: &str) -> Self {
        self.0.push(text.len() as u8);
        self.0.extend(text.bytes());
        self
    }

    fn library(self, id: i32) -> Self {
        self.byte(12).int(id).text(NAMES.assembly)
    }

    /// An array of nodes.
    fn array(self, id: i32, length: i32) -> Self {
        self.byte(7).int(id).byte(0).int(1).int(length).byte(4).text("Models.Node").int(LIBRARY)
    }

    /// A node with the class.
    fn node(self, id: i32) -> Self {
        let class = self.byte(5).int(id).text("Models.Node").int(2).text("Name").text("Next");
        class.byte(1).byte(4).text("Models.Node").int(LIBRARY).int(LIBRARY)
    }

    fn reference(self, id: i32) -> Self {
        self.byte(9).int(id)
    }

    fn string(self, id: i32, text: &str) -> Self {
        self.byte(6).int(id).text(text)
    }

    fn null(self) -> Self {
        self.byte(10)
    }

    fn end(self) -> Vec<u8> {
        self.byte(11).0
    }
}

#[test]
fn records_put_together_by_hand_are_read() {
    let bytes = Records::new().node(ROOT).string(3, "one").reference(4);
    let bytes = bytes.byte(1).int(4).int(ROOT).reference(3).null().end();
    let next = Some(Box::new(Node { name: Some("one".to_owned()), next: None }));
    assert_eq!(decode::<Node>(&bytes), Ok(Node { name: Some("one".to_owned()), next }));
}

#[test]
fn every_cut_of_a_graph_is_an_error_within_it() {
    fn cut<T: Property + Debug + PartialEq>(value: &T) {
        let bytes = encode(value);
        assert_eq!(decode::<T>(&bytes).as_ref(), Ok(value));
        for length in 0..bytes.len() {
            refused::<T>(&bytes[..length]);
        }
    }
    cut(&Contact::sample());
    cut(&NestedModel::sample());
    cut(&Demo::sample(12_345));
    cut(&users(3));
    cut(&GenericList::from_iter(users(3)));
}

#[test]
fn a_value_cut_short_says_where_it_began() {
    let bytes = encode(&Contact::sample());
    let error = decode::<Contact>(&bytes[..10]).unwrap_err();
    assert_eq!(
        error,
        DecodeError { offset: 0, problem: DecodeProblem::EndOfInput { needed: 17, available: 10 } }
    );
    let error = decode::<Contact>(&bytes[..bytes.len() - 3]).unwrap_err();
    let problem = DecodeProblem::EndOfInput { needed: 4, available: 2 };
    assert_eq!(error, DecodeError { offset: bytes.len() - 5, problem });
}

/// What is read is written again, and then read as the same.
fn try_mutations<T: Property + PartialEq + Debug>(seed: &T, random: &mut Random) {
    let formatter = BinaryFormatter::<T>::new(&NAMES).unwrap();
    let bytes = encode(seed);
    let mut taken = 0;
    for _ in 0..200 {
        let inputs: Vec<_> = (0..100).map(|_| mutate(random, &bytes)).collect();
        let longest = inputs.iter().map(Vec::len).max().unwrap_or_default();
        let peak = measure(|| {
            for input in &inputs {
                let decoded = black_box(formatter.deserialize(&mut MemoryStream::over(input)));
                assert!(decoded.is_ok() || decoded.is_err_and(|error| error.offset <= input.len()));
            }
        });
        let (peak, limit) = (peak.unwrap().snapshot.peak.bytes, BASE_BYTES + BYTES_PER_BYTE * longest as u64);
        assert!(peak <= limit, "{peak} B for {longest} B at most");
        let read = |bytes: &[u8]| formatter.deserialize(&mut MemoryStream::over(bytes));
        for value in inputs.iter().filter_map(|input| read(input).ok()) {
            // Compared as bytes: a number that is none is not equal to itself.
            let written = encode(&value);
            assert_eq!(encode(&read(&written).unwrap()), written);
            taken += 1;
        }
    }
    assert!(taken > 100, "{taken}");
}

#[test]
fn a_hundred_thousand_mutations_are_taken_or_refused() {
    let mut random = Random(0x5eed_5eed_5eed_5eed);
    try_mutations(&Contact::sample(), &mut random);
    try_mutations(&NestedModel::sample(), &mut random);
    try_mutations(&Demo::sample(12_345), &mut random);
    try_mutations(&users(2), &mut random);
    try_mutations(&GenericList::from_iter(users(2)), &mut random);
}

#[test]
fn counts_beyond_the_input_are_refused_before_anything_is_made() {
    let many = i32::MAX;
    for count in [many, -1, 1_000] {
        let problem = DecodeProblem::LengthOutOfRange(count.into());
        assert_eq!(refused::<Vec<Option<Node>>>(&Records::new().array(ROOT, count).end()), problem);
        let class = Records::new().byte(5).int(ROOT).text("Models.Node").int(count);
        assert_eq!(refused::<Node>(&class.end()), problem);
    }
    let text = Records::new().node(ROOT).byte(6).int(3);
    let long = text.clone().byte(0xff).byte(0xff).byte(0xff).byte(0xff).byte(0x07).end();
    assert_eq!(refused::<Node>(&long), DecodeProblem::LengthOutOfRange(many.into()));
    let endless = text.byte(0xff).byte(0xff).byte(0xff).byte(0xff).byte(0xff).end();
    assert_eq!(refused::<Node>(&endless), DecodeProblem::IntegerTooLong);
}

#[test]
fn nulls_beyond_their_array_are_refused() {
    for count in [4, i32::MAX, 0, -1] {
        let bytes = Records::new().array(ROOT, 3).byte(14).int(count).end();
        assert_eq!(refused::<Vec<Option<Node>>>(&bytes), DecodeProblem::LengthOutOfRange(count.into()));
    }
    let bytes = Records::new().array(ROOT, 3).byte(13).byte(4).end();
    assert_eq!(refused::<Vec<Option<Node>>>(&bytes), DecodeProblem::LengthOutOfRange(4));
    let bytes = Records::new().array(ROOT, 3).byte(13).byte(3).end();
    assert_eq!(refused::<Vec<Node>>(&bytes), DecodeProblem::ValueOutOfRange);
}

/// Tables are indexed by number: a high one would be a large table.
#[test]
fn numbers_that_nothing_has_counted_up_to_are_refused() {
    for id in [i32::MAX, 1_000, 0, -1] {
        let out_of_range = DecodeProblem::ValueOutOfRange;
        assert_eq!(refused::<Node>(&Records::new().library(id).end()), out_of_range);
        assert_eq!(refused::<Node>(&Records::new().node(id).null().null().end()), out_of_range);
        assert_eq!(refused::<Node>(&Records::new().node(ROOT).null().reference(id).end()), out_of_range);
        assert_eq!(refused::<Node>(&Records::new().node(ROOT).string(id, "a").null().end()), out_of_range);
        assert_eq!(refused::<Vec<Node>>(&Records::new().array(id, 0).end()), out_of_range);
    }
}

#[test]
fn two_objects_cannot_have_one_number() {
    let repeated =
        |bytes: Records, id| assert_eq!(refused::<Node>(&bytes.end()), DecodeProblem::DuplicateId(id));
    repeated(Records::new().node(ROOT).null().null().node(ROOT).null().null(), ROOT);
    repeated(Records::new().node(ROOT).string(ROOT, "a").null(), ROOT);
    repeated(Records::new().node(ROOT).string(3, "a").null().node(3).null().null(), 3);
    repeated(Records::new().library(LIBRARY), LIBRARY);
}

#[test]
fn an_object_that_is_no_tree_is_refused() {
    let unresolved = DecodeProblem::UnresolvedId;
    let itself = Records::new().node(ROOT).null().reference(ROOT);
    assert_eq!(refused::<Node>(&itself.end()), unresolved(ROOT));
    let circle =
        Records::new().node(ROOT).null().reference(3).byte(1).int(3).int(ROOT).null().reference(ROOT);
    assert_eq!(refused::<Node>(&circle.end()), unresolved(ROOT));
    let missing = Records::new().node(ROOT).null().reference(3);
    assert_eq!(refused::<Node>(&missing.end()), unresolved(3));
    let no_root = Records::new().node(3).null().null();
    assert_eq!(refused::<Node>(&no_root.end()), unresolved(ROOT));
    let twice = Records::new().array(ROOT, 2).reference(3).reference(3).node(3).null().null();
    assert_eq!(refused::<Vec<Node>>(&twice.end()), DecodeProblem::SharedObject(3));
    let text_as_object = Records::new().node(ROOT).string(3, "a").reference(3);
    assert_eq!(refused::<Node>(&text_as_object.end()), unresolved(3));
    let object_as_text = Records::new().node(ROOT).reference(ROOT).null();
    assert_eq!(refused::<Node>(&object_as_text.end()), unresolved(ROOT));
    let no_class = Records::new().byte(1).int(ROOT).int(5);
    assert_eq!(refused::<Node>(&no_class.end()), unresolved(5));
}

#[test]
fn classes_and_libraries_that_the_value_does_not_have_are_refused() {
    let class = |name: &str, member: &str, library| {
        let record = Records::new().byte(5).int(ROOT).text(name).int(2).text("Name").text(member);
        record.byte(1).byte(4).text("Models.Node").int(LIBRARY).int(library).null().null().end()
    };
    assert!(decode::<Node>(&class("Models.Node", "Next", LIBRARY)).is_ok());
    let unknown = DecodeProblem::UnknownName;
    assert_eq!(refused::<Node>(&class("Models.Mode", "Next", LIBRARY)), unknown);
    assert_eq!(refused::<Node>(&class("Models.Node", "Text", LIBRARY)), unknown);
    assert_eq!(refused::<Node>(&class("Models.Node", "Name", LIBRARY)), unknown);
    assert_eq!(refused::<Node>(&class("Models.Node", "Next", 3)), unknown);
    assert_eq!(refused::<Fork>(&class("Models.Node", "Next", LIBRARY)), DecodeProblem::ValueOutOfRange);
}

#[test]
fn records_that_cannot_stand_where_they_are_are_refused() {
    let unexpected = DecodeProblem::UnexpectedTag;
    assert_eq!(refused::<Node>(&Records::new().null().end()), unexpected(10));
    assert_eq!(refused::<Node>(&Records::new().node(ROOT).end()), unexpected(11));
    assert_eq!(refused::<Node>(&Records::new().node(ROOT).null().node(3).end()), unexpected(5));
    assert_eq!(refused::<Node>(&Records::new().node(ROOT).byte(13).byte(2).end()), unexpected(13));
    assert_eq!(refused::<Node>(&Records::new().byte(200).end()), unexpected(200));
    let no_header = &Records::new().end()[17..];
    assert_eq!(refused::<Node>(no_header), unexpected(12));
    let mut other_version = Records::new().node(ROOT).null().null().end();
    other_version[9] = 2;
    let unsupported = DecodeProblem::UnsupportedVersion { major: 2, minor: 0 };
    assert_eq!(refused::<Node>(&other_version), unsupported);
    let mut with_headers = Records::new().node(ROOT).null().null().end();
    with_headers[5..9].copy_from_slice(&2_i32.to_le_bytes());
    assert_eq!(refused::<Node>(&with_headers), DecodeProblem::ValueOutOfRange);
}

#[test]
fn types_that_do_not_exist_and_those_that_no_model_has_are_told_apart() {
    let class = |types: &[u8]| {
        let start = Records::new().byte(5).int(ROOT).text("Models.Node").int(2).text("Name").text("Next");
        refused::<Node>(&types.iter().fold(start, |records, code| records.byte(*code)).end())
    };
    assert_eq!(class(&[1, 8]), DecodeProblem::UnexpectedTag(8));
    assert_eq!(class(&[0, 0, 4]), DecodeProblem::UnexpectedTag(4));
    assert_eq!(class(&[1, 2]), DecodeProblem::UnsupportedType("Object"));
    assert_eq!(class(&[1, 7]), DecodeProblem::UnsupportedValue("an array of primitives"));
    let jagged = Records::new().byte(7).int(ROOT).byte(1).int(1).end();
    assert!(matches!(refused::<Vec<Node>>(&jagged), DecodeProblem::UnsupportedValue(_)));
}

#[test]
fn text_that_is_not_utf_8_is_refused() {
    let bad = |bytes: &[u8]| {
        let start = Records::new().node(ROOT).byte(6).int(3).byte(bytes.len() as u8);
        let text = bytes.iter().fold(start, |records, byte| records.byte(*byte));
        refused::<Node>(&text.null().end())
    };
    for bytes in [&[0xff][..], b"a\xc3", b"a\xc3(", b"\xed\xa0\x80", b"\xf5\x80\x80\x80"] {
        assert_eq!(bad(bytes), DecodeProblem::InvalidUtf8, "{bytes:x?}");
    }
}

/// A shared string is copied. Were it copied without a limit, the square of the input could be asked for.
#[test]
fn copies_of_a_string_take_no_more_than_the_input() {
    const NODES: i32 = 2_000;
    let text = "x".repeat(100);
    let mut records = Records::new().array(ROOT, NODES);
    for id in 0..NODES {
        records = records.reference(3 + id);
    }
    records = records.node(3).string(3 + NODES, &text).null();
    for id in 1..NODES {
        records = records.byte(1).int(3 + id).int(3).reference(3 + NODES).null();
    }
    let bytes = records.end();
    let problem = refused::<Vec<Node>>(&bytes);
    assert!(matches!(problem, DecodeProblem::LimitExceeded { limit: ..100 }), "{problem:?}");
}

/// The holders of all objects form chains: they are dropped one by one.
#[test]
fn a_great_many_references_to_nothing_are_refused() {
    const REFERENCES: i32 = 20_000;
    let mut records = Records::new().array(ROOT, REFERENCES);
    for id in 0..REFERENCES {
        records = records.reference(3 + id);
    }
    assert_eq!(refused::<Vec<Node>>(&records.end()), DecodeProblem::UnresolvedId(3));
}

#[test]
fn a_reader_takes_one_graph_and_no_byte_more() {
    let mut bytes = encode(&Contact::sample());
    let length = bytes.len();
    bytes.extend([0xff; 4]);
    let mut stream = MemoryStream::over(&bytes);
    assert!(BinaryFormatter::<Contact>::new(&NAMES).unwrap().deserialize(&mut stream).is_ok());
    assert_eq!(stream.position(), length);
}
