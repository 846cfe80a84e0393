//! GitHub's tables, to paste into a pull request.

use super::document::{Part, parts};
use super::grid::{Grid, Row};
use super::{Format, View};
use crate::error::Result;
use crate::results::Results;

pub(super) struct Markdown;

impl Format for Markdown {
    fn name(&self) -> &'static str {
        "markdown"
    }

    fn purpose(&self) -> &'static str {
        "GitHub's tables, to paste into a pull request"
    }

    fn extension(&self) -> &'static str {
        "md"
    }

    fn render(&self, results: &Results, view: &View) -> Result<Vec<u8>> {
        Ok(lay_out(&parts(results, view)).into_bytes())
    }
}

/// A report as a document.
pub(crate) fn lay_out(parts: &[Part]) -> String {
    let pieces: Vec<String> = parts
        .iter()
        .map(|part| match part {
            Part::Title(title) => format!("### {}\n", escaped(title)),
            Part::Text(text) => text.lines().map(|line| escaped(line) + "  \n").collect(),
            Part::Grid(grid) => table(grid),
        })
        .collect();
    pieces.join("\n")
}

fn table(grid: &Grid) -> String {
    let mut text = line(grid.titles.iter().map(|title| escaped(title)));
    text += &line(
        grid.titles.iter().enumerate().map(|(column, _)| if column == 0 { "---" } else { "---:" }.to_owned()),
    );
    let mut rows = grid.rows.iter().peekable();
    while let Some(row) = rows.next() {
        let mut cells: Vec<String> = match row {
            Row::Cells(cells) => cells.iter().enumerate().map(|(column, cell)| named(column, cell)).collect(),
            Row::Sum(cells) => cells.iter().map(|cell| bold(cell)).collect(),
            Row::Heading(heading) => spread(bold(heading), grid.titles.len()),
            Row::Detail(_) | Row::Calls(_) => spread(said(row).unwrap_or_default(), grid.titles.len()),
        };
        // What is said about a row stands in its own cell, for a document's cells have room for lines.
        while let Some(said) = rows.peek().and_then(|row| said(row)) {
            cells[0] += &format!("<br><sub>{said}</sub>");
            rows.next();
        }
        text += &line(cells.into_iter());
    }
    text
}

/// What a row says about the one above it.
fn said(row: &Row) -> Option<String> {
    match row {
        Row::Detail(detail) => Some(escaped(detail.trim_start())),
        Row::Calls(calls) => Some(escaped(calls.whole().trim_start())),
        _ => None,
    }
}

/// Names of types and cases are code; numbers are not.
fn named(column: usize, cell: &str) -> String {
    if column > 0 || cell.is_empty() {
        return escaped(cell);
    }
    // Levels of a call tree stay indented: code keeps no leading spaces.
    let name = cell.trim_start();
    let indent = "&emsp;".repeat((cell.len() - name.len()) / 2);
    let fence = if name.contains('`') { "``" } else { "`" };
    format!("{indent}{fence}{}{fence}", one_line(name).replace('|', "\\|"))
}

fn bold(cell: &str) -> String {
    if cell.is_empty() { String::new() } else { format!("**{}**", escaped(cell)) }
}

fn spread(first: String, columns: usize) -> Vec<String> {
    let mut cells = vec![String::new(); columns];
    cells[0] = first;
    cells
}

fn line(cells: impl Iterator<Item = String>) -> String {
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

/// Text in which nothing is read as markup, save the code that a sentence marks.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut in_code = false;
    for character in one_line(text).chars() {
        in_code ^= character == '`';
        match character {
            '<' if !in_code => escaped.push_str("&lt;"),
            '&' if !in_code => escaped.push_str("&amp;"),
            '|' => escaped.push_str("\\|"),
            '*' | '_' | '[' | ']' | '\\' if !in_code => escaped.extend(['\\', character]),
            other => escaped.push(other),
        }
    }
    escaped
}

/// Names come from elsewhere: none of them ends a line or moves a cursor.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ").replace(char::is_control, "\u{fffd}")
}
