//! The programs, each of one crate.

mod csv;
mod json_typed;
mod json_value;
mod markdown;
mod rayon;
mod redb;
mod regex;
mod syn;
mod tokio;
mod toml;
mod xml;

/// A program.
#[derive(Clone, Copy, Debug)]
pub struct Program {
    /// Its name.
    pub name: &'static str,
    /// Does the work, and tells what came of it.
    pub run: fn() -> String,
    /// Whether it has one thread alone.
    pub is_single_threaded: bool,
    /// Types that it is known to allocate, from its source and that of its crate; and how often, where that is known.
    pub known_types: &'static [(&'static str, Option<u64>)],
}

/// All programs.
pub const PROGRAMS: &[Program] = &[
    regex::PROGRAM,
    json_value::PROGRAM,
    json_typed::PROGRAM,
    tokio::PROGRAM,
    rayon::PROGRAM,
    redb::PROGRAM,
    markdown::PROGRAM,
    syn::PROGRAM,
    csv::PROGRAM,
    toml::PROGRAM,
    xml::PROGRAM,
];

impl Program {
    /// The program of this name.
    ///
    /// # Panics
    /// If there is none.
    pub fn named(name: &str) -> Self {
        *PROGRAMS
            .iter()
            .find(|program| program.name == name)
            .unwrap_or_else(|| panic!("there is no program `{name}`"))
    }
}
