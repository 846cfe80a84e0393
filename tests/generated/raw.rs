//! Calls of the allocator as no container would make them, on several threads: what the recorder says of them is what the
//! reference says.
#![allow(unsafe_code)] // Layouts that containers never ask for can only be had from the allocator itself.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, realloc};
use std::sync::Mutex;
use std::thread;

use alloclab::recorder::{Window, WindowOptions};

use crate::comparison::{compare_events, compare_totals, peaks};
use crate::ledger::{Ledger, Whose};
use crate::program::random;
use crate::random::Random;
use crate::reference;
use crate::run::Seen;
use crate::witness::Witness;

/// A block that is alive.
struct Block {
    address: *mut u8,
    layout: Layout,
}

// SAFETY: a block is nobody's but its owner's.
unsafe impl Send for Block {}

/// Calls of one thread.
const CALLS: usize = 400;

/// Blocks that are kept at most.
const KEPT: usize = 64;

/// Blocks that threads leave to one another. They have room: nothing else is to be allocated.
struct Table(Mutex<Vec<Block>>);

impl Table {
    fn put(&self, block: Block, random: &mut Random) {
        let mut blocks = self.0.lock().expect("nobody panics");
        if blocks.len() < KEPT {
            return blocks.push(block);
        }
        let place = random.below(KEPT);
        let replaced = std::mem::replace(&mut blocks[place], block);
        drop(blocks);
        replaced.free();
    }

    fn take(&self, random: &mut Random) -> Option<Block> {
        let mut blocks = self.0.lock().expect("nobody panics");
        let length = blocks.len();
        (length > 0).then(|| blocks.swap_remove(random.below(length)))
    }
}

impl Block {
    fn free(self) {
        // SAFETY: the block is alive, has this layout, and is given up here.
        unsafe { dealloc(self.address, self.layout) };
    }

    fn resize(self, bytes: usize) -> Self {
        // SAFETY: as above, and the size is neither zero nor more than a layout may have.
        let moved = unsafe { realloc(self.address, self.layout, bytes) };
        match Layout::from_size_align(bytes, self.layout.align()) {
            Ok(layout) if !moved.is_null() => Self { address: moved, layout },
            _ => self,
        }
    }
}

/// From 1 byte to 4 KiB mostly, of every alignment up to 4 KiB and some more; at times too much to be had.
fn layout(random: &mut Random) -> Layout {
    let powers = if random.below(20) == 0 { 17 } else { 13 };
    let align = 1 << random.below(powers);
    let bytes = match random.below(40) {
        0 => most(align),
        1..4 => 1 + random.below(300_000),
        4..20 => 1 + random.below(64),
        _ => 1 + random.below(4096),
    };
    Layout::from_size_align(bytes, align).expect("it is no more than the most")
}

/// The most bytes that a layout may have.
fn most(align: usize) -> usize {
    (isize::MAX as usize + 1) - align
}

fn make(random: &mut Random) -> Option<Block> {
    let layout = layout(random);
    let address = match random.below(3) {
        // SAFETY: the size is not zero.
        0 => unsafe { alloc_zeroed(layout) },
        // SAFETY: the size is not zero.
        _ => unsafe { alloc(layout) },
    };
    (!address.is_null()).then_some(Block { address, layout })
}

/// Another size for a block: larger, smaller, the same, or too much.
fn other_size(layout: Layout, random: &mut Random) -> usize {
    match random.below(8) {
        0 => layout.size(),
        1 => most(layout.align()),
        2 => layout.size() * 2,
        3 | 4 => 1 + random.below(layout.size()),
        _ => 1 + layout.size() + random.below(5000),
    }
}

/// Makes the calls of one thread.
#[inline(never)]
fn mix(table: &Table, random: &mut Random) {
    for _ in 0..CALLS {
        let taken = if random.below(3) > 0 { table.take(random) } else { None };
        match taken {
            None => make(random).into_iter().for_each(|block| table.put(block, random)),
            Some(block) if random.below(3) == 0 => block.free(),
            Some(block) => {
                let bytes = other_size(block.layout, random);
                table.put(block.resize(bytes), random);
            }
        }
    }
}

/// How the calls of a seed are made, and in what window.
#[derive(Debug)]
struct Shape {
    threads: usize,
    /// Else it is over the only thread.
    over_process: bool,
    keeps_events: bool,
    exact_peak: bool,
    /// How many sites find room.
    max_sites: u32,
}

impl Shape {
    fn generate(random: &mut Random) -> Self {
        let threads = [1, 1, 2, 4][random.below(4)];
        Self {
            threads,
            over_process: threads > 1 || random.below(2) == 0,
            keeps_events: random.below(2) == 0,
            exact_peak: random.below(2) == 0,
            max_sites: [1, 5, 20, 1000, 1000, 1000][random.below(6)],
        }
    }

    fn open(&self) -> Window {
        let options = WindowOptions::new().max_sites(self.max_sites);
        let options = options.events(if self.keeps_events { 4 * CALLS } else { 0 });
        let options = if self.exact_peak { options.exact_peak() } else { options };
        let window = if self.over_process { options.open_over_process() } else { options.open_over_thread() };
        window.expect("no other window is open")
    }
}

/// The calls of a seed, in a window over the thread, or over the process with threads that begin and end in it.
pub(crate) fn difference(seed: u64) -> Option<String> {
    let _witness = Witness::of(seed);
    let mut random = random(seed);
    let table = Table(Mutex::new(Vec::with_capacity(KEPT)));
    for _ in 0..random.below(KEPT) {
        make(&mut random).into_iter().for_each(|block| table.put(block, &mut random));
    }
    let shape = Shape::generate(&mut random);
    reference::make_room(shape.threads * (2 * CALLS + 200));
    reference::name_thread(0);
    let window = shape.open();
    reference::listen(true);
    mix_in_threads(&table, shape.threads, &mut random);
    reference::listen(false);
    let snapshot = window.close();
    let whose = if shape.over_process { Whose::All } else { Whose::Thread(0) };
    let seen = Seen { whose, listened: 0, snapshot };
    let ledger = Ledger::of(&reference::take(), whose, 0);
    table.0.into_inner().expect("nobody panics").into_iter().for_each(Block::free);
    let difference = compare(&shape, &ledger, &seen).err()?;
    Some(format!("calls {seed}: {shape:?}\n{difference}"))
}

fn compare(shape: &Shape, ledger: &Ledger<()>, seen: &Seen) -> Result<(), String> {
    compare_totals(ledger, seen)?;
    peaks(ledger, &seen.snapshot, shape.exact_peak, false)?;
    if shape.keeps_events { compare_events(ledger, seen) } else { Ok(()) }
}

fn mix_in_threads(table: &Table, threads: usize, random: &mut Random) {
    if threads == 1 {
        return mix(table, random);
    }
    thread::scope(|scope| {
        let others = (1..threads).map(|_| {
            let mut random = crate::program::random(random.below(1 << 30) as u64);
            scope.spawn(move || mix(table, &mut random))
        });
        let others: Vec<_> = others.collect();
        mix(table, random);
        // Joined, they have freed the last that they had.
        others.into_iter().for_each(|thread| thread.join().expect("no call panics"));
    });
}
