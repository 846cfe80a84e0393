//! Live bytes over a whole run, between its operations: what grows here is kept.

use super::font;
use super::layout::{self, Area, LABEL, MARGIN, SMALL, Title, WIDTH, amount, amount_of_bytes};
use super::palette::{GRAY, INK, OTHER, Palette};
use super::picture::{Anchor, Picture};
use super::scale::Scale;
use crate::report::case_name;
use crate::report::number::{count, total};
use crate::results::{Case, HeapSample};

/// The height of the highest panel, above nothing and below it.
const PANEL: f64 = 120.0;
/// Room for a line of words.
const LINE: f64 = 20.0;
/// Room above and below a plane.
const GAP: f64 = 10.0;
/// What a case's name gets of the width at least.
const LEAST_NAME: f64 = 100.0;
/// Panels at most: more would be many pages.
const MOST_PANELS: usize = 12;

/// The chart of an operation: the compared cases, and any other whose heap does not come back to nothing; none if no heap
/// was looked at.
pub(super) fn picture(
    compared: &[&Case],
    of_operation: &[&Case],
    profile: &str,
    palette: &Palette<'_>,
) -> Option<Picture> {
    let is_compared = |case: &&Case| compared.iter().any(|other| std::ptr::eq(*other, *case));
    let mut cases: Vec<&Case> = compared.to_vec();
    cases.extend(of_operation.iter().filter(|case| !is_compared(case) && !is_flat(case)));
    cases.retain(|case| !case.heap_run.is_empty());
    let left_out = cases.len().saturating_sub(MOST_PANELS.max(compared.len()));
    cases.truncate(cases.len() - left_out);
    let first = cases.first()?;

    let title = format!("Live heap between operations: {}", first.operation);
    let mut picture = layout::titled(Title { text: &title, profile }, &explanation(&cases, left_out));
    let extent = |of: fn(f64) -> f64| cases.iter().map(|case| extreme(case, of)).fold(0.0, f64::max);
    let down = Scale::whole(extent(|bytes| bytes).max(extent(|bytes| -bytes)));
    let across = Scale::whole_until(cases.iter().map(|case| operations(case)).max().unwrap_or(0) as f64);
    let negative = |tick: f64| amount(-tick);
    let all_flat = cases.iter().all(|case| is_flat(case));
    let axis = layout::axis_room(down, amount).max(layout::axis_room(down, negative));
    let left = if all_flat { MARGIN } else { MARGIN + axis };
    let names: Vec<String> = cases.iter().map(|case| case_name::name(case, of_operation)).collect();
    let said = layout::widest(cases.iter().map(|case| format!(": {}", samples(case))), LABEL);
    let room = (WIDTH - MARGIN - left - said).max(LEAST_NAME);
    let names = font::fit_all(&names.iter().map(String::as_str).collect::<Vec<_>>(), LABEL, room);
    let mut area = Area { left, top: picture.height, width: WIDTH - MARGIN - left, height: 0.0 };
    let panels_top = area.top;
    for (case, name) in cases.iter().zip(&names) {
        area = push_panel(
            &mut picture,
            Area { top: area.bottom(), ..area },
            [down, across],
            case,
            name,
            palette,
        );
    }
    if all_flat {
        picture.height = area.bottom() + MARGIN;
        return Some(picture);
    }
    layout::push_name_left(&mut picture, panels_top, area.bottom(), "live bytes");
    let below = Area { top: area.bottom(), height: 0.0, ..area };
    layout::push_axis_below(&mut picture, below, across, "operations done", amount);
    Some(picture)
}

fn explanation(cases: &[&Case], left_out: usize) -> String {
    let what = "Bytes alive between operations, of those asked for in the counted window.";
    match (cases.iter().all(|case| is_flat(case)), left_out) {
        (true, _) => format!("{what} All stay at 0: nothing outlives its operation."),
        (false, 0) => format!("{what} What grows is kept."),
        (false, 1) => format!("{what} What grows is kept. One more case is not shown."),
        (false, left_out) => {
            format!("{what} What grows is kept. {} more cases are not shown.", count(left_out as u64))
        }
    }
}

