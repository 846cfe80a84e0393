//! Payloads that BinaryFormatter wrote (Mono 6.8, from Microsoft's reference source): each reads to the graph that was
//! serialized, and is written again byte for byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use alloclab::codec::nrbf::{
    ArrayKind, Content, Elements, Graph, Guide, Instance, Limits, Primitive, PrimitiveType, Primitives,
    RecordKind, Value, ValueType, read, read_guided,
};
use alloclab::model::Decimal;

const USERS: [&str; 3] = [
    r#"Models.User {<Id>k__BackingField=1, <Gender>k__BackingField=0, <FirstName>k__BackingField="Lamar", <LastName>k__BackingField="Quigley", <Email>k__BackingField="Lamar.Quigley@example.com", <BirthDate>k__BackingField=1971-12-20 18:30:45.123 Local, <Company>k__BackingField="Quigley Group", <Phone>k__BackingField="1-555-010-0101", <Website>k__BackingField="lamar.example.net", <SSN>k__BackingField="123-45-6781"}"#,
    r#"Models.User {<Id>k__BackingField=2, <Gender>k__BackingField=1, <FirstName>k__BackingField="Rosa", <LastName>k__BackingField="Ondricka", <Email>k__BackingField="Rosa_Ondricka4@example.org", <BirthDate>k__BackingField=1986-05-17 00:00:00 Unspecified, <Company>k__BackingField="Ondricka and Sons", <Phone>k__BackingField="(555) 010-0102 x42", <Website>k__BackingField="rosa.example.net", <SSN>k__BackingField="123-45-6782"}"#,
    r#"Models.User {<Id>k__BackingField=3, <Gender>k__BackingField=1, <FirstName>k__BackingField="Zoë", <LastName>k__BackingField="Müller", <Email>k__BackingField="zoe.mueller@example.com", <BirthDate>k__BackingField=2000-02-29 23:59:59 Utc, <Company>k__BackingField="Müller LLC", <Phone>k__BackingField="555.010.0103", <Website>k__BackingField="zoe.example.net", <SSN>k__BackingField="123-45-6783"}"#,
];

const SIMPLE: &str = r#"Models.SimpleModel {<Id>k__BackingField=12345, <Name>k__BackingField="SimpleModel", <Enabled>k__BackingField=true, <CreateTime>k__BackingField=2024-01-02 03:04:05 Unspecified, <Score>k__BackingField=98.75}"#;

/// Two payloads of another program, whose assembly is `nrbf`.
const OTHER_FIELDS: &str = "\
    0001000000ffffffff01000000000000000c020000003b6e7262662c2056657273696f6e3d302e302e302e302c2043756c74 \
    7572653d6e65757472616c2c205075626c69634b6579546f6b656e3d6e756c6c05010000000c542e546573744669656c6473 \
    0600000005456d61696c0946697273744e616d65084c6173744e616d650249440550686f6e65045479706501010100010008 \
    0802000000060300000011616c6963652e6c656540746573742e696f060400000005616c6963650605000000036c6565800d \
    000006060000000b3135353530313030313233430000000b";
const OTHER_PROPERTIES: &str = "\
    0001000000ffffffff01000000000000000c020000003b6e7262662c2056657273696f6e3d302e302e302e302c2043756c74 \
    7572653d6e65757472616c2c205075626c69634b6579546f6b656e3d6e756c6c05010000000c542e54657374446f744e6574 \
    06000000163c456d61696c3e6b5f5f4261636b696e674669656c641a3c46697273744e616d653e6b5f5f4261636b696e6746 \
    69656c64193c4c6173744e616d653e6b5f5f4261636b696e674669656c64133c49443e6b5f5f4261636b696e674669656c64 \
    163c50686f6e653e6b5f5f4261636b696e674669656c64153c547970653e6b5f5f4261636b696e674669656c640101010001 \
    00080802000000060300000011616c6963652e6c656540746573742e696f060400000005616c6963650605000000036c6565 \
    800d000006060000000b3135353530313030313233430000000b";

