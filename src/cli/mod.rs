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
#[cfg(feature = "cli")]
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
#[cfg(feature = "cli")]
mod verify;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{ArgMatches, Command, FromArgMatches};

#[cfg(feature = "cli")]
use crate::verify::Instruments;
use args::{Cli, Verb};
pub(crate) use catalog::{Catalog, Folders, OnlyProfile};
use outcome::Outcome;

/// Does what the command line of `alloclab` says. The instruments are those under the program's recorder.
#[cfg(feature = "cli")]
pub fn run(instruments: &'static Instruments) -> ExitCode {
    let lab = lab::Lab;
    let command = verify::add_to(command::command(&lab), &lab);
    run_verb(&lab, command, std::env::args_os(), |verb, args| {
        (verb == verify::NAME).then(|| verify::run(&lab, instruments, args))
    })
}

/// Does what the arguments say, the first of which is the program's name, with what a program can measure.
pub(crate) fn run_with(catalog: &dyn Catalog, arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    run_verb(catalog, command::command(catalog), arguments, |_, _| None)
}

/// Does what the arguments say; the verbs that only this program has are done by `own`.
fn run_verb(
    catalog: &dyn Catalog,
    command: Command,
    arguments: impl IntoIterator<Item = OsString>,
    own: impl FnOnce(&str, &ArgMatches) -> Option<anyhow::Result<Outcome>>,
) -> ExitCode {
    let matches = command.get_matches_from(arguments);
    if let Some(outcome) = matches.subcommand().and_then(|(verb, args)| own(verb, args)) {
        return outcome::exit_code(outcome);
    }
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
