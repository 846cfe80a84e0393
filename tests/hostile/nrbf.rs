//! Bytes that BinaryFormatter has not written: the reader says where and why it stops, and takes no more memory than the
//! bytes justify. The rules are those of System.Formats.Nrbf.

use std::fs;
use std::hint::black_box;

use alloclab::codec::nrbf::{
    ArrayKind, BinaryType, Content, Elements, Graph, Guide, Limits, Primitive, PrimitiveType, RecordKind,
    Value, read, read_guided,
};
use alloclab::codec::{DecodeError, DecodeProblem};
use alloclab::recorder::measure;

use crate::random::Random;

/// The memory that a reader may hold at once: so much in any case, and so much for each byte.
///
/// The densest values are nulls of members, one byte each and 16 in a graph, and a list that grows has room for twice as
/// many as it needs; what stands beside values (names, ids, objects) has more bytes of input.
const BASE_BYTES: u64 = 4 << 10;
const BYTES_PER_BYTE: u64 = 40;

/// The most elements that an array of .NET may have.
const MAX_LENGTH: i32 = 2_147_483_591;

/// A stream in the making. Its root has id 1.
#[derive(Clone)]
struct Stream(Vec<u8>);

impl Stream {
    fn new() -> Self {
        Self::with_header(1, -1, 1, 0)
    }

    fn with_header(root: i32, header: i32, major: i32, minor: i32) -> Self {
        let start = Self(Vec::new()).kind(RecordKind::SerializedStreamHeader);
        start.int(root).int(header).int(major).int(minor)
    }

    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }

    fn kind(self, kind: RecordKind) -> Self {
        self.bytes(&[kind.code()])
    }

    fn int(self, value: i32) -> Self {
        self.bytes(&value.to_le_bytes())
    }

    /// A string of fewer than 128 bytes.
    fn text(self, text: &str) -> Self {
        self.bytes(&[text.len() as u8]).bytes(text.as_bytes())
    }

    fn library(self, id: i32) -> Self {
        self.kind(RecordKind::BinaryLibrary).int(id).text("Library")
    }

    /// The start of a class of the runtime's own library, up to the types of its members.
    fn system_class(self, id: i32, members: &[&str]) -> Self {
        let class = self.kind(RecordKind::SystemClassWithMembersAndTypes).int(id).text("Class");
        members.iter().fold(class.int(members.len() as i32), |stream, name| stream.text(name))
    }

    /// An instance of a class without members.
    fn empty_class(self, id: i32) -> Self {
        self.system_class(id, &[])
    }

    /// A class with one member that may hold any object; its value follows.
    fn object_holder(self, id: i32) -> Self {
        self.system_class(id, &["Held"]).bytes(&[BinaryType::Object.code()])
    }

    fn object_array(self, id: i32, length: i32) -> Self {
        self.kind(RecordKind::ArraySingleObject).int(id).int(length)
    }

    fn primitive_array(self, id: i32, length: i32, kind: PrimitiveType) -> Self {
        self.kind(RecordKind::ArraySinglePrimitive).int(id).int(length).bytes(&[kind.code()])
    }

    /// The start of an array of any shape, up to its lengths.
    fn array(self, id: i32, kind: u8, rank: i32) -> Self {
        self.kind(RecordKind::BinaryArray).int(id).bytes(&[kind]).int(rank)
    }

    fn string(self, id: i32, text: &str) -> Self {
        self.kind(RecordKind::BinaryObjectString).int(id).text(text)
    }

    fn reference(self, id: i32) -> Self {
        self.kind(RecordKind::MemberReference).int(id)
    }

    fn boxed(self, kind: PrimitiveType, bytes: &[u8]) -> Self {
        self.kind(RecordKind::MemberPrimitiveTyped).bytes(&[kind.code()]).bytes(bytes)
    }

    fn nulls(self, count: i32) -> Self {
        self.kind(RecordKind::ObjectNullMultiple).int(count)
    }

    fn null(self) -> Self {
        self.kind(RecordKind::ObjectNull)
    }

    fn end(self) -> Self {
        self.kind(RecordKind::MessageEnd)
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    #[track_caller]
    fn graph(&self) -> Graph {
        read_within_bounds(&self.0, Limits::all()).unwrap()
    }

    /// What is wrong, whatever the limits.
    #[track_caller]
    fn error(&self) -> DecodeError {
        let error = read_within_bounds(&self.0, Limits::all()).unwrap_err();
        assert_eq!(read_within_bounds(&self.0, Limits::strict()).unwrap_err(), error);
        error
    }

    #[track_caller]
    fn fails(&self, offset: usize, problem: DecodeProblem) {
        assert_eq!(self.error(), DecodeError { offset, problem });
    }
}

/// Reads, and checks what was held on the way.
#[track_caller]
fn read_within_bounds(bytes: &[u8], limits: Limits) -> Result<Graph, DecodeError> {
    within_bounds(bytes.len(), || read(bytes, limits))
}

