//! What the cost grows with, as a picture: a plane for each thing, on one scale.

use std::io;

use plotters::backend::SVGBackend;
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontDesc, FontFamily, FontStyle, FontTransform, IntoTextStyle, RGBColor, WHITE,
};

use super::{BASE, Costs, DHAT, OURS, SHAPED, STANDARD, Work, over};

const SIZE: (u32, u32) = (1000, 640);

const INK: RGBColor = RGBColor(34, 34, 34);
const GRAY: RGBColor = RGBColor(96, 96, 96);
const PALE: RGBColor = RGBColor(222, 222, 222);

const HEADING: f64 = 14.0;
const LABEL: f64 = 13.0;
const SMALL: f64 = 11.5;

/// The width and height of a plane.
const PLANE: (i32, i32) = (395, 150);
/// The left and upper edges of the planes.
const LEFT: [i32; 2] = [90, 580];
const TOP: [i32; 2] = [145, 415];

/// The axis of time, in powers of ten of nanoseconds.
const DECADES: std::ops::RangeInclusive<i32> = 0..=5;

/// Instruments with a line; Okabe and Ito's blue and vermilion, and a name.
const LINES: [(usize, RGBColor, &str); 2] =
    [(OURS, RGBColor(0, 114, 178), "recorder, in a window"), (DHAT, RGBColor(213, 94, 0), "dhat")];

/// Whether a part could be drawn.
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// One plane: what differs between its works.
struct Plane {
    heading: &'static str,
    unit: &'static str,
    works: Vec<(String, Work)>,
}

/// Draws the costs of [`SHAPED`].
pub(super) fn draw(costs: &Costs, path: &str) -> io::Result<()> {
    let mut text = String::new();
    draw_all(&mut SVGBackend::with_string(&mut text, SIZE), costs)
        .map_err(|err| io::Error::other(err.to_string()))?;
    std::fs::write(path, text)
}

fn draw_all(svg: &mut SVGBackend<'_>, costs: &Costs) -> Drawn {
    svg.draw_rect((0, 0), (SIZE.0 as i32, SIZE.1 as i32), &WHITE.filled(), true)?;
    write(svg, "What recording adds to an allocation and its free", (24, 30), (18.0, INK), HPos::Left)?;
    let shape = BASE.shape.unwrap_or_default();
    let frames = costs[&(STANDARD.len() + 1, OURS)].frames;
    let base = format!(
        "Nanoseconds over the system allocator alone, on a logarithmic scale; lower is better. \
         Unless varied: {frames} frames, {} site, {} live blocks, {} thread.",
        shape[1],
        grouped(shape[2]),
        BASE.threads,
    );
    write(svg, &base, (24, 56), (LABEL, GRAY), HPos::Left)?;
    for (index, (_, color, name)) in LINES.into_iter().enumerate() {
        let x = 30 + 200 * index as i32;
        svg.draw_circle((x, 84), 5, &color.filled(), true)?;
        write(svg, name, (x + 12, 84), (LABEL, INK), HPos::Left)?;
    }
    for (index, plane) in planes(costs).iter().enumerate() {
        draw_plane(svg, costs, plane, (LEFT[index % 2], TOP[index / 2]))?;
    }
    Ok(svg.present()?)
}

fn planes(costs: &Costs) -> [Plane; 4] {
    let of = |works: &[usize], name: &dyn Fn(usize) -> String| {
        works.iter().map(|&index| (name(index), SHAPED[index])).collect()
    };
    let shape = |index: usize| SHAPED[index].shape.unwrap_or_default();
    let frames = |index: usize| costs[&(STANDARD.len() + index, OURS)].frames.to_string();
    [
        Plane { heading: "Depth of the stack", unit: "frames", works: of(&[0, 1, 2], &frames) },
        Plane {
            heading: "Distinct stacks",
            unit: "sites",
            works: of(&[1, 3, 4], &|index| grouped(shape(index)[1])),
        },
        Plane {
            heading: "Blocks held",
            unit: "live blocks",
            works: of(&[1, 5], &|index| grouped(shape(index)[2])),
        },
        Plane {
            heading: "Threads that allocate at once",
            unit: "threads",
            works: of(&[1, 6], &|index| SHAPED[index].threads.to_string()),
        },
    ]
}

fn draw_plane(svg: &mut SVGBackend<'_>, costs: &Costs, plane: &Plane, (left, top): (i32, i32)) -> Drawn {
    let (width, height) = PLANE;
    write(svg, plane.heading, (left, top - 22), (HEADING, INK), HPos::Left)?;
    for decade in DECADES {
        let y = height_of(10_f64.powi(decade), top);
        svg.draw_line((left, y), (left + width, y), &PALE.stroke_width(1))?;
        let figure = format!("{} ns", grouped(10_u32.pow(decade as u32)));
        write(svg, &figure, (left - 8, y), (SMALL, GRAY), HPos::Right)?;
    }
    let count = plane.works.len() as i32;
    let along = |index: usize| left + width * (2 * index as i32 + 1) / (2 * count);
    for (index, (name, _)) in plane.works.iter().enumerate() {
        write(svg, name, (along(index), top + height + 16), (LABEL, INK), HPos::Center)?;
    }
    write(svg, plane.unit, (left + width / 2, top + height + 36), (SMALL, GRAY), HPos::Center)?;
    for (instrument, color, _) in LINES {
        let nanos = plane.works.iter().map(|(_, work)| over(costs, *work, instrument));
        let points: Vec<_> =
            nanos.enumerate().map(|(index, nanos)| ((along(index), height_of(nanos, top)), nanos)).collect();
        svg.draw_path(points.iter().map(|(at, _)| *at), &color.stroke_width(2))?;
        for ((x, y), nanos) in points {
            svg.draw_circle((x, y), 4, &color.filled(), true)?;
            let figure = figure(nanos);
            // No line runs through it.
            let half = 4 * figure.len() as i32;
            svg.draw_rect((x - half, y - 20), (x + half, y - 8), &WHITE.filled(), true)?;
            write(svg, &figure, (x, y - 14), (SMALL, INK), HPos::Center)?;
        }
    }
    Ok(())
}

fn height_of(nanos: f64, top: i32) -> i32 {
    let decades = f64::from(DECADES.end() - DECADES.start());
    let share = (nanos.max(1.0).log10() - f64::from(*DECADES.start())) / decades;
    top + PLANE.1 - (share.min(1.0) * f64::from(PLANE.1)).round() as i32
}

/// With a decimal below a hundred.
fn figure(nanos: f64) -> String {
    if nanos < 100.0 { format!("{nanos:.1}") } else { grouped(nanos.round() as u32) }
}

/// A number with commas between its thousands.
fn grouped(number: u32) -> String {
    match number / 1000 {
        0 => number.to_string(),
        thousands => format!("{},{:03}", grouped(thousands), number % 1000),
    }
}

fn write(
    svg: &mut SVGBackend<'_>,
    text: &str,
    at: (i32, i32),
    (size, color): (f64, RGBColor),
    side: HPos,
) -> Drawn {
    let font = FontDesc::new(FontFamily::SansSerif, size, FontStyle::Normal).transform(FontTransform::None);
    let style = font.into_text_style(&(1, 1)).color(&color).pos(Pos::new(side, VPos::Center));
    Ok(svg.draw_text(text, &style, at)?)
}
