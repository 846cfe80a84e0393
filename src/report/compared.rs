//! The cases that stand side by side: one for each codec, all else equal.

use super::case_name::is_single;
use crate::results::{Case, Results};

/// One case for each codec, of an operation on the first model that the most codecs were measured with.
///
/// Single operations where there are any, else the first batch or loop.
pub(super) fn compared<'a>(results: &'a Results, operation: &str) -> Vec<&'a Case> {
    let of_operation = || results.cases.iter().filter(|case| case.operation == operation);
    let singles: Vec<&Case> = of_operation().filter(|case| is_single(case)).collect();
    let cases: Vec<&Case> = if singles.is_empty() { of_operation().collect() } else { singles };
    let mut best: Vec<&Case> = Vec::new();
    for case in &cases {
        let key = |case: &Case| (case.model.clone(), case.batch, case.threads);
        let codecs = first_of_each_codec(cases.iter().copied().filter(|other| key(other) == key(case)));
        if codecs.len() > best.len() {
            best = codecs;
        }
    }
    best
}

fn first_of_each_codec<'a>(cases: impl Iterator<Item = &'a Case>) -> Vec<&'a Case> {
    let mut firsts: Vec<&Case> = Vec::new();
    for case in cases {
        if firsts.iter().all(|first| first.codec != case.codec) {
            firsts.push(case);
        }
    }
    firsts
}
