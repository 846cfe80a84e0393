//! Any other system: the ends of a process are not seen, so there is no recording of a whole program.

use std::sync::atomic::AtomicU32;

/// Lets other threads run.
pub(in crate::recorder) fn rest(_turn: u32) {
    std::thread::yield_now();
}

/// Forks are not seen here.
pub(in crate::recorder) fn at_fork(_in_child: extern "C" fn()) -> bool {
    false
}

/// Waits for a moment.
pub(in crate::recorder) fn wait_for_change(_word: &AtomicU32, _seen: u32) {
    std::thread::sleep(std::time::Duration::from_millis(1));
}

/// Nobody waits for longer than a moment.
pub(in crate::recorder) fn wake_all(_word: &AtomicU32) {}

/// Refuses: the functions would not be called.
pub(in crate::recorder) fn at_exit_and_fork(_at_exit: extern "C" fn(), _in_child: extern "C" fn()) -> bool {
    false
}
