//! The command line: what was typed, one verb per file, and how a run ends.

mod adopt;
mod args;
mod check;
mod compare;
mod diff;
mod flags;
mod interrupt;
mod list;
mod log;
mod outcome;
mod output;
mod page;
mod profile;
mod progress;
mod report;
mod rows;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Verb};

/// Does what the command line says.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    log::start(cli.verbose);
    let outcome = match cli.verb {
        Verb::Profile(args) => profile::run(&args),
        Verb::Report(args) => report::run(&args),
        Verb::Compare(args) => compare::run(&args),
        Verb::Diff(args) => diff::run(&args),
        Verb::Page(args) => page::run(&args),
        Verb::Check(args) => check::run(&args),
        Verb::List => list::run(),
        Verb::Flags(args) => flags::run(&args),
    };
    outcome::exit_code(outcome)
}
