//! Bytes that nobody has written: `protobuf-net` and `protobuf` fail with an error, and take no more memory than the input
//! justifies.

use std::fs;
use std::hint::black_box;
use std::io::{BufReader, ErrorKind};

use alloclab::codec::protobuf::{
    ContactMessage, DemoListMessage, DemoMessage, PayloadMessage, UserListMessage, UserMessage,
};
use alloclab::codec::protobuf_net::{self, MAX_DEPTH, ProtoRoot};
use alloclab::codec::{DecodeError, DecodeProblem};
use alloclab::model::{Contact, Demo, DemoSub, NestedModel, Payload, User};
use alloclab::proto_contract;
use alloclab::recorder::measure;
use prost::Message;

use crate::random::Random;

/// Memory that any input may ask for.
const BASE_BYTES: u64 = 4_096;

/// Memory that a byte of input may ask for: two bytes are an empty user, which is ten times as large as an empty string,
/// and a list that grows is there twice for a moment.
const BYTES_PER_BYTE: u64 = 256;

/// Mutations of all goldens, each of them for every decoder of its golden.
const MUTATIONS: usize = 100_000;

/// Changes, cuts or adds some bytes; most often to one of those that mean much.
fn mutate(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        match random.below(5) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes[at] = [0x00, 0x0b, 0x7f, 0x80, 0xff][random.below(5)],
            3 => bytes.truncate(at.max(1)),
            _ => bytes.insert(at, 0xff),
        }
    }
    bytes
}

/// A decoder: whether it takes some bytes.
type Decode = fn(&[u8]) -> bool;

fn net<T: ProtoRoot + ?Sized>(bytes: &[u8]) -> bool {
    black_box(protobuf_net::from_slice::<T>(bytes)).is_ok()
}

fn net_stream<T: ProtoRoot + ?Sized>(bytes: &[u8]) -> bool {
    let stream = BufReader::with_capacity(64, bytes);
    black_box(protobuf_net::from_reader::<T>(stream)).is_ok()
}

fn google<M: Message + Default>(bytes: &[u8]) -> bool {
    black_box(M::decode(bytes)).is_ok()
}

const CONTACT: [Decode; 3] = [net::<Contact>, net_stream::<Contact>, google::<ContactMessage>];
const DEMO: [Decode; 3] = [net::<Demo>, net_stream::<Demo>, google::<DemoMessage>];
const DEMOS: [Decode; 3] = [net::<[Demo]>, net_stream::<[Demo]>, google::<DemoListMessage>];
const USER: [Decode; 2] = [net::<User>, net_stream::<User>];
const USERS: [Decode; 3] = [net::<[User]>, net_stream::<[User]>, google::<UserListMessage>];
const PAYLOAD: [Decode; 3] = [net::<Payload>, net_stream::<Payload>, google::<PayloadMessage>];

fn golden(name: &str) -> Vec<u8> {
    let path = format!("{}/fixtures/golden/protobuf/{name}.pb", env!("CARGO_MANIFEST_DIR"));
    fs::read(path).unwrap()
}

/// Every golden with the decoders that take it.
fn subjects() -> Vec<(&'static str, &'static [Decode])> {
    vec![
        ("testpb", &CONTACT),
        ("demo_0", &DEMO),
        ("demo_12345", &DEMO),
        ("demo_minus1", &DEMO),
        ("demo_array", &DEMOS),
        ("user_1.net", &USER),
        ("user_2.net", &USER),
        ("user_list.net", &USERS[..2]),
        ("user_1.stamp", &[google::<UserMessage>]),
        ("user_2.stamp", &[google::<UserMessage>]),
    ]
}

fn limit(input_bytes: usize) -> u64 {
    BASE_BYTES + BYTES_PER_BYTE * input_bytes as u64
}

/// Decodes, and checks the most that was allocated at a time.
#[track_caller]
fn decode_within_bounds(decode: Decode, bytes: &[u8]) -> bool {
    let measured = measure(|| decode(bytes)).unwrap();
    let peak = measured.snapshot.peak.bytes;
    assert!(peak <= limit(bytes.len()), "{peak} B for {} B", bytes.len());
    measured.value
}

fn problem<T: ProtoRoot + ?Sized>(bytes: &[u8]) -> DecodeError {
    match protobuf_net::from_slice::<T>(bytes) {
        Ok(_) => panic!("these bytes were taken: {bytes:02x?}"),
        Err(error) => error,
    }
}

