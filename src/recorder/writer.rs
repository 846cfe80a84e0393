//! The thread that writes a recording: others ask for something and ring, for that is all that a signal handler may do.
//!
//! It is left out of the recording: what it does to write is not counted.

use std::ffi::c_int;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::platform::{self, BlockedSignals, Thread};
use super::primitive::{AtomicBool, AtomicU32, AtomicU64, Ordering, array, shared};
use super::window::{self, Window, WindowError};
use crate::snapshot::Snapshot;
use crate::whole;

shared! {
    /// The process whose recording goes on; 0 for none, and when the writer has ended. In a process that was forked off, it is another one's.
    static PROCESS: AtomicU32 = AtomicU32::new(0);

    /// The process that has a writer, or is just starting or ending one; 0 for none.
    static CLAIMED_BY: AtomicU32 = AtomicU32::new(0);

    /// Changes when the writer is asked for something.
    static BELL: AtomicU32 = AtomicU32::new(0);

    /// What it is asked for.
    static WANTED: AtomicU32 = AtomicU32::new(0);

    /// How often writing was asked for, and how many of these times it has been done.
    static ASKED: AtomicU64 = AtomicU64::new(0);
    static ANSWERED: AtomicU64 = AtomicU64::new(0);

    /// How writing went: of each of the last requests, its number above its [`Outcome`].
    static OUTCOMES: [AtomicU64; 64] = array![AtomicU64::new(0); 64];

    /// Whether the writer is left out of windows.
    static IS_LEFT_OUT: AtomicBool = AtomicBool::new(false);

    /// Signals that have come, as bits.
    static SIGNALS: AtomicU64 = AtomicU64::new(0);

    /// Signals upon which is written, and signals that end the program after that.
    static WRITE_SIGNALS: AtomicU64 = AtomicU64::new(0);
    static END_SIGNALS: AtomicU64 = AtomicU64::new(0);
}

/// To write the last time, for the program ends.
const LAST: u32 = 1;
/// To close the window and hand over what it saw.
const SNAPSHOT: u32 = 2;
/// To go, for there is no window.
const GO: u32 = 4;

/// How long a program that ends waits for its file.
const LONGEST_END: Duration = Duration::from_secs(60);

/// Whether a recording of this process goes on.
pub(super) fn goes_on() -> bool {
    PROCESS.load(Ordering::SeqCst) == std::process::id()
}

/// Takes the right to have a writer, until it has ended; false if one is there, or about to be.
pub(super) fn claim() -> bool {
    let (known, mine) = (CLAIMED_BY.load(Ordering::SeqCst), std::process::id());
    // A process that was forked off behind the back of the C library has what its parent had.
    known != mine && CLAIMED_BY.compare_exchange(known, mine, Ordering::SeqCst, Ordering::SeqCst).is_ok()
}

/// Gives the right back, for there is no writer.
pub(super) fn disclaim() {
    CLAIMED_BY.store(0, Ordering::SeqCst);
}

/// Lets the writer, or another thread, run until something holds.
fn wait_until(holds: impl Fn() -> bool) {
    for turn in 0_u32.. {
        if holds() {
            return;
        }
        platform::rest(turn);
    }
}

/// The thread, which returns the snapshot if it was asked for one.
pub(super) type Writer = Thread<Result<Option<Snapshot>, WindowError>>;

/// The writer, started and left out of windows; its own signals are blocked, for the program's handlers must not run on it.
///
/// The caller has the right to have one; it has gone if this fails. Nothing is left behind in the calling thread's
/// thread-locals: the end of that thread would free it in the window.
pub(super) fn start(path: PathBuf) -> io::Result<Result<Writer, WindowError>> {
    // In a process that was forked off, these are what they were in its parent.
    let signals: [&AtomicU64; 3] = [&WRITE_SIGNALS, &END_SIGNALS, &SIGNALS];
    for flags in signals {
        flags.store(0, Ordering::SeqCst);
    }
    // Numbers go on, so that no request is taken for one of another recording.
    ANSWERED.store(ASKED.load(Ordering::SeqCst), Ordering::SeqCst);
    WANTED.store(0, Ordering::SeqCst);
    IS_LEFT_OUT.store(false, Ordering::SeqCst);
    let spawned = {
        let _blocked = BlockedSignals::all();
        Thread::start(move || run(&path))
    };
    let writer = spawned.inspect_err(|_| disclaim())?;
    wait_until(|| IS_LEFT_OUT.load(Ordering::SeqCst) || writer.is_over());
    if IS_LEFT_OUT.load(Ordering::SeqCst) {
        return Ok(Ok(writer));
    }
    let outcome = writer.join().unwrap_or_else(|panic| resume_unwind(panic));
    Ok(Err(outcome.err().unwrap_or(WindowError::NoTable)))
}

/// From now on, the end of the process and its signals are seen.
pub(super) fn watch() {
    PROCESS.store(std::process::id(), Ordering::SeqCst);
    for signal in [libc::SIGINT, libc::SIGTERM] {
        take_signal(signal, &END_SIGNALS);
    }
}

