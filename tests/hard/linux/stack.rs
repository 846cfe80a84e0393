//! How much of the stack the recorder needs.

use std::alloc::{Layout, alloc, dealloc, realloc};
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr;
use std::sync::Barrier;
use std::thread;

use alloclab::recorder::{Label, Window, WindowOptions};

use super::{Condition, Outcome, holds, inner};

pub(super) const CONDITIONS: &[Condition] =
    &[Condition::new("a_call_needs_little_stack", a_call_needs_little_stack)
        .without_tools("a tool reads and writes below the end of the stack as it likes")];

/// What a call may need at most, as the recorder's documentation says: from a stack that is known, from any other, and the
/// first of the process's first thread.
const KNOWN_BYTES: usize = 512;
pub(super) const FIRST_BYTES: usize = 2 << 10;
const FIRST_OF_ALL_BYTES: usize = 4 << 10;

/// The calling thread's stack, without its guard.
pub(super) fn own_bounds() -> Range<usize> {
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    // SAFETY: the call initializes the attributes of a thread that runs.
    assert_eq!(unsafe { libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) }, 0);
    let (mut low, mut bytes) = (ptr::null_mut(), 0);
    // SAFETY: the attributes are initialized, the other two are places to write to.
    unsafe { libc::pthread_attr_getstack(attributes.as_ptr(), &raw mut low, &raw mut bytes) };
    // SAFETY: they are not used any more.
    unsafe { libc::pthread_attr_destroy(attributes.as_mut_ptr()) };
    low.addr()..low.addr() + bytes
}

/// Stack that is looked at below a call.
const LOOKED_AT: usize = 48 << 10;
const PAINT: u64 = 0xa5a5_5a5a_c3c3_3c3c;

/// Bytes of the stack that `work` uses below this function's frame.
#[inline(never)]
fn used(work: &mut dyn FnMut()) -> usize {
    let end: usize;
    // SAFETY: reads a register.
    unsafe { std::arch::asm!("mov {}, rsp", out(reg) end, options(nomem, nostack, preserves_flags)) };
    // Below what a function may use without moving the stack's end.
    let top = end - 128;
    let words = || (top - LOOKED_AT..top).step_by(8).map(ptr::with_exposed_provenance_mut::<u64>);
    for word in words() {
        // SAFETY: the word is part of this thread's stack, and below all that is in use.
        unsafe { word.write_volatile(PAINT) };
    }
    work();
    // SAFETY: as above.
    let lowest = words().find(|word| unsafe { word.read_volatile() } != PAINT);
    lowest.map_or(0, |word| end - word.addr())
}

const LAYOUT: Layout = Layout::new::<[u8; 40]>();

/// Calls of the allocator that keep a block from one to the next.
fn make() -> *mut u8 {
    // SAFETY: the layout has a size.
    black_box(unsafe { alloc(LAYOUT) })
}

fn grow(block: *mut u8) -> *mut u8 {
    // SAFETY: the block is there and has this layout; the size is not zero.
    black_box(unsafe { realloc(block, LAYOUT, 80) })
}

fn free(block: *mut u8, bytes: usize) {
    // SAFETY: the block has this layout.
    unsafe { dealloc(block, Layout::from_size_align(bytes, 1).expect("it is small")) };
}

const TURNS: usize = 40;

/// The calls in turn, with what each has used: allocation, reallocation, free. No call comes before the first.
#[inline(never)]
fn turns() -> [[usize; 3]; TURNS] {
    let turn = || {
        let mut block = ptr::null_mut();
        let made = used(&mut || block = make());
        let grown = used(&mut || block = grow(block));
        [made, grown, used(&mut || free(block, 80))]
    };
    let mut turns = [[0; 3]; TURNS];
    // The place of a call is part of its stack.
    for index in 0..black_box(turns.len()) {
        turns[index] = turn();
    }
    turns
}

/// What a window adds to each call at most: of the first turn, and of the last ones, which are known wherever the compiler
/// has laid them.
fn added(without: &[[usize; 3]], with: &[[usize; 3]]) -> (usize, usize) {
    let most = |turns: &[[usize; 3]]| {
        let each = turns.iter().flat_map(|turn| {
            std::iter::zip(turn, without[TURNS - 1]).map(|(with, without)| with.saturating_sub(without))
        });
        each.max().unwrap_or(0)
    };
    (most(&with[..1]), most(&with[TURNS - 4..]))
}

fn a_call_needs_little_stack() -> Outcome {
    inner::use_reserve();
    black_box(turns());
    let without = turns();
    let mut figures = Vec::new();
    // The process's first thread, whose stack's bounds the system reads from a file.
    let (begin, end) = (Barrier::new(2), Barrier::new(2));
    let first = thread::scope(|scope| {
        scope.spawn(|| {
            let window = Window::over_process().expect("no other window is open");
            begin.wait();
            end.wait();
            drop(window);
        });
        begin.wait();
        let turned = turns();
        end.wait();
        turned
    });
    figures.push(("the first thread", added(&without, &first)));
    let window = Window::over_thread()?;
    figures.push(("a window over the thread", added(&without, &turns())));
    drop(window);
    // Threads whose first call in a window is the one that is measured.
    let options = [
        ("a thread's first call", WindowOptions::new()),
        ("with events", WindowOptions::new().events(100)),
        ("with an exact peak", WindowOptions::new().exact_peak()),
        ("with one site", WindowOptions::new().max_sites(1)),
    ];
    for (name, options) in options {
        let (begin, end) = (Barrier::new(2), Barrier::new(2));
        let turned = thread::scope(|scope| {
            let thread = scope.spawn(|| {
                let _scope = Label::new("deep").enter();
                begin.wait();
                let turned = turns();
                end.wait();
                turned
            });
            let window = options.open_over_process().expect("no other window is open");
            begin.wait();
            end.wait();
            drop(window);
            thread.join().expect("it does not panic")
        });
        figures.push((name, added(&without, &turned)));
    }
    for (name, (first, later)) in &figures {
        eprintln!("{name}: {first} bytes at first, {later} later");
    }
    for (index, (_, (first, later))) in figures.iter().enumerate() {
        let most = if index == 0 { FIRST_OF_ALL_BYTES } else { FIRST_BYTES };
        // Without room for more sites, each call reads the stack.
        let most_later = if index + 1 == figures.len() { FIRST_BYTES } else { KNOWN_BYTES };
        let is_little = (1..=most).contains(first) && *later <= most_later;
        holds(is_little, || format!("{figures:?}"))?;
    }
    Ok(())
}
