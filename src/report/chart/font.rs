//! The letters of the charts: a subset of DejaVu Sans that comes with the crate, for no system font is relied on.
//!
//! They are set here and not by plotters, whose own setting leaves out the room to the left of a letter.

use std::sync::OnceLock;

use ab_glyph::{Font, FontRef, GlyphId, PxScale, ScaleFont, point};

use crate::report::width::{shorten, shorten_all};

/// The em square of a text of size 1, as plotters' SVG has it.
const EM: f64 = 1.0 / 1.24;

/// From the middle of small letters down to their line, in em squares.
const HALF_OF_X: f64 = 0.27;

fn letters() -> &'static FontRef<'static> {
    static LETTERS: OnceLock<FontRef<'static>> = OnceLock::new();
    LETTERS.get_or_init(|| {
        let font = FontRef::try_from_slice(include_bytes!("font/DejaVuSans-subset.ttf"));
        font.expect("the bundled font is a TrueType font")
    })
}

/// A font's scale is the height of its line.
fn scale(size: f64) -> PxScale {
    let line = letters().height_unscaled() / letters().units_per_em().unwrap_or(2048.0);
    PxScale::from((size * EM) as f32 * line)
}

/// The letter of a character; a sign in its place where there is none.
fn glyph(character: char) -> GlyphId {
    match letters().glyph_id(character) {
        GlyphId(0) => letters().glyph_id(char::REPLACEMENT_CHARACTER),
        known => known,
    }
}

/// How wide a text becomes, in pixels.
pub(super) fn width_of(text: &str, size: f64) -> f64 {
    let font = letters().as_scaled(scale(size));
    text.chars().map(|character| f64::from(font.h_advance(glyph(character)))).sum()
}

/// Calls `dot` with each pixel of a text, and how much of it is covered; the text begins at 0 on its middle height.
pub(super) fn set(text: &str, size: f64, mut dot: impl FnMut((i32, i32), f64)) {
    let font = letters().as_scaled(scale(size));
    let mut pen = point(0.0, (size * EM * HALF_OF_X) as f32);
    for glyph in text.chars().map(glyph) {
        if let Some(outline) = font.outline_glyph(glyph.with_scale_and_position(scale(size), pen)) {
            let corner = outline.px_bounds().min;
            outline.draw(|x, y, covered| {
                dot(
                    (corner.x as i32 + x as i32, corner.y as i32 + y as i32),
                    f64::from(covered.clamp(0.0, 1.0)),
                );
            });
        }
        pen.x += font.h_advance(glyph);
    }
}

/// A text that is at most so wide; its middle gives way.
pub(super) fn fit(text: &str, size: f64, width: f64) -> String {
    fit_all(&[text], size, width).remove(0)
}

/// Texts that are at most so wide, different ones still different.
pub(super) fn fit_all(texts: &[&str], size: f64, width: f64) -> Vec<String> {
    let widest = |texts: &[String]| texts.iter().map(|text| width_of(text, size)).fold(0.0, f64::max);
    let mut fitting: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
    let mut columns = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0) + 1;
    loop {
        let taken = widest(&fitting);
        if taken <= width {
            return fitting;
        }
        if columns <= 2 {
            return texts.iter().map(|text| shorten(text, 1)).collect();
        }
        // As many columns as the same letters would have room for.
        columns = ((columns as f64 * width / taken) as usize).clamp(2, columns - 1);
        fitting = shorten_all(texts, columns);
    }
}
