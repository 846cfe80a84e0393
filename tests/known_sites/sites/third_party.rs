//! Containers of other crates.

use super::*;

pub(super) fn tables() -> Vec<Site> {
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
            "an indexed set, its length unknown",
            &["IndexSet<u64>"],
            &["Vec<Bucket<u64, ()>>", "HashTable<usize>"],
            number,
            |n| (0..n).filter(|i| i % 3 > 0).collect::<indexmap::IndexSet<_>>(),
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

pub(super) fn small() -> Vec<Site> {
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

pub(super) fn shared_bytes() -> Vec<Site> {
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

pub(super) fn arenas() -> Vec<Site> {
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

pub(super) fn queues() -> Vec<Site> {
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

pub(super) fn parsed() -> Vec<Site> {
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
