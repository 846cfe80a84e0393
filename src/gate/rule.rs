//! What passes and what fails.

use std::collections::BTreeSet;

use crate::results::{Case, CaseKey, Figures, Metric, Results};

use super::baseline::{
    Accepted, Baseline, Limits, OPT_LEVEL, RUSTC, TARGET, Tolerance, figure_key, limit_key,
};
use super::explanation;
use super::judgement::{BuildDifference, CaseJudgement, Judgement, LimitExceeded, MetricJudgement, Verdict};

/// How strictly measured results are judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// Whether what improved fails too.
    pub strict: bool,
    /// Whether rows were filtered: then cases of the baseline may be missing.
    pub filtered: bool,
    /// The command that accepts what was measured.
    pub accept: String,
}

impl Rule {
    /// Compares results with the baseline that the file holds.
    ///
    /// Allocations and reallocations are exact, and so are bytes unless the baseline has a tolerance. More fails, less is told
    /// and fails only where that is [strict](Rule::strict). Time and parallel rows take no part.
    ///
    /// # Examples
    /// ```
    /// use alloclab::gate::{Baseline, Rule};
    /// use alloclab::results::Results;
    ///
    /// let text = "rustc = \"\"\ntarget = \"\"\nopt_level = \"\"\niterations = 100";
    /// let baseline = Baseline::parse("mine.toml", text)?;
    /// let judgement = Rule::default().judge("mine.toml", &baseline, &Results::default());
    /// assert!(judgement.passed);
    /// # Ok::<(), alloclab::error::Error>(())
    /// ```
    pub fn judge(&self, file: &str, baseline: &Baseline, results: &Results) -> Judgement {
        let (serial, parallel): (Vec<&Case>, Vec<&Case>) =
            results.cases.iter().partition(|case| takes_part(case));
        let mut cases = Vec::new();
        let mut same = 0;
        for case in &serial {
            match self.case(baseline, results, case) {
                Some(judgement) => cases.push(judgement),
                None => same += 1,
            }
        }
        if !self.filtered {
            let measured: BTreeSet<String> = serial.iter().map(|case| name(case)).collect();
            let unmeasured = baseline.cases.iter().filter(|(name, _)| !measured.contains(*name));
            cases.extend(unmeasured.map(|(name, accepted)| self::unmeasured(name, accepted)));
        }
        cases.sort_by_key(|case| !case.fails);
        let build = build(baseline, results);
        let passed = !build.iter().any(|difference| difference.fails) && !cases.iter().any(|case| case.fails);
        Judgement {
            profile: results.profile.clone(),
            baseline: file.to_owned(),
            passed,
            missing: false,
            build,
            same,
            parallel: parallel.len(),
            cases,
            accept: self.accept.clone(),
        }
    }

    /// The judgement of a profile that has no baseline.
    ///
    /// # Examples
    /// ```
    /// use alloclab::gate::Rule;
    ///
    /// let judgement = Rule::default().without_baseline("mine", "fixtures/baseline/mine.toml");
    /// assert!(judgement.missing && !judgement.passed);
    /// ```
    pub fn without_baseline(&self, profile: &str, file: &str) -> Judgement {
        Judgement {
            profile: profile.to_owned(),
            baseline: file.to_owned(),
            passed: false,
            missing: true,
            build: Vec::new(),
            same: 0,
            parallel: 0,
            cases: Vec::new(),
            accept: self.accept.clone(),
        }
    }

    fn case(&self, baseline: &Baseline, results: &Results, case: &Case) -> Option<CaseJudgement> {
        let name = name(case);
        let figures = Figures::of_case(case);
        let Some(accepted) = baseline.cases.get(&name) else { return Some(new(name, &figures)) };
        let metrics = metrics(accepted, &baseline.tolerance, &figures);
        let limits = exceeded(&accepted.limits, &figures);
        let verdict = verdict(&metrics, &limits);
        if verdict == Verdict::Same {
            return None;
        }
        Some(CaseJudgement {
            case: name,
            verdict,
            fails: self.strict || verdict == Verdict::Worse,
            line: Some(accepted.line),
            metrics,
            limits,
            sites: explanation::changes(accepted, results, case),
        })
    }
}

