//! The schema `alloclab.results/1`, as Rust types.
//!
//! Field names are fixed. A reader must take files with more fields than it knows. For programs in other languages,
//! `results.schema.json` beside this file says the same as a JSON Schema.

use serde::{Deserialize, Serialize};

/// The version of the schema that this crate writes, and the only one that it reads.
pub const SCHEMA: &str = "alloclab.results/1";

/// A results file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// The profile's name.
    pub profile: String,
    /// What the profile is about, in one line.
    pub title: String,
    /// What to look at next, in one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub see_also: Option<String>,
    /// Whether the run was interrupted: then cases are missing at the end.
    pub partial: bool,
    /// Where and how it ran.
    pub environment: Environment,
    /// The rows, in the profile's order.
    pub cases: Vec<Case>,
    /// The functions on all stacks, each once; sites name them by their index. [`FrameTable`](super::FrameTable) fills it.
    pub frames: Vec<Frame>,
}

impl Default for Results {
    /// No case yet, of this version's schema.
    fn default() -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            profile: String::new(),
            title: String::new(),
            see_also: None,
            partial: false,
            environment: Environment::default(),
            cases: Vec::new(),
            frames: Vec::new(),
        }
    }
}

/// Where and how a run was made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Environment {
    /// The version of alloclab.
    pub alloclab: String,
    /// The compiler's version line.
    pub rustc: String,
    /// The target triple.
    pub target: String,
    /// The optimization level of the build.
    pub opt_level: String,
    /// Flags that the build had, of those that names and types need.
    pub flags: Vec<String>,
    /// Flags that it lacked, each with what is lost.
    pub missing_flags: Vec<String>,
    /// The allocator under the recorder.
    pub allocator: String,
    /// The measured program's file, without its folder.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub program: String,
    /// What tells that build of it from others, as hexadecimal digits: the GNU build id, or empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub build_id: String,
    /// Threads of the pool on which parallel cases ran.
    pub pool_threads: u32,
    /// Whether call stacks were read by frame pointers.
    pub frame_pointers: bool,
    /// Whether they were read by the unwinder, for want of frame pointers.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unwinder: bool,
    /// Share of allocations and reallocations without a type, over all cases.
    pub untyped_share: f64,
    /// Memory of the recorder's tables, at most, in bytes.
    pub recorder_bytes: u64,
    /// Allocations that found a table full.
    pub overflowed: u64,
    /// Iterations that were asked for.
    pub iterations: u64,
}

/// One row: codec × model × operation × variant × batch × threads.
///
/// One operation is one published call: a value, a whole batch, a whole parallel call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// The codec's name.
    pub codec: String,
    /// The model's name.
    pub model: String,
    /// `serialize` or `deserialize`.
    pub operation: String,
    /// The variant's name.
    pub variant: String,
    /// Values that one operation takes.
    pub batch: u32,
    /// Objects at the top of the value: more than one for a model that is a list.
    #[serde(default)]
    pub objects: u32,
    /// Iterations of the parallel loop that make one operation; 1 for every other row.
    pub threads: u32,
    /// Whether threads do the operation together: then what it allocates depends on how they meet. Left out of the file where
    /// they do not.
    #[serde(default, skip_serializing_if = "is_false")]
    pub parallel: bool,
    /// The group of rows that share a baseline.
    pub group: String,
    /// Whether this row is its group's baseline.
    pub baseline: bool,
    /// Operations in the counted window.
    pub iterations: u64,
    /// Bytes that one operation writes or reads (of one iteration, for a parallel row).
    pub encoded_bytes: u64,
    /// Fresh blocks per operation.
    pub allocations_per_op: f64,
    /// Reallocations per operation.
    pub reallocations_per_op: f64,
    /// Fresh bytes and growth per operation.
    pub bytes_per_op: f64,
    /// Fresh bytes and new sizes of reallocations per operation, dhat's way to count.
    pub new_size_bytes_per_op: f64,
    /// Blocks freed per operation.
    pub frees_per_op: f64,
    /// What the original's objects take in .NET, per operation.
    pub modelled_dotnet_bytes_per_op: Option<f64>,
    /// Highest live bytes of the window.
    pub peak_live_bytes: u64,
    /// How far the peak may be from the truth: 0 while one thread recorded.
    pub peak_error_bytes: u64,
    /// Allocations and reallocations of the window up to the one that reached the peak, if one thread recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_requests: Option<u64>,
    /// Bytes of the window's blocks that were alive when it closed.
    pub leaked_bytes: u64,
    /// Share of allocations and reallocations without a type.
    pub untyped_share: f64,
    /// Whether a thread could not be waited for when the window closed; then its last event may be missing.
    #[serde(default)]
    pub torn: bool,
    /// Mean time over the baseline's.
    pub ratio: Option<f64>,
    /// Bytes per operation over the baseline's; none where the baseline allocates nothing.
    pub alloc_ratio: Option<f64>,
    /// The window's totals, whole numbers.
    pub totals: Totals,
    /// The very first operation, before any warm-up.
    pub first_operation: Totals,
    /// Time of one operation, measured in rounds of their own with the recorder off.
    pub time: Option<Time>,
    /// Who was allocated, most bytes first.
    pub types: Vec<TypeRow>,
    /// Who allocated, most bytes first.
    pub sites: Vec<SiteRow>,
    /// One operation, event by event.
    pub heap_events: Vec<HeapEvent>,
    /// Whether `heap_events` holds the whole operation.
    pub heap_events_complete: bool,
    /// Live bytes of the measuring thread over the counted window, between operations; of a serial workload.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heap_run: Vec<HeapSample>,
    /// Requests by size.
    pub size_classes: Vec<SizeClass>,
    /// Blocks by lifetime.
    pub lifetimes: Vec<LifetimeClass>,
    /// The write-up's figures for this row.
    pub published: Option<Published>,
    /// What others found to be allocated here, type by type.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub references: Vec<Reference>,
}

