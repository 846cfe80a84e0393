//! Sizes and alignments at their limits, and allocators that place blocks as few do.

use std::alloc::{GlobalAlloc, Layout, System, alloc, alloc_zeroed, dealloc, realloc};
use std::collections::HashSet;
use std::hint::black_box;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use alloclab::recorder::{Recorder, Window, measure};

use super::{Condition, Outcome, same};

pub(super) const CONDITIONS: &[Condition] = &[
    Condition::new("alignments_up_to_two_mebibytes", alignments_up_to_two_mebibytes),
    Condition::new("values_without_a_size_are_no_blocks", values_without_a_size_are_no_blocks),
    Condition::new(
        "blocks_without_a_size_are_blocks_of_no_bytes",
        blocks_without_a_size_are_blocks_of_no_bytes,
    ),
    Condition::new("blocks_of_many_gigabytes_add_up", blocks_of_many_gigabytes_add_up),
    Condition::new("sizes_that_nobody_has_fail", sizes_that_nobody_has_fail),
    Condition::new("blocks_at_odd_addresses_are_told", blocks_at_odd_addresses_are_told),
];

/// An allocator of addresses behind which there is no memory, for whoever never touches it. Each lies behind the one
/// before, at a multiple of eight that is none of sixteen: alignments beyond eight are not kept.
struct Addresses {
    next: AtomicUsize,
}

impl Addresses {
    const fn new() -> Self {
        Self { next: AtomicUsize::new(0x1000_0000_0008) }
    }
}

// SAFETY: nobody reads or writes what is returned: the tests look at addresses alone.
unsafe impl GlobalAlloc for Addresses {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let room = layout.size().next_multiple_of(16).max(16);
        ptr::without_provenance_mut(self.next.fetch_add(room, Ordering::Relaxed))
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's.
        unsafe { self.alloc(layout) }
    }

    unsafe fn dealloc(&self, _block: *mut u8, _layout: Layout) {}

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // Shrinks in place.
        if new_size <= layout.size() {
            return block;
        }
        // SAFETY: the size with this alignment is that of a layout.
        unsafe { self.alloc(Layout::from_size_align_unchecked(new_size, layout.align())) }
    }
}

fn layout(bytes: usize, align: usize) -> Layout {
    Layout::from_size_align(bytes, align).expect("the size is one that can be asked for")
}

fn alignments_up_to_two_mebibytes() -> Outcome {
    let window = Window::over_thread()?;
    let (mut blocks, mut bytes) = (0, 0);
    for align in (0..=21).map(|power| 1_usize << power) {
        for size in [1, align, align + 1, 3 * align] {
            let first = layout(size, align);
            // SAFETY: the layout has a size.
            let block = black_box(unsafe { alloc(first) });
            // SAFETY: the block is there and has this layout; the new size is not zero.
            let grown = black_box(unsafe { realloc(block, first, size + 100) });
            // SAFETY: the layout has a size.
            let zeroed = black_box(unsafe { alloc_zeroed(first) });
            same((grown.addr() % align, zeroed.addr() % align), (0, 0))?;
            // SAFETY: the block has this layout.
            unsafe { dealloc(zeroed, first) };
            // SAFETY: the block has this layout.
            unsafe { dealloc(grown, layout(size + 100, align)) };
            (blocks, bytes) = (blocks + 1, bytes + size as u64);
        }
    }
    let snapshot = window.close();
    let totals = &snapshot.totals;
    same(
        (totals.allocations, totals.zeroed, totals.reallocations, totals.deallocations),
        (2 * blocks, blocks, blocks, 2 * blocks),
    )?;
    same((totals.allocated_bytes, totals.grown_bytes), (2 * bytes, 100 * blocks))?;
    same(totals.freed_bytes, 2 * bytes + 100 * blocks)?;
    same((totals.live_bytes, snapshot.untracked, snapshot.overflowed), (0, 0, 0))
}

fn values_without_a_size_are_no_blocks() -> Outcome {
    let measured = measure(|| {
        let units = black_box(vec![(); 1 << 40]);
        let boxed = black_box(Box::new([0_u64; 0]));
        let mut list = Vec::new();
        (0..1000).for_each(|_| list.push(black_box([0_u8; 0])));
        list.shrink_to_fit();
        let empty: (Vec<u64>, String, HashSet<u8>) = black_box(Default::default());
        black_box((units.len(), boxed, list.len(), empty));
    })?;
    same(measured.snapshot.totals, Default::default())
}

/// The contract of allocators leaves out blocks of no bytes; one that gives them all the same is counted.
fn blocks_without_a_size_are_blocks_of_no_bytes() -> Outcome {
    let recorder = Recorder::wrap(Addresses::new());
    let nothing = layout(0, 1);
    let window = Window::over_thread()?;
    for _ in 0..5 {
        // SAFETY: this allocator has blocks of no bytes.
        let block = unsafe { recorder.alloc(nothing) };
        // SAFETY: as above.
        let block = unsafe { recorder.realloc(block, nothing, 10) };
        // SAFETY: as above.
        let block = unsafe { recorder.realloc(block, layout(10, 1), 0) };
        // SAFETY: as above.
        unsafe { recorder.dealloc(block, nothing) };
    }
    let snapshot = window.close();
    let totals = &snapshot.totals;
    same((totals.allocations, totals.reallocations, totals.deallocations), (5, 10, 5))?;
    same(
        (totals.allocated_bytes, totals.grown_bytes, totals.shrunk_bytes, totals.freed_bytes),
        (0, 50, 50, 0),
    )?;
    same((totals.live_blocks, totals.live_bytes, snapshot.untracked), (0, 0, 0))
}

