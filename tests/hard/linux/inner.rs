//! The allocator under the recorder: it counts what reaches it, fails when told to, and can do without the system.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use alloclab::snapshot::Counts;

thread_local! {
    /// Calls of this thread until one fails; 0 for never. Plain cells without destructors: they live as long as the thread.
    static UNTIL_FAILURE: Cell<u64> = const { Cell::new(0) };
    /// Calls that fail from then on.
    static FAILURES: Cell<u64> = const { Cell::new(0) };
}

/// Lets the calling thread's `call`-th call from now on that asks for memory fail, and those after it, `failures` in all.
pub(super) fn fail_at(call: u64, failures: u64) {
    UNTIL_FAILURE.set(call);
    FAILURES.set(failures);
}

/// No call fails any more; whether one would still have.
pub(super) fn fail_no_more() -> bool {
    let is_left = FAILURES.get() > 0;
    fail_at(0, 0);
    is_left
}

fn fails_now() -> bool {
    let left = UNTIL_FAILURE.get();
    if left > 1 {
        UNTIL_FAILURE.set(left - 1);
        return false;
    }
    let failures = FAILURES.get();
    if left == 0 || failures == 0 {
        return false;
    }
    FAILURES.set(failures - 1);
    true
}

/// What the allocator has done, by its own count.
struct Tally {
    allocations: AtomicU64,
    zeroed: AtomicU64,
    allocated_bytes: AtomicU64,
    reallocations: AtomicU64,
    grown: AtomicU64,
    shrunk: AtomicU64,
    moved: AtomicU64,
    grown_bytes: AtomicU64,
    shrunk_bytes: AtomicU64,
    reallocated_new_bytes: AtomicU64,
    deallocations: AtomicU64,
    freed_bytes: AtomicU64,
    failed: AtomicU64,
}

static TALLY: Tally = Tally {
    allocations: AtomicU64::new(0),
    zeroed: AtomicU64::new(0),
    allocated_bytes: AtomicU64::new(0),
    reallocations: AtomicU64::new(0),
    grown: AtomicU64::new(0),
    shrunk: AtomicU64::new(0),
    moved: AtomicU64::new(0),
    grown_bytes: AtomicU64::new(0),
    shrunk_bytes: AtomicU64::new(0),
    reallocated_new_bytes: AtomicU64::new(0),
    deallocations: AtomicU64::new(0),
    freed_bytes: AtomicU64::new(0),
    failed: AtomicU64::new(0),
};

fn add(counter: &AtomicU64, amount: usize) {
    counter.fetch_add(amount as u64, Ordering::Relaxed);
}

impl Tally {
    fn allocated(&self, block: *mut u8, layout: Layout, zeroed: bool) {
        if block.is_null() {
            return add(&self.failed, 1);
        }
        add(&self.allocations, 1);
        add(&self.zeroed, zeroed.into());
        add(&self.allocated_bytes, layout.size());
    }

    fn reallocated(&self, before: *mut u8, former: usize, block: *mut u8, bytes: usize) {
        if block.is_null() {
            return add(&self.failed, 1);
        }
        add(&self.reallocations, 1);
        add(&self.reallocated_new_bytes, bytes);
        add(&self.moved, (before != block).into());
        add(&self.grown, (bytes > former).into());
        add(&self.shrunk, (bytes < former).into());
        add(&self.grown_bytes, bytes.saturating_sub(former));
        add(&self.shrunk_bytes, former.saturating_sub(bytes));
    }

    fn freed(&self, bytes: usize) {
        add(&self.deallocations, 1);
        add(&self.freed_bytes, bytes);
    }

    fn counts(&self) -> Counts {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counts {
            allocations: read(&self.allocations),
            zeroed: read(&self.zeroed),
            allocated_bytes: read(&self.allocated_bytes),
            reallocations: read(&self.reallocations),
            grown: read(&self.grown),
            shrunk: read(&self.shrunk),
            moved: read(&self.moved),
            grown_bytes: read(&self.grown_bytes),
            shrunk_bytes: read(&self.shrunk_bytes),
            reallocated_new_bytes: read(&self.reallocated_new_bytes),
            deallocations: read(&self.deallocations),
            freed_bytes: read(&self.freed_bytes),
            failed: read(&self.failed),
            ..Counts::default()
        }
    }
}

