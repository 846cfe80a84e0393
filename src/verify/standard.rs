//! Loops of the standard library: between them, every counter of every instrument moves.

use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};
use std::hint::black_box;
use std::mem;
use std::rc::Rc;

use crate::plan::{CaseKey, PlannedCase, Prepared, Subject, Workload};

/// What stands in the place of a codec.
pub(crate) const CODEC: &str = "std";

/// A name, and a way to make an operation of it.
type Loop = (&'static str, fn() -> Workload);

const LOOPS: [Loop; 7] = [
    ("vectors", vectors),
    ("zeroed blocks", zeroed),
    ("aligned blocks", aligned),
    ("large blocks", large),
    ("collections", collections),
    ("kept blocks", kept),
    ("blocks from before", handed_over),
];

/// The loops, each with so many operations.
pub(crate) fn cases(iterations: u64) -> Vec<PlannedCase> {
    let cases = LOOPS.iter().map(|&(name, make)| PlannedCase {
        key: CaseKey { codec: CODEC.into(), model: name.into(), batch: 1, threads: 1, ..CaseKey::default() },
        objects: 1,
        iterations,
        group: CODEC.into(),
        baseline: false,
        subject: Box::new(Made(make)),
        published: None,
        references: Vec::new(),
    });
    cases.collect()
}

struct Made(fn() -> Workload);

impl Subject for Made {
    fn prepare(&self) -> Option<Prepared> {
        Some(Prepared { encoded_bytes: 0, workload: (self.0)(), inline_objects: Vec::new() })
    }
}

/// A different size from one operation to the next, over and over.
fn sizes() -> impl FnMut() -> usize {
    let mut sizes = (1..40).cycle();
    move || black_box(sizes.next().unwrap_or(1))
}

/// Reallocations that grow, shrink, move, and change nothing.
fn vectors() -> Workload {
    let mut size = sizes();
    Workload::serial(move || {
        let mut list: Vec<usize> = (0..size()).filter(|number| *number != 7).collect();
        list.reserve_exact(500);
        let beside = black_box(vec![1_u16; 9]);
        list.truncate(3);
        list.shrink_to_fit();
        let shared: Rc<[usize]> = black_box(list).into();
        black_box((beside, shared));
    })
}

fn zeroed() -> Workload {
    let mut size = sizes();
    Workload::serial(move || {
        let mut list = black_box(vec![0_u64; size()]);
        list.resize(100, 0);
        black_box((list, vec![0_u8; 10_000]));
    })
}

/// More than `malloc` aligns to: the system's allocator goes another way then.
#[derive(Clone)]
#[repr(align(128))]
struct Aligned([u8; 128]);

fn aligned() -> Workload {
    let mut size = sizes();
    Workload::serial(move || {
        let mut list = vec![Aligned([1; 128]); size()];
        list.push(Aligned([2; 128]));
        list.truncate(1);
        list.shrink_to_fit();
        black_box((&list[0].0, Box::new(Aligned([0; 128]))));
    })
}

/// Blocks that have pages of their own, and grow by moving them.
fn large() -> Workload {
    Workload::serial(|| {
        let mut list = black_box(vec![0_u8; 300_000]);
        list.reserve_exact(600_000);
        list.truncate(10);
        list.shrink_to(200_000);
        black_box(list);
    })
}

fn collections() -> Workload {
    let mut size = sizes();
    Workload::serial(move || {
        let size = size();
        let sorted: BTreeMap<usize, String> =
            (0..size).map(|number| (number, format!("item {number}"))).collect();
        let found: HashMap<&str, usize> =
            sorted.iter().map(|(number, name)| (name.as_str(), *number)).collect();
        let queue: VecDeque<Box<usize>> = (0..size).map(Box::new).collect();
        let heap: BinaryHeap<Rc<usize>> = (0..size).map(Rc::new).collect();
        black_box((&found, queue, heap));
        black_box((sorted, String::from("a text").into_boxed_str()));
    })
}

/// Some blocks stay alive for good.
fn kept() -> Workload {
    let mut size = sizes();
    Workload::serial(move || {
        let mut list = black_box(vec![1_u8; size()]);
        list.reserve_exact(50);
        mem::forget(list);
        drop(black_box(Box::new([0_u8; 1000])));
    })
}

/// What the window finds is grown, freed and replaced in it.
fn handed_over() -> Workload {
    let mut size = sizes();
    let (mut replaced, mut grown) = (vec![1_u8; 70], Vec::<u8>::new());
    Workload::serial(move || {
        drop(mem::replace(&mut replaced, black_box(vec![1; size()])));
        grown.reserve_exact(grown.capacity() + 10);
        black_box((&replaced, &grown));
    })
}
