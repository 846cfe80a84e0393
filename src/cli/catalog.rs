//! What a program can measure, as its command line sees it.

use crate::error::Result;
use crate::plan::{Overrides, Plan};

/// Where plans come from: the lab's profiles, or the cases of another program.
pub(crate) trait Catalog {
    /// How the program is called on a command line.
    fn program(&self) -> String;

    /// The folders of results and of baselines where none are named.
    fn folders(&self) -> Folders;

    /// The one profile that there is, unless there are several to choose from.
    fn only_profile(&self) -> Option<OnlyProfile<'_>>;

    /// The names that filters by rows can take, by the filter: `codec`, `model`, `operation`, `variant`.
    fn names(&self) -> [(&'static str, Vec<String>); 4];

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

/// Where files go, or come from, if nobody says otherwise.
pub(crate) struct Folders {
    pub(crate) results: &'static str,
    pub(crate) baselines: &'static str,
}

/// The profile of a program with one.
pub(crate) struct OnlyProfile<'a> {
    pub(crate) name: &'a str,
    pub(crate) title: &'a str,
}
