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

/// Okabe and Ito's colors without black, then those that are farthest from them and from each other.
const COLORS: [RGBColor; 20] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    RGBColor(240, 228, 66),
    RGBColor(90, 45, 120),
    RGBColor(195, 240, 195),
    RGBColor(105, 30, 0),
    RGBColor(150, 120, 255),
    RGBColor(180, 165, 75),
    RGBColor(0, 15, 120),
    RGBColor(210, 195, 225),
    RGBColor(225, 0, 75),
    RGBColor(120, 60, 105),
    RGBColor(105, 255, 135),
    RGBColor(135, 0, 240),
    RGBColor(45, 15, 30),
    RGBColor(90, 60, 195),
];

/// Which type and which codec has which color.
pub(in crate::report) struct Palette<'a> {
    types: HashMap<&'a str, usize>,
    codecs: Vec<&'a str>,
}

impl<'a> Palette<'a> {
    /// Colors for every codec, and for the types that take the largest share of a case that is charted by type.
    pub(in crate::report) fn new(results: &'a Results) -> Self {
        Self::of_runs(&[results])
    }

    /// Colors that are the same in several runs.
    pub(in crate::report) fn of_runs(runs: &[&'a Results]) -> Self {
        let mut codecs: Vec<&str> = Vec::new();
        let mut weights: Vec<(&str, f64)> = Vec::new();
        let mut rows: HashMap<&str, usize> = HashMap::new();
        let has_singles = runs.iter().any(|run| run.cases.iter().any(is_single));
        for case in runs.iter().flat_map(|run| &run.cases) {
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

#[cfg(test)]
mod tests {
    use std::iter::zip;

    use super::*;

    /// What red, green and blue become for eyes without one kind of cones, in linear light (Machado, Oliveira and Fernandes, 2009).
    const EYES: [(&str, [[f64; 3]; 3]); 4] = [
        ("all cones", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "no red",
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
        ),
        (
            "no green",
            [
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ],
        ),
        (
            "no blue",
            [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ],
        ),
    ];

    /// A color as CIELAB has it: what is far apart looks different.
    fn seen(RGBColor(red, green, blue): RGBColor, eyes: &[[f64; 3]; 3]) -> [f64; 3] {
        let linear = [red, green, blue].map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        let sum = |row: &[f64; 3], of: &[f64; 3]| zip(row, of).map(|(left, right)| left * right).sum::<f64>();
        let seen = eyes.map(|row| sum(&row, &linear).clamp(0.0, 1.0));
        let xyz = [
            sum(&[0.4124, 0.3576, 0.1805], &seen) / 0.950_47,
            sum(&[0.2126, 0.7152, 0.0722], &seen),
            sum(&[0.0193, 0.1192, 0.9505], &seen) / 1.088_83,
        ];
        let [x, y, z] = xyz.map(|t| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn no_two_colors_look_alike_to_anyone() {
        let backgrounds = [plotters::style::WHITE, OTHER];
        for (eyes, matrix) in EYES {
            for (index, &color) in COLORS.iter().enumerate() {
                for &other in COLORS[..index].iter().chain(&backgrounds) {
                    let pairs = zip(seen(color, &matrix), seen(other, &matrix));
                    let distance = pairs.map(|(left, right)| (left - right).powi(2)).sum::<f64>().sqrt();
                    let least = if other == OTHER { 9.0 } else { 14.0 };
                    assert!(distance >= least, "{color:?} and {other:?}, {eyes}: {distance}");
                }
            }
        }
    }
}