/// What each payload says, in the words of the manifest but for the private members of the runtime's own classes.
const SHORT: &[(&str, &str)] = &[
    (
        "testdotnet_props",
        r#"Models.TestDotNet {<Email>k__BackingField="alice.lee@test.io", <FirstName>k__BackingField="alice", <LastName>k__BackingField="lee", <ID>k__BackingField=3456, <Phone>k__BackingField="15550100123", <Type>k__BackingField=67}"#,
    ),
    (
        "testdotnet_fields",
        r#"Models.TestDotNetFields {Email="alice.lee@test.io", FirstName="alice", LastName="lee", ID=3456, Phone="15550100123", Type=67}"#,
    ),
    ("simple_model", SIMPLE),
    ("string_empty", r#""""#),
    ("string_ascii", r#""Hello, world""#),
    ("string_nonascii", "\"héllo Привет 你好 \u{1f600} \\0end\""),
    ("top_int", "System.Int32 {m_value=42}"),
    ("top_bool", "System.Boolean {m_value=true}"),
    ("top_double", "System.Double {m_value=-0.1}"),
    // 2 to the power of 96, less 1, divided by 10 to the power of 15: the flags have the 15 in bits 16 to 23.
    ("top_decimal", "System.Decimal {flags=983040, hi=-1, lo=-1, mid=-1}"),
    // 2024-02-29 12:34:56.789; UTC sets bit 62.
    ("datetime_unspecified", "System.DateTime {ticks=638448068967890000, dateData=638448068967890000}"),
    ("datetime_utc", "System.DateTime {ticks=638448068967890000, dateData=5250134087395277904}"),
    ("timespan", "System.TimeSpan {_ticks=937840050000}"),
    (
        "guid",
        "System.Guid {_a=1122867, _b=17493, _c=26231, _d=136, _e=153, _f=170, _g=187, _h=204, _i=221, _j=238, _k=255}",
    ),
    ("version", "System.Version {_Major=1, _Minor=2, _Build=3, _Revision=4}"),
    ("dbnull", r#"System.UnitySerializationHolder {Data=null, UnityType=2, AssemblyName=""}"#),
    (
        "all_prims",
        r#"Models.AllPrims {Flag=true, U8=200, I8=-100, I16=-30000, U16=60000, I32=-2000000000, U32=4000000000, I64=-9000000000000000000, U64=18000000000000000000, Letter='é', Single=1.5, Double=3.141592653589793, Money=123.4500, Span=12345678901 ticks, When=1999-12-31 23:59:59 Utc, Text="all"}"#,
    ),
    (
        "null_members",
        "Models.NullHolder {Any=null, Text=null, Numbers=null, Texts=null, Things=null, Items=null, Link=null, Sys=null}",
    ),
    (
        "every_member_type",
        r#"Models.EveryMemberType {Primitive=1, Text="two", Any=Int32 3, SystemClass=System.Version {_Major=4, _Minor=5, _Build=-1, _Revision=-1}, UserClass=Models.Node {Name="six", Next=null}, Objects=Object[2] {Int32 7, "eight"}, Strings=String[1] {"nine"}, Primitives=Double[1] {10.5}}"#,
    ),
    (
        "object_members",
        r#"Models.ObjMember {Any=Models.Point {X=3, Y=-0.5}, Seq=System.Collections.ArrayList {_items=Object[4] {Int32 1, "b", null*2}, _size=3, _version=3}, Cmp="cmp"}"#,
    ),
    ("empty_class", "Models.NoMembers {}"),
    ("no_namespace", "NoNamespace {Number=-1}"),
    ("int_array", "Int32[5] {0, 1, -1, 2147483647, -2147483648}"),
    ("int_array_empty", "Int32[0] {}"),
    ("short_array", "Int16[5] {-32768, -1, 0, 1, 32767}"),
    ("double_array", "Double[8] {0.0, 1.5, -2.25, NaN, inf, -inf, 5e-324, 1.7976931348623157e308}"),
    ("string_array", r#"String[4] {"one", null, "", "two"}"#),
    ("object_array", r#"Object[5] {Int32 1, "s", null, Models.Node {Name="n", Next=null}, Int32[2] {1, 2}}"#),
    ("decimal_array", "Decimal[3] {0, 1.10, -79228162514264337593543950335}"),
    (
        "datetime_array",
        "DateTime[3] {0001-01-01 00:00:00 Unspecified, 2001-09-09 01:46:40 Utc, 2001-09-09 01:46:40 Local}",
    ),
    (
        "prim_arrays",
        "Models.PrimArrays {Flags=Boolean[3] {true, false, true}, Bytes=Byte[2] {1, 255}, SBytes=SByte[2] {-1, 127}, Shorts=Int16[2] {-2, 3}, UShorts=UInt16[1] {65535}, Ints=Int32[1] {7}, UInts=UInt32[1] {4294967295}, Longs=Int64[1] {-1}, ULongs=UInt64[1] {18446744073709551615}, Chars=Char[3] {'a', 'é', '你'}, Singles=Single[2] {0.5, -0.25}, Doubles=Double[1] {1e300}, Decimals=Decimal[1] {0.001}, Spans=TimeSpan[1] {-864000000000 ticks}, Times=DateTime[1] {2010-10-10 10:10:10 Utc}}",
    ),
    (
        "boxed_all",
        r#"Object[18] {Boolean true, Byte 7, SByte -7, Int16 -300, UInt16 300, Int32 -70000, UInt32 70000, Int64 -5000000000, UInt64 5000000000, Char 'Z', Single 2.5, Double -2.5, Decimal 12.340, TimeSpan 900000000 ticks, DateTime 2020-01-01 00:00:00 Unspecified, DateTime 2020-01-01 00:00:00 Utc, DateTime 2020-01-01 00:00:00 Local, "text"}"#,
    ),
    ("nulls_short", r#"Object[8] {null, "a", null*2, "b", null*3}"#),
    ("nulls_255", r#"Object[256] {null*255, "end"}"#),
    ("nulls_300", r#"Object[301] {null*300, "end"}"#),
    ("jagged_int", "Int32[][4] {Int32[3] {1, 2, 3}, Int32[0] {}, null, Int32[1] {4}}"),
    ("rect_int", "Int32[2,3] {1, 2, 3, 4, 5, 6}"),
    ("rect_object", r#"Object[2,2] {Int32 1, "x", null, Double 2.5}"#),
    ("offset_int", "Int32[5..8] {50, 60, 70}"),
    ("nullable_array", "System.Nullable`1[[System.Int32]][4] {Int32 1, null*2, Int32 4}"),
    ("class_array_nulls", r#"Models.Node[3] {null, Models.Node {Name="mid", Next=null}, null}"#),
    (
        "list_int",
        "System.Collections.Generic.List`1[[System.Int32]] {_items=Int32[4] {10, 20, 30, 0}, _size=3, _version=3}",
    ),
    (
        "list_string",
        r#"System.Collections.Generic.List`1[[System.String]] {_items=String[8] {&1 "a", "b", *1, null, "", null*3}, _size=5, _version=5}"#,
    ),
    (
        "list_object",
        r#"System.Collections.Generic.List`1[[System.Object]] {_items=Object[8] {Int32 1, "two", Double 3.0, null, Char '4', null*3}, _size=5, _version=5}"#,
    ),
    (
        "hashtable",
        r#"System.Collections.Hashtable {LoadFactor=0.72, Version=4, Comparer=null, HashCodeProvider=null, HashSize=7, Keys=Object[3] {"k", Int32 2, Int32 1}, Values=Object[3] {Double 3.5, null, "one"}}"#,
    ),
    (
        "arraylist",
        r#"System.Collections.ArrayList {_items=Object[4] {Int32 1, "b", Double 2.5, Boolean true}, _size=4, _version=4}"#,
    ),
    (
        "queue_string",
        r#"System.Collections.Generic.Queue`1[[System.String]] {_array=String[4] {"first", "second", null*2}, _head=0, _tail=2, _size=2, _version=3}"#,
    ),
    (
        "tuple",
        r#"System.Tuple`3[[System.Int32],[System.String],[System.Double]] {m_Item1=7, m_Item2="seven", m_Item3=7.5}"#,
    ),
    (
        "two_libraries",
        r#"Object[2] {Models.Node {Name="mine", Next=null}, System.Collections.Generic.Queue`1[[System.Int32]] {_array=Int32[2] {1, 2}, _head=0, _tail=0, _size=2, _version=0}}"#,
    ),
    ("string_twice", r#"Models.StrPair {A=&1 "same", B=*1}"#),
    ("string_equal", r#"Models.StrPair {A="same", B="same"}"#),
    ("string_array_repeat", r#"String[4] {&1 "same", *1, null, *1}"#),
    ("cycle_self", r#"&1 Models.Node {Name="self", Next=*1}"#),
    ("cycle_two", r#"&1 Models.Node {Name="a", Next=Models.Node {Name="b", Next=*1}}"#),
    ("two_refs", r#"Object[2] {&1 Models.Node {Name="twice", Next=null}, *1}"#),
    ("boxed_twice", "Object[2] {Int32 5, Int32 5}"),
    ("array_twice", "Int32[][2] {&1 Int32[2] {1, 2}, *1}"),
    ("enum_boxed", "Models.Color {value__=5}"),
    (
        "enum_members",
        "Models.EnumHolder {One=Models.Color {value__=6}, Rights=Models.Access {value__=129}, Many=Models.Color[2] {Models.Color {value__=0}, Models.Color {value__=5}}}",
    ),
    (
        "nullable_members",
        "Models.NullableHolder {Has=Int32 5, HasNot=null, When=DateTime 2000-01-01 00:00:00 Utc, Flag=Boolean false, Place=Models.Point {X=1, Y=2.0}}",
    ),
    ("struct_boxed", "Models.Point {X=-4, Y=0.125}"),
    (
        "struct_members",
        "Models.StructHolder {Place=Models.Point {X=1, Y=1.5}, Tail=9, Second=Models.Point {X=2, Y=2.5}}",
    ),
    ("struct_array", "Models.Point[2] {Models.Point {X=1, Y=0.1}, Models.Point {X=2, Y=0.2}}"),
    ("generic_int", r#"Models.Box`1[[System.Int32]] {Value=3, Label="three"}"#),
    (
        "generic_user",
        r#"Models.Box`1[[Models.Node]] {Value=Models.Node {Name="boxed", Next=null}, Label="b"}"#,
    ),
    ("nested_type", "Models.Outer {In=Models.Outer+Inner {Depth=2}}"),
    ("inherited", r#"Models.DerivedRec {id=2, note="derived", tag=&1 "base", BaseRec+id=1, BaseRec+tag=*1}"#),
    ("nonserialized", r#"Models.SkipRec {Kept=1, Also="also"}"#),
    ("iserializable", r#"Models.Custom {name="custom", count=2, tags=String[2] {"x", "y"}, extra=1.25}"#),
    ("untyped_user_class", r#"Models.Node {Name="head", Next=Models.Node {Name="tail", Next=null}}"#),
    ("untyped_array", r#"Models.StrPair[2] {Models.StrPair {A="a", B="b"}, Models.StrPair {A="c", B=null}}"#),
    (
        "untyped_system_class",
        r#"Models.Box`1[[System.Version]] {Value=System.Version {_Major=9, _Minor=8, _Build=7, _Revision=6}, Label="v"}"#,
    ),
    ("method_call", "call Models.ICalc.Add(Int32 1, Int32 2)"),
    ("method_return", "return Int32 3"),
    ("method_call_array", r#"call Models.ICalc.Echo with Object[2] {"text", Int32[2] {1, 2}}"#),
    (
        "with_headers",
        r#""root" with headers System.Runtime.Remoting.Messaging.Header[2] {System.Runtime.Remoting.Messaging.Header {HeaderNamespace=null, MustUnderstand=true, Name="number", Value=Int32 42}, System.Runtime.Remoting.Messaging.Header {HeaderNamespace=null, MustUnderstand=true, Name="text", Value="v"}}"#,
    ),
];

/// `abcdefghij` repeated and cut.
fn alphabet(length: usize) -> String {
    format!("{:?}", ('a'..='j').cycle().take(length).collect::<String>())
}

fn demo(number: u32, is_even: bool) -> String {
    let members = format!(
        "<P1>k__BackingField={number}, <P2>k__BackingField={is_even}, <P3>k__BackingField=\"Hello World {number}\", \
         <P4>k__BackingField={number}.0, <P5>k__BackingField={number}"
    );
    let sub = format!("Models.DemoSubClass {{{members}}}");
    let subs = [&*sub; 4].join(", ");
    format!("Models.DemoClass {{{members}, <Subs>k__BackingField=Models.DemoSubClass[4] {{{subs}}}}}")
}

fn list(array: &str, values: impl Iterator<Item = u32>) -> String {
    format!("{array} {{{}}}", values.map(|value| value.to_string()).collect::<Vec<_>>().join(", "))
}

/// n1, n2, ..., n20, each the next one of the one before.
fn chain() -> String {
    (1..=20)
        .rev()
        .fold("null".to_owned(), |next, number| format!("Models.Node {{Name=\"n{number}\", Next={next}}}"))
}

fn list_list_int() -> String {
    let inner = |items: &str, size: u32, version: u32| {
        format!(
            "System.Collections.Generic.List`1[[System.Int32]] {{_items={items}, _size={size}, _version={version}}}"
        )
    };
    let lists = [
        inner("Int32[4] {1, 0, 0, 0}", 1, 1),
        inner("Int32[0] {}", 0, 0),
        inner("Int32[4] {2, 3, 0, 0}", 2, 2),
    ]
    .join(", ");
    format!(
        "System.Collections.Generic.List`1[[System.Collections.Generic.List`1[[System.Int32]]]] {{_items=System.Collections.Generic.List`1[[System.Int32]][4] {{{lists}, null}}, _size=3, _version=3}}"
    )
}

fn dictionary(value_type: &str, hash_size: u32, version: u32, pairs: &[(&str, &str)]) -> String {
    let pair_type = format!("System.Collections.Generic.KeyValuePair`2[[System.String],[{value_type}]]");
    let items: Vec<_> =
        pairs.iter().map(|(key, value)| format!("{pair_type} {{key=\"{key}\", value={value}}}")).collect();
    format!(
        "System.Collections.Generic.Dictionary`2[[System.String],[{value_type}]] {{Version={version}, Comparer=System.Collections.Generic.GenericEqualityComparer`1[[System.String]] {{}}, HashSize={hash_size}, KeyValuePairs={pair_type}[{}] {{{}}}}}",
        pairs.len(),
        items.join(", ")
    )
}

/// The text of each payload's graph.
fn texts() -> BTreeMap<&'static str, String> {
    let mut texts: BTreeMap<_, _> = SHORT.iter().map(|&(name, text)| (name, text.to_owned())).collect();
    let users = USERS.join(", ");
    let long = [
        (
            "nested_model",
            format!(
                "Models.NestedModel {{<Id>k__BackingField=7, <Title>k__BackingField=\"Nested\", <Active>k__BackingField=true, <Amount>k__BackingField=1234.5, <Inner>k__BackingField={SIMPLE}}}"
            ),
        ),
        (
            "user_list3",
            format!(
                "System.Collections.Generic.List`1[[Models.User]] {{_items=Models.User[4] {{{users}, null}}, _size=3, _version=3}}"
            ),
        ),
        ("user_array3", format!("Models.User[3] {{{users}}}")),
        ("demo_0", demo(0, true)),
        ("demo_12345", demo(12345, false)),
        ("string_127", alphabet(127)),
        ("string_128", alphabet(128)),
        ("string_200", alphabet(200)),
        ("string_20000", alphabet(20_000)),
        ("int_array_3000", list("Int32[3000]", 0..3000)),
        ("byte_array", list("Byte[256]", 0..256)),
        ("chain_20", chain()),
        ("list_list_int", list_list_int()),
        (
            "dictionary_string_int",
            dictionary("System.Int32", 3, 3, &[("one", "1"), ("two", "2"), ("three", "3")]),
        ),
        (
            "dictionary_struct",
            dictionary(
                "Models.Point",
                3,
                2,
                &[("p", "Models.Point {X=1, Y=2.0}"), ("q", "Models.Point {X=3, Y=4.0}")],
            ),
        ),
    ];
    texts.extend(long);
    texts
}

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/nrbf")).join(name)
}

fn payload(name: &str) -> Vec<u8> {
    fs::read(fixture(&format!("{name}.bin"))).unwrap()
}

fn graph(name: &str) -> Graph {
    read(&payload(name), Limits::all()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The lines of a table of the fixtures, without its head.
fn table(name: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(fixture(name)).unwrap();
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// The payloads' names, in the order of the manifest.
fn names() -> Vec<String> {
    let names: Vec<_> = table("manifest.tsv").into_iter().map(|mut row| row.swap_remove(0)).collect();
    assert_eq!(names.len(), 91);
    names
}

#[test]
fn every_payload_reads_to_the_graph_that_was_serialized() {
    let texts = texts();
    assert_eq!(texts.len(), 91);
    for name in names() {
        assert_eq!(graph(&name).to_string(), texts[&*name], "{name}");
    }
}

#[test]
fn every_payload_is_written_again_byte_for_byte() {
    for name in names() {
        assert!(graph(&name).to_bytes() == payload(&name), "{name}");
    }
}

/// Records in the order of the stream, `6x4` being four of kind 6 in a row.
#[derive(Default)]
struct Records(Vec<(u8, u32)>);

impl Guide for Records {
    fn record(&mut self, kind: RecordKind, _: usize) {
        match self.0.last_mut() {
            Some((last, count)) if *last == kind.code() => *count += 1,
            _ => self.0.push((kind.code(), 1)),
        }
    }
}

impl Records {
    fn of(name: &str) -> String {
        let mut records = Self::default();
        read_guided(&payload(name), Limits::all(), &mut records).unwrap();
        let run = |&(kind, count): &(u8, u32)| match count {
            1 => kind.to_string(),
            _ => format!("{kind}x{count}"),
        };
        records.0.iter().map(run).collect::<Vec<_>>().join(" ")
    }
}

fn bytes_of(hex: &str) -> Vec<u8> {
    let digits: Vec<_> = hex.chars().filter_map(|letter| letter.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
}

#[test]
fn payloads_of_another_program_are_read_and_written_too() {
    let auto = |name: &str| format!("<{name}>k__BackingField");
    let plain = |name: &str| name.to_owned();
    let text = |class: &str, name: &dyn Fn(&str) -> String| {
        format!(
            "T.{class} {{{}=\"alice.lee@test.io\", {}=\"alice\", {}=\"lee\", {}=3456, {}=\"15550100123\", {}=67}}",
            name("Email"),
            name("FirstName"),
            name("LastName"),
            name("ID"),
            name("Phone"),
            name("Type")
        )
    };
    let cases =
        [(OTHER_FIELDS, 224, text("TestFields", &plain)), (OTHER_PROPERTIES, 326, text("TestDotNet", &auto))];
    for (hex, length, text) in cases {
        let bytes = bytes_of(hex);
        assert_eq!(bytes.len(), length);
        let graph = read(&bytes, Limits::strict()).unwrap();
        assert_eq!(graph.to_string(), text);
        assert_eq!(graph.to_bytes(), bytes);
    }
}

#[test]
fn every_payload_has_its_records_in_their_order() {
    let table = table("records.tsv");
    assert_eq!(table.len(), 91);
    for row in table {
        assert_eq!(Records::of(&row[0]), row[1], "{}", row[0]);
    }
}

/// The manifest names each assembly of the bytes; a type argument or a remote type names its own beside the libraries.
#[test]
fn the_libraries_are_those_of_the_manifest() {
    for row in table("manifest.tsv") {
        let graph = graph(&row[0]);
        let listed: Vec<_> = row[4].split("; ").filter(|name| *name != "-").collect();
        let bytes = payload(&row[0]);
        let text = String::from_utf8_lossy(&bytes);
        for library in graph.libraries() {
            assert!(listed.contains(&&*library.name), "{}: {}", row[0], library.name);
        }
        for name in listed {
            let is_library = graph.libraries().iter().any(|library| *library.name == *name);
            let is_argument = text.contains(&format!(", {name}"));
            assert!(is_library || is_argument, "{}: {name}", row[0]);
        }
    }
}

#[test]
fn the_strict_limits_exclude_what_dotnets_own_reader_excludes() {
    let refused: Vec<_> =
        names().into_iter().filter(|name| read(&payload(name), Limits::strict()).is_err()).collect();
    let expected = [
        "offset_int",
        "untyped_user_class",
        "untyped_array",
        "untyped_system_class",
        "method_call",
        "method_return",
        "method_call_array",
    ];
    assert_eq!(refused, expected);
}

fn root_instance(graph: &Graph) -> &Instance {
    match &graph.root().unwrap().content {
        Content::Instance(instance) => instance,
        other => panic!("{other:?}"),
    }
}

#[test]
fn members_have_the_types_of_their_fields() {
    let graph = graph("all_prims");
    let types: Vec<_> =
        graph.class(root_instance(&graph)).members.iter().map(|member| &member.value_type).collect();
    let primitives = [
        PrimitiveType::Boolean,
        PrimitiveType::Byte,
        PrimitiveType::SByte,
        PrimitiveType::Int16,
        PrimitiveType::UInt16,
        PrimitiveType::Int32,
        PrimitiveType::UInt32,
        PrimitiveType::Int64,
        PrimitiveType::UInt64,
        PrimitiveType::Char,
        PrimitiveType::Single,
        PrimitiveType::Double,
        PrimitiveType::Decimal,
        PrimitiveType::TimeSpan,
        PrimitiveType::DateTime,
    ];
    let expected: Vec<_> =
        primitives.into_iter().map(ValueType::Primitive).chain([ValueType::String]).collect();
    assert_eq!(types, expected.iter().collect::<Vec<_>>());
}

#[test]
fn declared_types_are_kept_apart() {
    let graph = graph("every_member_type");
    let types: Vec<_> =
        graph.class(root_instance(&graph)).members.iter().map(|member| member.value_type.clone()).collect();
    let library = graph.libraries()[0].id;
    let expected = [
        ValueType::Primitive(PrimitiveType::Int32),
        ValueType::String,
        ValueType::Object,
        ValueType::SystemClass("System.Version".into()),
        ValueType::Class { name: "Models.Node".into(), library },
        ValueType::ObjectArray,
        ValueType::StringArray,
        ValueType::PrimitiveArray(PrimitiveType::Double),
    ];
    assert_eq!(types, expected);
}

#[test]
fn identity_is_kept() {
    let graph = graph("string_twice");
    let [a, b] = &*root_instance(&graph).values else { panic!() };
    assert!(std::ptr::eq(graph.target(a).unwrap(), graph.target(b).unwrap()));
    assert!(matches!((a, b), (Value::Object(_), Value::Reference(_))));

    let equal = self::graph("string_equal");
    let [a, b] = &*root_instance(&equal).values else { panic!() };
    assert!(!std::ptr::eq(equal.target(a).unwrap(), equal.target(b).unwrap()));
}

#[test]
fn value_types_in_place_have_negative_ids() {
    let graph = graph("struct_members");
    let place = graph.member(root_instance(&graph), "Place").unwrap();
    assert_eq!(graph.target(place).unwrap().id, -3);
    let second = graph.member(root_instance(&graph), "Second").unwrap();
    assert_eq!(graph.target(second).unwrap().id, -4);
}

#[test]
fn an_array_keeps_its_shape() {
    let shape = |name: &str| match &graph(name).root().unwrap().content {
        Content::Array(array) => array.shape.clone(),
        other => panic!("{other:?}"),
    };
    let rectangle = shape("rect_int");
    assert_eq!((rectangle.kind, &*rectangle.lengths), (ArrayKind::Rectangular, &[2, 3][..]));
    let offset = shape("offset_int");
    assert_eq!((offset.kind, &*offset.lengths), (ArrayKind::SingleOffset, &[3][..]));
    assert_eq!(&*offset.lower_bounds, &[5]);
    assert_eq!(shape("jagged_int").kind, ArrayKind::Jagged);
}

#[test]
fn numbers_keep_every_bit() {
    let doubles = graph("double_array");
    let Content::Array(array) = &doubles.root().unwrap().content else { panic!() };
    let Elements::Primitives(Primitives::Double(values)) = &array.elements else { panic!() };
    assert_eq!(values[3].to_bits(), 0xfff8_0000_0000_0000);
    assert_eq!(values[6].to_bits(), 1);

    let prims = graph("all_prims");
    let money = prims.member(root_instance(&prims), "Money").unwrap();
    let expected = Decimal::new(1_234_500, 4).unwrap();
    assert_eq!(*money, Value::Primitive(Primitive::Decimal(Box::new(expected))));
}
