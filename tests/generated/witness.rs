//! Who says which seed it was when something panics.

/// Its drop in a panic says how to see it again, and ends the process: other threads may wait for the one that panics.
pub(crate) struct Witness {
    seed: u64,
}

impl Witness {
    pub(crate) fn of(seed: u64) -> Self {
        Self { seed }
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", again(self.seed));
            std::process::exit(101);
        }
    }
}

/// The command that runs the program of a seed again.
pub(crate) fn again(seed: u64) -> String {
    format!("again: ALLOCLAB_SEED={seed} cargo test --test generated")
}
