//! The bytes of `Binary` and of the span serializer on plain objects, as the originals write them (NewLife.Core at commit
//! 9ae95de58, and its unit tests).

use std::collections::BTreeMap;
use std::fmt::Debug;

use alloclab::codec::binary::{Binary, EncodeError, Options, SizeWidth, fast_read, fast_write};
use alloclab::codec::dotnet::{
    DateOnly, Enumeration, MemoryStream, Property, Reflect, StreamFull, TimeOnly, TypeCode,
};
use alloclab::codec::span::EncodeProblem;
use alloclab::codec::{DecodeError, DecodeProblem, Operation, Request, Variant, span, span_reflect};
use alloclab::model::{DateTime, DateTimeKind, Decimal, Guid, ModelKind, NestedModel, SimpleModel};
use alloclab::{reflect_class, reflect_enumeration};

const SIMPLE: &str = "2a 07 4e65774c696665 01 808bd2bb06 4058e00000000000";
const NESTED: &str = "01 0b 48656c6c6f20576f726c64
    2a 07 4e65774c696665 01 808bd2bb06 4058e00000000000 80ce8ecd06";

const ENCODE_INT: Options = Options::FAST;
const BIG_ENDIAN: Options = Options { encode_int: false, ..Options::FAST };
const LITTLE_ENDIAN: Options = Options { little_endian: true, ..BIG_ENDIAN };

/// The model of the upstream unit tests.
#[derive(Clone, Debug, Default, PartialEq)]
struct Stone {
    code: i32,
    name: String,
}
reflect_class!(Stone = "MyModel" { code => "Code", name => "Name" });

#[derive(Clone, Debug, Default, PartialEq)]
struct SizedStone {
    length: u8,
    name: String,
}
reflect_class!(SizedStone = "MyModelWithFieldSize" { length => "Length", name => "Name" [size_from("Length")] });

#[derive(Clone, Debug, Default, PartialEq)]
struct FixedStone {
    code: i32,
    name: String,
}
reflect_class!(FixedStone = "MyModelWithFixed" { code => "Code", name => "Name" [fixed_string(8)] });

#[derive(Clone, Debug, Default, PartialEq)]
struct PaddedStone {
    name: String,
    tail: Box<[u8]>,
}
reflect_class!(PaddedStone = "Padded" { name => "Name" [size(6)], tail => "Tail" [size(2)] });

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Grade {
    #[default]
    Low,
    High = -2,
}

impl Enumeration for Grade {
    const NAME: &'static str = "Grade";
    const CODE: TypeCode = TypeCode::Int16;

    fn to_bits(self) -> i64 {
        self as i64
    }

    fn from_bits(bits: i64) -> Option<Self> {
        [Self::Low, Self::High].into_iter().find(|grade| *grade as i64 == bits)
    }
}
reflect_enumeration!(Grade);

#[derive(Debug, Default, PartialEq)]
struct Node {
    next: Option<Box<Node>>,
    value: u8,
}
reflect_class!(Node = "Node" { next => "Next", value => "Value" });

#[derive(Debug, Default, PartialEq)]
struct Holder {
    first: Option<SimpleModel>,
    second: Option<SimpleModel>,
}
reflect_class!(Holder = "Holder" { first => "First", second => "Second" });

#[derive(Debug, Default, PartialEq)]
struct Nullables {
    absent: Option<i32>,
    present: Option<i32>,
    grade: Option<Grade>,
    guid: Option<Guid>,
    plain: Grade,
}
reflect_class!(Nullables = "Nullables" {
    absent => "Absent", present => "Present", grade => "Grade", guid => "Guid", plain => "Plain",
});

fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<char> = text.chars().filter(|char| !char.is_whitespace()).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap()).collect()
}

fn encode<T: Property>(options: Options, value: &T) -> Result<Vec<u8>, EncodeError> {
    let mut stream = MemoryStream::new();
    Binary::new(&mut stream, options).write(value)?;
    Ok(stream.written().to_vec())
}

