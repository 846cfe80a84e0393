//! JSON as System.Text.Json and Newtonsoft.Json write it, to the byte.

use std::fmt::Debug;

use alloclab::codec::{self, Operation, Request, Variant, json, json_dom};
use alloclab::model::{
    CONTACT, DEMOS, DateTime, DateTimeKind, Demo, DemoSub, FAST, ModelKind, NESTED, PAYLOAD_1024, Payload,
    SIMPLE, SimpleModel, User,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn system<T: Serialize + ?Sized>(value: &T) -> String {
    let mut bytes = Vec::new();
    json::to_writer(&mut bytes, value).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn newtonsoft<T: Serialize + ?Sized>(value: &T) -> String {
    let mut bytes = Vec::new();
    json_dom::to_writer(&mut bytes, value).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Read back by all three: the two readers, and serde_json as it is.
#[track_caller]
fn assert_read<T: DeserializeOwned + PartialEq + Debug>(text: &str, value: &T) {
    assert_eq!(json::from_slice::<T>(text.as_bytes()).unwrap(), *value);
    assert_eq!(json_dom::from_slice::<T>(text.as_bytes()).unwrap(), *value);
    assert_eq!(serde_json::from_str::<T>(text).unwrap(), *value);
}

#[track_caller]
fn assert_texts<T>(value: &T, by_system: &str, by_newtonsoft: &str)
where
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    assert_eq!(system(value), by_system);
    assert_eq!(newtonsoft(value), by_newtonsoft);
    assert_read(by_system, value);
    assert_read(by_newtonsoft, value);
}

#[test]
fn a_model_has_its_members_by_their_names_in_the_order_of_their_declaration() {
    let (by_system, by_newtonsoft) = (
        r#"{"Id":42,"Name":"NewLife","IsActive":true,"CreatedAt":"2025-01-01T00:00:00Z","Score":99.5}"#,
        r#"{"Id":42,"Name":"NewLife","IsActive":true,"CreatedAt":"2025-01-01T00:00:00Z","Score":99.5}"#,
    );
    assert_texts(&*SIMPLE, by_system, by_newtonsoft);
    let contact = r#"{"Email":"alice.lee@test.io","FirstName":"alice","LastName":"lee","ID":3456,"Phone":"15550100123","Type":67}"#;
    assert_texts(&*CONTACT, contact, contact);
    let nested = format!(r#"{{"Id":1,"Title":"Hello World","Inner":{by_system},"Timestamp":1772332800}}"#);
    assert_texts(&*NESTED, &nested, &nested);
    assert_eq!(system(&*FAST), by_system);
}

#[test]
fn whole_numbers_have_a_point_in_newtonsofts_text_alone() {
    let demo = Demo { subs: Some(vec![DemoSub { p3: None, ..DemoSub::sample(3) }]), ..Demo::sample(2) };
    assert_texts(
        &demo,
        r#"{"P1":2,"P2":true,"P3":"Hello World 2","P4":2,"P5":2,"Subs":[{"P1":3,"P2":false,"P3":null,"P4":3,"P5":3}]}"#,
        r#"{"P1":2,"P2":true,"P3":"Hello World 2","P4":2.0,"P5":2,"Subs":[{"P1":3,"P2":false,"P3":null,"P4":3.0,"P5":3}]}"#,
    );
    let without = Demo { p3: None, subs: None, ..Demo::sample(0) };
    assert_texts(
        &without,
        r#"{"P1":0,"P2":true,"P3":null,"P4":0,"P5":0,"Subs":null}"#,
        r#"{"P1":0,"P2":true,"P3":null,"P4":0.0,"P5":0,"Subs":null}"#,
    );
}

#[test]
fn floating_point_numbers_have_the_shortest_form_of_dotnet() {
    for (number, by_system, by_newtonsoft) in [
        (-0.0, "-0", "-0.0"),
        (0.5, "0.5", "0.5"),
        (1e14, "100000000000000", "100000000000000.0"),
        (1e15, "1E+15", "1E+15"),
        (1.5e-5, "1.5E-05", "1.5E-05"),
        (1e-4, "0.0001", "0.0001"),
        (9_007_199_254_740_992.0, "9007199254740992", "9007199254740992.0"),
        (1e16, "1E+16", "1E+16"),
        (f64::MAX, "1.7976931348623157E+308", "1.7976931348623157E+308"),
    ] {
        assert_texts(&number, by_system, by_newtonsoft);
    }
}

#[test]
fn numbers_that_are_none_are_refused_or_quoted() {
    for (number, text) in [(f64::NAN, "NaN"), (f64::INFINITY, "Infinity"), (f64::NEG_INFINITY, "-Infinity")] {
        let model = SimpleModel { score: number, ..SimpleModel::default() };
        assert!(json::to_writer(Vec::new(), &model).is_err());
        assert!(json::to_writer(Vec::new(), &[Some(number)]).is_err());
        assert!(newtonsoft(&model).ends_with(&format!(r#""Score":"{text}"}}"#)));
    }
}

#[test]
fn system_text_json_escapes_all_but_harmless_ascii() {
    let mut expected = String::new();
    for byte in 0..=0x7f_u8 {
        match byte {
            0x08 => expected.push_str(r"\b"),
            b'\t' => expected.push_str(r"\t"),
            b'\n' => expected.push_str(r"\n"),
            0x0c => expected.push_str(r"\f"),
            b'\r' => expected.push_str(r"\r"),
            b'\\' => expected.push_str(r"\\"),
            0..=0x1f | 0x7f | b'"' | b'&' | b'\'' | b'+' | b'<' | b'>' | b'`' => {
                expected.push_str(&format!("\\u{byte:04X}"));
            }
            _ => expected.push(byte.into()),
        }
    }
    let ascii: String = (0..=0x7f_u8).map(char::from).collect();
    assert_eq!(system(&ascii), format!("\"{expected}\""));
    assert_read(&system(&ascii), &ascii);
    let beyond = "é€\u{85}\u{2028}😀 /".to_owned();
    assert_eq!(system(&beyond), r#""\u00E9\u20AC\u0085\u2028\uD83D\uDE00 /""#);
    assert_read(&system(&beyond), &beyond);
}

#[test]
fn newtonsoft_escapes_quotes_controls_and_ends_of_lines() {
    let text = "\"\\\u{8}\t\n\u{c}\r\u{0}\u{1f}\u{7f}'+<>&`/é😀\u{85}\u{2028}\u{2029}\u{2027}".to_owned();
    let expected = r#""\"\\\b\t\n\f\r\u0000\u001f"#.to_owned()
        + "\u{7f}'+<>&`/é😀"
        + r"\u0085\u2028\u2029"
        + "\u{2027}\"";
    assert_eq!(newtonsoft(&text), expected);
    assert_read(&expected, &text);
}

#[test]
fn times_are_text_of_iso_8601_whose_plus_is_not_escaped() {
    let ticks = 638_712_864_001_234_500;
    for (kind, text) in [
        (DateTimeKind::Unspecified, r#""2025-01-01T00:00:00.12345""#),
        (DateTimeKind::Utc, r#""2025-01-01T00:00:00.12345Z""#),
        (DateTimeKind::Local, r#""2025-01-01T00:00:00.12345+00:00""#),
    ] {
        assert_texts(&DateTime::from_ticks(ticks, kind).unwrap(), text, text);
    }
    let user = User {
        first_name: "1+1".to_owned(),
        birth_date: DateTime::from_ticks(0, DateTimeKind::Local).unwrap(),
        company: "2+2".to_owned(),
        ..User::default()
    };
    assert_eq!(
        system(&user),
        r#"{"Id":0,"Gender":0,"FirstName":"1\u002B1","LastName":"","Email":"","BirthDate":"0001-01-01T00:00:00+00:00","Company":"2\u002B2","Phone":"","Website":"","SSN":""}"#
    );
    assert_read(&system(&user), &user);
}

#[test]
fn names_are_told_by_their_case_and_unknown_ones_are_passed_over() {
    let text = br#" { "id" : 1 , "Items" : [ 1 , 2 ] , "More" : { "a" : [ { } , null , 1e400 ] } } "#;
    let whole: Result<Payload, _> = json::from_slice(text);
    assert!(whole.is_err(), "1e400 is no double");
    let text = br#" { "id" : 1 , "Items" : [ 1 , 2 ] , "More" : { "a" : [ { } , null , 1e40 ] } } "#;
    let payload = Payload { items: vec![1, 2], ..Payload::default() };
    assert_eq!(json::from_slice::<Payload>(text).unwrap(), payload);
    assert_eq!(json_dom::from_slice::<Payload>(text).unwrap(), payload);
}

#[test]
fn the_last_of_several_members_of_one_name_counts() {
    let text = br#"[{"P1":1,"Subs":[{"P1":2,"P1":3}],"P1":4,"P3":"a","P3":null}]"#;
    let sub = DemoSub { p1: 3, ..DemoSub::default() };
    let demo = Demo { p1: 4, subs: Some(vec![sub]), ..Demo::default() };
    assert_eq!(json::from_slice::<Vec<Demo>>(text).unwrap(), std::slice::from_ref(&demo));
    assert_eq!(json_dom::from_slice::<Vec<Demo>>(text).unwrap(), [demo]);
}

#[test]
fn lists_of_every_length_are_read() {
    for length in [0, 1, 3, 4, 5, 8, 9, 1_000] {
        let payload = Payload::sample(length);
        assert_read(&system(&payload), &payload);
    }
    assert_read(&system(&*DEMOS), &*DEMOS);
    assert_read(&newtonsoft(&DEMOS[..100]), &DEMOS[..100].to_vec());
    assert_eq!(system(&*PAYLOAD_1024), newtonsoft(&*PAYLOAD_1024));
}

#[test]
fn sizes_are_those_of_the_write_ups() {
    let bytes = |model| {
        let request = Request { model, operation: Operation::Serialize, variant: Variant::Array, batch: 1 };
        codec::find("json").unwrap().prepare(&request).unwrap().encoded_bytes
    };
    assert_eq!(bytes(ModelKind::Payload16), 196);
    assert_eq!(bytes(ModelKind::Payload128), 713);
    assert_eq!(bytes(ModelKind::Payload1024), 5_628);
    assert_eq!(bytes(ModelKind::Demo), 3_392_801);
}

#[test]
fn the_version_that_is_named_is_the_one_that_is_linked() {
    let lock = include_str!("../../Cargo.lock");
    for codec in ["json", "json-dom", "messagepack-lz4"] {
        for part in codec::find(codec).unwrap().implementation().split(", ") {
            let (name, version) = part.split_once(' ').unwrap();
            let entry = format!("name = \"{name}\"\nversion = \"{version}\"\n");
            assert!(lock.contains(&entry), "{part}");
        }
    }
}
