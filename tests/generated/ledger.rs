//! Plain bookkeeping of calls: one map of blocks, one of rows. What the recorder must say.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use alloclab::snapshot::{Counts, EventKind};

/// A call of the allocator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<R> {
    pub(crate) thread: u32,
    /// Who calls: what the block is counted under. Frees are counted where their blocks are.
    pub(crate) row: R,
    pub(crate) what: What,
}

/// What was called, and for which block: by its address, or by a number of one's own.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    Fresh {
        block: u64,
        bytes: u64,
        zeroed: bool,
    },
    Resized {
        former: u64,
        former_bytes: u64,
        block: u64,
        bytes: u64,
    },
    Freed {
        block: u64,
        bytes: u64,
    },
    /// Answered with null.
    Failed,
}

/// Whose calls count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    All,
    Thread(u32),
}

/// The figures of a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Figures {
    pub(crate) counts: Counts,
    /// Allocations and reallocations by the power of two in their sizes.
    pub(crate) size_classes: BTreeMap<u8, u64>,
}

/// An event, with rows in place of sites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event<R> {
    pub(crate) kind: EventKind,
    pub(crate) row: Option<R>,
    pub(crate) former_row: Option<R>,
    pub(crate) bytes: u64,
    pub(crate) former_bytes: u64,
}

/// The highest total of live bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Peak {
    pub(crate) bytes: u64,
    pub(crate) blocks: u64,
    /// Allocations and reallocations up to the call that reached it.
    pub(crate) requests: u64,
}

/// What a window has to know after the calls that it saw.
pub(crate) struct Ledger<R> {
    whose: Whose,
    blocks: HashMap<u64, Block<R>>,
    /// Allocations and reallocations of each thread.
    clocks: HashMap<u32, u64>,
    live_bytes: u64,
    /// By row; none for blocks that were born outside.
    pub(crate) rows: BTreeMap<Option<R>, Figures>,
    pub(crate) peak: Peak,
    /// Of the one thread whose events are kept.
    pub(crate) events: Vec<Event<R>>,
    pub(crate) threads: BTreeSet<u32>,
    /// The longest block that was asked for.
    pub(crate) longest: u64,
}

struct Block<R> {
    row: R,
    bytes: u64,
    thread: u32,
    born: u64,
}

impl<R: Copy + Ord> Ledger<R> {
    /// The ledger after these calls. The events are those of `listened`.
    pub(crate) fn of(calls: &[Call<R>], whose: Whose, listened: u32) -> Self {
        let mut ledger = Self {
            whose,
            blocks: HashMap::new(),
            clocks: HashMap::new(),
            live_bytes: 0,
            rows: BTreeMap::new(),
            peak: Peak::default(),
            events: Vec::new(),
            threads: BTreeSet::new(),
            longest: 0,
        };
        for call in calls {
            let is_seen = whose == Whose::All || whose == Whose::Thread(call.thread);
            if is_seen {
                ledger.threads.insert(call.thread);
                ledger.see(call, call.thread == listened);
            } else {
                ledger.pass_over(call);
            }
        }
        ledger
    }

    /// The sum of all rows.
    pub(crate) fn totals(&self) -> Figures {
        let mut totals = Figures::default();
        for row in self.rows.values() {
            totals.add(row);
        }
        totals
    }