/// Works on inputs of `length` bytes, one after the other, and checks what was held at once.
///
/// To open and close a window takes longer than to read a payload.
#[track_caller]
fn within_bounds<T>(length: usize, work: impl FnOnce() -> T) -> T {
    let measured = measure(work).unwrap();
    let limit = BASE_BYTES + BYTES_PER_BYTE * length as u64;
    let peak = measured.snapshot.peak.bytes;
    assert!(peak <= limit, "{peak} B for {length} B");
    measured.value
}

/// Each payload that BinaryFormatter wrote.
fn payloads() -> Vec<(String, Vec<u8>)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/nrbf");
    let manifest = fs::read_to_string(format!("{folder}/manifest.tsv")).unwrap();
    let names = manifest.lines().skip(1).map(|line| line.split('\t').next().unwrap());
    let payload = |name: &str| (name.to_owned(), fs::read(format!("{folder}/{name}.bin")).unwrap());
    let payloads: Vec<_> = names.map(payload).collect();
    assert_eq!(payloads.len(), 91);
    payloads
}

/// Changes, cuts or repeats some bytes; most often in a place where one byte means much.
fn mutate(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes[at] = [0x00, 0x7f, 0x80, 0xff][random.below(4)],
            3 => bytes[at] = random.below(23) as u8,
            4 => bytes.truncate(at.max(1)),
            _ => bytes.insert(at, 0xff),
        }
    }
    bytes
}

#[test]
fn every_payload_is_read_within_the_bounds() {
    for (name, bytes) in payloads() {
        assert!(read_within_bounds(&bytes, Limits::all()).is_ok(), "{name}");
    }
}

/// The end of a message is its last byte: nothing shorter is a message.
#[test]
fn every_payload_cut_short_is_refused() {
    for (name, bytes) in payloads() {
        let read_all = || {
            for length in 0..bytes.len() {
                let error = read(&bytes[..length], Limits::all()).unwrap_err();
                assert!(error.offset <= length, "{name}, {length}: {error}");
                assert!(
                    matches!(error.problem, DecodeProblem::EndOfInput { .. }),
                    "{name}, {length}: {error}"
                );
            }
        };
        within_bounds(bytes.len(), read_all);
    }
}

/// What is taken is written in a form that reads to the same; what the strict limits take, the others take too.
///
/// True if it is taken.
fn reads_to_what_it_is_written_as(bytes: &[u8]) -> bool {
    let strict = read(bytes, Limits::strict());
    let Ok(graph) = read(bytes, Limits::all()) else {
        assert!(strict.is_err(), "{bytes:02x?}");
        return false;
    };
    let written = graph.to_bytes();
    let again = read(&written, Limits::all()).unwrap_or_else(|error| panic!("{error}: {bytes:02x?}"));
    assert_eq!(again.to_bytes(), written, "{bytes:02x?}");
    assert_eq!(again.to_string(), graph.to_string(), "{bytes:02x?}");
    true
}

#[test]
fn a_hundred_thousand_mutations_are_taken_or_refused() {
    let mut random = Random(0x5eed_5eed_5eed_5eed);
    let payloads = payloads();
    let rounds = 100_000_usize.div_ceil(payloads.len());
    let mut taken = 0;
    for (_, bytes) in payloads {
        let mutations: Vec<_> = (0..rounds).map(|_| mutate(&mut random, &bytes)).collect();
        let longest = mutations.iter().map(Vec::len).max().unwrap();
        within_bounds(longest, || {
            for bytes in &mutations {
                let _ = black_box(read(bytes, Limits::all()));
            }
        });
        taken += mutations.iter().filter(|bytes| reads_to_what_it_is_written_as(bytes)).count();
    }
    assert!((10_000..90_000).contains(&taken), "{taken} were taken");
}

#[test]
fn bytes_behind_the_end_are_not_looked_at() {
    let stream = Stream::new().string(1, "x").end();
    assert_eq!(stream.clone().bytes(&[0xff; 9]).graph().to_bytes(), stream.0);
}

#[test]
fn a_stream_starts_with_its_header() {
    Stream(vec![]).fails(0, DecodeProblem::EndOfInput { needed: 1, available: 0 });
    Stream(vec![]).end().fails(0, DecodeProblem::UnexpectedTag(11));
    let second = Stream::new().kind(RecordKind::SerializedStreamHeader);
    second.fails(17, DecodeProblem::UnexpectedTag(0));
}

#[test]
fn the_version_must_be_1_0() {
    for (major, minor) in [(0, 0), (1, 1), (2, 0), (1, -1)] {
        let stream = Stream::with_header(1, -1, major, minor).string(1, "x").end();
        stream.fails(9, DecodeProblem::UnsupportedVersion { major, minor });
    }
}

#[test]
fn kinds_of_records_that_nobody_reads_are_refused() {
    for kind in 18..=20 {
        Stream::new().bytes(&[kind]).fails(17, DecodeProblem::UnsupportedTag(kind));
    }
    for kind in [23, 64, 255] {
        Stream::new().bytes(&[kind]).fails(17, DecodeProblem::UnexpectedTag(kind));
    }
}

