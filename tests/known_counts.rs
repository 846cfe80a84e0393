//! Counts that are known from the source of std, for rustc 1.95 in an optimized build: allocations, reallocations, and
//! the sum of all sizes asked for, fresh and new. What a thread allocates is in `own_process`.

use alloclab::recorder::Recorder;

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();

// `tests/allocators` has them too, around other allocators.
#[path = "known_counts/counts.rs"]
mod counts;
