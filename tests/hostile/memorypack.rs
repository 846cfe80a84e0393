//! Bytes that nobody has written: MemoryPack's reader, with brotli in front of it too, fails with an error, and takes
//! no more memory than the input justifies.

use std::hint::black_box;

use alloclab::codec::memorypack::{
    self, MAX_READ_DEPTH, MemoryPackDeserialize, MemoryPackReader, MemoryPackSerialize,
};
use alloclab::codec::{DecodeError, DecodeProblem, memorypack_brotli};
use alloclab::memorypack_object;
use alloclab::model::{DateTime, Decimal, Demo, Guid, ModelKind, NestedModel, Payload, User};
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
    tolerant: Option<Tolerant>,
    inner: Option<Box<Everything>>,
}
memorypack_object!(Everything {
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
    tolerant: Option<Tolerant>,
    inner: Option<Box<Everything>>,
});

#[derive(Clone, Debug, Default, PartialEq)]
struct Tolerant {
    number: i32,
    texts: Vec<String>,
}
memorypack_object!(version_tolerant Tolerant { number: i32, texts: Vec<String> });

/// A tree: its levels are boxes, its branches lists.
#[derive(Clone, Debug, Default, PartialEq)]
struct Tree {
    first: Option<Box<Tree>>,
    others: Vec<Tree>,
}
memorypack_object!(Tree { first: Option<Box<Tree>>, others: Vec<Tree> });

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
        tolerant: Some(Tolerant { number: 1, texts: vec!["x".to_owned(); 3] }),
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

/// Bytes on the heap that a byte of input may take: a nested list of one byte takes 24, and an element more than its
/// list has room for makes it twice as large.
const BYTES_PER_BYTE: usize = 128;

/// An object of no members is one byte of input, and takes what its type takes: the largest here.
const LARGEST_OBJECT: usize = size_of::<Everything>();

fn decode<T: MemoryPackDeserialize>(bytes: &[u8]) -> Result<(), DecodeError> {
    memorypack::from_slice::<T>(bytes).map(|value| drop(black_box(value)))
}

fn subject<T: MemoryPackDeserialize>(name: &'static str, value: &T) -> Subject {
    Subject { name, decode: decode::<T>, bytes: memorypack::to_vec(value).unwrap() }
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
    (4 * LARGEST_OBJECT + BYTES_PER_BYTE * bytes) as u64
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
    let refused = |count| DecodeError { offset: 4, problem: DecodeProblem::LengthOutOfRange(count) };
    let mut bytes = i32::MAX.to_le_bytes().to_vec();
    bytes.resize(1 << 20, 0);
    for decode in [decode::<Vec<u8>>, decode::<Vec<i64>>, decode::<Vec<String>>, decode::<Vec<Demo>>] {
        let (decoded, peak) = peak_of(|| decode(&bytes));
        assert_eq!((decoded, peak), (Err(refused(i32::MAX.into())), 0));
    }
    let negative = DecodeError { offset: 0, problem: DecodeProblem::LengthOutOfRange(-2) };
    assert_eq!(decode::<Vec<i32>>(&(-2i32).to_le_bytes()), Err(negative));
}

/// The guard of the original compares the count with the bytes that are left, whatever an element takes.
#[test]
fn a_count_that_the_bytes_can_hold_but_not_the_elements_is_refused() {
    let bytes = [&4i32.to_le_bytes()[..], &[0; 31]].concat();
    let problem = DecodeProblem::LengthOutOfRange(4);
    assert_eq!(decode::<Vec<i64>>(&bytes), Err(DecodeError { offset: 4, problem }));
}

#[test]
fn strings_beyond_the_input_are_refused() {
    let text = |length: i32| [&length.to_le_bytes()[..], &[0, 0, 0, 0, 0x68]].concat();
    let short = |offset, needed, available| {
        Err(DecodeError { offset, problem: DecodeProblem::EndOfInput { needed, available } })
    };
    assert_eq!(decode::<String>(&text(i32::MIN)), short(8, i32::MAX as usize, 1));
    assert_eq!(decode::<String>(&text(-3)), short(8, 2, 1));
    assert_eq!(decode::<String>(&text(i32::MAX)), short(4, 2 * (i32::MAX as usize), 5));
}

