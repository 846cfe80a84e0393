//! The bytes of LiteSerializer, derived by hand from Nalix's specification of them.

use std::fmt::Debug;

use alloclab::codec::lite::{
    self, EncodeProblem, LiteDeserialize, LiteReader, MAX_ELEMENTS, MAX_ENCODED_BYTES, MAX_STRING_BYTES,
    ScratchBuffer,
};
use alloclab::codec::{self, Operation, Request, Variant};
use alloclab::lite_object;
use alloclab::model::{
    Contact, DEMOS, DateTime, DateTimeKind, Decimal, Demo, FastModel, Guid, ModelKind, NestedModel, Payload,
    SimpleModel, User,
};

const SIMPLE: &str = "2a000000 07000000 4e65774c696665 01 0040313cf729dd48 0000000000e05840";

fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<char> = text.chars().filter(|char| !char.is_whitespace()).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap()).collect()
}

/// The value has these bytes, and these bytes are the value.
#[track_caller]
fn assert_bytes<T: LiteDeserialize + PartialEq + Debug>(value: &T, bytes: &str) {
    let bytes = unhex(bytes);
    assert_eq!(ScratchBuffer::new().serialize(value).unwrap(), bytes, "{value:?}");
    let mut buffer = vec![0xaa; bytes.len()];
    assert_eq!(lite::to_slice(value, &mut buffer), Ok(bytes.len()));
    assert_eq!(buffer, bytes);
    let mut reader = LiteReader::new(&bytes);
    assert_eq!(&reader.read::<T>().unwrap(), value);
    assert_eq!(reader.available(), 0);
}

#[test]
fn sizes_are_the_published_ones() {
    let size = |model, variant| {
        let request = Request { model, operation: Operation::Serialize, variant, batch: 1 };
        codec::find("lite").unwrap().prepare(&request).unwrap().encoded_bytes
    };
    for variant in [Variant::Array, Variant::Span] {
        assert_eq!(size(ModelKind::Payload16, variant), 186);
        assert_eq!(size(ModelKind::Payload128, variant), 634);
        assert_eq!(size(ModelKind::Payload1024, variant), 4_218);
    }
}

#[test]
fn every_model_is_offered_into_an_array_and_into_a_span_both_ways() {
    let codec = codec::find("lite").unwrap();
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
}

