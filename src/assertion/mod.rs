//! Assertions about allocations, for tests.
//!
//! A test says what a closure may allocate, and gets the closure's value back. A failure panics at the test's line, says
//! what was allowed and what was seen, and shows who allocated: types and places with the feature `symbolize`, addresses
//! without it. [`Limits`] has all that can be asked for; the functions here are the frequent ones.
//!
//! # What is counted
//! - Reallocations are no allocations: each has a limit of its own, and [`no_allocations`] allows neither, nor calls that
//!   the allocator answers with null. Frees are always allowed.
//! - A closure's value is made in it: what the value holds counts as allocated, and as left alive.
//! - The calling thread is counted, and with [`Limits::over_all_threads`] every thread of the process: those of other
//!   tests too. Have such a test in a process of its own, as `cargo nextest` runs each, or as the only one of its file.
//!
//! # In parallel
//! Tests may run in parallel. Windows over threads are open side by side; an assertion over all threads has the process
//! for itself, and whoever is there later waits for it: up to 60 seconds, after which the assertion fails and says what it
//! waited for. In the closure itself no second assertion can be made; that fails at once. A thread that the closure waits
//! for may make one over itself, unless the closure's own is over all threads: then it waits in vain.
//!
//! # Examples
//! ```
//! use alloclab::assertion;
//! use alloclab::recorder::Recorder;
//!
//! #[global_allocator]
//! static ALLOCATOR: Recorder = Recorder::system();
//!
//! // in a #[test]
//! let sum = assertion::no_allocations(|| [1, 2, 3].iter().sum::<i32>());
//! assert_eq!(sum, 6);
//! ```

#[cfg(not(feature = "symbolize"))]
mod addresses;
mod figure;
mod limits;
#[cfg(feature = "symbolize")]
mod names;
mod turn;
mod violation;

pub use figure::Figure;
pub use limits::Limits;
pub use violation::{Exceeded, Failure, Violation};

/// Runs `work`, which must not allocate: no allocation, no reallocation, and none tried in vain.
///
/// # Panics
/// If it does, with who allocated what; if it cannot be measured; if `work` panics.
///
/// # Examples
/// ```
/// use alloclab::assertion::no_allocations;
/// use alloclab::recorder::Recorder;
///
/// #[global_allocator]
/// static ALLOCATOR: Recorder = Recorder::system();
///
/// let mut buffer = Vec::with_capacity(10);
/// no_allocations(|| buffer.push(1_u8));
/// assert_eq!(buffer, [1]);
/// ```
#[track_caller]
pub fn no_allocations<T>(work: impl FnOnce() -> T) -> T {
    Limits::new().no_allocations().assert(work)
}

/// Runs `work`, which may make `most` allocations. Reallocations are not counted here.
///
/// # Panics
/// As [`no_allocations`] does.
///
/// # Examples
/// ```
/// use alloclab::assertion::at_most_allocations;
/// use alloclab::recorder::Recorder;
///
/// #[global_allocator]
/// static ALLOCATOR: Recorder = Recorder::system();
///
/// let text = at_most_allocations(1, || String::from("seven"));
/// assert_eq!(text, "seven");
/// ```
#[track_caller]
pub fn at_most_allocations<T>(most: u64, work: impl FnOnce() -> T) -> T {
    Limits::new().allocations(most).assert(work)
}

/// Runs `work`, which may ask for `most` bytes: sizes of fresh blocks, and growth of reallocated ones.
///
/// # Panics
/// As [`no_allocations`] does.
///
/// # Examples
/// ```
/// use alloclab::assertion::at_most_bytes;
/// use alloclab::recorder::Recorder;
///
/// #[global_allocator]
/// static ALLOCATOR: Recorder = Recorder::system();
///
/// let text = at_most_bytes(5, || String::from("seven"));
/// assert_eq!(text, "seven");
/// ```
#[track_caller]
pub fn at_most_bytes<T>(most: u64, work: impl FnOnce() -> T) -> T {
    Limits::new().bytes(most).assert(work)
}

/// Runs `work`, of whose blocks none may be alive when it has returned.
///
/// A block from before that `work` reallocates counts as made by it; [`no_growth`] is for work that keeps something up to
/// date.
///
/// # Panics
/// As [`no_allocations`] does.
///
/// # Examples
/// ```
/// use alloclab::assertion::no_leak;
/// use alloclab::recorder::Recorder;
///
/// #[global_allocator]
/// static ALLOCATOR: Recorder = Recorder::system();
///
/// let length = no_leak(|| format!("{}!", "seven").len());
/// assert_eq!(length, 6);
/// ```
#[track_caller]
pub fn no_leak<T>(work: impl FnOnce() -> T) -> T {
    Limits::new().no_leak().assert(work)
}

/// Runs `work` twice; the first call may fill caches, the second must not leave more bytes alive than it found.
///
/// What the second call frees of older blocks is taken off what it leaves. The first call's value is dropped before the
/// second call, whose value is returned.
///
/// # Panics
/// As [`no_allocations`] does.
///
/// # Examples
/// ```
/// use alloclab::assertion::no_growth;
/// use alloclab::recorder::Recorder;
///
/// #[global_allocator]
/// static ALLOCATOR: Recorder = Recorder::system();
///
/// let mut newest = String::new();
/// no_growth(|| newest = format!("{} bytes", 100));
/// assert_eq!(newest, "100 bytes");
/// ```
#[track_caller]
pub fn no_growth<T>(mut work: impl FnMut() -> T) -> T {
    drop(work());
    Limits::new().no_growth().assert(work)
}