#[test]
fn text_that_is_not_utf_8_is_refused_where_it_is_not() {
    let bytes = [&(!3i32).to_le_bytes()[..], &[0; 4], b"a\xc3\x28"].concat();
    assert_eq!(decode::<String>(&bytes), Err(DecodeError { offset: 9, problem: DecodeProblem::InvalidUtf8 }));
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
    let chain = |levels: usize| [vec![2; levels], vec![0xff]].concat();
    let error = decode::<Tree>(&chain(MAX_READ_DEPTH + 2)).unwrap_err();
    assert_eq!(error, DecodeError { offset: MAX_READ_DEPTH + 1, problem: DecodeProblem::TooDeep });
    let deepest = [vec![1; MAX_READ_DEPTH], vec![0]].concat();
    assert_eq!(decode::<Tree>(&deepest), Ok(()));
}

/// Each level claims all bytes that are left for its list: together they may not take more than the input has.
#[test]
fn lists_within_lists_take_room_for_the_same_bytes_once() {
    let mut bytes = Vec::new();
    for _ in 0..100 {
        bytes.extend([2, 0xff]);
        bytes.extend(4_000i32.to_le_bytes());
    }
    bytes.resize(1 << 16, 2);
    let (decoded, peak) = peak_of(|| decode::<Tree>(&bytes));
    assert!(decoded.is_err());
    assert!(peak <= (BYTES_PER_BYTE * bytes.len()) as u64, "{peak} B");
}

/// A tree that says how long its members are.
#[derive(Debug, Default, PartialEq)]
struct SizedTree {
    others: Vec<SizedTree>,
}
memorypack_object!(version_tolerant SizedTree { others: Vec<SizedTree> });

#[test]
fn lists_within_sized_members_take_room_for_the_same_bytes_once() {
    let whole = 1 << 16;
    let mut bytes = Vec::new();
    for _ in 0..100 {
        bytes.extend([1, 0x82]);
        let length = whole - bytes.len() - 4;
        bytes.extend((length as i32).to_le_bytes());
        bytes.extend(((length - 4) as i32 / 2).to_le_bytes());
    }
    bytes.resize(whole, 0);
    let (decoded, peak) = peak_of(|| decode::<SizedTree>(&bytes));
    assert_eq!(
        decoded.unwrap_err().offset,
        16,
        "the second level's member leaves no byte to the first one's list"
    );
    assert!(peak <= limit(bytes.len()), "{peak} B");
}

#[test]
fn members_longer_than_the_input_and_negative_ones_are_refused() {
    let lengths = |bytes: &[u8]| decode::<Tolerant>(bytes).unwrap_err();
    let negative = DecodeError { offset: 1, problem: DecodeProblem::LengthOutOfRange(-1) };
    assert_eq!(lengths(&[1, 0xff]), negative);
    let short = DecodeProblem::EndOfInput { needed: 100, available: 1 };
    assert_eq!(lengths(&[1, 100, 0]), DecodeError { offset: 2, problem: short });
    let inside = DecodeProblem::EndOfInput { needed: 4, available: 2 };
    assert_eq!(lengths(&[1, 2, 0, 0]), DecodeError { offset: 2, problem: inside });
    assert_eq!(lengths(&[251]).problem, DecodeProblem::TooManyMembers { found: 251, known: 249 });
}

#[test]
fn a_list_after_one_that_failed_is_read_as_if_it_were_the_first() {
    let bytes = [&8i32.to_le_bytes()[..], &[0xff; 8], &2i32.to_le_bytes(), &[1, 0]].concat();
    let mut reader = MemoryPackReader::new(&bytes);
    assert!(reader.read::<Vec<bool>>().is_err());
    assert!(reader.skip(7).is_ok());
    assert_eq!(reader.read::<Vec<bool>>(), Ok(vec![true, false]));
}

