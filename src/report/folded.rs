//! Folded stacks: a line for each, `outermost;…;innermost;[type] weight`.
//!
//! The format is that of Brendan Gregg's FlameGraph scripts (github.com/brendangregg/FlameGraph, `stackcollapse-*.pl`), which
//! inferno 0.12 and speedscope 1.25 read: frames apart by semicolons, a space, a whole number. A frame is a function; the last
//! one is the type that owns what is allocated, in brackets. Of results with several cases, the case is the first.

use std::collections::BTreeMap;

use super::section::stack::owner;
use super::whole_stack::whole_stack;
use super::{Format, View, Weight};
use crate::error::{Error, ErrorKind, Result};
use crate::results::{Case, CaseKey, Results, SiteRow};

pub(super) struct Folded;

impl Format for Folded {
    fn name(&self) -> &'static str {
        "folded"
    }

    fn purpose(&self) -> &'static str {
        "folded stacks, for inferno, speedscope and their like"
    }

    fn extension(&self) -> &'static str {
        "folded"
    }

    fn file_name(&self) -> Option<&'static str> {
        Some("stacks.folded")
    }

    fn render(&self, results: &Results, view: &View) -> Result<Vec<u8>> {
        Ok(lines(&stacks(results, view.weight)?).into_bytes())
    }
}

/// What every stack weighs, each stack once; those that weigh nothing are left out.
///
/// # Errors
/// [`ErrorKind::Malformed`] if all together weigh more than a number can hold: readers add them up.
pub(super) fn stacks(results: &Results, weight: Weight) -> Result<BTreeMap<String, u64>> {
    let mut stacks = BTreeMap::new();
    let mut total: u64 = 0;
    for case in &results.cases {
        for site in &case.sites {
            let weighs = weight.of(site);
            total = total.checked_add(weighs).ok_or_else(|| too_much(weight))?;
            if weighs > 0 {
                *stacks.entry(stack(results, case, site)).or_insert(0) += weighs;
            }
        }
    }
    Ok(stacks)
}

/// The text of a file of them.
pub(super) fn lines(stacks: &BTreeMap<String, u64>) -> String {
    stacks.iter().map(|(stack, weight)| format!("{stack} {weight}\n")).collect()
}

/// A type as a frame.
pub(super) fn type_frame(name: &str) -> String {
    format!("[{}]", frame(name))
}

fn stack(results: &Results, case: &Case, site: &SiteRow) -> String {
    let mut frames = Vec::new();
    if results.cases.len() > 1 {
        frames.push(frame(&CaseKey::of(case).to_string()));
    }
    frames.extend(whole_stack(results, site).iter().rev().map(|call| frame(call.function)));
    frames.push(type_frame(owner(case, site)));
    frames.join(";")
}

/// A name without what ends a frame or a line, as `stackcollapse-perf.pl` writes it, and without what XML does not allow.
pub(super) fn frame(name: &str) -> String {
    let name: String = name
        .chars()
        .map(|letter| match letter {
            ';' => ':',
            '\u{2028}' | '\u{2029}' | '\u{FFFE}' | '\u{FFFF}' => ' ',
            control if control.is_control() => ' ',
            other => other,
        })
        .collect();
    // A line that begins with `# ` is a comment to inferno, and space around a line is cut off.
    let name = name.trim_start_matches(|letter: char| letter == '#' || letter.is_whitespace()).trim_end();
    if name.is_empty() { "(unnamed)".to_owned() } else { name.to_owned() }
}

fn too_much(weight: Weight) -> Error {
    let message = format!("all sites together have more {} than a number of 64 bits holds", weight.name());
    Error::new(ErrorKind::Malformed, message)
}
