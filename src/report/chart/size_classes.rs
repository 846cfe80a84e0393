//! Requests of one operation by size, a group of bars for each class.

use super::bytes_per_operation::codec_legend;
use super::font;
use super::layout::{self, Area, LABEL, MARGIN, SMALL, WIDTH};
use super::palette::{GRAY, INK, OTHER, PALE, Palette};
use super::picture::{Anchor, Picture};
use super::scale::Scale;
use crate::report::number::{count, figure, total};
use crate::results::{Case, SizeClass};

const PANEL: f64 = 220.0;
const HEADING: f64 = 34.0;
/// Room at the left for the axis.
const AXIS: f64 = 70.0;
/// Room below a panel for the names of the classes.
const NAMES: f64 = 24.0;

/// The chart of some operations, a panel for each; none if nothing was requested.
pub(super) fn picture(operations: &[Vec<&Case>], palette: &Palette<'_>) -> Option<Picture> {
    let cases: Vec<&Case> = operations.iter().flatten().copied().collect();
    let classes = classes(&cases);
    if classes.is_empty() {
        return None;
    }
    let highest =
        cases.iter().flat_map(|case| classes.iter().map(|class| requests(case, *class))).fold(0.0, f64::max);
    let scale = Scale::linear(highest);
    let mut picture = layout::titled(
        "Requests of one operation, by size",
        "Allocations and reallocations that asked for a size.",
    );
    layout::push_legend(&mut picture, &codec_legend(&cases, palette));
    for compared in operations.iter().filter(|compared| !compared.is_empty()) {
        push_panel(&mut picture, compared, &classes, scale, palette);
    }
    let middle = MARGIN + AXIS + (WIDTH - 2.0 * MARGIN - AXIS) / 2.0;
    picture.text((middle, picture.height + 12.0), "bytes asked for", LABEL, Anchor::Middle, INK);
    picture.height += 12.0 + MARGIN;
    Some(picture)
}

fn push_panel(
    picture: &mut Picture,
    cases: &[&Case],
    classes: &[(u64, u64)],
    scale: Scale,
    palette: &Palette<'_>,
) {
    let heading = format!("{} {}", cases[0].operation, cases[0].model);
    picture.text((MARGIN + AXIS, picture.height + 12.0), heading, LABEL, Anchor::Start, GRAY);
    let left = MARGIN + AXIS;
    let area = Area { left, top: picture.height + HEADING, width: WIDTH - MARGIN - left, height: PANEL };
    layout::push_axis_left(picture, area, scale, figure);
    layout::push_name_left(picture, area.top, area.bottom(), "requests per operation");
    let group = area.width / classes.len() as f64;
    let bar = (group * 0.8 / cases.len() as f64).min(60.0);
    // Names that do not fit beside each other are left out in turn, figures that do not fit over their bars are all left out.
    let name_width = widest(classes.iter().map(|class| class_name(*class)));
    let named = ((name_width + 8.0) / group).ceil().max(1.0) as usize;
    let figures = cases.iter().flat_map(|case| classes.iter().map(|class| figure(requests(case, *class))));
    let has_figures = widest(figures) <= bar;
    for (index, class) in classes.iter().enumerate() {
        let middle = area.left + (index as f64 + 0.5) * group;
        picture.line((middle + group / 2.0, area.top), (middle + group / 2.0, area.bottom() + NAMES), PALE);
        if index % named == 0 {
            picture.text((middle, area.bottom() + 12.0), class_name(*class), SMALL, Anchor::Middle, INK);
        }
        for (position, case) in cases.iter().enumerate() {
            let requests = requests(case, *class);
            let x = middle + (position as f64 - cases.len() as f64 / 2.0) * bar;
            let height = scale.place(requests) * area.height;
            picture.bar((x, area.bottom() - height), (bar - 2.0, height), palette.of_codec(&case.codec));
            let at = (x + bar / 2.0 - 1.0, area.bottom() - height - 8.0);
            let color = if requests > 0.0 { INK } else { GRAY };
            if has_figures {
                picture.text_over_lines(at, figure(requests), SMALL, Anchor::Middle, color);
            }
        }
    }
    picture.line((area.left, area.bottom()), (area.right(), area.bottom()), OTHER);
    picture.height = area.bottom() + NAMES;
}

/// Every class from the smallest to the largest that a case has, gaps included in order.
fn classes(cases: &[&Case]) -> Vec<(u64, u64)> {
    let bounds = |class: &SizeClass| (class.from_bytes, class.to_bytes);
    let asked = cases.iter().flat_map(|case| &case.size_classes).filter(|class| class.requests > 0);
    let mut classes: Vec<(u64, u64)> = asked.map(bounds).collect();
    classes.sort_unstable();
    classes.dedup();
    classes
}

/// Requests of one operation in a class.
fn requests(case: &Case, class: (u64, u64)) -> f64 {
    let of_class = case.size_classes.iter().filter(|size| (size.from_bytes, size.to_bytes) == class);
    total(of_class.map(|size| size.requests)) as f64 / case.iterations.max(1) as f64
}

fn widest(labels: impl Iterator<Item = String>) -> f64 {
    labels.map(|label| font::width_of(&label, SMALL)).fold(0.0, f64::max)
}

/// Large classes are told by their beginnings, in units of 1,024.
fn class_name((from, to): (u64, u64)) -> String {
    match from {
        _ if from == to => count(from),
        0..1024 => format!("{}–{}", count(from), count(to)),
        1024..1_048_576 => format!("{} KB+", count(from >> 10)),
        _ => format!("{} MB+", count(from >> 20)),
    }
}
