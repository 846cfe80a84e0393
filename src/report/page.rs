//! Figures of results, filled into a text.
//!
//! A place for a figure stands in two pairs of braces: `{{figure of profile: case}}`, or `{{figure of profile: case over
//! case}}` for how many times the first is the second. The figures are `time`, `allocations`, `bytes`, `modelled`,
//! `encoded`, and `published time`, `published bytes`, `published encoded`. A case is codec, model, operation and variant,
//! with `batch N` or `threads N` behind where it has that.

use super::number::{bytes, duration, figure, rounded};
use crate::error::{Error, ErrorKind, Result};
use crate::results::{Case, Results};

const OPEN: &str = "{{";
const CLOSE: &str = "}}";

/// Puts figures of results into the places that a text has for them; errors call the text `name`.
///
/// # Errors
/// [`ErrorKind::Malformed`] for a place that cannot be read, or whose case or figure the results do not have: with the line
/// of the text.
///
/// # Examples
/// ```
/// use alloclab::report::fill;
/// use alloclab::results::{Case, Results};
///
/// let case = |codec: &str, bytes_per_op| {
///     let [model, operation, variant] = ["simple", "serialize", "span"].map(str::to_owned);
///     Case { codec: codec.into(), model, operation, variant, bytes_per_op, ..Case::default() }
/// };
/// let cases = vec![case("binary", 1524.0), case("span-reflect", 30.0)];
/// let run = Results { profile: "span".into(), cases, ..Results::default() };
/// let text = "{{bytes of span: binary simple serialize span}}, {{bytes of span: binary simple serialize span over \
///             span-reflect simple serialize span}} times as much";
/// assert_eq!(fill("page.md", text, &[run]).unwrap(), "1,524 B, 50.8 times as much");
/// ```
pub fn fill(name: &str, text: &str, runs: &[Results]) -> Result<String> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    let mut line = 1;
    while let Some((before, place)) = rest.split_once(OPEN) {
        line += before.matches('\n').count();
        let (place, after) =
            place.split_once(CLOSE).ok_or_else(|| malformed(name, line, "a place has no end".to_owned()))?;
        filled += before;
        filled +=
            &value(place, runs).map_err(|message| malformed(name, line, format!("`{place}`: {message}")))?;
        line += place.matches('\n').count();
        rest = after;
    }
    Ok(filled + rest)
}

fn malformed(name: &str, line: usize, message: String) -> Error {
    Error::new(ErrorKind::Malformed, message).at(format!("{name}, line {line}")).with_help(
        "a place looks like `{{time of span: binary simple serialize stream over span simple serialize span}}`",
    )
}

