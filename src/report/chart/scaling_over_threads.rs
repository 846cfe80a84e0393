//! Parallel loops by their iterations: bytes and time of an object, a line for each codec.

use super::bytes_per_operation::codec_legend;
use super::font;
use super::layout::{self, Area, LABEL, MARGIN, SMALL, Title, WIDTH, amount};
use super::palette::{GRAY, INK, OTHER, Palette};
use super::picture::{Anchor, Picture};
use super::scale::Scale;
use crate::report::number::count;
use crate::results::Case;

/// The height of a plane.
const PLANE: f64 = 150.0;
/// Room above a plane: its heading, and the figure at its highest line.
const HEADING: f64 = 56.0;
/// Room below a plane: the figures of its axis, and what it measures.
const AXIS: f64 = 52.0;
/// Room between two planes beside each other.
const BETWEEN: f64 = 30.0;
/// Room between two figures below each other.
const FIGURE: f64 = 13.0;

/// What is shown of a loop's object.
struct Measure {
    name: &'static str,
    unit: &'static str,
    of: fn(&Case) -> Option<f64>,
}

const MEASURES: [Measure; 2] = [
    Measure { name: "bytes per object", unit: "B", of: |case| Some(case.bytes_per_op / objects(case)) },
    Measure {
        name: "nanoseconds per object",
        unit: "ns",
        of: |case| case.time.as_ref().map(|time| time.mean_ns / objects(case)),
    },
];

/// Objects that one operation takes.
fn objects(case: &Case) -> f64 {
    f64::from(case.objects.max(1)) * f64::from(case.batch.max(1)) * f64::from(case.threads.max(1))
}

/// Loops that differ by their iterations alone, of all codecs.
struct Group<'a> {
    heading: String,
    lines: Vec<Vec<&'a Case>>,
}

/// The chart; none if no codec's loop was run with different numbers of iterations.
pub(super) fn picture(
    cases: &[&Case],
    profile: &str,
    pool_threads: u32,
    palette: &Palette<'_>,
) -> Option<Picture> {
    let groups = groups(cases);
    if groups.is_empty() {
        return None;
    }
    let text = "Parallel loops: bytes and time of one object, by the loop's iterations";
    let threads = match pool_threads {
        0 => "threads of one pool".to_owned(),
        1 => "the one thread of a pool".to_owned(),
        threads => format!("the {} threads of a pool", count(threads.into())),
    };
    let explanation =
        format!("The iterations of a loop are shared by {threads}; each takes one value. Lower is better.");
    let mut picture = layout::titled(Title { text, profile }, &explanation);
    let shown: Vec<&Case> = groups.iter().flat_map(|group| group.lines.iter().flatten().copied()).collect();
    layout::push_legend(&mut picture, &codec_legend(&shown, palette));
    let measures: Vec<&Measure> =
        MEASURES.iter().filter(|measure| shown.iter().any(|case| (measure.of)(case).is_some())).collect();
    for group in &groups {
        let width = (WIDTH - 2.0 * MARGIN - BETWEEN * (measures.len() - 1) as f64) / measures.len() as f64;
        for (index, measure) in measures.iter().enumerate() {
            let left = MARGIN + (width + BETWEEN) * index as f64;
            let area = Area { left, top: picture.height, width, height: HEADING + PLANE + AXIS };
            push_plane(&mut picture, area, group, measure, palette);
        }
        picture.height += HEADING + PLANE + AXIS;
    }
    picture.height += MARGIN;
    Some(picture)
}

/// Loops in the order of their first rows; a codec's line has to have two points.
fn groups<'a>(cases: &[&'a Case]) -> Vec<Group<'a>> {
    let key = |case: &Case| {
        (case.operation.clone(), case.model.clone(), case.variant.clone(), case.batch, case.objects)
    };
    let loops: Vec<&Case> = cases.iter().copied().filter(|case| case.parallel).collect();
    let mut kinds: Vec<(_, Vec<&Case>)> = Vec::new();
    for case in loops {
        match kinds.iter_mut().find(|(known, _)| *known == key(case)) {
            Some((_, of_kind)) => of_kind.push(case),
            None => kinds.push((key(case), vec![case])),
        }
    }
    let groups = kinds.into_iter().map(|((operation, model, ..), cases)| Group {
        heading: format!("{operation} {model}"),
        lines: lines(&cases),
    });
    groups.filter(|group| !group.lines.is_empty()).collect()
}

