//! The thread that writes a recording: others ask for something and ring, for that is all that a signal handler may do.
//!
//! It is left out of the recording: what it does to write is not counted.

use std::ffi::c_int;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use super::platform::{self, BlockedSignals};
use super::window::{self, Window, WindowError};
use crate::snapshot::Snapshot;
use crate::whole;

/// The process whose recording goes on; 0 for none, and when the writer has ended. In a process that was forked off, it is another one's.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// Changes when the writer is asked for something.
static BELL: AtomicU32 = AtomicU32::new(0);

/// What it is asked for.
static WANTED: AtomicU32 = AtomicU32::new(0);

/// To write the last time, for the program ends.
const LAST: u32 = 1;
/// To close the window and hand over what it saw.
const SNAPSHOT: u32 = 2;
/// To go, for there is no window.
const GO: u32 = 4;

/// How often writing was asked for, and how many of these times it has been done.
static ASKED: AtomicU64 = AtomicU64::new(0);
static ANSWERED: AtomicU64 = AtomicU64::new(0);

/// How writing went the last time: 0, the system's error, or [`NO_SYSTEM_ERROR`].
static OUTCOME: AtomicI32 = AtomicI32::new(0);
const NO_SYSTEM_ERROR: i32 = -1;

/// Whether the writer is left out of windows.
static IS_LEFT_OUT: AtomicBool = AtomicBool::new(false);

/// Signals that have come, as bits.
static SIGNALS: AtomicU64 = AtomicU64::new(0);

/// Signals upon which is written, and signals that end the program after that.
static WRITE_SIGNALS: AtomicU64 = AtomicU64::new(0);
static END_SIGNALS: AtomicU64 = AtomicU64::new(0);

/// How long a program that ends waits for its file.
const LONGEST_END: Duration = Duration::from_secs(60);

/// Whether a recording of this process goes on.
pub(super) fn goes_on() -> bool {
    PROCESS.load(Ordering::SeqCst) == std::process::id()
}

/// The thread, which returns the snapshot if it was asked for one.
pub(super) type Writer = JoinHandle<Result<Option<Snapshot>, WindowError>>;

/// The writer, started and left out of windows; its own signals are blocked, for the program's handlers must not run on it.
///
/// Nothing is left behind in the calling thread's thread-locals: the end of that thread would free it in the window.
pub(super) fn start(path: PathBuf) -> io::Result<Result<Writer, WindowError>> {
    // In a process that was forked off, these are what they were in its parent.
    for flags in [&WRITE_SIGNALS, &END_SIGNALS, &SIGNALS, &ASKED, &ANSWERED] {
        flags.store(0, Ordering::SeqCst);
    }
    WANTED.store(0, Ordering::SeqCst);
    IS_LEFT_OUT.store(false, Ordering::SeqCst);
    let writer = {
        let _blocked = BlockedSignals::all();
        Builder::new().name("alloclab".to_owned()).spawn(move || run(&path))?
    };
    for turn in 0_u32.. {
        if IS_LEFT_OUT.load(Ordering::SeqCst) {
            return Ok(Ok(writer));
        }
        if writer.is_finished() {
            break;
        }
        platform::rest(turn);
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
    let mine = ASKED.fetch_add(1, Ordering::SeqCst) + 1;
    ring();
    for turn in 0_u32.. {
        if ANSWERED.load(Ordering::SeqCst) >= mine || !goes_on() {
            break;
        }
        platform::rest(turn);
    }
    if ANSWERED.load(Ordering::SeqCst) < mine {
        return Err(io::ErrorKind::NotConnected.into());
    }
    match OUTCOME.load(Ordering::SeqCst) {
        0 => Ok(()),
        NO_SYSTEM_ERROR => Err(io::ErrorKind::TimedOut.into()),
        code => Err(io::Error::from_raw_os_error(code)),
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
    for turn in 0_u32.. {
        if !goes_on() {
            return;
        }
        if start.elapsed() > LONGEST_END {
            return platform::complain("the program ends before its recording could be written");
        }
        platform::rest(turn);
    }
}

/// This process has just been forked off: the recording is its parent's.
pub(super) extern "C" fn in_child() {
    if PROCESS.swap(0, Ordering::SeqCst) != 0 {
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
    let asked = ASKED.load(Ordering::SeqCst);
    if !by_signal && asked == ANSWERED.load(Ordering::SeqCst) {
        return;
    }
    let outcome = write_to(path, window::read_process);
    if let Err(error) = &outcome
        && by_signal
    {
        platform::complain(&format!("{}: {error}", path.display()));
    }
    let code = outcome.map_or_else(|error| error.raw_os_error().unwrap_or(NO_SYSTEM_ERROR), |()| 0);
    OUTCOME.store(code, Ordering::SeqCst);
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
