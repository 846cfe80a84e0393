//! What all charts have in common: title, legend, axes.

use plotters::style::RGBColor;

use super::font;
use super::palette::{GRAY, INK, PALE};
use super::picture::{Anchor, Picture};
use super::scale::Scale;
use crate::report::number::{figure, plain_bytes};

/// Every picture's width.
pub(super) const WIDTH: f64 = 1000.0;
/// Space around everything.
pub(super) const MARGIN: f64 = 24.0;
/// The size of labels.
pub(super) const LABEL: f64 = 13.0;
/// The size of figures that stand at bars.
pub(super) const SMALL: f64 = 11.5;
const TITLE: f64 = 20.0;
/// The height of a line of a legend.
const LINE: f64 = 20.0;
const SWATCH: f64 = 12.0;
/// Room between two figures of an axis.
const LABEL_GAP: f64 = 6.0;
/// Figures from here on are written in powers of ten.
const LONGEST: f64 = 1e16;

/// Where something is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Area {
    pub(super) fn right(self) -> f64 {
        self.left + self.width
    }

    pub(super) fn bottom(self) -> f64 {
        self.top + self.height
    }
}

/// What a picture shows, and of which profile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Title<'a> {
    pub(super) text: &'a str,
    pub(super) profile: &'a str,
}

/// A new picture under its title and the lines that explain it.
pub(super) fn titled(title: Title<'_>, explanation: &str) -> Picture {
    let mut picture = Picture::new(WIDTH);
    let room = WIDTH - 2.0 * MARGIN;
    let profile = font::fit(title.profile, TITLE, room / 4.0);
    let of_profile = if profile.is_empty() { profile } else { format!(" (profile {profile})") };
    let text = font::fit(title.text, TITLE, room - font::width_of(&of_profile, TITLE));
    picture.text((MARGIN, MARGIN + 8.0), text + &of_profile, TITLE, Anchor::Start, INK);
    picture.height = MARGIN + 34.0;
    for line in explanation.lines() {
        let at = (MARGIN, picture.height);
        picture.text(at, font::fit(line, LABEL, room), LABEL, Anchor::Start, GRAY);
        picture.height += LINE;
    }
    picture.height += 2.0;
    picture
}

/// How an entry of a legend is marked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Mark {
    Filled(RGBColor),
    Outlined(RGBColor),
}

/// Adds a legend in columns as wide as its longest entry, and makes the picture as high as it needs.
pub(super) fn push_legend(picture: &mut Picture, entries: &[(Mark, String)]) {
    if entries.is_empty() {
        return;
    }
    let room = WIDTH - 2.0 * MARGIN;
    let names: Vec<&str> = entries.iter().map(|(_, name)| name.as_str()).collect();
    let names = font::fit_all(&names, LABEL, room / 2.0 - SWATCH - 24.0);
    let widest = names.iter().map(|name| font::width_of(name, LABEL)).fold(0.0, f64::max) + SWATCH + 24.0;
    let columns = ((room / widest) as usize).clamp(1, entries.len().max(1));
    let rows = entries.len().div_ceil(columns);
    for (index, ((mark, _), name)) in entries.iter().zip(names).enumerate() {
        // Down first, so that a column reads in order.
        let x = MARGIN + (index / rows) as f64 * widest;
        let y = picture.height + (index % rows) as f64 * LINE + LINE / 2.0;
        match *mark {
            Mark::Filled(color) => picture.bar((x, y - SWATCH / 2.0), (SWATCH, SWATCH), color),
            Mark::Outlined(color) => picture.frame((x, y - SWATCH / 2.0), (SWATCH, SWATCH), color),
        }
        picture.text((x + SWATCH + 7.0, y), name, LABEL, Anchor::Start, INK);
    }
    picture.height += rows as f64 * LINE + 10.0;
}

/// Draws the lines and figures of a horizontal axis below an area, and what it measures.
pub(super) fn push_axis_below(
    picture: &mut Picture,
    area: Area,
    scale: Scale,
    name: &str,
    show: impl Fn(f64) -> String,
) {
    let mut end_of_last = f64::NEG_INFINITY;
    for tick in scale.ticks() {
        let x = area.left + scale.place(tick) * area.width;
        picture.line((x, area.top), (x, area.bottom()), PALE);
        let label = show(tick);
        let half = font::width_of(&label, SMALL) / 2.0;
        // A line without its figure is read from its neighbors; two figures on one another are not read at all.
        if x - half > end_of_last + LABEL_GAP {
            picture.text((x, area.bottom() + 12.0), label, SMALL, Anchor::Middle, GRAY);
            end_of_last = x + half;
        }
    }
    let name = format!("{name}{}", scale.kind());
    picture.text((area.left + area.width / 2.0, area.bottom() + 34.0), name, LABEL, Anchor::Middle, INK);
    picture.height = area.bottom() + 34.0 + MARGIN;
}

/// Draws the lines and figures of a vertical axis left of an area.
pub(super) fn push_axis_left(picture: &mut Picture, area: Area, scale: Scale, show: impl Fn(f64) -> String) {
    let height = |tick| area.bottom() - scale.place(tick) * area.height;
    push_ticks_left(picture, area, scale.ticks().into_iter().map(|tick| (height(tick), show(tick))));
}

/// Draws lines at heights from the bottom up, with their figures; those that come too close to the one before are left out.
pub(super) fn push_ticks_left(picture: &mut Picture, area: Area, ticks: impl Iterator<Item = (f64, String)>) {
    let mut last = f64::INFINITY;
    for (y, label) in ticks.filter(|(y, _)| y.is_finite()) {
        if last - y >= SMALL {
            picture.line((area.left, y), (area.right(), y), PALE);
            picture.text((area.left - 8.0, y), label, SMALL, Anchor::End, GRAY);
            last = y;
        }
    }
}

/// The room that the figures of a vertical axis and its name take.
pub(super) fn axis_room(scale: Scale, show: impl Fn(f64) -> String) -> f64 {
    widest(scale.ticks().into_iter().map(show), SMALL) + 36.0
}

/// The widest of some texts.
pub(super) fn widest(texts: impl Iterator<Item = impl AsRef<str>>, size: f64) -> f64 {
    texts.map(|text| font::width_of(text.as_ref(), size)).fold(0.0, f64::max)
}

/// A figure as [`figure`] has it, or in powers of ten where it would be longer than an axis has room for.
pub(super) fn amount(number: f64) -> String {
    if number.abs() < LONGEST { figure(number) } else { format!("{number:.2e}") }
}

/// Bytes as [`plain_bytes`] has them, or in powers of ten.
pub(super) fn amount_of_bytes(number: f64) -> String {
    if number.abs() < LONGEST { plain_bytes(number) } else { format!("{number:.2e} B") }
}

/// Says what a vertical axis measures, or several with the same scale below each other.
pub(super) fn push_name_left(picture: &mut Picture, top: f64, bottom: f64, name: &str) {
    picture.upward_text((MARGIN + 4.0, (top + bottom) / 2.0), name, LABEL, INK);
}
