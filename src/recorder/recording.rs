//! A window over a whole program, written to a file.

use std::ffi::{OsStr, OsString, c_int};
use std::fmt;
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::ptr;

use super::platform;
use super::primitive::{AtomicBool, AtomicPtr, Ordering, shared};
use super::window::{WindowError, WindowOptions};
use super::writer::{self, Writer};
use crate::snapshot::Snapshot;

/// A window over the whole program, which is written to a file when the program ends.
///
/// The file is written when `main` returns or panics, upon [`std::process::exit`], and upon `SIGINT` and `SIGTERM` where
/// these do their default: the program ends by the signal then, as it would without. It can be written earlier, too:
/// [by a signal](Recording::on_signal) or [on demand](Recording::write); the recording goes on then. The installed
/// `alloclab report` reads the file with names, and so does [`Snapshot::read`] without.
///
/// Dropping this does not end the recording; [`finish`](Recording::finish) does. While it goes on, no other window can be
/// open. Counts are exact, those of a file that is written earlier too: threads that come to the recorder meanwhile wait
/// until the tables have been read. The thread that writes is not counted.
///
/// # What it does not see
/// What happens after the file has been written: other functions that are called at exit, destructors of statics of other
/// languages, the thread-locals of threads that still run. A program that is killed, aborts (`panic = "abort"` does),
/// leaves by `_exit`, or replaces itself by `exec` writes nothing more. A process that is forked off is not recorded
/// and writes nothing; it may start a recording of its own. As the first process of a container, the program ends
/// upon `SIGINT` and `SIGTERM` with exit code 128 and the signal's number. Other systems than Linux have no
/// recordings.
///
/// # Examples
/// ```
/// use alloclab::recorder::{Recorder, Recording};
/// use alloclab::snapshot::Snapshot;
///
/// #[global_allocator]
/// static ALLOCATOR: Recorder = Recorder::system();
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let place = std::env::temp_dir().join("alloclab-{pid}.alloclab");
/// let recording = Recording::start(&place)?;
/// let greeting = std::hint::black_box(String::from("hello"));
/// recording.write()?;
///
/// let file = std::env::temp_dir().join(format!("alloclab-{}.alloclab", std::process::id()));
/// let totals = Snapshot::read(&file)?.totals;
/// assert_eq!((totals.allocations, totals.live_bytes), (1, 5));
/// # drop(greeting);
/// # drop(recording.finish()?);
/// # std::fs::remove_file(file)?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Recording(());

shared! {
    /// The handle of the recording's writer, for whoever finishes it. No lock: in a process that is forked off meanwhile, nobody
    /// would give it back. There the handle is one of a thread that the process does not have, and stays as it is.
    static WRITER: AtomicPtr<Writer> = AtomicPtr::new(ptr::null_mut());

    /// Whether the process's end is watched.
    static IS_WATCHED: AtomicBool = AtomicBool::new(false);
}

impl Recording {
    /// Opens a window over the process, to be written to a file when the program ends. `{pid}` in the path stands for the
    /// process's number; a relative path is one from the folder that is the current one now.
    ///
    /// # Errors
    /// See [`RecordingError`]. Whether the file can be written is seen when it is: if it cannot, standard error says
    /// so, and the program's exit code stays what it is.
    pub fn start(path: impl AsRef<Path>) -> Result<Self, RecordingError> {
        if !writer::claim() {
            return Err(WindowError::OtherWindow.into());
        }
        let path = prepare(path.as_ref()).inspect_err(|_| writer::disclaim())?;
        let started = writer::start(path).map_err(|error| RecordingError::System(error.kind()))?;
        let writer = Box::new(started?);
        // From here on, nothing is allocated or freed: it would be counted.
        match WindowOptions::new().open_over_process() {
            Ok(window) => mem::forget(window),
            Err(error) => {
                writer::dismiss(*writer);
                return Err(error.into());
            }
        }
        WRITER.store(Box::into_raw(writer), Ordering::SeqCst);
        writer::watch();
        Ok(Self(()))
    }

    /// Writes the file, too, whenever the process gets a signal: `libc::SIGUSR1`, say. The recording goes on. After it, and
    /// in processes that are forked off, the signal has no effect.
    ///
    /// # Errors
    /// [`RecordingError::Signal`] if the signal does something already, as `SIGINT` and `SIGTERM` do, or cannot be had.
    ///
    /// # Examples
    /// ```no_run
    /// use alloclab::recorder::{Recorder, Recording};
    ///
    /// #[global_allocator]
    /// static ALLOCATOR: Recorder = Recorder::system();
    ///
    /// fn main() {
    ///     // `kill -USR1 1234` writes heap-1234.alloclab.
    ///     let recording = Recording::start("heap-{pid}.alloclab").unwrap();
    ///     recording.on_signal(libc::SIGUSR1).unwrap();
    /// }
    /// ```
    pub fn on_signal(&self, signal: c_int) -> Result<&Self, RecordingError> {
        if writer::write_on(signal) { Ok(self) } else { Err(RecordingError::Signal(signal)) }
    }