#[test]
fn the_strict_limits_refuse_untyped_classes_messages_and_lower_bounds() {
    let strict = |stream: &Stream| read_within_bounds(&stream.0, Limits::strict()).unwrap_err();
    for kind in [2, 3, 21, 22] {
        let problem = DecodeProblem::UnsupportedTag(kind);
        assert_eq!(strict(&Stream::new().bytes(&[kind])), DecodeError { offset: 17, problem });
    }
    for kind in [3, 4, 5] {
        let rank = if kind == 5 { 2 } else { 1 };
        let array = Stream::new().array(1, kind, rank);
        let problem = DecodeProblem::UnsupportedTag(kind);
        assert_eq!(strict(&array), DecodeError { offset: 22, problem });
        let numbers = (0..rank).fold(array, |stream, _| stream.int(1));
        let numbers = (0..rank).fold(numbers, |stream, _| stream.int(-7));
        let whole = numbers.bytes(&[BinaryType::Object.code()]).null().end();
        assert_eq!(whole.graph().to_bytes(), whole.0);
    }
}

/// The kinds of records that are not refused for their kind.
fn kinds_taken(before: &Stream, limits: Limits) -> Vec<u8> {
    let is_taken = |kind: &u8| {
        let error = read_within_bounds(&before.clone().bytes(&[*kind]).0, limits).err();
        let refused = [DecodeProblem::UnexpectedTag(*kind), DecodeProblem::UnsupportedTag(*kind)];
        let refused = refused.map(|problem| DecodeError { offset: before.len(), problem });
        !error.is_some_and(|error| refused.contains(&error))
    };
    (0..=255).filter(is_taken).collect()
}

/// A class with a member of the type that `types` says; the value comes next.
fn member_of(types: &[u8], detail: impl FnOnce(Stream) -> Stream) -> Stream {
    detail(Stream::new().library(2).system_class(1, &["Member"]).bytes(types))
}

#[test]
fn a_member_takes_the_records_of_its_type_alone() {
    let same = |stream: Stream| stream;
    let number = |stream: Stream| stream.bytes(&[PrimitiveType::Int32.code()]);
    let cases: [(Stream, &[u8], &[u8]); 7] = [
        (member_of(&[1], same), &[6, 9, 10], &[6, 9, 10]),
        (
            member_of(&[2], same),
            &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17],
            &[1, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17],
        ),
        (
            member_of(&[3], |stream| stream.text("System.IComparable")),
            &[1, 2, 3, 4, 5, 6, 8, 9, 10, 12],
            &[1, 4, 5, 6, 8, 9, 10, 12],
        ),
        (member_of(&[4], |stream| stream.text("Node").int(2)), &[1, 3, 5, 9, 10, 12], &[1, 5, 9, 10, 12]),
        (member_of(&[5], same), &[9, 10, 16], &[9, 10, 16]),
        (member_of(&[6], same), &[9, 10, 17], &[9, 10, 17]),
        (member_of(&[7], number), &[9, 10, 15], &[9, 10, 15]),
    ];
    for (before, all, strict) in cases {
        assert_eq!(kinds_taken(&before, Limits::all()), all);
        assert_eq!(kinds_taken(&before, Limits::strict()), strict);
    }
}

#[test]
fn elements_may_be_nulls_in_a_row_and_members_may_not() {
    let strings = Stream::new().kind(RecordKind::ArraySingleString).int(1).int(3);
    assert_eq!(kinds_taken(&strings, Limits::all()), [6, 9, 10, 13, 14]);
    assert!(!kinds_taken(&Stream::new().object_holder(1), Limits::all()).contains(&14));
    let top = kinds_taken(&Stream::new(), Limits::all());
    assert_eq!(top, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 16, 17, 21, 22]);
}

#[test]
fn types_that_are_none_are_refused() {
    let class = Stream::new().system_class(1, &["A", "B"]);
    class.clone().bytes(&[1, 8]).fails(class.len() + 1, DecodeProblem::UnexpectedTag(8));
    for kind in [0, 4, 17, 18, 19] {
        let problem = DecodeProblem::UnexpectedTag(kind);
        class.clone().bytes(&[1, 0, kind]).fails(class.len() + 2, problem);
        class.clone().bytes(&[7, 0, kind]).fails(class.len() + 2, problem);
        Stream::new().bytes(&[8, kind]).fails(18, problem);
        Stream::new().bytes(&[15]).int(1).int(0).bytes(&[kind]).fails(26, problem);
    }
    Stream::new().array(1, 6, 1).fails(22, DecodeProblem::UnexpectedTag(6));
    Stream::new().array(1, 0, 1).int(0).bytes(&[9]).fails(31, DecodeProblem::UnexpectedTag(9));
}

