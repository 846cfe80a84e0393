//! The profiles and published tables that are part of the program, so that it works from any folder.

use crate::error::{Error, Result};

use super::name::unknown;
use super::source::Source;

/// A file that is part of the program.
struct Shipped {
    name: &'static str,
    file: &'static str,
    text: &'static str,
}

const PROFILES: [Shipped; 1] =
    [Shipped { name: "span", file: "profiles/span.toml", text: include_str!("../../profiles/span.toml") }];

const PUBLISHED: [Shipped; 1] = [Shipped {
    name: "span-vs-binary",
    file: "fixtures/published/span-vs-binary.csv",
    text: include_str!("../../fixtures/published/span-vs-binary.csv"),
}];

/// The names of the profiles.
pub(super) fn profile_names() -> Vec<&'static str> {
    PROFILES.iter().map(|profile| profile.name).collect()
}

/// The profile of a name.
pub(super) fn profile(name: &str) -> Result<Source> {
    let shipped = find(&PROFILES, "profile", name)?;
    Ok(Source { file: shipped.file.to_owned(), folder: None, text: shipped.text.to_owned() })
}

/// The published table of a name: its file and its text.
pub(super) fn published(name: &str) -> Result<(&'static str, &'static str)> {
    find(&PUBLISHED, "published table", name).map(|shipped| (shipped.file, shipped.text))
}

fn find(all: &'static [Shipped], what: &str, name: &str) -> Result<&'static Shipped> {
    let known = || all.iter().map(|shipped| shipped.name).collect::<Vec<_>>();
    all.iter().find(|shipped| shipped.name == name).ok_or_else(|| -> Error { unknown(what, name, &known()) })
}
