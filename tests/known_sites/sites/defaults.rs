//! Types that are called like a default argument, or that are one, where they are no default.

use std::hash::{BuildHasher, DefaultHasher, RandomState};

use super::*;

/// Called like the standard allocator.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Global(u64);

mod own {
    /// Called like the standard library's hasher.
    #[derive(Clone, Default)]
    pub(super) struct RandomState;
}

impl BuildHasher for own::RandomState {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        DefaultHasher::new()
    }
}

pub(super) fn defaults() -> Vec<Site> {
    const GLOBALS: &[&str] = &["Vec<Global>"];
    const BOX: &[&str] = &["Box<Global>"];
    const HASHERS: &[&str] = &["Vec<RandomState>"];
    const HASHER: &[&str] = &["Arc<RandomState>"];
    const MAP: &[&str] = &["HashMap<u64, RandomState>"];
    const OWN: &[&str] = &["HashMap<u64, Apple, known_sites::RandomState>"];
    const INDEXED: &[&str] = &["IndexMap<u64, RandomState>"];
    const INDEXED_BLOCKS: &[&str] = &["Vec<Bucket<u64, RandomState>>", "HashTable<usize>"];
    const TREE: &[&str] = &["BTreeMap<u64, Global>"];
    const NODE: &[&str] = &["Box<LeafNode<u64, Global>>"];
    vec![
        site("a vector of types called Global", GLOBALS, GLOBALS, number, |n| {
            (0..n).map(Global).collect::<Vec<_>>()
        }),
        site("a box of a type called Global", BOX, BOX, number, |n| Box::new(Global(n))),
        site("a tree to types called Global", TREE, NODE, number, |n| BTreeMap::from([(n, Global(n))])),
        site("a vector of hashers", HASHERS, HASHERS, length, Vec::<RandomState>::with_capacity),
        site("a hasher shared", HASHER, HASHER, nothing, |()| Arc::new(RandomState::new())),
        site("a map to hashers", MAP, MAP, number, |n| HashMap::from([(n, RandomState::new())])),
        site("a map with a hasher of its own", OWN, OWN, number, |n| {
            let mut map = HashMap::with_hasher(own::RandomState);
            map.insert(n, apple(n));
            map
        }),
        site("an indexed map to hashers", INDEXED, INDEXED_BLOCKS, number, |n| {
            indexmap::IndexMap::<_, _>::from([(n, RandomState::new())])
        }),
    ]
}
