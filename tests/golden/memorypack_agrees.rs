//! MemoryPack as another implementation has it, the crate memorypack: the same bytes, both ways.

use std::fmt::Debug;

use alloclab::codec::memorypack as own;
use alloclab::memorypack_object;
use alloclab::model::{
    Contact, DEMOS, DateTime, DateTimeKind, Demo, DemoSub, NestedModel, Payload, SimpleModel,
    TICKS_PER_SECOND, User,
};
use memorypack::{MemoryPackSerializer, MemoryPackable};

#[derive(Clone, Debug, Default, PartialEq)]
struct Tolerant {
    number: i32,
    text: String,
}
memorypack_object!(version_tolerant Tolerant { number: i32, text: String });

#[derive(Clone, Debug, Default, PartialEq)]
struct LaterTolerant {
    number: i32,
    text: String,
    flag: bool,
    inner: Option<Tolerant>,
}
memorypack_object!(version_tolerant LaterTolerant { number: i32, text: String, flag: bool, inner: Option<Tolerant> });

fn later() -> LaterTolerant {
    let old = Tolerant { number: 1, text: "hi".to_owned() };
    LaterTolerant { number: 1, text: "hi".to_owned(), flag: true, inner: Some(old) }
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Options {
    small: Option<u8>,
    flag: Option<bool>,
    number: Option<i32>,
    long: Option<i64>,
    score: Option<f64>,
    letter: Option<char>,
    rows: Vec<Vec<u16>>,
}
memorypack_object!(Options {
    small: Option<u8>,
    flag: Option<bool>,
    number: Option<i32>,
    long: Option<i64>,
    score: Option<f64>,
    letter: Option<char>,
    rows: Vec<Vec<u16>>,
});

/// A value, and the other implementation's type for it. Times are their 64 bits there.
trait Mirror: own::MemoryPackDeserialize + Clone + PartialEq + Debug {
    type Mirrored: memorypack::MemoryPackSerialize
        + for<'a> memorypack::MemoryPackDeserialize<'a>
        + PartialEq
        + Debug;
    fn mirror(&self) -> Self::Mirrored;
}

macro_rules! mirrors {
    ($($(#[$form:meta])? $model:ident = $mirror:ident {
        $($member:ident: $type:ty = |$value:ident| $mirrored:expr),+ $(,)?
    })*) => {$(
        #[derive(MemoryPackable, Clone, Debug, PartialEq, Default)]
        $(#[$form])?
        struct $mirror {
            $($member: $type),+
        }

        impl Mirror for $model {
            type Mirrored = $mirror;
            fn mirror(&self) -> $mirror {
                $mirror { $($member: { let $value = self.$member.clone(); $mirrored }),+ }
            }
        }
    )*};
}

mirrors! {
    SimpleModel = Simple {
        id: i32 = |id| id, name: String = |name| name, is_active: bool = |flag| flag,
        created_at: i64 = |time| time.to_binary(), score: f64 = |score| score,
    }
    NestedModel = Nested {
        id: i32 = |id| id, title: String = |title| title,
        inner: Option<Simple> = |inner| inner.map(|inner| inner.mirror()), timestamp: i64 = |time| time,
    }
    Contact = MirroredContact {
        email: String = |text| text, first_name: String = |text| text, last_name: String = |text| text,
        id: i32 = |id| id, phone: String = |text| text, kind: i32 = |kind| kind,
    }
    Payload = BenchPayload { id: i32 = |id| id, name: String = |name| name, items: Vec<i32> = |items| items }
    User = MirroredUser {
        id: i32 = |id| id, gender: i32 = |gender| gender, first_name: String = |text| text,
        last_name: String = |text| text, email: String = |text| text,
        birth_date: i64 = |time| time.to_binary(), company: String = |text| text, phone: String = |text| text,
        website: String = |text| text, ssn: String = |text| text,
    }
    DemoSub = DemoSubClass {
        p1: i32 = |p1| p1, p2: bool = |p2| p2, p3: Option<String> = |p3| p3, p4: f64 = |p4| p4, p5: i64 = |p5| p5,
    }
    Demo = DemoClass {
        p1: i32 = |p1| p1, p2: bool = |p2| p2, p3: Option<String> = |p3| p3, p4: f64 = |p4| p4, p5: i64 = |p5| p5,
        subs: Option<Vec<DemoSubClass>> =
            |subs| subs.map(|subs| subs.iter().map(Mirror::mirror).collect()),
    }
    #[memorypack(version_tolerant)]
    Tolerant = MirroredTolerant { number: i32 = |number| number, text: String = |text| text }
    #[memorypack(version_tolerant)]
    LaterTolerant = MirroredLater {
        number: i32 = |number| number, text: String = |text| text, flag: bool = |flag| flag,
        inner: Option<MirroredTolerant> = |inner| inner.map(|inner| inner.mirror()),
    }
    Options = MirroredOptions {
        small: Option<u8> = |small| small, flag: Option<bool> = |flag| flag, number: Option<i32> = |number| number,
        long: Option<i64> = |long| long, score: Option<f64> = |score| score, letter: Option<char> = |char| char,
        rows: Vec<Vec<u16>> = |rows| rows,
    }
}

/// Both implementations write the same bytes and read the other's.
#[track_caller]
fn assert_agreement<T: Mirror>(value: &T) {
    let ours = own::to_vec(value).unwrap();
    let theirs = MemoryPackSerializer::serialize(&value.mirror()).unwrap();
    assert_eq!(ours, theirs, "{value:?}");
    assert_eq!(MemoryPackSerializer::deserialize::<T::Mirrored>(&ours).unwrap(), value.mirror());
    assert_eq!(own::from_slice::<T>(&theirs).as_ref(), Ok(value));
}

fn user() -> User {
    User {
        id: 7,
        gender: 1,
        first_name: "Zoë".to_owned(),
        last_name: "O'Connell".to_owned(),
        email: "zoe_😀@example.org".to_owned(),
        birth_date: DateTime::from_ticks(1_234_567 * TICKS_PER_SECOND + 89, DateTimeKind::Local).unwrap(),
        company: String::new(),
        phone: "555-0100".to_owned(),
        website: "zoe.example".to_owned(),
        ssn: "123-45-6789".to_owned(),
    }
}

#[test]
fn another_implementation_agrees_on_every_model() {
    assert_agreement(&SimpleModel::sample());
    assert_agreement(&NestedModel::sample());
    assert_agreement(&NestedModel { inner: None, ..NestedModel::sample() });
    assert_agreement(&Contact::sample());
    for items in [0, 1, 16, 128, 1024] {
        assert_agreement(&Payload::sample(items));
    }
    assert_agreement(&user());
    for number in [0, -1, 12_345] {
        assert_agreement(&Demo::sample(number));
    }
    assert_agreement(&Demo { p3: None, subs: None, ..Demo::sample(7) });
    assert_agreement(&Demo { subs: Some(Vec::new()), ..Demo::sample(7) });
}

#[test]
fn another_implementation_agrees_on_versions_and_options() {
    assert_agreement(&later());
    assert_agreement(&LaterTolerant { inner: None, text: "long ".repeat(100), ..later() });
    assert_agreement(&Tolerant::default());
    assert_agreement(&Options::default());
    assert_agreement(&Options {
        small: Some(1),
        flag: Some(true),
        number: Some(-2),
        long: Some(i64::MIN),
        score: Some(0.5),
        letter: Some('€'),
        rows: vec![vec![1, 2], vec![], vec![3]],
    });
}

#[test]
fn another_implementation_agrees_on_the_whole_list() {
    let mirrored: Vec<_> = DEMOS.iter().map(Mirror::mirror).collect();
    let theirs = MemoryPackSerializer::serialize(&mirrored).unwrap();
    assert!(own::to_vec(&DEMOS[..]).unwrap() == theirs);
    assert!(own::from_slice::<Vec<Demo>>(&theirs).unwrap() == *DEMOS);
}