fn lines<'a>(cases: &[&'a Case]) -> Vec<Vec<&'a Case>> {
    let mut lines: Vec<Vec<&Case>> = Vec::new();
    for case in cases {
        match lines.iter_mut().find(|line| line[0].codec == case.codec) {
            Some(line) => line.push(case),
            None => lines.push(vec![case]),
        }
    }
    for line in &mut lines {
        line.sort_by_key(|case| case.threads);
        line.dedup_by_key(|case| case.threads);
    }
    lines.retain(|line| line.len() > 1);
    lines
}

fn push_plane(
    picture: &mut Picture,
    room: Area,
    group: &Group<'_>,
    measure: &Measure,
    palette: &Palette<'_>,
) {
    let figures: Vec<f64> = group.lines.iter().flatten().filter_map(|case| (measure.of)(case)).collect();
    let down = Scale::fitting(&figures);
    let most = group.lines.iter().flatten().map(|case| case.threads).max().unwrap_or(1);
    let across = Scale::whole_until(most.into());
    let figure_room = layout::widest(figures.iter().map(|&number| label(number, measure)), SMALL) + 12.0;
    let left = room.left + layout::axis_room(down, amount) - MARGIN;
    let plane = Area {
        left,
        top: room.top + HEADING,
        width: (room.left + room.width - figure_room - left).max(40.0),
        height: PLANE,
    };
    let heading = font::fit(&group.heading, LABEL, room.width);
    picture.text((room.left, room.top + 14.0), heading, LABEL, Anchor::Start, INK);
    let unit = format!("{}{}", measure.name, down.kind());
    picture.text((room.left, room.top + 34.0), unit, SMALL, Anchor::Start, GRAY);
    layout::push_axis_left(picture, plane, down, amount);
    push_iterations(picture, plane, across, group);
    let place = |case: &Case, number: f64| {
        let x = plane.left + across.place(case.threads.into()) * plane.width;
        (x, plane.bottom() - down.place(number) * plane.height)
    };
    let mut ends = Vec::new();
    for line in &group.lines {
        let color = palette.of_codec(&line[0].codec);
        let points: Vec<_> = line.iter().filter_map(|case| Some(place(case, (measure.of)(case)?))).collect();
        let Some(&end) = points.last() else { continue };
        picture.path(points.clone(), color);
        points.into_iter().for_each(|point| picture.dot(point, color));
        let last = line.iter().filter_map(|case| (measure.of)(case)).next_back().unwrap_or(0.0);
        ends.push((end, label(last, measure)));
    }
    push_ends(picture, plane, ends);
}

fn label(number: f64, measure: &Measure) -> String {
    let shown = if number.abs() < 1000.0 { number } else { number.round() };
    format!("{} {}", amount(shown), measure.unit)
}

/// The iterations that the loops were run with, each where it stands; those that would touch are left out.
fn push_iterations(picture: &mut Picture, plane: Area, across: Scale, group: &Group<'_>) {
    picture.line((plane.left, plane.bottom()), (plane.right(), plane.bottom()), OTHER);
    let mut all: Vec<u32> = group.lines.iter().flatten().map(|case| case.threads).collect();
    all.sort_unstable();
    all.dedup();
    let mut end_of_last = f64::NEG_INFINITY;
    for iterations in all {
        let x = plane.left + across.place(iterations.into()) * plane.width;
        picture.line((x, plane.bottom()), (x, plane.bottom() + 4.0), OTHER);
        let half = font::width_of(&count(iterations.into()), SMALL) / 2.0;
        if x - half > end_of_last + 4.0 {
            let at = (x, plane.bottom() + 14.0);
            picture.text(at, count(iterations.into()), SMALL, Anchor::Middle, GRAY);
            end_of_last = x + half;
        }
    }
    let middle = plane.left + plane.width / 2.0;
    let name = font::fit("iterations of one loop", LABEL, plane.width);
    picture.text((middle, plane.bottom() + 32.0), name, LABEL, Anchor::Middle, INK);
}

/// The figures at the ends of the lines: moved apart where they would touch, left out where there is no room for all.
fn push_ends(picture: &mut Picture, plane: Area, mut ends: Vec<((f64, f64), String)>) {
    ends.sort_by(|left, right| left.0.1.total_cmp(&right.0.1));
    if ends.len() as f64 * FIGURE > plane.height {
        return;
    }
    let mut lowest = plane.bottom() + FIGURE;
    let mut ys: Vec<f64> = ends.iter().map(|((_, y), _)| *y).collect();
    for y in ys.iter_mut().rev() {
        *y = y.min(lowest - FIGURE);
        lowest = *y;
    }
    let mut highest = plane.top - FIGURE * 1.5;
    for y in &mut ys {
        *y = y.max(highest + FIGURE);
        highest = *y;
    }
    for (((x, _), label), y) in ends.into_iter().zip(ys) {
        picture.text((x + 10.0, y), label, SMALL, Anchor::Start, INK);
    }
}
