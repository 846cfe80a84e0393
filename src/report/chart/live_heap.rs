//! Live bytes over one operation, call by call of the allocator, colored by type.

use plotters::style::RGBColor;

use super::allocations_by_type::type_legend;
use super::layout::{self, Area, LABEL, MARGIN, WIDTH};
use super::palette::{GRAY, OTHER, Palette};
use super::picture::{Anchor, Picture};
use super::scale::Scale;
use crate::report::case_name;
use crate::report::number::{figure, plain_bytes, total};
use crate::results::{Case, HeapEvent, HeapEventKind, TypeRow};

/// The height of the highest panel; the others are as high as the same scale makes them.
const PANEL: f64 = 170.0;
const HEADING: f64 = 30.0;
/// Room at the left for the axis.
const AXIS: f64 = 88.0;
/// Steps that a panel's width can show.
const MOST_STEPS: usize = 880;

/// A case's panel: live bytes of each of its types after each event.
struct Panel<'a> {
    case: &'a Case,
    heaps: Vec<Vec<u64>>,
}

/// The chart of the cases of an operation, a panel for each on the same scales; none if no case has events.
pub(super) fn picture(cases: &[&Case], palette: &Palette<'_>) -> Option<Picture> {
    let first = cases.first()?;
    let longest = cases.iter().map(|case| case.heap_events.len()).max().filter(|&events| events > 0)?;
    let panels: Vec<Panel<'_>> = cases.iter().map(|case| Panel { case, heaps: heaps(case) }).collect();
    let down = Scale::whole(panels.iter().map(Panel::peak).fold(0.0, f64::max));
    let across = Scale::linear_until(longest as f64);

    let title = format!("Live heap while one operation runs: {} {}", first.operation, first.model);
    let explanation = "Bytes alive after each call of the allocator, on one scale; each color is a type.";
    let mut picture = layout::titled(&title, explanation);
    let owners =
        cases.iter().flat_map(|case| case.heap_events.iter().map(|event| owner(case, event.type_index)));
    layout::push_legend(&mut picture, &type_legend(owners, palette));
    let panels_top = picture.height;
    let mut area =
        Area { left: MARGIN + AXIS, top: panels_top, width: WIDTH - 2.0 * MARGIN - AXIS, height: 0.0 };
    for panel in &panels {
        area = panel.push(&mut picture, area.bottom(), [down, across], palette, &panel.heading(cases));
    }
    layout::push_name_left(&mut picture, panels_top, area.bottom(), "live bytes");
    let below = Area { top: area.bottom(), height: 0.0, ..area };
    layout::push_axis_below(&mut picture, below, across, "calls of the allocator", figure);
    picture.height = below.bottom() + 34.0 + MARGIN;
    Some(picture)
}

impl Panel<'_> {
    /// Draws the panel below a place, and tells where it is.
    fn push(
        &self,
        picture: &mut Picture,
        top: f64,
        [down, across]: [Scale; 2],
        palette: &Palette<'_>,
        heading: &str,
    ) -> Area {
        let left = MARGIN + AXIS;
        picture.text((left, top + HEADING / 2.0), heading, LABEL, Anchor::Start, GRAY);
        let own = down.up_to(self.peak());
        let height = if self.heaps.is_empty() { 0.0 } else { PANEL * down.place(own.end()) };
        let area = Area { left, top: top + HEADING, width: WIDTH - MARGIN - left, height };
        if !self.heaps.is_empty() {
            layout::push_axis_left(picture, area, own, figure);
            push_layers(
                picture,
                area,
                own,
                &steps(area, across, &self.heaps),
                &drawing_order(self.case, palette),
            );
        }
        picture.line((left, area.bottom()), (area.right(), area.bottom()), OTHER);
        area
    }

    fn heading(&self, among: &[&Case]) -> String {
        let case = self.case;
        let name = case_name::name(case, among);
        let calls = match (case.heap_events.len(), case.heap_events_complete) {
            (0, _) if case.allocations_per_op > 0.0 => return format!("{name}: not recorded call by call"),
            (0, _) => return format!("{name}: no allocation"),
            (calls, true) => format!("{calls} calls"),
            (calls, false) => format!("the first {calls} calls"),
        };
        format!("{name}: {calls}, at most {} alive", plain_bytes(self.peak()))
    }

    /// The most bytes alive after a call.
    fn peak(&self) -> f64 {
        self.heaps.iter().map(|heap| total(heap.iter().copied())).max().unwrap_or(0) as f64
    }
}

