//! Code whose allocations are known from its source: what it does, who owns the memory, and what its blocks are.
#![expect(
    clippy::redundant_closure,
    clippy::reserve_after_initialization,
    reason = "a closure is a function of the program and a path is none: both ways to pass a function stand here"
)]

mod collections;
mod defaults;
mod io;
mod own;
mod pointers;
mod text;
mod third_party;
mod vectors;

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
        pointers::boxes(),
        vectors::vectors(),
        vectors::collected(),
        vectors::passed_on(),
        vectors::cloned(),
        text::text(),
        text::system_text(),
        pointers::counted(),
        collections::maps(),
        collections::sequences(),
        io::readers_and_writers(),
        io::errors_and_channels(),
        defaults::defaults(),
        own::containers(),
        third_party::tables(),
        third_party::small(),
        third_party::shared_bytes(),
        third_party::arenas(),
        third_party::queues(),
        third_party::parsed(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
