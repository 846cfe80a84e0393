//! The list of conditions, and the process of each.

mod failing;
mod frame_pointer;
mod full;
pub(crate) mod inner;
mod own_memory;
mod process;
#[path = "../../random/mod.rs"]
mod random;
mod recursion;
mod signals;
mod sizes;
mod small_stack;
mod stack;
mod switched;
mod threads;

use std::error::Error;
use std::fmt::Debug;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

/// What a condition finds.
type Outcome = Result<(), Box<dyn Error>>;

/// A condition that the recorder has to bear.
struct Condition {
    name: &'static str,
    run: fn() -> Outcome,
    /// Whether it takes long, or much memory.
    is_long: bool,
    /// Why no tool can run it, if none can.
    no_tool: Option<&'static str>,
}

impl Condition {
    const fn new(name: &'static str, run: fn() -> Outcome) -> Self {
        Self { name, run, is_long: false, no_tool: None }
    }

    const fn long(self) -> Self {
        Self { is_long: true, ..self }
    }

    const fn without_tools(self, reason: &'static str) -> Self {
        Self { no_tool: Some(reason), ..self }
    }

    /// The test of it: that a process bears it.
    fn trial(&'static self) -> Trial {
        let is_left_out = self.no_tool.is_some() && process::tool().is_some();
        let test = Trial::test(self.name, move || Ok(process::bear(self)?));
        test.with_ignored_flag(self.is_long || is_left_out).with_kind(self.no_tool.unwrap_or_default())
    }
}

/// All conditions.
fn conditions() -> impl Iterator<Item = &'static Condition> {
    [
        failing::CONDITIONS,
        own_memory::CONDITIONS,
        threads::CONDITIONS,
        stack::CONDITIONS,
        small_stack::CONDITIONS,
        frame_pointer::CONDITIONS,
        switched::CONDITIONS,
        recursion::CONDITIONS,
        sizes::CONDITIONS,
        full::CONDITIONS,
        signals::CONDITIONS,
    ]
    .into_iter()
    .flatten()
}

pub(crate) fn main() -> ExitCode {
    let Ok(name) = std::env::var(process::NAME) else {
        return libtest_mimic::run(&Arguments::from_args(), conditions().map(Condition::trial).collect())
            .exit_code();
    };
    let outcome = match conditions().find(|condition| condition.name == name) {
        Some(condition) => (condition.run)(),
        None => Err(format!("there is no condition {name}").into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// An error unless both are the same.
#[track_caller]
fn same<T: PartialEq + Debug>(seen: T, expected: T) -> Outcome {
    holds(seen == expected, || format!("{seen:?} instead of {expected:?}"))
}

/// An error unless it holds.
#[track_caller]
fn holds(it: bool, otherwise: impl FnOnce() -> String) -> Outcome {
    let place = std::panic::Location::caller();
    if it { Ok(()) } else { Err(format!("{place}: {}", otherwise()).into()) }
}