/// Draws a case, and tells how much room it took: words alone where the heap always came back to nothing.
fn push_panel(
    picture: &mut Picture,
    area: Area,
    [down, across]: [Scale; 2],
    case: &Case,
    name: &str,
    palette: &Palette<'_>,
) -> Area {
    let heading = format!("{name}: {}", samples(case));
    picture.text((area.left, area.top + LINE / 2.0), heading, LABEL, Anchor::Start, INK);
    let detail = font::fit(&peak_name(case, area.width), SMALL, area.width);
    picture.text((area.left, area.top + LINE * 1.5), detail, SMALL, Anchor::Start, GRAY);
    let top = area.top + 2.0 * LINE + GAP;
    if is_flat(case) {
        return Area { height: top - area.top, ..area };
    }
    let (above, below) =
        (down.up_to(extreme(case, |bytes| bytes)), down.up_to(extreme(case, |bytes| -bytes)));
    let part = |scale: Scale, is_used: bool| if is_used { PANEL * down.place(scale.end()) } else { 0.0 };
    let has = |of: fn(f64) -> f64| extreme(case, of) > 0.0;
    let plane = Area { top, height: part(above, has(|bytes| bytes)), ..area };
    let depths = Area { top: plane.bottom(), height: part(below, has(|bytes| -bytes)), ..area };
    if plane.height > 0.0 {
        layout::push_axis_left(picture, plane, above, amount);
    }
    if depths.height > 0.0 {
        let ticks = below.ticks().into_iter().rev().filter(|&tick| tick > 0.0 || plane.height == 0.0);
        let y = |tick| depths.top + below.place(tick) * depths.height;
        layout::push_ticks_left(picture, depths, ticks.map(|tick| (y(tick), amount(-tick))));
    }
    picture.line((area.left, depths.top), (area.right(), depths.top), OTHER);
    let place = |operations: u64, bytes: f64| {
        let x = area.left + across.place(operations as f64) * area.width;
        let y = if bytes < 0.0 {
            depths.top + below.place(-bytes) * depths.height
        } else {
            plane.bottom() - above.place(bytes) * plane.height
        };
        (x, y)
    };
    let mut points = vec![place(0, 0.0)];
    points.extend(case.heap_run.iter().map(|sample| place(sample.operations, sample.live_bytes as f64)));
    picture.path(points, palette.of_codec(&case.codec));
    if let Some(highest) = highest(case) {
        picture.dot(place(highest.operations, highest.live_bytes as f64), INK);
    }
    Area { height: depths.bottom() + 2.0 * GAP - area.top, ..area }
}

/// What the heap was between operations.
fn samples(case: &Case) -> String {
    let (samples, operations) = (count(case.heap_run.len() as u64), count(operations(case)));
    match highest(case) {
        Some(highest) if !is_flat(case) => format!(
            "at most {} alive, after {} of {operations} operations (the dot)",
            amount_of_bytes(highest.live_bytes as f64),
            count(highest.operations)
        ),
        _ => format!("0 B alive at each of {samples} samples over {operations} operations"),
    }
}

/// The most that was alive at any time, also while an operation ran.
fn peak_name(case: &Case, width: f64) -> String {
    if case.peak_live_bytes == 0 {
        return "no allocation in any of them".to_owned();
    }
    let mut name = format!("peak while one ran: {}", amount_of_bytes(case.peak_live_bytes as f64));
    if let Some(requests) = case.peak_requests {
        name += &format!(" after request {} of the window", count(requests));
    }
    match holder(case) {
        None => name,
        Some((owner, bytes)) => {
            let held = format!(": {}", amount_of_bytes(bytes as f64));
            name += "; most is ";
            let room = width - font::width_of(&name, SMALL) - font::width_of(&held, SMALL);
            name + &font::fit(owner, SMALL, room) + &held
        }
    }
}

/// The type that held most at the peak, and how much.
fn holder(case: &Case) -> Option<(&str, u64)> {
    let at_peak = |index: usize| {
        total(case.sites.iter().filter(|site| site.type_index as usize == index).map(|site| site.peak_bytes))
    };
    let types = case.types.iter().enumerate().map(|(index, row)| (row.name.as_str(), at_peak(index)));
    types.filter(|(_, bytes)| *bytes > 0).rev().max_by_key(|(_, bytes)| *bytes)
}

fn operations(case: &Case) -> u64 {
    case.heap_run.iter().map(|sample| sample.operations).max().unwrap_or(0)
}

/// The sample of most bytes, the first of several.
fn highest(case: &Case) -> Option<&HeapSample> {
    case.heap_run.iter().rev().max_by_key(|sample| sample.live_bytes)
}

/// How far the samples go from nothing, up or down.
fn extreme(case: &Case, of: fn(f64) -> f64) -> f64 {
    case.heap_run.iter().map(|sample| of(sample.live_bytes as f64)).fold(0.0, f64::max)
}

fn is_flat(case: &Case) -> bool {
    case.heap_run.iter().all(|sample| sample.live_bytes == 0)
}
