//! Live bytes over one operation, call by call of the allocator, colored by type.

use plotters::style::RGBColor;

use super::allocations_by_type::type_legend;
use super::font;
use super::layout::{self, Area, LABEL, MARGIN, SMALL, Title, WIDTH, amount, amount_of_bytes};
use super::palette::{GRAY, INK, OTHER, Palette};
use super::picture::{Anchor, Picture};
use super::scale::Scale;
use crate::report::case_name;
use crate::report::number::{count, total};
use crate::results::{Case, HeapEvent, HeapEventKind, TypeRow};

/// The height of the highest panel; the others are as high as the same scale makes them.
const PANEL: f64 = 170.0;
/// The same where panels are many.
const LOW_PANEL: f64 = 80.0;
/// More panels than these are many.
const FEW_PANELS: usize = 4;
/// Room for a line above a panel.
const LINE: f64 = 20.0;
/// Room above a panel's plane, for the figure at its highest line.
const GAP: f64 = 10.0;
/// Steps that a panel's width can show.
const MOST_STEPS: usize = 880;

/// A case's panel: live bytes of each of its types after each event.
struct Panel<'a> {
    case: &'a Case,
    name: String,
    heaps: Vec<Vec<u64>>,
}

/// The chart of the cases of an operation, a panel for each on the same scales; none if no case was recorded call by call.
pub(super) fn picture(cases: &[&Case], profile: &str, palette: &Palette<'_>) -> Option<Picture> {
    let first = cases.first()?;
    let is_recorded = |case: &&Case| !case.heap_events.is_empty() || case.allocations_per_op == 0.0;
    if !cases.iter().any(is_recorded) {
        return None;
    }
    let names: Vec<String> = cases.iter().map(|case| case_name::name(case, cases)).collect();
    let names = font::fit_all(&names.iter().map(String::as_str).collect::<Vec<_>>(), LABEL, WIDTH / 2.0);
    let panels: Vec<Panel<'_>> =
        cases.iter().zip(names).map(|(case, name)| Panel { case, name, heaps: heaps(case) }).collect();
    let longest = panels.iter().map(|panel| panel.heaps.len()).max().unwrap_or(0);
    let down = Scale::whole(panels.iter().map(Panel::highest).fold(0.0, f64::max));
    let across = Scale::whole_until(longest as f64);

    let title = format!("Live heap while one operation runs: {} {}", first.operation, first.model);
    let explanation = match longest {
        0 => "No call of the allocator in any of these cases: their heap stays as it is.",
        _ => {
            "Bytes alive after each call of the allocator, on one scale; each color is a type, the dot stands over the peak."
        }
    };
    let mut picture = layout::titled(Title { text: &title, profile }, explanation);
    let owners =
        cases.iter().flat_map(|case| case.heap_events.iter().map(|event| owner(case, event.type_index)));
    layout::push_legend(&mut picture, &type_legend(owners, palette));
    let planes = panels.iter().filter(|panel| !panel.heaps.is_empty()).count();
    let height = if planes > FEW_PANELS { LOW_PANEL } else { PANEL };
    let left = if planes == 0 { MARGIN } else { MARGIN + layout::axis_room(down, amount) };
    let mut area = Area { left, top: picture.height, width: WIDTH - MARGIN - left, height: 0.0 };
    let (mut last_plane, panels_top) = (None, area.top);
    for panel in &panels {
        area = panel.push(&mut picture, Area { top: area.bottom(), height, ..area }, [down, across], palette);
        last_plane = if panel.heaps.is_empty() { last_plane } else { Some(area) };
    }
    if last_plane.is_some() {
        layout::push_name_left(&mut picture, panels_top, area.bottom(), "live bytes");
        let below = Area { top: area.bottom(), height: 0.0, ..area };
        layout::push_axis_below(&mut picture, below, across, "calls of the allocator", amount);
    } else {
        picture.height = area.bottom() + MARGIN;
    }
    Some(picture)
}

