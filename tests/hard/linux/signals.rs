//! Signal handlers that allocate, at any moment.

use std::alloc::{Layout, alloc, dealloc, realloc};
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use alloclab::recorder::{Window, measure};
use alloclab::snapshot::Counts;

use super::inner::{self, counted};
use super::{Condition, Outcome, holds, same};

pub(super) const CONDITIONS: &[Condition] = &[
    Condition::new("a_timer_s_handler_allocates_in_a_window", a_timer_s_handler_allocates_in_a_window)
        .without_tools("signals come faster than a tool works"),
    Condition::new(
        "handlers_allocate_while_windows_open_and_close",
        handlers_allocate_while_windows_open_and_close,
    ),
    Condition::new("a_call_leaves_errno_alone", a_call_leaves_errno_alone)
        .without_tools("a tool needs the address space that the process is denied"),
];

/// Sets what a signal does; on another stack, if the thread has one.
pub(super) fn handle(signal: libc::c_int, handler: extern "C" fn(libc::c_int)) {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    let place = action.as_mut_ptr();
    // SAFETY: all zero is a valid action, and the place is that of `action`.
    unsafe { (*place).sa_sigaction = handler as *const () as usize };
    // SAFETY: as above.
    unsafe { (*place).sa_flags = libc::SA_RESTART | libc::SA_ONSTACK };
    // SAFETY: the action is whole, and the handler does only what handlers may.
    assert_eq!(unsafe { libc::sigaction(signal, place, ptr::null_mut()) }, 0);
}

static HANDLED: AtomicU64 = AtomicU64::new(0);

const LAYOUT: Layout = Layout::new::<[u8; 300]>();

fn mixed_calls() {
    // SAFETY: the layout has a size.
    let block = black_box(unsafe { alloc(LAYOUT) });
    // SAFETY: the block is there and has this layout.
    let block = black_box(unsafe { realloc(block, LAYOUT, 600) });
    // SAFETY: the block has this layout.
    unsafe { dealloc(block, Layout::new::<[u8; 600]>()) };
}

extern "C" fn on_signal(_: libc::c_int) {
    // SAFETY: the place is that of the thread's own `errno`.
    let errno = unsafe { libc::__errno_location().read() };
    mixed_calls();
    HANDLED.fetch_add(1, Ordering::SeqCst);
    // SAFETY: as above.
    unsafe { libc::__errno_location().write(errno) };
}

/// Signals come to the process every so many microseconds of its time; 0 for no more.
fn signal_every(micros: i64) {
    let interval = libc::timeval { tv_sec: 0, tv_usec: micros };
    let timer = libc::itimerval { it_interval: interval, it_value: interval };
    // SAFETY: the call reads a whole value.
    assert_eq!(unsafe { libc::setitimer(libc::ITIMER_REAL, &raw const timer, ptr::null_mut()) }, 0);
}

/// One thread, so that all that reaches the allocator is known.
fn a_timer_s_handler_allocates_in_a_window() -> Outcome {
    inner::use_reserve();
    handle(libc::SIGALRM, on_signal);
    let mut strays = 0;
    for _ in 0..10 {
        let window = Window::over_thread()?;
        let before = inner::so_far();
        let handled = HANDLED.load(Ordering::SeqCst);
        signal_every(50);
        for _ in 0..20_000 {
            mixed_calls();
        }
        signal_every(0);
        let tally = inner::since(&before);
        let snapshot = window.close();
        same(counted(&snapshot.totals), tally.clone())?;
        let came = HANDLED.load(Ordering::SeqCst) - handled;
        same((tally.allocations, snapshot.torn), (20_000 + came, false))?;
        // A handler's own blocks come and go while the thread is inside, all of them.
        same(snapshot.totals.live_bytes, 0)?;
        holds(snapshot.overflowed <= 2 * came, || format!("{} of {came}", snapshot.overflowed))?;
        strays += snapshot.overflowed;
    }
    holds(strays > 0, || "no signal came while the thread was in the recorder".to_owned())
}

/// Threads that record, of which each gets signals from the others; windows over them and over the process meanwhile.
fn handlers_allocate_while_windows_open_and_close() -> Outcome {
    const THREADS: usize = 3;
    inner::use_reserve();
    handle(libc::SIGUSR1, on_signal);
    let stop = AtomicBool::new(false);
    let is_over = || stop.load(Ordering::Relaxed);
    let (sender, receiver) = std::sync::mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..THREADS {
            let sender = sender.clone();
            scope.spawn(move || {
                // SAFETY: the call has no precondition.
                sender.send(unsafe { libc::pthread_self() }).expect("it is received");
                while !is_over() {
                    mixed_calls();
                    // Short threads, too: signals come while they get their tables.
                    thread::spawn(mixed_calls).join().expect("it does not panic");
                }
            });
        }
        let threads: Vec<_> = (0..THREADS).map(|_| receiver.recv().expect("each has sent")).collect();
        scope.spawn(move || {
            while !is_over() {
                for thread in &threads {
                    // SAFETY: the thread lives: it is joined after this one.
                    unsafe { libc::pthread_kill(*thread, libc::SIGUSR1) };
                }
                thread::yield_now();
            }
        });
        // So many windows, and so many signals at least.
        let goes_on = |round: &u32| *round < 300 || HANDLED.load(Ordering::SeqCst) < 1000;
        let outcome = (0..).take_while(goes_on).try_for_each(|_| {
            let window = Window::over_process()?;
            (0..20).for_each(|_| mixed_calls());
            let snapshot = window.close();
            // Closing itself checks the sums against the clocks.
            same(snapshot.torn, false)?;
            holds(snapshot.totals.allocations >= 20, || format!("{:?}", snapshot.totals))?;
            let own = measure(|| (0..20).for_each(|_| mixed_calls()))?.snapshot;
            same(of_own(&own.totals), (20, 20, 20))
        });
        stop.store(true, Ordering::Relaxed);
        outcome
    })
}

fn of_own(totals: &Counts) -> (u64, u64, u64) {
    (totals.allocations, totals.reallocations, totals.deallocations)
}

/// What a call of the allocator leaves in `errno` is the allocator's; the recorder's own calls of the system fail here.
fn a_call_leaves_errno_alone() -> Outcome {
    inner::use_reserve();
    let errno = || {
        // SAFETY: the place is that of the thread's own `errno`.
        let place = unsafe { libc::__errno_location() };
        // SAFETY: as above.
        unsafe { place.write(77) };
        mixed_calls();
        // SAFETY: as above.
        unsafe { place.read() }
    };
    let (begin, began) = std::sync::mpsc::channel::<()>();
    let thread = thread::spawn(move || {
        let _ = began.recv();
        errno()
    });
    let window = Window::over_process()?;
    super::own_memory::limit(0)?;
    begin.send(())?;
    let seen = thread.join().map_err(|_| "it panicked")?;
    drop(window);
    same(seen, 77)
}
