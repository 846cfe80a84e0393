//! What values ask the allocator for, from the documented rules of the standard library alone.
//!
//! Where the length is asked for exactly, the documentation of `with_capacity`, `reserve_exact`, `shrink_to_fit`,
//! `into_boxed_slice` says the size. What else is known of std 1.95, and where it stands in `library/`:
//! - a vector that has to grow doubles, and begins with 8 elements of one byte, 4 of up to 1,024 bytes, 1 of more:
//!   `alloc/src/raw_vec/mod.rs`, `grow_amortized` and `min_non_zero_cap`;
//! - shared values stand behind two counters: `alloc/src/sync.rs`, `ArcInner`; `alloc/src/rc.rs`, `RcInner`;
//! - a node of a tree has 11 places for keys and values, 12 for children, and splits in the middle:
//!   `alloc/src/collections/btree/node.rs`;
//! - a map has a power of two of places, of which it uses seven eighths, and a byte for each, and some more: hashbrown,
//!   `src/raw.rs`, `capacity_to_buckets` and `TableLayout::calculate_layout_for`.

use std::any::type_name;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::action::{Action, ElementId, Kind};
use crate::element::Facts;
use crate::ledger::What;

/// A block that a value has.
#[derive(Clone, Copy, Debug)]
struct Block {
    number: u64,
    bytes: usize,
}

/// What is known of a value.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) kind: Kind,
    element: ElementId,
    capacity: usize,
    length: usize,
    /// In the order in which they are freed.
    blocks: Vec<Block>,
}

/// Calls that are expected, each with the type that owns the block, and the next number of a block.
#[derive(Default)]
pub(crate) struct Script {
    pub(crate) calls: Vec<(&'static str, What)>,
    next: u64,
}

impl Script {
    /// A block, or none: nothing is asked for no bytes.
    fn fresh(&mut self, owner: &'static str, bytes: usize, zeroed: bool) -> Option<Block> {
        let number = self.next;
        self.next += 1;
        let what = What::Fresh { block: number, bytes: bytes as u64, zeroed };
        (bytes > 0).then(|| self.calls.push((owner, what))).map(|()| Block { number, bytes })
    }

    fn resize(&mut self, owner: &'static str, block: &mut Block, bytes: usize) {
        let (former, former_bytes) = (block.number, block.bytes as u64);
        block.bytes = bytes;
        let what = What::Resized { former, former_bytes, block: former, bytes: bytes as u64 };
        self.calls.push((owner, what));
    }

    fn free(&mut self, block: Block) {
        self.calls.push(("", What::Freed { block: block.number, bytes: block.bytes as u64 }));
    }

    fn free_all(&mut self, blocks: &mut Vec<Block>) {
        blocks.drain(..).for_each(|block| self.free(block));
    }
}

/// Does an action to what is known: `slot` and `other` as the values' slots.
pub(crate) fn perform(
    action: &Action,
    slot: &mut Option<Known>,
    other: &mut Option<Known>,
    script: &mut Script,
) {
    match *action {
        Action::Make { kind, element, capacity, length } => {
            *slot = Some(make(kind, element, capacity, length, script));
        }
        Action::MakeBriefly { kind, element } => {
            let block = match kind {
                Kind::Text => script.fresh(type_name::<Rc<str>>(), shared(7, 1), false),
                _ => {
                    let Facts { size, align, owner } = element.facts();
                    script.fresh(owner(Kind::Counted), shared(size, align), false)
                }
            };
            block.into_iter().for_each(|block| script.free(block));
        }
        Action::Free => slot.take().into_iter().for_each(|mut known| script.free_all(&mut known.blocks)),
        Action::Copy => *other = slot.as_ref().map(|known| known.copy(script)),
        Action::Push(count) => slot.iter_mut().for_each(|known| known.push(count, script)),
        Action::Reserve(more) => slot.iter_mut().for_each(|known| known.reserve(more, script)),
        Action::Shrink => slot.iter_mut().for_each(|known| known.shrink(script)),
        Action::Turn { shared } => slot.iter_mut().for_each(|known| known.turn(shared, script)),
    }
}

fn make(kind: Kind, element: ElementId, capacity: usize, length: usize, script: &mut Script) -> Known {
    let mut known = Known { kind, element, capacity, length, blocks: Vec::new() };
    let (owner, size) = (known.owner(), known.size());
    let Facts { align, .. } = element.facts();
    let one = match kind {
        Kind::Boxed | Kind::Dynamic => size,
        Kind::List | Kind::Deque | Kind::Text | Kind::Numbers | Kind::Texts => capacity * size,
        Kind::Collected => {
            known.kind = Kind::List;
            known.capacity = length;
            length * size
        }
        Kind::Shared => shared(size, align),
        Kind::SharedText => shared(length, 1),
        Kind::Map => known.take_places(capacity),
        Kind::Chain => {
            known.push(length, script);
            known.length = length;
            return known;
        }
        Kind::Tree => {
            known.grow_tree(script, [0, 1, 2]);
            return known;
        }
        Kind::Slice | Kind::SharedSlice | Kind::Counted => unreachable!("they are made in other ways"),
    };
    known.blocks.extend(script.fresh(owner, one, kind == Kind::Numbers));
    if kind == Kind::Texts {
        let texts = (1..=length).filter_map(|bytes| script.fresh(type_name::<String>(), bytes, false));
        let texts: Vec<Block> = texts.collect();
        known.blocks.splice(0..0, texts);
    }
    known
}

impl Known {
    fn owner(&self) -> &'static str {
        match self.kind {
            Kind::Text => type_name::<String>(),
            Kind::SharedText => type_name::<Arc<str>>(),
            Kind::Texts => type_name::<Vec<String>>(),
            Kind::Numbers => type_name::<Vec<u64>>(),
            kind => (self.element.facts().owner)(kind),
        }
    }

