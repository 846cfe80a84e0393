//! What the crates that a Rust user would pick between make of every model: equal values, exact sizes, and how often they
//! allocate; and `span` beside them.

use std::fmt::Debug;

use alloclab::codec::peers::mirror::{self, Mirror};
use alloclab::codec::peers::{
    BincodeCodec, BitcodeCodec, Peer, PostcardCodec, RkyvCodec, SpeedyCodec, WincodeCodec,
};
use alloclab::codec::{self, Operation, Prepared, Request, Variant, Workload};
use alloclab::model::{self, DEMOS, ModelKind, USERS, User};
use alloclab::recorder::measure;
use alloclab::snapshot::{Counts, Snapshot};

const CODECS: [&str; 7] = ["span", "bincode", "postcard", "bitcode", "rkyv", "speedy", "wincode"];

/// Bytes of each model but the users, in the order of the codecs.
const SIZES: [(ModelKind, [u64; 7]); 8] = [
    (ModelKind::Simple, [25, 27, 28, 29, 32, 32, 36]),
    (ModelKind::Nested, [49, 46, 47, 49, 80, 60, 68]),
    (ModelKind::Fast, [25, 27, 28, 29, 32, 32, 36]),
    (ModelKind::Contact, [48, 44, 44, 45, 68, 60, 76]),
    (ModelKind::Payload16, [180, 145, 141, 132, 196, 186, 194]),
    (ModelKind::Payload128, [629, 481, 366, 371, 644, 634, 642]),
    (ModelKind::Payload1024, [4_213, 3_171, 2_700, 2_166, 4_228, 4_218, 4_226]),
    (ModelKind::Demo, [1_964_452, 1_661_933, 1_581_892, 1_421_966, 2_959_208, 2_144_454, 2_384_458]),
];

/// Blocks that `bitcode` takes for its columns when it has no buffer of the caller: to serialize, and to deserialize.
const BITCODE_COLUMNS: [(ModelKind, [u64; 2]); 8] = [
    (ModelKind::Simple, [7, 2]),
    (ModelKind::Nested, [12, 5]),
    (ModelKind::Fast, [7, 2]),
    (ModelKind::Contact, [11, 2]),
    (ModelKind::Payload16, [6, 2]),
    (ModelKind::Payload128, [6, 2]),
    (ModelKind::Payload1024, [7, 3]),
    (ModelKind::Demo, [19, 13]),
];

/// Calls a function with each crate and the mirror of each model's value.
macro_rules! with_every_crate_and_model {
    ($check:ident) => {
        with_every_crate_and_model!(
            $check: BincodeCodec, PostcardCodec, BitcodeCodec, RkyvCodec, SpeedyCodec, WincodeCodec
        );
    };
    ($check:ident: $($peer:ident),*) => {$(
        $check::<$peer, _>(mirror::Simple::from(&*model::SIMPLE));
        $check::<$peer, _>(mirror::Simple::from(&*model::FAST));
        $check::<$peer, _>(mirror::Nested::from(&*model::NESTED));
        $check::<$peer, _>(mirror::Contact::from(&*model::CONTACT));
        $check::<$peer, _>(mirror::Payload::from(&*model::PAYLOAD_16));
        $check::<$peer, _>(mirror::Payload::from(&*model::PAYLOAD_128));
        $check::<$peer, _>(mirror::Payload::from(&*model::PAYLOAD_1024));
        $check::<$peer, _>(DEMOS.iter().map(mirror::Demo::from).collect::<Vec<_>>());
        $check::<$peer, _>(USERS.iter().map(mirror::User::from).collect::<Vec<_>>());
    )*};
}

fn prepare(codec: &str, model: ModelKind, operation: Operation, variant: Variant) -> Option<Prepared> {
    codec::find(codec).unwrap().prepare(&Request { model, operation, variant, batch: 1 })
}

/// What the second operation does: the first one may fill buffers.
fn record(mut workload: Workload) -> Snapshot {
    let mut run = || match &mut workload {
        Workload::Serial(run) => run(1),
        Workload::Parallel(run) => run(),
    };
    run();
    measure(run).unwrap().snapshot
}

