//! Bytes per operation, each case by its codec: allocated here, as modelled, as published.

use plotters::style::RGBColor;

use super::font;
use super::layout::{self, Area, LABEL, MARGIN, Mark, SMALL, Title, WIDTH, amount, amount_of_bytes};
use super::palette::{GRAY, INK, OTHER, Palette, tint};
use super::picture::{Anchor, Picture};
use super::scale::Scale;
use crate::report::case_name;
use crate::results::Case;

/// The height of one bar.
const BAR: f64 = 13.0;
/// Space between two cases.
const GAP: f64 = 7.0;
/// Room for the heading of an operation.
const HEADING: f64 = 26.0;

/// Which of a case's figures a bar shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    Allocated,
    Modelled,
    Published,
}

impl Measure {
    const ALL: [Self; 3] = [Self::Allocated, Self::Modelled, Self::Published];

    fn of(self, case: &Case) -> Option<f64> {
        match self {
            Self::Allocated => Some(case.bytes_per_op),
            Self::Modelled => case.modelled_dotnet_bytes_per_op,
            Self::Published => case.published.as_ref().and_then(|published| published.allocated_bytes),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Allocated => "allocated here, in Rust",
            Self::Modelled => "the same objects as modelled in .NET",
            Self::Published => "published, in .NET",
        }
    }

    /// A figure at the end of its bar; a bar of nothing does not show whose it is, so its label does.
    fn label(self, number: f64) -> String {
        match self {
            _ if number > 0.0 => amount_of_bytes(number),
            Self::Allocated => "0".to_owned(),
            Self::Modelled => "0 modelled".to_owned(),
            Self::Published => "0 published".to_owned(),
        }
    }

    fn mark(self, color: RGBColor) -> Mark {
        match self {
            Self::Allocated => Mark::Filled(color),
            Self::Modelled => Mark::Filled(tint(color, 0.55)),
            Self::Published => Mark::Outlined(color),
        }
    }
}

/// The chart of some cases; they stand by operation, then by what is encoded, then in the codecs' order.
pub(super) fn picture(title: Title<'_>, cases: &[&Case], palette: &Palette<'_>) -> Picture {
    let measures: Vec<Measure> = Measure::ALL
        .into_iter()
        .filter(|measure| cases.iter().any(|case| measure.of(case).is_some()))
        .collect();
    let figures: Vec<f64> =
        cases.iter().flat_map(|case| measures.iter().filter_map(|measure| measure.of(case))).collect();
    let scale = Scale::fitting(&figures);
    let mut picture = layout::titled(title, &explanation(cases, &measures));
    // Bars of one kind need no key: the axis says what they are.
    if measures.len() > 1 {
        let entries: Vec<_> =
            measures.iter().map(|measure| (measure.mark(GRAY), measure.name().to_owned())).collect();
        layout::push_legend(&mut picture, &entries);
    }
    layout::push_legend(&mut picture, &codec_legend(cases, palette));

    let names = fitting_names(cases);
    let left = MARGIN + layout::widest(names.iter(), LABEL) + 10.0;
    let labels = cases
        .iter()
        .flat_map(|case| measures.iter().filter_map(|measure| Some(measure.label(measure.of(case)?))));
    let figure_room = layout::widest(labels, SMALL) + 8.0;
    let rows: f64 = cases.iter().map(|case| row_height(case, &measures)).sum();
    let headings = case_name::operations(cases);
    let height = rows + HEADING * headings.len() as f64;
    let area = Area { left, top: picture.height, width: WIDTH - MARGIN - figure_room - left, height };
    layout::push_axis_below(&mut picture, area, scale, "bytes per operation", amount);

    let mut y = area.top;
    for operation in headings {
        picture.text(
            (MARGIN, y + HEADING / 2.0),
            font::fit(operation, LABEL, left - MARGIN),
            LABEL,
            Anchor::Start,
            GRAY,
        );
        y += HEADING;
        for (case, name) in in_order(cases, &names, operation) {
            let height = row_height(case, &measures);
            picture.text((left - 8.0, y + (height - GAP) / 2.0), name, LABEL, Anchor::End, INK);
            push_bars(
                &mut picture,
                Area { top: y, ..area },
                scale,
                case,
                &measures,
                palette.of_codec(&case.codec),
            );
            y += height;
        }
    }
    picture.line((left, area.top), (left, area.bottom()), OTHER);
    picture
}

/// What the cases are called, no wider than leaves room for their bars.
pub(super) fn fitting_names(cases: &[&Case]) -> Vec<String> {
    let names: Vec<String> = cases.iter().map(|case| case_name::name(case, cases)).collect();
    font::fit_all(&names.iter().map(String::as_str).collect::<Vec<_>>(), LABEL, 300.0)
}

/// What the bars are, and what a reader might miss in them.
fn explanation(cases: &[&Case], measures: &[Measure]) -> String {
    let mut text = "Requested bytes of one operation: fresh blocks and growth. Shorter is better.".to_owned();
    let is_published = |case: &&Case| Measure::Published.of(case).is_some();
    if measures.contains(&Measure::Published) && !cases.iter().all(is_published) {
        text += " No outlined bar: no published figure.";
    }
    if !measures.contains(&Measure::Published) {
        text += " No figures were published for these rows.";
    }
    if cases.iter().any(|case| case.variant == "concurrent" && is_published(case)) {
        text += "\nPublished figures hold what .NET's own parallel loop takes: about 1,600 B a call with one iteration, more with several.";
    }
    text
}

/// A codec's color is that of its bars.
pub(super) fn codec_legend(cases: &[&Case], palette: &Palette<'_>) -> Vec<(Mark, String)> {
    let mut entries: Vec<(Mark, String)> = Vec::new();
    for case in cases {
        if entries.iter().all(|(_, name)| *name != case.codec) {
            entries.push((Mark::Filled(palette.of_codec(&case.codec)), case.codec.clone()));
        }
    }
    entries
}

fn row_height(case: &Case, measures: &[Measure]) -> f64 {
    measures.iter().filter(|measure| measure.of(case).is_some()).count() as f64 * BAR + GAP
}

/// Cases that encode the same stand together.
pub(super) fn in_order<'a>(
    cases: &[&'a Case],
    names: &'a [String],
    operation: &str,
) -> Vec<(&'a Case, &'a str)> {
    let key = |case: &Case| (case.model.clone(), case.batch, case.threads, case.variant == "concurrent");
    let mut kinds = Vec::new();
    for case in cases {
        if !kinds.contains(&key(case)) {
            kinds.push(key(case));
        }
    }
    let mut ordered: Vec<(&Case, &str)> = cases
        .iter()
        .copied()
        .zip(names.iter().map(String::as_str))
        .filter(|(case, _)| case.operation == operation)
        .collect();
    ordered.sort_by_key(|(case, _)| kinds.iter().position(|kind| *kind == key(case)));
    ordered
}

fn push_bars(
    picture: &mut Picture,
    row: Area,
    scale: Scale,
    case: &Case,
    measures: &[Measure],
    color: RGBColor,
) {
    let mut y = row.top;
    for measure in measures {
        let Some(number) = measure.of(case) else { continue };
        let width = scale.place(number) * row.width;
        match measure.mark(color) {
            Mark::Filled(color) => picture.bar((row.left, y + 1.0), (width, BAR - 2.0), color),
            Mark::Outlined(color) => picture.frame((row.left, y + 1.0), (width, BAR - 3.0), color),
        }
        picture.text_over_lines(
            (row.left + width + 6.0, y + BAR / 2.0),
            measure.label(number),
            SMALL,
            Anchor::Start,
            INK,
        );
        y += BAR;
    }
}
