//! Bytes that nobody has written: `Binary` and the span serializer on plain objects fail with an error, and take no more
//! memory than the input justifies.

use std::collections::BTreeMap;
use std::hint::black_box;

use alloclab::codec::binary::{Binary, HeapEnumerators, Options, SizeWidth};
use alloclab::codec::dotnet::{DateOnly, MemoryStream, Property, Reflect, TimeOnly};
use alloclab::codec::{DecodeError, DecodeProblem, span_reflect};
use alloclab::model::{DateTime, Decimal, Guid, NestedModel, SimpleModel};
use alloclab::recorder::measure;
use alloclab::reflect_class;

use crate::random::Random;

/// A class with members of every kind that is read.
#[derive(Debug, Default, PartialEq)]
struct Everything {
    flag: bool,
    letter: char,
    small: i8,
    short: i16,
    word: u32,
    long: u64,
    single: f32,
    price: Decimal,
    key: Guid,
    at: DateTime,
    day: DateOnly,
    time: TimeOnly,
    length: u8,
    sized: String,
    fixed: String,
    content: Box<[u8]>,
    letters: Box<[char]>,
    maybe: Option<i64>,
    rows: Vec<Vec<u16>>,
    models: Vec<SimpleModel>,
    by_name: BTreeMap<String, SimpleModel>,
    inner: Option<Box<Everything>>,
}
reflect_class!(Everything = "Everything" {
    flag => "Flag",
    letter => "Letter",
    small => "Small",
    short => "Short",
    word => "Word",
    long => "Long",
    single => "Single",
    price => "Price",
    key => "Key",
    at => "At",
    day => "Day",
    time => "Time",
    length => "Length",
    sized => "Sized" [size_from("Length")],
    fixed => "Fixed" [fixed_string(5)],
    content => "Content",
    letters => "Letters",
    maybe => "Maybe",
    rows => "Rows",
    models => "Models",
    by_name => "ByName",
    inner => "Inner",
});

