//! Linux: a thread of the recorder's own.

use std::ffi::c_void;
use std::io;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// A thread that the standard library has not started. Each of its own threads takes a lock of the library as it begins, and
/// in a process that was forked off just then, that lock is taken for ever: no thread of the library would ever begin.
pub(in crate::recorder) struct Thread<T> {
    thread: libc::pthread_t,
    outcome: Arc<Outcome<T>>,
}

/// What the thread's function returned or panicked with, once it has.
type Outcome<T> = Mutex<Option<thread::Result<T>>>;

type Work = Box<dyn FnOnce() + Send>;

impl<T: Send + 'static> Thread<T> {
    /// Runs a function in a thread of its own.
    pub(in crate::recorder) fn start(work: impl FnOnce() -> T + Send + 'static) -> io::Result<Self> {
        let outcome = Arc::new(Outcome::default());
        let told = Arc::clone(&outcome);
        let work: Work = Box::new(move || {
            let result = catch_unwind(AssertUnwindSafe(work));
            *told.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        });
        let work = Box::into_raw(Box::new(work));
        let mut thread = MaybeUninit::uninit();
        // SAFETY: the function takes what it is given here, once, and the call initializes `thread` if it returns 0.
        let code = unsafe { libc::pthread_create(thread.as_mut_ptr(), ptr::null(), begin, work.cast()) };
        if code != 0 {
            // SAFETY: no thread was started that would take it.
            drop(unsafe { Box::from_raw(work) });
            return Err(io::Error::from_raw_os_error(code));
        }
        // SAFETY: the call has initialized it.
        Ok(Self { thread: unsafe { thread.assume_init() }, outcome })
    }

    /// Whether the function has ended.
    pub(in crate::recorder) fn is_over(&self) -> bool {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Waits for the end of the thread: what its function returned or panicked with.
    pub(in crate::recorder) fn join(self) -> thread::Result<T> {
        // SAFETY: the thread was started here, and nobody else joins it, for this takes its only handle.
        unsafe { libc::pthread_join(self.thread, ptr::null_mut()) };
        let outcome = self.outcome.lock().unwrap_or_else(PoisonError::into_inner).take();
        outcome.expect("a thread that has ended has told its outcome")
    }
}

extern "C" fn begin(work: *mut c_void) -> *mut c_void {
    // SAFETY: the call has no precondition.
    let thread = unsafe { libc::pthread_self() };
    // SAFETY: the thread is the calling one, and the name ends with a zero.
    unsafe { libc::pthread_setname_np(thread, c"alloclab".as_ptr()) };
    // SAFETY: `start` made it of a box, for this thread alone.
    let work = unsafe { Box::from_raw(work.cast::<Work>()) };
    work();
    ptr::null_mut()
}
