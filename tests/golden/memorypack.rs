//! The bytes of MemoryPack: derived by hand from the format.

use std::fmt::Debug;

use alloclab::codec::memorypack::{
    self, EncodeProblem, MAX_WRITE_DEPTH, MemoryPackDeserialize, MemoryPackReader, MemoryPackWriter, Varint,
};
use alloclab::codec::{self, DecodeError, DecodeProblem, Operation, Request, Variant, memorypack_brotli};
use alloclab::memorypack_object;
use alloclab::model::{
    DEMOS, DateTime, DateTimeKind, Decimal, Demo, DemoSub, FastModel, Guid, ModelKind, NestedModel, Payload,
    SimpleModel,
};

fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<char> = text.chars().filter(|char| !char.is_whitespace()).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap()).collect()
}

/// The value has these bytes, and these bytes are the value.
#[track_caller]
fn assert_bytes<T: MemoryPackDeserialize + PartialEq + Debug>(value: &T, bytes: &str) {
    let bytes = unhex(bytes);
    assert_eq!(memorypack::to_vec(value).unwrap(), bytes, "{value:?}");
    let mut buffer = vec![0xaa; bytes.len()];
    assert_eq!(memorypack::to_slice(value, &mut buffer), Ok(bytes.len()));
    assert_eq!(buffer, bytes);
    let mut reader = MemoryPackReader::new(&bytes);
    assert_eq!(&reader.read::<T>().unwrap(), value);
    assert_eq!(reader.available(), 0);
}

#[track_caller]
fn assert_refused<T: MemoryPackDeserialize + PartialEq + Debug>(
    bytes: &str,
    offset: usize,
    problem: DecodeProblem,
) {
    assert_eq!(memorypack::from_slice::<T>(&unhex(bytes)), Err(DecodeError { offset, problem }));
}

fn size(codec: &str, model: ModelKind, variant: Variant) -> u64 {
    let request = Request { model, operation: Operation::Serialize, variant, batch: 1 };
    codec::find(codec).unwrap().prepare(&request).unwrap().encoded_bytes
}

#[test]
fn sizes_are_the_published_ones() {
    for variant in [Variant::Array, Variant::Span] {
        assert_eq!(size("memorypack", ModelKind::Payload16, variant), 191);
        assert_eq!(size("memorypack", ModelKind::Payload128, variant), 639);
        assert_eq!(size("memorypack", ModelKind::Payload1024, variant), 4_223);
        assert_eq!(size("memorypack", ModelKind::Demo, variant), 2_334_454);
    }
}

#[test]
fn every_model_is_offered_into_an_array_and_into_a_span_both_ways() {
    let codec = codec::find("memorypack").unwrap();
    for model in ModelKind::ALL {
        for operation in Operation::ALL {
            for variant in Variant::ALL {
                let offered = codec.prepare(&Request { model, operation, variant, batch: 1 }).is_some();
                assert_eq!(
                    offered,
                    matches!(variant, Variant::Array | Variant::Span),
                    "{model:?} {variant:?}"
                );
            }
        }
    }
    let request = Request {
        model: ModelKind::Simple,
        operation: Operation::Serialize,
        variant: Variant::Array,
        batch: 2,
    };
    assert!(codec.prepare(&request).is_none());
}

#[test]
fn primitives_stand_as_in_memory() {
    assert_bytes(&-2i8, "fe");
    assert_bytes(&0x1234u16, "3412");
    assert_bytes(&-2i32, "feffffff");
    assert_bytes(&0x0102_0304_0506_0708u64, "0807060504030201");
    assert_bytes(&1.0f32, "0000803f");
    assert_bytes(&99.5f64, "0000000000e05840");
    assert_bytes(&true, "01");
    assert_bytes(&'é', "e900");
    assert_bytes(
        &Guid::from_bytes([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]),
        "0102030405060708 090a0b0c0d0e0f10",
    );
    assert_bytes(&(7u8, -1i16), "07 ffff");
}

#[test]
fn decimals_have_their_flags_and_high_bits_first() {
    let parts = [0x0403_0201, 0x0807_0605, 0x0c0b_0a09, (5 << 16) | i32::MIN];
    assert_bytes(&Decimal::from_parts(parts).unwrap(), "00000580 090a0b0c 01020304 05060708");
}

