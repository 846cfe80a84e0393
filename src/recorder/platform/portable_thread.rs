//! Any system: a thread of the recorder's own, as the standard library has it.

use std::io;
use std::thread::{self, Builder, JoinHandle};

/// A thread of the standard library.
pub(in crate::recorder) struct Thread<T>(JoinHandle<T>);

impl<T: Send + 'static> Thread<T> {
    /// Runs a function in a thread of its own.
    pub(in crate::recorder) fn start(work: impl FnOnce() -> T + Send + 'static) -> io::Result<Self> {
        Builder::new().name("alloclab".to_owned()).spawn(work).map(Self)
    }

    /// Whether the function has ended.
    pub(in crate::recorder) fn is_over(&self) -> bool {
        self.0.is_finished()
    }

    /// Waits for the end of the thread: what its function returned or panicked with.
    pub(in crate::recorder) fn join(self) -> thread::Result<T> {
        self.0.join()
    }
}
