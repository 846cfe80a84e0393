//! The bytes of `protobuf` and of `protobuf-net`: those of Google's encoder, and each codec reads what the other wrote.

use std::borrow::Borrow;
use std::fmt::Debug;
use std::io::{self, BufReader, Cursor, ErrorKind, Read, Write};

use alloclab::codec::dotnet::MemoryStream;
use alloclab::codec::protobuf::{DemoListMessage, Mirror, PayloadMessage};
use alloclab::codec::protobuf_net::{self, ProtoContract, ProtoRoot, RuntimeTypeModel};
use alloclab::codec::{self, DecodeError, DecodeProblem, Operation, Request, Variant};
use alloclab::model::{
    CONTACT, Contact, DEMOS, DateTime, DateTimeKind, Demo, DemoSub, MAX_TICKS, ModelKind, NestedModel,
    Payload, SimpleModel, TICKS_PER_SECOND, UNIX_EPOCH_TICKS, User,
};
use alloclab::proto_contract;
use prost::Message;

/// Bytes of the list of 10,000 objects, as published (1760.84 KiB).
const DEMO_BYTES: usize = 1_803_104;

fn golden(name: &str) -> Vec<u8> {
    let path = format!("{}/fixtures/golden/protobuf/{name}.pb", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).unwrap()
}

fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<char> = text.chars().filter(|char| !char.is_whitespace()).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap()).collect()
}

fn at(unix_ticks: u64) -> DateTime {
    DateTime::from_ticks(UNIX_EPOCH_TICKS + unix_ticks, DateTimeKind::Unspecified).unwrap()
}

/// 1971-12-20 18:30:45.123.
fn lamar() -> User {
    User {
        id: 1,
        gender: 0,
        first_name: "Lamar".to_owned(),
        last_name: "Quigley".to_owned(),
        email: "Lamar.Quigley@example.com".to_owned(),
        birth_date: at(62_101_845 * TICKS_PER_SECOND + 1_230_000),
        company: "Quigley Group".to_owned(),
        phone: "1-555-010-0101".to_owned(),
        website: "lamar.example.net".to_owned(),
        ssn: "123-45-6781".to_owned(),
    }
}

/// 1986-05-17.
fn rosa() -> User {
    User {
        id: 2,
        gender: 1,
        first_name: "Rosa".to_owned(),
        last_name: "Ondricka".to_owned(),
        email: "Rosa_Ondricka4@example.org".to_owned(),
        birth_date: at(516_672_000 * TICKS_PER_SECOND),
        company: "Ondricka and Sons".to_owned(),
        phone: "(555) 010-0102 x42".to_owned(),
        website: "rosa.example.net".to_owned(),
        ssn: "123-45-6782".to_owned(),
    }
}

/// protobuf-net writes these bytes and reads them, from an array and from a stream that hands out little at a time.
#[track_caller]
fn assert_protobuf_net<T>(value: &T, golden: &[u8])
where
    T: ProtoRoot<Owned: Borrow<T> + Debug> + PartialEq + Debug + ?Sized,
{
    assert_eq!(protobuf_net::to_vec(value), golden);
    assert_eq!(protobuf_net::from_slice::<T>(golden).unwrap().borrow(), value);
    for window in [1, 7, 1_024] {
        let stream = BufReader::with_capacity(window, golden);
        assert_eq!(protobuf_net::from_reader::<T>(stream).unwrap().borrow(), value);
    }
}

/// prost writes these bytes and reads them.
#[track_caller]
fn assert_protobuf<T: Mirror<Message: PartialEq + Debug> + ?Sized>(value: &T, golden: &[u8]) {
    let message = value.to_message();
    assert_eq!(message.encode_to_vec(), golden);
    assert_eq!(T::Message::decode(golden).unwrap(), message);
}

#[track_caller]
fn assert_both<T>(value: &T, name: &str)
where
    T: Mirror<Message: PartialEq + Debug> + ProtoContract + PartialEq + Debug,
{
    assert_protobuf(value, &golden(name));
    assert_protobuf_net(value, &golden(name));
}

#[test]
fn the_contact_has_googles_bytes() {
    assert_both(&*CONTACT, "testpb");
    assert_eq!(golden("testpb").len(), 49);
}

#[test]
fn objects_have_googles_bytes() {
    assert_both(&Demo::sample(0), "demo_0");
    assert_both(&Demo::sample(12_345), "demo_12345");
    assert_both(&Demo::sample(-1), "demo_minus1");
}

#[test]
fn a_list_is_an_object_with_the_items_as_its_first_field() {
    let demos = [0, 2, 12_345].map(Demo::sample);
    assert_protobuf(&demos[..], &golden("demo_array"));
    assert_protobuf_net(&demos[..], &golden("demo_array"));
}

#[test]
fn users_have_the_bytes_of_protobuf_net() {
    assert_protobuf_net(&lamar(), &golden("user_1.net"));
    assert_protobuf_net(&rosa(), &golden("user_2.net"));
    assert_protobuf_net(&[lamar(), rosa()][..], &golden("user_list.net"));
}

