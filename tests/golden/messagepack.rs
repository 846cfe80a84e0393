//! MessagePack as MessagePack-CSharp writes it: bytes of other writers, bytes built by hand, sizes of the write-ups.

use std::fmt::Debug;

use alloclab::codec::messagepack::{Compression, Reader, Writer, from_slice, to_writer};
use alloclab::codec::{self, Operation, Request, Variant};
use alloclab::model::{
    CONTACT, DEMOS, DateTime, DateTimeKind, Demo, FAST, ModelKind, NESTED, NestedModel, PAYLOAD_1024,
    Payload, SIMPLE, User,
};
use rmp::Marker;
use rmp::decode::{read_array_len, read_bin_len, read_ext_meta, read_i32, read_int};
use rmp::encode;
use serde::Serialize;
use serde::de::DeserializeOwned;

fn golden(name: &str) -> Vec<u8> {
    let path = format!("{}/fixtures/golden/messagepack/{name}.msgpack", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).unwrap()
}

fn encoded<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    to_writer(&mut bytes, value).unwrap();
    bytes
}

fn compressed<T: Serialize + ?Sized>(compression: Compression, value: &T) -> Vec<u8> {
    Writer::new(compression).write(value).unwrap().to_vec()
}

#[track_caller]
fn assert_golden<T: Serialize + DeserializeOwned + PartialEq + Debug>(name: &str, value: &T) {
    let bytes = golden(name);
    assert_eq!(encoded(value), bytes, "{name}");
    assert_eq!(from_slice::<T>(&bytes).unwrap(), *value, "{name}");
}

fn user(id: i32) -> User {
    let (gender, first_name, last_name, email, birth_date, company, phone) = match id {
        1 => {
            let email = "Lamar.Quigley@example.com";
            (0, "Lamar", "Quigley", email, "1971-12-20T18:30:45.123Z", "Quigley Group", "1-555-010-0101")
        }
        _ => {
            let email = "Rosa_Ondricka4@example.org";
            (1, "Rosa", "Ondricka", email, "1986-05-17T00:00:00Z", "Ondricka and Sons", "(555) 010-0102 x42")
        }
    };
    User {
        id,
        gender,
        first_name: first_name.to_owned(),
        last_name: last_name.to_owned(),
        email: email.to_owned(),
        birth_date: birth_date.parse().unwrap(),
        company: company.to_owned(),
        phone: phone.to_owned(),
        website: format!("{}.example.net", first_name.to_lowercase()),
        ssn: format!("123-45-678{id}"),
    }
}

#[test]
fn values_have_the_bytes_of_another_writer() {
    assert_golden("demo_0", &Demo::sample(0));
    assert_golden("demo_12345", &Demo::sample(12_345));
    assert_golden("demo_minus1", &Demo::sample(-1));
    assert_golden("demo_array", &[0, 2, 12_345].map(Demo::sample).to_vec());
    assert_golden("demo_null", &Demo { p3: None, subs: None, p2: false, ..Demo::sample(7) });
    assert_golden("user_1", &user(1));
    assert_golden("user_2", &user(2));
}

#[test]
fn compressed_bytes_of_another_writer_are_read() {
    let demos: Vec<Demo> = (0..100).map(Demo::sample).collect();
    for name in ["demo_100.lz4block", "demo_100.lz4blockarray"] {
        assert_eq!(from_slice::<Vec<Demo>>(&golden(name)).unwrap(), demos, "{name}");
    }
}

#[test]
fn one_reader_takes_all_forms_one_after_the_other() {
    let mut reader = Reader::new();
    for compression in [Compression::Lz4BlockArray, Compression::None, Compression::Lz4Block] {
        let bytes = compressed(compression, &*PAYLOAD_1024);
        assert_eq!(reader.read::<Payload>(&bytes).unwrap(), *PAYLOAD_1024, "{compression:?}");
    }
}

