//! Code whose allocations are known from its source: what it does, who owns the memory, and what its blocks are.
#![expect(
    clippy::redundant_closure,
    clippy::reserve_after_initialization,
    reason = "a closure is a function of the program and a path is none: both ways to pass a function stand here"
)]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::error::Error;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::fmt::{self, Write as _};
use std::future::Future;
use std::hint::black_box;
use std::io::{BufRead as _, BufReader, BufWriter, Cursor, LineWriter, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex, mpsc};

use alloclab::recorder::measure;
use alloclab::snapshot::Snapshot;

/// A value of two words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Apple {
    weight: u64,
    color: u64,
}

/// The same layout under another name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Pear {
    price: u64,
    stock: u64,
}

/// A value that owns memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Label {
    text: String,
    number: u64,
}

/// A value that owns two containers.
#[derive(Clone, Debug)]
#[expect(dead_code, reason = "its parts are there to be cloned")]
pub(crate) struct Basket {
    apples: Vec<Apple>,
    pear: Box<Pear>,
}

/// What both are.
trait Fruit {}

impl Fruit for Apple {}

impl Fruit for Pear {}

/// Allocates a box while it is displayed.
struct Boxing(u64);

impl fmt::Display for Boxing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let apple = black_box(Box::new(apple(self.0)));
        write!(f, "{}", apple.weight)
    }
}

fn apple(number: u64) -> Apple {
    Apple { weight: number, color: number }
}

fn pear(number: u64) -> Pear {
    Pear { price: number, stock: number }
}

/// A piece of code and the types of what it allocates.
pub(crate) struct Site {
    /// What it does.
    pub(crate) name: &'static str,
    /// Who may own what it allocates; the first of them must be seen.
    pub(crate) owners: &'static [&'static str],
    /// What its blocks may be; the first of them must be seen.
    pub(crate) blocks: &'static [&'static str],
    run: Box<dyn Fn() -> Snapshot>,
}

impl Site {
    /// What the recorder sees of the code: its input is made before, and dropped after.
    pub(crate) fn record(&self) -> Snapshot {
        (self.run)()
    }
}

fn site<I: 'static, O: 'static>(
    name: &'static str,
    owners: &'static [&'static str],
    blocks: &'static [&'static str],
    input: impl Fn() -> I + 'static,
    work: impl Fn(I) -> O + 'static,
) -> Site {
    let run = move || {
        let input = black_box(input());
        let measured = measure(|| black_box(work(input))).expect("no other window is open");
        measured.snapshot
    };
    Site { name, owners, blocks, run: Box::new(run) }
}

/// Nothing to start from.
fn nothing() {}

/// A number that the optimizer does not know.
fn number() -> u64 {
    20
}

fn length() -> usize {
    20
}

fn abc() -> &'static str {
    "abc"
}

fn long() -> &'static str {
    "a text that is longer than what fits into the string itself"
}

const VEC_APPLE: &[&str] = &["Vec<Apple>"];
const STRING: &[&str] = &["String"];
const BYTES: &[&str] = &["Vec<u8>"];

