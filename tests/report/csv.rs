use alloclab::report::{View, find};
use alloclab::results::Results;
use serde_json::Value;

use crate::full::full;
use crate::sample::{hostile, small, span_profile};

fn render(results: &Results) -> String {
    String::from_utf8(find("csv").unwrap().render(results, &View::default()).unwrap()).unwrap()
}

#[test]
fn a_small_profile_looks_as_it_should() {
    assert_eq!(render(&small()), include_str!("golden/small.csv"));
}

/// Where the results file has the figure of a column.
fn figure(case: &Value, title: &str) -> Value {
    let parts = |part: &str| case[part].as_object().and_then(|fields| fields.get(title)).cloned();
    if let Some(name) = title.strip_prefix("published_") {
        return case["published"][name].clone();
    }
    if let Some(name) = title.strip_prefix("first_operation_") {
        return case["first_operation"][name].clone();
    }
    let own = case.as_object().unwrap().get(title).cloned();
    // The file leaves this flag out where it is not set.
    let usual = if title == "parallel" { Value::Bool(false) } else { Value::Null };
    own.or_else(|| parts("totals")).or_else(|| parts("time")).unwrap_or(usual)
}

fn check(results: &Results) {
    let text = render(results);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let titles = reader.headers().unwrap().clone();
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), results.cases.len());
    for (row, case) in rows.iter().zip(&results.cases) {
        let case = serde_json::to_value(case).unwrap();
        for (title, cell) in titles.iter().zip(row) {
            match figure(&case, title) {
                Value::Null => assert_eq!(cell, "", "{title}"),
                Value::String(text) => assert_eq!(cell, text, "{title}"),
                Value::Number(number) => {
                    assert_eq!(cell.parse::<f64>().unwrap(), number.as_f64().unwrap(), "{title}");
                }
                other => assert_eq!(cell, other.to_string(), "{title}"),
            }
        }
    }
}

#[test]
fn every_figure_equals_that_of_the_results_file() {
    check(&full());
    check(&span_profile());
}

#[test]
fn names_with_commas_quotes_and_line_breaks_come_back_whole() {
    check(&hostile());
}

#[test]
fn every_figure_of_a_case_has_a_column() {
    let text = render(&Results::default());
    let titles: Vec<&str> = text.trim_end().split(',').collect();
    let case = serde_json::to_value(&full().cases[0]).unwrap();
    for (name, value) in case.as_object().unwrap() {
        match (name.as_str(), value) {
            ("first_operation" | "published", Value::Object(fields)) => {
                assert!(
                    fields.keys().all(|field| titles.contains(&format!("{name}_{field}").as_str())),
                    "{name}"
                );
            }
            (_, Value::Object(fields)) => {
                assert!(fields.keys().all(|field| titles.contains(&field.as_str())), "{name}");
            }
            // Lists are no figures; whether the events are all there is said of a list.
            (_, Value::Array(_)) | ("heap_events_complete", _) => {}
            _ => assert!(titles.contains(&name.as_str()), "{name}"),
        }
    }
}
