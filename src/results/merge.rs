//! Cases of several results in one, to be set side by side.

use super::{Case, Results, tell_ratios};

/// Puts the cases of several results into one, each under the name of where it comes from: that becomes its group.
///
/// Ratios are told anew: to the case of the codec `baseline`, or else to the first case, of the same model, operation,
/// batch and parallel loop. What the runs say of their environment is the first one's.
///
/// # Examples
/// ```
/// use alloclab::results::{Case, Results, merge};
///
/// let run = |bytes_per_op| {
///     Results { cases: vec![Case { bytes_per_op, ..Case::default() }], ..Results::default() }
/// };
/// let merged = merge(vec![("before".to_owned(), run(100.0)), ("after".to_owned(), run(25.0))], None);
/// assert_eq!(merged.cases[1].group, "after");
/// assert_eq!(merged.cases[1].alloc_ratio, Some(0.25));
/// ```
pub fn merge(runs: Vec<(String, Results)>, baseline: Option<&str>) -> Results {
    let mut merged = Results::default();
    for (index, (name, mut run)) in runs.into_iter().enumerate() {
        let frames = merged.frames.len() as u32;
        for case in &mut run.cases {
            case.group.clone_from(&name);
            let own = case.sites.iter_mut().flat_map(|site| &mut site.frames);
            own.for_each(|frame| *frame += frames);
        }
        merged.frames.append(&mut run.frames);
        merged.cases.append(&mut run.cases);
        merged.partial |= run.partial;
        merged.profile += if index == 0 { "" } else { ", " };
        merged.profile += &run.profile;
        if index == 0 {
            merged.environment = run.environment;
        }
    }
    tell_ratios(&mut merged.cases, |cases, case| baseline_of(cases, case, baseline));
    let cases = &merged.cases;
    let baselines: Vec<_> = cases.iter().map(|case| baseline_of(cases, case, baseline)).collect();
    for (index, case) in merged.cases.iter_mut().enumerate() {
        case.baseline = baselines[index] == Some(index);
    }
    merged
}

/// What makes two cases comparable.
fn kind(case: &Case) -> (&str, &str, u32, u32) {
    (&case.model, &case.operation, case.batch, case.threads)
}

/// The first case of its kind, of a codec if one is asked for.
fn baseline_of(cases: &[Case], case: &Case, codec: Option<&str>) -> Option<usize> {
    let is_of_codec = |other: &Case| codec.is_none_or(|codec| other.codec == codec);
    cases.iter().position(|other| kind(other) == kind(case) && is_of_codec(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{Frame, SiteRow};

    fn case(codec: &str, model: &str, bytes_per_op: f64) -> Case {
        let site = SiteRow { frames: vec![0], ..SiteRow::default() };
        Case { codec: codec.into(), model: model.into(), bytes_per_op, sites: vec![site], ..Case::default() }
    }

    fn run(function: &str, cases: Vec<Case>) -> Results {
        let frame = Frame { function: function.to_owned(), location: None };
        Results { cases, frames: vec![frame], ..Results::default() }
    }

    #[test]
    fn frames_of_the_second_run_stay_its_own() {
        let runs = ["a", "b"].map(|name| (name.to_owned(), run(name, vec![case("span", "simple", 1.0)])));
        let merged = merge(runs.into(), None);
        let function = |case: &Case| merged.frames[case.sites[0].frames[0] as usize].function.clone();
        assert_eq!(merged.cases.iter().map(function).collect::<Vec<_>>(), ["a", "b"]);
    }

    #[test]
    fn ratios_refer_to_the_first_case_of_a_model_or_to_the_codec_that_was_asked_for() {
        let cases =
            vec![case("span", "simple", 10.0), case("json", "simple", 20.0), case("json", "demo", 5.0)];
        let ratios = |baseline| {
            let merged = merge(vec![(String::new(), run("f", cases.clone()))], baseline);
            merged.cases.iter().map(|case| case.alloc_ratio).collect::<Vec<_>>()
        };
        assert_eq!(ratios(None), [Some(1.0), Some(2.0), Some(1.0)]);
        assert_eq!(ratios(Some("json")), [Some(0.5), Some(1.0), Some(1.0)]);
        assert_eq!(ratios(Some("lite")), [None, None, None]);
    }
}
