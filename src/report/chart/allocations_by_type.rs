//! Allocations of one operation by type, a stacked bar for each case.

use plotters::style::RGBColor;

use super::font;
use super::layout::{self, Area, LABEL, MARGIN, Mark, SMALL, WIDTH};
use super::palette::{GRAY, INK, OTHER, Palette};
use super::picture::{Anchor, Picture};
use super::scale::Scale;
use crate::report::case_name;
use crate::report::number::figure;
use crate::results::{Case, TypeRow};

const ROW: f64 = 30.0;
const BAR: f64 = 20.0;
const HEADING: f64 = 26.0;
/// Room at the right end for the largest figure.
const FIGURE_ROOM: f64 = 70.0;

pub(super) fn picture(cases: &[&Case], palette: &Palette<'_>) -> Picture {
    let mut picture = layout::titled(
        "Allocations of one operation, by type",
        "Fresh blocks and reallocations; each color is a type, the figure at the end is the sum.",
    );
    layout::push_legend(&mut picture, &legend(cases, palette));
    let names: Vec<String> = cases.iter().map(|case| case_name::name(case, cases)).collect();
    let names = font::fit_all(&names.iter().map(String::as_str).collect::<Vec<_>>(), LABEL, 300.0);
    let left = MARGIN + names.iter().map(|name| font::width_of(name, LABEL)).fold(0.0, f64::max) + 10.0;
    let operations = case_name::operations(cases);
    let height = ROW * cases.len() as f64 + HEADING * operations.len() as f64;
    let area = Area { left, top: picture.height, width: WIDTH - MARGIN - FIGURE_ROOM - left, height };
    let scale = Scale::linear(cases.iter().map(|case| sum(case)).fold(0.0, f64::max));
    layout::push_axis_below(&mut picture, area, scale, "allocations per operation", figure);

    let mut y = area.top;
    for operation in operations {
        picture.text((MARGIN, y + HEADING / 2.0), operation, LABEL, Anchor::Start, GRAY);
        y += HEADING;
        for (case, name) in cases.iter().zip(&names).filter(|(case, _)| case.operation == operation) {
            picture.text((left - 8.0, y + ROW / 2.0), name, LABEL, Anchor::End, INK);
            push_stack(&mut picture, Area { top: y, ..area }, scale, case, palette);
            y += ROW;
        }
    }
    picture.line((left, area.top), (left, area.bottom()), OTHER);
    picture.height = area.bottom() + 34.0 + MARGIN;
    picture
}

fn push_stack(picture: &mut Picture, row: Area, scale: Scale, case: &Case, palette: &Palette<'_>) {
    let mut types: Vec<(usize, RGBColor, f64)> = case.types.iter().map(|row| ranked(row, palette)).collect();
    // The legend's order, so that the eye finds the same color at the same place.
    types.sort_by_key(|(rank, ..)| *rank);
    let mut before = 0.0;
    for (_, color, allocations) in types {
        let (from, to) = (scale.place(before), scale.place(before + allocations));
        if to > from {
            let (x, width) = (row.left + from * row.width, (to - from) * row.width);
            picture.bar((x, row.top + (ROW - BAR) / 2.0), ((width - 1.0).max(0.5), BAR), color);
        }
        before += allocations;
    }
    let x = row.left + scale.place(before) * row.width + 6.0;
    picture.text((x, row.top + ROW / 2.0), figure(sum(case)), SMALL, Anchor::Start, INK);
}

fn ranked(row: &TypeRow, palette: &Palette<'_>) -> (usize, RGBColor, f64) {
    let (rank, color) = palette.of_type(&row.name).unwrap_or((usize::MAX, OTHER));
    (rank, color, requests(row))
}

fn requests(row: &TypeRow) -> f64 {
    row.allocations_per_op + row.reallocations_per_op
}

fn sum(case: &Case) -> f64 {
    case.types.iter().map(requests).sum::<f64>()
}

/// The types that stand in a chart, in the palette's order; those without a color share an entry.
fn legend(cases: &[&Case], palette: &Palette<'_>) -> Vec<(Mark, String)> {
    let rows = cases.iter().flat_map(|case| &case.types).filter(|row| requests(row) > 0.0);
    type_legend(rows.map(|row| row.name.as_str()), palette)
}

/// A legend of types, each once.
pub(super) fn type_legend<'a>(
    names: impl Iterator<Item = &'a str>,
    palette: &Palette<'_>,
) -> Vec<(Mark, String)> {
    let mut shown: Vec<&str> = Vec::new();
    for name in names {
        if !shown.contains(&name) {
            shown.push(name);
        }
    }
    shown.sort_by_key(|name| palette.of_type(name).map_or(usize::MAX, |(rank, _)| rank));
    let colored = |name: &&&str| palette.of_type(name).is_some();
    let others: Vec<&&str> = shown.iter().filter(|name| !colored(name)).collect();
    let mut entries: Vec<(Mark, String)> = shown
        .iter()
        .filter_map(|name| palette.of_type(name).map(|(_, color)| (Mark::Filled(color), (*name).to_owned())))
        .collect();
    match others.as_slice() {
        [] => {}
        [only] => entries.push((Mark::Filled(OTHER), (**only).to_owned())),
        several => entries.push((Mark::Filled(OTHER), format!("{} other types", several.len()))),
    }
    entries
}