#[test]
fn the_length_of_an_array_is_one_that_dotnet_has() {
    for length in [-1, i32::MIN, MAX_LENGTH + 1, i32::MAX] {
        let problem = DecodeProblem::LengthOutOfRange(length.into());
        Stream::new().object_array(1, length).fails(22, problem);
        Stream::new().kind(RecordKind::ArraySingleString).int(1).int(length).fails(22, problem);
        Stream::new().primitive_array(1, length, PrimitiveType::Byte).fails(22, problem);
        Stream::new().array(1, 0, 1).int(length).fails(27, problem);
    }
    let longest = Stream::new().object_array(1, MAX_LENGTH).nulls(MAX_LENGTH).end();
    assert_eq!(longest.graph().to_bytes(), longest.0);
}

#[test]
fn an_array_has_1_dimension_or_up_to_32_if_it_is_rectangular() {
    for (kind, rank) in [(0, 0), (0, 2), (1, 2), (2, 0), (2, 1), (2, 33), (2, i32::MAX), (2, -1), (0, -1)] {
        let problem = DecodeProblem::LengthOutOfRange(rank.into());
        Stream::new().array(1, kind, rank).fails(23, problem);
    }
    let lengths = (0..32).fold(Stream::new().array(1, 2, 32), |stream, _| stream.int(1));
    let graph = lengths.bytes(&[BinaryType::Object.code()]).null().end().graph();
    let Content::Array(array) = &graph.root().unwrap().content else { panic!() };
    assert_eq!((array.shape.kind, array.shape.lengths.len()), (ArrayKind::Rectangular, 32));
}

#[test]
fn the_dimensions_of_an_array_give_a_number_of_elements_that_fits() {
    let array = |lengths: [i32; 3]| {
        lengths.into_iter().fold(Stream::new().array(1, 2, 3), |stream, length| stream.int(length))
    };
    array([65_536, 65_536, 0]).fails(31, DecodeProblem::LengthOutOfRange(65_536));
    array([1_000, 65_536, 66]).fails(35, DecodeProblem::LengthOutOfRange(66));
    let widest = array([65_535, 65_537, 1]).bytes(&[BinaryType::Object.code()]);
    let widest = widest.nulls(i32::MAX).nulls(i32::MAX).null().end();
    assert_eq!(widest.graph().to_bytes(), widest.0);
}

#[test]
fn the_last_index_of_an_array_is_an_int32() {
    let array = |lower: i32| {
        let shape = Stream::new().array(1, 3, 1).int(2).int(lower);
        shape.bytes(&[BinaryType::Object.code()]).nulls(2).end()
    };
    for lower in [i32::MIN, -1, i32::MAX - 1] {
        assert!(read_within_bounds(&array(lower).0, Limits::all()).is_ok(), "{lower}");
    }
    let error = read_within_bounds(&array(i32::MAX).0, Limits::all()).unwrap_err();
    assert_eq!(error, DecodeError { offset: 31, problem: DecodeProblem::ValueOutOfRange });
}

/// The byte that ends the message is not a value's.
#[test]
fn an_array_of_primitives_is_refused_before_it_is_made_unless_its_bytes_and_one_more_are_there() {
    let sizes = [
        (PrimitiveType::Byte, 1),
        (PrimitiveType::Int16, 2),
        (PrimitiveType::Int32, 4),
        (PrimitiveType::Double, 8),
    ];
    for (kind, size) in sizes {
        let array = Stream::new().primitive_array(1, 3, kind);
        let offset = array.len();
        let problem = DecodeProblem::EndOfInput { needed: 3 * size + 1, available: 3 * size };
        array.clone().bytes(&vec![0; 3 * size]).fails(offset, problem);
        assert_eq!(array.bytes(&vec![0; 3 * size]).end().graph().objects().len(), 1);
    }
}

#[test]
fn lengths_that_only_claim_to_be_large_take_no_memory() {
    for code in (1..=16).filter(|&code| code != 4) {
        let kind = PrimitiveType::from_code(code).unwrap();
        let arrays = [
            Stream::new().primitive_array(1, MAX_LENGTH, kind),
            Stream::new().array(1, 2, 2).int(65_535).int(65_537).bytes(&[0, code]),
        ];
        for array in arrays {
            let error = array.bytes(&[0x31; 100]).error();
            let is_refused = matches!(error.problem, DecodeProblem::EndOfInput { .. });
            assert!(is_refused, "{kind}: {error}");
        }
    }
    let ends = |stream: Stream| assert!(matches!(stream.error().problem, DecodeProblem::EndOfInput { .. }));
    ends(Stream::new().object_array(1, MAX_LENGTH).null());
    ends(Stream::new().kind(RecordKind::ArraySingleString).int(1).int(MAX_LENGTH).nulls(MAX_LENGTH - 1));
    ends(Stream::new().array(1, 1, 1).int(MAX_LENGTH).bytes(&[5]).null());
    ends(Stream::new().kind(RecordKind::BinaryObjectString).int(1).bytes(&[0xff, 0xff, 0xff, 0xff, 0x07]));
    let class = Stream::new().kind(RecordKind::SystemClassWithMembersAndTypes).int(1).text("Class");
    ends(class.clone().int(i32::MAX).text("Member"));
    let call = Stream::new().kind(RecordKind::MethodReturn).int(0x0002).int(i32::MAX);
    let error = read_within_bounds(&call.0, Limits::all()).unwrap_err();
    assert!(matches!(error.problem, DecodeProblem::EndOfInput { .. }));
}

