//! The finding, in one sentence.

use crate::report::case_name::operations;
use crate::report::compared::compared;
use crate::report::number::{bytes, count, figure, rounded};
use crate::results::{Case, Results, Time};

/// Codecs that the sentence names; more would make it a table.
const MOST_CODECS: usize = 5;

pub(in crate::report) fn sentence(results: &Results) -> String {
    let first_operation = operations(&results.cases.iter().collect::<Vec<_>>()).first().copied();
    let mut codecs = first_operation.map(|operation| compared(results, operation)).unwrap_or_default();
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
    format!("{}{}{}.", occasion(first), clauses.join("; "), speed(most, least))
}

/// What the codecs do with what, as far as names tell.
fn occasion(case: &Case) -> String {
    match (case.operation.as_str(), case.model.as_str()) {
        ("serialize" | "deserialize", _) => format!("To {} {}, ", case.operation, subject(case)),
        (_, "") => String::new(),
        (_, model) => format!("On `{model}`, "),
    }
}

fn subject(case: &Case) -> String {
    match (case.batch, case.threads) {
        (0 | 1, 0 | 1) if case.objects > 1 => {
            let made = if case.variant == "lazy" { ", made meanwhile" } else { "" };
            format!("a list of {} `{}`{made}", count(case.objects.into()), case.model)
        }
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
    if scatters(slow) || scatters(fast) {
        return "; times scattered too much to tell which is faster".to_owned();
    }
    if fast.mean_ns <= slow.mean_ns {
        let times = rounded(slow.mean_ns / fast.mean_ns);
        format!("; {} is about {times} times as fast as {}", least.codec, most.codec)
    } else {
        let times = rounded(fast.mean_ns / slow.mean_ns);
        format!("; {} takes about {times} times the time of {}", least.codec, most.codec)
    }
}

/// Whether a mean is too uncertain to be set against another one.
fn scatters(time: &Time) -> bool {
    time.error_ns > time.mean_ns / 4.0
}
