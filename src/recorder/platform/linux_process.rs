//! Linux: how threads wait and wake, and how a process ends: exit, fork, signals.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::AtomicU32;

/// Keeps what the program may be about to read from `errno`, until dropped.
pub(super) struct Errno(c_int);

impl Errno {
    pub(super) fn keep() -> Self {
        // SAFETY: the address is that of the calling thread's own `errno`.
        Self(unsafe { errno().read() })
    }
}

impl Drop for Errno {
    fn drop(&mut self) {
        // SAFETY: as in `keep`.
        unsafe { errno().write(self.0) };
    }
}

fn errno() -> *mut c_int {
    // SAFETY: the function has no precondition.
    unsafe { libc::__errno_location() }
}

/// Lets other threads run: the first turns give up the processor, later ones sleep for a moment.
pub(in crate::recorder) fn rest(turn: u32) {
    const QUICK_TURNS: u32 = 32;
    let _errno = Errno::keep();
    if turn < QUICK_TURNS {
        std::thread::yield_now();
    } else {
        std::thread::sleep(std::time::Duration::from_micros(100));
    }
}

/// The system's number of the calling thread, which is not 0.
pub(in crate::recorder) fn thread_number() -> u32 {
    // SAFETY: the call has no precondition.
    unsafe { libc::syscall(libc::SYS_gettid) as u32 }
}

/// Whether there may be a thread of that number in the process, maybe another one than there was: false only if the system
/// says that there is none, for it may also refuse to answer.
pub(in crate::recorder) fn is_alive(thread: u32) -> bool {
    let _errno = Errno::keep();
    // SAFETY: the call takes plain numbers; signal 0 is none.
    let answer = unsafe { libc::syscall(libc::SYS_tgkill, std::process::id(), thread, 0) };
    // SAFETY: the place of `errno` is the calling thread's.
    answer == 0 || unsafe { errno().read() } != libc::ESRCH
}

/// Has a function called in each process that is forked off; false if the system refuses.
pub(in crate::recorder) fn at_fork(in_child: extern "C" fn()) -> bool {
    // SAFETY: the function is the program's own and stays.
    unsafe { libc::pthread_atfork(None, None, Some(in_child as unsafe extern "C" fn())) == 0 }
}

/// Whether the calling thread is the process's first.
pub(in crate::recorder) fn is_main_thread() -> bool {
    thread_number() == std::process::id()
}

/// Waits until a word is no longer what it was seen to be; may return early.
pub(in crate::recorder) fn wait_for_change(word: &AtomicU32, seen: u32) {
    let _errno = Errno::keep();
    let operation = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
    let forever = ptr::null::<libc::timespec>();
    // SAFETY: the kernel only reads the word, which is borrowed during the call.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, seen, forever) };
}

/// Wakes all threads that wait for a word to change. A signal handler may do this.
pub(in crate::recorder) fn wake_all(word: &AtomicU32) {
    let _errno = Errno::keep();
    let operation = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
    // SAFETY: the kernel only looks at the address of the word.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, c_int::MAX) };
}

/// Has a function called when the process exits, and one in each process that is forked off; false if the system refuses.
pub(in crate::recorder) fn at_exit_and_fork(at_exit: extern "C" fn(), in_child: extern "C" fn()) -> bool {
    // SAFETY: the function is the program's own and stays.
    at_fork(in_child) && unsafe { libc::atexit(at_exit) } == 0
}

/// Writes a line to standard error, past the lock of the standard library, which a thread that exits may hold.
pub(in crate::recorder) fn complain(text: &str) {
    let line = format!("alloclab: {text}\n");
    // SAFETY: the bytes are borrowed during the call. Where standard error is closed, nobody wants to read them.
    unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), line.len()) };
}

/// Signals that are blocked in the calling thread, and in threads that it starts, until this is dropped.
pub(in crate::recorder) struct BlockedSignals(MaybeUninit<libc::sigset_t>);

impl BlockedSignals {
    /// Blocks all signals.
    pub(in crate::recorder) fn all() -> Self {
        let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        // SAFETY: the call initializes the set.
        unsafe { libc::sigfillset(all.as_mut_ptr()) };
        // SAFETY: the first set is initialized, the call initializes the second.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr()) };
        Self(before)
    }
}

impl Drop for BlockedSignals {
    fn drop(&mut self) {
        // SAFETY: the set was initialized when this was made.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, self.0.as_ptr(), ptr::null_mut()) };
    }
}

/// Sets what a signal does, if that is its default now, or this already: false if it is not, or if the system refuses.
pub(in crate::recorder) fn take_signal(signal: c_int, handler: extern "C" fn(c_int)) -> bool {
    let handler = handler as *const () as usize;
    let is_free = |now| now == libc::SIG_DFL || now == handler;
    disposition(signal).is_some_and(is_free) && set_disposition(signal, handler)
}

/// Lets a signal do its default again, if it does now what [`take_signal`] has set.
pub(in crate::recorder) fn give_signal_back(signal: c_int, handler: extern "C" fn(c_int)) {
    if disposition(signal) == Some(handler as *const () as usize) {
        set_disposition(signal, libc::SIG_DFL);
    }
}

fn disposition(signal: c_int) -> Option<libc::sighandler_t> {
    let mut action = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: the call initializes `action` if it returns 0, and changes nothing.
    if unsafe { libc::sigaction(signal, ptr::null(), action.as_mut_ptr()) } != 0 {
        return None;
    }
    // SAFETY: the call has initialized it.
    Some(unsafe { action.assume_init() }.sa_sigaction)
}

fn set_disposition(signal: c_int, handler: libc::sighandler_t) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    let place = action.as_mut_ptr();
    // SAFETY: all zero is a valid action, and the place is that of `action`.
    unsafe { (*place).sa_sigaction = handler };
    // SAFETY: as above.
    unsafe { (*place).sa_flags = libc::SA_RESTART | libc::SA_ONSTACK };
    // SAFETY: the action is whole; the handler is the default one, or one that only does what handlers may do.
    unsafe { libc::sigaction(signal, place, ptr::null_mut()) == 0 }
}

/// Ends the process by a signal's default action. A signal handler may do this.
pub(in crate::recorder) fn die_of(signal: c_int) -> ! {
    set_disposition(signal, libc::SIG_DFL);
    let mut set = MaybeUninit::uninit();
    // SAFETY: the call initializes the set.
    unsafe { libc::sigemptyset(set.as_mut_ptr()) };
    // SAFETY: the set is initialized.
    unsafe { libc::sigaddset(set.as_mut_ptr(), signal) };
    // SAFETY: as above.
    unsafe { libc::pthread_sigmask(libc::SIG_UNBLOCK, set.as_ptr(), ptr::null_mut()) };
    // SAFETY: the call has no precondition.
    unsafe { libc::raise(signal) };
    // The first process of a container is spared by default actions.
    // SAFETY: as above.
    unsafe { libc::_exit(128 + signal) }
}