/// Adds a value, the so many-th.
type Add = fn(Stream, i32) -> Stream;

/// The densest input of each sort: what a reader keeps of it is largest beside its bytes, at counts that lists and tables
/// have just grown for.
#[test]
fn dense_input_stays_within_the_bounds() {
    let any = BinaryType::Object.code();
    let kinds: [(Stream, Add); 10] = [
        (Stream::new().empty_class(1), |stream, index| {
            stream.kind(RecordKind::ClassWithId).int(index + 2).int(1)
        }),
        (Stream::new(), |stream, index| stream.string(index + 1, "")),
        (Stream::new(), |stream, index| stream.primitive_array(index + 1, 0, PrimitiveType::Byte)),
        (Stream::new(), |stream, index| stream.array(index + 1, 2, 2).int(0).int(0).bytes(&[1])),
        (Stream::new(), |stream, index| stream.empty_class(index + 1)),
        (Stream::new(), |stream, index| stream.object_holder(index + 1).null()),
        (Stream::new().empty_class(1), |stream, _| stream.null()),
        (Stream::new().empty_class(1), |stream, _| stream.reference(1)),
        (Stream::new().empty_class(1), |stream, _| stream.boxed(PrimitiveType::Boolean, &[1])),
        (Stream::new().empty_class(1), |stream, _| stream.boxed(PrimitiveType::Decimal, b"\x010")),
    ];
    for count in [7_169, 8_193] {
        for (start, add) in &kinds {
            (0..count).fold(start.clone(), add).end().graph();
        }
        let zeros = Stream::new().primitive_array(1, count, PrimitiveType::Decimal);
        (0..count).fold(zeros, |stream, _| stream.text("0")).end().graph();
        let letters = Stream::new().primitive_array(1, count, PrimitiveType::Char);
        letters.bytes(&vec![b'x'; count as usize]).end().graph();
        let strings = Stream::new().array(1, 0, 1).int(count).bytes(&[any]);
        (0..count).fold(strings, |stream, index| stream.string(index + 2, "")).end().graph();
    }
}

#[test]
fn members_with_short_names_and_null_values_stay_within_the_bounds() {
    let names: Vec<_> =
        (0..16_000_u32).map(|index| char::from_u32(0x100 + index).unwrap().to_string()).collect();
    let names: Vec<_> = names.iter().map(|name| &**name).collect();
    for count in [65, 128, 1_025, 1_920, 8_193, 16_000] {
        let class =
            Stream::new().system_class(1, &names[..count]).bytes(&vec![BinaryType::Object.code(); count]);
        let nulls = |stream: Stream| (0..count).fold(stream, |stream, _| stream.null());
        let instances = (2..40)
            .fold(nulls(class), |stream, id| nulls(stream.kind(RecordKind::ClassWithId).int(id).int(1)));
        assert_eq!(instances.end().graph().objects().len(), 39);
    }
}

/// Reading, rendering, writing and dropping take no more stack for it.
#[test]
fn objects_that_lie_a_hundred_thousand_deep_in_one_another_are_read_without_recursion() {
    let nested = (2..100_000).fold(Stream::new().object_holder(1), |stream, id| {
        stream.kind(RecordKind::ClassWithId).int(id).int(1)
    });
    let arrays = (100_000..200_000).fold(nested, |stream, id| stream.object_array(id, 1));
    let stream = arrays.null().end();
    let small_stack = std::thread::Builder::new().stack_size(128 << 10);
    let work = move || {
        let graph = read_within_bounds(&stream.0, Limits::strict()).unwrap();
        assert_eq!(graph.to_bytes(), stream.0);
        assert!(graph.to_string().ends_with(&"}".repeat(199_999)));
        drop(black_box(graph));
    };
    small_stack.spawn(work).unwrap().join().unwrap();
}

#[test]
fn two_members_of_one_name_are_refused() {
    let class = Stream::new().system_class(1, &["b", "a", "c", "a"]);
    class.bytes(&[1, 1, 1, 1]).fails(28, DecodeProblem::DuplicateName);
}

#[test]
fn a_number_of_members_below_0_is_refused() {
    let class = Stream::new().kind(RecordKind::SystemClassWithMembersAndTypes).int(1).text("Class");
    class.int(-1).fails(28, DecodeProblem::LengthOutOfRange(-1));
}

#[test]
fn two_things_with_one_positive_id_are_refused() {
    let taken = DecodeProblem::DuplicateId(1);
    let first = Stream::new().string(1, "x");
    let second = [
        first.clone().string(1, "y"),
        first.clone().empty_class(1),
        first.clone().object_array(1, 0),
        first.clone().primitive_array(1, 0, PrimitiveType::Byte),
        first.clone().array(1, 0, 1),
        first.clone().library(1),
    ];
    for stream in second {
        stream.fails(first.len() + 1, taken);
    }
    let class = Stream::new().empty_class(1);
    class.clone().kind(RecordKind::ClassWithId).int(1).int(1).fails(class.len() + 1, taken);
    Stream::new().library(2).string(2, "x").fails(31, DecodeProblem::DuplicateId(2));
}

