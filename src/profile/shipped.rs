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

/// A file below the package's folder.
macro_rules! shipped {
    ($name:literal, $file:literal) => {
        Shipped { name: $name, file: $file, text: include_str!(concat!("../../", $file)) }
    };
}

const PROFILES: &[Shipped] = &[
    shipped!("span", "profiles/span.toml"),
    shipped!("binaryformatter", "profiles/binaryformatter.toml"),
    shipped!("lite", "profiles/lite.toml"),
    shipped!("users", "profiles/users.toml"),
    shipped!("fastest", "profiles/fastest.toml"),
    shipped!("peers", "profiles/peers.toml"),
    shipped!("smoke", "profiles/smoke.toml"),
];

const PUBLISHED: &[Shipped] = &[
    shipped!("span-vs-binary", "fixtures/published/span-vs-binary.csv"),
    shipped!("lite-vs-memorypack", "fixtures/published/lite-vs-memorypack.csv"),
    shipped!("binaryformatter-churn", "fixtures/published/binaryformatter-churn.csv"),
    shipped!("binaryformatter-mono", "fixtures/published/binaryformatter-mono.csv"),
    shipped!("users-60k", "fixtures/published/users-60k.csv"),
    shipped!("fastest", "fixtures/published/fastest.csv"),
];

/// The names of the profiles.
pub(super) fn profile_names() -> Vec<&'static str> {
    PROFILES.iter().map(|profile| profile.name).collect()
}

/// The profile of a name.
pub(super) fn profile(name: &str) -> Result<Source> {
    let shipped = find(PROFILES, "profile", name)?;
    Ok(Source { file: shipped.file.to_owned(), folder: None, text: shipped.text.to_owned() })
}

/// The published table of a name: its file and its text.
pub(super) fn published(name: &str) -> Result<(&'static str, &'static str)> {
    find(PUBLISHED, "published table", name).map(|shipped| (shipped.file, shipped.text))
}

fn find(all: &'static [Shipped], what: &str, name: &str) -> Result<&'static Shipped> {
    let known = || all.iter().map(|shipped| shipped.name).collect::<Vec<_>>();
    all.iter().find(|shipped| shipped.name == name).ok_or_else(|| -> Error { unknown(what, name, &known()) })
}
