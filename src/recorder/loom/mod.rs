//! Models of everything that threads share: loom runs the recorder itself, in every order that the memory model allows.
//!
//! Each model proves an invariant of the recorder, by its number, or a claim that it names. `.ci/loom` runs all of them.
//! Within a model, loom sees whoever touches a plain cell, a word of a stack or a byte of a name that another thread may be
//! writing, and memory that is cleared while somebody may still be using it; the models say what must come out.
//!
//! What is modeled in place of what it is: the barrier on all processors (`primitive`), waiting threads (they look again
//! and again), memory (it is there), stacks (of one frame), and the global allocator (`heap`). Not modeled: signal handlers,
//! for loom has none; processes that are forked off, which have one thread.

mod block;
mod heap;
mod name;
mod site;
mod stray;
mod table;
mod window;
mod writer;

use super::thread::{self, Table};
use super::{primitive, stack};

/// Runs a model in every order with at most so many threads that are interrupted, where `LOOM_MAX_PREEMPTIONS` does not
/// say otherwise.
fn explore(interruptions: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = ::loom::model::Builder::new();
    builder.max_branches = 100_000;
    builder.preemption_bound = builder.preemption_bound.or(Some(interruptions));
    stack::take_frame_pointers_for_found();
    builder.check(move || {
        primitive::make_statics();
        super::window::take_for_installed();
        model();
    });
}

/// A thread that gives its table up when it ends.
pub(super) fn spawn<T: 'static>(work: impl FnOnce() -> T + 'static) -> ::loom::thread::JoinHandle<T> {
    ::loom::thread::spawn(move || {
        let value = work();
        if let Some(table) = Table::known() {
            thread::detach(table);
        }
        value
    })
}