/// Writes upon a signal that does its default now; false if it does not, or cannot be had.
pub(super) fn write_on(signal: c_int) -> bool {
    let is_free = |signal| END_SIGNALS.load(Ordering::SeqCst) >> signal & 1 == 0;
    (1..64).contains(&signal) && is_free(signal) && take_signal(signal, &WRITE_SIGNALS)
}

fn take_signal(signal: c_int, signals: &AtomicU64) -> bool {
    signals.fetch_or(1 << signal, Ordering::SeqCst);
    let is_taken = platform::take_signal(signal, on_signal);
    if !is_taken {
        signals.fetch_and(!(1 << signal), Ordering::SeqCst);
    }
    is_taken
}

/// Ends the writer, which has no window to write.
pub(super) fn dismiss(writer: Writer) {
    ask(GO);
    // It returns nothing, and if it panicked, has said so.
    let _ = writer.join();
}

/// Ends the writer with the window's snapshot; none if the end of the program came first.
///
/// # Panics
/// If the writer did.
pub(super) fn finish(writer: Writer) -> Option<Snapshot> {
    ask(SNAPSHOT);
    writer.join().unwrap_or_else(|panic| resume_unwind(panic)).ok().flatten()
}

/// Has written what there is so far.
pub(super) fn write() -> io::Result<()> {
    loop {
        let mine = ASKED.fetch_add(1, Ordering::SeqCst) + 1;
        ring();
        wait_until(|| ANSWERED.load(Ordering::SeqCst) >= mine || !goes_on());
        let (number, outcome) = Outcome::of_request(mine);
        if number < mine {
            return Err(io::ErrorKind::NotConnected.into());
        }
        if number == mine {
            return outcome.into_result();
        }
        // So many have been answered meanwhile that nobody knows any more.
    }
}

/// How writing went, as a number: 0, the system's error, or beyond these the position in [`KINDS`].
#[derive(Clone, Copy)]
struct Outcome(u64);

/// Failures that are not the system's; the last stands for all others.
const KINDS: [io::ErrorKind; 3] = [io::ErrorKind::TimedOut, io::ErrorKind::WriteZero, io::ErrorKind::Other];

/// Linux has no error beyond it.
const LARGEST_CODE: u64 = 4095;

impl Outcome {
    const BITS: u32 = 16;

    fn new(written: &io::Result<()>) -> Self {
        let Err(error) = written else { return Self(0) };
        let code = error.raw_os_error().and_then(|code| u64::try_from(code).ok());
        let kind = || KINDS.iter().position(|kind| *kind == error.kind()).unwrap_or(KINDS.len() - 1);
        Self(code.filter(|code| *code <= LARGEST_CODE).unwrap_or_else(|| LARGEST_CODE + 1 + kind() as u64))
    }

    fn into_result(self) -> io::Result<()> {
        match self.0.checked_sub(LARGEST_CODE + 1) {
            Some(kind) => Err(KINDS[kind as usize].into()),
            None if self.0 == 0 => Ok(()),
            None => Err(io::Error::from_raw_os_error(self.0 as i32)),
        }
    }

    fn place(request: u64) -> &'static AtomicU64 {
        &OUTCOMES[request as usize % OUTCOMES.len()]
    }

    /// Keeps this for a request.
    fn tell(self, request: u64) {
        Self::place(request).store(request << Self::BITS | self.0, Ordering::SeqCst);
    }

    /// What is kept where a request's outcome is: that of the request with this number.
    fn of_request(request: u64) -> (u64, Self) {
        let word = Self::place(request).load(Ordering::SeqCst);
        (word >> Self::BITS, Self(word & ((1 << Self::BITS) - 1)))
    }
}

fn ask(what: u32) {
    WANTED.fetch_or(what, Ordering::SeqCst);
    ring();
}

fn ring() {
    BELL.fetch_add(1, Ordering::SeqCst);
    platform::wake_all(&BELL);
}

/// The process exits. The thread that does may have lost its thread-locals, and may hold locks: the writer does the work.
pub(super) extern "C" fn at_exit() {
    if !goes_on() {
        return;
    }
    ask(LAST);
    let start = Instant::now();
    wait_until(|| !goes_on() || start.elapsed() > LONGEST_END);
    if goes_on() {
        platform::complain("the program ends before its recording could be written");
    }
}

/// This process has just been forked off: the recording is its parent's, also one that was just starting or ending.
pub(super) extern "C" fn in_child() {
    PROCESS.store(0, Ordering::SeqCst);
    if CLAIMED_BY.swap(0, Ordering::SeqCst) != 0 {
        window::forget_parents_window();
        give_end_signals_back();
    }
}

/// Signals upon which is written stay taken, without effect: their default would be the end of a program that has done
/// nothing but end its recording, or of one that was forked off.
fn give_end_signals_back() {
    let taken = END_SIGNALS.load(Ordering::SeqCst);
    (1..64).filter(|signal| taken >> signal & 1 == 1).for_each(|signal| {
        platform::give_signal_back(signal, on_signal);
    });
}

