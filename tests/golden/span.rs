//! The bytes of the span format, as the original writes them (NewLife.Core at commit 9ae95de58).
#![cfg(feature = "derive")]

use std::fmt::Debug;

use alloclab::codec::span::{
    self, EncodeProblem, LengthWidth, SpanDeserialize, SpanFormat, SpanReader, SpanSerialize, SpanWriter,
    Standard,
};
use alloclab::codec::{DecodeError, DecodeProblem};
use alloclab::model::{DateTime, DateTimeKind, Decimal, FastModel, Guid, NestedModel, SimpleModel};

#[derive(Clone, Copy)]
struct BigEndian;

impl SpanFormat for BigEndian {
    const BIG_ENDIAN: bool = true;
}

#[derive(Clone, Copy)]
struct EncodeInt;

impl SpanFormat for EncodeInt {
    const ENCODE_INT: bool = true;
}

#[derive(Clone, Copy)]
struct FullTime;

impl SpanFormat for FullTime {
    const FULL_TIME: bool = true;
}

const SIMPLE: &str = "2a000000074e65774c696665018085746700000000 00e05840";
const NESTED: &str = "01000000 0b 48656c6c6f20576f726c64
    2a000000 07 4e65774c696665 01 80857467 0000000000e05840 00a7a36900000000";

fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

#[track_caller]
fn assert_bytes<T, F: SpanFormat>(format: F, value: T, golden: &str)
where
    T: SpanSerialize + for<'a> SpanDeserialize<'a> + PartialEq + Debug,
{
    let golden = unhex(golden);
    let mut buffer = [0xee; 512];
    let mut writer = SpanWriter::with_format(&mut buffer, format);
    writer.write(&value).unwrap();
    let written = writer.written();
    assert_eq!(buffer[..written], golden);

    let mut reader = SpanReader::with_format(&golden, format);
    assert_eq!(reader.read::<T>(), Ok(value));
    assert!(reader.is_at_end());
}

#[track_caller]
fn assert_golden<T>(value: T, golden: &str)
where
    T: SpanSerialize + for<'a> SpanDeserialize<'a> + PartialEq + Debug,
{
    assert_bytes(Standard, value, golden);
}

/// The error of a value in a buffer with more room than it can need.
fn refused<T: SpanSerialize + ?Sized>(value: &T) -> EncodeProblem {
    span::to_slice(value, &mut [0; 64]).unwrap_err().problem
}

fn at_ticks(ticks: u64, kind: DateTimeKind) -> DateTime {
    DateTime::from_ticks(ticks, kind).unwrap()
}

#[test]
fn a_simple_model_has_the_original_bytes() {
    assert_golden(SimpleModel::sample(), SIMPLE);
}

#[test]
fn a_fast_model_has_the_bytes_of_a_simple_one() {
    assert_golden(FastModel::sample(), SIMPLE);
}

#[test]
fn a_nested_model_has_the_original_bytes() {
    assert_golden(NestedModel::sample(), NESTED);
}

#[test]
fn a_batch_has_the_original_length_and_reads_back() {
    for (count, total) in [(100, 2_490), (1_000, 25_890)] {
        let models = SimpleModel::batch(count);
        let mut buffer = vec![0; models.len() * 64];
        let mut writer = SpanWriter::new(&mut buffer);
        models.iter().for_each(|model| writer.write(model).unwrap());
        assert_eq!(writer.written(), total);

        let mut reader = SpanReader::new(&buffer[..total]);
        let read: Vec<SimpleModel> = models.iter().map(|_| reader.read().unwrap()).collect();
        assert_eq!(read, models);
        assert!(reader.is_at_end());
    }
}

#[test]
fn integers_have_their_fixed_width_lowest_byte_first() {
    assert_golden(-2i8, "fe");
    assert_golden(0xfe_u8, "fe");
    assert_golden(-2i16, "feff");
    assert_golden(0x0102_u16, "0201");
    assert_golden(-2i32, "feffffff");
    assert_golden(0x0102_0304_u32, "04030201");
    assert_golden(-2i64, "feffffffffffffff");
    assert_golden(0x0102_0304_0506_0708_u64, "0807060504030201");
}

