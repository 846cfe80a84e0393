//! Frame pointers that lie: a function that allocates is called with any value in `rbp`.

use std::alloc::{Layout, alloc, dealloc};
use std::arch::global_asm;
use std::hint::black_box;
use std::ops::Range;
use std::thread;

use alloclab::recorder::{Window, measure};
use alloclab::snapshot::Snapshot;

use super::random::Random;
use super::stack::own_bounds;
use super::{Condition, Outcome, holds, same};

pub(super) const CONDITIONS: &[Condition] = &[
    Condition::new("any_frame_pointer_ends_the_stack", any_frame_pointer_ends_the_stack),
    Condition::new(
        "any_chain_of_frames_is_read_as_far_as_it_goes_outward",
        any_chain_of_frames_is_read_as_far_as_it_goes_outward,
    ),
    Condition::new("a_chain_that_changed_is_another_stack", a_chain_that_changed_is_another_stack),
    Condition::new("frame_pointers_into_another_thread_s_stack", frame_pointers_into_another_thread_s_stack),
];

// Calls a function with an argument, and with a value in `rbp` that is restored afterwards.
global_asm!(
    ".globl alloclab_hard_call_with_rbp",
    "alloclab_hard_call_with_rbp:",
    "push rbp",
    "mov rbp, rdi",
    "mov rdi, rdx",
    "call rsi",
    "pop rbp",
    "ret",
);

unsafe extern "C" {
    fn alloclab_hard_call_with_rbp(rbp: usize, function: extern "C" fn(usize), argument: usize);
}

/// Allocates a block and frees it.
#[inline(never)]
extern "C" fn allocate(bytes: usize) {
    let layout = Layout::from_size_align(bytes, 1).expect("it is small");
    // SAFETY: the layout has a size.
    let block = black_box(unsafe { alloc(layout) });
    // SAFETY: the block is there, for the system has memory, and has this layout.
    unsafe { dealloc(block, layout) };
}

#[inline(never)]
fn allocate_with_rbp(rbp: usize) {
    // SAFETY: the function restores what it changes, and what it calls pushes `rbp` before it uses it.
    unsafe { alloclab_hard_call_with_rbp(rbp, allocate, 1000) };
    black_box(rbp);
}

/// Two words that look like a frame: the address of the next one, and a return address.
type FalseFrame = [usize; 2];

/// The return addresses from `allocate` outward, by the plain rule: links lead outward on the thread's own stack, at even
/// addresses, and leave room for two words.
fn expected(frames: &[FalseFrame], start: usize, bounds: &Range<usize>, inner: usize) -> Vec<u64> {
    let first = frames.as_ptr().addr();
    let (mut addresses, mut link, mut last) = (Vec::new(), start, inner);
    while link > last && link % 8 == 0 && link < bounds.end && bounds.end - link >= 16 {
        let index = (link - first) / 16;
        assert_eq!((link - first) % 16, 0, "the test's own links point to frames");
        addresses.push(frames[index][1] as u64);
        (last, link) = (link, frames[index][0]);
    }
    addresses
}

fn only_site(snapshot: &Snapshot) -> Result<&[u64], Box<dyn std::error::Error>> {
    let totals = &snapshot.totals;
    same((totals.allocations, totals.allocated_bytes, totals.deallocations), (1, 1000, 1))?;
    same((totals.live_blocks, snapshot.overflowed, snapshot.untracked), (0, 0, 0))?;
    same(snapshot.sites.len(), 1)?;
    Ok(&snapshot.sites[0].frames)
}

/// Frames of a stack that ends at `allocate`: its own return address is the last one.
fn own_frames() -> Result<usize, Box<dyn std::error::Error>> {
    let measured = measure(|| allocate_with_rbp(0))?;
    let frames = only_site(&measured.snapshot)?.len();
    // The allocator's own frames, and that of `allocate`.
    holds((1..=4).contains(&frames), || format!("{frames} frames up to the lie"))?;
    Ok(frames)
}

fn any_frame_pointer_ends_the_stack() -> Outcome {
    let bounds = own_bounds();
    let own = own_frames()?;
    let here = (&raw const own).addr();
    let guard = bounds.start.saturating_sub(4096);
    let kernel = 0xffff_8000_0000_0000;
    let lies = [
        1,
        7,
        8,
        4096,
        usize::MAX,
        usize::MAX - 7,
        usize::MAX - 15,
        kernel,
        kernel + 8,
        1 << 47,
        (1 << 47) - 16,
        1 << 63,
        here + 1,
        here + 4,
        here | 7,
        bounds.end,
        bounds.end - 1,
        bounds.end - 8,
        bounds.end - 15,
        bounds.end + 16,
        bounds.start,
        bounds.start + 8,
        guard,
        guard + 8,
        here - (16 << 10),
        here - (64 << 10),
        allocate as *const () as usize,
    ];
    for lie in lies {
        for _ in 0..3 {
            let measured = measure(|| allocate_with_rbp(lie))?;
            let frames = only_site(&measured.snapshot)?.len();
            holds(frames == own, || format!("{frames} frames instead of {own} with {lie:#x}"))?;
        }
        // Once more in one window, so that the stack is recognized.
        let totals = measure(|| (0..10).for_each(|_| allocate_with_rbp(lie)))?.snapshot.totals;
        same((totals.allocations, totals.deallocations, totals.live_blocks), (10, 10, 0))?;
    }
    // The last place where two words fit is read.
    let snapshot = measure(|| allocate_with_rbp(bounds.end - 16))?.snapshot;
    same(only_site(&snapshot)?.len(), own + 1)
}