fn owner(case: &Case, index: u32) -> &str {
    case.types.get(index as usize).map_or("(untyped)", |row| row.name.as_str())
}

/// Live bytes of each type after each event.
fn heaps(case: &Case) -> Vec<Vec<u64>> {
    let mut live = vec![0u64; case.types.len()];
    let after = |event: &HeapEvent| {
        apply(&mut live, event);
        live.clone()
    };
    case.heap_events.iter().map(after).collect()
}

/// Blocks from before the operation may be freed in it: no type's bytes fall below nothing.
fn apply(live: &mut [u64], event: &HeapEvent) {
    let mut change = |index: u32, gained: u64, lost: u64| {
        if let Some(bytes) = live.get_mut(index as usize) {
            *bytes = bytes.saturating_add(gained).saturating_sub(lost);
        }
    };
    match event.kind {
        HeapEventKind::Allocate => change(event.type_index, event.bytes, 0),
        HeapEventKind::Reallocate => {
            change(event.former_type_index, 0, event.former_bytes);
            change(event.type_index, event.bytes, 0);
        }
        HeapEventKind::Free => change(event.type_index, 0, event.bytes),
    }
}

/// A part of a panel's width, and the bytes of each type in it.
struct Step<'a> {
    from: f64,
    to: f64,
    heap: &'a [u64],
}

/// Steps over the width of a panel; where calls are too many, neighbors share one and the highest of them is drawn.
fn steps<'a>(area: Area, across: Scale, heaps: &'a [Vec<u64>]) -> Vec<Step<'a>> {
    let share = heaps.len().div_ceil(MOST_STEPS);
    let x = |call: usize| area.left + across.place(call as f64) * area.width;
    let step = |(index, together): (usize, &'a [Vec<u64>])| {
        let heap = together.iter().max_by_key(|heap| total(heap.iter().copied()))?;
        Some(Step { from: x(index * share), to: x(index * share + together.len()), heap })
    };
    heaps.chunks(share).enumerate().filter_map(step).collect()
}

/// Draws the layers from the bottom up; a layer is one bar for as long as it neither moves nor changes.
fn push_layers(
    picture: &mut Picture,
    area: Area,
    down: Scale,
    steps: &[Step<'_>],
    order: &[(usize, RGBColor)],
) {
    let mut below = vec![0u64; steps.len()];
    for &(index, color) in order {
        let edges: Vec<(u64, u64)> = steps
            .iter()
            .zip(&below)
            .map(|(step, &low)| (low, low.saturating_add(step.heap[index])))
            .collect();
        let mut start = 0;
        for run in edges.chunk_by(|left, right| left == right) {
            let end = start + run.len();
            let (low, high) = (down.place(run[0].0 as f64), down.place(run[0].1 as f64));
            if high > low {
                let at = (steps[start].from, area.bottom() - high * area.height);
                picture.bar(at, (steps[end - 1].to - steps[start].from, (high - low) * area.height), color);
            }
            start = end;
        }
        below = edges.into_iter().map(|(_, high)| high).collect();
    }
}

/// Indices of types with their colors, the legend's first at the bottom.
fn drawing_order(case: &Case, palette: &Palette<'_>) -> Vec<(usize, RGBColor)> {
    let ranked = |(index, row): (usize, &TypeRow)| {
        let (rank, color) = palette.of_type(&row.name).unwrap_or((usize::MAX, OTHER));
        (rank, index, color)
    };
    let mut order: Vec<_> = case.types.iter().enumerate().map(ranked).collect();
    order.sort_by_key(|(rank, index, _)| (*rank, *index));
    order.into_iter().map(|(_, index, color)| (index, color)).collect()
}
