//! What passes and what fails.

use std::collections::BTreeSet;

use crate::results::{Case, CaseKey, Figures, Results};

use super::baseline::{Accepted, Baseline, Limits, Tolerance};
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
        ("rustc", &baseline.rustc, &environment.rustc, true),
        ("target", &baseline.target, &environment.target, true),
        ("opt_level", &baseline.opt_level, &environment.opt_level, false),
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

/// A figure by its name, and by how much it may differ from the baseline's.
type Metric = (&'static str, fn(&Figures) -> f64);

const ALLOCATIONS: Metric = ("allocations_per_op", |figures| figures.allocations_per_op);
const REALLOCATIONS: Metric = ("reallocations_per_op", |figures| figures.reallocations_per_op);
const BYTES: Metric = ("bytes_per_op", |figures| figures.bytes_per_op);

/// Figures that differ; those within the tolerance are the same all the same.
fn metrics(accepted: &Accepted, tolerance: &Tolerance, measured: &Figures) -> Vec<MetricJudgement> {
    let bytes = allowed(accepted, tolerance);
    [(ALLOCATIONS, 0.0), (REALLOCATIONS, 0.0), (BYTES, bytes)]
        .into_iter()
        .map(|((metric, of), allowed)| (metric, of(&accepted.figures), of(measured), allowed))
        .filter(|(_, accepted, measured, _)| accepted != measured)
        .map(|(metric, accepted, measured, allowed)| MetricJudgement {
            metric,
            baseline: Some(accepted),
            measured: Some(measured),
            verdict: if (measured - accepted).abs() <= allowed {
                Verdict::Same
            } else if measured > accepted {
                Verdict::Worse
            } else {
                Verdict::Better
            },
        })
        .collect()
}

/// By how many bytes an operation may differ: what the case says comes before what holds for all.
fn allowed(accepted: &Accepted, tolerance: &Tolerance) -> f64 {
    let percent = accepted.tolerance.bytes_percent.or(tolerance.bytes_percent).unwrap_or(0.0);
    let absolute = accepted.tolerance.bytes_absolute.or(tolerance.bytes_absolute).unwrap_or(0.0);
    absolute.max(accepted.figures.bytes_per_op * percent / 100.0)
}

fn exceeded(limits: &Limits, measured: &Figures) -> Vec<LimitExceeded> {
    [
        ("max_allocations_per_op", limits.max_allocations_per_op, ALLOCATIONS),
        ("max_reallocations_per_op", limits.max_reallocations_per_op, REALLOCATIONS),
        ("max_bytes_per_op", limits.max_bytes_per_op, BYTES),
    ]
    .into_iter()
    .filter_map(|(limit, allowed, (_, of))| Some((limit, allowed?, of(measured))))
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
    let metric = |(metric, of): Metric| MetricJudgement {
        metric,
        baseline: None,
        measured: Some(of(figures)),
        verdict: Verdict::New,
    };
    let metrics = [ALLOCATIONS, REALLOCATIONS, BYTES].map(metric).into();
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
    let metric = |(metric, of): Metric| MetricJudgement {
        metric,
        baseline: Some(of(&accepted.figures)),
        measured: None,
        verdict: Verdict::Unmeasured,
    };
    CaseJudgement {
        case: name.to_owned(),
        verdict: Verdict::Unmeasured,
        fails: true,
        line: Some(accepted.line),
        metrics: [ALLOCATIONS, REALLOCATIONS, BYTES].map(metric).into(),
        limits: Vec::new(),
        sites: Vec::new(),
    }
}
