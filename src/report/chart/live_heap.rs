//! Live bytes over one operation, call by call of the allocator, colored by type.

use super::allocations_by_type::type_legend;
use super::layout::{self, Area, LABEL, MARGIN, WIDTH};
use super::palette::{GRAY, OTHER, Palette};
use super::picture::{Anchor, Picture};
use super::scale::Scale;
use crate::report::case_name;
use crate::report::number::{bytes, figure};
use crate::results::{Case, HeapEvent, HeapEventKind};

/// The height of a codec's panel.
const PANEL: f64 = 170.0;
/// The height of a panel that has nothing to show.
const EMPTY: f64 = 24.0;
const HEADING: f64 = 30.0;
/// Room at the left for the axis.
const AXIS: f64 = 88.0;
/// Steps that a panel's width can show; beyond it, neighbors share one, and the highest is drawn.
const MOST_STEPS: usize = 880;

/// The chart of the cases of an operation, a panel for each on the same scales; none if no case has events.
pub(super) fn picture(cases: &[&Case], palette: &Palette<'_>) -> Option<Picture> {
    let first = cases.first()?;
    let longest = cases.iter().map(|case| case.heap_events.len()).max().filter(|&events| events > 0)?;
    let heaps: Vec<Vec<Vec<u64>>> = cases.iter().map(|case| heaps(case)).collect();
    let highest = heaps.iter().flatten().map(|heap| heap.iter().sum::<u64>()).max().unwrap_or(0);
    let (down, across) = (Scale::linear(highest as f64), Scale::linear_until(longest as f64));

    let title = format!("Live heap while one operation runs: {} `{}`", first.operation, first.model);
    let mut picture =
        layout::titled(&title, "Bytes alive after each call of the allocator; each color is a type.");
    let with_events =
        cases.iter().flat_map(|case| case.heap_events.iter().map(|event| owner(case, event.type_index)));
    layout::push_legend(&mut picture, &type_legend(with_events, palette));
    for (case, heaps) in cases.iter().zip(&heaps) {
        picture.text(
            (MARGIN, picture.height + HEADING / 2.0),
            heading(case, cases),
            LABEL,
            Anchor::Start,
            GRAY,
        );
        let (left, top) = (MARGIN + AXIS, picture.height + HEADING);
        let height = if heaps.is_empty() { EMPTY } else { PANEL };
        let area = Area { left, top, width: WIDTH - MARGIN - left, height };
        if !heaps.is_empty() {
            layout::push_axis_left(&mut picture, area, down, "live bytes", bytes);
            push_steps(&mut picture, area, down, across, case, heaps, palette);
        }
        picture.line((left, area.bottom()), (area.right(), area.bottom()), OTHER);
        picture.height = area.bottom() + 8.0;
    }
    let below = Area {
        left: MARGIN + AXIS,
        top: picture.height - 8.0,
        width: WIDTH - 2.0 * MARGIN - AXIS,
        height: 0.0,
    };
    layout::push_axis_below(&mut picture, below, across, "calls of the allocator", figure);
    picture.height = below.bottom() + 34.0 + MARGIN;
    Some(picture)
}

fn heading(case: &Case, among: &[&Case]) -> String {
    let name = case_name::name(case, among);
    match (case.heap_events.len(), case.heap_events_complete) {
        (0, _) => format!("{name}: no allocation"),
        (events, true) => format!("{name}: {events} calls"),
        (events, false) => format!("{name}: the first {events} calls"),
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

fn push_steps(
    picture: &mut Picture,
    area: Area,
    down: Scale,
    across: Scale,
    case: &Case,
    heaps: &[Vec<u64>],
    palette: &Palette<'_>,
) {
    let order = drawing_order(case, palette);
    let share = heaps.len().div_ceil(MOST_STEPS);
    for (step, together) in heaps.chunks(share).enumerate() {
        let Some(heap) = together.iter().max_by_key(|heap| heap.iter().sum::<u64>()) else { continue };
        let from = area.left + across.place((step * share) as f64) * area.width;
        let to = area.left + across.place((step * share + together.len()) as f64) * area.width;
        let mut below = 0;
        for &(index, color) in &order {
            if heap[index] > 0 {
                let (low, high) = (down.place(below as f64), down.place((below + heap[index]) as f64));
                let at = (from, area.bottom() - high * area.height);
                picture.bar(at, (to - from, (high - low) * area.height), color);
            }
            below += heap[index];
        }
    }
}

/// Indices of types with their colors, the legend's first at the bottom.
fn drawing_order(case: &Case, palette: &Palette<'_>) -> Vec<(usize, plotters::style::RGBColor)> {
    let ranked = |(index, row): (usize, &crate::results::TypeRow)| {
        let (rank, color) = palette.of_type(&row.name).unwrap_or((usize::MAX, OTHER));
        (rank, index, color)
    };
    let mut order: Vec<_> = case.types.iter().enumerate().map(ranked).collect();
    order.sort_by_key(|(rank, index, _)| (*rank, *index));
    order.into_iter().map(|(_, index, color)| (index, color)).collect()
}