#[test]
fn users_have_googles_bytes() {
    assert_protobuf(&lamar(), &golden("user_1.stamp"));
    assert_protobuf(&rosa(), &golden("user_2.stamp"));
}

#[test]
fn ten_thousand_objects_have_the_published_size_and_the_same_bytes_in_both_codecs() {
    let demos = &DEMOS[..];
    let google = demos.to_message().encode_to_vec();
    let net = protobuf_net::to_vec(demos);
    assert_eq!(google.len(), DEMO_BYTES);
    assert!(net == google, "protobuf-net writes other bytes");
    assert!(protobuf_net::from_slice::<[Demo]>(&google).unwrap() == demos);
    assert!(DemoListMessage::decode(&net[..]).unwrap() == demos.to_message());
}

#[test]
fn every_case_says_the_published_size() {
    let cases =
        [("protobuf", Variant::Array), ("protobuf-net", Variant::Array), ("protobuf-net", Variant::V3)];
    for (codec, variant) in cases {
        for operation in Operation::ALL {
            let request = Request { model: ModelKind::Demo, operation, variant, batch: 1 };
            let prepared = codec::find(codec).unwrap().prepare(&request).unwrap();
            assert_eq!(prepared.encoded_bytes, DEMO_BYTES as u64, "{codec} {request:?}");
        }
    }
}

#[test]
fn version_2_writes_the_same_bytes_through_its_model() {
    let mut model = RuntimeTypeModel::default();
    model.add::<Demo>();
    model.add::<Contact>();
    let mut stream = MemoryStream::new();
    model.serialize(&mut stream, &*CONTACT).unwrap();
    assert_eq!(stream.written(), golden("testpb"));
    let unknown = model.serialize(&mut stream, &DemoSub::default()).unwrap_err();
    assert_eq!(unknown.kind(), ErrorKind::InvalidInput);
    assert!(unknown.to_string().ends_with("model::demo::DemoSub`: add it with `add`"), "{unknown}");
}

#[test]
fn every_model_reads_back() {
    let payload = Payload::sample(1_024);
    assert_protobuf_net(&payload, &protobuf_net::to_vec(&payload));
    let unspecified = |model: SimpleModel| SimpleModel {
        created_at: DateTime::from_ticks(model.created_at.ticks(), DateTimeKind::Unspecified).unwrap(),
        ..model
    };
    let simple = unspecified(SimpleModel::sample());
    assert_protobuf_net(&simple, &protobuf_net::to_vec(&simple));
    let nested = NestedModel { inner: Some(simple), ..NestedModel::sample() };
    assert_protobuf_net(&nested, &protobuf_net::to_vec(&nested));
}

#[test]
fn each_codec_reads_numbers_the_way_the_other_writes_them() {
    let payload = Payload::sample(16);
    let unpacked = protobuf_net::to_vec(&payload);
    let packed = payload.to_message().encode_to_vec();
    assert_eq!(unpacked.len() - packed.len(), 14, "a tag for each number in place of one tag and one length");
    assert_eq!(PayloadMessage::decode(&unpacked[..]).unwrap(), payload.to_message());
    assert_eq!(protobuf_net::from_slice::<Payload>(&packed).unwrap(), payload);
    let stream = BufReader::with_capacity(3, &packed[..]);
    assert_eq!(protobuf_net::from_reader::<Payload>(stream).unwrap(), payload);
}

#[test]
fn empty_text_is_written_and_no_text_is_not() {
    let empty = DemoSub { p3: Some(String::new()), ..DemoSub::default() };
    assert_protobuf_net(&empty, &[0x1a, 0]);
    assert_protobuf_net(&DemoSub::default(), &[]);
    assert_protobuf(&empty, &[]);
}