#[test]
fn times_are_ticks_below_their_kind() {
    assert_bytes(&DateTime::from_ticks(1, DateTimeKind::Unspecified).unwrap(), "0100000000000000");
    assert_bytes(&DateTime::from_ticks(1, DateTimeKind::Utc).unwrap(), "0100000000000040");
    assert_bytes(&DateTime::from_ticks(1, DateTimeKind::Local).unwrap(), "0100000000000080");
}

#[test]
fn strings_say_how_long_they_are_in_both_encodings() {
    assert_bytes(&String::new(), "00000000");
    assert_bytes(&"hi".to_owned(), "fdffffff 02000000 6869");
    assert_bytes(&"é".to_owned(), "fdffffff 01000000 c3a9");
    assert_bytes(&"€".to_owned(), "fcffffff 01000000 e282ac");
    assert_bytes(&"😀".to_owned(), "fbffffff 02000000 f09f9880");
}

#[test]
fn strings_in_utf_16_are_read() {
    let read = |bytes| memorypack::from_slice::<String>(&unhex(bytes));
    assert_eq!(read("02000000 6800 6900"), Ok("hi".to_owned()));
    assert_eq!(read("03000000 3dd8 00de e900"), Ok("😀é".to_owned()));
    assert_refused::<String>("01000000 3dd8", 4, DecodeProblem::InvalidUtf16);
}

#[test]
fn a_length_in_utf_16_that_is_not_that_of_the_text_is_refused_unless_it_says_nothing() {
    let read = |bytes| memorypack::from_slice::<String>(&unhex(bytes));
    assert_eq!(read("fdffffff ffffffff 6869"), Ok("hi".to_owned()));
    assert_eq!(read("fdffffff 00000000 6869"), Ok("hi".to_owned()));
    assert_refused::<String>("fdffffff 01000000 6869", 4, DecodeProblem::LengthOutOfRange(1));
    assert_refused::<String>("fdffffff 03000000 6869", 4, DecodeProblem::LengthOutOfRange(3));
}

#[test]
fn null_strings_and_lists_read_as_empty_where_there_is_no_option() {
    assert_bytes(&None::<String>, "ffffffff");
    assert_bytes(&None::<Vec<i32>>, "ffffffff");
    assert_bytes(&Some(String::new()), "00000000");
    assert_bytes(&Some(Vec::<i32>::new()), "00000000");
    assert_eq!(memorypack::from_slice(&unhex("ffffffff")), Ok(String::new()));
    assert_eq!(memorypack::from_slice(&unhex("ffffffff")), Ok(Vec::<i32>::new()));
}

#[test]
fn lists_are_a_count_and_elements() {
    assert_bytes(&vec![1i32, -1], "02000000 01000000 ffffffff");
    assert_bytes(&vec![true, false], "02000000 01 00");
    assert_bytes(&vec![vec![1u8], vec![]], "02000000 01000000 01 00000000");
    assert_bytes(&vec![("a".to_owned(), 1u8)], "01000000 feffffff 01000000 61 01");
}

#[test]
fn options_of_fixed_size_are_padded_as_in_memory() {
    assert_bytes(&Some(7u8), "01 07");
    assert_bytes(&None::<u8>, "00 00");
    assert_bytes(&Some(7i32), "01000000 07000000");
    assert_bytes(&None::<i32>, "00000000 00000000");
    assert_bytes(&Some(DateTime::MIN), "0100000000000000 0000000000000000");
    assert_bytes(&Some(Guid::from_bytes([9; 16])), "01000000 09090909 09090909 09090909 09090909");
    assert_bytes(&Some(Decimal::new(1, 0).unwrap()), "0100000000000000 00000000 00000000 01000000 00000000");
    assert_bytes(&vec![Some(1i16), None], "02000000 0100 0100 0000 0000");
}

#[test]
fn objects_are_a_member_count_and_members_without_padding() {
    let simple = "05 2a000000 f8ffffff 07000000 4e65774c696665 01 0040313cf729dd48 0000000000e05840";
    assert_bytes(&SimpleModel::sample(), simple);
    assert_bytes(&FastModel::sample(), simple);
    let nested =
        |inner| format!("04 01000000 f4ffffff 0b000000 48656c6c6f20576f726c64 {inner} 00a7a36900000000");
    assert_bytes(&NestedModel::sample(), &nested(simple));
    assert_bytes(&NestedModel { inner: None, ..NestedModel::sample() }, &nested("ff"));
}