fn counts(codec: &str, model: ModelKind, operation: Operation, variant: Variant) -> Counts {
    record(prepare(codec, model, operation, variant).unwrap().workload).totals
}

fn strings_of(user: &User) -> [&str; 7] {
    [&user.first_name, &user.last_name, &user.email, &user.company, &user.phone, &user.website, &user.ssn]
}

/// Strings of the users; an empty one takes no block.
fn user_strings() -> impl Iterator<Item = &'static str> {
    USERS.iter().flat_map(strings_of).filter(|text| !text.is_empty())
}

/// Strings of a model's value.
fn strings_in(model: ModelKind) -> u64 {
    match model {
        ModelKind::Simple | ModelKind::Fast => 1,
        ModelKind::Payload16 | ModelKind::Payload128 | ModelKind::Payload1024 => 1,
        ModelKind::Nested => 2,
        ModelKind::Contact => 4,
        ModelKind::Demo => 10_000 * 5,
        ModelKind::User => user_strings().count() as u64,
    }
}

/// Lists of a model's value.
fn lists_in(model: ModelKind) -> u64 {
    match model {
        ModelKind::Simple | ModelKind::Fast | ModelKind::Nested | ModelKind::Contact => 0,
        ModelKind::Payload16 | ModelKind::Payload128 | ModelKind::Payload1024 | ModelKind::User => 1,
        ModelKind::Demo => 1 + 10_000,
    }
}

fn round_trips<P: Peer<T>, T: Mirror + PartialEq + Debug>(value: T) {
    let bytes = P::encode(&value).unwrap();
    let mut buffer = P::buffer(bytes.len());
    assert!(P::encode_into(&value, &mut buffer).unwrap() == &bytes[..], "{value:?}");
    assert!(P::decode(&bytes).unwrap() == value, "{value:?}");
    assert!(P::decode_with(&bytes, &mut buffer).unwrap() == value, "{value:?}");
}

#[test]
fn every_crate_decodes_its_own_bytes_to_an_equal_value() {
    with_every_crate_and_model!(round_trips);
}

/// A borrowed value prints like its mirror, but for the names of types.
fn borrows<P: Peer<T>, T: Mirror + Debug>(value: T) {
    let bytes = P::encode(&value).unwrap();
    let borrowed = format!("{:?}", P::borrow(&bytes).unwrap());
    assert!(borrowed.replace("Archived", "").replace("Ref {", " {") == format!("{value:?}"), "{borrowed}");
}

#[test]
fn every_crate_borrows_an_equal_value() {
    with_every_crate_and_model!(borrows);
}

#[test]
fn a_case_tells_the_exact_size_of_its_bytes() {
    for (model, sizes) in SIZES {
        let found = CODECS.map(|codec| {
            Operation::ALL
                .map(|operation| prepare(codec, model, operation, Variant::Span).unwrap().encoded_bytes)
        });
        assert_eq!(found, sizes.map(|size| [size, size]), "{model:?}");
    }
}

/// Bytes of a number in groups of seven bits.
fn groups(bits: u64) -> u64 {
    (u64::from(bits.max(1).ilog2()) / 7) + 1
}

/// Bytes of a number in bincode's own way.
fn bincode_bytes(bits: u64) -> u64 {
    match bits {
        0..251 => 1,
        251..0x1_0000 => 3,
        0x1_0000..0x1_0000_0000 => 5,
        _ => 9,
    }
}

/// The bits of a number with the sign at the end.
fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

