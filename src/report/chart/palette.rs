//! Colors that color-blind readers tell apart, the same for the same thing in every chart.

use std::collections::HashMap;

use plotters::style::RGBColor;

use crate::report::case_name::is_single;
use crate::results::Results;

/// Text and axes.
pub(super) const INK: RGBColor = RGBColor(34, 34, 34);
/// What stands back: units, notes.
pub(super) const GRAY: RGBColor = RGBColor(96, 96, 96);
/// Lines of a grid.
pub(super) const PALE: RGBColor = RGBColor(222, 222, 222);
/// Everything that has no color of its own.
pub(in crate::report) const OTHER: RGBColor = RGBColor(170, 170, 170);

/// Okabe and Ito's colors without black, then a darker and a lighter one of each: neighbors differ in lightness too.
const COLORS: [RGBColor; 20] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    RGBColor(240, 228, 66),
    RGBColor(0, 60, 97),
    RGBColor(252, 212, 130),
    RGBColor(0, 86, 62),
    RGBColor(235, 196, 219),
    RGBColor(30, 110, 160),
    RGBColor(128, 52, 0),
    RGBColor(150, 215, 190),
    RGBColor(120, 60, 92),
    RGBColor(185, 220, 245),
    RGBColor(140, 95, 0),
    RGBColor(245, 160, 110),
    RGBColor(140, 130, 20),
    RGBColor(60, 60, 60),
];

/// Which type and which codec has which color.
pub(in crate::report) struct Palette<'a> {
    types: HashMap<&'a str, usize>,
    codecs: Vec<&'a str>,
}

impl<'a> Palette<'a> {
    /// Colors for every codec, and for the types that take the largest share of a case that is charted by type.
    pub(in crate::report) fn new(results: &'a Results) -> Self {
        let mut codecs: Vec<&str> = Vec::new();
        let mut weights: Vec<(&str, f64)> = Vec::new();
        let mut rows: HashMap<&str, usize> = HashMap::new();
        let has_singles = results.cases.iter().any(is_single);
        for case in &results.cases {
            if !codecs.contains(&case.codec.as_str()) {
                codecs.push(&case.codec);
            }
            let charted = is_single(case) || !has_singles;
            for row in case.types.iter().filter(|_| charted) {
                let index = *rows.entry(&row.name).or_insert_with(|| {
                    weights.push((&row.name, 0.0));
                    weights.len() - 1
                });
                weights[index].1 = weights[index].1.max(row.percent);
            }
        }
        weights.sort_by(|left, right| right.1.total_cmp(&left.1));
        let types =
            weights.iter().take(COLORS.len()).enumerate().map(|(rank, (name, _))| (*name, rank)).collect();
        Self { types, codecs }
    }

    /// A type's color and its place in a legend; none for those beyond the palette.
    pub(in crate::report) fn of_type(&self, name: &str) -> Option<(usize, RGBColor)> {
        self.types.get(name).map(|&rank| (rank, COLORS[rank]))
    }

    /// The types that have a color of their own, in the order of their ranks.
    #[cfg(feature = "export")]
    pub(in crate::report) fn types(&self) -> Vec<(&'a str, RGBColor)> {
        let mut types: Vec<(&str, usize)> = self.types.iter().map(|(&name, &rank)| (name, rank)).collect();
        types.sort_by_key(|(_, rank)| *rank);
        types.into_iter().map(|(name, rank)| (name, COLORS[rank])).collect()
    }

    /// A codec's color.
    pub(super) fn of_codec(&self, name: &str) -> RGBColor {
        let index = self.codecs.iter().position(|codec| *codec == name).unwrap_or(0);
        COLORS[index % COLORS.len()]
    }
}

/// A color on its way to white.
pub(super) fn tint(RGBColor(red, green, blue): RGBColor, share: f64) -> RGBColor {
    let lift = |part: u8| (f64::from(part) + (255.0 - f64::from(part)) * share).round() as u8;
    RGBColor(lift(red), lift(green), lift(blue))
}
