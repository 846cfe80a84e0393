//! The finding, in one sentence.

use crate::report::case_name::{is_single, operations};
use crate::report::number::{bytes, count, figure, ratio};
use crate::results::{Case, Results};

/// Codecs that the sentence names; more would make it a table.
const MOST_CODECS: usize = 5;

pub(in crate::report) fn sentence(results: &Results) -> String {
    let mut codecs = compared(results);
    let Some(first) = codecs.first().copied() else {
        return "No case was measured.".to_owned();
    };
    // Most bytes first; a stable sort keeps the profile's order among equals.
    codecs.sort_by(|left, right| right.bytes_per_op.total_cmp(&left.bytes_per_op));
    let (most, least) = (codecs[0], codecs[codecs.len() - 1]);
    let left_out = codecs.len().saturating_sub(MOST_CODECS);
    if left_out > 0 {
        codecs.drain(MOST_CODECS - 1..MOST_CODECS - 1 + left_out);
    }
    let mut clauses: Vec<String> =
        codecs.iter().enumerate().map(|(index, case)| clause(case, index == 0)).collect();
    if left_out > 0 {
        clauses.insert(clauses.len() - 1, format!("{left_out} more codecs in between"));
    }
    format!("To {} {}, {}{}.", first.operation, subject(first), clauses.join("; "), speed(most, least))
}

/// One case for each codec: the same operation on the same model, as single operations where there are any.
fn compared(results: &Results) -> Vec<&Case> {
    let singles: Vec<&Case> = results.cases.iter().filter(|case| is_single(case)).collect();
    let cases = if singles.is_empty() { results.cases.iter().collect() } else { singles };
    let Some(operation) = operations(&cases).first().copied() else {
        return Vec::new();
    };
    let of_operation: Vec<&Case> = cases.into_iter().filter(|case| case.operation == operation).collect();
    let mut best: Vec<&Case> = Vec::new();
    for case in &of_operation {
        let same = |other: &&Case| {
            (&other.model, other.batch, other.threads) == (&case.model, case.batch, case.threads)
        };
        let codecs = first_of_each_codec(of_operation.iter().copied().filter(same));
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

fn subject(case: &Case) -> String {
    match (case.batch, case.threads) {
        (0 | 1, 0 | 1) => format!("one `{}`", case.model),
        (batch, 0 | 1) => format!("a batch of {} `{}`", count(batch.into()), case.model),
        (_, iterations) => format!("`{}` {iterations} times in parallel", case.model),
    }
}

fn clause(case: &Case, is_first: bool) -> String {
    // Later clauses share the verb of the first.
    let verb = if is_first { " allocates" } else { "" };
    if case.allocations_per_op == 0.0 && case.reallocations_per_op == 0.0 {
        return format!("{}{verb} nothing{}", case.codec, modelled(case));
    }
    let times = match case.allocations_per_op {
        1.0 => "once".to_owned(),
        times => format!("{} times", figure(times)),
    };
    let grown = match case.reallocations_per_op {
        0.0 => String::new(),
        1.0 => " and reallocates once".to_owned(),
        times => format!(" and reallocates {} times", figure(times)),
    };
    format!("{}{verb} {times}{grown}, {}{}", case.codec, bytes(case.bytes_per_op), modelled(case))
}

/// What the original's objects take, where the codec re-creates some.
fn modelled(case: &Case) -> String {
    match case.modelled_dotnet_bytes_per_op {
        Some(modelled) if modelled > 0.0 => format!(" ({} of modelled .NET objects)", bytes(modelled)),
        _ => String::new(),
    }
}

/// How the codec that allocates least stands to the one that allocates most.
fn speed(most: &Case, least: &Case) -> String {
    let (Some(slow), Some(fast)) = (&most.time, &least.time) else {
        return String::new();
    };
    if most.codec == least.codec || fast.mean_ns <= 0.0 || slow.mean_ns <= 0.0 {
        return String::new();
    }
    if fast.mean_ns <= slow.mean_ns {
        format!("; {} is {} × as fast as {}", least.codec, ratio(slow.mean_ns / fast.mean_ns), most.codec)
    } else {
        format!("; {} takes {} × the time of {}", least.codec, ratio(fast.mean_ns / slow.mean_ns), most.codec)
    }
}
