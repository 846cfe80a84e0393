//! What came of it, as tables and as a sentence.

use super::comparison::{Compared, Comparison};
use super::run::{Row as CaseRow, ToolResult, Verification};
use crate::report::{Grid, Part, Row, count, to_markdown, to_table};

/// How a verification is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VerifyFormat {
    /// Tables for the terminal.
    Table,
    /// GitHub's tables.
    Markdown,
}

impl VerifyFormat {
    /// Every format, in the order in which help shows them.
    pub(crate) const ALL: [Self; 2] = [Self::Table, Self::Markdown];

    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Markdown => "markdown",
        }
    }

    /// The tables and the sentence.
    pub(crate) fn render(self, verification: &Verification, width: usize, color: bool) -> String {
        let parts = parts(verification);
        match self {
            Self::Table => to_table(parts, width, color),
            Self::Markdown => to_markdown(&parts),
        }
    }
}

fn parts(verification: &Verification) -> Vec<Part> {
    let instruments = verification.rows().next().map(|row| row.comparisons.iter().map(|one| one.instrument));
    let instruments: Vec<_> = instruments.into_iter().flatten().collect();
    let mut notes = Vec::new();
    if verification.left_out > 0 {
        let rows = plural(verification.left_out, "parallel row is", "parallel rows are");
        notes.push(format!("{rows} left out: how often their threads allocate is up to chance."));
    }
    notes.push(sentence(verification));
    vec![
        Part::Text(format!(
            "What the recorder counts of each row, {}, and whether {} {} the same.",
            plural(verification.iterations as usize, "object", "objects"),
            instruments.join(" and "),
            if instruments.len() == 1 { "counts" } else { "count" }
        )),
        Part::Grid(case_grid(verification)),
        Part::Text(
            "All rows together, in a process of their own: what as many objects more add to it.".into(),
        ),
        Part::Grid(tool_grid(verification)),
        Part::Text(notes.join("\n")),
    ]
}

/// The recorder's figures for each case, and whether the others' are equal.
fn case_grid(verification: &Verification) -> Grid {
    let mut grid =
        Grid::new(&["Row", "Others", "Allocs", "Reallocs", "Frees", "Bytes", "Peak bytes", "Left alive"]);
    for (title, rows) in &verification.sections {
        grid.rows.push(Row::Heading(title.clone()));
        for row in rows {
            grid.rows.push(Row::Cells(case_cells(row)));
            grid.rows.extend(row.comparisons.iter().flat_map(differences).map(Row::Detail));
        }
    }
    grid
}

fn case_cells(row: &CaseRow) -> Vec<String> {
    let counts = &row.recorded.totals;
    let figures = [
        counts.allocations,
        counts.reallocations,
        counts.deallocations,
        counts.requested_bytes(),
        row.recorded.peak.bytes,
        counts.live_bytes,
    ];
    let is_equal = row.comparisons.iter().all(|comparison| comparison.differences().next().is_none());
    let mut cells = vec![format!("  {}", row.case), verdict(is_equal).to_owned()];
    cells.extend(figures.map(count));
    cells
}

/// Every figure of each tool, and the recorder's.
fn tool_grid(verification: &Verification) -> Grid {
    let mut grid = Grid::new(&["Figure", "Recorder", "Tool", ""]);
    for result in &verification.tools {
        grid.rows.push(Row::Heading(heading(result)));
        for figure in result.outcome.iter().flat_map(|(_, comparison)| &comparison.figures) {
            let Compared { name, recorder, instrument } = *figure;
            let verdict = verdict(recorder == instrument).to_owned();
            grid.rows.push(Row::Cells(vec![
                format!("  {name}"),
                signed(recorder),
                signed(instrument),
                verdict,
            ]));
        }
    }
    grid
}

fn heading(result: &ToolResult) -> String {
    match &result.outcome {
        Some((version, _)) if version.contains(result.tool) => version.clone(),
        Some((version, _)) => format!("{} ({version})", result.tool),
        None => format!("{}: not installed (Debian: apt-get install {})", result.tool, result.program),
    }
}

fn verdict(is_equal: bool) -> &'static str {
    if is_equal { "equal" } else { "DIFFERS" }
}

/// Each figure that is not equal, with both numbers.
fn differences(comparison: &Comparison) -> impl Iterator<Item = String> {
    comparison.differences().map(|figure| format!("    {}", told(comparison.instrument, figure)))
}

fn told(instrument: &str, figure: &Compared) -> String {
    let Compared { name, recorder, instrument: theirs } = figure;
    format!("{instrument}: {name} {}, the recorder {}", signed(*theirs), signed(*recorder))
}

/// What it came to, in one sentence: the first difference, if there is one.
pub(crate) fn sentence(verification: &Verification) -> String {
    let all: Vec<(&str, &Comparison)> = verification.comparisons().collect();
    let mut different =
        all.iter().flat_map(|(case, one)| one.differences().map(move |figure| (case, one, figure)));
    let compared: usize = all.iter().map(|(_, comparison)| comparison.figures.len()).sum();
    let requests: u64 = verification.rows().map(|row| row.recorded.totals.requests()).sum();
    match different.next() {
        None => format!(
            "Equal: all {} totals, of {} with {} allocations and reallocations.",
            count(compared as u64),
            plural(verification.rows().count(), "row", "rows"),
            count(requests),
        ),
        Some((case, comparison, figure)) => {
            let number = plural(1 + different.count(), "total differs", "totals differ");
            format!(
                "{number}, of {}: first {case}, {}",
                count(compared as u64),
                told(comparison.instrument, figure)
            )
        }
    }
}

fn plural(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(number as u64), if number == 1 { one } else { many })
}

fn signed(figure: i64) -> String {
    let sign = if figure < 0 { "-" } else { "" };
    format!("{sign}{}", count(figure.unsigned_abs()))
}