const GIB: usize = 1 << 30;

fn blocks_of_many_gigabytes_add_up() -> Outcome {
    let recorder = Recorder::wrap(Addresses::new());
    let window = Window::over_process()?;
    let sizes = [4 * GIB - 1, 4 * GIB, 4 * GIB + 1, 64 * GIB, 1024 * GIB];
    // SAFETY: the layouts have sizes, and nobody touches the blocks.
    let blocks: Vec<_> = sizes.map(|size| unsafe { recorder.alloc(layout(size, 8)) }).into();
    // SAFETY: as above.
    let grown = unsafe { recorder.realloc(blocks[3], layout(64 * GIB, 8), 2048 * GIB) };
    // SAFETY: as above.
    let shrunk = unsafe { recorder.realloc(grown, layout(2048 * GIB, 8), 16) };
    // SAFETY: the blocks have these layouts.
    unsafe { recorder.dealloc(shrunk, layout(16, 8)) };
    // SAFETY: as above.
    unsafe { recorder.dealloc(blocks[4], layout(1024 * GIB, 8)) };
    let snapshot = window.close();
    let (list, totals) = (5 * 8, &snapshot.totals);
    let asked: usize = sizes.iter().sum();
    same((totals.allocations, totals.allocated_bytes), (6, (asked + list) as u64))?;
    same((totals.grown_bytes, totals.shrunk_bytes), (1984 << 30, (2048 << 30) - 16))?;
    same((totals.live_blocks, totals.live_bytes), (4, (12 * GIB + list) as u64))?;
    same(snapshot.peak.bytes, (asked + 1984 * GIB + list) as u64)?;
    black_box(blocks);
    // From the system, which maps it and waits until it is touched.
    let totals = measure(|| drop(black_box(Vec::<u8>::with_capacity(4 * GIB))))?.snapshot.totals;
    let bytes = 4 << 30;
    same((totals.allocated_bytes, totals.freed_bytes, totals.peak_bytes), (bytes, bytes, bytes))
}

fn sizes_that_nobody_has_fail() -> Outcome {
    const MOST: usize = isize::MAX as usize;
    let recorder = Recorder::wrap(System);
    let window = Window::over_thread()?;
    let mut failed = 0;
    let small = layout(100, 1);
    // SAFETY: the layout has a size.
    let block = unsafe { recorder.alloc(small) };
    for bytes in [MOST, MOST - 1, MOST - 4096, MOST / 2 + 1, 1 << 48] {
        // SAFETY: the layout has a size.
        same(unsafe { recorder.alloc(layout(bytes, 1)) }, ptr::null_mut())?;
        // SAFETY: as above.
        same(unsafe { recorder.alloc_zeroed(layout(bytes, 1)) }, ptr::null_mut())?;
        // SAFETY: the block has this layout, and the size is not zero.
        same(unsafe { recorder.realloc(block, small, bytes) }, ptr::null_mut())?;
        // The same from a collection.
        let mut list = vec![1_u8];
        same(list.try_reserve_exact(bytes - 1).is_err(), true)?;
        failed += 4;
    }
    // SAFETY: the block still has this layout.
    unsafe { recorder.dealloc(block, small) };
    let snapshot = window.close();
    let totals = &snapshot.totals;
    same((totals.failed, totals.allocations, totals.deallocations), (failed, 6, 6))?;
    same((totals.allocated_bytes, totals.live_blocks, totals.peak_bytes), (105, 0, 101))?;
    same((totals.reallocations, totals.lifetimes.iter().sum::<u64>()), (0, 6))
}

/// An allocator that packs blocks without a gap.
struct Packed(AtomicUsize);

// SAFETY: as for `Addresses`.
unsafe impl GlobalAlloc for Packed {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ptr::without_provenance_mut(self.0.fetch_add(layout.size(), Ordering::Relaxed))
    }

    unsafe fn dealloc(&self, _block: *mut u8, _layout: Layout) {}
}

fn blocks_at_odd_addresses_are_told() -> Outcome {
    let recorder = Recorder::wrap(Packed(AtomicUsize::new(0x2000_0000_0000)));
    let window = Window::over_thread()?;
    let three = layout(3, 1);
    for _ in 0..80 {
        // SAFETY: nobody touches the block.
        let block = unsafe { recorder.alloc(three) };
        // SAFETY: it has this layout.
        unsafe { recorder.dealloc(block, three) };
    }
    // Left alive, some of them at multiples of eight.
    for _ in 0..80 {
        // SAFETY: as above.
        black_box(unsafe { recorder.alloc(three) });
    }
    let snapshot = window.close();
    let totals = &snapshot.totals;
    same((totals.allocations, totals.deallocations), (160, 80))?;
    same((totals.allocated_bytes, totals.freed_bytes), (480, 240))?;
    same((totals.live_blocks, totals.live_bytes, snapshot.untracked), (10, 30, 140))
}
