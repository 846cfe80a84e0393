//! Maps, sets and sequences of the standard library.

use super::*;

pub(super) fn maps() -> Vec<Site> {
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
        site("a set collected, its length unknown", &["HashSet<Pear>"], &["HashSet<Pear>"], number, |n| {
            (0..n).map(pear).filter(|pear| pear.price % 3 > 0).collect::<HashSet<_>>()
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

pub(super) fn sequences() -> Vec<Site> {
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
