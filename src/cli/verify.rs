//! `alloclab verify`: the recorder's counts beside those of other instruments.

use std::env;

use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::args::VerifyArgs;
use super::catalog::Catalog;
use super::command::with_names_in;
use super::outcome::{Outcome, is_closed_pipe, say};
use super::output::{is_colored, print, width};
use super::profile::naming_filters;
use super::{interrupt, progress::Progress};
use crate::error::{Error, ErrorKind, Result};
use crate::plan::Overrides;
use crate::report::View;
use crate::verify::{self, Child, Instruments, STANDARD, Section, Verification, standard_cases};

/// The verb's name.
pub(super) const NAME: &str = "verify";

/// Adds the verb to those of the program.
pub(super) fn add_to(command: Command, catalog: &dyn Catalog) -> Command {
    let verb = Command::new(NAME)
        .about("Run the same operations under other instruments, and fail if a total is not equal")
        .long_about(
            "Run the same operations under the recorder, stats_alloc and dhat, one at a time, and under heaptrack and \
             valgrind's DHAT where they are installed, and fail if a total is not equal by the instrument's own definition. \
             Beside the rows of the profiles there are loops of the standard library, as a codec `std`",
        );
    let mut names = catalog.names();
    for (filter, names) in &mut names {
        if *filter == "codec" {
            names.push(STANDARD.to_owned());
        }
    }
    command.subcommand(with_names_in(VerifyArgs::augment_args(verb), &names))
}

pub(super) fn run(
    catalog: &dyn Catalog,
    instruments: &Instruments,
    matches: &ArgMatches,
) -> anyhow::Result<Outcome> {
    let args = VerifyArgs::from_arg_matches(matches)?;
    let sections = sections(catalog, &args)?;
    if let Some(rounds) = args.uncounted {
        verify::run_uncounted(&sections, rounds)?;
        return Ok(Outcome::Fine);
    }
    let stop = interrupt::flag()?;
    let verification =
        verify::run(&sections, args.iterations, instruments, &child()?, &mut Progress::new(), &stop)?;
    let Some(verification) = verification else {
        say("interrupted: nothing was verified");
        return Ok(Outcome::Interrupted);
    };
    let width = width().unwrap_or(View::default().width);
    match print(args.format.render(&verification, width, is_colored())) {
        // Whoever has seen enough did not see that all is equal.
        Err(error) if !is_closed_pipe(&error) => return Err(error),
        _ => {}
    }
    judge(&verification, &args)?;
    Ok(Outcome::Fine)
}

/// The rows of each profile that pass the filters, and then the standard library's.
fn sections(catalog: &dyn Catalog, args: &VerifyArgs) -> Result<Vec<Section>> {
    let rows = args.rows.filter();
    let standard = standard_cases(args.iterations, &rows);
    let overrides = Overrides { iterations: Some(args.iterations), no_time: true, rows };
    let mut sections = Vec::new();
    for profile in &args.profiles {
        match catalog.plan(Some(profile), &overrides) {
            Ok(plan) => sections.push(Section { title: plan.name, cases: plan.cases }),
            // There are other rows.
            Err(error) if error.kind() == ErrorKind::NothingSelected && !standard.is_empty() => {}
            Err(error) => return Err(naming_filters(error)),
        }
    }
    if !standard.is_empty() {
        sections.push(Section { title: STANDARD.to_owned(), cases: standard });
    }
    Ok(sections)
}

/// This program, with the same arguments and one more, which has no value yet.
fn child() -> anyhow::Result<Child> {
    let arguments = env::args_os().skip(1).chain(["--uncounted".into()]).collect();
    Ok(Child { program: env::current_exe()?, arguments })
}

fn judge(verification: &Verification, args: &VerifyArgs) -> Result<()> {
    if !verification.is_equal() {
        return Err(Error::new(ErrorKind::Different, verify::sentence(verification)));
    }
    let missing: Vec<_> = verification.missing().collect();
    if args.require_tools && !missing.is_empty() {
        let message = format!("not installed: {}", missing.join(", "));
        let help = format!("Debian: apt-get install {}", missing.join(" "));
        return Err(Error::new(ErrorKind::Unsupported, message).with_help(help));
    }
    Ok(())
}