fn everything(depth: u32) -> Everything {
    Everything {
        letter: 'x',
        word: 0xdead_beef,
        sized: "sized".to_owned(),
        fixed: "fix".to_owned(),
        content: vec![7; 200].into_boxed_slice(),
        letters: Box::new(['a', 'é', '€']),
        maybe: Some(-1),
        rows: vec![vec![1, 2, 3], vec![], vec![4]],
        models: SimpleModel::batch(3),
        by_name: SimpleModel::batch(2).into_iter().map(|model| (model.name.clone(), model)).collect(),
        inner: (depth > 0).then(|| Box::new(everything(depth - 1))),
        ..Everything::default()
    }
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

/// A decoder, bytes that it takes, and the memory that it may ask for: so much in any case, and so much for each byte.
struct Subject {
    name: &'static str,
    decode: Decode,
    bytes: Vec<u8>,
    base_bytes: usize,
    bytes_per_byte: usize,
}

const ALL_FIXED: Options = Options {
    encode_int: false,
    little_endian: true,
    size_width: SizeWidth::Four,
    use_ref: true,
    use_field_size: true,
    full_time: true,
    enumerators: HeapEnumerators::Members,
};
const ALL_ENCODED: Options = Options { encode_int: true, size_width: SizeWidth::Variable, ..ALL_FIXED };

fn encode<T: Property>(options: Options, value: &T) -> Vec<u8> {
    let mut stream = MemoryStream::new();
    Binary::new(&mut stream, options).write(value).unwrap();
    stream.written().to_vec()
}

fn decode<T: Property>(options: Options, bytes: &[u8]) -> Result<(), DecodeError> {
    Binary::new(&mut MemoryStream::over(bytes), options).read::<T>().map(|value| drop(black_box(value)))
}

fn reflect<T: Property + Reflect>(bytes: &[u8]) -> Result<(), DecodeError> {
    span_reflect::from_slice::<T>(bytes).map(|value| drop(black_box(value)))
}

/// An object takes 500 to 1,500 bytes on its way, most of them for its member list, and a byte of input at least: but for
/// empty ones at the end, of which there can be as many as there are bytes, and for nested ones, of which there can be 64.
fn binary(name: &'static str, decode: Decode, bytes: Vec<u8>) -> Subject {
    Subject { name, decode, bytes, base_bytes: 128 << 10, bytes_per_byte: 2_048 }
}

fn reflected<T: Reflect>(name: &'static str, decode: Decode, value: &T) -> Subject {
    let mut bytes = vec![0; 128];
    let written = span_reflect::to_slice(value, &mut bytes).unwrap();
    bytes.truncate(written);
    Subject { name, decode, bytes, base_bytes: 1_024, bytes_per_byte: 32 }
}

fn subjects() -> Vec<Subject> {
    let simple = encode(Options::FAST, &SimpleModel::sample());
    let nested = encode(Options::FAST, &NestedModel::sample());
    let fixed = encode(ALL_FIXED, &everything(1));
    let encoded = encode(ALL_ENCODED, &everything(1));
    vec![
        binary("simple", |bytes| decode::<SimpleModel>(Options::FAST, bytes), simple),
        binary("nested", |bytes| decode::<NestedModel>(Options::FAST, bytes), nested),
        binary("fixed", |bytes| decode::<Everything>(ALL_FIXED, bytes), fixed),
        binary("encoded", |bytes| decode::<Everything>(ALL_ENCODED, bytes), encoded),
        reflected("reflected simple", reflect::<SimpleModel>, &SimpleModel::sample()),
        reflected("reflected nested", reflect::<NestedModel>, &NestedModel::sample()),
    ]
}

/// Decodes, and checks what was allocated on the way.
#[track_caller]
fn decode_within_bounds(subject: &Subject, bytes: &[u8]) -> Result<(), DecodeError> {
    decode_all_within_bounds(subject, &[bytes.to_vec()]).remove(0)
}

/// One window for many inputs: to open and close it takes longer than to decode.
#[track_caller]
fn decode_all_within_bounds(subject: &Subject, inputs: &[Vec<u8>]) -> Vec<Result<(), DecodeError>> {
    let mut decoded = Vec::with_capacity(inputs.len());
    let measured = measure(|| decoded.extend(inputs.iter().map(|bytes| (subject.decode)(bytes)))).unwrap();
    let allocated = measured.snapshot.totals.requested_bytes();
    let length: usize = inputs.iter().map(Vec::len).sum();
    let limit = (subject.base_bytes * inputs.len() + subject.bytes_per_byte * length) as u64;
    assert!(allocated <= limit, "{}: {allocated} B for {length} B: {inputs:02x?}", subject.name);
    decoded
}

#[test]
fn the_untouched_bytes_decode() {
    for subject in subjects() {
        assert_eq!(decode_within_bounds(&subject, &subject.bytes), Ok(()), "{}", subject.name);
    }
}

/// Between two members an object may end; inside of a value it may not.
#[test]
fn bytes_that_are_cut_short_decode_between_two_members_only() {
    let whole = |name: &str| {
        let subject = subjects().into_iter().find(|subject| subject.name == name).unwrap();
        let lengths = 0..subject.bytes.len();
        lengths
            .filter(|&length| decode_within_bounds(&subject, &subject.bytes[..length]).is_ok())
            .collect::<Vec<_>>()
    };
    assert_eq!(whole("simple"), [0, 1, 9, 10, 15]);
    assert_eq!(whole("nested"), [0, 1, 13, 14, 22, 23, 28, 36]);
    assert_eq!(whole("reflected simple"), [0, 4, 12, 13, 17]);
    assert_eq!(whole("reflected nested"), [0, 4, 16, 20, 28, 29, 33, 41]);
}

#[test]
fn a_value_cut_short_says_where_it_began() {
    let bytes = encode(Options::FAST, &SimpleModel::sample());
    let error = decode::<SimpleModel>(Options::FAST, &bytes[..20]).unwrap_err();
    let problem = DecodeProblem::EndOfInput { needed: 8, available: 5 };
    assert_eq!(error, DecodeError { offset: 15, problem });
}

#[test]
fn every_length_of_a_large_value_is_taken_or_refused() {
    for subject in subjects() {
        for length in 0..subject.bytes.len() {
            let _ = decode_within_bounds(&subject, &subject.bytes[..length]);
        }
    }
}

#[test]
fn a_hundred_thousand_mutations_are_taken_or_refused() {
    let mut random = Random(0x5eed_5eed_5eed_5eed);
    for subject in subjects() {
        for _ in 0..1_000 {
            let inputs: Vec<_> = (0..100).map(|_| mutate(&mut random, &subject.bytes)).collect();
            decode_all_within_bounds(&subject, &inputs);
        }
    }
}

#[test]
fn counts_beyond_the_input_are_refused_before_anything_is_made() {
    let count = |bytes: &[u8]| decode::<Vec<i64>>(Options::FAST, bytes).unwrap_err();
    let refused = |count| DecodeError { offset: 0, problem: DecodeProblem::LengthOutOfRange(count) };
    assert_eq!(count(&[0xff, 0xff, 0xff, 0xff, 0x07]), refused(i64::from(i32::MAX)));
    assert_eq!(count(&[0xff, 0xff, 0xff, 0xff, 0x0f]), refused(-1));
    assert_eq!(count(&[2, 0]), refused(2));
    let too_long = DecodeError { offset: 0, problem: DecodeProblem::IntegerTooLong };
    assert_eq!(count(&[0xff; 6]), too_long);
}

#[test]
fn strings_beyond_a_mebibyte_are_refused_though_the_bytes_are_there() {
    let text = |length: usize| encode(Options::FAST, &"x".repeat(length));
    assert_eq!(decode::<String>(Options::FAST, &text(1 << 20)), Ok(()));
    let error = decode::<String>(Options::FAST, &text((1 << 20) + 1)).unwrap_err();
    assert_eq!(error.problem, DecodeProblem::LengthOutOfRange((1 << 20) + 1));
}

#[test]
fn text_that_is_not_utf_8_is_refused() {
    let error = decode::<String>(Options::FAST, &[2, 0xc3, 0x28]).unwrap_err();
    assert_eq!(error.problem, DecodeProblem::InvalidUtf8);
    let error = reflect::<SimpleModel>(&[0, 0, 0, 0, 1, 0xff]).unwrap_err();
    assert_eq!(error.problem, DecodeProblem::InvalidUtf8);
}
