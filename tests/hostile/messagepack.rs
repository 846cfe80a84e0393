//! Bytes that nobody has written: the reader of MessagePack, compressed or not, fails with an error, and takes no more
//! memory than the input justifies.

use std::hint::black_box;

use alloclab::codec::messagepack::{
    Compression, Error, MAX_DEPTH, MAX_UNPACKED_BYTES, Writer, from_slice, to_writer,
};
use alloclab::codec::{DecodeError, DecodeProblem};
use alloclab::model::{Demo, ModelKind, NestedModel, Payload, SimpleModel, User};
use alloclab::recorder::WindowOptions;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::random::Random;

/// What a function makes, and the most bytes that it held at once.
fn measured<T>(function: impl FnOnce() -> T) -> (T, u64) {
    let window = WindowOptions::new().open_over_thread().unwrap();
    let value = function();
    let snapshot = window.close();
    (value, snapshot.peak.bytes)
}

/// Changes, cuts or repeats some bytes; most often to one that means much.
fn mutate(random: &mut Random, bytes: &[u8], into: &mut Vec<u8>) {
    const MEANINGFUL: &[u8] =
        b"\x00\x7f\x80\x90\x9f\xc0\xc1\xc7\xc9\xcf\xd2\xd4\xd6\xd9\xdb\xdc\xdd\xdf\xe0\xff\x62\x63";
    into.clear();
    into.extend_from_slice(bytes);
    for _ in 0..=random.below(3) {
        // Half of the changes in front, where the lengths stand.
        let at =
            if random.below(2) == 0 { random.below(into.len()) } else { random.below(into.len().min(16)) };
        match random.below(5) {
            0 => into[at] = random.below(256) as u8,
            1 => into[at] ^= 1 << random.below(8),
            2 => into[at] = MEANINGFUL[random.below(MEANINGFUL.len())],
            3 => into.truncate(at.max(1)),
            _ => into.insert(at, MEANINGFUL[random.below(MEANINGFUL.len())]),
        }
    }
}

/// A reader, bytes that it takes, and how many bytes it may hold for each byte of them.
struct Subject {
    name: String,
    read: fn(&[u8]) -> Result<(), Error>,
    bytes: Vec<u8>,
    bytes_per_byte: u64,
}

/// Of all subjects together.
const MUTATIONS: usize = 100_000;

/// What a reader may hold whatever the input: an error and its text.
const BASE_BYTES: u64 = 4 << 10;

fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<(), Error> {
    from_slice::<T>(bytes).map(|value| drop(black_box(value)))
}

fn compressed<T: Serialize + ?Sized>(compression: Compression, value: &T) -> Vec<u8> {
    Writer::new(compression).write(value).unwrap().to_vec()
}

/// One byte is a user of 200 bytes or two arrays of smaller objects, and a length that is not kept is believed up to the
/// input's; compressed, it stands for 255 times as many at most.
fn subject<T>(name: &str, compression: Compression, value: &T) -> Subject
where
    T: Serialize + DeserializeOwned,
{
    let bytes_per_plain_byte = 512;
    let expansion = if compression == Compression::None { 1 } else { 255 };
    Subject {
        name: format!("{name} {compression:?}"),
        read: read::<T>,
        bytes: compressed(compression, value),
        bytes_per_byte: bytes_per_plain_byte * expansion,
    }
}

fn subjects() -> Vec<Subject> {
    let demos: Vec<Demo> = (-1..20).map(Demo::sample).collect();
    let users = vec![User { email: "a+b@c.de".to_owned(), ..User::default() }; 5];
    let compressions = [Compression::None, Compression::Lz4Block, Compression::Lz4BlockArray];
    let of = |compression| {
        [
            subject("demos", compression, &demos),
            subject("users", compression, &users),
            subject("nested", compression, &NestedModel::sample()),
            subject("payload", compression, &Payload::sample(16)),
        ]
    };
    compressions.into_iter().flat_map(of).collect()
}

