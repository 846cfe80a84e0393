//! Bytes that nobody has written: the span reader fails with an error, and takes no memory that they cannot fill.
#![cfg(feature = "derive")]

use std::collections::BTreeSet;
use std::hint::black_box;

use alloclab::codec::span::{
    self, LengthWidth, SpanDeserialize, SpanFormat, SpanReader, SpanSerialize, SpanWriter, Standard,
};
use alloclab::codec::{DecodeError, DecodeProblem};
use alloclab::model::{DateTime, Decimal, FastModel, Guid, NestedModel, SimpleModel};
use alloclab::recorder::measure;

use crate::random::Random;

#[derive(SpanSerialize)]
struct SimpleRef<'a> {
    id: i32,
    name: &'a str,
    is_active: bool,
    created_at: DateTime,
    score: f64,
}

#[derive(SpanSerialize)]
struct Tree {
    label: String,
    children: Vec<Tree>,
}

#[derive(SpanSerialize)]
#[repr(u8)]
enum Shape {
    Round,
    Square,
}

#[derive(SpanSerialize)]
struct Everything<'a> {
    shape: Option<Shape>,
    letter: char,
    price: Decimal,
    key: Guid,
    at: DateTime,
    #[span(encode_int)]
    code: i64,
    #[span(width = 5)]
    fixed: String,
    names: Vec<String>,
    rows: Vec<Vec<u64>>,
    content: &'a [u8],
    #[span(flagless)]
    inner: Option<Box<SimpleModel>>,
    #[span(rest)]
    text: &'a str,
}

#[derive(Clone, Copy)]
struct Compact;

impl SpanFormat for Compact {
    const BIG_ENDIAN: bool = true;
    const ENCODE_INT: bool = true;
    const FULL_TIME: bool = true;
}

/// Bytes that an element of the lists above takes in memory; in the input it takes at least one.
const LARGEST_GROWTH: u64 = size_of::<Tree>() as u64;

fn everything() -> Everything<'static> {
    Everything {
        shape: Some(Shape::Square),
        letter: 'A',
        price: Decimal::new(-5, 1).unwrap(),
        key: Guid::from_bytes([7; 16]),
        at: DateTime::from_unix_seconds(1_735_689_600),
        code: -1,
        fixed: "fixed".to_owned(),
        names: vec!["a".to_owned(), "bc".to_owned()],
        rows: vec![vec![1, 2], vec![3]],
        content: &[1, 2, 3],
        inner: Some(Box::new(SimpleModel::sample())),
        text: "the end",
    }
}

fn tree() -> Tree {
    let leaf = |label: &str| Tree { label: label.to_owned(), children: Vec::new() };
    Tree { label: "root".to_owned(), children: vec![leaf("left"), leaf("right")] }
}

fn encoded<F: SpanFormat>(format: F, value: &impl SpanSerialize) -> Vec<u8> {
    let mut buffer = vec![0; 512];
    let mut writer = SpanWriter::with_format(&mut buffer, format);
    writer.write(value).unwrap();
    let written = writer.written();
    buffer.truncate(written);
    buffer
}

fn seeds() -> Vec<Vec<u8>> {
    vec![
        encoded(Standard, &SimpleModel::sample()),
        encoded(Standard, &NestedModel::sample()),
        encoded(Standard, &everything()),
        encoded(Standard, &tree()),
        encoded(Compact, &NestedModel::sample()),
        encoded(Compact, &everything()),
    ]
}

fn mutated(seed: &[u8], random: &mut Random) -> Vec<u8> {
    const TELLING: [u8; 6] = [0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff];
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(4) {
        let place = random.below(bytes.len().max(1)).min(bytes.len());
        match random.below(5) {
            0 => bytes.truncate(place),
            1 => bytes.insert(place, TELLING[random.below(TELLING.len())]),
            2 => bytes.extend_from_within(place..),
            _ if bytes.is_empty() => bytes.push(random.below(256) as u8),
            3 => bytes[place] = TELLING[random.below(TELLING.len())],
            _ => bytes[place] = random.below(256) as u8,
        }
    }
    bytes.truncate(4 * seed.len());
    bytes
}

/// The error, if there is one, lies in the input.
fn try_one<'a, T: SpanDeserialize<'a>, F: SpanFormat>(bytes: &'a [u8], format: F) {
    match black_box(SpanReader::with_format(bytes, format).read::<T>()) {
        Ok(_) => {}
        Err(DecodeError { offset, .. }) => assert!(offset <= bytes.len()),
    }
}

fn try_models<F: SpanFormat>(bytes: &[u8], format: F) {
    try_one::<SimpleModel, F>(bytes, format);
    try_one::<NestedModel, F>(bytes, format);
    try_one::<FastModel, F>(bytes, format);
    try_one::<SimpleRef, F>(bytes, format);
}

fn try_all<F: SpanFormat>(bytes: &[u8], format: F) {
    try_models(bytes, format);
    try_one::<Everything, F>(bytes, format);
    try_one::<Tree, F>(bytes, format);
    try_one::<Vec<String>, F>(bytes, format);
    try_one::<Vec<Vec<Vec<u64>>>, F>(bytes, format);
    for width in [LengthWidth::Encoded, LengthWidth::One, LengthWidth::Two, LengthWidth::Four] {
        let _ = black_box(SpanReader::with_format(bytes, format).read_array(width));
    }
}

