//! Renderings of a results file: one file for each format, all of the same shape.
//!
//! [`all`] is the registry, [`find`] looks a format up by its name, and a [`View`] says what is shown. Everything here is
//! derived from a results file and nothing else.

#[cfg(feature = "chart")]
pub mod chart;

mod calls;
mod case_name;
mod compared;
mod csv;
#[cfg(feature = "export")]
mod dhat;
mod difference;
mod document;
#[cfg(feature = "export")]
mod flamegraph;
#[cfg(feature = "export")]
mod folded;
mod grid;
#[cfg(feature = "export")]
mod html;
mod json;
mod markdown;
mod number;
mod page;
#[cfg(feature = "export")]
mod pprof;
mod section;
mod table;
mod view;
#[cfg(feature = "export")]
mod whole_stack;
mod width;

use crate::error::Result;
use crate::results::Results;

pub use difference::{DifferenceBy, DifferenceFormat, DifferenceSort, DifferenceView};
pub use page::fill;
pub use view::{By, View, Weight};

#[cfg(feature = "bench")]
pub(crate) use {
    document::Part,
    grid::{Grid, Row},
    markdown::lay_out as to_markdown,
};
#[cfg(feature = "cli")]
pub(crate) use {number::count, table::lay_out as to_table};

/// A way to render results: as text to read, or as a file for another program.
pub trait Format: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// What it is for, in one line.
    fn purpose(&self) -> &'static str;

    /// The ending of files that hold it, without the dot.
    fn extension(&self) -> &'static str;

    /// The file beside the results that it is written to, for a format that nobody reads on a terminal.
    fn file_name(&self) -> Option<&'static str> {
        None
    }

    /// The results in this format; a text ends with a line break.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`](crate::error::ErrorKind::Malformed) for results that the format cannot hold.
    fn render(&self, results: &Results, view: &View) -> Result<Vec<u8>>;
}

/// Every format, the terminal's table first.
pub fn all() -> Vec<&'static dyn Format> {
    let formats: &[&dyn Format] = &[
        &table::Table,
        &json::Json,
        &csv::Csv,
        &markdown::Markdown,
        #[cfg(feature = "export")]
        &html::Html,
        #[cfg(feature = "export")]
        &folded::Folded,
        #[cfg(feature = "export")]
        &flamegraph::Flamegraph,
        #[cfg(feature = "export")]
        &pprof::Pprof,
        #[cfg(feature = "export")]
        &dhat::Dhat,
    ];
    formats.to_vec()
}

/// The format of a name.
///
/// # Examples
/// ```
/// use alloclab::report::{View, find};
/// use alloclab::results::Results;
///
/// let table = find("table").unwrap().render(&Results::default(), &View::default()).unwrap();
/// assert!(String::from_utf8(table).unwrap().contains("No case was measured."));
/// assert!(find("parchment").is_none());
/// ```
pub fn find(name: &str) -> Option<&'static dyn Format> {
    all().into_iter().find(|format| format.name() == name)
}

/// The page that a run leaves beside its results.
#[cfg(feature = "bench")]
pub(crate) fn html() -> &'static dyn Format {
    &html::Html
}

/// What the results show, in one sentence: who allocates most, who least, and how much faster that one is.
///
/// The sentence is about one operation on one value: the first model that the most codecs were measured with.
pub fn finding(results: &Results) -> String {
    section::finding::sentence(results)
}
