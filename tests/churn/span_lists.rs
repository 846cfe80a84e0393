//! Lists of the span format that are not read into memory at once: left in the input, or taken through a small buffer.
#![cfg(feature = "derive")]

use std::io::ErrorKind;

use alloclab::codec::span::{self, Elements, SpanFormat, SpanReader, SpanSerialize, SpanWriter};
use alloclab::codec::{DecodeError, DecodeProblem};
use alloclab::recorder::measure;
use alloclab::snapshot::Counts;

#[derive(Clone, Debug, PartialEq, SpanSerialize)]
struct Row {
    id: i32,
    name: String,
    tags: Vec<String>,
}

#[derive(Debug, SpanSerialize)]
struct RowRef<'a> {
    id: i32,
    name: &'a str,
    tags: Elements<'a, &'a str>,
}

#[derive(SpanSerialize)]
struct TreeRef<'a> {
    children: Elements<'a, TreeRef<'a>>,
}

#[derive(Clone, Copy, Default)]
struct Compact;

impl SpanFormat for Compact {
    const ENCODE_INT: bool = true;
}

fn rows() -> Vec<Row> {
    let row = |id: i32| Row {
        id,
        name: format!("row {id}"),
        tags: (0..id % 3).map(|tag| format!("tag {tag}")).collect(),
    };
    (0..300).map(row).collect()
}

fn encoded(value: &(impl SpanSerialize + ?Sized)) -> Vec<u8> {
    let mut buffer = vec![0; 64 << 10];
    let length = span::to_slice(value, &mut buffer).unwrap();
    buffer.truncate(length);
    buffer
}

#[test]
fn a_list_in_the_input_has_the_elements_that_were_written() {
    let bytes = encoded(&rows());
    let read = span::from_slice::<Elements<RowRef>>(&bytes).unwrap();
    assert_eq!((read.len(), read.is_empty()), (300, false));
    let expected = rows();
    for (row, expected) in read.iter().zip(&expected) {
        assert_eq!((row.id, row.name), (expected.id, &expected.name[..]));
        assert!(row.tags.iter().eq(expected.tags.iter()));
    }
    assert_eq!(read.iter().count(), 300);
}

#[test]
fn reading_and_going_through_a_list_in_the_input_allocates_nothing() {
    let bytes = encoded(&rows());
    let measured = measure(|| {
        let rows = span::from_slice::<Elements<RowRef>>(&bytes).unwrap();
        rows.iter().map(|row| row.tags.iter().count()).sum::<usize>()
    });
    let measured = measured.unwrap();
    assert_eq!((measured.value, measured.snapshot.totals), (300, Counts::default()));
}

#[test]
fn a_list_in_the_input_writes_the_bytes_that_it_was_read_from() {
    let bytes = encoded(&rows());
    let read = span::from_slice::<Elements<RowRef>>(&bytes).unwrap();
    assert_eq!(encoded(&read), bytes);
}

#[test]
fn a_list_in_the_input_keeps_the_format_of_its_reader() {
    let mut buffer = [0; 16];
    let mut writer = SpanWriter::with_format(&mut buffer, Compact);
    writer.write(&[1_i32, 300][..]).unwrap();
    let written = writer.written();
    assert_eq!(buffer[..written], [2, 1, 0xac, 2]);
    let mut reader = SpanReader::with_format(&buffer[..written], Compact);
    assert!(reader.read::<Elements<i32, Compact>>().unwrap().iter().eq([1, 300]));
    assert!(reader.is_at_end());
}

#[test]
fn a_list_in_the_input_is_checked_when_it_is_read() {
    let bytes = encoded(&rows());
    for length in 0..bytes.len() {
        assert!(span::from_slice::<Elements<RowRef>>(&bytes[..length]).is_err(), "{length}");
    }
    let error = span::from_slice::<Elements<&str>>(b"\x02\x01a\x01\xff").unwrap_err();
    assert_eq!(error, DecodeError { offset: 4, problem: DecodeProblem::InvalidUtf8 });
}

#[test]
fn lists_in_the_input_that_hold_each_other_are_nested_to_a_limit() {
    let error = span::from_slice::<TreeRef>(&[1; 10_000]).err().unwrap();
    assert_eq!(error.problem, DecodeProblem::TooDeep);
}

