//! A flame graph, as SVG with search and zoom: inferno 0.12 draws it from the folded stacks.
//!
//! A type has the color that it has in the charts; functions are gray, so that types stand out. Results in which nothing
//! weighs anything give a picture that says so: to allocate nothing is no error. Frames of less than a ten-thousandth of
//! the width are left out, as inferno does it.

use std::collections::BTreeMap;
use std::io;

use inferno::flamegraph::color::{BackgroundColor, Color, PaletteMap};
use inferno::flamegraph::{FuncFrameAttrsMap, Options, TextTruncateDirection, from_lines};

use super::chart::palette::{OTHER, Palette};
use super::folded::{frame, lines, stacks, type_frame};
use super::number::count;
use super::{Format, View, Weight};
use crate::error::{Error, ErrorKind, Result};
use crate::fnv;
use crate::results::{CaseKey, Results};

pub(super) struct Flamegraph;

/// On colors of less than this luma, in thousandths of 255, white letters read better than black ones.
const DARK_LUMA: u32 = 100_000;

impl Format for Flamegraph {
    fn name(&self) -> &'static str {
        "flamegraph"
    }

    fn purpose(&self) -> &'static str {
        "a flame graph, as SVG with search and zoom"
    }

    fn extension(&self) -> &'static str {
        "svg"
    }

    fn file_name(&self) -> Option<&'static str> {
        Some("flamegraph.svg")
    }

    fn render(&self, results: &Results, view: &View) -> Result<Vec<u8>> {
        let stacks = stacks(results, view.weight)?;
        if stacks.is_empty() {
            return Ok(picture_of(nothing(results, view.weight)).into_bytes());
        }
        let mut colors = colors(results, &stacks);
        let attributes = white_letters(&colors)?;
        let mut options = options(results, view.weight);
        options.func_frameattrs = attributes;
        options.palette_map = Some(&mut colors);
        let mut svg = Vec::new();
        from_lines(&mut options, lines(&stacks).lines(), &mut svg).map_err(cannot_draw)?;
        svg.push(b'\n');
        Ok(svg)
    }
}

fn options<'a>(results: &Results, weight: Weight) -> Options<'a> {
    let mut options = Options::default();
    options.title = frame(if results.title.is_empty() { &results.profile } else { &results.title });
    options.subtitle = Some(subtitle(results, weight));
    options.count_name = count_name(weight).to_owned();
    options.name_type = "Frame:".to_owned();
    options.bgcolors = Some(BackgroundColor::Flat(Color { r: 255, g: 255, b: 255 }));
    options.text_truncate_direction = TextTruncateDirection::Right;
    options
}

/// Which cases are drawn, and what the widths are.
fn subtitle(results: &Results, weight: Weight) -> String {
    let cases = match results.cases.as_slice() {
        [case] => frame(&CaseKey::of(case).to_string()),
        cases => format!("{} cases", count(cases.len() as u64)),
    };
    let widths = match weight {
        Weight::Count => "allocations and reallocations",
        other => count_name(other),
    };
    format!("{cases}: {widths}")
}

fn count_name(weight: Weight) -> &'static str {
    match weight {
        Weight::Bytes => "bytes",
        Weight::Count => "allocations",
        Weight::Peak => "bytes at the peak",
    }
}

/// The colors of all frames, by their names.
fn colors(results: &Results, stacks: &BTreeMap<String, u64>) -> PaletteMap {
    let palette = Palette::new(results);
    let mut colors = PaletteMap::default();
    // The frame below all others has no name.
    for name in stacks.keys().flat_map(|stack| stack.split(';')).chain([""]) {
        colors.insert(name, pale(name));
    }
    for row in results.cases.iter().flat_map(|case| &case.types) {
        let color = palette.of_type(&row.name).map_or(OTHER, |(_, color)| color);
        colors.insert(type_frame(&row.name), Color { r: color.0, g: color.1, b: color.2 });
    }
    colors
}

/// A light gray that is always the same for a name, and mostly another for its neighbor.
fn pale(name: &str) -> Color {
    let gray = 200 + 5 * (fnv::hash(name.as_bytes()) % 8) as u8;
    Color { r: gray, g: gray, b: gray }
}

/// Letters on dark frames are white.
fn white_letters(colors: &PaletteMap) -> Result<FuncFrameAttrsMap> {
    let luma = |color: Color| 299 * u32::from(color.r) + 587 * u32::from(color.g) + 114 * u32::from(color.b);
    let dark = colors.iter().filter(|(_, color)| luma(*color) < DARK_LUMA);
    let lines: String = dark.map(|(name, _)| format!("{name}\tg_extra=fill=\"white\"\n")).collect();
    FuncFrameAttrsMap::from_reader(lines.as_bytes()).map_err(cannot_draw)
}

fn cannot_draw(source: io::Error) -> Error {
    Error::new(ErrorKind::Malformed, "the flame graph cannot be drawn").with_source(source)
}

fn nothing(results: &Results, weight: Weight) -> &'static str {
    match weight {
        _ if results.cases.is_empty() => "No case was measured.",
        Weight::Peak => "Nothing was alive at the peak.",
        Weight::Bytes | Weight::Count => "Nothing was allocated.",
    }
}

/// A sentence as a picture.
fn picture_of(sentence: &str) -> String {
    format!(
        "<svg version=\"1.1\" xmlns=\"http://www.w3.org/2000/svg\" width=\"1200\" height=\"60\" viewBox=\"0 0 1200 60\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#eeeeee\"/>\n\
         <text x=\"600\" y=\"35\" text-anchor=\"middle\" font-family=\"monospace\" font-size=\"17\">{sentence}</text>\n\
         </svg>\n"
    )
}
