//! Vectors: made, grown, collected, cloned.

use super::*;

pub(super) fn vectors() -> Vec<Site> {
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

pub(super) fn collected() -> Vec<Site> {
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
            // Each entry's name is C text first.
            &["Vec<OsString>", "OsString", "PathBuf", "Arc<InnerReadDir>", "CString"],
            &["Vec<OsString>", "Vec<u8>", "Arc<InnerReadDir>", "CString"],
            nothing,
            |()| {
                let entries = std::fs::read_dir("/proc/self/fd").expect("a process has open files");
                entries.flatten().map(|entry| entry.file_name()).collect::<Vec<_>>()
            },
        ),
    ]
}

/// Temporaries that iterators take apart on the way to a collection: none of them is the collection's.
#[expect(
    clippy::map_flatten,
    reason = "`map` and `flatten` are other functions on the stack than `flat_map`"
)]
pub(super) fn passed_on() -> Vec<Site> {
    const BLOCKS: &[&str] = &["Box<[u16; 2]>", "Vec<u16>"];
    const COUNTED: &[&str] = &["Box<[u16; 2]>", "Vec<u16>", "Rc<[u16]>"];
    const COPIED: &[&str] = &["Vec<u16>"];
    let pairs = || [[1_u16; 2], [2; 2]];
    let words = || vec!["a text", "another one"];
    vec![
        site("vectors to a heap", &["Vec<u16>", "BinaryHeap<u16>"], BLOCKS, pairs, |pairs| {
            pairs.into_iter().flat_map(Vec::from).collect::<BinaryHeap<_>>()
        }),
        site(
            "vectors to a tree",
            &["Vec<u16>", "BTreeSet<u16>"],
            &["Box<[u16; 2]>", "Vec<u16>", "Box<LeafNode<u16, SetValZST>>"],
            pairs,
            |pairs| pairs.into_iter().flat_map(Vec::from).collect::<BTreeSet<_>>(),
        ),
        site("vectors to a deque", &["Vec<u16>", "VecDeque<u16>"], BLOCKS, pairs, |pairs| {
            pairs.into_iter().flat_map(Vec::from).collect::<VecDeque<_>>()
        }),
        site("vectors to a boxed slice", &["Vec<u16>", "Box<[u16]>"], BLOCKS, pairs, |pairs| {
            pairs.into_iter().flat_map(Vec::from).collect::<Box<[_]>>()
        }),
        site("vectors to a counted slice", &["Vec<u16>", "Rc<[u16]>"], COUNTED, pairs, |pairs| {
            pairs.into_iter().flat_map(Vec::from).collect::<Rc<[_]>>()
        }),
        site("copies to a heap", &["Vec<u16>", "BinaryHeap<u16>"], COPIED, pairs, |pairs| {
            pairs.iter().map(<[u16; 2]>::as_slice).flat_map(<[u16]>::to_vec).collect::<BinaryHeap<_>>()
        }),
        site("copies to a boxed slice", &["Vec<u16>", "Box<[u16]>"], COPIED, pairs, |pairs| {
            pairs.iter().map(<[u16; 2]>::as_slice).flat_map(<[u16]>::to_vec).collect::<Box<[_]>>()
        }),
        site("strings to boxed text", &["String", "Box<str>"], BYTES, words, |words| {
            words.into_iter().map(String::from).collect::<Box<str>>()
        }),
        site("bytes to a boxed slice", &["Vec<u8>", "Box<[u8]>"], BYTES, words, |words| {
            words.into_iter().map(Vec::<u8>::from).flatten().collect::<Box<[u8]>>()
        }),
    ]
}

pub(super) fn cloned() -> Vec<Site> {
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
