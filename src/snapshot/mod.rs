//! What the recorder saw in a window: numbers and addresses, no names.

pub mod file;

use crate::flags;

/// Lifetimes fall into this many classes; class `k` holds lifetimes from `4^k` up to, not including, `4^(k+1)`
/// allocations (class 0: from 0 to 3; the last class has no upper end).
pub const LIFETIME_CLASSES: usize = 16;

/// What the recorder saw between the opening and the closing of a window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// One entry per distinct call stack and label, in the order in which they were first seen.
    pub sites: Vec<Site>,
    /// The sums over all sites.
    pub totals: Counts,
    /// The highest live total of the window.
    pub peak: Peak,
    /// Threads that allocated or freed in the window.
    pub threads: u32,
    /// How call stacks were read.
    pub stacks: Stacks,
    /// Memory that the recorder's own tables take, in bytes, mapped and touched.
    pub recorder_bytes: u64,
    /// Allocations and reallocations that found a table full: counted in [`SiteKind::Overflow`], stacks lost.
    pub overflowed: u64,
    /// Blocks whose address the recorder cannot follow: they are counted, but not in live figures and lifetimes.
    pub untracked: u64,
    /// Whether a thread could not be waited for when the window closed; then the figures may miss its last event.
    pub torn: bool,
    /// The window's first events in order, if the window asked for them.
    pub events: Vec<Event>,
    /// Events beyond the capacity that the window asked for.
    pub events_lost: u64,
    /// The program's loaded files, to turn addresses into positions in a file.
    pub modules: Vec<Module>,
    /// The names of the labels that sites have, by [`Site::label`]; `\u{fffd}` stands for each control character.
    pub labels: Vec<String>,
    /// How the program was built.
    pub build: Build,
}

/// How a recorded program was built, as far as this crate in it knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Build {
    /// The version of alloclab.
    pub alloclab: String,
    /// The compiler's version line.
    pub rustc: String,
    /// The target triple.
    pub target: String,
    /// The optimization level.
    pub opt_level: String,
    /// The flags that it lacked, of those that names and types need; see [`flags`].
    pub missing_flags: Vec<String>,
}

impl Build {
    /// How this program was built.
    ///
    /// # Examples
    /// ```
    /// use alloclab::snapshot::Build;
    /// assert!(Build::of_this_program().rustc.starts_with("rustc 1."));
    /// ```
    pub fn of_this_program() -> Self {
        Self {
            alloclab: env!("CARGO_PKG_VERSION").to_owned(),
            rustc: flags::RUSTC.to_owned(),
            target: flags::TARGET.to_owned(),
            opt_level: flags::OPT_LEVEL.to_owned(),
            missing_flags: flags::missing().map(|flag| flag.text.to_owned()).collect(),
        }
    }
}

/// How call stacks were read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stacks {
    /// By frame pointers.
    FramePointers,
    /// By the unwinder, for want of frame pointers: the same stacks, but slower.
    Unwinder,
    /// Not at all: all sites are empty stacks.
    #[default]
    None,
}

/// A distinct call stack that allocated, under a label if there was one, and what it did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    /// What the site stands for.
    pub kind: SiteKind,
    /// Return addresses, innermost first, as they were in the process.
    pub frames: Vec<u64>,
    /// Whether the stack went on beyond what was recorded.
    pub truncated: bool,
    /// The index in [`Snapshot::labels`] of the label that the thread had; none outside of all labels.
    pub label: Option<u32>,
    /// What happened here.
    pub counts: Counts,
    /// Allocations and reallocations by the size asked for: pairs of class and count, ascending. Class `k` holds sizes from
    /// `2^k` up to, not including, `2^(k+1)`.
    pub size_classes: Vec<(u8, u64)>,
}

/// What a [`Site`] stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SiteKind {
    /// A call stack.
    #[default]
    Stack,
    /// Stacks for which the recorder's table had no room.
    Overflow,
    /// Blocks that were born outside the window and freed or reallocated inside it.
    Outside,
}