#[test]
fn every_model_reads_back_whatever_its_compression() {
    fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
        for compression in [Compression::None, Compression::Lz4Block, Compression::Lz4BlockArray] {
            assert_eq!(from_slice::<T>(&compressed(compression, value)).unwrap(), *value);
        }
    }
    check(&*SIMPLE);
    check(&*NESTED);
    check(&*FAST);
    check(&*CONTACT);
    check(&*PAYLOAD_1024);
    check(&*DEMOS);
    check(&NestedModel { inner: None, ..NestedModel::sample() });
}

fn encoded_bytes(codec: &str, model: ModelKind) -> u64 {
    let request = Request { model, operation: Operation::Serialize, variant: Variant::Array, batch: 1 };
    codec::find(codec).unwrap().prepare(&request).unwrap().encoded_bytes
}

#[test]
fn sizes_are_those_of_the_write_ups() {
    assert_eq!(encoded_bytes("messagepack", ModelKind::Payload16), 141);
    assert_eq!(encoded_bytes("messagepack", ModelKind::Payload128), 477);
    assert_eq!(encoded_bytes("messagepack", ModelKind::Payload1024), 3_165);
    assert_eq!(encoded_bytes("messagepack", ModelKind::Demo), 1_700_613);
}

#[test]
fn compressed_sizes_are_close_to_those_of_the_write_up() {
    for (codec, published) in [("messagepack-lz4", 262_165.0), ("messagepack-lz4-array", 264_700.0)] {
        let bytes = encoded_bytes(codec, ModelKind::Demo) as f64;
        assert!((bytes / published - 1.0).abs() < 0.02, "{codec}: {bytes}");
    }
}

#[test]
fn a_payload_is_an_array_of_its_members() {
    let payload = Payload { id: -33, name: "é".repeat(16), items: vec![0, 127, 128, 256, 65_536, -1, -129] };
    let mut bytes = Vec::new();
    encode::write_array_len(&mut bytes, 3).unwrap();
    encode::write_sint(&mut bytes, -33).unwrap();
    encode::write_str(&mut bytes, &payload.name).unwrap();
    encode::write_array_len(&mut bytes, 7).unwrap();
    for &item in &payload.items {
        encode::write_sint(&mut bytes, item.into()).unwrap();
    }
    assert_eq!(encoded(&payload), bytes);
    assert_eq!(from_slice::<Payload>(&bytes).unwrap(), payload);
}

#[test]
fn a_number_is_read_from_every_form_that_holds_it() {
    let mut bytes = vec![0x93, 0xd3, 0, 0, 0, 0, 0, 0, 0, 5, 0xd9, 1, b'n', 0xdd, 0, 0, 0, 4];
    encode::write_u64(&mut bytes, 1).unwrap();
    encode::write_i64(&mut bytes, -1).unwrap();
    encode::write_i16(&mut bytes, 2).unwrap();
    encode::write_u32(&mut bytes, i32::MAX as u32).unwrap();
    let payload = Payload { id: 5, name: "n".to_owned(), items: vec![1, -1, 2, i32::MAX] };
    assert_eq!(from_slice::<Payload>(&bytes).unwrap(), payload);
    let too_large = b"\x91\xce\x80\x00\x00\x00";
    assert!(from_slice::<Payload>(too_large).is_err());
}

#[test]
fn missing_members_keep_their_defaults_and_surplus_ones_are_passed_over() {
    assert_eq!(from_slice::<Payload>(b"\x90").unwrap(), Payload::default());
    let payload = Payload { id: 1, name: "a".to_owned(), items: vec![] };
    assert_eq!(from_slice::<Payload>(b"\x92\x01\xa1a").unwrap(), payload);
    let surplus =
        b"\x96\x01\xa1a\x90\x93\x01\x91\xc0\x80\xd6\xff\x00\x00\x00\x00\xcb\x00\x00\x00\x00\x00\x00\x00\x00";
    assert_eq!(from_slice::<Payload>(surplus).unwrap(), payload);
    let within = b"\x92\x97\x01\xc3\xc0\x02\x03\x90\x04\x90";
    let demos = from_slice::<Vec<Demo>>(within).unwrap();
    assert_eq!((demos[0].p1, demos[0].p5, demos[1].p1), (1, 3, 0));
}