/// Every site.
pub(crate) fn all() -> Vec<Site> {
    [
        boxes(),
        vectors(),
        collected(),
        cloned(),
        text(),
        system_text(),
        counted(),
        maps(),
        sequences(),
        readers_and_writers(),
        errors_and_channels(),
        tables(),
        small(),
        shared_bytes(),
        arenas(),
        queues(),
        parsed(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn boxes() -> Vec<Site> {
    const APPLE: &[&str] = &["Box<Apple>"];
    const PEAR: &[&str] = &["Box<Pear>"];
    const NUMBERS: &[&str] = &["Box<[u64; 2]>"];
    const CLOSURE: &[&str] = &["Box<boxes::{closure#8}::{closure#0}>"];
    const FUTURE: &[&str] = &["Box<boxes::{closure#9}::{closure#0}>"];
    vec![
        site("a box", APPLE, APPLE, number, |n| Box::new(apple(n))),
        site("a box of the same layout", PEAR, PEAR, number, |n| Box::new(pear(n))),
        site("a box of an array", NUMBERS, NUMBERS, number, |n| Box::new([n, n])),
        site("a box behind a trait", APPLE, APPLE, number, |n| Box::new(apple(n)) as Box<dyn Fruit>),
        site("another box behind it", PEAR, PEAR, number, |n| Box::new(pear(n)) as Box<dyn Fruit>),
        site("a default box", APPLE, APPLE, nothing, |()| Box::<Apple>::default()),
        site("a cloned box", APPLE, APPLE, || Box::new(apple(1)), |b| (b.clone(), b)),
        site("a boxed closure", CLOSURE, CLOSURE, number, |n| {
            Box::new(move |m| n + m) as Box<dyn Fn(u64) -> u64>
        }),
        site("a boxed future", FUTURE, FUTURE, number, |n| {
            Box::pin(async move { n }) as Pin<Box<dyn Future<Output = u64>>>
        }),
        site("a boxed slice, collected", &["Box<[Apple]>"], VEC_APPLE, number, |n| {
            (0..n).map(apple).collect::<Box<[Apple]>>()
        }),
        site("a boxed slice without values", &["Box<[Apple]>"], &["Box<[Apple]>"], length, |n| {
            Box::<[Apple]>::new_uninit_slice(n)
        }),
        site("boxed text", &["Box<str>"], &["Box<str>"], abc, |s| Box::<str>::from(s)),
        site("a box made when first asked for", APPLE, APPLE, number, |n| {
            let cell = std::sync::OnceLock::new();
            cell.get_or_init(|| Box::new(apple(n)));
            cell
        }),
    ]
}

fn vectors() -> Vec<Site> {
    const PEARS: &[&str] = &["Vec<Pear>"];
    const WORDS: &[&str] = &["Vec<u32>"];
    vec![
        site("a vector with room", VEC_APPLE, VEC_APPLE, length, Vec::<Apple>::with_capacity),
        site("a vector with room, the same layout", PEARS, PEARS, length, |n| Vec::<Pear>::with_capacity(n)),
        site("apples pushed", VEC_APPLE, VEC_APPLE, number, |n| pushed(n, apple)),
        site("pears pushed", PEARS, PEARS, number, |n| pushed(n, pear)),
        site("strings pushed", &["Vec<String>"], &["Vec<String>"], number, |n| pushed(n, |_| String::new())),
        site("byte vectors pushed", &["Vec<Vec<u8>>"], &["Vec<Vec<u8>>"], number, |n| {
            pushed(n, |_| Vec::<u8>::new())
        }),
        site("paths pushed", &["Vec<PathBuf>"], &["Vec<PathBuf>"], number, |n| pushed(n, |_| PathBuf::new())),
        site("system strings pushed", &["Vec<OsString>"], &["Vec<OsString>"], number, |n| {
            pushed(n, |_| OsString::new())
        }),
        site("bytes pushed", BYTES, BYTES, number, |n| pushed(n, |i| i as u8)),
        site("signed bytes pushed", &["Vec<i8>"], &["Vec<i8>"], number, |n| pushed(n, |i| i as i8)),
        site("words pushed", &["Vec<u64>"], &["Vec<u64>"], number, |n| pushed(n, |i| i)),
        site("floats pushed", &["Vec<f64>"], &["Vec<f64>"], number, |n| pushed(n, |i| i as f64)),
        site(
            "boxed closures pushed",
            &["Vec<Box<dyn Fn(u64) -> u64>>"],
            &["Vec<Box<dyn Fn(u64) -> u64>>"],
            number,
            |n| pushed(n, |_| Box::new(|m| m) as Box<dyn Fn(u64) -> u64>),
        ),
        site("vec! of values", VEC_APPLE, VEC_APPLE, number, |n| vec![apple(n), apple(2), apple(3)]),
        site("vec! of one value many times", VEC_APPLE, VEC_APPLE, length, |n| vec![apple(1); n]),
        site("vec! of zeros", WORDS, WORDS, length, |n| vec![0_u32; n]),
        site("extended", VEC_APPLE, VEC_APPLE, number, |n| {
            let mut apples = Vec::new();
            apples.extend((0..n).map(apple));
            apples
        }),
        site(
            "extended by a slice",
            WORDS,
            WORDS,
            || &[1, 2, 3][..],
            |s: &'static [u32]| {
                let mut words = Vec::new();
                words.extend_from_slice(s);
                words
            },
        ),
        site("resized", VEC_APPLE, VEC_APPLE, length, |n| {
            let mut apples = Vec::new();
            apples.resize(n, apple(1));
            apples
        }),
        site("inserted", VEC_APPLE, VEC_APPLE, number, |n| {
            let mut apples = Vec::new();
            for i in 0..n {
                apples.insert(0, apple(i));
            }
            apples
        }),
        site(
            "shrunk",
            VEC_APPLE,
            VEC_APPLE,
            || with_room(100),
            |mut v| {
                v.shrink_to_fit();
                v
            },
        ),
        site("split off", VEC_APPLE, VEC_APPLE, || vec![apple(1); 8], |mut v| (v.split_off(3), v)),
        site("reserved", PEARS, PEARS, length, |n| {
            let mut pears: Vec<Pear> = Vec::new();
            pears.reserve(n);
            pears
        }),
        site("a slice to a vector", WORDS, WORDS, || &[1, 2][..], |s: &'static [u32]| s.to_vec()),
        site("a slice owned", WORDS, WORDS, || &[1, 2][..], |s: &'static [u32]| s.to_owned()),
        site(
            "a slice turned into a vector",
            WORDS,
            WORDS,
            || &[1, 2][..],
            |s: &'static [u32]| {
                let words: Vec<u32> = s.into();
                words
            },
        ),
        site("slices strung together", WORDS, WORDS, || vec![vec![1_u32], vec![2]], |v| (v.concat(), v)),
        site("slices joined", WORDS, WORDS, || vec![vec![1_u32], vec![2]], |v| (v.join(&0), v)),
        site("a slice repeated", WORDS, WORDS, || &[1, 2][..], |s: &'static [u32]| s.repeat(3)),
        site("an array turned into a vector", VEC_APPLE, &["Box<[Apple; 3]>"], number, |n| {
            Vec::from([apple(n), apple(2), apple(3)])
        }),
        site("a borrowed slice made owned", WORDS, WORDS, || Cow::Borrowed(&[1_u32, 2][..]), Cow::into_owned),
        site(
            "sorted",
            VEC_APPLE,
            VEC_APPLE,
            || mixed(apple),
            |mut v| {
                v.sort();
                v
            },
        ),
        site(
            "sorted by a key",
            PEARS,
            PEARS,
            || mixed(pear),
            |mut v| {
                v.sort_by_key(|pear| pear.price);
                v
            },
        ),
    ]
}

fn pushed<T>(count: u64, make: fn(u64) -> T) -> Vec<T> {
    let mut items = Vec::new();
    (0..count).for_each(|i| items.push(black_box(make(i))));
    items
}

fn with_room(capacity: usize) -> Vec<Apple> {
    let mut apples = Vec::with_capacity(capacity);
    apples.push(apple(1));
    apples
}

fn mixed<T>(make: fn(u64) -> T) -> Vec<T> {
    (0..1000).map(|i| make(i * 7919 % 1000)).collect()
}

fn collected() -> Vec<Site> {
    const NESTED: &[&str] = &["Vec<Apple>", "Vec<Vec<Apple>>"];
    const STRINGS: &[&str] = &["Vec<String>", "String"];
    const STRING_BLOCKS: &[&str] = &["Vec<String>", "Vec<u8>"];
    vec![
        site("collected", VEC_APPLE, VEC_APPLE, number, |n| (0..n).map(apple).collect::<Vec<_>>()),
        site("collected behind a filter", VEC_APPLE, VEC_APPLE, number, |n| {
            (0..n).filter(|i| i % 2 == 0).map(apple).collect::<Vec<_>>()
        }),
        site("collected into a result", &["Vec<u64>"], &["Vec<u64>"], number, |n| {
            (0..n).map(|i| if i < 100 { Ok(i) } else { Err(i) }).collect::<Result<Vec<_>, u64>>()
        }),
        site(
            "boxes collected",
            &["Vec<Box<Apple>>", "Box<Apple>"],
            &["Vec<Box<Apple>>", "Box<Apple>"],
            number,
            |n| (0..n).map(|i| Box::new(apple(i))).collect::<Vec<_>>(),
        ),
        site(
            "strings collected by a closure",
            STRINGS,
            STRING_BLOCKS,
            || vec!["a", "b"],
            |v| v.iter().map(|s| s.to_string()).collect::<Vec<_>>(),
        ),
        site(
            "strings collected by a function",
            STRINGS,
            STRING_BLOCKS,
            || vec!["a", "b"],
            |v| v.iter().copied().map(String::from).collect::<Vec<_>>(),
        ),
        site("numbers collected as strings", STRINGS, STRING_BLOCKS, number, |n| {
            (0..n).map(|i| i.to_string()).collect::<Vec<_>>()
        }),
        site(
            "chunks collected by a closure",
            NESTED,
            NESTED,
            || vec![apple(1); 9],
            |v| v.chunks(2).map(|chunk| chunk.to_vec()).collect::<Vec<_>>(),
        ),
        site(
            "chunks collected by a function",
            NESTED,
            NESTED,
            || vec![apple(1); 9],
            |v| v.chunks(2).map(<[Apple]>::to_vec).collect::<Vec<_>>(),
        ),
        site("unzipped", &["Vec<Apple>", "Vec<Pear>"], &["Vec<Apple>", "Vec<Pear>"], number, |n| {
            (0..n).map(|i| (apple(i), pear(i))).unzip::<_, _, Vec<_>, Vec<_>>()
        }),
        site("partitioned", VEC_APPLE, VEC_APPLE, number, |n| {
            (0..n).map(apple).partition::<Vec<_>, _>(|apple| apple.weight % 2 == 0)
        }),
        site(
            "entries of a folder collected",
            // What reads a folder shares its code with what owns C text: only the candidates are known.
            &["Vec<OsString>", "OsString", "PathBuf", "Arc<InnerReadDir>", "Box<Wtf8> | CString"],
            &["Vec<OsString>", "Vec<u8>", "Arc<InnerReadDir>", "Box<Wtf8> | CString"],
            nothing,
            |()| {
                let entries = std::fs::read_dir("/proc/self/fd").expect("a process has open files");
                entries.flatten().map(|entry| entry.file_name()).collect::<Vec<_>>()
            },
        ),
    ]
}

fn cloned() -> Vec<Site> {
    const SHORT: &[&str] = &["Vec<u16>", "Vec<Vec<u16>>"];
    vec![
        site("a vector cloned", VEC_APPLE, VEC_APPLE, || vec![apple(1), apple(2)], |v| (v.clone(), v)),
        site(
            "a vector of strings cloned",
            &["Vec<String>", "String"],
            &["Vec<String>", "Vec<u8>"],
            || vec!["a".to_owned(), "b".to_owned()],
            |v| (v.clone(), v),
        ),
        site("a vector of vectors cloned", SHORT, SHORT, || vec![vec![1_u16], vec![2]], |v| (v.clone(), v)),
        site(
            "a vector of own values cloned",
            &["Vec<Label>", "String"],
            &["Vec<Label>", "Vec<u8>"],
            || vec![Label { text: "s".into(), number: 1 }],
            |v| (v.clone(), v),
        ),
        site(
            "a vector of pairs cloned",
            &["Vec<(String, u8)>", "String"],
            &["Vec<(String, u8)>", "Vec<u8>"],
            || vec![("x".to_owned(), 1_u8)],
            |v| (v.clone(), v),
        ),
        site(
            "an own value cloned",
            &["Vec<Apple>", "Box<Pear>"],
            &["Vec<Apple>", "Box<Pear>"],
            || Basket { apples: vec![apple(1)], pear: Box::new(pear(1)) },
            |basket| (basket.clone(), basket),
        ),
        site(
            "a map of strings cloned",
            &["HashMap<String, Vec<u8>>", "String", "Vec<u8>"],
            &["HashMap<String, Vec<u8>>", "Vec<u8>"],
            || HashMap::from([("a".to_owned(), vec![1_u8])]),
            |map| (map.clone(), map),
        ),
    ]
}

fn text() -> Vec<Site> {
    const BOXING: &[&str] = &["Box<Apple>", "String"];
    const BOXING_BLOCKS: &[&str] = &["Box<Apple>", "Vec<u8>"];
    vec![
        from_abc("text from a literal", |s| String::from(s)),
        from_abc("to_string", |s| s.to_string()),
        from_abc("to_owned", |s| s.to_owned()),
        from_abc("into", |s| s.into()),
        from_abc("pushed text", |s| {
            let mut string = String::new();
            (0..9).for_each(|_| string.push_str(s));
            string
        }),
        from_abc("upper case", str::to_uppercase),
        from_abc("lower case", str::to_lowercase),
        from_abc("ASCII upper case", |s| s.to_ascii_uppercase()),
        from_abc("replaced", |s| s.replace('b', "xyz")),
        from_abc("repeated", |s| s.repeat(4)),
        from_abc("characters collected", |s| s.chars().rev().collect()),
        site("text with room", STRING, BYTES, length, String::with_capacity),
        site(
            "a pushed character",
            STRING,
            BYTES,
            || 'a',
            |c| {
                let mut string = String::new();
                (0..30).for_each(|_| string.push(c));
                string
            },
        ),
        site("text added", STRING, BYTES, || String::from("a"), |s| s + "bcdefghijklmnopqrstuvwxyz"),
        site("text cloned", STRING, BYTES, || String::from("a"), |s| (s.clone(), s)),
        site("formatted", STRING, BYTES, number, |n| format!("n={n} {:>5}", "q")),
        site("formatted by own code", BOXING, BOXING_BLOCKS, || Boxing(5), |b| format!("b={b}")),
        site("an own value to text", BOXING, BOXING_BLOCKS, || Boxing(5), |b| b.to_string()),
        site("a number to text", STRING, BYTES, || 5_u32, |n| n.to_string()),
        site("a float to text", STRING, BYTES, || 5.5_f64, |n| n.to_string()),
        site("a character to text", STRING, BYTES, || 'c', |c| c.to_string()),
        // What a table writes of itself is not the table's.
        site(
            "a map formatted",
            STRING,
            BYTES,
            || indexmap::IndexMap::from([(1_u64, apple(1))]),
            |map| format!("{map:?}"),
        ),
        site("written", STRING, BYTES, number, |n| {
            let mut string = String::new();
            write!(string, "{n} {n:?}").expect("a string takes all");
            string
        }),
        site("texts joined", STRING, BYTES, || vec!["a", "b"], |v| v.join(",")),
        site(
            "texts strung together",
            STRING,
            BYTES,
            || vec![String::from("a"), "b".into()],
            |v| (v.concat(), v),
        ),
        site("repaired text", STRING, BYTES, || &b"a\xffb"[..], |b| String::from_utf8_lossy(b).into_owned()),
        site(
            "borrowed text made owned",
            STRING,
            BYTES,
            || Cow::Borrowed("x"),
            |c: Cow<'_, str>| c.into_owned(),
        ),
        site(
            "borrowed text made changeable",
            STRING,
            BYTES,
            || Cow::Borrowed("x"),
            |mut c: Cow<'_, str>| {
                c.to_mut();
                c
            },
        ),
        site("text boxed", STRING, BYTES, || String::with_capacity(50) + "a", String::into_boxed_str),
    ]
}

/// Text made from `abc`.
fn from_abc(name: &'static str, work: impl Fn(&'static str) -> String + 'static) -> Site {
    site(name, STRING, BYTES, abc, work)
}

fn system_text() -> Vec<Site> {
    const PATH: &[&str] = &["PathBuf"];
    const OS: &[&str] = &["OsString"];
    const ARGUMENTS: &[&str] = &["Vec<String>", "Vec<OsString>", "OsString"];
    const LONG: &str = "a name that is longer";
    let path = || Path::new("x");
    vec![
        site("C text", &["CString"], BYTES, abc, |s| CString::new(s).expect("no zero inside")),
        site("borrowed C text made owned", &["CString"], &["CString"], || c"abc", CStr::to_owned),
        site("system text", OS, BYTES, abc, |s| OsString::from(s)),
        site("system text made owned", OS, BYTES, || OsStr::new("x"), OsStr::to_os_string),
        site("a path", PATH, BYTES, abc, |s| PathBuf::from(s)),
        site("a path made owned", PATH, BYTES, path, Path::to_path_buf),
        site("a path joined", PATH, BYTES, path, |p| p.join(LONG)),
        site("a path with another extension", PATH, BYTES, path, |p| p.with_extension(LONG)),
        site(
            "a path pushed",
            PATH,
            BYTES,
            || PathBuf::from("x"),
            |mut p| {
                p.push(LONG);
                p
            },
        ),
        site("a variable", STRING, BYTES, nothing, |()| std::env::var("PATH")),
        site("a system variable", OS, BYTES, nothing, |()| std::env::var_os("PATH")),
        site("the folder", PATH, BYTES, nothing, |()| std::env::current_dir()),
        site("the arguments", ARGUMENTS, &["Vec<String>", "Vec<OsString>", "Vec<u8>"], nothing, |()| {
            std::env::args().collect::<Vec<_>>()
        }),
    ]
}

fn counted() -> Vec<Site> {
    const RC: &[&str] = &["Rc<Apple>"];
    const ARC: &[&str] = &["Arc<Apple>"];
    const ARC_STR: &[&str] = &["Arc<str>"];
    const ARC_BYTES: &[&str] = &["Arc<[u8]>", "Arc<str>"];
    vec![
        site("counted", RC, RC, number, |n| Rc::new(apple(n))),
        site("counted, the same layout", &["Rc<Pear>"], &["Rc<Pear>"], number, |n| Rc::new(pear(n))),
        site("shared", ARC, ARC, number, |n| Arc::new(apple(n))),
        site("shared behind a lock", &["Arc<Mutex<Apple>>"], &["Arc<Mutex<Apple>>"], number, |n| {
            Arc::new(Mutex::new(apple(n)))
        }),
        site("counted text", &["Rc<str>"], &["Rc<[u8]>", "Rc<str>"], abc, |s| Rc::<str>::from(s)),
        site("shared text", ARC_STR, ARC_BYTES, abc, |s| Arc::<str>::from(s)),
        site("a string shared", ARC_STR, ARC_BYTES, || String::from("abc"), |s| Arc::<str>::from(s)),
        site(
            "a slice shared",
            &["Arc<[u32]>"],
            &["Arc<[u32]>"],
            || &[1, 2][..],
            |s: &'static [u32]| Arc::<[u32]>::from(s),
        ),
        site(
            "a vector counted",
            &["Rc<[Apple]>"],
            &["Rc<[Apple]>"],
            || vec![apple(1)],
            |v| Rc::<[Apple]>::from(v),
        ),
        site("shared, collected", &["Arc<[Apple]>"], &["Arc<[Apple]>"], number, |n| {
            (0..n).map(apple).collect::<Arc<[Apple]>>()
        }),
        site(
            "counted, made changeable",
            RC,
            RC,
            || Rc::new(apple(1)),
            |first| {
                let mut second = Rc::clone(&first);
                Rc::make_mut(&mut second);
                (first, second)
            },
        ),
        site("shared with itself", ARC, ARC, number, |n| Arc::new_cyclic(|_| apple(n))),
    ]
}

fn maps() -> Vec<Site> {
    const MAP: &[&str] = &["HashMap<u64, Apple>"];
    const PEAR_MAP: &[&str] = &["HashMap<u64, Pear>"];
    const TREE: &[&str] = &["BTreeMap<u64, Apple>"];
    const NODES: &[&str] = &["Box<LeafNode<u64, Apple>>", "Box<InternalNode<u64, Apple>>"];
    const PEAR_NODES: &[&str] = &["Box<LeafNode<u64, Pear>>", "Box<InternalNode<u64, Pear>>"];
    vec![
        site("a map", MAP, MAP, number, |n| {
            let mut map = HashMap::new();
            for i in 0..n {
                map.insert(i, apple(i));
            }
            map
        }),
        site("a map of the same layout", PEAR_MAP, PEAR_MAP, number, |n| {
            let mut map = HashMap::new();
            for i in 0..n {
                map.insert(i, pear(i));
            }
            map
        }),
        site("a map with room", MAP, MAP, length, HashMap::<u64, Apple>::with_capacity),
        site("a map by entries", MAP, MAP, number, |n| {
            let mut map = HashMap::new();
            for i in 0..n {
                map.entry(i).or_insert_with(|| apple(i)).weight += 1;
            }
            map
        }),
        site("a map collected", MAP, MAP, number, |n| {
            (0..n).map(|i| (i, apple(i))).collect::<HashMap<_, _>>()
        }),
        site("a map cloned", MAP, MAP, || HashMap::from([(1_u64, apple(1))]), |map| (map.clone(), map)),
        site("a set collected", &["HashSet<Pear>"], &["HashSet<Pear>"], number, |n| {
            (0..n).map(pear).collect::<HashSet<_>>()
        }),
        site("a set", &["HashSet<u64>"], &["HashSet<u64>"], number, |n| {
            let mut set = HashSet::new();
            for i in 0..n {
                set.insert(i);
            }
            set
        }),
        site(
            "a tree",
            TREE,
            NODES,
            || 100,
            |n| {
                let mut tree = BTreeMap::new();
                for i in 0..n {
                    tree.insert(i, apple(i));
                }
                tree
            },
        ),
        site(
            "a tree by entries",
            &["BTreeMap<u64, Pear>"],
            PEAR_NODES,
            || 100,
            |n| {
                let mut tree = BTreeMap::new();
                for i in 0..n {
                    tree.entry(i).or_insert(pear(i)).stock += 1;
                }
                tree
            },
        ),
        site(
            "a tree by default entries",
            TREE,
            NODES,
            || 100,
            |n| {
                let mut tree: BTreeMap<u64, Apple> = BTreeMap::new();
                for i in 0..n {
                    tree.entry(i).or_default().weight += 1;
                }
                tree
            },
        ),
        site(
            "a tree collected",
            TREE,
            &["Box<LeafNode<u64, Apple>>", "Box<InternalNode<u64, Apple>>", "Vec<(u64, Apple)>"],
            || 50,
            |n| (0..n).map(|i| (i, apple(i))).collect::<BTreeMap<_, _>>(),
        ),
        site(
            "a tree cloned",
            TREE,
            NODES,
            || (0..30).map(|i| (i, apple(i))).collect::<BTreeMap<u64, _>>(),
            |tree| (tree.clone(), tree),
        ),
        site(
            "a tree as a set",
            &["BTreeSet<Pear>"],
            &["Box<LeafNode<Pear, SetValZST>>", "Box<InternalNode<Pear, SetValZST>>"],
            || 50,
            |n| {
                let mut set = BTreeSet::new();
                for i in 0..n {
                    set.insert(pear(i));
                }
                set
            },
        ),
    ]
}

fn sequences() -> Vec<Site> {
    const DEQUE: &[&str] = &["VecDeque<Apple>"];
    vec![
        site("a deque", DEQUE, DEQUE, number, |n| {
            let mut deque = VecDeque::new();
            for i in 0..n {
                deque.push_back(apple(i));
                deque.push_front(apple(i));
            }
            deque
        }),
        site("a deque collected", &["VecDeque<Pear>"], &["Vec<Pear>"], number, |n| {
            (0..n).map(pear).collect::<VecDeque<_>>()
        }),
        site("a heap", &["BinaryHeap<Apple>"], VEC_APPLE, number, |n| {
            let mut heap = BinaryHeap::new();
            for i in 0..n {
                heap.push(apple(i));
            }
            heap
        }),
        site("a heap collected", &["BinaryHeap<Pear>"], &["Vec<Pear>"], number, |n| {
            (0..n).map(pear).collect::<BinaryHeap<_>>()
        }),
        site("a list", &["LinkedList<Apple>"], &["Box<Node<Apple>>"], number, |n| {
            let mut list = LinkedList::new();
            for i in 0..n {
                list.push_back(apple(i));
            }
            list
        }),
        site("a list collected", &["LinkedList<Pear>"], &["Box<Node<Pear>>"], number, |n| {
            (0..n).map(pear).collect::<LinkedList<_>>()
        }),
    ]
}

fn readers_and_writers() -> Vec<Site> {
    const WRITER: &[&str] = &["BufWriter<Vec<u8>>"];
    let lines = || BufReader::new(&b"one line\nanother\n"[..]);
    vec![
        site("a reader's buffer", &["BufReader<&[u8]>"], &["Box<[u8]>"], nothing, |()| {
            BufReader::new(black_box(&b"abc"[..]))
        }),
        site("a writer's buffer", WRITER, BYTES, nothing, |()| BufWriter::new(Vec::new())),
        site("a writer's buffer with room", WRITER, BYTES, length, |n| {
            BufWriter::with_capacity(n, Vec::new())
        }),
        site("a line writer's buffer", &["LineWriter<Vec<u8>>"], BYTES, nothing, |()| {
            LineWriter::new(Vec::new())
        }),
        site("written through a cursor", BYTES, BYTES, abc, |s| {
            let mut cursor = Cursor::new(Vec::new());
            cursor.write_all(s.as_bytes()).expect("a vector takes all");
            cursor
        }),
        site("written to a vector", BYTES, BYTES, abc, |s| {
            let mut bytes = Vec::new();
            bytes.write_all(s.as_bytes()).expect("a vector takes all");
            write!(bytes, "{}", 5).expect("a vector takes all");
            bytes
        }),
        site("read to the end", BYTES, BYTES, abc, |s| {
            let mut bytes = Vec::new();
            s.as_bytes().read_to_end(&mut bytes).expect("there is no error in memory");
            bytes
        }),
        site("read to text", STRING, BYTES, abc, |s| {
            let mut string = String::new();
            s.as_bytes().read_to_string(&mut string).expect("it is text");
            string
        }),
        site("a line read", STRING, BYTES, lines, |mut reader| {
            let mut line = String::new();
            reader.read_line(&mut line).expect("there is no error in memory");
            line
        }),
        site("lines collected", &["Vec<String>", "String"], &["Vec<String>", "Vec<u8>"], lines, |reader| {
            reader.lines().map_while(Result::ok).collect::<Vec<_>>()
        }),
        site("a file read", BYTES, BYTES, nothing, |()| std::fs::read("/proc/self/comm")),
        site("a file read to text", STRING, BYTES, nothing, |()| std::fs::read_to_string("/proc/self/comm")),
    ]
}

fn errors_and_channels() -> Vec<Site> {
    const ARRAY: &str = "mpmc::array::Channel<Apple>";
    const LIST: &str = "mpmc::list::Channel<Apple>";
    const BOXED: &[&str] = &["Box<StringError>", "String"];
    vec![
        site(
            "an error of I/O",
            &["Box<Custom>", "Box<StringError>", "String"],
            &["Box<Custom>", "Box<StringError>", "Vec<u8>"],
            nothing,
            |()| std::io::Error::other("x"),
        ),
        site("a boxed error from text", BOXED, &["Box<StringError>", "Vec<u8>"], abc, |s| {
            Box::<dyn Error + Send + Sync>::from(s)
        }),
        site(
            "a boxed error from another",
            &["Box<ParseIntError>"],
            &["Box<ParseIntError>"],
            || "x".parse::<u32>().expect_err("it is no number"),
            |e| Box::<dyn Error>::from(e),
        ),
        site("a channel", &["Sender<Apple>", LIST], &["Box<Block<Apple>>", LIST], number, |n| {
            let (sender, receiver) = mpsc::channel();
            for i in 0..n {
                sender.send(apple(i)).expect("the receiver is alive");
            }
            (sender, receiver)
        }),
        site("a channel of one size", &[ARRAY], &[ARRAY, "Vec<Slot<Apple>>"], nothing, |()| {
            mpsc::sync_channel::<Apple>(5)
        }),
    ]
}

fn tables() -> Vec<Site> {
    const SHARDS: &str = "Vec<CachePadded<RwLock<RawRwLock, RawTable<(u64, SharedValue<Apple>)>>>>";
    vec![
        site(
            "hashbrown's map",
            &["hashbrown::HashMap<u64, Apple>"],
            &["hashbrown::HashMap<u64, Apple>"],
            number,
            |n| {
                let mut map = hashbrown::HashMap::new();
                for i in 0..n {
                    map.insert(i, apple(i));
                }
                map
            },
        ),
        site("hashbrown's set", &["hashbrown::HashSet<u64>"], &["hashbrown::HashSet<u64>"], number, |n| {
            (0..n).collect::<hashbrown::HashSet<_>>()
        }),
        site("hashbrown's table", &["HashTable<Apple>"], &["HashTable<Apple>"], number, |n| {
            let mut table = hashbrown::HashTable::new();
            for i in 0..n {
                table.insert_unique(i, apple(i), |apple| apple.weight);
            }
            table
        }),
        site(
            "an indexed map",
            &["IndexMap<u64, Apple>"],
            &["Vec<Bucket<u64, Apple>>", "HashTable<usize>"],
            number,
            |n| {
                let mut map = indexmap::IndexMap::new();
                for i in 0..n {
                    map.insert(i, apple(i));
                }
                map
            },
        ),
        site(
            "an indexed map cloned",
            &["IndexMap<u64, Pear>"],
            &["Vec<Bucket<u64, Pear>>", "HashTable<usize>"],
            || (0..9).map(|i| (i, pear(i))).collect::<indexmap::IndexMap<u64, Pear>>(),
            |map| (map.clone(), map),
        ),
        site(
            "an indexed set",
            &["IndexSet<u64>"],
            &["Vec<Bucket<u64, ()>>", "HashTable<usize>"],
            number,
            |n| (0..n).collect::<indexmap::IndexSet<_>>(),
        ),
        site(
            "a map of shards",
            &["DashMap<u64, Apple>"],
            &["RawTable<(u64, SharedValue<Apple>)>", SHARDS],
            number,
            |n| {
                let map = dashmap::DashMap::with_shard_amount(2);
                for i in 0..n {
                    map.insert(i, apple(i));
                }
                map
            },
        ),
        site("a map of shards without a number", &["DashMap<u64, Apple>"], &[SHARDS], nothing, |()| {
            dashmap::DashMap::<u64, Apple>::new()
        }),
        site(
            "a map of slots",
            &["SlotMap<DefaultKey, Apple>"],
            &["Vec<slotmap::Slot<Apple>>"],
            number,
            |n| {
                let mut map = slotmap::SlotMap::new();
                for i in 0..n {
                    map.insert(apple(i));
                }
                map
            },
        ),
        site("a slab", &["Slab<Apple>"], &["Vec<Entry<Apple>>"], number, |n| {
            let mut slab = slab::Slab::new();
            for i in 0..n {
                slab.insert(apple(i));
            }
            slab
        }),
    ]
}

fn small() -> Vec<Site> {
    const APPLES: &[&str] = &["SmallVec<[Apple; 2]>"];
    const PEARS: &[&str] = &["SmallVec<[Pear; 2]>"];
    const TEXT: &[&str] = &["CompactString"];
    vec![
        site("a small vector pushed", APPLES, APPLES, number, |n| {
            let mut apples = smallvec::SmallVec::<[Apple; 2]>::new();
            for i in 0..n {
                apples.push(apple(i));
            }
            apples
        }),
        site("a small vector collected", PEARS, PEARS, number, |n| {
            (0..n).map(pear).collect::<smallvec::SmallVec<[Pear; 2]>>()
        }),
        site("a small vector with room", &["SmallVec<[u32; 2]>"], &["SmallVec<[u32; 2]>"], length, |n| {
            smallvec::SmallVec::<[u32; 2]>::with_capacity(n)
        }),
        site("a compact string", TEXT, &["HeapBuffer"], long, |s| compact_str::CompactString::new(s)),
        site("a compact string pushed", TEXT, &["HeapBuffer"], long, |s| {
            let mut text = compact_str::CompactString::const_new("");
            (0..5).for_each(|_| text.push_str(s));
            text
        }),
        site("a small shared string", &["SmolStr"], &["Arc<[u8]>", "Arc<str>"], long, |s| {
            smol_str::SmolStr::new(s)
        }),
        site("a thin vector", &["ThinVec<Apple>"], &["ThinVec<Apple>"], number, |n| {
            let mut apples = thin_vec::ThinVec::new();
            for i in 0..n {
                apples.push(apple(i));
            }
            apples
        }),
    ]
}

fn shared_bytes() -> Vec<Site> {
    use bytes::BufMut as _;
    const SWAPPED: &[&str] = &["Arc<Apple>", "ArcSwapAny<Arc<Apple>>"];
    vec![
        site("bytes copied", &["Bytes"], BYTES, abc, |s| bytes::Bytes::copy_from_slice(s.as_bytes())),
        site(
            "bytes shared",
            &["Bytes"],
            &["Box<bytes::bytes::Shared>"],
            || vec![1_u8; 5],
            |v| {
                let bytes = bytes::Bytes::from(v);
                (bytes.clone(), bytes)
            },
        ),
        site("bytes written and split", &["BytesMut"], &["Vec<u8>", "Box<bytes_mut::Shared>"], length, |n| {
            let mut bytes = bytes::BytesMut::with_capacity(n);
            bytes.put_slice(&[1; 40]);
            (bytes.split_to(3), bytes)
        }),
        site(
            "shared without weak pointers",
            &["triomphe::Arc<Apple>"],
            &["Box<ArcInner<Apple>>"],
            number,
            |n| triomphe::Arc::new(apple(n)),
        ),
        site("shared and exchangeable", SWAPPED, &["Arc<Apple>"], number, |n| {
            arc_swap::ArcSwap::from_pointee(apple(n))
        }),
    ]
}

fn arenas() -> Vec<Site> {
    const BUMP: &[&str] = &["Bump"];
    vec![
        site("an arena", BUMP, BUMP, number, |n| {
            let arena = bumpalo::Bump::new();
            arena.alloc(n);
            arena
        }),
        site(
            "a vector in an arena",
            BUMP,
            BUMP,
            || 400,
            |n| {
                let arena = bumpalo::Bump::new();
                let mut words = bumpalo::collections::Vec::new_in(&arena);
                for i in 0..n {
                    words.push(i);
                }
                drop(black_box(words));
                arena
            },
        ),
    ]
}

fn queues() -> Vec<Site> {
    const ARRAY: &str = "flavors::array::Channel<Apple>";
    const LIST: &str = "flavors::list::Channel<Apple>";
    vec![
        site("a queue of segments", &["SegQueue<Apple>"], &["crossbeam_queue::Block<Apple>"], number, |n| {
            let queue = crossbeam_queue::SegQueue::new();
            for i in 0..n {
                queue.push(apple(i));
            }
            queue
        }),
        site(
            "a queue of one size",
            &["ArrayQueue<Apple>"],
            &["Vec<crossbeam_queue::Slot<Apple>>"],
            || 4,
            |n| crossbeam_queue::ArrayQueue::<Apple>::new(n),
        ),
        site(
            "crossbeam's channel",
            &["crossbeam_channel::Sender<Apple>", LIST],
            &["crossbeam_channel::Block<Apple>", LIST],
            number,
            |n| {
                let (sender, receiver) = crossbeam_channel::unbounded();
                for i in 0..n {
                    sender.send(apple(i)).expect("the receiver is alive");
                }
                (sender, receiver)
            },
        ),
        site(
            "crossbeam's channel of one size",
            &[ARRAY],
            &[ARRAY, "Vec<crossbeam_channel::Slot<Apple>>"],
            || 4,
            |n| crossbeam_channel::bounded::<Apple>(n),
        ),
        site(
            "a persistent vector",
            &["Vector<Apple>"],
            &["Arc<Chunk<Apple>>", "Arc<im::Node<Apple>>"],
            || 100,
            |n| (0..n).map(apple).collect::<im::Vector<Apple>>(),
        ),
    ]
}

fn parsed() -> Vec<Site> {
    // With a message or a context comes a backtrace, if the environment asks for it.
    const MESSAGE: &[&str] = &["Box<ErrorImpl<MessageError<String>>>", "Vec<BacktraceFrame>"];
    const CONTEXT: &[&str] = &[
        "Box<ErrorImpl<ContextError<&str, anyhow::Error>>>",
        "Box<ErrorImpl<Error>>",
        "Vec<BacktraceFrame>",
    ];
    // serde_json's maps keep their order or not, as the features of the whole build have it.
    const VALUES: &[&str] = &["Vec<Value>", "String", "BTreeMap<String, Value>", "IndexMap<String, Value>"];
    const VALUE_BLOCKS: &[&str] = &[
        "Vec<Value>",
        "Vec<u8>",
        "Box<LeafNode<String, Value>>",
        "Vec<Bucket<String, Value>>",
        "HashTable<usize>",
    ];
    vec![
        site("an error with a message", MESSAGE, MESSAGE, || String::from("e"), anyhow::Error::msg),
        site(
            "an error with a context",
            CONTEXT,
            CONTEXT,
            || fmt::Error,
            |e| anyhow::Error::new(e).context("context"),
        ),
        site("text parsed", STRING, BYTES, || "\"abc\"", |s| serde_json::from_str::<String>(s)),
        site(
            "a list parsed",
            &["Vec<u64>"],
            &["Vec<u64>"],
            || "[1,2,3]",
            |s| serde_json::from_str::<Vec<u64>>(s),
        ),
        site("a list written", BYTES, BYTES, || vec![1_u64, 2, 3], |v| (serde_json::to_vec(&v), v)),
        site(
            "a tree of values parsed",
            VALUES,
            VALUE_BLOCKS,
            || "{\"a\":[1,2,3],\"b\":\"c\"}",
            |s| serde_json::from_str::<serde_json::Value>(s),
        ),
        site("a box in a racing cell", &["Box<Apple>"], &["Box<Apple>"], number, |n| {
            let cell = once_cell::race::OnceBox::new();
            cell.get_or_init(|| Box::new(apple(n)));
            cell
        }),
    ]
}
