//! Bytes that nobody has written: LiteSerializer's reader fails with an error, and takes no more memory than the input
//! justifies.

use std::hint::black_box;

use alloclab::codec::lite::{
    self, LiteDeserialize, LiteReader, MAX_ELEMENTS, MAX_READ_DEPTH, MAX_STRING_BYTES, ScratchBuffer,
};
use alloclab::codec::{DecodeError, DecodeProblem};
use alloclab::lite_object;
use alloclab::model::{DateTime, Decimal, Demo, Guid, NestedModel, Payload, User};
use alloclab::recorder::WindowOptions;

use crate::random::Random;

/// An object with members of every kind.
#[derive(Clone, Debug, Default, PartialEq)]
struct Everything {
    flag: bool,
    letter: char,
    small: Option<i8>,
    short: Option<u16>,
    long: u64,
    single: f32,
    price: Decimal,
    key: Option<Guid>,
    at: DateTime,
    text: Option<String>,
    rows: Vec<Vec<u16>>,
    texts: Vec<String>,
    pairs: Vec<(u8, String)>,
    models: Option<Vec<Option<NestedModel>>>,
    inner: Option<Box<Everything>>,
}
lite_object!(Everything {
    flag: bool,
    letter: char,
    small: Option<i8>,
    short: Option<u16>,
    long: u64,
    single: f32,
    price: Decimal,
    key: Option<Guid>,
    at: DateTime,
    text: Option<String>,
    rows: Vec<Vec<u16>>,
    texts: Vec<String>,
    pairs: Vec<(u8, String)>,
    models: Option<Vec<Option<NestedModel>>>,
    inner: Option<Box<Everything>>,
});

/// A tree: its levels are boxes, its branches lists.
#[derive(Clone, Debug, Default, PartialEq)]
struct Tree {
    first: Option<Box<Tree>>,
    others: Vec<Tree>,
}
lite_object!(Tree { first: Option<Box<Tree>>, others: Vec<Tree> });

fn everything(depth: u32) -> Everything {
    Everything {
        letter: 'é',
        small: Some(-1),
        key: Some(Guid::from_bytes([7; 16])),
        text: Some("😀 text".to_owned()),
        rows: vec![vec![1, 2, 3], vec![], vec![4]],
        texts: vec!["one".to_owned(), String::new()],
        pairs: vec![(1, "a".to_owned())],
        models: Some(vec![Some(NestedModel::sample()), None]),
        inner: (depth > 0).then(|| Box::new(everything(depth - 1))),
        ..Everything::default()
    }
}

fn tree(depth: u32) -> Tree {
    if depth == 0 {
        return Tree::default();
    }
    Tree { first: Some(Box::new(tree(depth - 1))), others: vec![tree(depth - 1); 2] }
}

/// Changes, cuts or repeats some bytes; most often in a place where one byte means much.
fn mutate(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        match random.below(5) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes[at] = [0x00, 0x7f, 0x80, 0xff][random.below(4)],
            3 => bytes.truncate(at.max(1)),
            _ => bytes.insert(at, 0xff),
        }
    }
    bytes
}

type Decode = fn(&[u8]) -> Result<(), DecodeError>;

/// A decoder, and bytes that it takes.
struct Subject {
    name: &'static str,
    decode: Decode,
    bytes: Vec<u8>,
}

/// Bytes on the heap that a byte of input may take: a flag, for an object that is then not there.
const BYTES_PER_BYTE: usize = size_of::<NestedModel>();

/// Boxes of objects of which the input has not enough bytes.
const BASE_BYTES: usize = 4 * size_of::<Everything>();

fn decode<T: LiteDeserialize>(bytes: &[u8]) -> Result<(), DecodeError> {
    lite::from_slice::<T>(bytes).map(|value| drop(black_box(value)))
}

fn subject<T: LiteDeserialize>(name: &'static str, value: &T) -> Subject {
    Subject { name, decode: decode::<T>, bytes: ScratchBuffer::new().serialize(value).unwrap() }
}

fn subjects() -> Vec<Subject> {
    vec![
        subject("everything", &everything(1)),
        subject("tree", &tree(4)),
        subject("payload", &Payload::sample(16)),
        subject("demos", &vec![Demo::sample(7); 3]),
        subject("users", &vec![User { email: "zoë".to_owned(), ..User::default() }; 3]),
    ]
}

/// The most that was alive at once.
fn peak_of<T>(run: impl FnOnce() -> T) -> (T, u64) {
    let window = WindowOptions::new().open_over_thread().unwrap();
    let result = run();
    (result, window.close().peak.bytes)
}

fn limit(bytes: usize) -> u64 {
    (BASE_BYTES + BYTES_PER_BYTE * bytes) as u64
}

#[track_caller]
fn decode_within_bounds(subject: &Subject, bytes: &[u8]) -> Result<(), DecodeError> {
    let (decoded, peak) = peak_of(|| (subject.decode)(bytes));
    let limit = limit(bytes.len());
    assert!(peak <= limit, "{}: {peak} B for {} B: {bytes:02x?}", subject.name, bytes.len());
    decoded
}

#[test]
fn the_untouched_bytes_decode() {
    for subject in subjects() {
        assert_eq!(decode_within_bounds(&subject, &subject.bytes), Ok(()), "{}", subject.name);
    }
}

#[test]
fn bytes_that_are_cut_short_are_refused() {
    for subject in subjects() {
        for length in 0..subject.bytes.len() {
            let decoded = decode_within_bounds(&subject, &subject.bytes[..length]);
            assert!(decoded.is_err(), "{} of {length} B", subject.name);
        }
    }
}