    /// Writes what has been seen so far to the file, which it replaces. The recording goes on.
    ///
    /// # Errors
    /// If the file cannot be written; of kind [`TimedOut`](io::ErrorKind::TimedOut) if a thread was stopped inside the
    /// recorder, and of kind [`NotConnected`](io::ErrorKind::NotConnected) in a process that was forked off.
    pub fn write(&self) -> io::Result<()> {
        writer::write()
    }

    /// Ends the recording: what was seen. The file is not written, here or later; [`Snapshot::write`] can do that.
    ///
    /// # Errors
    /// [`RecordingError::Elsewhere`] in a process that was forked off, and while the program ends.
    ///
    /// # Panics
    /// If the recorder's own figures contradict each other, which would be an error of it.
    ///
    /// # Examples
    /// ```
    /// use alloclab::recorder::{Recorder, Recording};
    ///
    /// #[global_allocator]
    /// static ALLOCATOR: Recorder = Recorder::system();
    ///
    /// let recording = Recording::start("unused.alloclab").unwrap();
    /// drop(std::hint::black_box(Box::new(1_u64)));
    /// assert_eq!(recording.finish().unwrap().totals.deallocations, 1);
    /// ```
    pub fn finish(self) -> Result<Snapshot, RecordingError> {
        if !writer::goes_on() {
            return Err(RecordingError::Elsewhere);
        }
        let writer = WRITER.swap(ptr::null_mut(), Ordering::SeqCst);
        if writer.is_null() {
            return Err(RecordingError::Elsewhere);
        }
        // SAFETY: `start` made it of a box, and whoever takes it out has it alone.
        let writer = unsafe { Box::from_raw(writer) };
        writer::finish(*writer).ok_or(RecordingError::Elsewhere)
    }
}

/// What is needed before the writer can start: the path, and that the end of the process is seen.
fn prepare(path: &Path) -> Result<PathBuf, RecordingError> {
    let path = full_path(path).map_err(|error| RecordingError::System(error.kind()))?;
    if !IS_WATCHED.load(Ordering::Relaxed) {
        if !platform::at_exit_and_fork(writer::at_exit, writer::in_child) {
            return Err(RecordingError::Unsupported);
        }
        IS_WATCHED.store(true, Ordering::Relaxed);
    }
    Ok(path)
}

/// The path with the process's number in it, from the root: the current folder, whose own name stays as it is, may be
/// another one at the end.
fn full_path(path: &Path) -> io::Result<PathBuf> {
    std::path::absolute(with_process(path))
}

/// The path with the process's number in place of each `{pid}`.
fn with_process(path: &Path) -> OsString {
    const PLACE: &[u8] = b"{pid}";
    let mut rest = path.as_os_str().as_encoded_bytes();
    let mut text = OsString::new();
    while let Some(position) = rest.windows(PLACE.len()).position(|bytes| bytes == PLACE) {
        // SAFETY: what was cut out of the system's text are whole ASCII texts.
        text.push(unsafe { OsStr::from_encoded_bytes_unchecked(&rest[..position]) });
        text.push(std::process::id().to_string());
        rest = &rest[position + PLACE.len()..];
    }
    // SAFETY: as above.
    text.push(unsafe { OsStr::from_encoded_bytes_unchecked(rest) });
    text
}

/// Why a recording cannot be had.
///
/// `Debug` prints the reason in full too, for it is what `unwrap` shows.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordingError {
    /// The window cannot be opened.
    Window(WindowError),
    /// The system refuses the thread that writes, or has no current folder.
    System(io::ErrorKind),
    /// The signal does not do its default now, or is one that cannot be had.
    Signal(c_int),
    /// The recording is another process's, or is over.
    Elsewhere,
    /// The end of a program cannot be seen on this system.
    Unsupported,
}

impl From<WindowError> for RecordingError {
    fn from(error: WindowError) -> Self {
        Self::Window(error)
    }
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Window(error) => error.fmt(f),
            Self::System(kind) => write!(f, "the recording cannot be started: {kind}"),
            Self::Signal(signal) => write!(
                f,
                "signal {signal} cannot be used: the program handles or ignores it already, or nobody can; take another \
                 one, such as SIGUSR2"
            ),
            Self::Elsewhere => f.write_str(
                "the recording is over, or this process was forked off and the recording is its parent's; start one here",
            ),
            Self::Unsupported => f.write_str(
                "the end of a program cannot be seen on this system, so it cannot be recorded whole; open a window instead",
            ),
        }
    }
}

impl fmt::Debug for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for RecordingError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Window(error) => Some(error),
            _ => None,
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    #[test]
    fn a_path_that_is_no_text_gets_the_number_too() {
        let path = |text: &[u8]| Path::new(OsStr::from_bytes(text)).to_owned();
        let number = std::process::id();
        let expected =
            [b"/\xff", number.to_string().as_bytes(), b"-\xfe{pid", number.to_string().as_bytes()].concat();
        assert_eq!(full_path(&path(b"/\xff{pid}-\xfe{pid{pid}")).unwrap(), path(&expected));
        assert_eq!(full_path(&path(b"/\xff")).unwrap(), path(b"/\xff"));
    }
}
