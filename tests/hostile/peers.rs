//! Bytes that nobody has written: the crates that a Rust user would pick between fail with an error, and the memory that
//! they take meanwhile is in proportion to the input, or below the limit that they are told.

use std::fmt::Debug;
use std::hint::black_box;

use alloclab::codec::peers::mirror::{Contact, Demo, Mirror, Nested, Payload, Simple, User};
use alloclab::codec::peers::{
    BincodeCodec, BitcodeCodec, MEMORY_LIMIT, Peer, PostcardCodec, RkyvCodec, SpeedyCodec, WincodeCodec,
};
use alloclab::model;
use alloclab::recorder::measure;
use rkyv::util::AlignedVec;

use crate::random::Random;

/// Mutations of each crate's bytes of each model.
const MUTATIONS: usize = 100;

/// What errors and the like take, whatever the input.
const FIXED_BYTES: u64 = 2 << 10;

/// Memory for a byte of input where nothing is compressed: a user of empty strings takes a byte for each of them, and 24
/// in memory.
const GROWTH: u64 = 24;

/// Memory for a byte of input of `postcard`: a list may claim an element for each byte, and serde takes room for them, up to
/// 1 MiB.
const POSTCARD_GROWTH: u64 = size_of::<User>() as u64;

/// Memory for a byte of input of `bitcode`: it gives an element of a list one bit for each of its members at least.
const BITCODE_GROWTH: u64 = 256;

/// What a crate may take for an input of so many bytes.
fn bound(name: &str, input_bytes: usize) -> u64 {
    let (growth, limit) = match name {
        "bitcode" => (BITCODE_GROWTH, 0),
        "postcard" => (POSTCARD_GROWTH, 0),
        "bincode" => (GROWTH, MEMORY_LIMIT),
        // The limit is each list's; a list may hold another one.
        "wincode" => (GROWTH, 2 * MEMORY_LIMIT),
        _ => (GROWTH, 0),
    };
    growth * input_bytes as u64 + limit as u64 + FIXED_BYTES
}

/// Bytes with up to four places changed: cut off, doubled, or overwritten, among others with what the crates take for large
/// numbers.
fn mutated(seed: &[u8], random: &mut Random) -> Vec<u8> {
    const TELLING: [&[u8]; 6] =
        [&[0], &[0x7f], &[0x80], &[0xff], &[0xfc, 0, 0, 8, 0], &[0xff, 0xff, 0x7f, 0, 0, 0, 0, 0]];
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(4) {
        let place = random.below(bytes.len().max(1)).min(bytes.len());
        let telling = TELLING[random.below(TELLING.len())];
        match random.below(5) {
            0 => bytes.truncate(place),
            1 => bytes.extend_from_within(place..),
            2 => drop(bytes.splice(place..place, telling.iter().copied())),
            3 => {
                let end = (place + telling.len()).min(bytes.len());
                drop(bytes.splice(place..end, telling.iter().copied()));
            }
            _ if bytes.is_empty() => bytes.push(random.below(256) as u8),
            _ => bytes[place] = random.below(256) as u8,
        }
    }
    bytes.truncate(4 * seed.len());
    bytes
}

/// The same bytes where `rkyv` can read them; the others do not mind.
fn aligned(bytes: &[u8]) -> AlignedVec {
    let mut aligned = AlignedVec::new();
    aligned.extend_from_slice(bytes);
    aligned
}

/// Decodes in every way, and says the most memory that one of them took at a time.
fn peak<P: Peer<T>, T: Mirror>(bytes: &[u8]) -> u64 {
    let bytes = aligned(bytes);
    let mut buffer = P::buffer(bytes.len());
    let measured = measure(|| {
        drop(black_box(P::decode(&bytes)));
        drop(black_box(P::decode_with(&bytes, &mut buffer)));
        drop(black_box(P::borrow(&bytes)));
    });
    measured.unwrap().snapshot.peak.bytes
}

fn take_cuts_and_mutations<P: Peer<T>, T: Mirror + Debug>(name: &str, value: &T) {
    let whole = P::encode(value).unwrap();
    let mut random = Random(0x5eed);
    let cuts = (0..whole.len()).map(|length| whole[..length].to_vec());
    let mutations = (0..MUTATIONS).map(|_| mutated(&whole, &mut random));
    for input in cuts.chain(mutations) {
        let (peak, bound) = (peak::<P, T>(&input), bound(name, input.len()));
        assert!(peak <= bound, "{name} takes {peak} B for {} B: {input:02x?}", input.len());
    }
}