/// A figure of a case, and how it is shown.
type Figure = (&'static str, fn(&Case) -> Option<f64>, fn(f64) -> String);

const FIGURES: &[Figure] = &[
    ("time", |case| case.time.as_ref().map(|time| time.mean_ns), duration),
    ("allocations", |case| Some(case.allocations_per_op), figure),
    ("bytes", |case| Some(case.bytes_per_op), bytes),
    ("modelled", |case| case.modelled_dotnet_bytes_per_op, bytes),
    ("encoded", |case| Some(case.encoded_bytes as f64), whole_bytes),
    ("published time", |case| case.published.as_ref()?.mean_ns, duration),
    ("published bytes", |case| case.published.as_ref()?.allocated_bytes, bytes),
    ("published encoded", |case| case.published.as_ref()?.encoded_bytes, whole_bytes),
];

/// Sizes of what is encoded are compared to the byte.
fn whole_bytes(number: f64) -> String {
    format!("{} B", figure(number.round()))
}

fn value(place: &str, runs: &[Results]) -> std::result::Result<String, String> {
    let (name, subject) = place.split_once(" of ").ok_or("it does not say a figure `of` a profile")?;
    let (profile, cases) = subject.split_once(": ").ok_or("no colon stands behind the profile")?;
    let (_, figure, show) =
        FIGURES.iter().find(|(known, ..)| *known == name.trim()).ok_or_else(unknown_figure)?;
    if runs.iter().all(|run| run.profile != profile) {
        return Err(format!(
            "there are no results of `{profile}`: run `alloclab profile {profile}` and name its results.json"
        ));
    }
    let cases_of_profile = || runs.iter().filter(|run| run.profile == profile).flat_map(|run| &run.cases);
    let figure = |words: &str| {
        let case = cases_of_profile().find(|case| is_named(case, words));
        let case = case.ok_or_else(|| format!("there is no case `{}`", words.trim()))?;
        figure(case).ok_or_else(|| format!("the case `{}` has no such figure", words.trim()))
    };
    match cases.split_once(" over ") {
        None => Ok(show(figure(cases)?)),
        Some((case, base)) => match figure(base)? {
            0.0 => Err(format!("the figure of `{}` is 0, and nothing is a multiple of that", base.trim())),
            base => Ok(times(figure(case)? / base)),
        },
    }
}

/// A ratio in two digits; a decimal more where write-ups tell one, between ten and a hundred.
fn times(ratio: f64) -> String {
    if (10.0..99.95).contains(&ratio) { format!("{ratio:.1}") } else { rounded(ratio) }
}

fn unknown_figure() -> String {
    let known: Vec<&str> = FIGURES.iter().map(|(name, ..)| *name).collect();
    format!("there is no such figure; there are `{}`", known.join("`, `"))
}

fn is_named(case: &Case, words: &str) -> bool {
    let (batch, threads) = (case.batch.to_string(), case.threads.to_string());
    let mut name = vec![&*case.codec, &*case.model, &*case.operation, &*case.variant];
    match case.variant.as_str() {
        "batch" => name.extend(["batch", &batch]),
        "concurrent" => name.extend(["threads", &threads]),
        _ => {}
    }
    words.split_whitespace().eq(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_cannot_be_filled_is_named_with_its_line() {
        let run = Results { profile: "span".to_owned(), ..Results::default() };
        for (place, message) in [
            ("time", "it does not say a figure `of` a profile"),
            ("time of span", "no colon stands behind the profile"),
            (
                "weight of span: a b c d",
                "there is no such figure; there are `time`, `allocations`, `bytes`, `modelled`, `encoded`, `published time`, \
                 `published bytes`, `published encoded`",
            ),
            (
                "time of lite: a b c d",
                "there are no results of `lite`: run `alloclab profile lite` and name its results.json",
            ),
            ("time of span: a b c d", "there is no case `a b c d`"),
        ] {
            let error =
                fill("t.md", &format!("first\n{{{{{place}}}}}"), std::slice::from_ref(&run)).unwrap_err();
            assert_eq!(error.to_string(), format!("t.md, line 2: `{place}`: {message}"));
        }
        assert_eq!(fill("t.md", "{{time", &[]).unwrap_err().to_string(), "t.md, line 1: a place has no end");
    }

    #[test]
    fn nothing_is_told_as_a_multiple_of_nothing() {
        let case = Case {
            codec: "a".into(),
            model: "b".into(),
            operation: "c".into(),
            variant: "d".into(),
            ..Case::default()
        };
        let run = Results { profile: "p".to_owned(), cases: vec![case], ..Results::default() };
        let error = fill("t.md", "{{bytes of p: a b c d over a b c d}}", &[run]).unwrap_err();
        assert!(
            error.to_string().ends_with("the figure of `a b c d` is 0, and nothing is a multiple of that"),
            "{error}"
        );
    }

    #[test]
    fn batches_are_told_apart_by_their_size() {
        let case = |batch, bytes_per_op| Case {
            variant: "batch".to_owned(),
            codec: "a".to_owned(),
            model: "b".to_owned(),
            operation: "c".to_owned(),
            batch,
            bytes_per_op,
            ..Case::default()
        };
        let run = Results {
            profile: "p".to_owned(),
            cases: vec![case(100, 1.0), case(1000, 7.0)],
            ..Results::default()
        };
        assert_eq!(fill("t.md", "{{bytes of p: a b c batch batch 1000}}", &[run]).unwrap(), "7 B");
    }
}
