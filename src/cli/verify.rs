//! `alloclab verify`: the recorder's counts beside those of other instruments.

use std::env;

use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::args::VerifyArgs;
use super::catalog::Catalog;
use super::command::with_names_in;
use super::log;
use super::outcome::{Outcome, is_closed_pipe, say};
use super::output::{is_colored, print, width};
use super::profile::naming_filters;
use super::{interrupt, progress::Progress};
use crate::error::{Error, ErrorKind, Result};
use crate::plan::{Overrides, RowFilter};
use crate::report::View;
use crate::verify::{self, Child, InstalledTool, Instruments, Run, STANDARD, Section, standard_cases};

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
    log::start(matches.get_count("verbose"));
    let args = VerifyArgs::from_arg_matches(matches)?;
    let sections = sections(catalog, &args)?;
    if let Some(rounds) = args.uncounted {
        verify::run_uncounted(&sections, rounds)?;
        return Ok(Outcome::Fine);
    }
    let stop = interrupt::flag()?;
    let tools = verify::tools()?;
    if args.require_tools {
        require(&tools)?;
    }
    let run = Run { sections: &sections, iterations: args.iterations, tools };
    let verification = verify::run(run, instruments, &child()?, &mut Progress::new(), &stop)?;
    let Some(verification) = verification else {
        say("interrupted: nothing was verified");
        return Ok(Outcome::Interrupted);
    };
    if verification.is_of_standard_loops_alone() && !asks_for_standard(&args.rows.filter()) {
        let message = "all rows that the filters leave are parallel ones, and how often their threads allocate is up to chance";
        return Err(naming_filters(Error::new(ErrorKind::NothingSelected, message)).into());
    }
    let width = width().unwrap_or(View::default().width);
    match print(args.format.render(&verification, width, is_colored())) {
        // Whoever has seen enough did not see that all is equal.
        Err(error) if !is_closed_pipe(&error) => return Err(error),
        _ => {}
    }
    if !verification.is_equal() {
        return Err(Error::new(ErrorKind::Different, verify::sentence(&verification)).into());
    }
    Ok(Outcome::Fine)
}

/// The rows of each profile that pass the filters, and then the standard library's: all of these, or an instrument that counts
/// nothing would be equal on rows that allocate nothing.
fn sections(catalog: &dyn Catalog, args: &VerifyArgs) -> Result<Vec<Section>> {
    let rows = args.rows.filter();
    let is_standard_enough = asks_for_standard(&rows);
    let overrides = Overrides { iterations: Some(args.iterations), no_time: true, rows };
    let mut sections = Vec::new();
    for profile in &args.profiles {
        match catalog.plan(Some(profile), &overrides) {
            Ok(plan) => sections.push(Section { title: plan.name, cases: plan.cases }),
            // There are other rows.
            Err(error) if error.kind() == ErrorKind::NothingSelected && is_standard_enough => {}
            Err(error) => return Err(naming_filters(error)),
        }
    }
    sections.push(Section { title: STANDARD.to_owned(), cases: standard_cases(args.iterations) });
    Ok(sections)
}

/// Whether the filters name the standard library's loops.
fn asks_for_standard(rows: &RowFilter) -> bool {
    !rows.codecs.is_empty() && standard_cases(1).iter().any(|case| rows.passes(&case.key))
}

/// This program, with the same arguments and one more behind the verb, whose value is the number of rounds.
fn child() -> anyhow::Result<Child> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let verb = arguments.iter().position(|argument| argument == NAME).unwrap_or_default();
    let (before, after) = arguments.split_at(verb + 1);
    let before = before.iter().cloned().chain(["--uncounted".into()]).collect();
    Ok(Child { program: env::current_exe()?, before, after: after.to_vec() })
}

fn require(tools: &[InstalledTool]) -> Result<()> {
    let missing: Vec<_> =
        tools.iter().filter(|tool| tool.version.is_none()).map(InstalledTool::program).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let message = format!("not installed: {}", missing.join(", "));
    let help = format!("Debian: apt-get install {}", missing.join(" "));
    Err(Error::new(ErrorKind::Unsupported, message).with_help(help))
}
