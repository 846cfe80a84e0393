//! What `#[derive(SpanSerialize)]` makes, and how it complains.
#![cfg(feature = "derive")]

use std::fmt::Debug;

use alloclab::codec::span::{self, Size, SpanDeserialize, SpanReader, SpanSerialize, SpanWriter};
use alloclab::codec::{DecodeError, DecodeProblem};
use alloclab::model::{DateTime, DateTimeKind, NestedModel, SimpleModel};

#[track_caller]
fn assert_bytes<'a, T>(value: T, golden: &'a [u8])
where
    T: SpanDeserialize<'a> + PartialEq + Debug,
{
    let mut buffer = [0xee; 128];
    let written = span::to_slice(&value, &mut buffer).unwrap();
    assert_eq!(buffer[..written], *golden);
    let mut reader = SpanReader::new(golden);
    assert_eq!(reader.read(), Ok(value));
    assert!(reader.is_at_end());
}

#[derive(SpanSerialize, Debug, PartialEq)]
struct Named {
    id: u16,
    r#type: u8,
    name: String,
}

#[test]
fn fields_are_written_in_the_order_of_their_declaration() {
    assert_bytes(Named { id: 1, r#type: 2, name: "ab".to_owned() }, b"\x01\0\x02\x02ab");
}

#[derive(SpanSerialize, Debug, PartialEq)]
struct Pair(i16, bool);

#[derive(SpanSerialize, Debug, PartialEq)]
struct Unit;

#[test]
fn structs_without_names_and_without_fields_have_a_layout_too() {
    assert_bytes(Pair(-1, true), b"\xff\xff\x01");
    assert_bytes(Unit, b"");
}

#[derive(SpanSerialize, Debug, PartialEq)]
struct Borrowed<'a> {
    id: i32,
    name: &'a str,
    content: &'a [u8],
}

#[test]
fn a_struct_with_a_lifetime_borrows_from_the_input() {
    let input = b"\x01\0\0\0\x02ab\x01\xff".as_slice();
    assert_bytes(Borrowed { id: 1, name: "ab", content: &[0xff] }, input);
    let read: Borrowed = span::from_slice(input).unwrap();
    assert_eq!(read.name.as_ptr(), input[5..].as_ptr());
}

#[derive(SpanSerialize, Debug, PartialEq)]
struct Generic<T>
where
    T: Clone,
{
    first: T,
    rest: Vec<T>,
}

#[test]
fn a_type_parameter_may_be_anything_with_a_layout() {
    assert_bytes(Generic { first: 1_u8, rest: vec![2, 3] }, b"\x01\x02\x02\x03");
    assert_bytes(Generic { first: "a", rest: vec![] }, b"\x01a\0");
}

#[derive(SpanSerialize, Debug, PartialEq)]
struct Skipping {
    before: u8,
    #[span(skip)]
    cached: Option<std::num::NonZeroU8>,
    after: u8,
}

#[test]
fn a_skipped_field_takes_no_byte_and_reads_as_its_default() {
    let value = Skipping { before: 1, cached: std::num::NonZeroU8::new(9), after: 2 };
    let mut buffer = [0; 2];
    assert_eq!(span::to_slice(&value, &mut buffer), Ok(2));
    assert_eq!(span::from_slice(&buffer), Ok(Skipping { cached: None, ..value }));
}

#[derive(SpanSerialize, Debug, PartialEq)]
struct Adapted {
    #[span(encode_int)]
    code: i32,
    #[span(full_time)]
    at: DateTime,
    #[span(width = 4)]
    name: String,
    #[span(rest)]
    text: String,
}

#[test]
fn a_field_can_have_another_layout_than_its_type() {
    let at = DateTime::from_ticks(1, DateTimeKind::Utc).unwrap();
    let value = Adapted { code: 1234, at, name: "ab".to_owned(), text: "rest".to_owned() };
    assert_bytes(value, b"\xd2\x09\x01\0\0\0\0\0\0\x40ab\0\0rest");
}

#[derive(SpanSerialize, Debug, PartialEq)]
struct AdaptedRef<'a> {
    #[span(width = 2)]
    name: &'a str,
    #[span(rest)]
    text: &'a str,
}

#[test]
fn fixed_and_raw_strings_can_be_borrowed() {
    assert_bytes(AdaptedRef { name: "ab", text: "c" }, b"abc");
}

#[derive(SpanSerialize, Debug, PartialEq)]
#[repr(i16)]
enum Level {
    Low = -1,
    Middle,
    High = 300,
}

#[test]
fn an_enum_is_the_integer_of_its_repr() {
    assert_bytes(Level::Low, b"\xff\xff");
    assert_bytes(Level::Middle, b"\0\0");
    assert_bytes(Level::High, b"\x2c\x01");
    let unknown = DecodeError { offset: 0, problem: DecodeProblem::ValueOutOfRange };
    assert_eq!(span::from_slice::<Level>(&[7, 0]), Err(unknown));
}

#[derive(SpanSerialize, Debug, PartialEq)]
struct Node {
    next: Option<Box<Node>>,
}

#[derive(SpanSerialize, Debug, PartialEq)]
struct Tree {
    children: Vec<Tree>,
}

/// A type that reads itself before it has read anything, as a class can whose first member is itself.
#[derive(SpanSerialize, Debug, PartialEq)]
struct Endless {
    #[span(flagless)]
    next: Option<Box<Endless>>,
    id: u8,
}

#[test]
fn types_that_contain_themselves_are_read_up_to_a_depth() {
    let deep = |error: DecodeError| error.problem;
    assert_bytes(Node { next: Some(Box::new(Node { next: None })) }, b"\x01\0");
    assert_eq!(span::from_slice::<Node>(&[1; 1000]).map_err(deep), Err(DecodeProblem::TooDeep));
    assert_bytes(Tree { children: vec![Tree { children: vec![] }] }, b"\x01\0");
    assert_eq!(span::from_slice::<Tree>(&[1; 1000]).map_err(deep), Err(DecodeProblem::TooDeep));
    assert_eq!(span::from_slice::<Endless>(&[1; 1000]).map_err(deep), Err(DecodeProblem::TooDeep));
}

#[test]
fn sizes_tell_runs_of_fixed_fields_apart() {
    assert_eq!(Named::SIZE, Size::AtLeast(4));
    assert_eq!(Pair::SIZE, Size::Fixed(3));
    assert_eq!(Unit::SIZE, Size::Fixed(0));
    assert_eq!(SimpleModel::SIZE, Size::AtLeast(18));
    assert_eq!(NestedModel::SIZE, Size::AtLeast(13));
    assert_eq!(Adapted::SIZE, Size::AtLeast(13));
}

#[test]
fn one_writer_takes_values_of_several_types() {
    let mut buffer = [0; 8];
    let mut writer = SpanWriter::new(&mut buffer);
    writer.write(&Pair(1, true)).unwrap();
    writer.write(&Level::Low).unwrap();
    assert_eq!(writer.written(), 5);
}
