//! Ctrl-C: the first one ends the run after its current window, the second one at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::SIGINT;
use signal_hook::flag::{register, register_conditional_shutdown};

/// What the shell shows for a program that Ctrl-C ended.
const EXIT_CODE: i32 = 130;

/// A flag that Ctrl-C sets. The handler does nothing else, so that it may come in the middle of a window.
pub(super) fn flag() -> io::Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    // In this order, or the first Ctrl-C would set the flag and then find it set.
    register_conditional_shutdown(SIGINT, EXIT_CODE, Arc::clone(&flag))?;
    register(SIGINT, Arc::clone(&flag))?;
    Ok(flag)
}