#[test]
fn the_write_ups_objects_have_the_bytes_of_the_format() {
    let text = "f2ffffff 0d000000 48656c6c6f20576f726c642037";
    let fields = format!("07000000 00 {text} 0000000000001c40 0700000000000000");
    let subs = format!("05 {fields}").repeat(4);
    assert_bytes(&Demo::sample(7), &format!("06 {fields} 04000000 {subs}"));
    let payload = Payload { id: 42, ..Payload::sample(2) };
    let name: String = payload.name.bytes().map(|byte| format!("{byte:02x}")).collect();
    assert_bytes(&payload, &format!("03 2a000000 91ffffff 6e000000 {name} 02000000 00000000 11000000"));
}

#[test]
fn members_that_are_not_there_get_default_values_and_too_many_are_refused() {
    let fewer = Payload { id: 42, ..Payload::default() };
    assert_eq!(memorypack::from_slice(&unhex("01 2a000000")), Ok(fewer));
    assert_eq!(memorypack::from_slice(&unhex("00")), Ok(Payload::default()));
    assert_eq!(memorypack::from_slice::<Option<Payload>>(&unhex("00")), Ok(Some(Payload::default())));
    assert_refused::<Payload>("04 2a000000", 0, DecodeProblem::TooManyMembers { found: 4, known: 3 });
    assert_refused::<Option<Payload>>("fa", 0, DecodeProblem::TooManyMembers { found: 250, known: 3 });
    assert_refused::<Payload>("ff", 0, DecodeProblem::UnexpectedNull);
}

