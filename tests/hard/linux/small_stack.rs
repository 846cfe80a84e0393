//! Threads and handlers that have little stack.

use std::alloc::{Layout, alloc, dealloc};
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

use alloclab::recorder::{Window, measure_process};

use super::stack::{FIRST_BYTES, own_bounds};
use super::{Condition, Outcome, holds, inner, same};

const NO_TOOL: &str = "a tool's own code in the process needs more stack";

pub(super) const CONDITIONS: &[Condition] = &[
    Condition::new("threads_with_the_smallest_stack", threads_with_the_smallest_stack).without_tools(NO_TOOL),
    Condition::new("a_first_call_right_above_the_guard_page", a_first_call_right_above_the_guard_page)
        .without_tools(NO_TOOL),
    Condition::new("a_handler_on_a_small_stack_of_its_own", a_handler_on_a_small_stack_of_its_own)
        .without_tools(NO_TOOL),
];

/// Runs a function in a thread with the smallest stack that there may be, and waits for it.
fn in_smallest_thread(work: extern "C" fn(*mut libc::c_void) -> *mut libc::c_void) -> Outcome {
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    // SAFETY: the call initializes the attributes.
    unsafe { libc::pthread_attr_init(attributes.as_mut_ptr()) };
    // SAFETY: they are initialized. The call refuses a size that is too small.
    let answer = unsafe { libc::pthread_attr_setstacksize(attributes.as_mut_ptr(), libc::PTHREAD_STACK_MIN) };
    same(answer, 0)?;
    let mut thread = 0;
    // SAFETY: the attributes are initialized, and the function takes nothing.
    let answer = unsafe { libc::pthread_create(&raw mut thread, attributes.as_ptr(), work, ptr::null_mut()) };
    same(answer, 0)?;
    // SAFETY: the thread was started and nobody else waits for it.
    same(unsafe { libc::pthread_join(thread, ptr::null_mut()) }, 0)
}

/// Blocks of this size are counted; the system makes none.
const LAYOUT: Layout = Layout::new::<[u8; 5000]>();

fn allocate() {
    // SAFETY: the layout has a size.
    let block = black_box(unsafe { alloc(LAYOUT) });
    // SAFETY: the block is there and has this layout.
    unsafe { dealloc(block, LAYOUT) };
}

extern "C" fn allocate_often(_: *mut libc::c_void) -> *mut libc::c_void {
    (0..10).for_each(|_| allocate());
    ptr::null_mut()
}

fn threads_with_the_smallest_stack() -> Outcome {
    let measured = measure_process(|| (0..100).try_for_each(|_| in_smallest_thread(allocate_often)))?;
    measured.value?;
    let totals = &measured.snapshot.totals;
    same((totals.allocations, totals.deallocations, totals.allocated_bytes), (1000, 1000, 5_000_000))?;
    same((measured.snapshot.overflowed, measured.snapshot.untracked), (0, 0))
}

/// What the allocator under the recorder and this test's own frames take.
const OWN_BYTES: usize = 512;

/// Calls itself until no more than this is left, then allocates.
#[inline(never)]
fn descend(low: usize, left: usize) {
    let here = 0_u64;
    if (&raw const here).addr() - low > left {
        descend(low, left);
    } else {
        allocate();
    }
    black_box(here);
}

extern "C" fn allocate_deep(_: *mut libc::c_void) -> *mut libc::c_void {
    descend(own_bounds().start, FIRST_BYTES + OWN_BYTES);
    ptr::null_mut()
}

fn a_first_call_right_above_the_guard_page() -> Outcome {
    inner::use_reserve();
    let measured = measure_process(|| (0..50).try_for_each(|_| in_smallest_thread(allocate_deep)))?;
    measured.value?;
    let totals = &measured.snapshot.totals;
    same((totals.allocations, totals.deallocations), (50, 50))
}

static HANDLED: AtomicU64 = AtomicU64::new(0);

extern "C" fn on_signal(_: libc::c_int) {
    allocate();
    HANDLED.fetch_add(1, Ordering::SeqCst);
}

/// A stack for handlers, of the size that systems recommend, above a page that faults.
extern "C" fn handle_signals(_: *mut libc::c_void) -> *mut libc::c_void {
    const PAGE: usize = 4096;
    let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    let bytes = PAGE + libc::SIGSTKSZ;
    // SAFETY: a new mapping.
    let memory = unsafe { libc::mmap(ptr::null_mut(), bytes, protection, flags, -1, 0) };
    // SAFETY: the first page of it.
    unsafe { libc::mprotect(memory, PAGE, libc::PROT_NONE) };
    let stack = libc::stack_t { ss_sp: memory.wrapping_byte_add(PAGE), ss_flags: 0, ss_size: libc::SIGSTKSZ };
    // SAFETY: the memory is nobody else's, and stays until the thread has another stack or none.
    unsafe { libc::sigaltstack(&raw const stack, ptr::null_mut()) };
    // The thread's first call is the handler's.
    for _ in 0..20 {
        // SAFETY: the handler can be run anywhere: its allocator takes no lock.
        unsafe { libc::raise(libc::SIGUSR1) };
    }
    let none = libc::stack_t { ss_sp: ptr::null_mut(), ss_flags: libc::SS_DISABLE, ss_size: 0 };
    // SAFETY: no handler runs.
    unsafe { libc::sigaltstack(&raw const none, ptr::null_mut()) };
    // SAFETY: nobody uses it any more.
    unsafe { libc::munmap(memory, bytes) };
    ptr::null_mut()
}

fn a_handler_on_a_small_stack_of_its_own() -> Outcome {
    inner::use_reserve();
    super::signals::handle(libc::SIGUSR1, on_signal);
    let measured = measure_process(|| (0..50).try_for_each(|_| in_smallest_thread(handle_signals)))?;
    measured.value?;
    let totals = &measured.snapshot.totals;
    same((HANDLED.load(Ordering::SeqCst), totals.allocations, totals.deallocations), (1000, 1000, 1000))?;
    // Of the handler's stack, the innermost frame is known.
    let is_cut = measured.snapshot.sites.iter().all(|site| site.truncated && site.frames.len() == 1);
    holds(is_cut, || format!("{:?}", measured.snapshot.sites))?;
    // The first thread as well, in a window over it.
    let window = Window::over_thread()?;
    handle_signals(ptr::null_mut());
    same(window.close().totals.allocations, 20)
}
