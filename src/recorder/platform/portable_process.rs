//! Any other system: the ends of a process are not seen, so there is no recording of a whole program.

use std::ffi::c_int;
use std::sync::atomic::AtomicU32;

/// Lets other threads run.
pub(in crate::recorder) fn rest(_turn: u32) {
    std::thread::yield_now();
}

/// Threads are not told apart here.
pub(in crate::recorder) fn thread_number() -> u32 {
    1
}

/// Forks are not seen here.
pub(in crate::recorder) fn at_fork(_in_child: extern "C" fn()) -> bool {
    false
}

/// Ends of threads are not seen here.
pub(in crate::recorder) fn is_alive(_thread: u32) -> bool {
    true
}

/// Which thread is the process's first is not known here.
pub(in crate::recorder) fn is_main_thread() -> bool {
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

/// Writes a line to standard error.
pub(in crate::recorder) fn complain(text: &str) {
    eprintln!("alloclab: {text}");
}

/// Nothing is blocked here.
pub(in crate::recorder) struct BlockedSignals;

impl BlockedSignals {
    /// Blocks none.
    pub(in crate::recorder) fn all() -> Self {
        Self
    }
}

/// Refuses.
pub(in crate::recorder) fn take_signal(_signal: c_int, _handler: extern "C" fn(c_int)) -> bool {
    false
}

/// Nothing was taken.
pub(in crate::recorder) fn give_signal_back(_signal: c_int, _handler: extern "C" fn(c_int)) {}

/// No signal comes here.
pub(in crate::recorder) fn die_of(signal: c_int) -> ! {
    std::process::exit(128 + signal)
}