#[test]
fn a_local_time_is_written_as_utc_and_read_as_utc() {
    let local: DateTime = "2025-01-01T00:00:00+00:00".parse().unwrap();
    assert_eq!(local.kind(), DateTimeKind::Local);
    let read: DateTime = from_slice(&encoded(&local)).unwrap();
    assert_eq!((read.ticks(), read.kind()), (local.ticks(), DateTimeKind::Utc));
}

#[test]
fn values_below_64_bytes_stay_uncompressed() {
    let bytes = |length: usize| "x".repeat(length);
    for compression in [Compression::Lz4Block, Compression::Lz4BlockArray] {
        // Two bytes in front of the text.
        assert_eq!(compressed(compression, &bytes(61)), encoded(&bytes(61)));
        let longer = compressed(compression, &bytes(62));
        assert_ne!(longer, encoded(&bytes(62)));
        assert_eq!(from_slice::<String>(&longer).unwrap(), bytes(62));
    }
}

/// LZ4's block format, from its specification: literals, then a match, again and again.
fn unpacked(mut block: &[u8]) -> Vec<u8> {
    fn length(token: u8, block: &mut &[u8]) -> usize {
        let mut length = usize::from(token);
        let mut goes_on = token == 15;
        while goes_on {
            let (&byte, rest) = block.split_first().unwrap();
            *block = rest;
            length += usize::from(byte);
            goes_on = byte == 255;
        }
        length
    }
    let mut plain = Vec::new();
    loop {
        let token = block[0];
        block = &block[1..];
        let literals = length(token >> 4, &mut block);
        plain.extend_from_slice(&block[..literals]);
        block = &block[literals..];
        if block.is_empty() {
            return plain;
        }
        let offset = usize::from(u16::from_le_bytes([block[0], block[1]]));
        block = &block[2..];
        for _ in 0..4 + length(token & 15, &mut block) {
            plain.push(plain[plain.len() - offset]);
        }
    }
}

#[test]
fn one_block_is_an_extension_with_a_length_of_five_bytes() {
    for value in
        [PAYLOAD_1024.clone(), Payload::sample(16), Payload { name: "x".repeat(400), ..Payload::default() }]
    {
        let bytes = compressed(Compression::Lz4Block, &value);
        let mut rest = bytes.as_slice();
        let extension = read_ext_meta(&mut rest).unwrap();
        assert_eq!((extension.typeid, extension.size as usize), (99, rest.len()));
        let length = read_i32(&mut rest).unwrap();
        let plain = unpacked(rest);
        assert_eq!((plain.len(), plain), (length as usize, encoded(&value)));
    }
}

#[test]
fn an_extension_has_the_shortest_header() {
    let marker = |length: usize| {
        let bytes = compressed(Compression::Lz4Block, &"x".repeat(length));
        Marker::from_u8(bytes[0])
    };
    assert_eq!(marker(100), Marker::Ext8);
    assert_eq!(marker(70_000), Marker::Ext16);
    assert_eq!(marker(20_000_000), Marker::Ext32);
}

#[test]
fn many_blocks_are_an_array_with_their_lengths_in_front() {
    let bytes = compressed(Compression::Lz4BlockArray, &*DEMOS);
    let mut rest = bytes.as_slice();
    let elements = read_array_len(&mut rest).unwrap();
    assert_eq!(elements, 1 + 52);
    assert_eq!(read_ext_meta(&mut rest).unwrap().typeid, 98);
    let lengths: Vec<u32> = (1..elements).map(|_| read_int(&mut rest).unwrap()).collect();
    let mut plain = Vec::new();
    for length in lengths {
        assert_eq!(Marker::from_u8(rest[0]), Marker::Bin32);
        let block_bytes = read_bin_len(&mut rest).unwrap();
        let (block, behind) = rest.split_at(block_bytes as usize);
        rest = behind;
        let block = unpacked(block);
        assert_eq!(block.len(), length as usize);
        assert!(length <= 32_768);
        plain.extend(block);
    }
    assert!(rest.is_empty());
    assert_eq!(plain, encoded(&*DEMOS));
}
