//! Where and how it ran, and everything that a reader has to know before trusting the figures.

use crate::flags::COMMAND;
use crate::report::number::{bytes, count, percent, total};
use crate::results::{Environment, Results};

pub(in crate::report) fn lines(results: &Results) -> Vec<String> {
    let environment = &results.environment;
    let mut lines = vec![setting(results), trust(environment)];
    if results.partial {
        lines.push("The run was interrupted: cases are missing at the end.".to_owned());
    }
    lines.extend(environment.missing_flags.iter().map(|flag| format!("Missing flag: {flag}")));
    if !environment.missing_flags.is_empty() {
        lines.push(format!("Counts are exact all the same; {COMMAND}."));
    }
    if !environment.frame_pointers && !environment.unwinder {
        lines.push("No call stacks could be read: nothing has a call site or a type.".to_owned());
    }
    if environment.overflowed > 0 {
        let overflowed = count(environment.overflowed);
        lines.push(format!(
            "{overflowed} allocations found the recorder's tables full: counted, without their stacks; what is alive may be off."
        ));
    }
    lines.extend(torn(results));
    lines.extend(failed(results));
    lines.extend(peak_error(results));
    lines.extend(results.see_also.clone());
    lines
}

fn setting(results: &Results) -> String {
    let environment = &results.environment;
    let words = [
        said("alloclab", &environment.alloclab),
        said("", &environment.rustc),
        said("", &environment.target),
        said("opt-level", &environment.opt_level),
        said("allocator", &environment.allocator),
        match environment.iterations {
            1 => String::new(),
            iterations => format!("{} iterations", count(iterations)),
        },
        match environment.pool_threads {
            0 => String::new(),
            threads => format!("pool of {threads} threads"),
        },
    ];
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" · ")
}

fn said(label: &str, value: &str) -> String {
    if value.is_empty() { String::new() } else { format!("{label} {value}").trim_start().to_owned() }
}

fn trust(environment: &Environment) -> String {
    let share = match environment.untyped_share {
        0.0 => "0".to_owned(),
        share => percent(100.0 * share),
    };
    let recorder = bytes(environment.recorder_bytes as f64);
    format!(
        "untyped {share} % of allocations and reallocations · recorder's tables {recorder} · a KB is 1,024 B"
    )
}

fn torn(results: &Results) -> Option<String> {
    let torn = results.cases.iter().filter(|case| case.torn).count();
    let cases = if torn == 1 { "case" } else { "cases" };
    let said =
        format!("{torn} {cases} closed before a thread answered: its last event may be missing there.");
    (torn > 0).then_some(said)
}

fn failed(results: &Results) -> Option<String> {
    let failed = total(results.cases.iter().map(|case| case.totals.failed));
    (failed > 0).then(|| format!("{} calls of the allocator were answered with null.", count(failed)))
}

fn peak_error(results: &Results) -> Option<String> {
    let error = results.cases.iter().map(|case| case.peak_error_bytes).max().unwrap_or(0);
    (error > 0).then(|| format!("Peaks over several threads are known to within {}.", bytes(error as f64)))
}