#[track_caller]
fn read_within_bounds(subject: &Subject, bytes: &[u8]) -> Result<(), Error> {
    let (read, peak) = measured(|| (subject.read)(bytes));
    let limit = BASE_BYTES + subject.bytes_per_byte * bytes.len() as u64;
    assert!(peak <= limit, "{}: {peak} B for {} B: {bytes:02x?}", subject.name, bytes.len());
    read
}

#[track_caller]
fn envelope_error(bytes: &[u8]) -> DecodeError {
    match from_slice::<Payload>(bytes) {
        Err(Error::Envelope(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_untouched_bytes_are_read() {
    for subject in subjects() {
        read_within_bounds(&subject, &subject.bytes).unwrap();
    }
}

#[test]
fn no_bytes_that_are_cut_short_are_read() {
    for subject in subjects() {
        for length in 0..subject.bytes.len() {
            assert!((subject.read)(&subject.bytes[..length]).is_err(), "{} to {length}", subject.name);
        }
    }
}

#[test]
fn a_hundred_thousand_mutations_are_taken_or_refused() {
    let mut random = Random(0x5eed_5eed_5eed_5eed);
    let subjects = subjects();
    let share = MUTATIONS / subjects.len();
    for subject in subjects {
        let mut bytes = Vec::with_capacity(2 * subject.bytes.len());
        let (taken, peak) = measured(|| {
            let mutations = (0..share).filter(|_| {
                mutate(&mut random, &subject.bytes, &mut bytes);
                (subject.read)(&bytes).is_ok()
            });
            mutations.count()
        });
        assert!((1..share).contains(&taken), "{}: {taken} taken", subject.name);
        let limit = BASE_BYTES + subject.bytes_per_byte * subject.bytes.len() as u64;
        assert!(peak <= limit, "{}: {peak} B", subject.name);
    }
}

#[test]
fn lengths_beyond_the_input_take_no_memory() {
    let texts: [&[u8]; 8] = [
        b"\xdd\xff\xff\xff\xff",
        b"\x93\x01\xa0\xdd\xff\xff\xff\xff\x01",
        b"\xdd\x7f\xff\xff\xff\x96\x01\xc3\xc0\x01\x01\xdd\xff\xff\xff\xff",
        b"\x92\x01\xdb\xff\xff\xff\xff\x61",
        b"\x92\x01\xc6\xff\xff\xff\xff\x61",
        b"\xdf\xff\xff\xff\xff\xa2Id\x01",
        b"\xc9\xff\xff\xff\xff\x05",
        b"\x9f\xdd\xff\xff\xff\xff",
    ];
    for subject in subjects() {
        for bytes in texts {
            assert!(read_within_bounds(&subject, bytes).is_err(), "{}: {bytes:02x?}", subject.name);
        }
    }
}

#[test]
fn empty_objects_take_memory_in_proportion_to_their_number() {
    let count = 60_000_u16;
    let list = |element: &[u8]| [&[0xdc], &count.to_be_bytes()[..], &element.repeat(count.into())].concat();
    for subject in subjects() {
        for element in [b"\x90".as_slice(), b"\x80", b"\xc0", b"\x01", b"\x96\x00\xc2\xc0\x00\x00\x91\x90"] {
            let _ = read_within_bounds(&subject, &list(element));
        }
    }
}

/// An unknown fourth member of so many levels.
fn nested(levels: usize) -> Vec<u8> {
    [b"\x94\x01\xa0\x90".as_slice(), &b"\x91".repeat(levels - 2), b"\x90"].concat()
}

#[test]
fn values_are_read_to_a_depth_of_500_even_where_they_are_passed_over() {
    read::<Payload>(&nested(MAX_DEPTH)).unwrap();
    let error = read::<Payload>(&nested(MAX_DEPTH + 1)).unwrap_err();
    assert_eq!(error.to_string(), "values are nested deeper than 500 levels");
    assert!(read::<Payload>(&nested(1_000_000)).is_err());
    let maps = [b"\x94\x01\xa0\x90".as_slice(), &b"\x81\x01".repeat(100_000)].concat();
    assert!(read::<Payload>(&maps).is_err());
}

/// An extension of type 99 with the length of an integer form and a block.
fn block(length: &[u8], block: &[u8]) -> Vec<u8> {
    let bytes = (length.len() + block.len()) as u8;
    [&[0xc7, bytes, 99], length, block].concat()
}

/// A block that stands for a list of four million objects without members, a byte each.
fn bomb() -> Vec<u8> {
    // The list's head and an object; that object once more, 15,686 times 255 and 64 times; five more of it at the end.
    let objects =
        [&b"\x6f\xdd\x00\x3d\x09\x00\x90\x01\x00"[..], &[255; 15_686], b"\x2d\x50\x90\x90\x90\x90\x90"]
            .concat();
    let length = objects.len() as u32 + 5;
    [&b"\xc9"[..], &length.to_be_bytes(), b"\x63\xd2\x00\x3d\x09\x05", &objects].concat()
}

#[test]
fn a_bomb_of_objects_without_members_ends_at_the_limit_of_a_list() {
    let bytes = bomb();
    assert!(bytes.len() < 16_000);
    let codec = alloclab::codec::find("messagepack-lz4").unwrap();
    let (error, peak) = measured(|| codec.decode(ModelKind::User, &bytes).unwrap().unwrap_err());
    assert!(error.to_string().contains("a list takes more than 256 MB"), "{error}");
    assert!(peak < 400 << 20, "{peak}");
}

fn length_refused(offset: usize, length: i64) -> DecodeError {
    DecodeError { offset, problem: DecodeProblem::LengthOutOfRange(length) }
}

fn limit_exceeded(offset: usize, limit: usize) -> DecodeError {
    DecodeError { offset, problem: DecodeProblem::LimitExceeded { limit } }
}

#[test]
fn a_block_takes_no_more_memory_than_its_bytes_can_stand_for() {
    let bytes = block(b"\xd2\x03\xff\xff\xff", b"\x1fx\x01\x00\xff\xff\xff\x00");
    let (error, peak) = measured(|| envelope_error(&bytes));
    // 8 bytes stand for 2,040 at most.
    assert_eq!(error, limit_exceeded(3, 2040));
    assert_eq!(peak, 0);
    assert_eq!(envelope_error(&block(&[0xcd, 0x07, 0xf9], &[0; 8])), limit_exceeded(3, 2040));
    let invalid = envelope_error(&block(&[0xcd, 0x07, 0xf8], &[0; 8]));
    assert_eq!(invalid, DecodeError { offset: 6, problem: DecodeProblem::InvalidCompression });
}

#[test]
fn a_length_that_is_negative_or_no_number_is_refused() {
    assert_eq!(envelope_error(&block(b"\xff", b"\x00")), length_refused(3, -1));
    assert_eq!(envelope_error(&block(b"\xd2\x80\x00\x00\x00", b"\x00")), length_refused(3, i32::MIN.into()));
    assert_eq!(
        envelope_error(&block(b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff", b"\x00")),
        limit_exceeded(3, 255)
    );
    let error = envelope_error(&block(b"\xa1", b"\x00"));
    assert_eq!(error, DecodeError { offset: 3, problem: DecodeProblem::UnexpectedTag(0xa1) });
    let error = envelope_error(b"\xc7\x00\x63");
    assert_eq!(
        error,
        DecodeError { offset: 3, problem: DecodeProblem::EndOfInput { needed: 1, available: 0 } }
    );
}

#[test]
fn a_block_of_another_length_than_it_says_is_refused() {
    let payload = Payload::sample(128);
    let bytes = compressed(Compression::Lz4Block, &payload);
    assert_eq!(bytes[..2], [0xc8, 0x01], "two bytes of length, the type, then five of the plain length");
    for (difference, problem) in
        [(1, DecodeProblem::InvalidCompression), (-1, DecodeProblem::InvalidCompression)]
    {
        let mut changed = bytes.clone();
        changed[8] = changed[8].wrapping_add_signed(difference);
        assert_eq!(envelope_error(&changed), DecodeError { offset: 9, problem });
    }
}

#[test]
fn all_blocks_together_unpack_to_64_mebibytes_at_most() {
    // Text of 32 MiB, almost: with the five bytes in front of it, the limit is passed by the second block's last byte.
    // Its numbers keep it from becoming so small that the limit is another one.
    let mut half: String = (0..MAX_UNPACKED_BYTES / 128).map(|number| format!("{number:064}")).collect();
    half.truncate(MAX_UNPACKED_BYTES / 2 - 5);
    let packed = compressed(Compression::Lz4Block, &half);
    // The extension's header takes six bytes, the length five.
    let block = &packed[11..];
    let array = |second_length: u32| {
        let mut bytes = vec![0x93, 0xc7, 10, 98];
        for length in [MAX_UNPACKED_BYTES as u32 / 2, second_length] {
            bytes.extend([0xce].into_iter().chain(length.to_be_bytes()));
        }
        for _ in 0..2 {
            bytes.push(0xc6);
            bytes.extend((block.len() as u32).to_be_bytes());
            bytes.extend(block);
        }
        bytes
    };
    assert_eq!(packed[0], 0xc9, "a header of six bytes");
    assert_eq!(from_slice::<String>(&array(MAX_UNPACKED_BYTES as u32 / 2)).unwrap(), half);
    let error = from_slice::<String>(&array(MAX_UNPACKED_BYTES as u32 / 2 + 1)).unwrap_err();
    let Error::Envelope(error) = error else { panic!("{error}") };
    assert_eq!(error, limit_exceeded(9, MAX_UNPACKED_BYTES / 2));
}

#[test]
fn an_array_of_blocks_has_a_length_for_each() {
    let bytes = compressed(Compression::Lz4BlockArray, &Payload::sample(16));
    // An array of two: an extension with one length of two bytes; a block.
    assert_eq!(bytes[..6], [0x92, 0xd5, 98, 0xcc, 141, 0xc6]);
    let error = |bytes: &[u8]| envelope_error(bytes);
    let more = [&[0x93], &bytes[1..]].concat();
    let end = DecodeProblem::EndOfInput { needed: 1, available: 0 };
    assert_eq!(error(&more), DecodeError { offset: 5, problem: end });
    let fewer = [&[0x92, 0xc7, 3, 98, 0xcc, 141, 1], &bytes[5..]].concat();
    assert_eq!(error(&fewer), DecodeError { offset: 6, problem: DecodeProblem::UnexpectedTag(1) });
    let no_block = [&bytes[..5], &[0xa1]].concat();
    assert_eq!(error(&no_block), DecodeError { offset: 5, problem: DecodeProblem::UnexpectedTag(0xa1) });
    let short = &bytes[..bytes.len() - 1];
    assert!(matches!(error(short).problem, DecodeProblem::EndOfInput { .. }));
}

#[test]
fn values_of_another_type_are_refused() {
    for bytes in [
        b"\x91\xa1a".as_slice(),
        b"\x92\x01\xa1\xff",
        b"\x92\x01\xc0",
        b"\x91\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00",
        b"\x91\xc1",
        b"\x91\xd6\x05\x00\x00\x00\x00",
        b"\xa1a",
        b"\xc0",
        b"",
    ] {
        assert!(read::<SimpleModel>(bytes).is_err(), "{bytes:02x?}");
    }
}

#[test]
fn a_buffer_that_is_too_small_is_an_error() {
    let mut buffer = [0; 64];
    assert!(to_writer(buffer.as_mut_slice(), &SimpleModel::sample()).is_ok());
    assert!(to_writer(&mut buffer[..20], &SimpleModel::sample()).is_err());
}
