//! Bytes that nobody has written: the readers of JSON fail with an error, and take no more memory than the input justifies.

use std::hint::black_box;

use alloclab::codec::{json, json_dom};
use alloclab::model::{Demo, NestedModel, Payload, SimpleModel, User};
use alloclab::recorder::WindowOptions;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Error;

use crate::random::Random;

/// What a function makes, and the most bytes that it held at once.
fn measured<T>(function: impl FnOnce() -> T) -> (T, u64) {
    let window = WindowOptions::new().open_over_thread().unwrap();
    let value = function();
    let snapshot = window.close();
    (value, snapshot.peak.bytes)
}

/// Changes, cuts or repeats some bytes; most often to one that means much.
fn mutate(random: &mut Random, bytes: &[u8], into: &mut Vec<u8>) {
    const MEANINGFUL: &[u8] = b"[]{}\":,\\-+.eEu0n \xff\xc3";
    into.clear();
    into.extend_from_slice(bytes);
    for _ in 0..=random.below(3) {
        let at = random.below(into.len());
        match random.below(5) {
            0 => into[at] = random.below(256) as u8,
            1 => into[at] ^= 1 << random.below(8),
            2 => into[at] = MEANINGFUL[random.below(MEANINGFUL.len())],
            3 => into.truncate(at.max(1)),
            _ => into.insert(at, MEANINGFUL[random.below(MEANINGFUL.len())]),
        }
    }
}

/// A reader, bytes that it takes, and how many bytes it may hold for each byte of them.
struct Subject {
    name: &'static str,
    read: fn(&[u8]) -> Result<(), Error>,
    bytes: Vec<u8>,
    bytes_per_byte: u64,
}

/// Of all subjects together.
const MUTATIONS: usize = 100_000;

/// What a reader may hold whatever the input: an error, a stack, the first array of a list.
const BASE_BYTES: u64 = 8 << 10;

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<(), Error> {
    json::from_slice::<T>(bytes).map(|value| drop(black_box(value)))
}

fn read_tree<T: DeserializeOwned>(bytes: &[u8]) -> Result<(), Error> {
    json_dom::from_slice::<T>(bytes).map(|value| drop(black_box(value)))
}

fn json_of<T: Serialize>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    json::to_writer(&mut bytes, value).unwrap();
    bytes
}

/// Two bytes are a user of 200 bytes, in a list of up to thrice as many; a value in a tree takes some 80 bytes, in a list of
/// up to thrice as many, or beside an index.
fn subjects() -> Vec<Subject> {
    let demos = json_of(&[Demo::sample(1), Demo::sample(-2)]);
    let users = json_of(&vec![User { email: "a+b@c.de".to_owned(), ..User::default() }; 2]);
    let nested = json_of(&NestedModel::sample());
    let payload = json_of(&Payload::sample(16));
    let subject =
        |name, read, bytes: &Vec<u8>| Subject { name, read, bytes: bytes.clone(), bytes_per_byte: 300 };
    vec![
        subject("demos", read::<Vec<Demo>>, &demos),
        subject("users", read::<Vec<User>>, &users),
        subject("nested", read::<NestedModel>, &nested),
        subject("payload", read::<Payload>, &payload),
        subject("demos by a tree", read_tree::<Vec<Demo>>, &demos),
        subject("users by a tree", read_tree::<Vec<User>>, &users),
        subject("nested by a tree", read_tree::<NestedModel>, &nested),
        subject("payload by a tree", read_tree::<Payload>, &payload),
    ]
}

#[track_caller]
fn read_within_bounds(subject: &Subject, bytes: &[u8]) -> Result<(), Error> {
    let (read, peak) = measured(|| (subject.read)(bytes));
    let limit = BASE_BYTES + subject.bytes_per_byte * bytes.len() as u64;
    assert!(peak <= limit, "{}: {peak} B for {} B", subject.name, bytes.len());
    read
}

#[test]
fn the_untouched_bytes_are_read() {
    for subject in subjects() {
        read_within_bounds(&subject, &subject.bytes).unwrap();
    }
}

#[test]
fn no_text_that_is_cut_short_is_read_and_none_that_goes_on() {
    for subject in subjects() {
        for length in 0..subject.bytes.len() {
            assert!((subject.read)(&subject.bytes[..length]).is_err(), "{} to {length}", subject.name);
        }
        assert!((subject.read)(&[&subject.bytes[..], b" "].concat()).is_ok());
        assert!((subject.read)(&[&subject.bytes[..], b","].concat()).is_err());
    }
}