#[test]
fn negative_ids_may_come_again() {
    let stream = Stream::new().object_array(1, 3).string(-1, "x").string(-1, "y").reference(-1).end();
    let graph = stream.graph();
    assert_eq!(graph.to_string(), r#"Object[3] {"x", &1 "y", *1}"#);
    assert_eq!(graph.to_bytes(), stream.0);
}

#[test]
fn the_id_0_is_nobodys() {
    let zero = DecodeProblem::ValueOutOfRange;
    Stream::new().string(0, "x").fails(18, zero);
    Stream::new().empty_class(0).fails(18, zero);
    Stream::new().object_array(0, 1).fails(18, zero);
    Stream::new().library(0).fails(18, zero);
    let holder = Stream::new().object_holder(1);
    holder.clone().reference(0).end().fails(holder.len() + 1, DecodeProblem::UnresolvedId(0));
}

#[test]
fn an_instance_needs_a_class_that_has_come_before() {
    let nothing = Stream::new().kind(RecordKind::ClassWithId).int(1);
    nothing.clone().int(2).fails(22, DecodeProblem::UnresolvedId(2));
    nothing.int(1).fails(22, DecodeProblem::UnresolvedId(1));
    for other in [Stream::new().string(2, "x"), Stream::new().library(2), Stream::new().object_array(2, 0)] {
        let instance = other.kind(RecordKind::ClassWithId).int(1);
        instance.clone().int(2).fails(instance.len(), DecodeProblem::UnresolvedId(2));
    }
}

#[test]
fn an_instance_may_name_another_that_had_its_class_from_a_third() {
    let first = Stream::new().object_holder(1).null();
    let second = first.kind(RecordKind::ClassWithId).int(2).int(1).null();
    let third = second.kind(RecordKind::ClassWithId).int(3).int(2).null().end();
    assert_eq!(third.graph().to_bytes(), third.0);
}

#[test]
fn a_class_needs_a_library_that_has_come_before() {
    let class = Stream::new().kind(RecordKind::ClassWithMembersAndTypes).int(1).text("Class").int(0);
    class.clone().int(2).fails(class.len(), DecodeProblem::UnresolvedId(2));
    let no_library = Stream::new().string(2, "x").kind(RecordKind::ClassWithMembersAndTypes);
    let class = no_library.int(1).text("Class").int(0);
    class.clone().int(2).fails(class.len(), DecodeProblem::UnresolvedId(2));
    let member = Stream::new().system_class(1, &["Member"]).bytes(&[BinaryType::Class.code()]).text("Node");
    member.clone().int(2).fails(member.len(), DecodeProblem::UnresolvedId(2));
    let element = Stream::new().array(1, 0, 1).int(0).bytes(&[BinaryType::Class.code()]).text("Node");
    element.clone().int(2).fails(element.len(), DecodeProblem::UnresolvedId(2));
}

#[test]
fn a_reference_leads_to_an_object_that_may_stand_in_its_place() {
    let holder = Stream::new().object_holder(1);
    holder.clone().reference(2).end().fails(holder.len() + 1, DecodeProblem::UnresolvedId(2));
    holder.clone().reference(2).library(2).end().fails(holder.len() + 1, DecodeProblem::UnresolvedId(2));
    assert_eq!(holder.reference(2).string(2, "x").end().graph().objects().len(), 2);

    let string = member_of(&[1], |stream| stream);
    let at = string.len() + 1;
    string.clone().reference(1).end().fails(at, DecodeProblem::UnresolvedId(1));
    string.clone().reference(3).object_array(3, 0).end().fails(at, DecodeProblem::UnresolvedId(3));
    assert_eq!(string.reference(3).string(3, "x").end().graph().objects().len(), 2);

    let array = member_of(&[5], |stream| stream);
    let at = array.len() + 1;
    array.clone().reference(1).end().fails(at, DecodeProblem::UnresolvedId(1));
    array.clone().reference(3).string(3, "x").end().fails(at, DecodeProblem::UnresolvedId(3));
    assert_eq!(array.reference(3).object_array(3, 0).end().graph().objects().len(), 2);

    let class = member_of(&[4], |stream| stream.text("Node").int(2));
    let at = class.len() + 1;
    class.clone().reference(3).string(3, "x").end().fails(at, DecodeProblem::UnresolvedId(3));
    assert_eq!(class.reference(3).empty_class(3).end().graph().objects().len(), 2);
}

#[test]
fn the_root_is_an_object_of_the_stream() {
    Stream::new().end().fails(1, DecodeProblem::UnresolvedId(1));
    Stream::new().string(2, "x").end().fails(1, DecodeProblem::UnresolvedId(1));
    Stream::new().library(1).end().fails(1, DecodeProblem::UnresolvedId(1));
    Stream::with_header(0, -1, 1, 0).string(2, "x").end().fails(1, DecodeProblem::UnresolvedId(0));
}

#[test]
fn nulls_in_a_row_fit_into_their_array() {
    let array = Stream::new().object_array(1, 3).null();
    for count in [3, 0, -1, i32::MAX, i32::MIN] {
        let problem = DecodeProblem::LengthOutOfRange(count.into());
        array.clone().nulls(count).fails(array.len() + 1, problem);
    }
    for count in [0, 3, 255] {
        let few = array.clone().kind(RecordKind::ObjectNullMultiple256).bytes(&[count]);
        few.fails(array.len() + 1, DecodeProblem::LengthOutOfRange(count.into()));
    }
    assert_eq!(array.nulls(2).end().graph().to_string(), "Object[3] {null*3}");
}

#[test]
fn nulls_in_a_row_are_written_as_one_record() {
    let stream = Stream::new().object_array(1, 6).null().nulls(2).string(2, "x");
    let written =
        stream.kind(RecordKind::ObjectNullMultiple256).bytes(&[1]).nulls(1).end().graph().to_bytes();
    let nulls = |stream: Stream, count: u8| stream.kind(RecordKind::ObjectNullMultiple256).bytes(&[count]);
    let expected = nulls(nulls(Stream::new().object_array(1, 6), 3).string(2, "x"), 2).end();
    assert_eq!(written, expected.0);
}

#[test]
fn a_library_between_two_nulls_keeps_its_place() {
    let array =
        Stream::new().library(2).array(1, 0, 1).int(2).bytes(&[BinaryType::Class.code()]).text("Node").int(2);
    let stream = array.null().library(3).null().string(4, "x").end();
    assert_eq!(stream.graph().to_bytes(), stream.0);
}

#[test]
fn text_that_is_not_utf_8_is_refused() {
    let string = Stream::new().kind(RecordKind::BinaryObjectString).int(1);
    string.clone().bytes(&[3, b'x', 0xc3, 0x28]).fails(string.len() + 2, DecodeProblem::InvalidUtf8);
    let name = Stream::new().kind(RecordKind::BinaryLibrary).int(2).bytes(&[1, 0xff]);
    name.fails(23, DecodeProblem::InvalidUtf8);
}

#[test]
fn the_length_of_a_string_has_five_bytes_at_most_and_is_an_int32() {
    let string = Stream::new().kind(RecordKind::BinaryObjectString).int(1);
    string.clone().bytes(&[0x80; 6]).fails(22, DecodeProblem::IntegerTooLong);
    let too_long = DecodeProblem::LengthOutOfRange(0x8000_0000);
    string.clone().bytes(&[0x80, 0x80, 0x80, 0x80, 0x08]).fails(22, too_long);
    assert_eq!(string.bytes(&[0x81, 0x80, 0x00, b'x']).end().graph().to_string(), "\"x\"");
}

#[test]
fn a_char_is_one_utf_16_unit_that_is_no_surrogate() {
    let boxed = |bytes: &[u8]| Stream::new().object_array(1, 1).boxed(PrimitiveType::Char, bytes).end();
    let bad: [&[u8]; 6] = [b"\xed\xa0\x80", b"\xed\xbf\xbf", "😀".as_bytes(), b"\x80", b"\xc3\x28", b"\xff"];
    for bytes in bad {
        let error = boxed(bytes).error();
        assert_eq!((error.offset, error.problem), (28, DecodeProblem::InvalidUtf8), "{bytes:02x?}");
        let array = Stream::new().primitive_array(1, 1, PrimitiveType::Char);
        let error = array.clone().bytes(bytes).bytes(&[0; 9]).error();
        assert_eq!((error.offset, error.problem), (array.len(), DecodeProblem::InvalidUtf8), "{bytes:02x?}");
    }
    for good in ["\0", "é", "你", "\u{ffff}"] {
        assert_eq!(boxed(good.as_bytes()).graph().to_bytes(), boxed(good.as_bytes()).0);
    }
}

#[test]
fn a_decimal_is_a_number_of_96_bits_in_at_most_256_bytes() {
    let boxed = |text: &str| {
        let start = Stream::new().object_array(1, 1).boxed(PrimitiveType::Decimal, &[]);
        let length = text.len();
        let prefix =
            if length < 128 { vec![length as u8] } else { vec![length as u8 | 0x80, (length >> 7) as u8] };
        start.bytes(&prefix).bytes(text.as_bytes()).end()
    };
    let bad = [
        "",
        "-",
        ".",
        "1.",
        ".5",
        "1e5",
        "+1",
        " 1",
        "1,000",
        "--1",
        "1.2.3",
        "١",
        "79228162514264337593543950336",
    ];
    for text in bad {
        boxed(text).fails(29, DecodeProblem::ValueOutOfRange);
    }
    boxed(&format!("0.{}", "0".repeat(29))).fails(29, DecodeProblem::ValueOutOfRange);
    boxed(&"0".repeat(257)).fails(28, DecodeProblem::LengthOutOfRange(257));
    assert_eq!(boxed(&"0".repeat(256)).graph().to_string(), "Object[1] {Decimal 0}");
    for text in ["0", "-79228162514264337593543950335", "0.0000000000000000000000000001", "1.10"] {
        assert_eq!(boxed(text).graph().to_bytes(), boxed(text).0, "{text}");
    }
}

#[test]
fn a_time_ends_with_the_year_9999() {
    let boxed = |bits: u64| {
        Stream::new().object_array(1, 1).boxed(PrimitiveType::DateTime, &bits.to_le_bytes()).end()
    };
    let last = 3_155_378_975_999_999_999;
    for kind in 0..4 {
        boxed((last + 1) | (kind << 62)).fails(28, DecodeProblem::ValueOutOfRange);
    }
    // Kind 3: the second of two, when summer time ends.
    let again = boxed(last | (3 << 62));
    assert_eq!(again.graph().to_string(), "Object[1] {DateTime 9999-12-31 23:59:59.9999999 LocalAgain}");
    assert_eq!(again.graph().to_bytes(), again.0);
}

#[test]
fn a_boolean_is_true_unless_it_is_0() {
    let boxed = |byte: u8| Stream::new().object_array(1, 1).boxed(PrimitiveType::Boolean, &[byte]).end();
    assert_eq!(boxed(2).graph().to_bytes(), boxed(1).0);
}

#[test]
fn a_message_says_one_thing_of_each_part_and_comes_once() {
    let call = |flags: i32| Stream::with_header(0, 0, 1, 0).kind(RecordKind::MethodCall).int(flags);
    let error = |stream: Stream| read_within_bounds(&stream.0, Limits::all()).unwrap_err();
    for flags in [0x3, 0x30, 0x1800, 0x0200, 0x2000, 0x4000, 0x1_0000, -1] {
        let expected = DecodeError { offset: 18, problem: DecodeProblem::ValueOutOfRange };
        assert_eq!(error(call(flags)), expected, "{flags:x}");
    }
    let whole = call(0x11).bytes(&[18]).text("Method").bytes(&[18]).text("Type");
    assert_eq!(whole.clone().end().graph().to_bytes(), whole.clone().end().0);
    let problem = DecodeProblem::UnexpectedTag(RecordKind::MethodReturn.code());
    assert_eq!(
        error(whole.clone().kind(RecordKind::MethodReturn)),
        DecodeError { offset: whole.len(), problem }
    );
    let no_string = DecodeError { offset: 22, problem: DecodeProblem::UnexpectedTag(8) };
    assert_eq!(error(call(0x11).bytes(&[8])), no_string);
}

#[test]
fn a_message_has_its_parts_in_order() {
    let part = |stream: Stream, text: &str| stream.bytes(&[18]).text(text);
    let start = Stream::with_header(0, 0, 1, 0).kind(RecordKind::MethodReturn).int(0x0822);
    let value = start.bytes(&[PrimitiveType::Null.code()]);
    let arguments = part(value, "context").int(2).bytes(&[PrimitiveType::Byte.code(), 9]);
    let stream = part(arguments, "argument").end();
    let graph = stream.graph();
    assert_eq!(graph.to_string(), r#"return null(Byte 9, "argument") in "context""#);
    assert_eq!(graph.to_bytes(), stream.0);
}

/// Knows one primitive member.
struct OneMember;

impl Guide for OneMember {
    fn primitive_member(&mut self, class: &str, member: &str) -> Option<PrimitiveType> {
        (class == "Point" && member == "X").then_some(PrimitiveType::Int32)
    }
}

#[test]
fn primitives_without_a_type_need_a_guide() {
    let point = Stream::new().library(2).kind(RecordKind::ClassWithMembers).int(1).text("Point");
    let stream = point.int(2).text("X").text("Y").int(2).int(99).null().end();
    let problem = DecodeProblem::UnexpectedTag(99);
    let error = DecodeError { offset: stream.len() - 6, problem };
    assert_eq!(read(&stream.0, Limits::all()).unwrap_err(), error);
    let graph = read_guided(&stream.0, Limits::all(), &mut OneMember).unwrap();
    let Content::Instance(point) = &graph.root().unwrap().content else { panic!() };
    assert_eq!(graph.member(point, "X"), Some(&Value::Primitive(Primitive::Int32(99))));
    assert_eq!(graph.to_bytes(), stream.0);
}

#[test]
fn nothing_but_the_runs_of_an_array_is_kept_of_its_nulls() {
    let graph = Stream::new().object_array(1, MAX_LENGTH).nulls(MAX_LENGTH).end().graph();
    let Content::Array(array) = &graph.root().unwrap().content else { panic!() };
    assert_eq!(array.shape.len(), MAX_LENGTH as u64);
    assert!(matches!(&array.elements, Elements::Values(runs) if runs.len() == 1));
}
