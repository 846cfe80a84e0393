//! What a program can measure, as its command line sees it.

use clap::Command;
use clap::builder::PossibleValuesParser;

use crate::error::Result;
use crate::plan::{Overrides, Plan};

/// Where plans come from: the lab's profiles, or the cases of another program.
pub(crate) trait Catalog {
    /// Adapts what may be typed to what there is.
    fn refine(&self, command: Command) -> Command;

    /// The plan of a profile, changed by what was typed.
    ///
    /// # Errors
    /// If there is no such profile, if it is malformed, or if no row of it is left.
    fn plan(&self, profile: Option<&str>, overrides: &Overrides) -> Result<Plan>;

    /// What there is to choose from.
    ///
    /// # Errors
    /// If a profile is malformed.
    fn listing(&self) -> Result<String>;
}

/// Lets each filter by rows take the names that there are, in every verb.
pub(crate) fn offer_names(command: Command, names: &[(&str, Vec<String>)]) -> Command {
    command.mut_subcommands(|verb| {
        verb.mut_args(|argument| {
            let known = names.iter().find(|(name, _)| argument.get_id() == name);
            match known {
                Some((_, names)) => argument.value_parser(PossibleValuesParser::new(names)),
                None => argument,
            }
        })
    })
}
