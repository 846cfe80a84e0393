//! Who allocates: a site's own function, and the caller that tells it from others.
//!
//! The function that allocates is often a small one that many share: the caller behind the arrow is the first beyond its
//! folder, or the first by which it differs from another site that begins the same way. Where a library allocates, it is
//! the program's function that called it.

use super::stack::{call, folder, is_programs, own_calls, short_call};
use crate::report::calls::Call;
use crate::results::{Case, Frame, Results, SiteRow, TypeRow};

/// Sites of a type that read the same, together.
pub(super) struct Who {
    pub(super) calls: Vec<Call>,
    pub(super) bytes_per_op: f64,
}

/// Who allocates of a type, most bytes first.
pub(super) fn of_type(case: &Case, row: &TypeRow, stacks: &[Vec<&Frame>]) -> Vec<Who> {
    let mut merged: Vec<Who> = Vec::new();
    for &index in &row.sites {
        let Some(site) = case.sites.get(index as usize) else { continue };
        let calls = calls(&stacks[index as usize], stacks);
        match merged.iter_mut().find(|who| who.calls == calls) {
            Some(who) => who.bytes_per_op += site.bytes_per_op,
            None => merged.push(Who { calls, bytes_per_op: site.bytes_per_op }),
        }
    }
    merged.sort_by(|left, right| right.bytes_per_op.total_cmp(&left.bytes_per_op));
    merged
}

/// The functions on the stack of each site of a case that tell who allocates.
pub(super) fn stacks<'a>(results: &'a Results, case: &Case) -> Vec<Vec<&'a Frame>> {
    case.sites.iter().map(|site: &SiteRow| own_calls(results, site)).collect()
}

fn calls(stack: &[&Frame], all: &[Vec<&Frame>]) -> Vec<Call> {
    let Some(first) = stack.first() else {
        return vec![Call { function: "(no stack)".to_owned(), location: None }];
    };
    let elsewhere = stack.iter().position(|frame| folder(frame) != folder(first)).unwrap_or(0);
    let caller = match stack.iter().position(|frame| is_programs(frame)) {
        Some(own) if own > 0 => own,
        _ => first_difference(stack, all, elsewhere).unwrap_or(elsewhere),
    };
    if caller == 0 { vec![call(first)] } else { vec![short_call(first), short_call(stack[caller])] }
}

/// The first caller beyond a place by which a stack differs from another one that is the same up to there.
fn first_difference(stack: &[&Frame], all: &[Vec<&Frame>], beyond: usize) -> Option<usize> {
    let shared = |other: &Vec<&Frame>| {
        stack.iter().zip(other).take_while(|(one, another)| one.location == another.location).count()
    };
    let differs = |shared: usize| shared > beyond && shared < stack.len();
    all.iter().map(shared).filter(|&shared| differs(shared)).min()
}
