//! Stacks of the program's own making: switched to and back, unmapped in between, laid into the range where the first
//! thread's stack could grow.

use std::arch::global_asm;
use std::hint::black_box;
use std::ptr;

use alloclab::recorder::{Window, measure, measure_process};

use super::stack::own_bounds;
use super::{Condition, Outcome, holds, same};

pub(super) const CONDITIONS: &[Condition] = &[
    Condition::new("a_stack_that_is_switched_to_and_unmapped", a_stack_that_is_switched_to_and_unmapped)
        .without_tools("valgrind guesses when stacks are switched"),
    Condition::new(
        "a_thread_whose_first_call_is_on_another_stack",
        a_thread_whose_first_call_is_on_another_stack,
    )
    .without_tools("valgrind guesses when stacks are switched"),
    Condition::new("a_stack_in_the_room_of_the_first_thread_s", a_stack_in_the_room_of_the_first_thread_s)
        .without_tools("valgrind has a room of its own for stacks"),
];

// Calls a function on another stack, with a value in `rbp`.
global_asm!(
    ".globl alloclab_hard_call_on_stack",
    "alloclab_hard_call_on_stack:",
    "push rbp",
    "push rbx",
    "mov rbx, rsp",
    "mov rsp, rdi",
    "mov rbp, rsi",
    "call rdx",
    "mov rsp, rbx",
    "pop rbx",
    "pop rbp",
    "ret",
);

unsafe extern "C" {
    fn alloclab_hard_call_on_stack(top: usize, rbp: usize, function: extern "C" fn());
}

const STACK_BYTES: usize = 256 << 10;

extern "C" fn allocate() {
    drop(black_box(Box::new([1_u8; 300])));
}

/// Memory for a stack, unmapped when dropped.
struct Mapped(usize);

impl Mapped {
    /// At an address, if it is not 0.
    fn at(address: usize) -> Self {
        let flags = libc::MAP_PRIVATE
            | libc::MAP_ANONYMOUS
            | if address == 0 { 0 } else { libc::MAP_FIXED_NOREPLACE };
        let place = ptr::with_exposed_provenance_mut(address);
        // SAFETY: a new mapping, which replaces none.
        let memory =
            unsafe { libc::mmap(place, STACK_BYTES, libc::PROT_READ | libc::PROT_WRITE, flags, -1, 0) };
        assert!(memory != libc::MAP_FAILED && (address == 0 || memory.addr() == address), "{memory:?}");
        Self(memory.expose_provenance())
    }

    /// Allocates on it, with a frame pointer that leads on from it.
    fn allocate(&self, rbp: usize) {
        // SAFETY: the top is aligned as calls need it, the memory is large enough, and the function returns.
        unsafe { alloclab_hard_call_on_stack(self.0 + STACK_BYTES, rbp, allocate) };
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        // SAFETY: a whole mapping, on which nothing runs.
        unsafe { libc::munmap(ptr::with_exposed_provenance_mut(self.0), STACK_BYTES) };
    }
}

fn a_stack_that_is_switched_to_and_unmapped() -> Outcome {
    let here = own_bounds();
    let window = Window::over_thread()?;
    let mut address = 0;
    for round in 0..1000_usize {
        let stack = Mapped::at(if round % 2 == 0 { 0 } else { address });
        address = stack.0;
        // Links to this thread's stack, to the other one, and to what is not there.
        for rbp in [here.end - 64, stack.0 + STACK_BYTES - 64, stack.0 - 4096, 0, address + 8 * STACK_BYTES] {
            (0..2).for_each(|_| stack.allocate(rbp));
        }
        drop(stack);
        allocate();
    }
    let snapshot = window.close();
    let totals = &snapshot.totals;
    same((totals.allocations, totals.deallocations, totals.live_blocks), (11_000, 11_000, 0))?;
    // On the other stack the innermost frame is known, and that there are more.
    let (cut, whole): (Vec<_>, Vec<_>) = snapshot.sites.iter().partition(|site| site.truncated);
    let sum =
        |sites: &[&alloclab::snapshot::Site]| sites.iter().map(|site| site.counts.allocations).sum::<u64>();
    same((sum(&cut), sum(&whole)), (10_000, 1000))?;
    same(cut.iter().all(|site| site.frames.len() == 1), true)
}

fn a_thread_whose_first_call_is_on_another_stack() -> Outcome {
    let work = || {
        std::thread::spawn(|| {
            let stack = Mapped::at(0);
            (0..black_box(5)).for_each(|_| stack.allocate(stack.0 + 64));
            drop(stack);
            (0..black_box(5)).for_each(|_| allocate());
        })
    };
    let measured = measure_process(|| work().join().is_ok())?;
    let sites =
        measured.snapshot.sites.iter().filter(|site| site.size_classes.iter().any(|(class, _)| *class == 8));
    let seen: Vec<_> =
        sites.map(|site| (site.counts.allocations, site.truncated, site.frames.len() > 1)).collect();
    holds(seen.contains(&(5, true, false)) && seen.contains(&(5, false, true)), || format!("{seen:?}"))
}

/// Without a limit, the first thread's stack may grow down to the next mapping. What is laid in between is not part of it.
fn a_stack_in_the_room_of_the_first_thread_s() -> Outcome {
    let limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the limit is a whole value, which the call reads.
    if unsafe { libc::setrlimit(libc::RLIMIT_STACK, &raw const limit) } != 0 {
        // Only who may raise it can have this trouble.
        return Ok(());
    }
    measure(|| allocate())?;
    let bounds = own_bounds();
    let room = bounds.end - bounds.start;
    // Nothing else is there, down to the next mapping or to far below.
    let depth = room.min(1 << 30) / 2;
    let stack = Mapped::at((bounds.end - depth) & !4095);
    let window = Window::over_thread()?;
    // Between the two stacks nothing is mapped.
    for rbp in [bounds.end - depth + depth / 2, bounds.end - (64 << 20), stack.0 + STACK_BYTES + 4096] {
        (0..3).for_each(|_| stack.allocate(rbp & !7));
    }
    let totals = window.close().totals;
    same((totals.allocations, totals.deallocations), (9, 9))
}