/// A signal has come. The recording may be over, or this another process, forked off behind the back of the C library: then
/// it ends as without us.
extern "C" fn on_signal(signal: c_int) {
    SIGNALS.fetch_or(1 << signal, Ordering::SeqCst);
    if goes_on() {
        ring();
    } else if END_SIGNALS.load(Ordering::SeqCst) >> signal & 1 == 1 {
        platform::die_of(signal);
    }
}

/// However the writer ends, nobody waits for it from then on, and signals end the program as without us: one that has just
/// come, too.
struct Over;

impl Drop for Over {
    fn drop(&mut self) {
        PROCESS.store(0, Ordering::SeqCst);
        give_end_signals_back();
        if let Some(signal) = ending(SIGNALS.swap(0, Ordering::SeqCst)) {
            platform::die_of(signal);
        }
        // The next one may start only now, for it takes the signals anew.
        disclaim();
    }
}

/// What the thread does until the recording is over: the snapshot, if it was asked for.
fn run(path: &Path) -> Result<Option<Snapshot>, WindowError> {
    let _over = Over;
    window::leave_out_this_thread()?;
    IS_LEFT_OUT.store(true, Ordering::SeqCst);
    loop {
        let seen = BELL.load(Ordering::SeqCst);
        let signals = SIGNALS.swap(0, Ordering::SeqCst);
        if let Some(signal) = ending(signals) {
            write_last(path);
            platform::die_of(signal);
        }
        match WANTED.swap(0, Ordering::SeqCst) {
            0 => write_if_asked(path, signals),
            wanted if wanted & GO != 0 => return Ok(None),
            wanted if wanted & SNAPSHOT != 0 => return Ok(Window::finish_process(true)),
            _ => {
                write_last(path);
                return Ok(None);
            }
        }
        platform::wait_for_change(&BELL, seen);
    }
}

fn ending(signals: u64) -> Option<c_int> {
    let ending = signals & END_SIGNALS.load(Ordering::SeqCst);
    (ending != 0).then(|| ending.trailing_zeros().cast_signed())
}

/// Closes the window and writes it.
fn write_last(path: &Path) {
    let snapshot = || Window::finish_process(true).ok_or(WindowError::OtherWindow);
    if let Err(error) = write_to(path, snapshot) {
        platform::complain(&format!("{}: {error}: the recording is lost", path.display()));
    }
}

/// Writes what there is so far, if somebody waits for it or a signal has asked for it.
fn write_if_asked(path: &Path, signals: u64) {
    let by_signal = signals & WRITE_SIGNALS.load(Ordering::SeqCst) != 0;
    let (answered, asked) = (ANSWERED.load(Ordering::SeqCst), ASKED.load(Ordering::SeqCst));
    if !by_signal && asked == answered {
        return;
    }
    let outcome = write_to(path, window::read_process);
    if let Err(error) = &outcome
        && by_signal
    {
        platform::complain(&format!("{}: {error}", path.display()));
    }
    let told = Outcome::new(&outcome);
    (answered + 1..=asked).for_each(|request| told.tell(request));
    ANSWERED.store(asked, Ordering::SeqCst);
}

/// Writes a snapshot. An error of the recorder's own must not keep the program from ending.
fn write_to(path: &Path, snapshot: impl FnOnce() -> Result<Snapshot, WindowError>) -> io::Result<()> {
    let written = catch_unwind(AssertUnwindSafe(|| {
        let snapshot = snapshot().map_err(|error| io::Error::new(io::ErrorKind::TimedOut, error))?;
        whole::write(path, |unfinished| fs::write(unfinished, snapshot.to_bytes()))
    }));
    written.unwrap_or_else(|_| Err(io::Error::other("the recorder's own figures contradict each other")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_after(written: io::Result<()>) -> Option<io::ErrorKind> {
        Outcome::new(&written).into_result().err().map(|error| error.kind())
    }

    #[test]
    fn outcomes_keep_their_kind() {
        assert_eq!(kind_after(Ok(())), None);
        for code in [1, 2, 28, 110, 4095] {
            let told = Outcome::new(&Err(io::Error::from_raw_os_error(code))).into_result();
            assert_eq!(told.unwrap_err().raw_os_error(), Some(code));
        }
        for kind in KINDS {
            assert_eq!(kind_after(Err(kind.into())), Some(kind));
        }
        assert_eq!(kind_after(Err(io::ErrorKind::InvalidData.into())), Some(io::ErrorKind::Other));
    }

    #[test]
    fn a_later_outcome_is_not_taken_for_an_earlier_one() {
        let failed = Outcome::new(&Err(io::ErrorKind::WriteZero.into()));
        Outcome::new(&Ok(())).tell(1_000_001);
        failed.tell(1_000_002);
        let (number, outcome) = Outcome::of_request(1_000_001);
        assert_eq!((number, outcome.0), (1_000_001, 0));
        failed.tell(1_000_001 + OUTCOMES.len() as u64);
        assert!(Outcome::of_request(1_000_001).0 > 1_000_001);
    }
}