/// Exact figures of one site, or of all.
///
/// Raw figures stand apart so that each instrument's own definition can be formed: dhat's `total_blocks` is
/// `allocations + reallocations` and its `total_bytes` is `allocated_bytes + reallocated_new_bytes`; stats_alloc's
/// `bytes_allocated` is `allocated_bytes + grown_bytes`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Fresh blocks: `alloc` and `alloc_zeroed`.
    pub allocations: u64,
    /// Of them, how many were asked for as zeroed.
    pub zeroed: u64,
    /// Bytes asked for by fresh blocks.
    pub allocated_bytes: u64,
    /// Reallocations, counted where they are made; the block belongs to that site from then on.
    pub reallocations: u64,
    /// Of them, how many asked for more bytes.
    pub grown: u64,
    /// Of them, how many asked for fewer bytes.
    pub shrunk: u64,
    /// Of them, how many came back at another address.
    pub moved: u64,
    /// Bytes by which reallocations grew blocks.
    pub grown_bytes: u64,
    /// Bytes by which reallocations shrank blocks.
    pub shrunk_bytes: u64,
    /// New sizes of all reallocations, summed.
    pub reallocated_new_bytes: u64,
    /// Blocks of this site that were freed.
    pub deallocations: u64,
    /// Their sizes, summed.
    pub freed_bytes: u64,
    /// Of them, how many were freed by a thread that did not allocate them.
    pub freed_elsewhere: u64,
    /// Calls that the allocator answered with null.
    pub failed: u64,
    /// Blocks of this site alive when the window closed.
    pub live_blocks: u64,
    /// Their sizes, summed.
    pub live_bytes: u64,
    /// Blocks of this site alive when the window's total was highest.
    pub peak_blocks: u64,
    /// Their sizes, summed.
    pub peak_bytes: u64,
    /// Lifetimes of the blocks that ended here, summed, in allocations of the thread that made them.
    pub lifetime_sum: u64,
    /// The same blocks by lifetime; see [`LIFETIME_CLASSES`].
    pub lifetimes: [u64; LIFETIME_CLASSES],
}

impl Counts {
    /// Fresh bytes and growth: what "bytes allocated" means in the lab's tables.
    ///
    /// # Examples
    /// ```
    /// use alloclab::snapshot::Counts;
    /// let counts = Counts { allocated_bytes: 16, grown_bytes: 48, ..Counts::default() };
    /// assert_eq!(counts.requested_bytes(), 64);
    /// ```
    pub fn requested_bytes(&self) -> u64 {
        self.allocated_bytes + self.grown_bytes
    }

    /// Fresh sizes and new sizes of reallocations: dhat's way to count bytes.
    pub fn new_size_bytes(&self) -> u64 {
        self.allocated_bytes + self.reallocated_new_bytes
    }

    /// Adds another site's figures. Shares at a peak add up only where they are shares of the same peak.
    ///
    /// # Examples
    /// ```
    /// use alloclab::snapshot::Counts;
    /// let mut sum = Counts { allocations: 1, ..Counts::default() };
    /// sum.add(&Counts { allocations: 2, ..Counts::default() });
    /// assert_eq!(sum.allocations, 3);
    /// ```
    pub fn add(&mut self, other: &Self) {
        self.allocations += other.allocations;
        self.zeroed += other.zeroed;
        self.allocated_bytes += other.allocated_bytes;
        self.reallocations += other.reallocations;
        self.grown += other.grown;
        self.shrunk += other.shrunk;
        self.moved += other.moved;
        self.grown_bytes += other.grown_bytes;
        self.shrunk_bytes += other.shrunk_bytes;
        self.reallocated_new_bytes += other.reallocated_new_bytes;
        self.deallocations += other.deallocations;
        self.freed_bytes += other.freed_bytes;
        self.freed_elsewhere += other.freed_elsewhere;
        self.failed += other.failed;
        self.live_blocks += other.live_blocks;
        self.live_bytes += other.live_bytes;
        self.peak_blocks += other.peak_blocks;
        self.peak_bytes += other.peak_bytes;
        self.lifetime_sum += other.lifetime_sum;
        for (sum, class) in std::iter::zip(&mut self.lifetimes, other.lifetimes) {
            *sum += class;
        }
    }

    /// Allocations and reallocations: every call that asked for memory.
    pub fn requests(&self) -> u64 {
        self.allocations + self.reallocations
    }
}

/// The highest live total of a window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Peak {
    /// Live bytes at the peak.
    pub bytes: u64,
    /// Live blocks at the peak.
    pub blocks: u64,
    /// How far `bytes` may be from the truth: 0 while one thread recorded.
    pub error_bytes: u64,
    /// Allocations and reallocations of the window up to the call that reached it; known while one thread records.
    pub requests: Option<u64>,
}

/// One call of the allocator, for windows that ask for events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// What was called.
    pub kind: EventKind,
    /// The index in [`Snapshot::sites`] of the site that called; for a free, of the site whose block it was.
    pub site: u32,
    /// For a reallocation, the index of the site that held the block before.
    pub former_site: u32,
    /// The size asked for; for a free, the size given back.
    pub bytes: u64,
    /// For a reallocation, the size before.
    pub former_bytes: u64,
}

/// What an [`Event`] was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A fresh block.
    Allocate,
    /// A reallocation that succeeded.
    Reallocate,
    /// A free.
    Free,
}

/// A file that is loaded in the process: the executable or a shared library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Its path; for the executable, of the running program.
    pub path: std::path::PathBuf,
    /// What has to be subtracted from an address in the process to get the address in the file.
    pub bias: u64,
    /// Address ranges that it takes in the process, ascending.
    pub ranges: Vec<std::ops::Range<u64>>,
    /// The build id that its linker gave it, by which a copy of it is known; empty if it has none.
    pub build_id: Vec<u8>,
}