/// What has reached the allocator so far, less what had at an earlier moment.
pub(super) fn since(before: &Counts) -> Counts {
    let now = TALLY.counts();
    Counts {
        allocations: now.allocations - before.allocations,
        zeroed: now.zeroed - before.zeroed,
        allocated_bytes: now.allocated_bytes - before.allocated_bytes,
        reallocations: now.reallocations - before.reallocations,
        grown: now.grown - before.grown,
        shrunk: now.shrunk - before.shrunk,
        moved: now.moved - before.moved,
        grown_bytes: now.grown_bytes - before.grown_bytes,
        shrunk_bytes: now.shrunk_bytes - before.shrunk_bytes,
        reallocated_new_bytes: now.reallocated_new_bytes - before.reallocated_new_bytes,
        deallocations: now.deallocations - before.deallocations,
        freed_bytes: now.freed_bytes - before.freed_bytes,
        failed: now.failed - before.failed,
        ..Counts::default()
    }
}

/// What has reached the allocator so far.
pub(super) fn so_far() -> Counts {
    TALLY.counts()
}

/// The figures of a snapshot that the allocator counts too.
pub(super) fn counted(counts: &Counts) -> Counts {
    Counts {
        live_blocks: 0,
        live_bytes: 0,
        peak_blocks: 0,
        peak_bytes: 0,
        freed_elsewhere: 0,
        lifetime_sum: 0,
        lifetimes: Default::default(),
        ..counts.clone()
    }
}

/// Address space that blocks are taken from once the system is left alone.
const RESERVE_BYTES: usize = 8 << 30;

/// Whether blocks come from the reserve, one after the other, and are never used twice: a signal handler may do that at any
/// time.
static USES_RESERVE: AtomicBool = AtomicBool::new(false);
static RESERVE: AtomicUsize = AtomicUsize::new(0);
static RESERVE_END: AtomicUsize = AtomicUsize::new(0);

/// Takes blocks from a reserve from now on.
pub(super) fn use_reserve() {
    let (protection, flags) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE);
    // SAFETY: a new mapping at a place of the kernel's choice.
    let reserve = unsafe { libc::mmap(ptr::null_mut(), RESERVE_BYTES, protection, flags, -1, 0) };
    assert_ne!(reserve, libc::MAP_FAILED, "there is address space");
    RESERVE.store(reserve.addr(), Ordering::Relaxed);
    RESERVE_END.store(reserve.addr() + RESERVE_BYTES, Ordering::Relaxed);
    USES_RESERVE.store(true, Ordering::SeqCst);
}

/// A block of the reserve; its memory is zero.
fn take(layout: Layout) -> *mut u8 {
    // Shadowed in steps of eight bytes.
    let align = layout.align().max(8);
    let end_of = |used: usize| {
        let end = used.next_multiple_of(align).checked_add(layout.size())?;
        (end <= RESERVE_END.load(Ordering::Relaxed)).then_some(end)
    };
    match RESERVE.fetch_update(Ordering::Relaxed, Ordering::Relaxed, end_of) {
        Ok(used) => ptr::with_exposed_provenance_mut(used.next_multiple_of(align)),
        Err(_) => ptr::null_mut(),
    }
}

fn is_of_reserve(block: *mut u8) -> bool {
    let end = RESERVE_END.load(Ordering::Relaxed);
    (end.saturating_sub(RESERVE_BYTES)..end).contains(&block.addr())
}

/// A block of the reserve or of the system, or none if it is to fail; counted.
#[inline(always)]
fn fresh(layout: Layout, zeroed: bool, of_system: impl FnOnce() -> *mut u8) -> *mut u8 {
    let block = match fails_now() {
        true => ptr::null_mut(),
        false if USES_RESERVE.load(Ordering::Relaxed) => take(layout),
        false => of_system(),
    };
    TALLY.allocated(block, layout, zeroed);
    block
}

/// The allocator.
pub(crate) struct Inner;

// SAFETY: blocks are the system's, or parts of a mapping that nobody else has, with the size and alignment asked for.
unsafe impl GlobalAlloc for Inner {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's.
        fresh(layout, false, || unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's.
        fresh(layout, true, || unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        TALLY.freed(layout.size());
        if !is_of_reserve(block) && !USES_RESERVE.load(Ordering::Relaxed) {
            // SAFETY: the caller's; the block is the system's.
            unsafe { System.dealloc(block, layout) };
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let new_block = match fails_now() {
            true => ptr::null_mut(),
            false if USES_RESERVE.load(Ordering::Relaxed) || is_of_reserve(block) => {
                // SAFETY: the caller says that the size with this alignment is one of a layout.
                let fresh = take(unsafe { Layout::from_size_align_unchecked(new_size, layout.align()) });
                if !fresh.is_null() {
                    // SAFETY: both blocks are at least as long, and the new one is nobody else's.
                    unsafe { ptr::copy_nonoverlapping(block, fresh, layout.size().min(new_size)) };
                }
                fresh
            }
            // SAFETY: the caller's; the block is the system's.
            false => unsafe { System.realloc(block, layout, new_size) },
        };
        TALLY.reallocated(block, layout.size(), new_block, new_size);
        new_block
    }
}
