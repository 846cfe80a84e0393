//! Allocations of one operation by type, a stacked bar for each case.

use plotters::style::RGBColor;

use super::bytes_per_operation::{fitting_names, in_order};
use super::font;
use super::layout::{self, Area, LABEL, MARGIN, Mark, SMALL, Title, WIDTH, amount};
use super::palette::{GRAY, INK, OTHER, Palette};
use super::picture::{Anchor, Picture};
use super::scale::Scale;
use crate::report::case_name;
use crate::report::number::count;
use crate::results::{Case, TypeRow};

const ROW: f64 = 27.0;
const BAR: f64 = 18.0;
const HEADING: f64 = 26.0;

pub(super) fn picture(title: Title<'_>, cases: &[&Case], palette: &Palette<'_>) -> Picture {
    let operations = case_name::operations(cases);
    let mut explanation =
        "Fresh blocks and reallocations; each color is a type, the figure at the end is the sum.".to_owned();
    if operations.len() > 1 {
        explanation += " Each operation has a scale of its own.";
    }
    let mut picture = layout::titled(title, &explanation);
    layout::push_legend(&mut picture, &legend(cases, palette));
    let names = fitting_names(cases);
    let left = MARGIN + layout::widest(names.iter(), LABEL) + 10.0;
    let figure_room = layout::widest(cases.iter().map(|case| amount(sum(case))), SMALL) + 8.0;
    for operation in operations {
        let rows = in_order(cases, &names, operation);
        let heading = font::fit(operation, LABEL, left - MARGIN);
        let middle = picture.height + HEADING / 2.0;
        picture.text((MARGIN, middle), heading, LABEL, Anchor::Start, GRAY);
        let area = Area {
            left,
            top: picture.height + HEADING,
            width: WIDTH - MARGIN - figure_room - left,
            height: ROW * rows.len() as f64,
        };
        let largest = rows.iter().map(|(case, _)| sum(case)).fold(0.0, f64::max);
        let has_parts = largest > 0.0 && largest < 1.0;
        let scale = if has_parts { Scale::linear(largest) } else { Scale::whole(largest) };
        layout::push_axis_below(&mut picture, area, scale, "allocations per operation", amount);
        let mut y = area.top;
        for (case, name) in rows {
            picture.text((left - 8.0, y + ROW / 2.0), name, LABEL, Anchor::End, INK);
            push_stack(&mut picture, Area { top: y, ..area }, scale, case, palette);
            y += ROW;
        }
        picture.line((left, area.top), (left, area.bottom()), OTHER);
    }
    picture
}

fn push_stack(picture: &mut Picture, row: Area, scale: Scale, case: &Case, palette: &Palette<'_>) {
    let mut types: Vec<(usize, RGBColor, f64)> = case.types.iter().map(|row| ranked(row, palette)).collect();
    // The legend's order, so that the eye finds the same color at the same place.
    types.sort_by_key(|(rank, ..)| *rank);
    let mut before = 0.0;
    // Types without a color of their own are one part of the bar, as they are one entry of the legend.
    for of_color in types.chunk_by(|left, right| left.0 == right.0) {
        let allocations: f64 = of_color.iter().map(|(.., allocations)| allocations).sum();
        let (from, to) = (scale.place(before), scale.place(before + allocations));
        if to > from {
            let (x, width) = (row.left + from * row.width, (to - from) * row.width);
            picture.bar((x, row.top + (ROW - BAR) / 2.0), ((width - 1.0).max(0.5), BAR), of_color[0].1);
        }
        before += allocations;
    }
    let x = row.left + scale.place(before) * row.width + 6.0;
    picture.text_over_lines((x, row.top + ROW / 2.0), amount(sum(case)), SMALL, Anchor::Start, INK);
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
        several => {
            entries.push((Mark::Filled(OTHER), format!("{} other types", count(several.len() as u64))))
        }
    }
    entries
}
