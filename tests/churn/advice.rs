//! What the first write-up advises, tried: values without boxes, constructors that are kept, a serializer that is reused.
//! Each is held against the variant that works as the original does, object by object.

use std::collections::BTreeMap;

use alloclab::codec::span::{SpanReader, SpanWriter};
use alloclab::codec::span_reflect::{Access, KeptConstructors, Original, Typed, read_object};
use alloclab::codec::{self, Operation, Request, Variant, Workload, dotnet::Property, dotnet::Reflect};
use alloclab::model::{DateTime, Decimal, Guid, ModelKind, NestedModel, SimpleModel};
use alloclab::recorder::WindowOptions;

const MODELS: [ModelKind; 2] = [ModelKind::Simple, ModelKind::Nested];

/// Operations in the window: whatever comes once for all of them shows up in what is no multiple.
const OPERATIONS: u64 = 10;

/// How many objects of each type one operation makes.
type Objects = BTreeMap<String, u64>;

fn request(model: ModelKind, operation: Operation, variant: Variant) -> Request {
    Request { model, operation, variant, batch: 1 }
}

#[track_caller]
fn made(codec: &str, request: Request) -> Objects {
    let codec = codec::find(codec).unwrap();
    let prepared = codec.prepare(&request).unwrap();
    assert!(prepared.inline_objects.is_empty());
    let Workload::Serial(mut run) = prepared.workload else { panic!("one after the other") };
    run(1);
    let window = WindowOptions::new().open_over_thread().unwrap();
    run(OPERATIONS);
    let snapshot = window.close();
    assert_eq!(snapshot.totals.deallocations, snapshot.totals.allocations);
    let mut attributor = crate::attributor();
    let attribution = attributor.attribute(&snapshot);
    let (names, modelled) = (attributor.names(), codec.objects(&request));
    let mut objects = Objects::new();
    for (site, counters) in attribution.sites.iter().zip(&snapshot.sites) {
        let path = names.path(site.owner);
        let object = modelled.iter().find(|object| object.rust_type == path);
        let name = object.unwrap_or_else(|| panic!("`{path}` stands for no object")).name;
        *objects.entry(name.to_owned()).or_default() += counters.counts.allocations;
    }
    objects.values_mut().for_each(|count| {
        assert_eq!(*count % OPERATIONS, 0);
        *count /= OPERATIONS;
    });
    objects
}

fn objects<const N: usize>(counts: [(&str, u64); N]) -> Objects {
    counts.map(|(name, count)| (name.to_owned(), count)).into()
}

/// What is made with one variant and not with another, which makes nothing more.
#[track_caller]
fn saved(codec: &str, model: ModelKind, operation: Operation, from: Variant, to: Variant) -> Objects {
    let mut objects = made(codec, request(model, operation, from));
    for (name, count) in made(codec, request(model, operation, to)) {
        *objects.get_mut(&name).unwrap() -= count;
    }
    objects.retain(|_, count| *count > 0);
    objects
}

fn boxes(model: ModelKind) -> Objects {
    let of_simple = [("Boolean (boxed)", 1), ("DateTime (boxed)", 1), ("Double (boxed)", 1)];
    let mut boxes = objects(of_simple);
    boxes.extend(match model {
        ModelKind::Simple => objects([("Int32 (boxed)", 1)]),
        _ => objects([("Int32 (boxed)", 2), ("Int64 (boxed)", 1)]),
    });
    boxes
}

#[test]
fn without_boxes_nothing_is_made_to_write() {
    for model in MODELS {
        assert_eq!(made("span-reflect", request(model, Operation::Serialize, Variant::Unboxed)), objects([]));
        let saved = saved("span-reflect", model, Operation::Serialize, Variant::Span, Variant::Unboxed);
        assert_eq!(saved, boxes(model));
    }
}

#[test]
fn without_boxes_the_result_alone_is_made_to_read() {
    let results = [
        objects([("SimpleModel", 1), ("String", 1)]),
        objects([("NestedModel", 1), ("SimpleModel", 1), ("String", 2)]),
    ];
    for (model, result) in MODELS.into_iter().zip(results) {
        let unboxed = request(model, Operation::Deserialize, Variant::Unboxed);
        assert_eq!(made("span-reflect", unboxed), result);
        let saved = saved("span-reflect", model, Operation::Deserialize, Variant::Span, Variant::Unboxed);
        assert_eq!(saved, boxes(model));
    }
}

#[test]
fn a_constructor_that_is_kept_saves_no_object() {
    for model in MODELS {
        let read = |variant| made("span-reflect", request(model, Operation::Deserialize, variant));
        assert_eq!(read(Variant::Cached), read(Variant::Span));
    }
}

#[test]
fn there_is_no_constructor_to_keep_where_nothing_is_constructed() {
    let codec = codec::find("span-reflect").unwrap();
    assert!(codec.prepare(&request(ModelKind::Simple, Operation::Serialize, Variant::Cached)).is_none());
}

/// The objects of the constructor, and the array of the stack of objects that comes with the first of them.
fn a_binary() -> Objects {
    objects([
        ("Binary", 1),
        ("BinaryComposite", 1),
        ("BinaryDictionary", 1),
        ("BinaryGeneral", 1),
        ("BinaryList", 1),
        ("BinaryNormal", 1),
        ("Comparison<Int32>", 1),
        ("EnumerableSorter<IBinaryHandler,Int32>", 1),
        ("IBinaryHandler[]", 4),
        ("Int32[]", 2),
        ("List<IBinaryHandler>", 2),
        ("List<String>", 1),
        ("MemoryStream", 1),
        ("Object[]", 1),
        ("OrderedIterator<IBinaryHandler,Int32>", 1),
        ("Stack<Object>", 1),
    ])
}

