//! Hard conditions: memory that runs out, stacks that end, frame pointers that lie, tables that are full, threads and
//! signals in a storm.
//!
//! Each runs in a process of its own that has to end in time: a crash or a hang is one failure, with what the process said.
//! `--ignored` runs the long ones. `ALLOCLAB_UNDER="valgrind --tool=memcheck"` starts each process by that command, and
//! leaves out those that do not fit such a tool.
#![allow(unsafe_code)] // An allocator that fails, registers and stacks that lie: nothing of it can be had safely.
#![allow(clippy::multiple_unsafe_ops_per_block)] // One call of the system and the place it gives.
#![allow(clippy::unit_arg, clippy::needless_range_loop)] // Calls that must not become tail calls; frames by their number.

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
fn main() {}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod linux;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[global_allocator]
static ALLOCATOR: alloclab::recorder::Recorder<linux::inner::Inner> =
    alloclab::recorder::Recorder::wrap(linux::inner::Inner);

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn main() -> std::process::ExitCode {
    linux::main()
}