#[test]
fn zeros_are_left_out_but_in_lists_of_numbers() {
    let payload = Payload { id: 0, name: String::new(), items: vec![0, -1] };
    assert_protobuf_net(&payload, &unhex("12 00  18 00  18 ffffffffffffffffff01"));
    let minus_zero = DemoSub { p4: -0.0, ..DemoSub::default() };
    assert!(protobuf_net::to_vec(&minus_zero).is_empty());
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Moment {
    at: DateTime,
}
proto_contract!(Moment { 1 => at });

#[test]
fn an_instant_is_counted_in_the_largest_unit_that_is_exact() {
    let moment = |ticks| Moment { at: at(ticks) };
    let day = 86_400 * TICKS_PER_SECOND;
    assert_protobuf_net(&moment(0), &unhex("0a 00"));
    assert_protobuf_net(&moment(day), &unhex("0a 02 08 02"));
    assert_protobuf_net(&moment(day / 24), &unhex("0a 04 08 02 10 01"));
    assert_protobuf_net(&moment(60 * TICKS_PER_SECOND), &unhex("0a 04 08 02 10 02"));
    assert_protobuf_net(&moment(TICKS_PER_SECOND), &unhex("0a 04 08 02 10 03"));
    assert_protobuf_net(&moment(TICKS_PER_SECOND / 1_000), &unhex("0a 04 08 02 10 04"));
    assert_protobuf_net(&moment(1), &unhex("0a 04 08 02 10 05"));
    let before = DateTime::from_ticks(UNIX_EPOCH_TICKS - 1, DateTimeKind::Unspecified).unwrap();
    assert_protobuf_net(&Moment { at: before }, &unhex("0a 04 08 01 10 05"));
}

#[test]
fn the_first_and_the_last_instant_have_a_unit_of_their_own() {
    assert_protobuf_net(&Moment { at: DateTime::MIN }, &unhex("0a 04 08 01 10 0f"));
    let last = DateTime::from_ticks(MAX_TICKS, DateTimeKind::Unspecified).unwrap();
    assert_protobuf_net(&Moment { at: last }, &unhex("0a 04 08 02 10 0f"));
}

#[test]
fn the_kind_of_an_instant_is_read_where_it_is_written() {
    let kind = |bytes: &str| protobuf_net::from_slice::<Moment>(&unhex(bytes)).map(|moment| moment.at.kind());
    assert_eq!(kind("0a 02 18 01"), Ok(DateTimeKind::Utc));
    assert_eq!(kind("0a 02 18 02"), Ok(DateTimeKind::Local));
    let out_of_range = DecodeError { offset: 0, problem: DecodeProblem::ValueOutOfRange };
    assert_eq!(kind("0a 02 18 03"), Err(out_of_range));
    assert_eq!(kind("0a 02 10 06"), Err(out_of_range), "a unit that does not exist");
}

#[test]
fn numbers_may_come_in_any_width() {
    let read = |bytes: &str| protobuf_net::from_slice::<DemoSub>(&unhex(bytes)).unwrap();
    assert_eq!(read("0d ffffffff").p1, -1);
    assert_eq!(read("09 feffffffffffffff").p1, -2);
    assert_eq!(read("08 ffffffff0f").p1, -1, "32 bits are enough for a negative number");
    assert_eq!(read("2d 07000000").p5, 7);
    assert_eq!(read("25 0000803f").p4, 1.0);
}

#[test]
fn fields_that_belong_to_no_member_are_passed_over() {
    let unknown = "38 96 01  41 0000000000000000  4d 00000000  52 03 616263  5b 08 01 5c";
    let unknown = unhex(unknown);
    let bytes = [&unknown[..], &golden("demo_0"), &unknown].concat();
    assert_eq!(protobuf_net::from_slice::<Demo>(&bytes).unwrap(), Demo::sample(0));
    let stream = BufReader::with_capacity(5, &bytes[..]);
    assert_eq!(protobuf_net::from_reader::<Demo>(stream).unwrap(), Demo::sample(0));
}

#[test]
fn an_object_may_come_as_a_group_and_in_parts() {
    let group = unhex("1b  08 07  1c  20 09");
    let nested = protobuf_net::from_slice::<NestedModel>(&group).unwrap();
    assert_eq!((nested.inner.unwrap().id, nested.timestamp), (7, 9));
    let parts = unhex("1a 02 08 07  1a 02 18 01");
    let inner = protobuf_net::from_slice::<NestedModel>(&parts).unwrap().inner.unwrap();
    assert_eq!((inner.id, inner.is_active), (7, true));
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Page {
    text: String,
    child: Option<Box<Page>>,
}
proto_contract!(Page { 1 => text, 2 => child });

#[derive(Clone, PartialEq, Message)]
struct PageMessage {
    #[prost(string, tag = "1")]
    text: String,
    #[prost(message, optional, boxed, tag = "2")]
    child: Option<Box<PageMessage>>,
}

/// Lengths of one, two and three bytes, within the buffer and beyond.
#[test]
fn objects_of_every_size_have_the_bytes_of_the_oracle() {
    for length in [0, 1, 120, 127, 128, 129, 1_000, 1_023, 1_024, 1_025, 16_383, 16_384, 70_000] {
        let text = "x".repeat(length);
        let leaf = Page { text: text.clone(), child: None };
        let root = Page { text: "root".to_owned(), child: Some(Box::new(leaf)) };
        let leaf = PageMessage { text, child: None };
        let message = PageMessage { text: "root".to_owned(), child: Some(Box::new(leaf)) };
        let bytes = protobuf_net::to_vec(&root);
        assert!(length == 0 || bytes == message.encode_to_vec(), "{length}");
        assert_protobuf_net(&root, &bytes);
    }
}

/// A stream that takes or gives so many bytes and then fails.
struct Failing(usize);

impl Write for Failing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Failing {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = bytes.len().min(self.0);
        if count == 0 {
            return Err(ErrorKind::ConnectionReset.into());
        }
        bytes[..count].fill(0x0a);
        self.0 -= count;
        Ok(count)
    }
}

#[test]
fn the_error_of_a_stream_comes_through() {
    let error = protobuf_net::to_writer(&mut Failing(100_000), &DEMOS[..]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StorageFull);
    let stream = BufReader::with_capacity(16, Failing(9));
    let error = protobuf_net::from_reader::<Contact>(stream).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);
    let error = protobuf_net::from_reader::<Contact>(Cursor::new([0x0a, 2, b'x'])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    assert!(error.get_ref().unwrap().is::<DecodeError>());
}