    fn see(&mut self, call: &Call<R>, is_listened: bool) {
        let event = match call.what {
            What::Failed => {
                self.row(Some(call.row)).counts.failed += 1;
                None
            }
            What::Fresh { block, bytes, zeroed } => {
                let counts = &mut self.row(Some(call.row)).counts;
                counts.allocations += 1;
                counts.allocated_bytes += bytes;
                counts.zeroed += u64::from(zeroed);
                self.come(call, block, bytes);
                Some((EventKind::Allocate, Some(call.row), bytes, 0))
            }
            What::Freed { block, bytes } => {
                let (row, is_elsewhere) = self.go(call, block, bytes);
                let counts = &mut self.row(row).counts;
                counts.deallocations += 1;
                counts.freed_bytes += bytes;
                counts.freed_elsewhere += u64::from(is_elsewhere);
                Some((EventKind::Free, row, bytes, 0))
            }
            What::Resized { former, former_bytes, block, bytes } => {
                let (row, _) = self.go(call, former, former_bytes);
                let counts = &mut self.row(Some(call.row)).counts;
                counts.reallocations += 1;
                counts.reallocated_new_bytes += bytes;
                counts.moved += u64::from(block != former);
                counts.grown += u64::from(bytes > former_bytes);
                counts.shrunk += u64::from(bytes < former_bytes);
                counts.grown_bytes += bytes.saturating_sub(former_bytes);
                counts.shrunk_bytes += former_bytes.saturating_sub(bytes);
                self.come(call, block, bytes);
                Some((EventKind::Reallocate, row, bytes, former_bytes))
            }
        };
        if self.live_bytes > self.peak.bytes {
            self.note_peak();
        }
        if let Some((kind, former_row, bytes, former_bytes)) = event.filter(|_| is_listened) {
            let row = if kind == EventKind::Free { former_row } else { Some(call.row) };
            self.events.push(Event { kind, row, former_row, bytes, former_bytes });
        }
    }

    /// A block comes to the row of the call.
    fn come(&mut self, call: &Call<R>, block: u64, bytes: u64) {
        let clock = self.clocks.entry(call.thread).or_default();
        *clock += 1;
        self.blocks.insert(block, Block { row: call.row, bytes, thread: call.thread, born: *clock });
        let row = self.row(Some(call.row));
        row.counts.live_blocks += 1;
        row.counts.live_bytes += bytes;
        *row.size_classes.entry(bytes.ilog2() as u8).or_default() += 1;
        self.live_bytes += bytes;
        self.longest = self.longest.max(bytes);
    }

    /// A block leaves the row where it is; none if it is from outside. And whether another thread had made it.
    fn go(&mut self, call: &Call<R>, block: u64, bytes: u64) -> (Option<R>, bool) {
        let known = self.blocks.remove(&block);
        let Some(gone) = known.filter(|gone| self.whose == Whose::All || gone.thread == call.thread) else {
            return (None, false);
        };
        assert_eq!(gone.bytes, bytes, "a block is given back with another size than it was asked for");
        let age = self.clocks[&gone.thread] - gone.born;
        let counts = &mut self.row(Some(gone.row)).counts;
        counts.live_blocks -= 1;
        counts.live_bytes -= bytes;
        let is_own = gone.thread == call.thread;
        if is_own {
            counts.lifetime_sum += age;
            let class = (0_u32..).find(|class| age < 4_u64.pow(class + 1)).expect("ages end");
            counts.lifetimes[class as usize] += 1;
        }
        self.live_bytes -= bytes;
        (Some(gone.row), !is_own)
    }

    /// A call that does not count: its blocks are others'.
    fn pass_over(&mut self, call: &Call<R>) {
        let (gone, made) = match call.what {
            What::Failed => (None, None),
            What::Fresh { block, bytes, .. } => (None, Some((block, bytes))),
            What::Freed { block, .. } => (Some(block), None),
            What::Resized { former, block, bytes, .. } => (Some(former), Some((block, bytes))),
        };
        if let Some(block) = gone {
            self.blocks.remove(&block);
        }
        if let Some((block, bytes)) = made {
            self.blocks.insert(block, Block { row: call.row, bytes, thread: call.thread, born: 0 });
        }
    }

    fn note_peak(&mut self) {
        let blocks = self.rows.values().map(|row| row.counts.live_blocks).sum();
        self.peak = Peak { bytes: self.live_bytes, blocks, requests: self.clocks.values().sum() };
        for Figures { counts, .. } in self.rows.values_mut() {
            (counts.peak_blocks, counts.peak_bytes) = (counts.live_blocks, counts.live_bytes);
        }
    }

    fn row(&mut self, row: Option<R>) -> &mut Figures {
        self.rows.entry(row).or_default()
    }
}

impl Figures {
    pub(crate) fn add(&mut self, other: &Self) {
        self.counts.add(&other.counts);
        for (class, count) in &other.size_classes {
            *self.size_classes.entry(*class).or_default() += count;
        }
    }
}
