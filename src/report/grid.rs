//! Rows and columns, before they take the form of a terminal's or of a document's table.

use std::ops::Range;

use super::calls::Calls;
use super::width::{shorten, shorten_all, width_of};

/// Columns between two cells.
const GAP: usize = 2;

/// The least that a first column keeps, however many columns stand beside it.
const LEAST_NAME: usize = 24;

/// A table: the first column holds names, the others numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    pub(super) titles: Vec<String>,
    pub(crate) rows: Vec<Row>,
}

/// A row of a [`Grid`].
#[derive(Clone, Debug)]
pub(crate) enum Row {
    /// One cell for each column.
    Cells(Vec<String>),
    /// A heading over the rows that follow.
    Heading(String),
    /// More about the row above, over the whole width.
    Detail(String),
    /// Who is behind the row above, over the whole width.
    Calls(Calls),
    /// Sums of rows: those left out, or all.
    Sum(Vec<String>),
}

/// How a line of text is set off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Emphasis {
    Plain,
    Strong,
    Faint,
}

impl Grid {
    pub(crate) fn new(titles: &[&str]) -> Self {
        Self { titles: titles.iter().map(|&title| title.to_owned()).collect(), rows: Vec::new() }
    }

    /// Takes out columns in which no row says anything, or nothing but zero.
    pub(super) fn without_empty_columns(self) -> Self {
        self.without_columns_of(&["", "-", "0"])
    }

    /// Takes out columns of figures that there are for no row.
    pub(super) fn without_unknown_columns(self) -> Self {
        self.without_columns_of(&["", "-"])
    }

    /// Takes out columns by their titles.
    pub(super) fn without_columns(self, titles: &[&str]) -> Self {
        let kept = self.titles.iter().map(|title| !titles.contains(&title.as_str())).collect();
        self.with_columns(kept)
    }

    fn without_columns_of(self, nothing: &[&str]) -> Self {
        let says = |cells: &[String], column: usize| !nothing.contains(&cells[column].as_str());
        let is_said =
            |column: usize| self.rows.iter().filter_map(Row::cells).any(|cells| says(cells, column));
        let kept = (0..self.titles.len()).map(|column| column == 0 || is_said(column)).collect();
        self.with_columns(kept)
    }

    fn with_columns(mut self, kept: Vec<bool>) -> Self {
        retain(&mut self.titles, &kept);
        for row in &mut self.rows {
            if let Row::Cells(cells) | Row::Sum(cells) = row {
                retain(cells, &kept);
            }
        }
        self
    }

    /// Lines of text of at most `width` columns; a grid that is too wide goes on below, its names repeated.
    pub(super) fn lines(&self, width: usize) -> Vec<(Emphasis, String)> {
        let widths: Vec<usize> = (0..self.titles.len()).map(|column| self.column_width(column)).collect();
        let mut lines = Vec::new();
        for part in parts(&widths, width) {
            if !lines.is_empty() {
                lines.push((Emphasis::Plain, String::new()));
            }
            let taken: usize = part.clone().map(|column| widths[column] + GAP).sum();
            let name_width = widths[0].min(width.saturating_sub(taken).max(LEAST_NAME));
            self.push_part(&mut lines, part, name_width, &widths, width);
        }
        lines
    }

    fn push_part(
        &self,
        lines: &mut Vec<(Emphasis, String)>,
        part: Range<usize>,
        name_width: usize,
        widths: &[usize],
        width: usize,
    ) {
        let names: Vec<&str> =
            self.rows.iter().filter_map(Row::cells).map(|cells| cells[0].as_str()).collect();
        let mut names = shorten_all(&names, name_width).into_iter();
        let line = |name: &str, cells: &[String]| {
            let mut line = pad_end(name, name_width);
            for column in part.clone() {
                line += &pad_start(&cells[column], widths[column] + GAP);
            }
            line.trim_end().to_owned()
        };
        lines.push((Emphasis::Strong, line(&shorten(&self.titles[0], name_width), &self.titles)));
        for row in &self.rows {
            lines.push(match row {
                Row::Cells(cells) => (Emphasis::Plain, line(&names.next().unwrap_or_default(), cells)),
                Row::Sum(cells) => (Emphasis::Strong, line(&names.next().unwrap_or_default(), cells)),
                Row::Heading(text) => (Emphasis::Strong, shorten(text, width)),
                // A detail belongs to its row, not to each part of it.
                Row::Detail(_) | Row::Calls(_) if part.start > 1 => continue,
                Row::Detail(text) => (Emphasis::Faint, shorten(text, width)),
                Row::Calls(calls) => (Emphasis::Faint, calls.fit(width)),
            });
        }
    }

    fn column_width(&self, column: usize) -> usize {
        let cells = self.rows.iter().filter_map(Row::cells).map(|cells| width_of(&cells[column]));
        cells.max().unwrap_or(0).max(width_of(&self.titles[column]))
    }
}

impl Row {
    /// The cells of a row that has some.
    pub(super) fn cells(&self) -> Option<&[String]> {
        match self {
            Self::Cells(cells) | Self::Sum(cells) => Some(cells),
            Self::Heading(_) | Self::Detail(_) | Self::Calls(_) => None,
        }
    }
}

/// Runs of number columns that fit beside the names; names are shortened only where that saves a run.
fn parts(widths: &[usize], width: usize) -> Vec<Range<usize>> {
    let whole = runs(widths, width.saturating_sub(widths[0]));
    let shortened = runs(widths, width.saturating_sub(widths[0].min(LEAST_NAME.max(width / 4))));
    if whole.len() == shortened.len() { whole } else { shortened }
}

fn runs(widths: &[usize], room: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut taken) = (1, 0);
    for (column, width) in widths.iter().enumerate().skip(1) {
        let needed = width + GAP;
        if taken + needed > room && column > start {
            parts.push(start..column);
            (start, taken) = (column, 0);
        }
        taken += needed;
    }
    parts.push(start..widths.len());
    parts
}

fn retain(cells: &mut Vec<String>, kept: &[bool]) {
    let mut kept = kept.iter();
    cells.retain(|_| *kept.next().unwrap_or(&true));
}

fn pad_end(text: &str, width: usize) -> String {
    text.to_owned() + &" ".repeat(width.saturating_sub(width_of(text)))
}

fn pad_start(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(width_of(text))) + text
}
