//! A recorder that does not see every call is found out: `alloclab verify` names the row, the instrument and both figures.

#![allow(unsafe_code)] // A global allocator that leaves its recorder out.

use std::alloc::{GlobalAlloc, Layout};
use std::process::{Command, ExitCode};

use alloclab::recorder::Recorder;
use alloclab::verify::{Instruments, instruments};
use libtest_mimic::{Arguments, Trial};

/// Blocks of this size are not recorded. Only `kept blocks` asks for them, one in each operation.
const UNSEEN: usize = 1000;

/// Asks the allocator under its recorder for some blocks: other instruments see them, the recorder does not.
struct Lying(Recorder<Instruments>);

#[global_allocator]
static ALLOCATOR: Lying = Lying(Recorder::wrap(instruments()));

// SAFETY: every call goes, its arguments unchanged, to the recorder or to the allocator that the recorder passes it on to.
unsafe impl GlobalAlloc for Lying {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match layout.size() {
            // SAFETY: the caller keeps the contract of `alloc`.
            UNSEEN => unsafe { self.0.inner().alloc(layout) },
            // SAFETY: as above.
            _ => unsafe { self.0.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match layout.size() {
            // SAFETY: the caller keeps the contract of `alloc_zeroed`.
            UNSEEN => unsafe { self.0.inner().alloc_zeroed(layout) },
            // SAFETY: as above.
            _ => unsafe { self.0.alloc_zeroed(layout) },
        }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match layout.size() {
            // SAFETY: the caller keeps the contract of `dealloc`.
            UNSEEN => unsafe { self.0.inner().dealloc(block, layout) },
            // SAFETY: as above.
            _ => unsafe { self.0.dealloc(block, layout) },
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { self.0.realloc(block, layout, new_size) }
    }
}

/// Set for this program where it is to be `alloclab` with such an allocator.
const IS_ALLOCLAB: &str = "LYING_RECORDER_IS_ALLOCLAB";

fn main() -> ExitCode {
    if std::env::var_os(IS_ALLOCLAB).is_some() {
        return alloclab::cli::run(ALLOCATOR.0.inner());
    }
    let name = "calls_that_the_recorder_does_not_see_are_found_out_by_each_instrument";
    let trial = Trial::test(name, calls_that_the_recorder_does_not_see_are_found_out_by_each_instrument);
    libtest_mimic::run(&Arguments::from_args(), vec![trial]).exit_code()
}

fn calls_that_the_recorder_does_not_see_are_found_out_by_each_instrument() -> Result<(), libtest_mimic::Failed>
{
    let output = Command::new(std::env::current_exe()?)
        .args(["verify", "--codec", "std", "--iterations", "100"])
        .env(IS_ALLOCLAB, "1")
        .env("COLUMNS", "100")
        .env("NO_COLOR", "1")
        .output()?;
    let (table, error) = (String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?);
    let first = "first std kept blocks, stats_alloc: allocations 200, the recorder 100\n";
    if output.status.code() != Some(1) || !error.starts_with("error: ") || !error.ends_with(first) {
        return Err(format!("{}: {error}", output.status).into());
    }
    let mut expected = vec![
        "    stats_alloc: allocations 200, the recorder 100",
        "    stats_alloc: deallocations 100, the recorder 0",
        "    dhat: total_blocks 300, the recorder 200",
    ];
    if !table.contains("heaptrack: not installed") {
        expected.push("calls to allocation functions");
    }
    let told = |line: &&str| {
        table.lines().any(|told| told == *line || told.contains(line) && told.ends_with("DIFFERS"))
    };
    match expected.iter().find(|line| !told(line)) {
        None => Ok(()),
        Some(line) => Err(format!("{line} is missing in\n{table}").into()),
    }
}