/// A few users, with strings of their own.
fn users() -> Vec<User> {
    let user = |id| model::User {
        id,
        first_name: "Alice".to_owned(),
        email: "alice.lee@test.io".to_owned(),
        ..model::User::default()
    };
    (1..4).map(|id| User::from(&user(id))).collect()
}

fn demos() -> Vec<Demo> {
    (0..3).map(|number| Demo::from(&model::Demo::sample(number))).collect()
}

macro_rules! with_every_crate {
    ($check:ident) => {
        $check!(BincodeCodec, "bincode");
        $check!(PostcardCodec, "postcard");
        $check!(BitcodeCodec, "bitcode");
        $check!(RkyvCodec, "rkyv");
        $check!(SpeedyCodec, "speedy");
        $check!(WincodeCodec, "wincode");
    };
}

#[test]
fn cut_and_mutated_bytes_never_panic_and_take_memory_within_bounds() {
    macro_rules! check {
        ($peer:ident, $name:literal) => {
            take_cuts_and_mutations::<$peer, _>($name, &Simple::from(&*model::SIMPLE));
            take_cuts_and_mutations::<$peer, _>($name, &Nested::from(&*model::NESTED));
            take_cuts_and_mutations::<$peer, _>($name, &Contact::from(&*model::CONTACT));
            take_cuts_and_mutations::<$peer, _>($name, &Payload::from(&*model::PAYLOAD_16));
            take_cuts_and_mutations::<$peer, _>($name, &users());
            take_cuts_and_mutations::<$peer, _>($name, &demos());
        };
    }
    with_every_crate!(check);
}

/// A cut never makes the value that was cut.
fn cuts_are_no_value<P: Peer<T>, T: Mirror + PartialEq>(name: &str, value: &T) {
    let whole = P::encode(value).unwrap();
    for length in 0..whole.len() {
        let decoded = P::decode(&aligned(&whole[..length]));
        assert!(!decoded.is_ok_and(|decoded| decoded == *value), "{name}: {length}");
    }
}

#[test]
fn bytes_that_are_cut_off_never_make_the_value() {
    macro_rules! check {
        ($peer:ident, $name:literal) => {
            cuts_are_no_value::<$peer, _>($name, &Contact::from(&*model::CONTACT));
            cuts_are_no_value::<$peer, _>($name, &demos());
        };
    }
    with_every_crate!(check);
}

/// A list that claims 100 million users and has none.
#[test]
fn a_list_that_claims_more_than_any_limit_is_an_error_before_memory_is_taken() {
    let refuse = |name: &str, peak: u64| assert!(peak <= FIXED_BYTES, "{name}: {peak}");
    refuse("speedy", peak::<SpeedyCodec, Vec<User>>(&100_000_000u32.to_le_bytes()));
    refuse("wincode", peak::<WincodeCodec, Vec<User>>(&100_000_000u64.to_le_bytes()));
    let mut bincode = vec![0xfc];
    bincode.extend(100_000_000u32.to_le_bytes());
    refuse("bincode", peak::<BincodeCodec, Vec<User>>(&bincode));
}

/// A list that claims 60,000 users and has none: as many as there are in the model.
#[test]
fn bincode_and_wincode_take_what_a_list_claims_up_to_their_limit() {
    let claimed = 60_000 * size_of::<User>() as u64;
    let mut bincode = vec![0xfb];
    bincode.extend(60_000u16.to_le_bytes());
    for (name, peak) in [
        ("bincode", peak::<BincodeCodec, Vec<User>>(&bincode)),
        ("wincode", peak::<WincodeCodec, Vec<User>>(&60_000u64.to_le_bytes())),
    ] {
        assert!(peak >= claimed && peak <= MEMORY_LIMIT as u64 + FIXED_BYTES, "{name}: {peak}");
    }
}

/// The same list in `postcard`.
#[test]
fn postcard_takes_no_room_for_elements_that_the_input_has_no_bytes_for() {
    let peak = peak::<PostcardCodec, Vec<User>>(&[0xe0, 0xd4, 0x03]);
    assert!(peak <= FIXED_BYTES, "{peak}");
}

#[test]
fn bitcode_takes_a_bit_for_each_member_of_an_element_at_least() {
    let empty = User::from(&model::User::default());
    let bytes = BitcodeCodec::encode(&vec![empty; 60_000]).unwrap();
    let peak = peak::<BitcodeCodec, Vec<User>>(&bytes);
    assert!(peak <= bound("bitcode", bytes.len()), "{peak} for {}", bytes.len());
    assert!(peak > 60_000 * size_of::<User>() as u64, "{peak}");
}
