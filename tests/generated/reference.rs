//! The plain recorder that sits under the one that is tested: one lock, one list of calls. What they mean is worked out
//! afterwards.
#![allow(unsafe_code)] // An allocator is an unsafe trait. Its calls are passed on, and no pointer is followed.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::ledger::{Call, What};

/// The system's allocator, with a list of what was asked of it.
pub(crate) struct Reference;

static IS_LISTENING: AtomicBool = AtomicBool::new(false);

static CALLS: Mutex<Calls> = Mutex::new(Calls { calls: Vec::new(), lost: 0 });

/// The list never grows while it listens: that would be a call of its own.
struct Calls {
    calls: Vec<Call<()>>,
    lost: usize,
}

thread_local! {
    /// What the calling thread is called in the list; none before its first call.
    static THREAD: Cell<Option<u32>> = const { Cell::new(None) };
}

/// What the next thread is called that has not been given a name.
static NEXT_THREAD: AtomicU32 = AtomicU32::new(1000);

/// Sets what the calling thread is called in the list.
pub(crate) fn name_thread(number: u32) {
    THREAD.set(Some(number));
}

fn thread() -> u32 {
    let thread = THREAD.get().unwrap_or_else(|| NEXT_THREAD.fetch_add(1, Ordering::Relaxed));
    THREAD.set(Some(thread));
    thread
}

/// Makes room for so many calls.
pub(crate) fn make_room(calls: usize) {
    *lock() = Calls { calls: Vec::with_capacity(calls), lost: 0 };
}

/// Begins or ends to listen.
pub(crate) fn listen(is_listening: bool) {
    IS_LISTENING.store(is_listening, Ordering::SeqCst);
}

/// The calls since there is room.
pub(crate) fn take() -> Vec<Call<()>> {
    let calls = std::mem::replace(&mut *lock(), Calls { calls: Vec::new(), lost: 0 });
    assert_eq!(calls.lost, 0, "there was room for {} calls", calls.calls.len());
    calls.calls
}

fn lock() -> MutexGuard<'static, Calls> {
    CALLS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a call with the list locked, so that their order is the true one, and notes it.
fn noted(make: impl FnOnce() -> (*mut u8, What)) -> *mut u8 {
    let mut list = lock();
    let (block, what) = make();
    if list.calls.len() < list.calls.capacity() {
        list.calls.push(Call { thread: thread(), row: (), what });
    } else {
        list.lost += 1;
    }
    block
}

fn fresh(block: *mut u8, bytes: usize, zeroed: bool) -> What {
    match block.addr() as u64 {
        0 => What::Failed,
        block => What::Fresh { block, bytes: bytes as u64, zeroed },
    }
}

// SAFETY: every call is passed on to the system's allocator as it came, and its answer is returned.
unsafe impl GlobalAlloc for Reference {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`.
        let make = || unsafe { System.alloc(layout) };
        if !IS_LISTENING.load(Ordering::Relaxed) {
            return make();
        }
        noted(|| {
            let block = make();
            (block, fresh(block, layout.size(), false))
        })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        let make = || unsafe { System.alloc_zeroed(layout) };
        if !IS_LISTENING.load(Ordering::Relaxed) {
            return make();
        }
        noted(|| {
            let block = make();
            (block, fresh(block, layout.size(), true))
        })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        let free = || unsafe { System.dealloc(block, layout) };
        if !IS_LISTENING.load(Ordering::Relaxed) {
            return free();
        }
        noted(|| {
            free();
            (block, What::Freed { block: block.addr() as u64, bytes: layout.size() as u64 })
        });
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `realloc`.
        let resize = || unsafe { System.realloc(block, layout, new_size) };
        if !IS_LISTENING.load(Ordering::Relaxed) {
            return resize();
        }
        noted(|| {
            let new_block = resize();
            let (former, former_bytes, bytes) = (block.addr() as u64, layout.size() as u64, new_size as u64);
            let what = match new_block.addr() as u64 {
                0 => What::Failed,
                block => What::Resized { former, former_bytes, block, bytes },
            };
            (new_block, what)
        })
    }
}