#[test]
fn the_users_take_the_bytes_that_each_format_says() {
    let count = USERS.len() as u64;
    let (mut span, mut bincode, mut postcard, mut text, mut outside) = (0, 0, 0, 0, 0);
    for user in USERS.iter() {
        for number in [user.id.into(), user.gender.into(), user.birth_date.to_binary()] {
            bincode += bincode_bytes(zigzag(number));
            postcard += groups(zigzag(number));
        }
        for length in strings_of(user).map(|text| text.len() as u64) {
            text += length;
            bincode += bincode_bytes(length);
            postcard += groups(length);
            span += groups(length);
            outside += if length > 8 { length } else { 0 };
        }
    }
    let size =
        |codec| prepare(codec, ModelKind::User, Operation::Serialize, Variant::Span).unwrap().encoded_bytes;
    assert_eq!(size("span"), 3 + count * 16 + span + text);
    assert_eq!(size("bincode"), 3 + bincode + text);
    assert_eq!(size("postcard"), 3 + postcard + text);
    assert_eq!(size("speedy"), 4 + count * (16 + 7 * 4) + text);
    assert_eq!(size("wincode"), 8 + count * (16 + 7 * 8) + text);
    // Strings of up to 8 bytes stand in the record; the others come first.
    assert_eq!(size("rkyv"), u64::next_multiple_of(outside, 8) + count * (16 + 7 * 8) + 8);
    assert!(size("bitcode") < size("postcard"));
}

#[test]
fn nothing_is_allocated_to_serialize_into_a_buffer() {
    for codec in CODECS {
        for model in ModelKind::ALL {
            let counts = counts(codec, model, Operation::Serialize, Variant::Span);
            assert_eq!(counts, Counts::default(), "{codec} {model:?}");
        }
    }
}

#[test]
fn a_new_array_is_one_allocation_of_its_size() {
    for codec in ["span", "bincode", "speedy", "wincode"] {
        for model in ModelKind::ALL {
            let case = prepare(codec, model, Operation::Serialize, Variant::Array).unwrap();
            let counts = record(case.workload).totals;
            assert_eq!((counts.allocations, counts.reallocations), (1, 0), "{codec} {model:?}");
            assert_eq!(counts.allocated_bytes, case.encoded_bytes, "{codec} {model:?}");
        }
    }
    // These do not know the size beforehand: the array grows.
    for codec in ["postcard", "rkyv"] {
        for model in ModelKind::ALL {
            let counts = counts(codec, model, Operation::Serialize, Variant::Array);
            assert_eq!(counts.allocations, 1, "{codec} {model:?}");
        }
    }
    for (model, [serialize, _]) in BITCODE_COLUMNS {
        assert_eq!(counts("bitcode", model, Operation::Serialize, Variant::Array).allocations, serialize);
    }
}

#[test]
fn reading_owned_values_allocates_once_for_each_string_and_list() {
    for codec in CODECS {
        for model in ModelKind::ALL {
            let counts = counts(codec, model, Operation::Deserialize, Variant::Span);
            let expected = strings_in(model) + lists_in(model);
            assert_eq!(counts.allocations, expected, "{codec} {model:?}");
            assert_eq!(counts.deallocations, expected, "{codec} {model:?}");
            // serde takes room for 1 MiB at first, whatever the count says.
            let grows = codec == "postcard" && model == ModelKind::User;
            assert_eq!(counts.reallocations > 0, grows, "{codec} {model:?}");
        }
    }
}

#[test]
fn without_a_buffer_bitcode_allocates_for_its_columns_too() {
    for (model, [_, columns]) in BITCODE_COLUMNS {
        let allocations = |variant| counts("bitcode", model, Operation::Deserialize, variant).allocations;
        assert_eq!(allocations(Variant::Array), strings_in(model) + lists_in(model) + columns, "{model:?}");
        assert_eq!(allocations(Variant::Borrowed), lists_in(model) + columns, "{model:?}");
    }
    for codec in ["span", "bincode", "postcard", "rkyv", "speedy", "wincode"] {
        for model in ModelKind::ALL {
            let allocations = |variant| counts(codec, model, Operation::Deserialize, variant).allocations;
            assert_eq!(allocations(Variant::Array), allocations(Variant::Span), "{codec} {model:?}");
        }
    }
}

