//! Bytes that nobody has written, for every codec and model: a decoder takes its own bytes, never panics, and takes no more
//! memory than a bound that is the same for all of them.

use alloclab::codec::memorypack_brotli::MAX_EXPANSION;
use alloclab::codec::peers::MEMORY_LIMIT;
use alloclab::codec::{self, Codec, Decoded};
use alloclab::model::ModelKind;
use alloclab::recorder::measure;

use crate::random::Random;

/// Items of a list: as few as make one.
const ITEMS: usize = 2;

/// Mutations of each codec's bytes of each model.
const MUTATIONS: usize = 2_000;

/// Lengths that bytes are cut to, from the end.
const MAX_CUTS: usize = 1_000;

/// What is small enough to be tried in thousands of forms.
const SMALL: [ModelKind; 4] =
    [ModelKind::Simple, ModelKind::Nested, ModelKind::Contact, ModelKind::Payload16];

/// Memory for one byte of input: the largest element of a list, a user, can be as short as a byte, in a list that has just
/// grown to twice its length.
const GROWTH: u64 = 512;

/// Memory whatever the input is: errors, readers, tables.
const FIXED_BYTES: u64 = 8 << 10;

/// The largest window of brotli, and the tables beside it.
const BROTLI_WINDOW_BYTES: usize = 17 << 20;

/// What a decoder may hold at a time for an input of so many bytes.
fn bound(codec: &str, input_bytes: usize) -> u64 {
    GROWTH * plain_bytes(codec, input_bytes) as u64 + FIXED_BYTES + own_limit(codec) as u64
}

/// Bytes that an input can stand for: a byte of LZ4 makes 255 at most.
fn plain_bytes(codec: &str, input_bytes: usize) -> usize {
    match codec {
        "messagepack-lz4" | "messagepack-lz4-array" => 255 * input_bytes,
        "memorypack-brotli" => MAX_EXPANSION * input_bytes,
        _ => input_bytes,
    }
}

/// Memory that a decoder takes on the word of its input, up to a limit that it is told; of `wincode`, the limit is each
/// list's, and one may hold another. A brotli stream chooses its window.
fn own_limit(codec: &str) -> usize {
    match codec {
        "bincode" => MEMORY_LIMIT,
        "wincode" => 2 * MEMORY_LIMIT,
        "memorypack-brotli" => BROTLI_WINDOW_BYTES,
        _ => 0,
    }
}

/// Every codec and model with the codec's own bytes.
fn encodings(models: &[ModelKind]) -> Vec<(&'static dyn Codec, ModelKind, Vec<u8>)> {
    let of = |codec: &'static dyn Codec| {
        models.iter().filter_map(move |&model| Some((codec, model, codec.encode(model, ITEMS)?)))
    };
    codec::all().iter().copied().flat_map(of).collect()
}

fn decode(codec: &dyn Codec, model: ModelKind, bytes: &[u8]) -> Decoded {
    codec.decode(model, bytes).expect("a codec decodes the models that it encodes")
}

/// Decodes and says the most memory that was held meanwhile.
fn peak_bytes(decode: impl FnOnce()) -> u64 {
    measure(decode).unwrap().snapshot.peak.bytes
}

/// Decodes all inputs, and checks the memory for the one that took most: no more than the bound of the longest. The values
/// are dropped, so one window does for all of them.
fn decode_within_bound(codec: &dyn Codec, model: ModelKind, inputs: &[Vec<u8>]) {
    let longest = inputs.iter().map(Vec::len).max().unwrap_or(0);
    let bound = bound(codec.name(), longest);
    if peak_bytes(|| inputs.iter().for_each(|bytes| drop(decode(codec, model, bytes)))) > bound {
        let peak = |bytes: &Vec<u8>| peak_bytes(|| drop(decode(codec, model, bytes)));
        let (peak, bytes) = inputs.iter().map(|bytes| (peak(bytes), bytes)).max().unwrap();
        panic!("{} {} holds {peak} B, not up to {bound} B, for {bytes:02x?}", codec.name(), model.name());
    }
}

/// Changes, cuts off, inserts or repeats some bytes.
fn mutate(random: &mut Random, seed: &[u8]) -> Vec<u8> {
    const TELLING: [u8; 8] = [0x00, 0x01, 0x7f, 0x80, 0xc0, 0xfc, 0xfe, 0xff];
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
    bytes.truncate(2 * seed.len());
    bytes
}

/// Large numbers, and 65,536, which is large and below the limits, in the forms that lengths have: little-endian,
/// big-endian, in groups of seven bits, and behind a byte that says how wide they are.
const LARGE: [&[u8]; 14] = [
    &[0x7f],
    &[0xff],
    &[0xfc],
    &[0xfd],
    &[0xff, 0xff, 0xff, 0x7f],
    &[0x7f, 0xff, 0xff, 0xff],
    &[0x00, 0x00, 0x01, 0x00],
    &[0x00, 0x01, 0x00, 0x00],
    &[0x80, 0x80, 0x84, 0x00],
    &[0xfc, 0x00, 0x00, 0x01, 0x00],
    &[0xdd, 0x00, 0x01, 0x00, 0x00],
    &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
    &[0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    &[0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00],
];

/// Bytes with a large number in each place in turn.
fn with_large_numbers(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let places = move |number: &'static [u8]| {
        (0..(bytes.len() + 1).saturating_sub(number.len())).map(move |place| {
            let mut bytes = bytes.to_vec();
            bytes[place..place + number.len()].copy_from_slice(number);
            bytes
        })
    };
    LARGE.into_iter().flat_map(places)
}

#[test]
fn every_codec_decodes_its_own_bytes_of_every_model() {
    for (codec, model, bytes) in encodings(&ModelKind::ALL) {
        let decoded = decode(codec, model, &bytes);
        assert!(decoded.is_ok(), "{} {}: {decoded:?}", codec.name(), model.name());
    }
}

#[test]
fn a_codec_decodes_no_model_that_it_does_not_encode() {
    for codec in codec::all() {
        for model in ModelKind::ALL {
            let is_encoded = codec.encode(model, 0).is_some();
            assert_eq!(codec.decode(model, &[]).is_some(), is_encoded, "{} {}", codec.name(), model.name());
        }
    }
}

#[test]
fn bytes_that_are_cut_short_never_panic_nor_take_memory_for_what_is_missing() {
    for (codec, model, bytes) in encodings(&ModelKind::ALL) {
        let lengths = (0..bytes.len()).rev().take(MAX_CUTS);
        decode_within_bound(
            codec,
            model,
            &lengths.map(|length| bytes[..length].to_vec()).collect::<Vec<_>>(),
        );
    }
}

#[test]
fn mutations_never_panic_nor_take_memory_that_no_bytes_justify() {
    let mut random = Random(0x5eed_5eed_5eed_5eed);
    for (codec, model, bytes) in encodings(&SMALL) {
        let inputs = (0..MUTATIONS).map(|_| mutate(&mut random, &bytes)).collect::<Vec<_>>();
        decode_within_bound(codec, model, &inputs);
    }
}

/// A decoder that believed a length would hold the memory for it until it fails.
#[test]
fn lengths_that_are_too_large_take_no_memory() {
    let models = [SMALL.as_slice(), &[ModelKind::User, ModelKind::Demo]].concat();
    for (codec, model, bytes) in encodings(&models) {
        decode_within_bound(codec, model, &with_large_numbers(&bytes).collect::<Vec<_>>());
    }
}