    /// Bytes of an element.
    fn size(&self) -> usize {
        match self.kind {
            Kind::Text | Kind::SharedText => 1,
            Kind::Texts => size_of::<String>(),
            Kind::Numbers => size_of::<u64>(),
            _ => self.element.facts().size,
        }
    }

    /// What can be done to it, besides freeing it.
    pub(crate) fn actions(&self) -> &'static [fn(usize) -> Action] {
        const PUSH: fn(usize) -> Action = Action::Push;
        const RESERVE: fn(usize) -> Action = Action::Reserve;
        const SHRINK: fn(usize) -> Action = |_| Action::Shrink;
        const COPY: fn(usize) -> Action = |_| Action::Copy;
        const FREEZE: fn(usize) -> Action = |_| Action::Turn { shared: false };
        const SHARE: fn(usize) -> Action = |_| Action::Turn { shared: true };
        match self.kind {
            Kind::List | Kind::Text => &[PUSH, PUSH, RESERVE, SHRINK, COPY, FREEZE, SHARE],
            Kind::Deque => &[PUSH, PUSH, RESERVE, SHRINK, COPY],
            Kind::Map => &[RESERVE, SHRINK, COPY],
            Kind::Chain => &[PUSH, COPY],
            Kind::Boxed | Kind::Tree | Kind::Numbers => &[COPY],
            _ => &[],
        }
    }

    fn copy(&self, script: &mut Script) -> Self {
        let mut copy = Self { blocks: Vec::new(), ..self.clone() };
        match self.kind {
            Kind::Tree => copy.grow_tree(script, [0, 2, 1]),
            // A map's clone has as many places, used or not.
            Kind::Map => {
                let bytes = self.blocks.first().map_or(0, |block| block.bytes);
                copy.blocks.extend(script.fresh(self.owner(), bytes, false));
            }
            Kind::Boxed => copy.blocks.extend(script.fresh(self.owner(), self.size(), false)),
            Kind::Chain => {
                copy.length = 0;
                copy.push(self.length, script);
            }
            Kind::Numbers => {
                copy.blocks.extend(script.fresh(self.owner(), self.capacity * self.size(), false))
            }
            _ => {
                copy.capacity = self.length;
                copy.blocks.extend(script.fresh(self.owner(), self.length * self.size(), false));
            }
        }
        copy
    }

    fn push(&mut self, count: usize, script: &mut Script) {
        let owner = self.owner();
        match self.kind {
            Kind::Chain => {
                let Facts { size, align, .. } = self.element.facts();
                let node = round_up(2 * WORD + size, align.max(WORD));
                self.blocks.extend((0..count).filter_map(|_| script.fresh(owner, node, false)));
                self.length += count;
            }
            // Text is put in at once.
            Kind::Text => {
                self.grow(self.length + count, script);
                self.length += count;
            }
            _ => {
                for _ in 0..count {
                    self.grow(self.length + 1, script);
                    self.length += 1;
                }
            }
        }
    }

    /// Grows so that `length` elements have room, and more to come.
    fn grow(&mut self, length: usize, script: &mut Script) {
        let size = self.size();
        let least = match size {
            0 => return,
            1 => 8,
            2..=1024 => 4,
            _ => 1,
        };
        if length > self.capacity {
            self.set_capacity(length.max(2 * self.capacity).max(least), script);
        }
    }

    fn reserve(&mut self, more: usize, script: &mut Script) {
        if self.kind == Kind::Map {
            if self.length + more > self.capacity {
                self.move_table((self.length + more).max(self.capacity + 1), script);
            }
        } else if self.length + more > self.capacity {
            self.set_capacity(self.length + more, script);
        }
    }

    fn shrink(&mut self, script: &mut Script) {
        if self.kind != Kind::Map {
            if self.length < self.capacity {
                self.set_capacity(self.length, script);
            }
        } else if self.length == 0 {
            script.free_all(&mut self.blocks);
            self.capacity = 0;
        } else if places(self.length) < places(self.capacity) {
            self.move_table(self.length, script);
        }
    }

    fn turn(&mut self, is_shared: bool, script: &mut Script) {
        if is_shared {
            let (align, size) =
                if self.kind == Kind::Text { (1, 1) } else { (self.element.facts().align, self.size()) };
            self.kind = if self.kind == Kind::Text { Kind::SharedText } else { Kind::SharedSlice };
            let block = script.fresh(self.owner(), shared(self.length * size, align), false);
            script.free_all(&mut self.blocks);
            self.blocks.extend(block);
        } else {
            self.shrink(script);
            self.kind = Kind::Slice;
        }
    }

    /// The buffer has room for `capacity` elements from now on.
    fn set_capacity(&mut self, capacity: usize, script: &mut Script) {
        self.capacity = capacity;
        let (owner, bytes) = (self.owner(), capacity * self.size());
        match self.blocks.first_mut() {
            Some(_) if bytes == 0 => script.free_all(&mut self.blocks),
            Some(block) => script.resize(owner, block, bytes),
            None => self.blocks.extend(script.fresh(owner, bytes, false)),
        }
    }

    /// A map with room for `capacity`: makes the new table, then frees the old one.
    fn move_table(&mut self, capacity: usize, script: &mut Script) {
        let bytes = self.take_places(capacity);
        let table = script.fresh(self.owner(), bytes, false);
        script.free_all(&mut self.blocks);
        self.blocks.extend(table);
    }

    /// The bytes of a map's table with room for `capacity`; notes how much room it really has.
    fn take_places(&mut self, capacity: usize) -> usize {
        if capacity == 0 {
            return 0;
        }
        let Facts { size, align, .. } = self.element.facts();
        let entry = round_up(size_of::<u64>() + size, align.max(align_of::<u64>()));
        let places = places(capacity);
        self.capacity = if places <= 8 { places - 1 } else { places / 8 * 7 };
        round_up(places * entry, align.max(GROUP)) + places + GROUP
    }

    /// A tree's nodes; `order` says which of left leaf, right leaf and root is made when.
    fn grow_tree(&mut self, script: &mut Script, order: [usize; 3]) {
        let Facts { size, align, .. } = self.element.facts();
        let owner = self.owner();
        let align = align.max(WORD);
        // The parent, keys and values, and two small numbers, in the order that needs least room.
        let leaf = round_up(WORD + 11 * (size_of::<u64>() + size) + 2 * size_of::<u16>(), align);
        let root = round_up(leaf + 12 * WORD, align);
        let nodes: &[usize] = match self.length {
            0 => &[],
            1..=11 => &[leaf],
            LEAST_OF_THREE..=MOST_IN_TREE => &[leaf, leaf, root],
            more => unreachable!("a tree of {more} is not made"),
        };
        let mut made = BTreeMap::new();
        for node in order.into_iter().filter(|node| *node < nodes.len()) {
            made.insert(node, script.fresh(owner, nodes[node], false).expect("a node has bytes"));
        }
        self.blocks = made.into_values().collect();
    }
}

const WORD: usize = size_of::<usize>();

/// Places of a map that are looked at in one step.
const GROUP: usize = if cfg!(target_feature = "sse2") { 16 } else { 8 };

/// The first leaf of 11 splits here, and its right half, when entries come in ascending order, with one entry more than
/// [`MOST_IN_TREE`].
const LEAST_OF_THREE: usize = 12;

/// The most entries of a tree.
pub(crate) const MOST_IN_TREE: usize = 18;

/// The bytes of a value behind two counters.
fn shared(bytes: usize, align: usize) -> usize {
    let align = align.max(WORD);
    round_up(round_up(2 * WORD, align) + bytes, align)
}

fn places(capacity: usize) -> usize {
    match capacity {
        0 => 0,
        1..=3 => 4,
        4..=7 => 8,
        8..=14 => 16,
        more => (more * 8 / 7).next_power_of_two(),
    }
}

fn round_up(bytes: usize, align: usize) -> usize {
    bytes.next_multiple_of(align)
}