/// A window for each would take longer than all of the decoding.
#[test]
fn a_hundred_thousand_mutations_are_taken_or_refused() {
    let mut random = Random(0x5eed_5eed_5eed_5eed);
    for subject in subjects() {
        for _ in 0..100 {
            let mutated: Vec<_> = (0..200).map(|_| mutate(&mut random, &subject.bytes)).collect();
            let decode = |bytes: &Vec<u8>| (subject.decode)(bytes).is_ok();
            let (taken, peak) = peak_of(|| mutated.iter().filter(|bytes| decode(bytes)).count());
            assert!(taken < mutated.len(), "{}: nothing of what is damaged was refused", subject.name);
            if peak > limit(subject.bytes.len()) {
                for bytes in &mutated {
                    let _ = decode_within_bounds(&subject, bytes);
                }
            }
        }
    }
}

#[test]
fn counts_beyond_the_input_are_refused_before_anything_is_made() {
    let refused =
        |count: usize| DecodeError { offset: 4, problem: DecodeProblem::LengthOutOfRange(count as i64) };
    let mut bytes = (MAX_ELEMENTS as i32).to_le_bytes().to_vec();
    bytes.resize(1 << 20, 0);
    for decode in [decode::<Vec<u8>>, decode::<Vec<i64>>, decode::<Vec<String>>, decode::<Vec<Demo>>] {
        let (decoded, peak) = peak_of(|| decode(&bytes));
        assert_eq!((decoded, peak), (Err(refused(MAX_ELEMENTS)), 0));
    }
    let negative = DecodeError { offset: 0, problem: DecodeProblem::LengthOutOfRange(-2) };
    assert_eq!(decode::<Vec<i32>>(&(-2i32).to_le_bytes()), Err(negative));
}

fn with_length(length: usize) -> Vec<u8> {
    let mut bytes = (length as i32).to_le_bytes().to_vec();
    bytes.resize(4 + length, 0);
    bytes
}

#[test]
fn lists_and_strings_above_the_limits_are_refused_though_the_bytes_are_there() {
    let above = |limit| Err(DecodeError { offset: 0, problem: DecodeProblem::LimitExceeded { limit } });
    assert_eq!(decode::<Vec<u8>>(&with_length(MAX_ELEMENTS)), Ok(()));
    assert_eq!(decode::<Vec<u8>>(&with_length(MAX_ELEMENTS + 1)), above(MAX_ELEMENTS));
    assert_eq!(decode::<String>(&with_length(MAX_STRING_BYTES)), Ok(()));
    assert_eq!(decode::<String>(&with_length(MAX_STRING_BYTES + 1)), above(MAX_STRING_BYTES));
}

#[test]
fn strings_beyond_the_input_are_refused() {
    let text = |length: i32| [&length.to_le_bytes()[..], b"h"].concat();
    let problem = DecodeProblem::EndOfInput { needed: 2, available: 1 };
    assert_eq!(decode::<String>(&text(2)), Err(DecodeError { offset: 4, problem }));
    let problem = DecodeProblem::LengthOutOfRange(-2);
    assert_eq!(decode::<String>(&text(-2)), Err(DecodeError { offset: 0, problem }));
}

#[test]
fn text_that_is_not_utf_8_is_refused_where_it_is_not() {
    let bytes = [&3i32.to_le_bytes()[..], b"a\xc3\x28"].concat();
    assert_eq!(decode::<String>(&bytes), Err(DecodeError { offset: 5, problem: DecodeProblem::InvalidUtf8 }));
}

#[test]
fn values_that_no_type_has_are_refused() {
    let refused = Err(DecodeError { offset: 0, problem: DecodeProblem::ValueOutOfRange });
    assert_eq!(decode::<bool>(&[2]), refused);
    assert_eq!(decode::<Option<u8>>(&[2, 0]), refused);
    assert_eq!(decode::<DateTime>(&[0xff; 8]), refused);
    assert_eq!(decode::<Decimal>(&[0xff; 16]), refused);
    let surrogate = DecodeError { offset: 0, problem: DecodeProblem::InvalidUtf16 };
    assert_eq!(decode::<char>(&[0x00, 0xd8]), Err(surrogate));
}

#[test]
fn levels_beyond_the_limit_are_refused() {
    let chain = |levels: usize| [vec![1; levels], vec![0; 1 + 4 * (levels + 1)]].concat();
    assert_eq!(decode::<Tree>(&chain(MAX_READ_DEPTH - 1)), Ok(()));
    let error = decode::<Tree>(&chain(MAX_READ_DEPTH + 1)).unwrap_err();
    assert_eq!(error, DecodeError { offset: MAX_READ_DEPTH + 1, problem: DecodeProblem::TooDeep });
}

/// Each level claims a part of the bytes that are left for its list: together they may not take more than the input
/// has.
#[test]
fn lists_within_lists_take_room_for_the_same_bytes_once() {
    let mut bytes = Vec::new();
    for _ in 0..100 {
        bytes.push(0);
        bytes.extend(4_000i32.to_le_bytes());
    }
    bytes.resize(1 << 16, 2);
    let (decoded, peak) = peak_of(|| decode::<Tree>(&bytes));
    assert!(decoded.is_err());
    assert!(peak <= limit(bytes.len()), "{peak} B");
}

#[test]
fn a_list_after_one_that_failed_is_read_as_if_it_were_the_first() {
    let bytes = [&8i32.to_le_bytes()[..], &[0xff; 8], &2i32.to_le_bytes(), &[1, 0]].concat();
    let mut reader = LiteReader::new(&bytes);
    assert!(reader.read::<Vec<bool>>().is_err());
    (0..7).for_each(|_| assert_eq!(reader.read(), Ok(0xffu8)));
    assert_eq!(reader.read::<Vec<bool>>(), Ok(vec![true, false]));
}
