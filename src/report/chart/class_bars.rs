//! What falls into classes, a row of bars for each case: one bar for each class.

use plotters::style::RGBColor;

use super::font;
use super::layout::{self, Area, LABEL, MARGIN, SMALL, Title, WIDTH};
use super::palette::{GRAY, INK, OTHER, PALE, Palette};
use super::picture::{Anchor, Picture};
use super::scale::Scale;
use crate::report::number::figure;
use crate::results::Case;

/// The height of a row's bars.
const BARS: f64 = 52.0;
/// The same where rows are many.
const LOW_BARS: f64 = 34.0;
/// More rows than these are many.
const FEW_ROWS: usize = 10;
/// Room above a row's bars for the figure of the highest.
const FIGURES: f64 = 20.0;
/// Room for a line of words: a heading, a row without bars.
const LINE: f64 = 24.0;
/// What names of cases get of the width.
const NAMES: f64 = 200.0;

/// What is shown, and how many of it fall into each class.
pub(super) struct Classes<'a> {
    pub(super) title: Title<'a>,
    pub(super) explanation: &'a str,
    /// What the figures are.
    pub(super) unit: &'a str,
    /// What the classes are of.
    pub(super) across: &'a str,
    /// What a row without figures says.
    pub(super) nothing: &'a str,
    /// The classes, from the lowest to the highest.
    pub(super) names: Vec<String>,
    /// Cases of each operation, with their figures of every class.
    pub(super) operations: Vec<Vec<(&'a Case, Vec<f64>)>>,
}

