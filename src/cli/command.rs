//! The command line as it is for what a program can measure.

use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory};

use super::args::Cli;
use super::catalog::{Catalog, OnlyProfile};

/// All verbs, with the names, folders and profiles that there are.
pub(super) fn command(catalog: &dyn Catalog) -> Command {
    let command = with_folders(with_names(Cli::command(), catalog), catalog);
    match catalog.only_profile() {
        Some(profile) => with_only_profile(command, &profile),
        None => command
            .mut_subcommand("profile", |verb| verb.mut_arg("profile", |argument| argument.required(true))),
    }
}

/// Lets each filter by rows take the names that there are. Files may have rows of other programs.
fn with_names(command: Command, catalog: &dyn Catalog) -> Command {
    let names = catalog.names();
    command.mut_subcommands(|verb| match verb.get_name() {
        "profile" | "check" => with_names_in(verb, &names),
        _ => verb,
    })
}

/// Lets the filters of a verb take these names, and no others.
pub(super) fn with_names_in(verb: Command, names: &[(&'static str, Vec<String>)]) -> Command {
    verb.mut_args(|argument| match names.iter().find(|(name, _)| argument.get_id() == name) {
        Some((_, names)) => argument.value_parser(PossibleValuesParser::new(names)),
        None => argument,
    })
}

fn with_folders(mut command: Command, catalog: &dyn Catalog) -> Command {
    let folders = catalog.folders();
    for (verb, argument, folder) in [
        ("profile", "out", folders.results),
        ("check", "out", folders.results),
        ("check", "baseline", folders.baselines),
    ] {
        command = command.mut_subcommand(verb, |verb| {
            verb.mut_arg(argument, |argument| argument.required(false).default_value(folder))
        });
    }
    command
}

/// Nobody has to name the only profile.
fn with_only_profile(command: Command, profile: &OnlyProfile<'_>) -> Command {
    let OnlyProfile { name, title } = *profile;
    let command = command.name(name.to_owned()).about(title.to_owned());
    let command = command.mut_subcommand("profile", |verb| {
        let verb = verb.about("Measure every case and show who allocates what");
        verb.mut_arg("profile", |argument| argument.hide(true)).mut_arg("iterations", |argument| {
            argument.help("Operations of each case while it is counted [default: what the suite says]")
        })
    });
    command.mut_subcommand("check", |verb| {
        let verb = verb.about("Measure every case and fail if one allocates more than its baseline accepts");
        verb.mut_arg("profiles", |argument| argument.hide(true).default_value(name.to_owned()))
    })
}
