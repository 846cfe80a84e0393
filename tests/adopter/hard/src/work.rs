//! A program that makes it hard to count: threads, a fork, an early exit, panics, thread-locals that end with their thread.
//!
//! Each prints what it counted. What is looked for are blocks of a size that nobody else asks for.

use std::cell::RefCell;
use std::hint::black_box;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;

use alloclab::recorder::{Window, measure, measure_process};
use alloclab::snapshot::Snapshot;

/// Sizes of this many bytes have the class 20.
const LARGE: usize = 1 << 20;

fn large() -> Vec<u8> {
    black_box(Vec::with_capacity(LARGE))
}

/// Blocks of the size that is looked for: asked for, and alive in the end.
fn counts(snapshot: &Snapshot) -> (u64, u64) {
    let classes = snapshot.sites.iter().flat_map(|site| &site.size_classes);
    let asked = classes.filter(|(class, _)| *class == 20).map(|(_, count)| count).sum();
    (asked, snapshot.totals.live_bytes / LARGE as u64)
}

fn report(snapshot: &Snapshot) {
    let (asked, alive) = counts(snapshot);
    println!("{asked} large blocks, {alive} alive");
}

/// Every block is freed by another thread than the one that made it, but for three that stay.
fn threads() {
    let measured = measure_process(|| {
        let (sender, receiver) = mpsc::channel();
        let makers: Vec<_> = (0..8)
            .map(|_| {
                let sender = sender.clone();
                thread::spawn(move || (0..50).for_each(|_| sender.send(large()).unwrap()))
            })
            .collect();
        drop(sender);
        let kept: Vec<Vec<u8>> = receiver.iter().take(3).collect();
        drop(receiver.iter().collect::<Vec<_>>());
        makers.into_iter().for_each(|maker| maker.join().unwrap());
        kept
    });
    report(&measured.unwrap().snapshot);
}

/// Threads that allocate and free for as long as the closure runs.
fn beside_busy_threads<T>(work: impl FnOnce() -> T) -> T {
    static IS_OVER: AtomicBool = AtomicBool::new(false);
    for _ in 0..3 {
        thread::spawn(|| {
            while !IS_OVER.load(Ordering::Relaxed) {
                drop(black_box(vec![1_u8; 100]));
            }
        });
    }
    let value = work();
    IS_OVER.store(true, Ordering::Relaxed);
    value
}

/// Parent and child each go on counting for themselves, in the window that was open when the child was made.
fn fork(window: Window) {
    let first = large();
    // SAFETY: the child goes on with what it has, and ends without running destructors of threads that it does not have.
    let child = unsafe { libc::fork() };
    let second = large();
    if child == 0 {
        drop(first);
        report(&window.close());
        let again = measure(|| (large(), large())).unwrap();
        report(&again.snapshot);
        // SAFETY: ends the process at once.
        unsafe { libc::_exit(0) }
    }
    let mut status = 0;
    // SAFETY: waits for the child that was just made.
    unsafe { libc::waitpid(child, &raw mut status, 0) };
    println!("the child ended with {status}");
    report(&window.close());
    drop((first, second));
}

fn exit() {
    beside_busy_threads(|| {
        let window = Window::over_process().unwrap();
        drop(large());
        println!("exiting in {window:?}");
        std::process::exit(7);
    });
}

fn panics() {
    let fails = || assert!(large().len() > LARGE, "a panic in a window");
    println!("panicked: {}", catch_unwind(|| measure(fails)).is_err());
    println!("panicked: {}", catch_unwind(|| measure_process(fails)).is_err());
    report(&measure(large).unwrap().snapshot);
    report(&measure_process(large).unwrap().snapshot);
    // And one that nobody catches.
    drop(measure(|| panic!("the last one")));
}

thread_local! {
    static KEPT: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

struct AllocatesAtTheEnd;

impl Drop for AllocatesAtTheEnd {
    fn drop(&mut self) {
        drop(large());
    }
}

thread_local! {
    static LAST: AllocatesAtTheEnd = const { AllocatesAtTheEnd };
}

/// What a thread keeps goes when the thread ends, and one more is made then.
fn thread_locals() {
    let measured = measure_process(|| {
        let make = || {
            LAST.with(|_| ());
            KEPT.with_borrow_mut(|kept| kept.extend([large(), large()]));
        };
        (0..10).for_each(|_| thread::spawn(make).join().unwrap());
    });
    let snapshot = measured.unwrap().snapshot;
    report(&snapshot);
    let totals = &snapshot.totals;
    println!("all freed: {}", totals.allocations == totals.deallocations);
}

pub fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("threads") => threads(),
        Some("fork") => {
            fork(Window::over_thread().unwrap());
            beside_busy_threads(|| fork(Window::over_process().unwrap()));
        }
        Some("exit") => exit(),
        Some("panics") => panics(),
        Some("thread-locals") => thread_locals(),
        other => panic!("unknown: {other:?}"),
    }
}
