//! A profile: the definition of an experiment, from its TOML file to a plan that is valid by construction.
//!
//! `schema` is a profile as it is typed, `resolve` makes the [`Plan`] of it or says which line is wrong.

mod group;
mod name;
mod published;
mod resolve;
mod schema;
mod shipped;
mod source;

use std::path::{MAIN_SEPARATOR, Path};

use crate::error::{Error, ErrorKind, Result};

pub use group::MAX_SIZE;

use crate::plan::{Overrides, Plan};
use source::Source;

/// A profile that is part of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileEntry {
    /// Its name.
    pub name: &'static str,
    /// What it is about, in one line.
    pub title: String,
}

/// The profiles that are part of the program.
///
/// # Errors
/// One of them is malformed.
///
/// # Examples
/// ```
/// let names: Vec<_> = alloclab::profile::list()?.iter().map(|profile| profile.name).collect();
/// assert!(names.contains(&"span"));
/// # Ok::<(), alloclab::error::Error>(())
/// ```
pub fn list() -> Result<Vec<ProfileEntry>> {
    let entry = |name| Ok(ProfileEntry { name, title: shipped::profile(name)?.parse()?.title });
    shipped::profile_names().into_iter().map(entry).collect()
}

/// The plan of a profile: one that is part of the program by its name, any other by the path of its `.toml` file.
///
/// # Errors
/// The profile is not known or cannot be read; it is malformed; it names what does not exist, or asks a codec for what it
/// does not offer; the overrides leave no row or ask for more iterations than a counter holds. The error says where.
///
/// # Examples
/// ```
/// use alloclab::plan::Overrides;
/// use alloclab::profile;
///
/// let error = profile::load("spam", &Overrides::default()).err().unwrap();
/// assert_eq!(error.to_string(), "there is no profile `spam`");
/// assert!(error.help().unwrap().starts_with("did you mean `span`?"));
/// ```
pub fn load(name_or_path: &str, overrides: &Overrides) -> Result<Plan> {
    if name_or_path.contains(['/', MAIN_SEPARATOR]) || name_or_path.ends_with(".toml") {
        let path = Path::new(name_or_path);
        resolve::plan(&name_of(path)?, &Source::read(path)?, overrides)
    } else {
        resolve::plan(name_or_path, &shipped::profile(name_or_path)?, overrides)
    }
}

/// The name of a file's profile, which is also the name of its folder of results.
fn name_of(path: &Path) -> Result<String> {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).filter(|stem| !stem.starts_with('.'));
    stem.map(str::to_owned).ok_or_else(|| {
        Error::new(ErrorKind::Malformed, "the file's name gives no name to the profile")
            .at(path.display().to_string())
            .with_help("name the file like `my-profile.toml`")
    })
}