/// Whole numbers of a window.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Fresh blocks.
    pub allocations: u64,
    /// Reallocations.
    pub reallocations: u64,
    /// Blocks freed.
    pub deallocations: u64,
    /// Bytes of fresh blocks.
    pub allocated_bytes: u64,
    /// Bytes by which reallocations grew blocks.
    pub grown_bytes: u64,
    /// Bytes by which reallocations shrank blocks.
    pub shrunk_bytes: u64,
    /// New sizes of reallocations.
    pub reallocated_new_bytes: u64,
    /// Bytes of freed blocks.
    pub freed_bytes: u64,
    /// Calls that the allocator answered with null.
    pub failed: u64,
}

/// Time of one operation, in nanoseconds; the words are BenchmarkDotNet's.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Time {
    /// Rounds that were measured.
    pub rounds: u32,
    /// Operations in a round.
    pub operations_per_round: u64,
    /// Arithmetic mean of the rounds.
    pub mean_ns: f64,
    /// Half of the 99.9 % confidence interval of the mean.
    pub error_ns: f64,
    /// Standard deviation of the rounds.
    pub stddev_ns: f64,
    /// Median of the rounds.
    pub median_ns: f64,
    /// 95th percentile of the rounds.
    pub p95_ns: f64,
}

/// A type, and what was allocated of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TypeRow {
    /// Its name in the shortest form that is unambiguous in the file.
    #[serde(rename = "type")]
    pub name: String,
    /// Its name with full paths.
    pub path: String,
    /// The original's object that it stands for.
    pub dotnet: Option<String>,
    /// What the row is.
    pub kind: TypeKind,
    /// Whether only an address that several functions share told the type; then `name` lists all candidates.
    pub merged: bool,
    /// Fresh blocks in the window.
    pub allocations: u64,
    /// Reallocations in the window.
    pub reallocations: u64,
    /// Fresh bytes and growth in the window.
    pub bytes: u64,
    /// Fresh blocks per operation.
    pub allocations_per_op: f64,
    /// Reallocations per operation.
    pub reallocations_per_op: f64,
    /// Fresh bytes and growth per operation.
    pub bytes_per_op: f64,
    /// Share of the case's bytes, in percent.
    pub percent: f64,
    /// What the original's objects take in .NET, per operation.
    pub modelled_dotnet_bytes_per_op: Option<f64>,
    /// The types of the blocks that this type owns, where they differ from it.
    pub block_types: Vec<BlockType>,
    /// Indices in [`Case::sites`], most bytes first.
    pub sites: Vec<u32>,
}

/// What a [`TypeRow`] is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TypeKind {
    /// A type that was allocated.
    #[default]
    Type,
    /// A type that the original has no object for: Rust alone needs it.
    RustOnly,
    /// An object of the original that is no block here.
    Inline,
    /// Blocks of the harness: a thread pool's own, for example.
    Harness,
    /// Blocks whose type is not known.
    Untyped,
}

/// The type of a block under its owner.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BlockType {
    /// Its short name.
    #[serde(rename = "type")]
    pub name: String,
    /// Fresh blocks in the window.
    pub allocations: u64,
    /// Reallocations in the window.
    pub reallocations: u64,
    /// Fresh bytes and growth in the window.
    pub bytes: u64,
}

