use std::fs;

use alloclab::error::ErrorKind;
use alloclab::results::{HeapEvent, Results, SCHEMA, read, to_json, write};
use tempfile::tempdir;

use crate::sample::{small, span_profile};

/// Breaks results at one place.
type Damage = fn(&mut Results);

#[test]
fn a_small_profile_looks_as_it_should() {
    assert_eq!(to_json(&small()).unwrap(), include_str!("golden/small.json"));
}

#[test]
fn what_is_written_is_read_back() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("results.json");
    let results = span_profile();
    write(&path, &results).unwrap();
    assert_eq!(read(&path).unwrap(), results);
    assert_eq!(fs::read_to_string(&path).unwrap(), to_json(&results).unwrap());
}

#[test]
fn figures_keep_their_last_bit() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("results.json");
    let mut results = span_profile();
    results.cases[0].bytes_per_op = 122.416_000_000_000_18;
    results.cases[1].bytes_per_op = 0.1 + 0.2;
    write(&path, &results).unwrap();
    assert_eq!(read(&path).unwrap(), results);
}

#[test]
fn a_file_is_written_over_whole_and_leaves_nothing_else() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("results.json");
    write(&path, &span_profile()).unwrap();
    write(&path, &Results::default()).unwrap();
    assert_eq!(read(&path).unwrap(), Results::default());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_figure_that_is_not_finite_is_never_written() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("results.json");
    for figure in [f64::NAN, f64::INFINITY] {
        let mut results = span_profile();
        results.cases[7].bytes_per_op = figure;
        let error = write(&path, &results).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Malformed);
        assert!(error.to_string().contains("`binary simple serialize stream`"), "{error}");
        assert!(error.to_string().contains("results.json"), "{error}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("missing/results.json");
    let error = write(&path, &Results::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().contains("missing/results.json"), "{error}");
    assert_eq!(read(&path).unwrap_err().kind(), ErrorKind::Io);
}

#[test]
fn a_file_of_another_version_or_of_another_kind_says_so() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("results.json");
    for (text, said) in [
        (
            r#"{ "schema": "alloclab.results/2", "cases": 7 }"#,
            "`alloclab.results/2`, which a newer alloclab has made",
        ),
        (r#"{ "schema": "alloclab.results/0" }"#, "`alloclab.results/0`, not"),
        (r#"{ "schema": "other.results/9" }"#, "`other.results/9`, not"),
        (r#"{ "name": "package" }"#, "no results file"),
        ("[1, 2]", "no results file"),
        ("# A text", "no results file"),
        ("", "no results file"),
        (r#"{ "schema": 1 }"#, "no results file"),
    ] {
        fs::write(&path, text).unwrap();
        let error = read(&path).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Version, "{text}");
        assert!(error.to_string().contains("results.json") && error.to_string().contains(said), "{error}");
        assert!(error.help().unwrap().contains(SCHEMA));
    }
}

#[test]
fn damage_is_told_with_line_and_column() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("results.json");
    let text = to_json(&span_profile()).unwrap();
    let cut = &text[..text.len() / 2];
    let wrong_type = text.replacen("\"partial\": false", "\"partial\": 3", 1);
    let missing = text.replacen("  \"rustc\": \"rustc 1.95.0\",\n", "", 1);
    assert!(wrong_type != text && missing != text);
    for (damaged, place) in [
        (cut, format!("line {}, column ", cut.lines().count())),
        (cut, "it has been cut off".to_owned()),
        (&wrong_type, "line 5, column 13".to_owned()),
        (&missing, "missing field `rustc`".to_owned()),
    ] {
        fs::write(&path, damaged).unwrap();
        let error = read(&path).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Malformed);
        let message = error.to_string();
        assert!(message.contains("results.json, line ") && message.contains(&place), "{message}");
    }
}

#[test]
fn fields_of_a_later_version_are_passed_over() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("results.json");
    let results = span_profile();
    let text = to_json(&results).unwrap().replace("\"codec\":", "\"novelty\": [1, { \"a\": 2 }], \"codec\":");
    fs::write(&path, text).unwrap();
    assert_eq!(read(&path).unwrap(), results);
}

#[test]
fn an_index_that_leads_nowhere_is_named_and_not_written() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("results.json");
    let damages: [(Damage, &str); 5] = [
        (|results| results.cases[7].types[2].sites.push(9999), "`cases[7].types[2].sites`"),
        (|results| results.cases[7].sites[3].type_index = 9999, "`cases[7].sites[3].type_index`"),
        (|results| results.cases[7].sites[3].frames.push(9999), "`cases[7].sites[3].frames`"),
        (|results| results.cases[7].sites[3].own_frame = Some(9999), "`cases[7].sites[3].own_frame`"),
        (
            |results| {
                results.cases[7].heap_events[5] = HeapEvent { type_index: 9999, ..HeapEvent::default() }
            },
            "`cases[7].heap_events[5]`",
        ),
    ];
    for (damage, place) in damages {
        let mut results = span_profile();
        damage(&mut results);
        let error = write(&path, &results).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Malformed);
        assert!(error.to_string().contains(place), "{error}");
        fs::write(&path, serde_json::to_string(&results).unwrap()).unwrap();
        assert!(read(&path).unwrap_err().to_string().contains(place));
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn a_label_is_read_back_and_may_not_command_a_terminal() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("results.json");
    let mut results = span_profile();
    results.cases[7].sites[3].label = Some("GET /users".into());
    write(&path, &results).unwrap();
    assert_eq!(read(&path).unwrap(), results);
    assert_eq!(fs::read_to_string(&path).unwrap().matches("\"label\"").count(), 1);
    results.cases[7].sites[3].label = Some("GET \u{1b}[2J".into());
    write(&path, &results).unwrap();
    let error = read(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Malformed);
    assert!(error.to_string().contains("a name holds a control character"), "{error}");
}

#[test]
fn each_function_stands_once_and_each_row_on_a_line() {
    let results = span_profile();
    let text = to_json(&results).unwrap();
    assert_eq!(text.matches("\"function\": \"binary::serialize\"").count(), 1);
    let rows: usize =
        results.cases.iter().map(|case| case.types.len() + case.sites.len() + case.heap_events.len()).sum();
    let row_lines = text.lines().filter(|line| line.starts_with("    { ")).count();
    let classes: usize =
        results.cases.iter().map(|case| case.size_classes.len() + case.lifetimes.len()).sum();
    assert_eq!(row_lines, rows + classes);
}
