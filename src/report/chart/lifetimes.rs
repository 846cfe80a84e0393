//! Blocks of one operation by how long they lived.

use super::class_bars::Classes;
use super::layout::Title;
use super::palette::Palette;
use super::picture::Picture;
use crate::report::number::{count, total};
use crate::results::{Case, LifetimeClass};

/// The bounds of a class; the last is open.
type Bounds = (u64, Option<u64>);

/// The chart of the cases of each operation; none if no block lived and ended.
pub(super) fn picture(operations: &[Vec<&Case>], profile: &str, palette: &Palette<'_>) -> Option<Picture> {
    let classes = classes(operations.iter().flatten().copied());
    let figures = |case: &Case| classes.iter().map(|class| blocks(case, *class)).collect();
    Classes {
        title: Title { text: "Blocks of one operation, by lifetime", profile },
        explanation: "How many allocations were made while a block lived, of blocks that were freed. k: thousand, M: million.",
        unit: "blocks per operation",
        across: "lifetime, in allocations",
        nothing: "no block",
        names: classes.iter().map(|class| class_name(*class)).collect(),
        operations: operations
            .iter()
            .map(|cases| cases.iter().map(|&case| (case, figures(case))).collect())
            .collect(),
    }
    .picture(palette)
}

/// The classes that a case has blocks of, from the shortest to the longest.
fn classes<'a>(cases: impl Iterator<Item = &'a Case>) -> Vec<Bounds> {
    let filled = cases.flat_map(|case| &case.lifetimes).filter(|class| class.blocks > 0);
    let mut classes: Vec<Bounds> = filled.map(bounds).collect();
    classes.sort_unstable_by_key(|(from, to)| (*from, to.unwrap_or(u64::MAX)));
    classes.dedup();
    classes
}

fn bounds(class: &LifetimeClass) -> Bounds {
    (class.from_allocations, class.to_allocations)
}

/// Blocks of one operation in a class.
fn blocks(case: &Case, class: Bounds) -> f64 {
    let of_class = case.lifetimes.iter().filter(|lifetime| bounds(lifetime) == class);
    total(of_class.map(|lifetime| lifetime.blocks)) as f64 / case.iterations.max(1) as f64
}

/// Long lifetimes are told by their beginnings.
fn class_name((from, to): Bounds) -> String {
    match to {
        Some(to) if from == to => count(from),
        Some(to) if to < 100_000 => format!("{}–{}", count(from), count(to)),
        _ => format!("{}+", count(from)),
    }
}
