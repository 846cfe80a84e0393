//! Programs made at random that know their own tables, and a plain recorder under the one that is tested: whatever they do,
//! every count is exact.
//!
//! A thousand run with the other tests; `ALLOCLAB_PROGRAMS=100000 cargo test --test generated` runs more, and
//! `ALLOCLAB_SEED=7` begins with that seed.

mod action;
mod comparison;
mod element;
mod expectation;
mod ledger;
mod program;
#[path = "../random/mod.rs"]
mod random;
mod raw;
mod reference;
mod run;
mod value;
mod way;
mod witness;

use std::process::ExitCode;

use alloclab::recorder::Recorder;
use comparison::Namer;
use libtest_mimic::{Arguments, Failed, Trial};
use program::Program;
use reference::Reference;

/// The reference under the recorder: both see the same calls.
#[global_allocator]
static ALLOCATOR: Recorder<Reference> = Recorder::wrap(Reference);

fn main() -> ExitCode {
    // One after the other, in this thread: windows over the process see all others.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    let trials = vec![
        Trial::test("generated_programs_are_known_by_type_site_and_peak", || {
            let mut namer = Namer::default();
            run_all(|seed| difference(seed, &mut namer))
        }),
        Trial::test("calls_that_no_container_makes_are_counted_as_the_reference_does", || {
            run_all(raw::difference)
        }),
    ];
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn option(name: &str) -> Result<Option<u64>, Failed> {
    std::env::var(name)
        .ok()
        .map(|text| text.parse())
        .transpose()
        .map_err(|_| format!("{name} is no number").into())
}

/// Looks for differences under all seeds that were asked for.
fn run_all(mut difference: impl FnMut(u64) -> Option<String>) -> Result<(), Failed> {
    let first = option("ALLOCLAB_SEED")?;
    let count = option("ALLOCLAB_PROGRAMS")?.unwrap_or(if first.is_some() { 1 } else { 1000 });
    let first = first.unwrap_or(0);
    let wrong = (first..first + count)
        .filter_map(|seed| Some(format!("{}\n{}", difference(seed)?, witness::again(seed))));
    let wrong: Vec<String> = wrong.collect();
    println!("{count} programs, {} wrong", wrong.len());
    let shown = &wrong[..wrong.len().min(SHOWN)];
    if shown.is_empty() {
        Ok(())
    } else {
        Err(format!("{} of {count}\n{}", wrong.len(), shown.join("\n\n")).into())
    }
}

/// Programs whose differences are shown.
const SHOWN: usize = 3;

/// Runs the program of a seed: the first difference.
fn difference(seed: u64, namer: &mut Namer) -> Option<String> {
    let program = Program::generate(seed);
    let outcome = run::run(&program);
    let compared = comparison::with_expectation(&program, &outcome, namer)
        .and_then(|()| comparison::with_reference(&program, &outcome));
    let difference = compared.err()?;
    Some(format!("{}\n{difference}", comparison::describe(&program)))
}
