//! The recorder: a global allocator that counts, per call site, everything that goes through it in a window.
//!
//! `hook` is the hot path: it captures the stack (`stack`), finds its number (`site`), counts in the thread's own table
//! (`thread`, `record`) and notes the birth of the block (`block`). `window` opens and closes, `harvest` adds up; `label`
//! is what the program says it is doing; `recording` is a window over a whole program, which a thread of its own
//! (`writer`) writes to a file. Nothing here knows names of code: a snapshot holds numbers and addresses. What threads
//! share is made of `primitive`; the models of it (`loom`) run all of this in every order.
//!
//! # Invariants
//! 1. A frame is read only if two whole words lie between its address and the end of the thread's stack, at an aligned
//!    address above the frame before it: memory that is in use as long as the thread is in the hook. Beside that, a word of the
//!    page in which the hook's own frame stands, which only chooses a place of an index.
//! 2. A table's plain fields and records, and the shadow of blocks, are touched by a thread between setting its `busy`
//!    and clearing it, if the state was on in between; or by whoever holds the gate, with the state off, after every `busy`
//!    was seen clear behind a barrier on all processors. The same with the state paused in place of off: then threads wait
//!    outside (`state`) until the tables have been read, and nobody writes but strays that come at this moment, whose
//!    counters and places of the shadow are atomics. For a window over a thread, that thread may touch its own table while
//!    it opens and closes: nobody else does, since windows over the process are excluded.
//! 3. Tables are never unmapped. An ended thread's table goes to the next new thread; one whose thread allocated to the very
//!    last, and could not give it up, when there are no others.
//! 4. Numbers and words of the site tables, and bytes for the names of labels, are given out once, by atomic counters that
//!    stop at the end of the mapping.
//! 5. What the index, the positions and the shadow point to was written whole before it was published, and stays until
//!    everything is cleared with the state off and all threads outside. Names of labels stay for good.
//! 6. Whoever pauses has the gate, is a thread that is left out, and takes no lock until it goes on: a thread that waits
//!    may hold any lock of the program. A signal handler whose thread is inside, just gets its table, or is a stray does not
//!    wait, for its thread is waited for. A process that was forked off meanwhile goes on by itself.
//!
//! # What it does not see
//! Allocations while no window is open; memory that does not come from the global allocator (other languages' `malloc`,
//! memory maps, thread stacks); callers behind code without frame pointers, in a program that has them. Stacks need x86-64
//! Linux; elsewhere all counts are there, in one site without a stack. Without the flag `-C force-frame-pointers=yes` the
//! unwinder reads them, in some microseconds instead of some ten nanoseconds; where tables for it are missing, the stack
//! ends. With strays (signal handlers that allocate while their thread is in the recorder; threads beyond the 1,023rd alive)
//! calls are counted but their blocks do not count as live, nor do they have a label. Each thread that allocates in a window
//! reserves 335 MB of address space, of which it touches what it uses: under a tight limit of address space, threads become
//! strays. A lifetime is told modulo 2^34 allocations, and not for blocks that another thread frees. A stack of the
//! program's own making (a coroutine's) is read no further than its innermost frame; nor is the first thread's, further
//! than 128 MiB from its end.
//!
//! # How much of the stack it takes
//! A call from a stack that is known takes some 300 bytes below the caller's and the inner allocator's own; one that has to
//! be walked some 1,600; the very first of the process's first thread, for which the system reads a file, some 3,100. A thread
//! of 16 KiB can be recorded, and a signal handler on 8 KiB of its own. Without frame pointers the unwinder takes more. What
//! the program may read from `errno` stays as it is.

#![allow(unsafe_code)] // Here alone: each block says why it is sound.

mod allocator;
mod block;
mod event;
mod harvest;
mod hook;
mod label;
#[cfg(all(test, loom))]
mod loom;
mod platform;
mod primitive;
mod recent;
mod record;
mod recording;
mod site;
mod stack;
mod state;
mod stray;
#[cfg(feature = "cli")]
mod switch;
mod thread;
mod window;
mod writer;

pub use allocator::Recorder;
pub use label::{Label, LabelScope, Labeled};
#[cfg(feature = "tracing")]
pub(crate) use label::{enter_for, leave_for, relabel_for};
pub use recording::{Recording, RecordingError};
#[cfg(feature = "cli")]
pub use switch::{OverSystem, Switch};
pub(crate) use window::refuse_nested;
pub use window::{Measured, Window, WindowError, WindowOptions, measure, measure_process};