/// Links at random: to itself, in circles, downward, past the end, and often enough outward.
fn lie_at_random(frames: &mut [FalseFrame], random: &mut Random, bounds: &Range<usize>) {
    let (first, count) = (frames.as_ptr().addr(), frames.len());
    for index in 0..count {
        let link = match random.below(8) {
            0 => first + 16 * index,
            1 => first + 16 * random.below(index + 1),
            2 => 0,
            3 => bounds.end - 8 * random.below(2),
            4 => (first + 16 * index) | 1,
            _ => first + 16 * (index + 1 + random.below(3)).min(count - 1),
        };
        frames[index] = [link, 0x1000 + random.below(50)];
    }
}

fn any_chain_of_frames_is_read_as_far_as_it_goes_outward() -> Outcome {
    let own = own_frames()?;
    // Above `allocate` on the stack.
    let mut frames = black_box([[0_usize; 2]; 40]);
    let bounds = own_bounds();
    let mut random = Random(0x5eed);
    let mut lengths = [0_u32; 41];
    for round in 0..20_000 {
        lie_at_random(&mut frames, &mut random, &bounds);
        let start = frames.as_ptr().addr() + 16 * random.below(4);
        // Windows over the thread have one site each; a few calls, so that some are recognized.
        let window = Window::over_thread()?;
        (0..1 + round % 3).for_each(|_| allocate_with_rbp(start));
        let snapshot = window.close();
        same(snapshot.totals.allocations, 1 + round % 3)?;
        let expected = expected(&frames, start, &bounds, start - 1);
        let site = &snapshot.sites[0];
        same((snapshot.sites.len(), site.truncated), (1, false))?;
        same(&site.frames[own..], &expected[..])?;
        lengths[expected.len()] += 1;
    }
    // Short chains, and long ones.
    holds(lengths.iter().filter(|count| **count > 10).count() > 6, || format!("{lengths:?}"))
}

fn a_chain_that_changed_is_another_stack() -> Outcome {
    let own = own_frames()?;
    let mut frames = black_box([[0_usize; 2]; 10]);
    let first = frames.as_ptr().addr();
    let chain = |count: usize, last: usize| {
        let link = |index: usize| if index + 1 < count { first + 16 * (index + 1) } else { 0 };
        let mut chain = [[0; 2]; 10];
        (0..count).for_each(|index| chain[index] = [link(index), 0x2000 + index]);
        chain[count - 1][1] = last;
        chain
    };
    let window = Window::over_thread()?;
    // The same frame each time, and one word of difference in the chain.
    let chains = [chain(5, 7), chain(5, 8), chain(6, 7), chain(10, 7), chain(1, 7)];
    for _ in 0..100 {
        for chain in &chains {
            frames.copy_from_slice(chain);
            allocate_with_rbp(black_box(&frames).as_ptr().addr());
        }
    }
    let snapshot = window.close();
    let seen: Vec<_> =
        snapshot.sites.iter().map(|site| (site.frames.len() - own, site.counts.allocations)).collect();
    same(seen, vec![(5, 100), (5, 100), (6, 100), (10, 100), (1, 100)])
}

/// A stack of a thread that lives, and of one that has gone.
fn frame_pointers_into_another_thread_s_stack() -> Outcome {
    let own = own_frames()?;
    let gone = thread::spawn(own_bounds).join().expect("it does not panic");
    let (sender, receiver) = std::sync::mpsc::channel();
    let (stop, stopped) = std::sync::mpsc::channel::<()>();
    let living = thread::spawn(move || {
        sender.send(own_bounds()).expect("it is received");
        let _ = stopped.recv();
    });
    let bounds = receiver.recv()?;
    for place in [gone.start, gone.end - 64, bounds.start + 64, bounds.end - 64, bounds.start - 8] {
        let totals = (0..2).map(|_| measure(|| allocate_with_rbp(place & !7)));
        for measured in totals {
            same(only_site(&measured?.snapshot)?.len(), own)?;
        }
    }
    drop(stop);
    living.join().map_err(|_| "it panicked".into())
}