/// The name that a baseline gives to a case.
pub(super) fn name(case: &Case) -> String {
    CaseKey::of(case).to_string()
}

/// What parallel rows allocate depends on how threads meet.
pub(super) fn takes_part(case: &Case) -> bool {
    case.threads <= 1 && !case.parallel
}

fn build(baseline: &Baseline, results: &Results) -> Vec<BuildDifference> {
    let environment = &results.environment;
    [
        (RUSTC, &baseline.rustc, &environment.rustc, true),
        (TARGET, &baseline.target, &environment.target, true),
        (OPT_LEVEL, &baseline.opt_level, &environment.opt_level, false),
    ]
    .into_iter()
    .filter(|(_, accepted, measured, _)| accepted != measured)
    .map(|(what, accepted, measured, fails)| BuildDifference {
        what,
        baseline: accepted.clone(),
        measured: measured.clone(),
        fails,
    })
    .collect()
}

/// Figures that differ; those within the tolerance are the same all the same.
fn metrics(accepted: &Accepted, tolerance: &Tolerance, measured: &Figures) -> Vec<MetricJudgement> {
    Metric::ALL
        .into_iter()
        .map(|metric| (metric, metric.per_op(&accepted.figures), metric.per_op(measured)))
        .filter(|(_, old, new)| old != new)
        .map(|(metric, old, new)| MetricJudgement {
            metric: figure_key(metric),
            baseline: Some(old),
            measured: Some(new),
            verdict: if (new - old).abs() <= allowed(metric, accepted, tolerance) {
                Verdict::Same
            } else if new > old {
                Verdict::Worse
            } else {
                Verdict::Better
            },
        })
        .collect()
}

/// By how much an operation may differ, which is for bytes alone: what the case says comes before what holds for all.
fn allowed(metric: Metric, accepted: &Accepted, tolerance: &Tolerance) -> f64 {
    if metric != Metric::Bytes {
        return 0.0;
    }
    let percent = accepted.tolerance.bytes_percent.or(tolerance.bytes_percent).unwrap_or(0.0);
    let absolute = accepted.tolerance.bytes_absolute.or(tolerance.bytes_absolute).unwrap_or(0.0);
    absolute.max(accepted.figures.bytes_per_op * percent / 100.0)
}

fn exceeded(limits: &Limits, measured: &Figures) -> Vec<LimitExceeded> {
    Metric::ALL
        .into_iter()
        .filter_map(|metric| Some((limit_key(metric), limits.of(metric)?, metric.per_op(measured))))
        .filter(|(_, allowed, measured)| measured > allowed)
        .map(|(limit, allowed, measured)| LimitExceeded { limit, allowed, measured })
        .collect()
}

/// A case is as bad as its worst figure.
fn verdict(metrics: &[MetricJudgement], limits: &[LimitExceeded]) -> Verdict {
    let has = |verdict| metrics.iter().any(|metric| metric.verdict == verdict);
    if !limits.is_empty() || has(Verdict::Worse) {
        Verdict::Worse
    } else if has(Verdict::Better) {
        Verdict::Better
    } else {
        Verdict::Same
    }
}

fn new(case: String, figures: &Figures) -> CaseJudgement {
    let metric = |metric: Metric| MetricJudgement {
        metric: figure_key(metric),
        baseline: None,
        measured: Some(metric.per_op(figures)),
        verdict: Verdict::New,
    };
    let metrics = Metric::ALL.map(metric).into();
    CaseJudgement {
        case,
        verdict: Verdict::New,
        fails: true,
        line: None,
        metrics,
        limits: Vec::new(),
        sites: Vec::new(),
    }
}

fn unmeasured(name: &str, accepted: &Accepted) -> CaseJudgement {
    let metric = |metric: Metric| MetricJudgement {
        metric: figure_key(metric),
        baseline: Some(metric.per_op(&accepted.figures)),
        measured: None,
        verdict: Verdict::Unmeasured,
    };
    CaseJudgement {
        case: name.to_owned(),
        verdict: Verdict::Unmeasured,
        fails: true,
        line: Some(accepted.line),
        metrics: Metric::ALL.map(metric).into(),
        limits: Vec::new(),
        sites: Vec::new(),
    }
}