#[test]
fn a_hundred_thousand_mutations_are_taken_or_refused() {
    let mut random = Random(0x5eed_5eed_5eed_5eed);
    let subjects = subjects();
    let share = MUTATIONS / subjects.len();
    for subject in subjects {
        let mut bytes = Vec::with_capacity(2 * subject.bytes.len());
        let (taken, peak) = measured(|| {
            let mutations = (0..share).filter(|_| {
                mutate(&mut random, &subject.bytes, &mut bytes);
                (subject.read)(&bytes).is_ok()
            });
            mutations.count()
        });
        assert!((1..share).contains(&taken), "{}: {taken} taken", subject.name);
        let limit = BASE_BYTES + subject.bytes_per_byte * subject.bytes.len() as u64;
        assert!(peak <= limit, "{}: {peak} B", subject.name);
    }
}

/// The shortest text for the most memory.
#[test]
fn bombs_take_memory_in_proportion_to_their_size() {
    let many = |element: &str| format!("[{}]", vec![element; 20_000].join(","));
    let texts = [
        many("{}"),
        many("[]"),
        many("0"),
        many("\"\""),
        many("{\"\":0}"),
        many("{\"Subs\":[{}]}"),
        format!("{{\"Items\":{},\"Id\":1,\"Id\":{}}}", many("0"), many("[[{}]]")),
        format!("{{{}}}", vec!["\"Id\":1"; 20_000].join(",")),
        "[".repeat(100_000),
        "{\"Inner\":".repeat(100_000),
        format!("\"{}", "\\u0000".repeat(100_000)),
    ];
    for subject in subjects() {
        for text in &texts {
            let _ = read_within_bounds(&subject, text.as_bytes());
        }
    }
}

fn nested_arrays(depth: usize) -> String {
    "[".repeat(depth) + &"]".repeat(depth)
}

#[test]
fn values_are_read_to_a_depth_of_64_even_where_they_are_passed_over() {
    // The object around the arrays is a level of its own.
    let text = |depth: usize| format!("{{\"Unknown\":{}}}", nested_arrays(depth - 1));
    for read in [read::<Payload> as fn(&[u8]) -> Result<(), Error>, read_tree::<Payload>] {
        read(text(64).as_bytes()).unwrap();
        let error = read(text(65).as_bytes()).unwrap_err();
        assert!(
            error.to_string().starts_with("values are nested deeper than 64 levels at line 1"),
            "{error}"
        );
    }
    assert_eq!((json::MAX_DEPTH, json_dom::MAX_DEPTH), (64, 64));
}

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Node {
    next: Option<Box<Node>>,
}

fn chain(length: usize) -> Node {
    (1..length).fold(Node::default(), |node, _| Node { next: Some(Box::new(node)) })
}

#[test]
fn values_are_written_to_a_depth_of_64_and_read_again() {
    let bytes = json_of(&chain(64));
    assert_eq!(json::from_slice::<Node>(&bytes).unwrap(), chain(64));
    assert_eq!(json_dom::from_slice::<Node>(&bytes).unwrap(), chain(64));
    let error = json::to_writer(Vec::new(), &chain(65)).unwrap_err();
    assert_eq!(error.to_string(), "values are nested deeper than 64 levels");
}

#[test]
fn an_error_says_where_it_is() {
    let error = json::from_slice::<SimpleModel>(b"{\n  \"Id\": true}").unwrap_err();
    assert_eq!((error.line(), error.column()), (2, 12));
    let error = json_dom::from_slice::<SimpleModel>(b"{\n  \"Id\": tru}").unwrap_err();
    assert_eq!((error.line(), error.column()), (2, 12));
}

#[test]
fn what_json_or_the_type_does_not_know_is_refused() {
    for text in [
        b"[1,\"name\"]".as_slice(),
        b"{\"Id\":1,}",
        b"{\"Id\":1 /* one */}",
        b"{\"Id\":2147483648}",
        b"{\"Id\":1.5}",
        b"{\"Id\":01}",
        b"{\"Name\":null}",
        b"{\"Name\":\"\xff\"}",
        b"{\"Name\":\"\\ud800\"}",
        b"{\"Unknown\":\"\xff\"}",
        b"{\"Name\":\"\n\"}",
        b"null",
        b"",
    ] {
        assert!(read::<SimpleModel>(text).is_err(), "{}", text.escape_ascii());
        assert!(read_tree::<SimpleModel>(text).is_err(), "{}", text.escape_ascii());
    }
}

#[test]
fn a_buffer_that_is_too_small_is_an_error() {
    let needed = json_of(&SimpleModel::sample()).len();
    let mut buffer = vec![0; needed];
    assert!(json::to_writer(buffer.as_mut_slice(), &SimpleModel::sample()).is_ok());
    let error = json::to_writer(&mut buffer[1..], &SimpleModel::sample()).unwrap_err();
    assert!(error.is_io());
}