/// A call site, and what it allocated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SiteRow {
    /// Index in [`Case::types`].
    pub type_index: u32,
    /// The block's own type, short.
    pub block_type: String,
    /// The stack, innermost first, inlined functions included, as indices in [`Results::frames`].
    pub frames: Vec<u32>,
    /// Index in `frames` of the first function of the program itself.
    pub own_frame: Option<u32>,
    /// The label that the thread had; left out of the file where it had none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Whether the stack went on beyond what was recorded.
    pub truncated: bool,
    /// Fresh blocks in the window.
    pub allocations: u64,
    /// Reallocations in the window.
    pub reallocations: u64,
    /// Fresh bytes and growth in the window.
    pub bytes: u64,
    /// Fresh blocks per operation.
    pub allocations_per_op: f64,
    /// Fresh bytes and growth per operation.
    pub bytes_per_op: f64,
    /// Share of the case's bytes, in percent.
    pub percent: f64,
    /// Live bytes of this site at the window's peak.
    pub peak_bytes: u64,
    /// Blocks at the peak.
    #[serde(default)]
    pub peak_blocks: u64,
    /// Live bytes of this site when the window closed.
    pub live_bytes: u64,
    /// Blocks alive at the end of the window.
    #[serde(default)]
    pub live_blocks: u64,
    /// Mean lifetime of its blocks, in allocations.
    pub mean_lifetime: f64,
    /// The sum of the lifetimes of those that ended in the window, in allocations.
    #[serde(default)]
    pub lifetime_sum: u64,
}

/// A function on a stack.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Frame {
    /// The function, short.
    pub function: String,
    /// Where in the source the call stands: file and line.
    pub location: Option<String>,
}

/// One call of the allocator.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeapEvent {
    /// Index in [`Case::types`] of the type that gets the bytes; of the type that loses them, for a free.
    pub type_index: u32,
    /// For a reallocation, the type that held the block before; left out of the file when 0.
    #[serde(default, skip_serializing_if = "is_zero_index")]
    pub former_type_index: u32,
    /// `allocate`, `reallocate` or `free`.
    pub kind: HeapEventKind,
    /// Bytes that the type gets; for a free, that it loses.
    pub bytes: u64,
    /// For a reallocation, bytes that the block had before; left out of the file when 0.
    #[serde(default, skip_serializing_if = "is_zero_count")]
    pub former_bytes: u64,
}

/// Live bytes at one moment of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeapSample {
    /// Operations done so far.
    pub operations: u64,
    /// Bytes alive of those that the measuring thread asked for in the window; negative if it freed more of what others
    /// asked for.
    pub live_bytes: i64,
}

fn is_zero_index(index: &u32) -> bool {
    *index == 0
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

fn is_zero_count(count: &u64) -> bool {
    *count == 0
}

/// What a [`HeapEvent`] was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HeapEventKind {
    /// A fresh block.
    #[default]
    Allocate,
    /// A reallocation.
    Reallocate,
    /// A free.
    Free,
}

/// Requests of a range of sizes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeClass {
    /// Smallest size of the class.
    pub from_bytes: u64,
    /// Largest size of the class.
    pub to_bytes: u64,
    /// Allocations and reallocations that asked for such a size.
    pub requests: u64,
}

/// Blocks of a range of lifetimes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LifetimeClass {
    /// Shortest lifetime of the class, in allocations.
    pub from_allocations: u64,
    /// Longest lifetime of the class; none for the last.
    pub to_allocations: Option<u64>,
    /// Blocks that lived so long.
    pub blocks: u64,
}

/// A write-up's figures for a row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Published {
    /// Mean time of an operation, in nanoseconds.
    pub mean_ns: Option<f64>,
    /// Time over the write-up's baseline.
    pub ratio: Option<f64>,
    /// Bytes allocated by an operation.
    pub allocated_bytes: Option<f64>,
    /// Bytes over the write-up's baseline.
    pub alloc_ratio: Option<f64>,
    /// 95th percentile of the time, in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p95_ns: Option<f64>,
    /// Bytes that were alive after an operation and not before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retained_bytes: Option<f64>,
    /// Bytes that an operation writes or reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoded_bytes: Option<f64>,
}

/// Somebody else's table of what a case allocates.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    /// Who found it: `published` for the write-up, or for example `Mono 6.8`.
    pub source: String,
    /// The types, as that source names and orders them.
    pub types: Vec<ReferenceType>,
}

/// A type of the original, and what one operation allocates of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReferenceType {
    /// Its name in .NET.
    #[serde(rename = "type")]
    pub name: String,
    /// Objects per operation.
    pub allocations_per_op: f64,
    /// Bytes per operation.
    pub bytes_per_op: f64,
}
