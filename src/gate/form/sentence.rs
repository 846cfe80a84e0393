//! What every form says in the same words.

use crate::gate::{CaseJudgement, Judgement, MetricJudgement, SiteChange, Verdict};
use crate::results::{Metric, Sides};

/// What the check of a profile came to, in one line.
pub(super) fn headline(judgement: &Judgement) -> String {
    let Judgement { profile, baseline, .. } = judgement;
    let reasons = reasons(judgement);
    if judgement.passed {
        let same = cases(judgement.same, "allocates", "allocate");
        let also = if reasons.is_empty() { String::new() } else { format!("; {}", reasons.join("; ")) };
        format!("{profile}: {same} what {baseline} accepts{also}")
    } else {
        format!("check failed: {profile}: {}", reasons.join("; "))
    }
}

/// What is not as the baseline has it; what was built otherwise comes first.
fn reasons(judgement: &Judgement) -> Vec<String> {
    let file = &judgement.baseline;
    if judgement.missing {
        return vec![format!("there is no baseline {file}")];
    }
    let mut reasons: Vec<String> = judgement
        .build
        .iter()
        .map(|difference| {
            let (what, old, new) = (difference.what, &difference.baseline, &difference.measured);
            format!("{what} of the baseline is `{old}`, of this program `{new}`")
        })
        .collect();
    let count = |verdict| judgement.cases.iter().filter(|case| case.verdict == verdict).count();
    for (verdict, one, many, rest) in [
        (Verdict::Worse, "allocates", "allocate", format!("more than {file} accepts")),
        (Verdict::New, "is", "are", format!("new: not in {file}")),
        (Verdict::Unmeasured, "stands", "stand", format!("in {file} and not in the profile")),
        (Verdict::Better, "allocates", "allocate", "less".to_owned()),
    ] {
        match count(verdict) {
            0 => {}
            number => reasons.push(format!("{} {rest}", cases(number, one, many))),
        }
    }
    reasons
}

fn cases(number: usize, one: &str, many: &str) -> String {
    if number == 1 { format!("1 case {one}") } else { format!("{number} cases {many}") }
}

/// What is to say of a case, in a few words.
pub(super) fn verdict(case: &CaseJudgement) -> &'static str {
    match case.verdict {
        Verdict::Same => "as accepted",
        Verdict::Better => "allocates less",
        Verdict::Worse => "allocates more",
        Verdict::New => "is a new case",
        Verdict::Unmeasured => "was not measured",
    }
}

/// `42 -> 43`; a side that there is not is `none`.
pub(super) fn metric(metric: &MetricJudgement) -> String {
    let side = |figure: Option<f64>| figure.map_or("none".to_owned(), |figure| figure.to_string());
    let note = if metric.verdict == Verdict::Same { ", within the tolerance" } else { "" };
    format!("{} -> {}{note}", side(metric.baseline), side(metric.measured))
}

/// What a site asks for, in the baseline and now: figures that are the same stand once, those of nothing not at all.
pub(super) fn figures(sides: &Sides) -> String {
    let told = Metric::ALL.into_iter().filter_map(|metric| {
        let [old, new] =
            [sides.old, sides.new].map(|side| side.map_or(0.0, |figures| metric.per_op(&figures)));
        let name = metric.name();
        match (old, new) {
            (0.0, 0.0) => None,
            _ if old == new => Some(format!("{new} {name}")),
            _ => Some(format!("{old} -> {new} {name}")),
        }
    });
    told.collect::<Vec<_>>().join(", ")
}

/// The function that allocates and where, then who calls it.
pub(super) fn calls(site: &SiteChange) -> Vec<String> {
    let places = if site.places.is_empty() { String::new() } else { format!("  {}", site.places.join(", ")) };
    let mut calls = vec![format!("{}{places}", site.function)];
    for caller in &site.callers {
        let place = caller.location.as_ref().map_or(String::new(), |place| format!("  {place}"));
        calls.push(format!("< {}{place}", caller.function));
    }
    calls
}

/// What to do about a failure, if there is one.
pub(super) fn advice(judgement: &Judgement) -> Option<String> {
    if judgement.passed && judgement.cases.is_empty() {
        return None;
    }
    let mut advice = format!("to accept what was measured: {}", judgement.accept);
    for case in judgement.cases.iter().filter(|case| !case.limits.is_empty()) {
        let (file, line) = (&judgement.baseline, case.line.unwrap_or_default());
        let limits: Vec<&str> = case.limits.iter().map(|exceeded| exceeded.limit).collect();
        advice += &format!("\na hard limit is changed by hand: {file}, line {line}, {}", limits.join(", "));
    }
    Some(advice)
}

/// Names come from elsewhere: none of them moves a cursor or ends a line.
pub(super) fn shown(text: &str) -> String {
    text.replace(|letter: char| letter.is_control(), "\u{fffd}")
}