#[test]
fn span_and_rkyv_borrow_without_an_allocation_the_others_with_one_for_each_list() {
    for model in ModelKind::ALL {
        for codec in ["span", "rkyv"] {
            let counts = counts(codec, model, Operation::Deserialize, Variant::Borrowed);
            assert_eq!(counts, Counts::default(), "{codec} {model:?}");
        }
        for codec in ["bincode", "postcard", "speedy", "wincode"] {
            let counts = counts(codec, model, Operation::Deserialize, Variant::Borrowed);
            assert_eq!(counts.allocations, lists_in(model), "{codec} {model:?}");
        }
    }
}

#[test]
fn span_takes_few_blocks_to_go_through_a_file() {
    for operation in Operation::ALL {
        let counts = counts("span", ModelKind::User, operation, Variant::Ready);
        let values = if operation == Operation::Serialize { 0 } else { 1 + strings_in(ModelKind::User) };
        // The file's path, and the strings of users that the end of the buffer cuts: these are read twice.
        let pieces = prepare("span", ModelKind::User, operation, Variant::Ready).unwrap().encoded_bytes >> 16;
        let cut = if operation == Operation::Serialize { 0 } else { 7 * (pieces + 1) };
        assert!(counts.allocations - values <= 2 + cut, "{operation:?}: {counts:?}");
    }
    let lazy = prepare("span", ModelKind::User, Operation::Serialize, Variant::Lazy).unwrap();
    let ready = prepare("span", ModelKind::User, Operation::Serialize, Variant::Ready).unwrap();
    assert_eq!(lazy.encoded_bytes, ready.encoded_bytes);
    assert!(prepare("span", ModelKind::User, Operation::Deserialize, Variant::Lazy).is_none());
}

#[test]
fn every_block_has_a_type() {
    for codec in CODECS {
        for model in ModelKind::ALL {
            for (operation, variant) in [
                (Operation::Serialize, Variant::Array),
                (Operation::Deserialize, Variant::Span),
                (Operation::Deserialize, Variant::Array),
                (Operation::Deserialize, Variant::Borrowed),
            ] {
                let snapshot = record(prepare(codec, model, operation, variant).unwrap().workload);
                let mut attributor = crate::attributor();
                let sites = attributor.attribute(&snapshot).sites;
                let untyped = sites.iter().filter(|site| site.untyped).count();
                assert_eq!(untyped, 0, "{codec} {model:?} {operation:?} {variant:?}");
            }
        }
    }
}

fn encodes_like_bincode(value: impl bincode::Encode + Clone, wincode: [Vec<u8>; 2]) {
    let bincode = [
        bincode::encode_to_vec(value.clone(), bincode::config::legacy()).unwrap(),
        bincode::encode_to_vec(value, bincode::config::standard()).unwrap(),
    ];
    assert!(bincode == wincode);
}

#[test]
fn the_bytes_of_wincode_are_those_of_bincode_in_fixed_and_in_variable_width() {
    use wincode::config::{Configuration, serialize};
    let fixed = Configuration::default();
    let variable = fixed.with_varint_encoding();
    macro_rules! check {
        ($($value:expr),*) => {$({
            let value = $value;
            let wincode = [serialize(&value, fixed).unwrap(), serialize(&value, variable).unwrap()];
            encodes_like_bincode(value, wincode);
        })*};
    }
    check!(
        mirror::Simple::from(&*model::SIMPLE),
        mirror::Nested::from(&*model::NESTED),
        mirror::Contact::from(&*model::CONTACT),
        mirror::Payload::from(&*model::PAYLOAD_1024),
        DEMOS.iter().map(mirror::Demo::from).collect::<Vec<_>>(),
        USERS.iter().take(1_000).map(mirror::User::from).collect::<Vec<_>>()
    );
}

#[test]
fn each_codec_names_the_crate_behind_it_as_the_manifest_pins_it() {
    let manifest = include_str!("../../Cargo.toml");
    for codec in CODECS.into_iter().filter(|codec| *codec != "span") {
        let implementation = codec::find(codec).unwrap().implementation();
        let (name, version) = implementation.split_once(' ').unwrap();
        assert!(manifest.contains(&format!("{name} = {{ version = \"={version}\"")), "{implementation}");
    }
}
