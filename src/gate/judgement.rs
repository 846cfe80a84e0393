//! What a check found. The JSON form is these types, field by field.

use serde::Serialize;

use crate::results::{Frame, Sides};

/// What the check of one profile found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judgement {
    /// The profile's name.
    pub profile: String,
    /// The file of its baseline.
    pub baseline: String,
    /// Whether nothing failed.
    pub passed: bool,
    /// Whether there is no baseline: then nothing was measured.
    pub missing: bool,
    /// What differs between the build that made the baseline and this one.
    pub build: Vec<BuildDifference>,
    /// Cases that allocate what the baseline says, within its tolerance.
    pub same: usize,
    /// Parallel rows, which take no part: what they allocate depends on how threads meet.
    pub parallel: usize,
    /// The other cases, those that fail first.
    pub cases: Vec<CaseJudgement>,
    /// The command that accepts what was measured.
    pub accept: String,
}

/// Something about the build that is not as it was when the baseline was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BuildDifference {
    /// `rustc`, `target` or `opt_level`.
    pub what: &'static str,
    /// What the baseline was made with.
    pub baseline: String,
    /// What this program was built with.
    pub measured: String,
    /// Whether that alone fails the check; an optimization level does not, for counts need not depend on it.
    pub fails: bool,
}

/// A case that does not allocate what the baseline says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseJudgement {
    /// Its name.
    pub case: String,
    /// How it stands to the baseline.
    pub verdict: Verdict,
    /// Whether it fails the check.
    pub fails: bool,
    /// Its line in the baseline, if it is there.
    pub line: Option<usize>,
    /// Figures that differ.
    pub metrics: Vec<MetricJudgement>,
    /// Hard limits that were exceeded.
    pub limits: Vec<LimitExceeded>,
    /// Who made the difference, the largest first.
    pub sites: Vec<SiteChange>,
}

/// How a measured figure, or a whole case, stands to the baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// As accepted, or within the tolerance.
    Same,
    /// Less than accepted.
    Better,
    /// More than accepted, or more than a hard limit allows.
    Worse,
    /// The baseline does not have it.
    New,
    /// The baseline has it, and it was not measured.
    Unmeasured,
}

/// A figure that differs from the baseline's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MetricJudgement {
    /// Its name in the baseline.
    pub metric: &'static str,
    /// What was accepted; nothing for a new case.
    pub baseline: Option<f64>,
    /// What was measured; nothing for a case that was not.
    pub measured: Option<f64>,
    /// How the two stand to each other.
    pub verdict: Verdict,
}

/// A figure that is larger than may ever be.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LimitExceeded {
    /// The limit's name in the baseline.
    pub limit: &'static str,
    /// What it allows.
    pub allowed: f64,
    /// What was measured.
    pub measured: f64,
}

/// A type that a function of the program allocates differently.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SiteChange {
    /// The type that owns what is allocated.
    #[serde(rename = "type")]
    pub owner: String,
    /// The program's function that is nearest to the allocator.
    pub function: String,
    /// Every line of the function that allocates the type now, most bytes first.
    pub places: Vec<String>,
    /// Who calls it there, nearest first.
    pub callers: Vec<Frame>,
    /// In the baseline and now.
    #[serde(flatten)]
    pub sides: Sides,
}