fn decode<T: Property>(options: Options, bytes: &[u8]) -> Result<T, DecodeError> {
    Binary::new(&mut MemoryStream::over(bytes), options).read()
}

fn stone() -> Stone {
    Stone { code: 1234, name: "Stone".to_owned() }
}

/// The value has these bytes, and these bytes are the value.
#[track_caller]
fn assert_golden<T: Property + PartialEq + Debug>(options: Options, value: T, golden: &str) {
    let golden = unhex(golden);
    assert_eq!(encode(options, &value), Ok(golden.clone()));
    assert_eq!(decode(options, &golden), Ok(value));
}

#[test]
fn the_write_ups_models_have_the_original_bytes() {
    assert_golden(ENCODE_INT, SimpleModel::sample(), SIMPLE);
    assert_golden(ENCODE_INT, NestedModel::sample(), NESTED);
    assert_eq!((unhex(SIMPLE).len(), unhex(NESTED).len()), (23, 41));
}

#[test]
fn fast_write_and_fast_read_are_binary_with_encoded_integers() {
    let mut stream = MemoryStream::new();
    fast_write(&NestedModel::sample(), &mut stream).unwrap();
    assert_eq!(stream.written(), unhex(NESTED));
    stream.rewind();
    assert_eq!(*fast_read::<NestedModel>(&mut stream).unwrap(), NestedModel::sample());
}

#[test]
fn a_batch_has_the_published_length() {
    let bytes = |codec: &str, count| {
        let request = Request {
            model: ModelKind::Simple,
            operation: Operation::Serialize,
            variant: Variant::Batch,
            batch: count,
        };
        alloclab::codec::find(codec).unwrap().prepare(&request).unwrap().encoded_bytes
    };
    assert_eq!([bytes("binary", 100), bytes("binary", 1000)], [2_290, 24_762]);
    assert_eq!([bytes("span-reflect", 100), bytes("span-reflect", 1000)], [2_490, 25_890]);
}

#[test]
fn the_five_upstream_vectors_hold() {
    assert_golden(BIG_ENDIAN, stone(), "000004D2 05 53746F6E65");
    assert_golden(ENCODE_INT, stone(), "D209 05 53746F6E65");
    assert_golden(LITTLE_ENDIAN, stone(), "D2040000 05 53746F6E65");
    let two_bytes = Options { size_width: SizeWidth::Two, ..BIG_ENDIAN };
    assert_golden(two_bytes, stone(), "000004D2 0005 53746F6E65");
    let field_size = Options { use_field_size: true, ..BIG_ENDIAN };
    let sized = SizedStone { length: 5, name: "Stone".to_owned() };
    assert_golden(field_size, sized, "05 53746F6E65");
}

#[test]
fn a_length_member_is_written_with_the_length_that_it_holds_for_another() {
    let field_size = Options { use_field_size: true, ..BIG_ENDIAN };
    let stale = SizedStone { length: 99, name: "Stone".to_owned() };
    assert_eq!(encode(field_size, &stale), Ok(unhex("05 53746F6E65")));
    let long = SizedStone { length: 0, name: "x".repeat(256) };
    assert_eq!(encode(field_size, &long), Err(EncodeError::LengthOutOfRange(256)));
    assert_eq!(
        encode(BIG_ENDIAN, &stale),
        Ok(unhex("63 05 53746F6E65")),
        "without the option it is a member like any"
    );
}

#[test]
fn members_of_a_fixed_size_are_padded_and_cut() {
    let field_size = Options { use_field_size: true, ..BIG_ENDIAN };
    let short = PaddedStone { name: "abc".to_owned(), tail: Box::new([1, 2]) };
    assert_golden(field_size, short, "616263000000 0102");
    let long = PaddedStone { name: "abcdefgh".to_owned(), tail: Box::new([1, 2, 3]) };
    assert_eq!(encode(field_size, &long), Ok(unhex("616263646566 0102")));
}