fn allocated_bytes(work: impl FnOnce()) -> u64 {
    measure(work).unwrap().snapshot.totals.requested_bytes()
}

#[test]
fn every_cut_of_a_model_is_an_error_within_the_input() {
    fn cut<T: for<'a> SpanDeserialize<'a>>(whole: &[u8]) {
        assert!(span::from_slice::<T>(whole).is_ok());
        for length in 0..whole.len() {
            let error = span::from_slice::<T>(&whole[..length]).err().unwrap();
            assert!(error.offset <= length, "{length}: {error}");
            assert!(matches!(error.problem, DecodeProblem::EndOfInput { .. }), "{length}: {error}");
        }
    }
    cut::<SimpleModel>(&encoded(Standard, &SimpleModel::sample()));
    cut::<FastModel>(&encoded(Standard, &FastModel::sample()));
    cut::<Tree>(b"\x04root\0");
    // Where an inner object is about to begin, the end of the input means that there is none; then a field is missing.
    cut::<NestedModel>(&encoded(Standard, &NestedModel::sample()));
}

#[test]
fn mutated_bytes_never_panic_and_take_no_more_memory_than_they_can_fill() {
    let mut random = Random(0x5eed);
    let seeds = seeds();
    for round in 0..1_000 {
        let inputs: Vec<_> =
            (0..100).map(|index| mutated(&seeds[index % seeds.len()], &mut random)).collect();
        let length = inputs.iter().map(Vec::len).sum::<usize>() as u64;
        let decode =
            |try_it: &dyn Fn(&[u8])| allocated_bytes(|| inputs.iter().for_each(|bytes| try_it(bytes)));
        let models = decode(&|bytes| {
            try_models(bytes, Standard);
            try_models(bytes, Compact);
        });
        let all = decode(&|bytes| {
            try_all(bytes, Standard);
            try_all(bytes, Compact);
        });
        // Each input is read eight times and more; many of the readings fail, and take less.
        assert!(models <= 4 * length, "round {round}: {models} for {length}");
        assert!(all <= LARGEST_GROWTH * length, "round {round}: {all} for {length}");
    }
}

#[test]
fn a_mutated_value_that_is_read_writes_bytes_that_read_as_the_same() {
    let mut random = Random(0xcafe);
    let mut accepted = BTreeSet::new();
    let seed = encoded(Standard, &SimpleModel::sample());
    for _ in 0..20_000 {
        let bytes = mutated(&seed, &mut random);
        let Ok(model) = span::from_slice::<SimpleModel>(&bytes) else { continue };
        let again = encoded(Standard, &model);
        assert_eq!(encoded(Standard, &span::from_slice::<SimpleModel>(&again).unwrap()), again);
        accepted.insert(again);
    }
    assert!(accepted.len() > 1_000, "{}", accepted.len());
}

#[test]
fn a_count_that_the_input_cannot_fill_is_refused_before_memory_is_taken() {
    let refuse = |bytes: &[u8]| {
        let measured = measure(|| span::from_slice::<Vec<u64>>(bytes).map(|_| ())).unwrap();
        assert_eq!(measured.snapshot.totals.allocations, 0);
        measured.value.unwrap_err()
    };
    let out_of_range =
        |offset, count| DecodeError { offset, problem: DecodeProblem::LengthOutOfRange(count) };
    assert_eq!(refuse(b"\x03 16 bytes for it."), out_of_range(1, 3));
    assert_eq!(refuse(b"\xff\xff\xff\xff\x07"), out_of_range(5, i32::MAX.into()));
    assert_eq!(refuse(b"\xff\xff\xff\xff\x0f"), out_of_range(0, -1));
}

#[test]
fn lists_within_lists_do_not_take_room_for_the_same_bytes_twice() {
    // Each list of the nest claims to be as long as the input still could make it.
    let bytes: Vec<u8> = (0..120).rev().collect();
    let measured = measure(|| span::from_slice::<Vec<Vec<Vec<Vec<Vec<u8>>>>>>(&bytes).is_ok()).unwrap();
    let taken = measured.snapshot.totals.requested_bytes();
    assert!(taken <= 24 * 120, "{taken}");
}

#[test]
fn a_string_that_is_not_utf8_is_an_error_at_its_bad_byte() {
    let error = span::from_slice::<String>(b"\x04ab\xffd").unwrap_err();
    assert_eq!(error, DecodeError { offset: 3, problem: DecodeProblem::InvalidUtf8 });
}

#[test]
fn a_negative_length_is_an_error_at_the_length() {
    let error = span::from_slice::<String>(b"\xff\xff\xff\xff\x0frest").unwrap_err();
    assert_eq!(error, DecodeError { offset: 0, problem: DecodeProblem::LengthOutOfRange(-1) });
    let error = SpanReader::new(b"\xfe\xff\xff\xff").read_array(LengthWidth::Four).unwrap_err();
    assert_eq!(error, DecodeError { offset: 0, problem: DecodeProblem::LengthOutOfRange(-2) });
}

#[test]
fn a_reader_can_go_on_after_an_error() {
    let mut reader = SpanReader::new(b"\x02\x01a\x05b\x01\x01c");
    assert!(reader.read::<Vec<String>>().is_err());
    let rest = reader.available();
    assert!(reader.read_raw(rest - 3).is_ok());
    assert!(reader.read::<Vec<String>>().is_ok());
}
