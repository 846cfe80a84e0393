//! The command line: what was typed, one verb per file, and how a run ends.

mod adopt;
mod args;
mod catalog;
mod check;
mod command;
mod compare;
mod diff;
mod flags;
mod interrupt;
#[cfg(feature = "lab")]
mod lab;
mod list;
mod log;
mod outcome;
mod output;
mod page;
mod profile;
mod progress;
mod report;
mod rows;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::FromArgMatches;

use args::{Cli, Verb};
pub(crate) use catalog::{Catalog, Folders, OnlyProfile};

/// Does what the command line of `alloclab` says.
#[cfg(feature = "lab")]
pub fn run() -> ExitCode {
    run_with(&lab::Lab, std::env::args_os())
}

/// Does what the arguments say, the first of which is the program's name, with what a program can measure.
pub(crate) fn run_with(catalog: &dyn Catalog, arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let matches = command::command(catalog).get_matches_from(arguments);
    let cli = match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    log::start(cli.verbose);
    let outcome = match cli.verb {
        Verb::Profile(args) => profile::run(catalog, &args),
        Verb::Report(args) => report::run(&args),
        Verb::Compare(args) => compare::run(&args),
        Verb::Diff(args) => diff::run(&args),
        Verb::Page(args) => page::run(&args),
        Verb::Check(args) => check::run(catalog, &args),
        Verb::List => list::run(catalog),
        Verb::Flags(args) => flags::run(&args),
    };
    outcome::exit_code(outcome)
}