#[test]
fn a_fixed_string_is_padded_with_zeros() {
    let fixed = FixedStone { code: 1234, name: "Stone".to_owned() };
    assert_golden(ENCODE_INT, fixed, "D209 53746F6E65 000000");
}

#[test]
fn ignored_members_are_neither_written_nor_read() {
    let mut stream = MemoryStream::new();
    let mut binary = Binary::new(&mut stream, BIG_ENDIAN);
    binary.ignore_member("Code");
    binary.write(&stone()).unwrap();
    drop(binary);
    assert_eq!(stream.written(), unhex("05 53746F6E65"));

    stream.rewind();
    let mut binary = Binary::new(&mut stream, BIG_ENDIAN);
    binary.ignore_member("Code");
    assert_eq!(binary.read(), Ok(Stone { code: 0, ..stone() }));
}

#[test]
fn integers_take_their_width_or_seven_bits_to_the_byte() {
    assert_golden(BIG_ENDIAN, -2_i16, "fffe");
    assert_golden(LITTLE_ENDIAN, 0x0102_u16, "0201");
    assert_golden(BIG_ENDIAN, 0x0102_0304_u32, "01020304");
    assert_golden(LITTLE_ENDIAN, 1_i64, "0100000000000000");
    assert_golden(BIG_ENDIAN, u64::MAX - 1, "fffffffffffffffe");
    assert_golden(ENCODE_INT, -1_i16, "ffff03");
    assert_golden(ENCODE_INT, u16::MAX, "ffff03");
    assert_golden(ENCODE_INT, -1_i32, "ffffffff0f");
    assert_golden(ENCODE_INT, 127_u32, "7f");
    assert_golden(ENCODE_INT, 128_u32, "8001");
    assert_golden(ENCODE_INT, -1_i64, "ffffffffffffffffff01");
    assert_golden(ENCODE_INT, u64::MAX, "ffffffffffffffffff01");
    assert_golden(ENCODE_INT, 200_u8, "c8");
}

#[test]
fn floats_take_their_width_even_where_integers_are_encoded() {
    assert_golden(ENCODE_INT, 99.5_f64, "4058e00000000000");
    assert_golden(ENCODE_INT, 1.0_f32, "3f800000");
    assert_golden(LITTLE_ENDIAN, 1.0_f32, "0000803f");
    assert_golden(LITTLE_ENDIAN, 99.5_f64, "0000000000e05840");
}

#[test]
fn one_byte_holds_bools_characters_and_signed_bytes() {
    assert_golden(BIG_ENDIAN, true, "01");
    assert_golden(BIG_ENDIAN, 'é', "e9");
    assert_golden(BIG_ENDIAN, 127_i8, "7f");
    assert_eq!(decode(BIG_ENDIAN, &[2]), Ok(true));
    assert_eq!(encode(BIG_ENDIAN, &'€'), Err(EncodeError::ValueOutOfRange("Char")));
    assert_eq!(encode(BIG_ENDIAN, &-1_i8), Err(EncodeError::ValueOutOfRange("SByte")));
    let out_of_range = DecodeError { offset: 0, problem: DecodeProblem::ValueOutOfRange };
    assert_eq!(decode::<i8>(BIG_ENDIAN, &[0x80]), Err(out_of_range));
}

#[test]
fn no_value_is_one_byte_that_nobody_reads() {
    assert_eq!(encode(BIG_ENDIAN, &()), Ok(vec![0]));
    assert_eq!(decode(BIG_ENDIAN, &[]), Ok(()));
}

