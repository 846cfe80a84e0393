//! The letters of the charts: a subset of DejaVu Sans that comes with the crate, for no system font is relied on.

use std::sync::OnceLock;

use plotters::style::{FontDesc, FontFamily, FontStyle, register_font};

use crate::report::width::{shorten, shorten_all};

/// The family that an SVG names; the bundled letters stand in for it in a PNG and wherever text is measured.
const FAMILY: &str = "sans-serif";

static LETTERS: &[u8] = include_bytes!("font/DejaVuSans-subset.ttf");

/// The font of a size.
pub(super) fn of_size(size: f64) -> FontDesc<'static> {
    static REGISTERED: OnceLock<()> = OnceLock::new();
    REGISTERED.get_or_init(|| {
        let registered = register_font(FAMILY, FontStyle::Normal, LETTERS);
        assert!(registered.is_ok(), "the bundled font is a TrueType font");
    });
    FontDesc::new(FontFamily::SansSerif, size, FontStyle::Normal)
}

/// How wide a text becomes, in pixels.
pub(super) fn width_of(text: &str, size: f64) -> f64 {
    of_size(size).box_size(text).map_or(0.0, |(width, _)| f64::from(width))
}

/// A text that is at most so wide; its middle gives way.
pub(super) fn fit(text: &str, size: f64, width: f64) -> String {
    fit_all(&[text], size, width).remove(0)
}

/// Texts that are at most so wide, different ones still different.
pub(super) fn fit_all(texts: &[&str], size: f64, width: f64) -> Vec<String> {
    let fits = |texts: &[String]| texts.iter().all(|text| width_of(text, size) <= width);
    let whole: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
    if fits(&whole) {
        return whole;
    }
    // The narrowest letters are about a quarter of the size wide, so no more of them can fit.
    let most = (width / size * 4.0) as usize;
    let longest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let shortened =
        (2..=most.min(longest)).rev().map(|columns| shorten_all(texts, columns)).find(|texts| fits(texts));
    shortened.unwrap_or_else(|| texts.iter().map(|text| shorten(text, 1)).collect())
}
