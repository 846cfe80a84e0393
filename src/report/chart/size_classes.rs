//! Requests of one operation by size.

use super::class_bars::Classes;
use super::layout::Title;
use super::palette::Palette;
use super::picture::Picture;
use crate::report::number::{count, total};
use crate::results::{Case, SizeClass};

/// The chart of the cases of each operation; none if nothing was requested.
pub(super) fn picture(operations: &[Vec<&Case>], profile: &str, palette: &Palette<'_>) -> Option<Picture> {
    let classes = classes(operations.iter().flatten().copied());
    let figures = |case: &Case| classes.iter().map(|class| requests(case, *class)).collect();
    Classes {
        title: Title { text: "Requests of one operation, by size", profile },
        explanation: "Allocations and reallocations that asked for a size. k: thousand, M: million; KB: 1,024 bytes.",
        unit: "requests per operation",
        across: "bytes asked for",
        nothing: "no request",
        names: classes.iter().map(|class| class_name(*class)).collect(),
        operations: operations
            .iter()
            .map(|cases| cases.iter().map(|&case| (case, figures(case))).collect())
            .collect(),
    }
    .picture(palette)
}

/// The classes that a case has requests of, from the smallest to the largest.
fn classes<'a>(cases: impl Iterator<Item = &'a Case>) -> Vec<(u64, u64)> {
    let bounds = |class: &SizeClass| (class.from_bytes, class.to_bytes);
    let asked = cases.flat_map(|case| &case.size_classes).filter(|class| class.requests > 0);
    let mut classes: Vec<(u64, u64)> = asked.map(bounds).collect();
    classes.sort_unstable();
    classes.dedup();
    classes
}

/// Requests of one operation in a class.
fn requests(case: &Case, class: (u64, u64)) -> f64 {
    let of_class = case.size_classes.iter().filter(|size| (size.from_bytes, size.to_bytes) == class);
    total(of_class.map(|size| size.requests)) as f64 / case.iterations.max(1) as f64
}

/// Large classes are told by their beginnings, in units of 1,024.
fn class_name((from, to): (u64, u64)) -> String {
    match from {
        _ if from == to => count(from),
        0..1024 => format!("{}–{}", count(from), count(to)),
        1024..1_048_576 => format!("{} KB+", count(from >> 10)),
        1_048_576..1_073_741_824 => format!("{} MB+", count(from >> 20)),
        _ => format!("{} GB+", count(from >> 30)),
    }
}