#[test]
fn text_and_bytes_stand_behind_their_length() {
    assert_golden(BIG_ENDIAN, "né€".to_owned(), "06 6ec3a9e282ac");
    assert_golden(BIG_ENDIAN, String::new(), "00");
    assert_golden::<Box<[u8]>>(BIG_ENDIAN, Box::new([1, 0, 255]), "03 0100ff");
    assert_golden::<Box<[char]>>(BIG_ENDIAN, Box::new(['a', '€']), "04 61e282ac");
    assert_eq!(encode(BIG_ENDIAN, &None::<String>), Ok(vec![0]), "null and empty are the same bytes");
    let long = "x".repeat(300);
    assert_eq!(encode(BIG_ENDIAN, &long).unwrap()[..2], [0xac, 0x02]);
    assert_eq!(decode(BIG_ENDIAN, &encode(BIG_ENDIAN, &long).unwrap()), Ok(long));
}

#[test]
fn lengths_take_the_width_that_was_chosen() {
    let width = |size_width| Options { size_width, ..BIG_ENDIAN };
    assert_golden(width(SizeWidth::One), "ab".to_owned(), "02 6162");
    assert_golden(width(SizeWidth::Two), "ab".to_owned(), "0002 6162");
    assert_golden(width(SizeWidth::Four), "ab".to_owned(), "00000002 6162");
    let encoded_four = Options { size_width: SizeWidth::Four, ..ENCODE_INT };
    assert_golden(encoded_four, "ab".to_owned(), "02 6162");
    let long = "x".repeat(256);
    assert_eq!(encode(width(SizeWidth::One), &long), Err(EncodeError::LengthOutOfRange(256)));
}