#[test]
fn numbers_are_highest_byte_first_when_big_endian() {
    assert_bytes(BigEndian, -2i8, "fe");
    assert_bytes(BigEndian, 0xfe_u8, "fe");
    assert_bytes(BigEndian, -2i16, "fffe");
    assert_bytes(BigEndian, 0x0102_u16, "0102");
    assert_bytes(BigEndian, -2i32, "fffffffe");
    assert_bytes(BigEndian, 0x0102_0304_u32, "01020304");
    assert_bytes(BigEndian, -2i64, "fffffffffffffffe");
    assert_bytes(BigEndian, 0x0102_0304_0506_0708_u64, "0102030405060708");
    assert_bytes(BigEndian, 99.5f32, "42c70000");
    assert_bytes(BigEndian, 99.5f64, "4058e00000000000");
    assert_bytes(BigEndian, DateTime::from_unix_seconds(1), "00000001");
    assert_bytes(BigEndian, Decimal::new(-5, 1).unwrap(), "00000005 00000000 00000000 80010000");
}

#[test]
fn a_guid_and_a_string_do_not_depend_on_the_byte_order() {
    let guid = Guid::from_bytes([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    assert_golden(guid, "0102030405060708090a0b0c0d0e0f10");
    assert_bytes(BigEndian, guid, "0102030405060708090a0b0c0d0e0f10");
    assert_golden("Stone".to_owned(), "05 53746f6e65");
    assert_bytes(BigEndian, "Stone".to_owned(), "05 53746f6e65");
}

#[test]
fn encoded_integers_take_a_byte_for_seven_bits_without_zigzag() {
    assert_bytes(EncodeInt, 127i32, "7f");
    assert_bytes(EncodeInt, 128i32, "8001");
    assert_bytes(EncodeInt, 1234i32, "d209");
    assert_bytes(EncodeInt, -1i16, "ffff03");
    assert_bytes(EncodeInt, u16::MAX, "ffff03");
    assert_bytes(EncodeInt, -1i32, "ffffffff0f");
    assert_bytes(EncodeInt, u32::MAX, "ffffffff0f");
    assert_bytes(EncodeInt, -1i64, "ffffffffffffffffff01");
    assert_bytes(EncodeInt, u64::MAX, "ffffffffffffffffff01");
    assert_bytes(EncodeInt, 1_i64 << 62, "808080808080808040");
}

#[test]
fn bytes_and_floats_are_never_encoded() {
    assert_bytes(EncodeInt, -1i8, "ff");
    assert_bytes(EncodeInt, 0xff_u8, "ff");
    assert_bytes(EncodeInt, 99.5f32, "0000c742");
    assert_bytes(EncodeInt, 99.5f64, "0000000000e05840");
}

#[test]
fn times_and_decimals_are_encoded_like_their_integers() {
    assert_bytes(EncodeInt, DateTime::MIN, "00");
    assert_bytes(EncodeInt, DateTime::from_unix_seconds(1_735_689_600), "808bd2bb06");
    assert_bytes(EncodeInt, Decimal::new(300, 0).unwrap(), "ac02 00 00 00");
}

#[test]
fn bits_beyond_an_encoded_integer_are_dropped() {
    let read = |bytes: &[u8]| SpanReader::new(bytes).read_encoded::<u32>();
    assert_eq!(read(&[0xff, 0xff, 0xff, 0xff, 0x7f]), Ok(u32::MAX));
    assert_eq!(SpanReader::new(&[0x81, 0x80, 0x04]).read_encoded::<u16>(), Ok(1));
}

#[test]
fn an_encoded_integer_that_does_not_end_is_refused() {
    let too_long = Err(DecodeError { offset: 0, problem: DecodeProblem::IntegerTooLong });
    assert_eq!(SpanReader::new(&[0x80; 20]).read_encoded::<i32>(), too_long);
    assert_eq!(SpanReader::new(&[0x80; 20]).read_encoded::<i64>().map(|_| 0), too_long);
    // Nine continued groups are fine for 64 bits, and six are not for 32.
    let ten = [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01];
    assert_eq!(SpanReader::new(&ten).read_encoded::<u64>(), Ok(1 << 63));
    assert_eq!(SpanReader::new(&ten).read_encoded::<i32>(), too_long);
}

#[test]
fn a_bool_is_written_as_one_and_read_from_anything_but_zero() {
    assert_golden(true, "01");
    assert_golden(false, "00");
    assert_eq!(span::from_slice(&[0x80]), Ok(true));
}

#[test]
fn a_char_is_one_byte_and_refused_above_it() {
    assert_golden('A', "41");
    assert_golden('\u{ff}', "ff");
    assert_eq!(refused(&'\u{100}'), EncodeProblem::CharOutOfRange('\u{100}'));
}

#[test]
fn a_string_has_its_length_in_bytes_in_front() {
    assert_golden("é".to_owned(), "02 c3a9");
    let long = "x".repeat(300);
    assert_golden(long.clone(), &format!("ac02 {}", "78".repeat(300)));
    assert_eq!(span::from_slice::<&str>(b"\x02\xc3\xa9"), Ok("é"));
}

#[test]
fn strings_of_every_length_are_written_whole() {
    for length in 0..300 {
        let text: String = ('a'..='z').cycle().take(length).collect();
        let mut buffer = vec![0xee; 512];
        let written = span::to_slice(&text, &mut buffer).unwrap();
        assert_eq!(written, length + if length < 0x80 { 1 } else { 2 });
        assert_eq!(span::from_slice(&buffer[..written]), Ok(text.as_str()));
        assert!(buffer[written..].iter().all(|byte| *byte == 0xee), "{length}");
        let problem = span::to_slice(&text, &mut vec![0; written - 1]).unwrap_err().problem;
        assert!(matches!(problem, EncodeProblem::OutOfSpace { .. }), "{length}");
    }
}

#[test]
fn the_null_string_of_the_original_is_the_empty_one() {
    assert_golden(String::new(), "00");
    assert_golden(Vec::<u8>::new(), "00");
}

#[test]
fn an_option_tells_none_from_an_empty_string_by_its_flag() {
    assert_golden(None::<String>, "00");
    assert_golden(Some(String::new()), "01 00");
    assert_golden(Some(5i32), "01 05000000");
    assert_golden(None::<i32>, "00");
}

#[test]
fn a_byte_array_has_its_length_in_front() {
    assert_golden(vec![1_u8, 2, 3], "03 010203");
    assert_eq!(span::from_slice::<&[u8]>(&[2, 7, 8]), Ok(&[7, 8][..]));
}

#[test]
fn a_list_has_its_count_in_front() {
    assert_golden(vec![1_i32, -1], "02 01000000 ffffffff");
    assert_golden(vec!["a".to_owned(), String::new()], "02 0161 00");
    assert_bytes(EncodeInt, vec![1_i32, 300], "02 01 ac02");
    assert_bytes(BigEndian, vec![1_u16, 2], "02 0001 0002");
    assert_golden(vec![1.5_f32, -2.0], "02 0000c03f 000000c0");
    assert_bytes(BigEndian, vec![99.5_f64], "01 4058e00000000000");
    assert_bytes(EncodeInt, vec![99.5_f64], "01 0000000000e05840");
    assert_golden(Box::new(3_i16), "0300");
}

#[test]
fn an_array_has_a_length_of_the_width_that_is_asked_for() {
    let widths = [
        (LengthWidth::Encoded, "03 616263"),
        (LengthWidth::One, "03 616263"),
        (LengthWidth::Two, "0300 616263"),
        (LengthWidth::Four, "03000000 616263"),
    ];
    for (width, golden) in widths {
        let golden = unhex(golden);
        let mut buffer = [0; 16];
        let mut writer = SpanWriter::new(&mut buffer);
        writer.write_array(b"abc", width).unwrap();
        let written = writer.written();
        assert_eq!(buffer[..written], golden, "{width:?}");
        assert_eq!(SpanReader::new(&golden).read_array(width), Ok(&b"abc"[..]), "{width:?}");
    }
    assert_eq!(LengthWidth::default(), LengthWidth::Two);
}

#[test]
fn an_array_that_is_longer_than_its_length_can_say_is_refused() {
    let mut buffer = [0; 512];
    let error = SpanWriter::new(&mut buffer).write_array(&[0; 256], LengthWidth::One).unwrap_err();
    assert_eq!(error.problem, EncodeProblem::LengthOutOfRange { length: 256, limit: 255 });
}

#[test]
fn a_string_of_fixed_width_is_filled_up_or_cut() {
    let fixed = |text: &str| {
        let mut buffer = [0xee; 4];
        SpanWriter::new(&mut buffer).write_fixed_str(text, 4).unwrap();
        buffer
    };
    let read = |bytes: &'static [u8]| SpanReader::new(bytes).read_fixed_str(4);
    assert_eq!(fixed("ab"), *b"ab\0\0");
    assert_eq!(fixed("abcdef"), *b"abcd");
    assert_eq!(fixed("abcé"), *b"abc\xc3", "cut inside of a character");
    assert_eq!(read(b"ab\0\0"), Ok("ab"));
    assert_eq!(read(b"a\0b\0"), Ok("a\0b"));
    assert_eq!(read(b"\0\0\0\0"), Ok(""));
    assert_eq!(read(b"abc\xc3"), Ok("abc"), "without the piece of a character");
    let not_utf8 = |offset| Err(DecodeError { offset, problem: DecodeProblem::InvalidUtf8 });
    assert_eq!(read(b"a\xffcd"), not_utf8(1));
    assert_eq!(read(b"ab\xc3\0"), not_utf8(2), "a piece of a character that was not cut");
}

#[test]
fn raw_text_is_read_to_the_end() {
    let mut buffer = [0; 3];
    SpanWriter::new(&mut buffer).write_raw("abc".as_bytes()).unwrap();
    let mut reader = SpanReader::new(&buffer);
    assert_eq!(reader.read_rest_str(), Ok("abc"));
    assert_eq!(reader.read_rest_str(), Ok(""));
}

#[test]
fn a_decimal_is_low_middle_high_and_flags() {
    let price = Decimal::new(-1_234_500, 5).unwrap();
    assert_golden(price, "44d61200 00000000 00000000 00000580");
    let largest = Decimal::new((1 << 96) - 1, 28).unwrap();
    assert_golden(largest, "ffffffff ffffffff ffffffff 00001c00");
}

#[test]
fn a_decimal_with_flags_that_mean_nothing_is_refused() {
    for flags in ["01000000", "00001d00", "00000001"] {
        let bytes = unhex(&format!("000000000000000000000000{flags}"));
        let error = span::from_slice::<Decimal>(&bytes).unwrap_err();
        assert_eq!(error.problem, DecodeProblem::ValueOutOfRange, "{flags}");
    }
}

#[test]
fn a_time_loses_its_fraction_and_its_kind() {
    let time = DateTime::from_unix_seconds(1_735_689_600);
    for kind in [DateTimeKind::Unspecified, DateTimeKind::Local, DateTimeKind::Utc] {
        let mut buffer = [0; 4];
        span::to_slice(&at_ticks(time.ticks() + 9_999_999, kind), &mut buffer).unwrap();
        assert_eq!(span::from_slice(&buffer), Ok(time));
    }
}

#[test]
fn the_first_second_of_1970_reads_back_as_the_minimum() {
    let mut buffer = [0xee; 4];
    span::to_slice(&DateTime::from_unix_seconds(0), &mut buffer).unwrap();
    assert_eq!(buffer, [0; 4]);
    assert_eq!(span::from_slice(&buffer), Ok(DateTime::MIN));
    assert_golden(DateTime::MIN, "00000000");
    // Whatever its kind.
    assert_eq!(span::to_slice(&at_ticks(0, DateTimeKind::Utc), &mut [0xee; 4]), Ok(4));
}

#[test]
fn a_time_before_1970_or_after_2106_is_refused() {
    let last = DateTime::from_unix_seconds(u32::MAX);
    assert_golden(last, "ffffffff");
    let after = at_ticks(last.ticks() + 10_000_000, DateTimeKind::Utc);
    assert_eq!(refused(&after), EncodeProblem::TimeOutOfRange(1 << 32));
    let before = at_ticks(DateTime::from_unix_seconds(0).ticks() - 1, DateTimeKind::Utc);
    assert_eq!(refused(&before), EncodeProblem::TimeOutOfRange(-1));
}

#[test]
fn full_time_is_exact() {
    assert_bytes(FullTime, DateTime::MIN, "0000000000000000");
    assert_bytes(FullTime, DateTime::from_unix_seconds(0), "0080b5f7f57f9f48");
    for kind in [DateTimeKind::Unspecified, DateTimeKind::Utc, DateTimeKind::Local] {
        let time = at_ticks(alloclab::model::MAX_TICKS, kind);
        let mut buffer = [0; 8];
        SpanWriter::new(&mut buffer).write_full_time(time).unwrap();
        assert_eq!(SpanReader::new(&buffer).read_full_time(), Ok(time));
    }
}

#[test]
fn full_time_beyond_year_9999_is_refused() {
    let beyond = (alloclab::model::MAX_TICKS + 1).to_le_bytes();
    let error = SpanReader::new(&beyond).read_full_time().unwrap_err();
    assert_eq!(error.problem, DecodeProblem::ValueOutOfRange);
}

#[test]
fn an_inner_object_that_is_none_leaves_no_byte() {
    let last = NestedModel { inner: None, timestamp: 0x2a, ..NestedModel::sample() };
    let mut buffer = [0; 64];
    let written = span::to_slice(&last, &mut buffer).unwrap();
    assert_eq!(buffer[..written], unhex("01000000 0b 48656c6c6f20576f726c64 2a00000000000000"));
    // What follows is taken for the object: that is why it reads back only where the input ends.
    assert_ne!(span::from_slice::<NestedModel>(&buffer[..written]), Ok(last));
    assert_eq!(SpanReader::new(&[]).read_flagless::<SimpleModel>(), Ok(None));
}

#[test]
fn a_value_that_does_not_fit_says_what_it_needs_and_leaves_the_writer_where_it_was() {
    let mut buffer = [0; 6];
    let mut writer = SpanWriter::new(&mut buffer);
    writer.write(&1i32).unwrap();
    let error = writer.write(&2i32).unwrap_err();
    assert_eq!(error.offset, 4);
    assert_eq!(error.problem, EncodeProblem::OutOfSpace { needed: 4, available: 2 });
    assert_eq!((writer.written(), writer.available()), (4, 2));
    writer.write(&3i16).unwrap();
    assert_eq!(buffer, [1, 0, 0, 0, 3, 0]);
}

#[test]
fn every_buffer_that_is_too_small_is_refused_and_the_exact_one_taken() {
    let model = NestedModel::sample();
    for size in 0..49 {
        let error = span::to_slice(&model, &mut vec![0; size]).unwrap_err();
        assert!(matches!(error.problem, EncodeProblem::OutOfSpace { .. }), "{size}: {error}");
    }
    assert_eq!(span::to_slice(&model, &mut [0; 49]), Ok(49));
}
