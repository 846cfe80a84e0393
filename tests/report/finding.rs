use alloclab::report::finding;
use alloclab::results::{Case, Results, Time};

use crate::sample::span_profile;

fn case(codec: &str, allocations_per_op: f64, bytes_per_op: f64, mean_ns: Option<f64>) -> Case {
    Case {
        codec: codec.into(),
        model: "simple".into(),
        operation: "serialize".into(),
        variant: "span".into(),
        batch: 1,
        threads: 1,
        allocations_per_op,
        bytes_per_op,
        time: mean_ns.map(|mean_ns| Time { mean_ns, ..Time::default() }),
        ..Case::default()
    }
}

fn sentence(cases: impl IntoIterator<Item = Case>) -> String {
    finding(&Results { cases: cases.into_iter().collect(), ..Results::default() })
}

#[test]
fn it_names_who_allocates_most_and_least_and_how_much_faster_that_is() {
    let binary =
        Case { modelled_dotnet_bytes_per_op: Some(2016.0), ..case("binary", 42.0, 1984.0, Some(800.0)) };
    assert_eq!(
        sentence([case("span-reflect", 4.0, 96.0, Some(59.0)), case("span", 0.0, 0.0, Some(24.0)), binary]),
        "To serialize one `simple`, binary allocates 42 times, 1,984 B (2,016 B of modelled .NET objects); \
         span-reflect 4 times, 96 B; span nothing; span is about 33 times as fast as binary."
    );
}

#[test]
fn a_slower_codec_is_not_called_faster() {
    assert_eq!(
        sentence([case("span", 0.0, 0.0, Some(90.0)), case("binary", 1.0, 8.0, Some(60.0))]),
        "To serialize one `simple`, binary allocates once, 8 B; span nothing; span takes about 1.5 times the time of binary."
    );
}

#[test]
fn times_that_scatter_are_not_compared() {
    for scattered in 0..2 {
        let mut cases = [case("span", 0.0, 0.0, Some(24.0)), case("binary", 1.0, 8.0, Some(800.0))];
        let time = cases[scattered].time.as_mut().unwrap();
        time.error_ns = time.mean_ns * 0.26;
        let said = sentence(cases.clone());
        assert!(said.ends_with("span nothing; times scattered too much to tell which is faster."), "{said}");
        let time = cases[scattered].time.as_mut().unwrap();
        time.error_ns = time.mean_ns * 0.25;
        assert!(sentence(cases).ends_with("span is about 33 times as fast as binary."));
    }
}

#[test]
fn without_time_it_says_nothing_about_speed() {
    let sentence = sentence([case("span", 0.0, 0.0, None), case("binary", 2.5, 80.0, None)]);
    assert_eq!(sentence, "To serialize one `simple`, binary allocates 2.50 times, 80 B; span nothing.");
}

#[test]
fn one_codec_is_compared_with_none() {
    assert_eq!(
        sentence([case("span", 0.0, 0.0, Some(9.0))]),
        "To serialize one `simple`, span allocates nothing."
    );
    let grown = Case { reallocations_per_op: 2.0, ..case("span", 1.0, 64.0, Some(9.0)) };
    assert_eq!(
        sentence([grown]),
        "To serialize one `simple`, span allocates once and reallocates 2 times, 64 B."
    );
}

#[test]
fn it_is_about_the_model_that_most_codecs_share() {
    let fast = Case { model: "fast".into(), ..case("span", 0.0, 0.0, None) };
    let sentence =
        sentence([fast, case("span-reflect", 4.0, 96.0, None), case("binary", 42.0, 2016.0, None)]);
    assert!(sentence.starts_with("To serialize one `simple`, binary "), "{sentence}");
}

#[test]
fn batches_alone_are_called_batches() {
    let batch = Case { batch: 1000, variant: "batch".into(), ..case("span", 3.0, 96.0, None) };
    assert_eq!(sentence([batch]), "To serialize a batch of 1,000 `simple`, span allocates 3 times, 96 B.");
}

#[test]
fn nothing_measured_is_said() {
    assert_eq!(sentence([]), "No case was measured.");
}

#[test]
fn many_codecs_are_counted_and_not_all_named() {
    let codecs =
        (0..9).map(|index| case(&format!("codec-{index}"), index.into(), f64::from(index) * 8.0, None));
    let sentence = sentence(codecs);
    assert!(sentence.contains("4 more codecs in between; codec-0 nothing"), "{sentence}");
    assert!(sentence.contains("codec-8 allocates 8 times"), "{sentence}");
}

#[test]
fn the_sample_has_one() {
    assert!(finding(&span_profile()).contains("span is about 34 times as fast as binary"));
}
