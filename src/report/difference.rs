//! What differs between two runs, as text.

use serde::Serialize;

use super::calls::{Call, Calls};
use super::document::Part;
use super::grid::{Grid, Row};
use super::number::{count, figure};
use super::{markdown, table};
use crate::error::{Error, ErrorKind, Result};
use crate::results::{
    CaseDifference, CaseKey, Change, Difference, Figures, Metric, Results, Sides, SiteDifference,
    TypeDifference,
};

/// The version of the JSON form.
const SCHEMA: &str = "alloclab.diff/1";

/// Callers that stand under a site.
const CALLERS: usize = 3;

/// A way to render what differs between two runs.
///
/// # Examples
/// ```
/// use alloclab::report::{DifferenceFormat, DifferenceView};
/// use alloclab::results::Results;
///
/// let (old, new) = (Results::default(), Results::default());
/// let table = DifferenceFormat::Table.render(&old, &new, &DifferenceView::default()).unwrap();
/// assert_eq!(table, "No case allocates differently; 0 cases are unchanged.\n");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferenceFormat {
    /// Tables for the terminal.
    Table,
    /// GitHub's tables.
    Markdown,
    /// All that differs, whatever the view says.
    Json,
    /// A page to open in a browser, with both runs whole.
    #[cfg(feature = "export")]
    Html,
}

/// What is shown of a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferenceView {
    /// What allocations are told apart by.
    pub by: DifferenceBy,
    /// What decides the order of rows.
    pub sort: DifferenceSort,
    /// Rows of each case; of the others it is said how many they are.
    pub top: Option<usize>,
    /// Columns of the terminal; at least 60 are used.
    pub width: usize,
    /// Whether lines are set off by ANSI colors.
    pub color: bool,
}

impl Default for DifferenceView {
    /// By type, most bytes first, on 100 columns without color.
    fn default() -> Self {
        Self { by: DifferenceBy::Type, sort: DifferenceSort::Bytes, top: None, width: 100, color: false }
    }
}

/// What the rows of a difference are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferenceBy {
    /// Types that own blocks.
    Type,
    /// Call sites.
    Site,
}

/// What decides the order of rows: the largest difference comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifferenceSort {
    /// Allocations and reallocations.
    Count,
    /// Bytes.
    Bytes,
}

impl DifferenceFormat {
    /// Every format, in the order in which help shows them.
    pub const ALL: &[Self] = &[
        Self::Table,
        Self::Markdown,
        Self::Json,
        #[cfg(feature = "export")]
        Self::Html,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Markdown => "markdown",
            Self::Json => "json",
            #[cfg(feature = "export")]
            Self::Html => "html",
        }
    }

    /// The file beside the new results that it is written to, for a format that nobody reads on a terminal.
    ///
    /// # Examples
    /// ```
    /// use alloclab::report::DifferenceFormat;
    ///
    /// assert_eq!(DifferenceFormat::Table.file_name(), None);
    /// ```
    pub fn file_name(self) -> Option<&'static str> {
        match self {
            Self::Table | Self::Markdown | Self::Json => None,
            #[cfg(feature = "export")]
            Self::Html => Some("difference.html"),
        }
    }

    /// What the new run allocates that the old one does not as text, ending with a line break.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`] for figures that JSON cannot hold.
    pub fn render(self, old: &Results, new: &Results, view: &DifferenceView) -> Result<String> {
        let difference = &Difference::between(old, new);
        match self {
            Self::Table => Ok(table::lay_out(parts(difference, view), view.width, view.color)),
            Self::Markdown => Ok(markdown::lay_out(&parts(difference, view))),
            Self::Json => to_json(difference),
            #[cfg(feature = "export")]
            Self::Html => super::html::difference(old, new, difference),
        }
    }
}

impl DifferenceBy {
    /// Every way, in the order in which help shows them.
    pub const ALL: [Self; 2] = [Self::Type, Self::Site];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Site => "site",
        }
    }
}

impl DifferenceSort {
    /// Every order, in the order in which help shows them.
    pub const ALL: [Self; 2] = [Self::Count, Self::Bytes];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Bytes => "bytes",
        }
    }
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    #[serde(flatten)]
    difference: &'a Difference,
}

fn to_json(difference: &Difference) -> Result<String> {
    let text = serde_json::to_string_pretty(&Document { schema: SCHEMA, difference });
    text.map(|text| text + "\n").map_err(|source| {
        Error::new(ErrorKind::Malformed, "the difference cannot be written").with_source(source)
    })
}

fn parts(difference: &Difference, view: &DifferenceView) -> Vec<Part> {
    let mut parts = vec![Part::Text(summary(difference))];
    for case in &difference.cases {
        parts.push(Part::Title(case.case.to_string()));
        parts.push(Part::Grid(grid(case, view)));
    }
    for (cases, run) in [(&difference.only_old, "old"), (&difference.only_new, "new")] {
        if !cases.is_empty() {
            parts.push(Part::Text(format!("Only in the {run} results: {}.", names(cases))));
        }
    }
    parts
}

