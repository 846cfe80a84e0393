//! The terminal's format.

use super::document::{Part, parts};
use super::grid::Emphasis;
use super::width::width_of;
use super::{Format, View};
use crate::error::Result;
use crate::results::Results;

/// The narrowest terminal that tables are laid out for.
const LEAST_WIDTH: usize = 60;

pub(super) struct Table;

impl Format for Table {
    fn name(&self) -> &'static str {
        "table"
    }

    fn purpose(&self) -> &'static str {
        "tables for the terminal"
    }

    fn extension(&self) -> &'static str {
        "txt"
    }

    fn render(&self, results: &Results, view: &View) -> Result<Vec<u8>> {
        Ok(lay_out(parts(results, view), view.width, view.color).into_bytes())
    }
}

/// A report in lines of so many columns.
pub(crate) fn lay_out(parts: Vec<Part>, width: usize, color: bool) -> String {
    let width = width.max(LEAST_WIDTH);
    let mut lines = Vec::new();
    let mut is_below_title = true;
    for part in parts {
        if !is_below_title {
            lines.push((Emphasis::Plain, String::new()));
        }
        is_below_title = matches!(part, Part::Title(_));
        match part {
            Part::Title(title) => lines.extend(wrap(&title, width).map(|line| (Emphasis::Strong, line))),
            Part::Text(text) => lines.extend(wrap(&text, width).map(|line| (Emphasis::Plain, line))),
            Part::Grid(grid) => lines.extend(grid.lines(width)),
        }
    }
    lines.into_iter().map(|(emphasis, line)| paint(emphasis, &line, color) + "\n").collect()
}

/// Breaks each line of a text between words; a word that is too long stands alone.
fn wrap(text: &str, width: usize) -> impl Iterator<Item = String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split(' ') {
            if !line.is_empty() && width_of(&line) + 1 + width_of(word) > width {
                lines.push(std::mem::take(&mut line));
            }
            line += if line.is_empty() { "" } else { " " };
            line += word;
        }
        lines.push(line);
    }
    lines.into_iter()
}

fn paint(emphasis: Emphasis, line: &str, color: bool) -> String {
    // Names come from elsewhere: none of them moves the cursor.
    let line = line.replace(char::is_control, "\u{fffd}");
    match emphasis {
        Emphasis::Strong if color => format!("\x1b[1m{line}\x1b[0m"),
        Emphasis::Faint if color => format!("\x1b[2m{line}\x1b[0m"),
        _ => line,
    }
}
