//! The bytes of the span format, as the original writes them (NewLife.Core at commit 9ae95de58).
#![cfg(feature = "derive")]

use alloclab::codec::span::{self, SpanDeserialize, SpanReader, SpanSerialize, SpanWriter};
use alloclab::model::{FastModel, NestedModel, SimpleModel};

const SIMPLE: &str = "2a000000074e65774c696665018085746700000000 00e05840";
const NESTED: &str = "01000000 0b 48656c6c6f20576f726c64
    2a000000 07 4e65774c696665 01 80857467 0000000000e05840 00a7a36900000000";

fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

#[track_caller]
fn assert_golden<T>(value: &T, golden: &str)
where
    T: SpanSerialize + for<'a> SpanDeserialize<'a> + PartialEq + std::fmt::Debug,
{
    let golden = unhex(golden);
    let mut buffer = [0xee; 512];
    let length = span::to_slice(value, &mut buffer).unwrap();
    assert_eq!(buffer[..length], golden);
    assert_eq!(span::from_slice::<T>(&golden).as_ref(), Ok(value));
}

#[test]
fn a_simple_model_has_the_original_bytes() {
    assert_golden(&SimpleModel::sample(), SIMPLE);
}

#[test]
fn a_fast_model_has_the_bytes_of_a_simple_one() {
    assert_golden(&FastModel::sample(), SIMPLE);
}

#[test]
fn a_nested_model_has_the_original_bytes() {
    assert_golden(&NestedModel::sample(), NESTED);
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