#[test]
fn bytes_of_a_fixed_number_stand_as_they_are() {
    assert_eq!(encoded(&[1_u8, 2, 3]), [1, 2, 3]);
    assert_eq!(span::from_slice::<[u8; 3]>(&[1, 2, 3, 4]), Ok([1, 2, 3]));
    let end = DecodeProblem::EndOfInput { needed: 3, available: 2 };
    assert_eq!(span::from_slice::<[u8; 3]>(&[1, 2]), Err(DecodeError { offset: 0, problem: end }));
}

#[test]
fn a_list_of_numbers_can_be_left_as_their_bytes() {
    let bytes = encoded(&[1_i32, -1][..]);
    let read = span::from_slice::<&[[u8; 4]]>(&bytes).unwrap();
    assert_eq!(read.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect::<Vec<_>>(), [1, -1]);
    assert_eq!(encoded(read), bytes);
    let error = span::from_slice::<&[[u8; 4]]>(&bytes[..8]).unwrap_err();
    assert_eq!(error, DecodeError { offset: 1, problem: DecodeProblem::LengthOutOfRange(2) });
}

#[test]
fn lengths_at_the_border_of_a_group_read_as_they_were_written() {
    for length in [0, 1, 127, 128, 129, 16_383, 16_384, 20_000] {
        let text = "x".repeat(length);
        let prefix = if length < 128 {
            1
        } else if length < 16_384 {
            2
        } else {
            3
        };
        let bytes = encoded(&text[..]);
        assert_eq!(bytes.len(), prefix + length);
        assert_eq!(span::from_slice::<String>(&bytes), Ok(text));
        let list = vec![7_u8; length];
        assert_eq!(encoded(&list).len(), prefix + length);
        assert_eq!(span::from_slice::<Vec<u8>>(&encoded(&list)), Ok(list));
    }
}

#[test]
fn an_owned_string_that_is_not_utf8_is_an_error_at_its_bad_byte() {
    let error = span::from_slice::<Vec<String>>(b"\x02\x01a\x03b\xc3\x28").unwrap_err();
    assert_eq!(error, DecodeError { offset: 5, problem: DecodeProblem::InvalidUtf8 });
}

#[test]
fn a_stream_holds_the_bytes_of_a_slice_whatever_the_buffer() {
    let whole = encoded(&rows());
    for buffer_bytes in [40, 41, 64, 1_000, 64 << 10] {
        let mut buffer = vec![0; buffer_bytes];
        let mut stream = Vec::new();
        span::write_list(&rows(), &mut buffer, &mut stream).unwrap();
        assert!(stream == whole, "{buffer_bytes}");
        let read = span::read_list::<Row>(&mut buffer, &stream[..], stream.len() as u64).unwrap();
        assert!(read == rows(), "{buffer_bytes}");
    }
}

#[test]
fn an_element_that_is_larger_than_the_buffer_is_an_error() {
    let mut stream = Vec::new();
    assert!(span::write_list(&rows(), &mut [0; 8], &mut stream).is_err());
    let whole = encoded(&rows());
    let error = span::read_list::<Row>(&mut [0; 8], &whole[..], whole.len() as u64).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidData);
}

#[test]
fn the_place_of_an_error_is_that_in_the_stream_however_often_the_buffer_was_filled() {
    let mut whole = encoded(&rows());
    let at = whole.windows(7).position(|bytes| bytes == b"row 299").unwrap();
    whole[at + 6] = 0xff;
    let expected = span::from_slice::<Vec<Row>>(&whole).unwrap_err();
    assert_eq!(expected, DecodeError { offset: at + 6, problem: DecodeProblem::InvalidUtf8 });
    for buffer_bytes in [32, 100, 1_000, whole.len()] {
        let error = span::read_list::<Row>(&mut vec![0; buffer_bytes], &whole[..], whole.len() as u64);
        let error = error.unwrap_err().downcast::<DecodeError>().unwrap();
        assert_eq!(error, expected, "{buffer_bytes}");
    }
}

#[test]
fn a_stream_that_is_cut_off_is_an_error() {
    let whole = encoded(&rows()[..20]);
    for length in 0..whole.len() {
        let read = span::read_list::<Row>(&mut [0; 64], &whole[..length], length as u64);
        assert_eq!(read.unwrap_err().kind(), ErrorKind::InvalidData, "{length}");
    }
}

#[test]
fn a_stream_takes_no_room_for_elements_that_it_cannot_hold() {
    let measured = measure(|| span::read_list::<Row>(&mut [0; 64], &b"\xff\xff\xff\xff\x07"[..], 5).is_err());
    let measured = measured.unwrap();
    assert!(measured.value);
    assert!(measured.snapshot.totals.requested_bytes() <= 256, "{:?}", measured.snapshot.totals);
}
