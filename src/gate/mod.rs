//! The regression check: what a run allocates, against what a baseline accepts.
//!
//! A [`Baseline`] is a file that people read and edit; a [`Rule`] judges results by it; a [`Judgement`] says what differs and
//! who made the difference, in one of the [forms](CheckFormat); an [`Update`] accepts it.

mod baseline;
mod explanation;
mod form;
mod judgement;
mod rule;
mod update;

pub use baseline::{Accepted, Baseline, Limits, Tolerance};
pub use form::CheckFormat;
pub use judgement::{
    BuildDifference, CaseJudgement, Judgement, LimitExceeded, MetricJudgement, SiteChange, Verdict,
};
pub use rule::Rule;
pub use update::Update;