fn error(offset: usize, problem: DecodeProblem) -> DecodeError {
    DecodeError { offset, problem }
}

#[test]
fn the_untouched_bytes_decode() {
    for (name, decoders) in subjects() {
        let bytes = golden(name);
        assert!(decoders.iter().all(|&decode| decode_within_bounds(decode, &bytes)), "{name}");
    }
}

/// Between two members an object may end; inside of a value it may not.
#[test]
fn bytes_that_are_cut_short_decode_between_two_members_only() {
    let whole = |name: &str, decode: Decode| {
        let bytes = golden(name);
        let taken = |length: &usize| decode_within_bounds(decode, &bytes[..*length]);
        (0..bytes.len()).filter(taken).collect::<Vec<_>>()
    };
    for decode in CONTACT {
        assert_eq!(whole("testpb", decode), [0, 19, 26, 31, 34, 47]);
    }
    for decode in DEMO {
        assert_eq!(whole("demo_0", decode), [0, 2, 17, 36, 55, 74]);
    }
    for decode in &USERS[..2] {
        assert_eq!(whole("user_list.net", *decode), [0, 121]);
    }
}

#[test]
fn every_length_of_every_golden_is_taken_or_refused() {
    for (name, decoders) in subjects() {
        let bytes = golden(name);
        for length in 0..bytes.len() {
            decoders.iter().for_each(|&decode| _ = decode_within_bounds(decode, &bytes[..length]));
        }
    }
}

/// One window over all of them: the highest of their peaks is within the bounds of the longest.
#[test]
fn a_hundred_thousand_mutations_are_taken_or_refused() {
    let mut random = Random(0x5eed_5eed_5eed_5eed);
    let share = MUTATIONS / subjects().len();
    for (name, decoders) in subjects() {
        let bytes = golden(name);
        let measured = measure(|| {
            let mut refused = 0;
            for _ in 0..share {
                let mutated = mutate(&mut random, &bytes);
                refused += decoders.iter().filter(|decode| !decode(&mutated)).count();
            }
            refused
        });
        let measured = measured.unwrap();
        let peak = measured.snapshot.peak.bytes;
        // An input is there as well, and can be a few bytes longer than the golden.
        assert!(peak <= limit(bytes.len() + 4), "{name}: {peak} B");
        assert!((1_000..MUTATIONS).contains(&measured.value), "{name}: {} refused", measured.value);
    }
}

