//! A real BinaryFormatter as judge: Mono's reads what the codec writes, and writes the same bytes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use alloclab::codec::binaryformatter::{BinaryFormatter, FieldNames, GenericList, Names};
use alloclab::codec::dotnet::{MemoryStream, Property};
use alloclab::model::{Contact, DateTime, DateTimeKind, Demo, DemoSub, User};

/// The program whose classes these are, `fixtures/nrbf/Fixtures.cs`.
const FIXTURES: Names<'static> = Names {
    assembly: "Fixtures, Version=0.0.0.0, Culture=neutral, PublicKeyToken=null",
    namespace: "Models",
    root: None,
    fields: FieldNames::BackingFields,
};

/// Texts that are empty, short, at the ends of buffers, and in several scripts.
const TEXTS: [&str; 6] = ["", "a", "Zoë Müller", "你好, мир", "😀😀😀", "x"];

/// Payloads, each in a file.
struct Payloads(PathBuf);

impl Payloads {
    fn new() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mono_binaryformatter");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn add<T: Property>(&self, name: &str, names: &Names<'_>, value: &T) {
        let mut stream = MemoryStream::new();
        BinaryFormatter::<T>::new(names).unwrap().serialize(&mut stream, value).unwrap();
        fs::write(self.0.join(format!("{name}.bin")), stream.written()).unwrap();
    }
}

/// A text of some length, different for each number.
fn text(number: usize) -> String {
    TEXTS[number % TEXTS.len()].repeat(1 + number * 7 % 90)
}

fn user(number: usize) -> User {
    let kind = [DateTimeKind::Unspecified, DateTimeKind::Utc, DateTimeKind::Local][number % 3];
    User {
        id: number as i32 - 5,
        gender: (number % 2) as i32,
        first_name: text(number),
        last_name: text(number + 1),
        email: text(number + 2),
        birth_date: DateTime::from_ticks(600_000_000_000_000_000 + number as u64 * 1_234_567_891, kind)
            .unwrap(),
        company: text(number + 3),
        phone: text(number + 4),
        website: text(number + 5),
        ssn: text(number + 6),
    }
}

fn contact(number: usize) -> Contact {
    let [email, first_name, last_name, phone] = [0, 1, 2, 3].map(|more| text(number + more));
    Contact { email, first_name, last_name, id: i32::MIN + number as i32, phone, kind: i32::MAX }
}

fn demo(number: usize) -> Demo {
    let sub = |index: usize| DemoSub {
        p1: index as i32,
        p2: index % 2 == 1,
        p3: (!index.is_multiple_of(3)).then(|| text(index)),
        p4: 1.0 / index as f64,
        p5: i64::MIN + index as i64,
    };
    let DemoSub { p1, p2, p3, p4, p5 } = sub(number);
    Demo { p1, p2, p3, p4, p5, subs: (!number.is_multiple_of(4)).then(|| (0..number).map(sub).collect()) }
}

#[test]
#[ignore = "needs Mono: `.ci/mono` runs it"]
fn mono_reads_what_is_written_and_writes_the_same_bytes() {
    let program = std::env::var("ALLOCLAB_MONO_PROGRAM").expect("the program that `.ci/mono` compiles");
    let payloads = Payloads::new();
    let fields = Names { root: Some("TestDotNetFields"), fields: FieldNames::Plain, ..FIXTURES };
    for number in 0..100 {
        payloads.add(&format!("contact_{number}"), &FIXTURES, &contact(number));
        payloads.add(&format!("fields_{number}"), &fields, &contact(number));
        payloads.add(&format!("demo_{number}"), &FIXTURES, &demo(number));
        let users: Vec<User> = (0..number).map(user).collect();
        payloads.add(&format!("array_{number}"), &FIXTURES, &users);
        payloads.add(&format!("list_{number}"), &FIXTURES, &GenericList::from_iter(users));
        let sparse: Vec<Option<User>> =
            (0..3 * number).map(|index| (index % 7 == 3).then(|| user(index))).collect();
        payloads.add(&format!("sparse_{number}"), &FIXTURES, &sparse);
    }
    let output = Command::new("mono").arg(program).arg(&payloads.0).output().unwrap();
    let said =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success(), "{said}");
}