fn summary(difference: &Difference) -> String {
    let unchanged = match difference.unchanged {
        1 => "1 case is unchanged".to_owned(),
        cases => format!("{cases} cases are unchanged"),
    };
    match difference.cases.len() {
        0 => format!("No case allocates differently; {unchanged}."),
        1 => format!("1 case allocates differently; {unchanged}."),
        cases => format!("{cases} cases allocate differently; {unchanged}."),
    }
}

fn names(cases: &[CaseKey]) -> String {
    cases.iter().map(CaseKey::to_string).collect::<Vec<_>>().join(", ")
}

fn grid(case: &CaseDifference, view: &DifferenceView) -> Grid {
    let (title, unchanged) = match view.by {
        DifferenceBy::Type => ("Type", case.unchanged_types),
        DifferenceBy::Site => ("Site", case.unchanged_sites),
    };
    let mut grid =
        Grid::new(&[title, "Change", "Allocs/op", "Reallocs/op", "B/op", "Allocations", "Reallocs", "Bytes"]);
    let mut entries: Vec<(&Sides, Vec<Row>)> = match view.by {
        DifferenceBy::Type => case.types.iter().map(|row| (&row.sides, type_rows(case, row))).collect(),
        DifferenceBy::Site => case.sites.iter().map(|row| (&row.sides, site_rows(case, row))).collect(),
    };
    let order = |sides: &Sides| match view.sort {
        DifferenceSort::Count => sides.growth().requests_per_op().abs(),
        DifferenceSort::Bytes => sides.growth().bytes_per_op.abs(),
    };
    entries.sort_by(|(one, _), (other, _)| order(other).total_cmp(&order(one)));
    let shown = view.top.unwrap_or(usize::MAX).min(entries.len());
    let hidden = entries.len() - shown;
    grid.rows = entries.into_iter().take(shown).flat_map(|(_, rows)| rows).collect();
    if hidden > 0 {
        grid.rows.push(Row::Detail(format!("… {hidden} more that differ")));
    }
    if unchanged > 0 {
        grid.rows.push(Row::Detail(format!("… {unchanged} unchanged")));
    }
    let whole = Sides { old: Some(case.old), new: Some(case.new) };
    grid.rows.push(Row::Sum(cells(case, "The whole operation".to_owned(), &whole)));
    grid.without_empty_columns()
}

fn type_rows(case: &CaseDifference, row: &TypeDifference) -> Vec<Row> {
    vec![Row::Cells(cells(case, row.name.clone(), &row.sides))]
}

fn site_rows(case: &CaseDifference, row: &SiteDifference) -> Vec<Row> {
    let own = row.stack.first();
    let function = own.map_or("(no stack)", |frame| &frame.function);
    let place = own.and_then(|frame| frame.location.as_deref()).unwrap_or("(no location)");
    let mut rows = vec![Row::Cells(cells(case, function.to_owned(), &row.sides))];
    rows.push(Row::Detail(format!("    {} at {place}", row.owner)));
    for frame in row.stack.iter().skip(1).take(CALLERS) {
        let call = Call { function: frame.function.clone(), location: frame.location.clone() };
        rows.push(Row::Calls(Calls { before: "    < ".to_owned(), calls: vec![call] }));
    }
    rows
}

fn cells(case: &CaseDifference, name: String, sides: &Sides) -> Vec<String> {
    let change = sides.change().map_or("", Change::name).to_owned();
    let mut cells = vec![name, change];
    cells.extend(Metric::ALL.map(|metric| from_to(sides, metric)));
    cells.extend(counts(case, sides));
    cells
}

/// `1 -> 2`, or one figure where both are the same.
fn from_to(sides: &Sides, metric: Metric) -> String {
    let [old, new] = [sides.old, sides.new].map(|side| side.map_or(0.0, |figures| metric.per_op(&figures)));
    if old == new { figure(new) } else { format!("{} -> {}", figure(old), figure(new)) }
}

/// By how much whole counts differ: nothing where the runs had other numbers of operations.
fn counts(case: &CaseDifference, sides: &Sides) -> [String; 3] {
    let whole = |side: Option<Figures>| match side {
        None => Some([0; 3]),
        Some(figures) => {
            figures.counts.map(|counts| [counts.allocations, counts.reallocations, counts.bytes])
        }
    };
    let is_comparable = case.operations[0] == case.operations[1];
    match (whole(sides.old), whole(sides.new)) {
        (Some(old), Some(new)) if is_comparable => [0, 1, 2].map(|index| signed(old[index], new[index])),
        _ => [const { String::new() }; 3],
    }
}

fn signed(old: u64, new: u64) -> String {
    match new.checked_sub(old) {
        Some(0) => "0".to_owned(),
        Some(more) => format!("+{}", count(more)),
        None => format!("-{}", count(old - new)),
    }
}