#[test]
fn lengths_beyond_the_input_are_refused_before_anything_is_made() {
    let refused = |length| error(1, DecodeProblem::LengthOutOfRange(length));
    let most = [0x0a, 0xff, 0xff, 0xff, 0xff, 0x07];
    assert_eq!(problem::<Contact>(&most), refused(i64::from(i32::MAX)));
    assert_eq!(problem::<[User]>(&most), refused(i64::from(i32::MAX)));
    let negative = [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    assert_eq!(problem::<Contact>(&negative), refused(-1));
    assert_eq!(problem::<Contact>(&[0x0a, 2, b'x']), refused(2));
    assert_eq!(problem::<Contact>(&[0x7a, 2, b'x']), refused(2), "of a field that is passed over");
    assert_eq!(problem::<Payload>(&[0x1a, 2, 1]), refused(2), "of packed numbers");
    for decode in [CONTACT, USERS, DEMOS, PAYLOAD].as_flattened() {
        assert!(!decode_within_bounds(*decode, &most));
    }
}

#[test]
fn an_inner_length_stays_within_the_outer_one() {
    let bytes = [0x1a, 2, 0x12, 3, b'a', b'b', b'c'];
    assert_eq!(problem::<NestedModel>(&bytes), error(3, DecodeProblem::LengthOutOfRange(3)));
    let ends_inside_a_number = [0x1a, 2, 0x08, 0x80, 0x01];
    let end = DecodeProblem::EndOfInput { needed: 1, available: 0 };
    assert_eq!(problem::<NestedModel>(&ends_inside_a_number), error(4, end));
}

/// A stream does not say how long it is, so that lengths are believed as far as the bytes have come in.
#[test]
fn a_stream_that_promises_a_gigabyte_gets_a_kilobyte() {
    let promise = [0x0a, 0x80, 0x80, 0x80, 0x80, 0x04];
    for sent in [0, 60, 3_000] {
        let bytes = [&promise[..], &vec![b'x'; sent]].concat();
        let measured =
            measure(|| protobuf_net::from_reader::<Contact>(BufReader::with_capacity(64, &bytes[..])));
        let measured = measured.unwrap();
        let io_error = measured.value.unwrap_err();
        assert_eq!(io_error.kind(), ErrorKind::InvalidData);
        let decode_error = *io_error.get_ref().unwrap().downcast_ref::<DecodeError>().unwrap();
        let problem = DecodeProblem::EndOfInput { needed: 1 << 30, available: sent };
        assert_eq!(decode_error, error(6, problem));
        let peak = measured.snapshot.peak.bytes;
        assert!(peak <= 2_048 + 3 * bytes.len() as u64, "{peak} B for {} B", bytes.len());
    }
}

#[test]
fn objects_of_a_stream_that_ends_too_early_are_refused() {
    for bytes in [&[0x0a_u8, 0x04, 0x08, 0x01][..], &[0x0a, 0x02], &[0x0a, 0x04, 0x12, 0x02, b'x']] {
        assert!(!net_stream::<[User]>(bytes), "{bytes:02x?}");
    }
    assert!(!net_stream::<Payload>(&[0x1a, 3, 1, 2]), "packed numbers");
    assert!(net_stream::<Payload>(&[0x1a, 2, 1, 2]));
}

#[test]
fn many_empty_objects_take_memory_for_what_they_are() {
    let empty_objects = [0x0a, 0].repeat(50_000);
    for decode in [USERS, DEMOS].as_flattened() {
        assert!(decode_within_bounds(*decode, &empty_objects));
    }
    let empty_subs = [0x32, 0].repeat(50_000);
    assert!(DEMO.iter().all(|&decode| decode_within_bounds(decode, &empty_subs)));
    let packed = [&[0x1a, 0xa0, 0x8d, 0x06][..], &[1; 100_000]].concat();
    assert!(PAYLOAD.iter().all(|&decode| decode_within_bounds(decode, &packed)));
}

#[test]
fn numbers_that_do_not_end_or_do_not_fit_are_refused() {
    let with_tag = |tag: u8, rest: &[u8]| [&[tag], rest].concat();
    let too_long = DecodeProblem::IntegerTooLong;
    assert_eq!(problem::<Demo>(&with_tag(0x08, &[0xff; 11])), error(1, too_long));
    let mut bits_beyond_64 = [0xff; 10];
    bits_beyond_64[9] = 2;
    assert_eq!(problem::<Demo>(&with_tag(0x28, &bits_beyond_64)), error(1, too_long));
    let cut_short = DecodeProblem::EndOfInput { needed: 1, available: 0 };
    assert_eq!(problem::<Demo>(&[0x08, 0x80]), error(2, cut_short));
    let out_of_range = DecodeProblem::ValueOutOfRange;
    assert_eq!(problem::<Demo>(&[0x08, 0x80, 0x80, 0x80, 0x80, 0x10]), error(1, out_of_range));
    assert_eq!(problem::<Demo>(&[0x10, 2]), error(1, out_of_range), "neither true nor false");
    let needed = DecodeProblem::EndOfInput { needed: 8, available: 3 };
    assert_eq!(problem::<Demo>(&[0x21, 0, 0, 0]), error(1, needed));
}

#[test]
fn instants_beyond_the_last_year_are_refused() {
    let instant = |message: &[u8]| [&[0x32, message.len() as u8], message].concat();
    let out_of_range = error(0, DecodeProblem::ValueOutOfRange);
    let days_beyond = [0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    assert_eq!(problem::<User>(&instant(&days_beyond)), out_of_range);
    assert_eq!(problem::<User>(&instant(&[0x08, 0xff, 0xff, 0xff, 0x07])), out_of_range, "before year 1");
    assert_eq!(problem::<User>(&instant(&[0x10, 14])), out_of_range, "a unit that does not exist");
    assert_eq!(problem::<User>(&instant(&[0x08, 4, 0x10, 15])), out_of_range, "neither first nor last");
}

#[test]
fn tags_that_mean_nothing_are_refused() {
    let invalid = |tag| error(0, DecodeProblem::InvalidTag(tag));
    assert_eq!(problem::<Demo>(&[0x00]), invalid(0));
    assert_eq!(problem::<Demo>(&[0x02, 0]), invalid(2), "number 0");
    assert_eq!(problem::<Demo>(&[0x0e]), invalid(14), "wire type 6");
    assert_eq!(problem::<Demo>(&[0x0f]), invalid(15), "wire type 7");
    assert_eq!(problem::<Demo>(&[0x80, 0x80, 0x80, 0x80, 0x10]), invalid(1 << 32));
}

#[test]
fn a_field_of_another_kind_than_its_member_is_refused() {
    let unexpected = |wire_type| error(0, DecodeProblem::UnexpectedWireType(wire_type));
    assert_eq!(problem::<Demo>(&[0x0a, 0]), unexpected(2), "text for a number");
    assert_eq!(problem::<Demo>(&[0x18, 0]), unexpected(0), "a number for text");
    assert_eq!(problem::<Demo>(&[0x1b, 0x1c]), unexpected(3), "a group for text");
    assert_eq!(problem::<Demo>(&[0x20, 0]), unexpected(0), "an integer for a floating-point number");
    assert_eq!(problem::<Demo>(&[0x30, 0]), unexpected(0), "a number for an object");
    assert_eq!(problem::<[DemoSub]>(&[0x08, 0]), unexpected(0), "a number for an item");
}

#[test]
fn groups_end_where_they_began() {
    let unexpected = |offset, number| error(offset, DecodeProblem::UnexpectedEndOfGroup(number));
    assert_eq!(problem::<Demo>(&[0x0c]), unexpected(0, 1));
    assert_eq!(problem::<Demo>(&[0x5b, 0x64]), unexpected(1, 12), "passed over");
    assert_eq!(problem::<NestedModel>(&[0x1b, 0x24]), unexpected(1, 4), "read");
    let end = DecodeProblem::EndOfInput { needed: 1, available: 0 };
    assert_eq!(problem::<Demo>(&[0x5b, 0x08, 0x01]), error(3, end), "passed over");
    assert_eq!(problem::<NestedModel>(&[0x1b, 0x08, 0x01]), error(3, end), "read");
}

#[test]
fn text_that_is_not_utf_8_is_refused() {
    let bytes = [0x0a, 2, 0xc3, 0x28];
    assert_eq!(problem::<Contact>(&bytes), error(2, DecodeProblem::InvalidUtf8));
    for decode in CONTACT {
        assert!(!decode(&bytes));
    }
    let text = [&[0x0a, 0x80, 0x01][..], &[0xff; 128]].concat();
    assert!(!net_stream::<Contact>(&text), "longer than the stream's window");
}

#[derive(Debug, Default)]
struct Page {
    child: Option<Box<Page>>,
}
proto_contract!(Page { 1 => child });

#[derive(Clone, PartialEq, Message)]
struct PageMessage {
    #[prost(message, optional, boxed, tag = "1")]
    child: Option<Box<PageMessage>>,
}

fn pages(depth: u32) -> Vec<u8> {
    let page = (0..depth).fold(Page::default(), |child, _| Page { child: Some(Box::new(child)) });
    protobuf_net::to_vec(&page)
}

#[test]
fn objects_nested_deeper_than_the_limit_are_refused() {
    assert!(net::<Page>(&pages(MAX_DEPTH)));
    assert_eq!(problem::<Page>(&pages(MAX_DEPTH + 1)).problem, DecodeProblem::TooDeep);
    assert!(google::<PageMessage>(&pages(100)));
    assert!(!google::<PageMessage>(&pages(101)));
}

#[test]
fn groups_nested_deeper_than_the_limit_are_refused() {
    let groups = |depth: usize| [[0x5b].repeat(depth), [0x5c].repeat(depth)].concat();
    assert!(net::<Contact>(&groups(MAX_DEPTH as usize)));
    let too_deep = error(MAX_DEPTH as usize, DecodeProblem::TooDeep);
    assert_eq!(problem::<Contact>(&groups(100_000)), too_deep);
    let read = [0x0b].repeat(100_000);
    assert_eq!(problem::<Page>(&read), too_deep);
    assert!(!google::<ContactMessage>(&groups(100_000)));
}

#[test]
fn an_error_says_where_and_why() {
    let text = |bytes: &[u8]| problem::<Demo>(bytes).to_string();
    assert_eq!(text(&[0x00]), "byte 0: 0 is no tag of a field");
    assert_eq!(text(&[0x0a, 0]), "byte 0: the member has no values of wire type 2");
    assert_eq!(text(&[0x0c]), "byte 0: group 1 ends here and was not the last to begin");
}
