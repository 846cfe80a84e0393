use alloclab::error::ErrorKind;
use alloclab::report::{View, Weight, find};
use alloclab::results::{CaseKey, Results};

use crate::formats::{peculiar, views};
use crate::sample::{CaseBuilder, REFLECT, largest, span_profile};
use crate::sample_run::{Site, run};

fn render(results: &Results, view: &View) -> String {
    String::from_utf8(find("folded").unwrap().render(results, view).unwrap()).unwrap()
}

/// Stacks and weights, as inferno and speedscope take them apart: at the last space of a line.
fn stacks(text: &str) -> Vec<(&str, u64)> {
    let parts = text.lines().map(|line| line.rsplit_once(' ').unwrap());
    parts.map(|(stack, weight)| (stack, weight.parse().unwrap())).collect()
}

const PARSE: Site = Site("Vec<[u8; 4]>", &["push a.rs:1", "parse src/lib.rs:4", "main src/main.rs:2"], 3, 96);
const PARSE_BELOW: Site =
    Site("Vec<[u8; 4]>", &["push a.rs:1", "parse src/lib.rs:9", "main src/main.rs:2"], 2, 64);
const PRINT: Site = Site("String", &["print src/lib.rs:5", "main src/main.rs:3"], 1, 7);
const ZERO: Site = Site("String", &["nothing src/lib.rs:5", "main src/main.rs:3"], 1, 0);

#[test]
fn a_stack_is_a_line_with_all_that_its_sites_allocate() {
    let results = run(&[("mine small parse once", &[PARSE, PRINT, PARSE_BELOW, ZERO])]);
    let text = render(&results, &View::default());
    assert_eq!(text, "main;parse;push;[Vec<[u8: 4]>] 160\nmain;print;[String] 7\n");
    let text = render(&results, &View { weight: Weight::Count, ..View::default() });
    let expected = "main;nothing;[String] 1\nmain;parse;push;[Vec<[u8: 4]>] 5\nmain;print;[String] 1\n";
    assert_eq!(text, expected);
    assert_eq!(render(&results, &View { weight: Weight::Peak, ..View::default() }), "");
}

#[test]
fn of_several_cases_the_case_is_the_outermost_frame() {
    let results = run(&[("mine small parse once", &[PRINT]), ("mine large parse once", &[PRINT])]);
    let expected =
        "mine large parse once;main;print;[String] 7\nmine small parse once;main;print;[String] 7\n";
    assert_eq!(render(&results, &View::default()), expected);
}

#[test]
fn a_stack_that_is_cut_off_or_not_known_says_so() {
    let mut results = run(&[("mine small parse once", &[PARSE, PRINT])]);
    results.cases[0].sites[0].truncated = true;
    results.cases[0].sites[1].frames.clear();
    let expected = "(no stack);[String] 7\n(truncated);main;parse;push;[Vec<[u8: 4]>] 96\n";
    assert_eq!(render(&results, &View::default()), expected);
}

#[test]
fn weights_sum_up_to_those_of_the_results() {
    for (name, results) in peculiar() {
        for view in views() {
            let text = render(&results, &view);
            let stacks = stacks(&text);
            let sites = results.cases.iter().flat_map(|case| &case.sites);
            let expected: u64 = sites.map(|site| view.weight.of(site)).sum();
            assert_eq!(stacks.iter().map(|(_, weight)| weight).sum::<u64>(), expected, "{name}");
            assert!(stacks.is_sorted() && stacks.iter().all(|(_, weight)| *weight > 0), "{name}");
            let distinct = stacks.windows(2).all(|pair| pair[0].0 != pair[1].0);
            assert!(distinct && stacks.iter().all(|(stack, _)| stack.ends_with(']')), "{name}");
            let bare =
                |frame: &str| frame.is_empty() || frame.trim() != frame || frame.contains(char::is_control);
            assert!(stacks.iter().all(|(stack, _)| !stack.split(';').any(bare)), "{name}");
        }
    }
}

#[test]
fn weights_of_a_case_sum_up_to_those_of_the_case() {
    let results = span_profile();
    let text = render(&results, &View::default());
    for case in &results.cases {
        let first = format!("{};", CaseKey::of(case));
        let of_case = stacks(&text).into_iter().filter(|(stack, _)| stack.starts_with(&first));
        let bytes: u64 = case.sites.iter().map(|site| site.bytes).sum();
        assert_eq!(of_case.map(|(_, weight)| weight).sum::<u64>(), bytes, "{first}");
    }
}

#[test]
fn what_is_more_than_a_number_holds_is_an_error() {
    for format in ["folded", "flamegraph", "pprof"] {
        let error = find(format).unwrap().render(&largest(), &View::default()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Malformed);
        assert!(error.to_string().contains("all sites"), "{error}");
    }
    let mut one = CaseBuilder::new();
    one.case(["span", "simple", "serialize", "span"], 1, REFLECT, 23.49);
    let mut results = one.finish();
    results.cases[0].sites.truncate(1);
    results.cases[0].sites[0].bytes = u64::MAX;
    assert!(render(&results, &View::default()).ends_with(" 18446744073709551615\n"));
}