impl Panel<'_> {
    /// Draws the panel in an area that is as high as the scale, and tells how much of it it took.
    fn push(
        &self,
        picture: &mut Picture,
        area: Area,
        [down, across]: [Scale; 2],
        palette: &Palette<'_>,
    ) -> Area {
        let heading = format!("{}: {}", self.name, self.calls());
        picture.text((area.left, area.top + LINE / 2.0), heading, LABEL, Anchor::Start, INK);
        let Some(peak) = self.peak() else { return Area { height: LINE, ..area } };
        let marked = (area.left + 4.0, area.top + LINE * 1.5);
        picture.dot(marked, INK);
        let named = font::fit(&self.peak_name(peak, area.width - 14.0), SMALL, area.width - 14.0);
        picture.text((area.left + 14.0, marked.1), named, SMALL, Anchor::Start, GRAY);

        // A panel of few bytes is still high enough for a second figure on its axis.
        let own = down.up_to(self.highest().max(down.end() / 6.0));
        let plane =
            Area { top: area.top + 2.0 * LINE + GAP, height: area.height * down.place(own.end()), ..area };
        layout::push_axis_left(picture, plane, own, amount);
        // Below the layers: it would cover those of few bytes.
        picture.line((plane.left, plane.bottom()), (plane.right(), plane.bottom()), OTHER);
        push_layers(
            picture,
            plane,
            own,
            &steps(plane, across, &self.heaps),
            &drawing_order(self.case, palette),
        );
        let x = plane.left + across.place(peak as f64 + 0.5) * plane.width;
        // Over the peak, so that a low one is not covered.
        picture.dot((x, plane.bottom() - own.place(self.highest()) * plane.height - 5.0), INK);
        Area { height: plane.bottom() + GAP - area.top, ..area }
    }

    /// How many calls of the allocator the case makes, and how many of them are shown.
    fn calls(&self) -> String {
        let kept = self.heaps.len() as u64;
        match kept {
            0 if self.case.allocations_per_op > 0.0 => "not recorded call by call".to_owned(),
            0 => "no allocation".to_owned(),
            1 => "1 call".to_owned(),
            _ if self.case.heap_events_complete => format!("{} calls", count(kept)),
            _ => match calls_of_operation(self.case) {
                all if all <= kept as f64 => format!("the first {} calls", count(kept)),
                all if all == all.trunc() => format!("the first {} of {} calls", count(kept), amount(all)),
                all => format!("the first {} of about {} calls", count(kept), amount(all.round())),
            },
        }
    }

    /// The bytes of the peak, the call that reached it, and who held most of it.
    fn peak_name(&self, peak: usize, width: f64) -> String {
        let heap = &self.heaps[peak];
        let most = heap.iter().enumerate().max_by_key(|(index, bytes)| (**bytes, std::cmp::Reverse(*index)));
        let (owner, bytes) =
            most.map_or(("(untyped)", 0), |(index, bytes)| (owner(self.case, index as u32), *bytes));
        let (of, later) = match self.case.heap_events_complete {
            true => ("", String::new()),
            // A loop's peak is of all its iterations, the calls are those of one.
            false if self.case.parallel => (" of these", String::new()),
            false => (
                " of these",
                format!("; of all calls: {}", amount_of_bytes(self.case.peak_live_bytes as f64)),
            ),
        };
        let (bytes_at_peak, call) = (amount_of_bytes(self.highest()), count(peak as u64 + 1));
        let name = format!("peak{of}: {bytes_at_peak} after call {call}; most is ");
        let held = format!(": {}{later}", amount_of_bytes(bytes as f64));
        let room = width - font::width_of(&name, SMALL) - font::width_of(&held, SMALL);
        name + &font::fit(owner, SMALL, room) + &held
    }

    /// The event after which most bytes were alive, the first of several.
    fn peak(&self) -> Option<usize> {
        let totals = self.heaps.iter().map(|heap| total(heap.iter().copied()));
        totals
            .enumerate()
            .max_by_key(|(index, bytes)| (*bytes, std::cmp::Reverse(*index)))
            .map(|(index, _)| index)
    }

    /// The most bytes alive after a call.
    fn highest(&self) -> f64 {
        self.heaps.iter().map(|heap| total(heap.iter().copied())).max().unwrap_or(0) as f64
    }
}

/// Calls that one operation makes, or one iteration of a parallel loop: what was recorded call by call.
fn calls_of_operation(case: &Case) -> f64 {
    let repeats = if case.parallel { case.threads.max(1) } else { 1 };
    (case.allocations_per_op + case.reallocations_per_op + case.frees_per_op) / f64::from(repeats)
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