#[test]
fn a_reused_serializer_saves_its_own_objects_to_write() {
    assert_eq!(a_binary().values().sum::<u64>(), 21);
    for model in MODELS {
        let saved = saved("binary", model, Operation::Serialize, Variant::Stream, Variant::Reused);
        assert_eq!(saved, a_binary());
    }
}

#[test]
fn a_reused_serializer_saves_its_own_objects_and_its_stream_to_read() {
    for model in MODELS {
        let saved = saved("binary", model, Operation::Deserialize, Variant::Stream, Variant::Reused);
        let mut expected = a_binary();
        *expected.get_mut("MemoryStream").unwrap() += 1;
        assert_eq!(saved, expected);
    }
}

#[test]
fn advice_changes_no_size() {
    for model in MODELS {
        for operation in Operation::ALL {
            let bytes = |codec, variant| {
                let codec = codec::find(codec).unwrap();
                codec.prepare(&request(model, operation, variant)).unwrap().encoded_bytes
            };
            assert_eq!(bytes("span-reflect", Variant::Unboxed), bytes("span-reflect", Variant::Span));
            assert_eq!(bytes("binary", Variant::Reused), bytes("binary", Variant::Stream));
        }
    }
}

/// Members of all forms: values, values or null, strings, arrays, objects and enumerations.
#[derive(Clone, Debug, Default, PartialEq)]
struct AllForms {
    sign: i8,
    count: Option<u16>,
    share: Option<f64>,
    letter: char,
    amount: Decimal,
    key: Guid,
    born: Option<DateTime>,
    note: Option<String>,
    bytes: Box<[u8]>,
    color: Color,
    other_color: Option<Color>,
    inner: Option<SimpleModel>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Color {
    #[default]
    Red = 1,
    Blue = 300,
}

impl codec::dotnet::Enumeration for Color {
    const NAME: &'static str = "Color";
    const CODE: codec::dotnet::TypeCode = codec::dotnet::TypeCode::Int16;

    fn to_bits(self) -> i64 {
        self as i64
    }

    fn from_bits(bits: i64) -> Option<Self> {
        [Self::Red, Self::Blue].into_iter().find(|color| color.to_bits() == bits)
    }
}

alloclab::reflect_enumeration!(Color);
alloclab::reflect_class!(AllForms = "AllForms" {
    sign => "Sign",
    count => "Count",
    share => "Share",
    letter => "Letter",
    amount => "Amount",
    key => "Key",
    born => "Born",
    note => "Note",
    bytes => "Bytes",
    color => "Color",
    other_color => "OtherColor",
    inner => "Inner",
});

fn write<A: Access>(object: &dyn Reflect) -> Vec<u8> {
    let mut buffer = [0; 256];
    let mut writer = SpanWriter::new(&mut buffer);
    A::write(object, &mut writer).unwrap();
    let written = writer.written();
    buffer[..written].to_vec()
}

#[track_caller]
fn assert_same_bytes_and_back<T: Property + Reflect + PartialEq + std::fmt::Debug>(object: &T) {
    let bytes = write::<Original>(object);
    assert_eq!(write::<Typed>(object), bytes);
    assert_eq!(write::<KeptConstructors>(object), bytes);
    let reader = || SpanReader::new(&bytes);
    assert_eq!(read_object::<T, Original, _>(&mut reader()).as_deref(), Ok(object));
    assert_eq!(read_object::<T, Typed, _>(&mut reader()).as_deref(), Ok(object));
    assert_eq!(read_object::<T, KeptConstructors, _>(&mut reader()).as_deref(), Ok(object));
}

#[test]
fn bytes_are_the_same_whatever_the_way_to_the_members() {
    assert_same_bytes_and_back(&SimpleModel::sample());
    assert_same_bytes_and_back(&NestedModel::sample());
    assert_same_bytes_and_back(&AllForms {
        sign: -3,
        count: Some(500),
        share: None,
        letter: 'x',
        amount: Decimal::default(),
        key: Guid::default(),
        born: Some(DateTime::from_unix_seconds(1)),
        note: Some("note".to_owned()),
        bytes: Box::new([1, 2, 3]),
        color: Color::Blue,
        other_color: Some(Color::Red),
        inner: Some(SimpleModel::sample()),
    });
}

#[track_caller]
fn assert_read_alike(bytes: &[u8]) {
    let reader = || SpanReader::new(bytes);
    let original = read_object::<AllForms, Original, _>(&mut reader());
    let typed = read_object::<AllForms, Typed, _>(&mut reader());
    let kept = read_object::<AllForms, KeptConstructors, _>(&mut reader());
    // As text, in which a share that is no number equals itself.
    let [original, typed, kept] = [original, typed, kept].map(|read| format!("{read:?}"));
    assert_eq!((&typed, &kept), (&original, &original), "{bytes:?}");
}

#[test]
fn bytes_that_nobody_has_written_read_alike_whatever_the_way_to_the_members() {
    let (share, other_color) = (Some(0.5), Some(Color::Blue));
    let inner = Some(SimpleModel::sample());
    let mut bytes = write::<Original>(&AllForms { share, other_color, inner, ..AllForms::default() });
    for end in 0..bytes.len() {
        assert_read_alike(&bytes[..end]);
        let written = bytes[end];
        for byte in 0..=u8::MAX {
            bytes[end] = byte;
            assert_read_alike(&bytes);
        }
        bytes[end] = written;
    }
}