#[test]
fn other_value_types_have_the_original_layout() {
    let guid = Guid::from_bytes([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    assert_golden(ENCODE_INT, guid, "0102030405060708090a0b0c0d0e0f10");
    let decimal = Decimal::new(-12345, 2).unwrap();
    assert_golden(BIG_ENDIAN, decimal, "00003039 00000000 00000000 80020000");
    assert_golden(ENCODE_INT, decimal, "b960 00 00 8080888008");
    assert_golden(BIG_ENDIAN, DateOnly::from_day_number(739_000).unwrap(), "000b46b8");
    assert_golden(BIG_ENDIAN, TimeOnly::from_ticks(36_000_000_000).unwrap(), "0000000861c46800");
    assert_golden(BIG_ENDIAN, Grade::High, "fffe");
    assert_golden(ENCODE_INT, Grade::High, "feff03");
}

#[test]
fn an_enumeration_refuses_numbers_that_it_has_no_value_for() {
    let out_of_range = DecodeError { offset: 2, problem: DecodeProblem::ValueOutOfRange };
    assert_eq!(decode::<Grade>(BIG_ENDIAN, &[0, 7]), Err(out_of_range));
}

#[test]
fn instants_are_whole_seconds_or_full() {
    let new_year = DateTime::from_unix_seconds(1_735_689_600);
    assert_golden(ENCODE_INT, DateTime::MIN, "00");
    let least_utc = DateTime::from_ticks(0, DateTimeKind::Utc).unwrap();
    assert_eq!(encode(ENCODE_INT, &least_utc), Ok(vec![0]));
    assert_golden(ENCODE_INT, new_year, "808bd2bb06");
    assert_golden(BIG_ENDIAN, new_year, "67748580");
    let full = Options { full_time: true, ..BIG_ENDIAN };
    let tick = DateTime::from_ticks(new_year.ticks() + 1, DateTimeKind::Utc).unwrap();
    assert_golden(full, tick, "48dd29f73c314001");
    assert_eq!(encode(BIG_ENDIAN, &tick), encode(BIG_ENDIAN, &new_year), "fractions are dropped");
    let far = DateTime::from_unix_seconds(u32::MAX);
    assert_eq!(encode(BIG_ENDIAN, &far), Err(EncodeError::ValueOutOfRange("DateTime")));
}

#[test]
fn nullable_values_have_a_flag() {
    assert_golden(BIG_ENDIAN, None::<i32>, "00");
    assert_golden(BIG_ENDIAN, Some(5_i32), "01 00000005");
    assert_golden(BIG_ENDIAN, Some(Grade::High), "01 fffe");
}

#[test]
fn lists_and_dictionaries_stand_behind_their_count() {
    assert_golden(ENCODE_INT, vec![1_i32, 300], "02 01 ac02");
    assert_golden(ENCODE_INT, vec!["a".to_owned(), String::new()], "02 0161 00");
    assert_golden(ENCODE_INT, vec![stone()], "01 d209 05 53746F6E65");
    assert_golden(ENCODE_INT, vec![vec![1_u8, 2], vec![3]], "02 020102 0103");
    assert_golden(ENCODE_INT, Vec::<i32>::new(), "00");
    let map = BTreeMap::from([(1_i32, "one".to_owned()), (2, "two".to_owned())]);
    assert_golden(ENCODE_INT, map, "02 01 036f6e65 02 0374776f");
    assert_golden(
        ENCODE_INT,
        BTreeMap::from([("k".to_owned(), vec![stone()])]),
        "01 016b 01 d209 05 53746F6E65",
    );
    assert_eq!(encode(ENCODE_INT, &None::<Vec<i32>>), Ok(vec![0]));
}

#[test]
fn null_objects_are_nothing_unless_references_are_written() {
    let second = Holder { first: None, second: Some(SimpleModel::sample()) };
    assert_eq!(encode(ENCODE_INT, &second), Ok(unhex(SIMPLE)));
    let misread = Holder { first: Some(SimpleModel::sample()), second: None };
    assert_eq!(decode(ENCODE_INT, &unhex(SIMPLE)), Ok(misread), "what the original does too");

    let references = Options { use_ref: true, ..ENCODE_INT };
    assert_golden(references, second, &format!("00 02 {SIMPLE}"));
}

#[test]
fn a_reference_to_an_object_around_it_is_an_error() {
    let references = Options { use_ref: true, ..ENCODE_INT };
    let out_of_range = DecodeError { offset: 1, problem: DecodeProblem::ValueOutOfRange };
    assert_eq!(decode::<Holder>(references, &[1]), Err(out_of_range));
}

#[test]
fn an_object_may_end_between_two_members() {
    assert_eq!(decode(BIG_ENDIAN, &unhex("000004D2")), Ok(Stone { code: 1234, name: String::new() }));
    assert_eq!(decode(BIG_ENDIAN, &[]), Ok(Stone::default()));
}

#[test]
fn a_stream_that_does_not_grow_says_what_it_has_room_for() {
    let mut buffer = [0; 6];
    let full = StreamFull { needed: 5, available: 1 };
    let written = Binary::new(&mut MemoryStream::over_mut(&mut buffer), BIG_ENDIAN).write(&stone());
    assert_eq!(written, Err(EncodeError::StreamFull(full)));
    let read_only = Binary::new(&mut MemoryStream::over(&[0; 8]), BIG_ENDIAN).write(&stone());
    assert_eq!(read_only, Err(EncodeError::StreamFull(StreamFull { needed: 4, available: 0 })));
}

#[test]
fn a_binary_writes_on_after_an_error() {
    let mut stream = MemoryStream::new();
    let mut binary = Binary::new(&mut stream, Options { use_ref: true, ..BIG_ENDIAN });
    let mut chain = Node::default();
    for _ in 0..100 {
        chain = Node { next: Some(Box::new(chain)), value: 1 };
    }
    assert_eq!(binary.write(&chain), Err(EncodeError::TooDeep));
    binary.write(&stone()).unwrap();
    drop(binary);
    // References of the 63 inner objects that were entered and of the one too many, from 2 to 65.
    assert_eq!(stream.written()[64..], unhex("000004D2 05 53746F6E65"));
}

#[test]
fn a_class_within_itself_cannot_overflow_the_stack() {
    let error = decode::<Node>(BIG_ENDIAN, &[7]).unwrap_err();
    assert_eq!(error, DecodeError { offset: 0, problem: DecodeProblem::TooDeep });
    let error = span_reflect::from_slice::<Node>(&[7]).unwrap_err();
    assert_eq!(error, DecodeError { offset: 0, problem: DecodeProblem::TooDeep });
}

/// Reflection and the type's own layout write the same bytes.
#[track_caller]
fn assert_reflected<T: Property + Reflect + PartialEq + Debug>(value: &T, golden: &[u8]) {
    let mut buffer = [0; 128];
    let written = span_reflect::to_slice(value, &mut buffer).unwrap();
    assert_eq!(buffer[..written], *golden);
    assert_eq!(span_reflect::from_slice::<T>(golden).as_deref(), Ok(value));
}

#[test]
fn reflection_has_the_bytes_of_the_span_format() {
    let direct = |write: &dyn Fn(&mut [u8]) -> usize| {
        let mut buffer = [0; 128];
        let written = write(&mut buffer);
        buffer[..written].to_vec()
    };
    let simple = direct(&|buffer| span::to_slice(&SimpleModel::sample(), buffer).unwrap());
    assert_eq!(simple, unhex("2a000000074e65774c6966650180857467 0000000000e05840"));
    assert_reflected(&SimpleModel::sample(), &simple);
    let nested = direct(&|buffer| span::to_slice(&NestedModel::sample(), buffer).unwrap());
    assert_reflected(&NestedModel::sample(), &nested);
    assert_eq!((simple.len(), nested.len()), (25, 49));
}

#[test]
fn reflection_writes_flags_for_nullable_values_and_enumerations_in_their_width() {
    let guid = Guid::from_bytes([9; 16]);
    let value = Nullables {
        absent: None,
        present: Some(5),
        grade: Some(Grade::High),
        guid: Some(guid),
        plain: Grade::High,
    };
    let golden = unhex("00 01 05000000 01 feff 01 09090909090909090909090909090909 feff");
    assert_reflected(&value, &golden);
    let names = Stone { code: -1, name: String::new() };
    assert_reflected(&names, &unhex("ffffffff 00"));
}

#[test]
fn reflection_refuses_lists_and_says_their_type() {
    #[derive(Debug, Default)]
    struct Listing {
        items: Vec<i32>,
    }
    reflect_class!(Listing = "Listing" { items => "Items" });

    let error = span_reflect::to_slice(&Listing::default(), &mut [0; 8]).unwrap_err();
    assert_eq!(error.problem, EncodeProblem::UnsupportedType("List"));
    let error = span_reflect::from_slice::<Listing>(&[0]).unwrap_err();
    assert_eq!(error.problem, DecodeProblem::UnsupportedType("List"));
}

/// A row of the write-up's table, as its file has it.
#[derive(Debug)]
struct Row {
    codec: String,
    request: Request,
}

fn published_rows() -> Vec<Row> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/published/span-vs-binary.csv");
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader
        .records()
        .map(|record| {
            let record = record.unwrap();
            let request = Request {
                model: ModelKind::ALL.into_iter().find(|model| model.name() == &record[1]).unwrap(),
                operation: Operation::ALL
                    .into_iter()
                    .find(|operation| operation.name() == &record[2])
                    .unwrap(),
                variant: Variant::ALL.into_iter().find(|variant| variant.name() == &record[3]).unwrap(),
                batch: record[4].parse().unwrap(),
            };
            Row { codec: record[0].to_owned(), request }
        })
        .collect()
}

#[test]
fn every_row_of_the_write_ups_table_is_offered() {
    let rows = published_rows();
    assert_eq!(rows.len(), 40);
    for row in rows {
        let codec = alloclab::codec::find(&row.codec).unwrap();
        assert!(codec.prepare(&row.request).is_some(), "{row:?}");
    }
}
