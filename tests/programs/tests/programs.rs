//! Real programs: the recorder changes nothing that they do, counts what another instrument counts, and knows the type of
//! every allocation.

use std::alloc::System;
use std::process::{Command, ExitCode};

use alloclab::recorder::{Recorder, measure_process};
use alloclab::snapshot::{Counts, Snapshot};
use libtest_mimic::{Arguments, Failed, Trial};
use programs::{Findings, PROGRAMS, Program};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, Stats, StatsAlloc};

/// stats_alloc under the recorder: both see the same calls.
#[global_allocator]
static ALLOCATOR: Recorder<&StatsAlloc<System>> = Recorder::wrap(&INSTRUMENTED_SYSTEM);

fn main() -> ExitCode {
    // One after the other, in this thread: windows over the process see all others.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    let trials = PROGRAMS.iter().map(|program| Trial::test(program.name, || check(program)));
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn check(program: &Program) -> Result<(), Failed> {
    let expected = output(program, env!("CARGO_BIN_EXE_plain"))?;
    equal(
        "the output of the recorded process",
        &output(program, env!("CARGO_BIN_EXE_recorded"))?,
        &expected,
    )?;
    let measured = measure_process(|| {
        let region = Region::new(&INSTRUMENTED_SYSTEM);
        let output = (program.run)();
        (output, region.change())
    })?;
    let (output, theirs) = measured.value;
    equal("the output here", &output, &expected)?;
    nothing_is_lost(&measured.snapshot)?;
    if program.is_single_threaded {
        equal("the totals", &totals(&measured.snapshot.totals), &theirs)?;
    }
    types(program, &Findings::of(&measured.snapshot))
}

/// What a process that runs the program prints.
fn output(program: &Program, executable: &str) -> Result<String, Failed> {
    let output = Command::new(executable).arg(program.name).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
}

fn nothing_is_lost(snapshot: &Snapshot) -> Result<(), Failed> {
    equal("calls that found a table full", &snapshot.overflowed, &0)?;
    equal("blocks that were not followed", &snapshot.untracked, &0)?;
    equal("whether a thread was not waited for", &snapshot.torn, &false)
}

/// Totals as stats_alloc counts.
fn totals(counts: &Counts) -> Stats {
    Stats {
        allocations: counts.allocations as usize,
        deallocations: counts.deallocations as usize,
        reallocations: counts.reallocations as usize,
        bytes_allocated: counts.requested_bytes() as usize,
        bytes_deallocated: (counts.freed_bytes + counts.shrunk_bytes) as usize,
        bytes_reallocated: counts.grown_bytes as isize - counts.shrunk_bytes as isize,
    }
}

fn types(program: &Program, findings: &Findings) -> Result<(), Failed> {
    if !findings.untyped.is_empty() {
        return Err(findings.untyped_text().into());
    }
    for (name, times) in program.known_types {
        let counts =
            findings.types.get(*name).ok_or_else(|| format!("there is no {name}\n{}", findings.table()))?;
        if let Some(times) = times {
            equal(&format!("allocations of {name}"), &counts.allocations, times)?;
        }
    }
    Ok(())
}

fn equal<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Result<(), Failed> {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found:?}, not {expected:?}").into()) }
}