impl Classes<'_> {
    /// The chart; none without classes.
    pub(super) fn picture(&self, palette: &Palette<'_>) -> Option<Picture> {
        let shown = || self.operations.iter().filter(|rows| !rows.is_empty());
        let figures: Vec<f64> = shown().flatten().flat_map(|(_, figures)| figures).copied().collect();
        if self.names.is_empty() {
            return None;
        }
        let scale = Scale::fitting(&figures);
        let mut picture = layout::titled(self.title, self.explanation);
        let codecs: Vec<&str> = shown().flatten().map(|(case, _)| case.codec.as_str()).collect();
        let names = font::fit_all(&codecs, LABEL, NAMES);
        let left = MARGIN
            + layout::widest(names.iter(), LABEL)
            + layout::axis_room(scale, short).max(layout::axis_room(scale, |_| String::new()) + 30.0);
        let bars = if names.len() > FEW_ROWS { LOW_BARS } else { BARS };
        let (top, mut names) = (picture.height, names.iter());
        for rows in shown() {
            let (first, _) = &rows[0];
            let heading =
                font::fit(&format!("{} {}", first.operation, first.model), LABEL, WIDTH - MARGIN - left);
            picture.text((left, picture.height + LINE / 2.0), heading, LABEL, Anchor::Start, GRAY);
            picture.height += LINE;
            for ((case, figures), name) in rows.iter().zip(&mut names) {
                let room =
                    Area { left, top: picture.height + FIGURES, width: WIDTH - MARGIN - left, height: bars };
                self.push_row(&mut picture, name, room, figures, scale, palette.of_codec(&case.codec));
            }
            self.push_names(&mut picture, left);
        }
        let unit = format!("{}{}", self.unit, scale.kind());
        let bottom = picture.height;
        layout::push_name_left(&mut picture, top, bottom, &unit);
        let middle = (left + WIDTH - MARGIN) / 2.0;
        picture.text((middle, picture.height + 12.0), self.across, LABEL, Anchor::Middle, INK);
        picture.height += 12.0 + MARGIN;
        Some(picture)
    }

    /// The bars of a case in the room that a row has; a row of nothing says so, and takes less.
    fn push_row(
        &self,
        picture: &mut Picture,
        name: &str,
        room: Area,
        figures: &[f64],
        scale: Scale,
        color: RGBColor,
    ) {
        let is_empty = figures.iter().all(|&figure| figure <= 0.0);
        let middle = if is_empty { picture.height + LINE / 2.0 } else { room.top + room.height / 2.0 };
        picture.text((MARGIN + 24.0, middle), name, LABEL, Anchor::Start, INK);
        if is_empty {
            picture.text((room.left + 6.0, middle), self.nothing, SMALL, Anchor::Start, GRAY);
            picture.height += LINE;
            return;
        }
        layout::push_axis_left(picture, room, scale, short);
        self.push_bars(picture, room, figures, scale, color);
        picture.line((room.left, room.bottom()), (room.right(), room.bottom()), OTHER);
        picture.height = room.bottom();
    }

    fn push_bars(&self, picture: &mut Picture, area: Area, figures: &[f64], scale: Scale, color: RGBColor) {
        let group = area.width / self.names.len() as f64;
        let bar = (group * 0.7).min(60.0);
        let show = if layout::widest(figures.iter().map(|&number| exact(number)), SMALL) < group - 4.0 {
            exact
        } else {
            short
        };
        let has_figures = layout::widest(figures.iter().map(|&number| show(number)), SMALL) < group - 4.0;
        for (index, &number) in figures.iter().enumerate().filter(|(_, number)| **number > 0.0) {
            let middle = area.left + (index as f64 + 0.5) * group;
            let height = (scale.place(number) * area.height).max(1.0);
            picture.bar((middle - bar / 2.0, area.bottom() - height), (bar, height), color);
            if has_figures {
                let at = (middle, area.bottom() - height - 8.0);
                picture.text_over_lines(at, show(number), SMALL, Anchor::Middle, INK);
            }
        }
    }

    /// The names of the classes; those that do not fit beside each other are left out in turn.
    fn push_names(&self, picture: &mut Picture, left: f64) {
        let group = (WIDTH - MARGIN - left) / self.names.len() as f64;
        let each = ((layout::widest(self.names.iter(), SMALL) + 8.0) / group).ceil().max(1.0) as usize;
        picture.line((left, picture.height), (WIDTH - MARGIN, picture.height), OTHER);
        for (index, name) in self.names.iter().enumerate() {
            let middle = left + (index as f64 + 0.5) * group;
            let length = if index % each == 0 { 5.0 } else { 3.0 };
            picture.line((middle, picture.height), (middle, picture.height + length), PALE);
            if index % each == 0 {
                picture.text((middle, picture.height + 12.0), name.as_str(), SMALL, Anchor::Middle, INK);
            }
        }
        picture.height += LINE;
    }
}

fn exact(number: f64) -> String {
    layout::amount(number)
}

/// A figure in three digits where more would not fit: `816k`, `1.36M`.
fn short(number: f64) -> String {
    const UNITS: [(f64, &str); 5] = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    if number >= 999.5e15 {
        return format!("{number:.0e}");
    }
    // What rounds up to the next unit is written in it.
    match UNITS.into_iter().find(|(unit, _)| number >= 0.9995 * unit) {
        None => figure(number),
        Some((unit, letter)) => {
            let number = number / unit;
            let decimals = if number < 9.995 { 2 } else { usize::from(number < 99.95) };
            let digits = format!("{number:.decimals$}");
            let digits = if digits.contains('.') {
                digits.trim_end_matches('0').trim_end_matches('.')
            } else {
                &digits
            };
            format!("{digits}{letter}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_in_three_digits_has_the_letter_of_its_thousands() {
        let figures =
            [0.0, 0.25, 7.0, 999.0, 1000.0, 1234.0, 99_960.0, 815_906.0, 1e6, 1.364e6, 999_999.0, 2e15];
        let shown = figures.map(short);
        let expected = ["0", "0.250", "7", "999", "1k", "1.23k", "100k", "816k", "1M", "1.36M", "1M", "2P"];
        assert_eq!(shown, expected);
    }
}