#[test]
fn primitives_are_little_endian() {
    assert_bytes(&-2i8, "fe");
    assert_bytes(&0x1234u16, "3412");
    assert_bytes(&-2i32, "feffffff");
    assert_bytes(&0x0102_0304_0506_0708u64, "0807060504030201");
    assert_bytes(&1.0f32, "0000803f");
    assert_bytes(&99.5f64, "0000000000e05840");
    assert_bytes(&true, "01");
    assert_bytes(&'é', "e900");
    assert_bytes(&DateTime::from_ticks(1, DateTimeKind::Utc).unwrap(), "0100000000000040");
    let guid = Guid::from_bytes([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    assert_bytes(&guid, "0102030405060708 090a0b0c0d0e0f10");
    assert_bytes(&(7u8, -1i16), "07 ffff");
}

#[test]
fn decimals_have_their_flags_last() {
    let parts = [0x0403_0201, 0x0807_0605, 0x0c0b_0a09, (5 << 16) | i32::MIN];
    assert_bytes(&Decimal::from_parts(parts).unwrap(), "01020304 05060708 090a0b0c 00000580");
}

#[test]
fn strings_and_lists_have_a_length_of_four_bytes() {
    assert_bytes(&String::new(), "00000000");
    assert_bytes(&"é€".to_owned(), "05000000 c3a9 e282ac");
    assert_bytes(&vec![1i32, -1], "02000000 01000000 ffffffff");
    assert_bytes(&vec![true, false], "02000000 01 00");
    assert_bytes(&vec![vec![1u8], vec![]], "02000000 01000000 01 00000000");
    assert_bytes(&vec![("a".to_owned(), 1u8)], "01000000 01000000 61 01");
}

#[test]
fn null_is_a_length_of_minus_one_or_a_flag() {
    assert_bytes(&None::<String>, "ffffffff");
    assert_bytes(&Some(String::new()), "00000000");
    assert_bytes(&None::<Vec<i32>>, "ffffffff");
    assert_bytes(&Some(vec![1u8]), "01000000 01");
    assert_bytes(&None::<i32>, "00");
    assert_bytes(&Some(7i32), "01 07000000");
    assert_bytes(&None::<SimpleModel>, "00");
    assert_bytes(&Some(SimpleModel::sample()), &format!("01 {SIMPLE}"));
    assert_eq!(lite::from_slice(&unhex("ffffffff")), Ok(String::new()));
    assert_eq!(lite::from_slice(&unhex("ffffffff")), Ok(Vec::<i32>::new()));
}

#[test]
fn objects_are_their_members() {
    assert_bytes(&SimpleModel::sample(), SIMPLE);
    assert_bytes(&FastModel::sample(), SIMPLE);
    assert_bytes(&vec![SimpleModel::sample(); 2], &format!("02000000 {SIMPLE} {SIMPLE}"));
}

#[test]
fn a_member_of_a_class_type_has_a_flag() {
    let nested = |inner: &str| format!("01000000 0b000000 48656c6c6f20576f726c64 {inner} 00a7a36900000000");
    assert_bytes(&NestedModel::sample(), &nested(&format!("01 {SIMPLE}")));
    assert_bytes(&NestedModel { inner: None, ..NestedModel::sample() }, &nested("00"));
}

fn name() -> String {
    let payload = Payload::sample(0);
    let hex: String = payload.name.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("6e000000 {hex}")
}

#[test]
fn the_write_ups_payload_has_its_members_in_the_generators_order() {
    assert_bytes(&Payload::sample(2), &format!("2a000000 {} 02000000 00000000 11000000", name()));
}

/// [`Payload`], as reflection sees it.
#[derive(Debug, PartialEq)]
struct Reflected {
    id: i32,
    name: String,
    items: Vec<i32>,
}
lite_object!(automatic Reflected { id: i32, name: String, items: Vec<i32> });

#[test]
fn under_automatic_layout_the_payload_has_the_same_length_and_its_number_last() {
    let Payload { id, name: text, items } = Payload::sample(2);
    assert_bytes(
        &Reflected { id, name: text, items },
        &format!("{} 02000000 00000000 11000000 2a000000", name()),
    );
}

#[derive(Debug, Default, PartialEq)]
struct Mixed {
    flag: bool,
    short: i16,
    first: i64,
    key: Guid,
    number: i32,
    text: String,
    second: f64,
    letter: u8,
}
lite_object!(automatic Mixed {
    flag: bool, short: i16, first: i64, key: Guid, number: i32, text: String, second: f64, letter: u8,
});

#[test]
fn automatic_layout_has_the_largest_first_and_keeps_the_order_among_equals() {
    let mixed = Mixed {
        flag: true,
        short: 2,
        first: 3,
        key: Guid::from_bytes([4; 16]),
        number: 5,
        text: "6".to_owned(),
        second: 0.5,
        letter: 8,
    };
    let key = "04".repeat(16);
    assert_bytes(&mixed, &format!("{key} 0300000000000000 01000000 36 000000000000e03f 05000000 0200 01 08"));
}

#[test]
fn every_model_reads_back() {
    #[track_caller]
    fn assert_round_trip<T: LiteDeserialize + PartialEq + Debug>(value: &T) {
        let bytes = ScratchBuffer::new().serialize(value).unwrap();
        assert_eq!(lite::from_slice::<T>(&bytes).as_ref(), Ok(value));
    }
    assert_round_trip(&Contact::sample());
    assert_round_trip(&Demo { p3: None, subs: None, ..Demo::sample(7) });
    assert_round_trip(&User { id: 7, email: "zoe_😀@example.org".to_owned(), ..User::default() });
    let bytes = ScratchBuffer::new().serialize(&DEMOS[..]).unwrap();
    assert!(lite::from_slice::<Vec<Demo>>(&bytes).unwrap() == *DEMOS);
}

#[test]
fn a_scratch_buffer_takes_larger_and_smaller_values_in_turn() {
    let mut scratch = ScratchBuffer::new();
    for items in [16, 1024, 100_000, 0] {
        let payload = Payload::sample(items);
        let bytes = scratch.serialize(&payload).unwrap();
        assert_eq!(bytes.len(), 122 + 4 * items as usize);
        assert_eq!(lite::from_slice(&bytes), Ok(payload));
    }
}

#[test]
fn lists_and_strings_above_the_limits_are_not_written() {
    let refuse = |length, limit| EncodeProblem::LengthOutOfRange { length, limit };
    let mut scratch = ScratchBuffer::new();
    assert!(scratch.serialize(&vec![0u8; MAX_ELEMENTS]).is_ok());
    let error = scratch.serialize(&vec![0u8; MAX_ELEMENTS + 1]).unwrap_err();
    assert_eq!(error.problem, refuse(MAX_ELEMENTS + 1, MAX_ELEMENTS));
    assert!(scratch.serialize(&"x".repeat(MAX_STRING_BYTES)).is_ok());
    let error = scratch.serialize(&"x".repeat(MAX_STRING_BYTES + 1)).unwrap_err();
    assert_eq!(error.problem, refuse(MAX_STRING_BYTES + 1, MAX_STRING_BYTES));
}

/// Many times the same list, so that only its size is large.
#[test]
fn values_above_the_writers_capacity_are_not_written() {
    let shared = vec![0u64; MAX_ELEMENTS];
    let lists: Vec<&[u64]> = vec![&shared; 16];
    let length = 4 + 16 * (4 + 8 * MAX_ELEMENTS);
    let error = ScratchBuffer::new().serialize(&lists).unwrap_err();
    let problem = EncodeProblem::LengthOutOfRange { length, limit: MAX_ENCODED_BYTES };
    assert_eq!((error.offset, error.problem), (0, problem));
}

#[test]
fn a_buffer_that_is_too_small_is_an_error_that_says_where() {
    let error = lite::to_slice(&SimpleModel::sample(), &mut [0; 16]).unwrap_err();
    assert_eq!((error.offset, error.problem), (15, EncodeProblem::OutOfSpace { needed: 17, available: 1 }));
}

#[test]
fn a_character_of_two_units_is_not_written() {
    let error = ScratchBuffer::new().serialize(&'😀').unwrap_err();
    assert_eq!(error.problem, EncodeProblem::CharOfTwoUnits('😀'));
}