#[test]
fn a_list_of_objects_with_few_members_grows_as_they_come() {
    let objects: Vec<DemoSub> = memorypack::from_slice(&unhex("05000000 00 00 01 07000000 00 00")).unwrap();
    assert_eq!(objects.len(), 5);
    assert_eq!(objects[2], DemoSub { p1: 7, ..DemoSub::default() });
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Tolerant {
    number: i32,
    text: String,
}
memorypack_object!(version_tolerant Tolerant { number: i32, text: String });

/// The same, in a later version.
#[derive(Clone, Debug, Default, PartialEq)]
struct LaterTolerant {
    number: i32,
    text: String,
    flag: bool,
    inner: Option<Tolerant>,
}
memorypack_object!(version_tolerant LaterTolerant { number: i32, text: String, flag: bool, inner: Option<Tolerant> });

fn later() -> LaterTolerant {
    let old = Tolerant { number: 1, text: "hi".to_owned() };
    LaterTolerant { number: 1, text: "hi".to_owned(), flag: true, inner: Some(old) }
}

#[test]
fn version_tolerant_objects_say_how_long_their_members_are() {
    let old = "02 04 0a 01000000 fdffffff 02000000 6869";
    assert_bytes(&Tolerant { number: 1, text: "hi".to_owned() }, old);
    assert_bytes(&later(), &format!("04 04 0a 01 11 01000000 fdffffff 02000000 6869 01 {old}"));
    assert_bytes(&None::<Tolerant>, "ff");
    let long = Tolerant { number: 1, text: "x".repeat(200) };
    let text = "78".repeat(200);
    assert_bytes(&long, &format!("02 04 84d000 01000000 37ffffff c8000000 {text}"));
}

#[test]
fn versions_read_each_other() {
    let bytes = memorypack::to_vec(&vec![later(), later()]).unwrap();
    let old = Tolerant { number: 1, text: "hi".to_owned() };
    assert_eq!(memorypack::from_slice(&bytes), Ok(vec![old.clone(), old.clone()]));
    let bytes = memorypack::to_vec(&old).unwrap();
    let expected = LaterTolerant { flag: false, inner: None, ..later() };
    assert_eq!(memorypack::from_slice(&bytes), Ok(expected));
}

#[track_caller]
fn assert_varint<I: Varint + Debug>(value: I, bytes: &str) {
    let mut buffer = [0; 9];
    let mut writer = MemoryPackWriter::new(&mut buffer);
    writer.write_varint(value).unwrap();
    let written = writer.written();
    assert_eq!(buffer[..written], unhex(bytes), "{value:?}");
    assert_eq!(MemoryPackReader::new(&buffer[..written]).read_varint(), Ok(value.into()));
}

#[test]
fn varints_take_the_widths_of_their_type() {
    assert_varint(0u32, "00");
    assert_varint(127u32, "7f");
    assert_varint(128u32, "85 8000");
    assert_varint(65_536u32, "83 00000100");
    assert_varint(128i32, "84 8000");
    assert_varint(40_000i32, "82 409c0000");
    assert_varint(-120i32, "88");
    assert_varint(-121i32, "86 87");
    assert_varint(-129i32, "84 7fff");
    assert_varint(-40_000i32, "82 c063ffff");
    assert_varint(1i64 << 40, "80 0000000000010000");
    let read = |bytes: &str| MemoryPackReader::new(&unhex(bytes)).read_varint();
    assert_eq!(read("87 ff"), Ok(255));
    assert_eq!(read("81 0100000000000000"), Ok(1));
    let too_large = DecodeError { offset: 0, problem: DecodeProblem::ValueOutOfRange };
    assert_eq!(read("81 ffffffffffffffff"), Err(too_large));
}

#[test]
fn union_tags_take_one_byte_or_three() {
    for (tag, bytes) in [(0, "00"), (249, "f9"), (250, "fa fa00"), (65_535, "fa ffff")] {
        let mut buffer = [0; 3];
        let mut writer = MemoryPackWriter::new(&mut buffer);
        writer.write_union_tag(tag).unwrap();
        let written = writer.written();
        assert_eq!(buffer[..written], unhex(bytes));
        assert_eq!(MemoryPackReader::new(&buffer).read_union_tag(), Ok(Some(tag)));
    }
    assert_eq!(MemoryPackReader::new(&[255]).read_union_tag(), Ok(None));
    let reserved = DecodeError { offset: 0, problem: DecodeProblem::ValueOutOfRange };
    assert_eq!(MemoryPackReader::new(&[251]).read_union_tag(), Err(reserved));
}

#[test]
fn a_buffer_that_is_too_small_is_an_error_that_says_where() {
    let error = memorypack::to_slice(&SimpleModel::sample(), &mut [0; 20]).unwrap_err();
    assert_eq!((error.offset, error.problem), (20, EncodeProblem::OutOfSpace { needed: 17, available: 0 }));
}

#[derive(Debug, Default, PartialEq)]
struct Node {
    next: Option<Box<Node>>,
}
memorypack_object!(Node { next: Option<Box<Node>> });

fn chain(length: usize) -> Node {
    (1..length).fold(Node::default(), |next, _| Node { next: Some(Box::new(next)) })
}

#[test]
fn values_deeper_than_the_originals_limit_are_not_written() {
    assert_bytes(&chain(100), &format!("{} ff", "01".repeat(100)));
    assert!(memorypack::to_vec(&chain(MAX_WRITE_DEPTH)).is_ok());
    let error = memorypack::to_vec(&chain(MAX_WRITE_DEPTH + 1)).unwrap_err();
    assert_eq!(error.problem, EncodeProblem::TooDeep);
}

#[test]
fn a_character_of_two_units_is_not_written() {
    let error = memorypack::to_vec(&'😀').unwrap_err();
    assert_eq!(error.problem, EncodeProblem::CharOfTwoUnits('😀'));
}

#[test]
fn brotli_compresses_to_within_a_percent_of_the_published_size() {
    let size = size("memorypack-brotli", ModelKind::Demo, Variant::Array) as f64;
    assert!((size / 151_493.0 - 1.0).abs() < 0.01, "{size} B");
}

#[test]
fn streams_of_another_brotli_are_unpacked() {
    let stream = include_bytes!("../../fixtures/golden/brotli/demo_100.pb.br");
    let first = include_bytes!("../../fixtures/golden/brotli/demo_0.pb");
    let mut unpacked = Vec::new();
    let length = memorypack_brotli::decompress(stream, &mut unpacked, 1 << 20).unwrap();
    assert_eq!(length, 15_984);
    assert_eq!(unpacked[..2], [0x0a, first.len() as u8]);
    assert_eq!(unpacked[2..2 + first.len()], first[..]);
}

#[test]
fn what_is_compressed_unpacks_to_the_same_value() {
    let mut brotli = memorypack_brotli::Brotli::new();
    let bytes = brotli.serialize(&DEMOS[..]).unwrap();
    assert!(brotli.deserialize::<Vec<Demo>>(&bytes, 1 << 22).unwrap() == *DEMOS);
    let bytes = brotli.serialize(&Payload::sample(16)).unwrap();
    assert_eq!(brotli.deserialize(&bytes, 1 << 22), Ok(Payload::sample(16)));
}
