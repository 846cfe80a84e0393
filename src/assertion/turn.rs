//! Assertions in parallel: those over all threads one at a time and alone, those over a thread side by side.

use std::cell::Cell;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::recorder::WindowError;

/// How long an assertion waits for the windows of other threads.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// How long an assertion over a thread lets those over all threads go first. Not for ever: the one that is waited for may
/// wait for this one, in a thread of its closure.
const LONGEST_COURTESY: Duration = Duration::from_secs(1);

static TURNS: Mutex<Turns> = Mutex::new(Turns { over_thread: 0, over_all: false, waiting_for_all: 0 });
static ENDED: Condvar = Condvar::new();

thread_local! {
    /// Whether the thread is in an assertion's closure.
    static IN_TURN: Cell<bool> = const { Cell::new(false) };
}

/// The assertions of the process.
struct Turns {
    /// Those over a thread that run.
    over_thread: u32,
    /// Whether one over all threads runs.
    over_all: bool,
    /// Those over all threads that wait.
    waiting_for_all: u32,
}

impl Turns {
    fn lock() -> MutexGuard<'static, Self> {
        TURNS.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right of an assertion to open its window, until dropped.
pub(super) struct Turn {
    over_all: bool,
}

impl Turn {
    /// Waits for the turn.
    pub(super) fn begin(over_all: bool, deadline: Instant) -> Result<Self, WindowError> {
        if IN_TURN.get() {
            return Err(WindowError::Nested);
        }
        let has_begun = if over_all { begin_over_all(deadline) } else { begin_over_thread(deadline) };
        IN_TURN.set(has_begun);
        if has_begun { Ok(Self { over_all }) } else { Err(WindowError::OtherWindow) }
    }
}

fn begin_over_all(deadline: Instant) -> bool {
    let mut turns = Turns::lock();
    turns.waiting_for_all += 1;
    let mut turns = wait_while(turns, deadline, |turns| turns.over_all || turns.over_thread > 0);
    turns.waiting_for_all -= 1;
    let is_free = !turns.over_all && turns.over_thread == 0;
    turns.over_all |= is_free;
    is_free
}

fn begin_over_thread(deadline: Instant) -> bool {
    let courtesy = Instant::now() + LONGEST_COURTESY;
    let turns = wait_while(Turns::lock(), courtesy, |turns| turns.over_all || turns.waiting_for_all > 0);
    let mut turns = wait_while(turns, deadline, |turns| turns.over_all);
    let is_free = !turns.over_all;
    turns.over_thread += u32::from(is_free);
    is_free
}

fn wait_while(
    turns: MutexGuard<'static, Turns>,
    deadline: Instant,
    holds: impl Fn(&Turns) -> bool,
) -> MutexGuard<'static, Turns> {
    let longest = deadline.saturating_duration_since(Instant::now());
    let waited = ENDED.wait_timeout_while(turns, longest, |turns| holds(turns));
    waited.unwrap_or_else(PoisonError::into_inner).0
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut turns = Turns::lock();
        match self.over_all {
            true => turns.over_all = false,
            false => turns.over_thread -= 1,
        }
        IN_TURN.set(false);
        ENDED.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::thread;

    /// Has a turn in a thread of its own until the sender is dropped.
    fn turn_of_another(over_all: bool) -> (mpsc::Sender<()>, thread::JoinHandle<()>) {
        let (begun, has_begun) = mpsc::channel();
        let (end, ends) = mpsc::channel();
        let other = thread::spawn(move || {
            let _turn = Turn::begin(over_all, Instant::now() + LONGEST_WAIT).unwrap();
            begun.send(()).unwrap();
            assert!(ends.recv().is_err());
        });
        has_begun.recv().unwrap();
        (end, other)
    }

    fn is_refused_now(over_all: bool) -> bool {
        matches!(Turn::begin(over_all, Instant::now()), Err(WindowError::OtherWindow))
    }

    /// Turns are the process's: one test at a time.
    static ALONE: Mutex<()> = Mutex::new(());

    #[test]
    fn whoever_is_over_all_is_alone_and_whoever_waits_too_long_is_refused() {
        let _alone = ALONE.lock();
        let (end, other) = turn_of_another(true);
        assert!(is_refused_now(true) && is_refused_now(false));
        drop(end);
        other.join().unwrap();

        let (end, other) = turn_of_another(false);
        assert!(is_refused_now(true) && !is_refused_now(false));
        let turn = Turn::begin(false, Instant::now()).unwrap();
        assert!(matches!(Turn::begin(false, Instant::now()), Err(WindowError::Nested)));
        drop((turn, end));
        other.join().unwrap();
        assert!(!is_refused_now(true));
    }

    #[test]
    fn the_one_that_is_waited_for_may_wait_for_another() {
        let _alone = ALONE.lock();
        // The turn over a thread is that of a closure that waits for a thread with a turn of its own.
        let (end, other) = turn_of_another(false);
        let waiting = thread::spawn(|| Turn::begin(true, Instant::now() + LONGEST_WAIT).is_ok());
        while Turns::lock().waiting_for_all == 0 {
            thread::yield_now();
        }
        drop(Turn::begin(false, Instant::now() + LONGEST_WAIT).unwrap());
        drop(end);
        other.join().unwrap();
        assert!(waiting.join().unwrap());
    }
}