fn unpack(bytes: &[u8], limit: usize) -> Result<usize, DecodeError> {
    memorypack_brotli::decompress(bytes, &mut Vec::new(), limit)
}

fn pack(value: &(impl MemoryPackSerialize + ?Sized)) -> Box<[u8]> {
    memorypack_brotli::Brotli::new().serialize(value).unwrap()
}

/// What brotli's decompressor takes beside its output: its window, of up to 16 MiB, and its tables.
const BROTLI_BYTES: u64 = 17 << 20;

#[test]
fn a_brotli_bomb_unpacks_to_the_limit_and_not_a_byte_more() {
    let bomb = pack(&vec![0u8; 16 << 20]);
    assert!(bomb.len() < 4_000, "{} B", bomb.len());
    let limit = 1 << 20;
    let (unpacked, peak) = peak_of(|| unpack(&bomb, limit));
    assert_eq!(unpacked.unwrap_err().problem, DecodeProblem::LimitExceeded { limit });
    assert!(peak <= 2 * limit as u64 + BROTLI_BYTES, "{peak} B");
    assert_eq!(unpack(&bomb, (16 << 20) + 4), Ok((16 << 20) + 4));
    assert!(unpack(&bomb, (16 << 20) + 3).is_err());
}

/// An object of the model can be as short as a byte, and takes 96 bytes in memory.
#[test]
fn a_brotli_bomb_of_short_objects_is_refused_by_the_codec() {
    let count = 1_000_000_i32;
    let mut bytes = count.to_le_bytes().to_vec();
    bytes.resize(bytes.len() + count as usize, 0);
    let mut stream = Vec::new();
    let length = memorypack_brotli::compress(&bytes, &mut stream);
    let codec = alloclab::codec::find("memorypack-brotli").unwrap();
    let (decoded, peak) = peak_of(|| codec.decode(ModelKind::Demo, &stream[..length]).unwrap());
    let limit = length * memorypack_brotli::MAX_EXPANSION;
    assert!(decoded.unwrap_err().to_string().ends_with(&format!("longer than the limit of {limit}")));
    assert!(peak <= BROTLI_BYTES + limit as u64, "{peak} B for {length} B");
}

/// An extension of brotli has windows of up to 30 bits; this header asks for one.
#[test]
fn a_window_beyond_the_standard_is_refused() {
    let (unpacked, peak) = peak_of(|| unpack(&[0x11, 0x1e, 0xff, 0xff, 0xff], 1 << 20));
    assert_eq!(unpacked.unwrap_err().problem, DecodeProblem::InvalidCompression);
    assert!(peak <= BROTLI_BYTES, "{peak} B");
}

#[test]
fn brotli_streams_that_are_cut_short_are_refused() {
    let stream = pack(&Payload::sample(128));
    for length in 0..stream.len() {
        let error = unpack(&stream[..length], 1 << 20).unwrap_err();
        assert_eq!(
            error,
            DecodeError { offset: length, problem: DecodeProblem::EndOfInput { needed: 1, available: 0 } }
        );
    }
}

#[test]
fn ten_thousand_mutations_of_a_brotli_stream_are_taken_or_refused() {
    let stream = pack(&vec![Demo::sample(7); 20]);
    let mut random = Random(0x5eed_5eed_5eed_5eed);
    for _ in 0..100 {
        let mutated: Vec<_> = (0..100).map(|_| mutate(&mut random, &stream)).collect();
        let mut brotli = memorypack_brotli::Brotli::new();
        let decode = |bytes: &Vec<u8>| drop(black_box(brotli.deserialize::<Vec<Demo>>(bytes, 1 << 16)));
        let ((), peak) = peak_of(|| mutated.iter().for_each(decode));
        assert!(peak <= BROTLI_BYTES + limit(1 << 16), "{peak} B");
    }
}
