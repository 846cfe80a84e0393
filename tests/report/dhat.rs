use std::collections::HashSet;

use alloclab::error::{Error, ErrorKind};
use alloclab::report::{View, find};
use alloclab::results::{Case, Results, SiteRow};
use serde_json::{Value, json};

use crate::heap_sample::heap;
use crate::sample::{hostile, largest, small, span_profile};

fn render(results: &Results) -> Result<Value, Error> {
    let text = find("dhat").unwrap().render(results, &View::default())?;
    assert_eq!(text.last(), Some(&b'\n'));
    Ok(serde_json::from_slice(&text).unwrap())
}

/// Each case of some results, alone.
fn alone(results: Results) -> impl Iterator<Item = Results> {
    let cases = results.cases.clone();
    cases.into_iter().map(move |case| Results { cases: vec![case], ..results.clone() })
}

fn figure(point: &Value, name: &str) -> u64 {
    point[name].as_u64().unwrap_or_else(|| panic!("expected a whole number as `{name}`: {point}"))
}

fn sum(points: &[Value], name: &str) -> u64 {
    points.iter().map(|point| figure(point, name)).fold(0, u64::saturating_add)
}

/// Checks what holds for every case: its totals are those of the points, and no stack stands twice.
fn check(results: &Results) -> Value {
    let file = render(results).unwrap();
    let case = &results.cases[0];
    let points = file["pps"].as_array().unwrap();
    let of_sites = |figure: fn(&SiteRow) -> u64| case.sites.iter().map(figure).fold(0, u64::saturating_add);
    assert_eq!(sum(points, "tb"), of_sites(|site| site.bytes));
    assert_eq!(sum(points, "tbk"), of_sites(|site| site.allocations + site.reallocations));
    assert_eq!(sum(points, "tl"), of_sites(|site| site.lifetime_sum));
    assert_eq!(sum(points, "gb"), of_sites(|site| site.peak_bytes));
    assert_eq!(sum(points, "gbk"), of_sites(|site| site.peak_blocks));
    assert_eq!(sum(points, "eb"), of_sites(|site| site.live_bytes));
    assert_eq!(sum(points, "ebk"), of_sites(|site| site.live_blocks));
    for point in points {
        assert_eq!(figure(point, "mb"), figure(point, "gb").max(figure(point, "eb")));
        assert_eq!(figure(point, "mbk"), figure(point, "gbk").max(figure(point, "ebk")));
    }
    assert_eq!(figure(&file, "te"), case.totals.allocations + case.totals.reallocations);
    let stacks: Vec<Vec<&str>> = points.iter().map(|point| texts(&file, point)).collect();
    assert_eq!(stacks.iter().collect::<HashSet<_>>().len(), points.len(), "a stack stands twice");
    let table: Vec<&Value> = file["ftbl"].as_array().unwrap().iter().collect();
    assert_eq!(table.iter().collect::<HashSet<_>>().len(), table.len(), "a function stands twice");
    assert_eq!(table[0], "[root]");
    file
}

/// The lines of a point, innermost first.
fn texts<'a>(file: &'a Value, point: &Value) -> Vec<&'a str> {
    let frames = point["fs"].as_array().unwrap().iter();
    frames.map(|frame| file["ftbl"][frame.as_u64().unwrap() as usize].as_str().unwrap()).collect()
}

#[test]
fn a_stack_goes_from_the_types_by_the_functions_to_the_label() {
    let file = check(&heap());
    let points = file["pps"].as_array().unwrap();
    let grow = "RawVecInner::finish_grow (alloc/src/raw_vec/mod.rs:464)";
    let (write, main) = ("Writer::write (src/writer.rs:12)", "main (src/main.rs:3)");
    let (new, tree) = ("Box<Node>::new (alloc/src/boxed.rs:286)", "<impl Tree>::grow");
    let expected = [
        vec!["[Vec<u8>]", grow, write, main],
        vec!["[String]", "[block Vec<u8>]", grow, write, main],
        vec!["[Vec<u8>]", grow, write, "(truncated)"],
        vec!["[Vec<u8>]", grow, write, main, "[label request]"],
        vec!["[BTreeMap<u32, Node>]", "[block Box<Node>]", new, tree, main],
        vec!["[BTreeMap<u32, Node>]", "[block Box<Leaf>]", new, tree, main],
        vec!["[(untyped)]", "(no stack)"],
    ];
    assert_eq!(points.iter().map(|point| texts(&file, point)).collect::<Vec<_>>(), expected);
}

#[test]
fn each_figure_is_what_its_place_says_and_equal_stacks_are_summed() {
    let file = check(&heap());
    let figures = ["tb", "tbk", "tl", "mb", "mbk", "gb", "gbk", "eb", "ebk"];
    let of = |point: usize| figures.map(|name| figure(&file["pps"][point], name));
    assert_eq!(of(0), [48_123, 741, 12_345, 960, 3, 960, 3, 320, 1]);
    assert_eq!(of(1), [7_200, 90, 400, 160, 2, 80, 1, 160, 2]);
    assert_eq!(of(5), [1_600, 45, 121, 64, 2, 64, 2, 48, 2]);
}

#[test]
fn the_fields_that_a_viewer_demands_are_there() {
    let file = render(&heap()).unwrap();
    let expected = json!({
        "dhatFileVersion": 2, "verb": "Allocated", "bklt": true, "bkacc": false, "tu": "requests", "Mtu": "Mrequest",
        "tuth": 10, "cmd": "tree forest serialize span", "pid": 0, "tg": 600, "te": 1_052,
    });
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(file[name], *value, "{name}");
    }
    let mode = file["mode"].as_str().unwrap();
    for figure in ["1,000 operations", "Blocks:", "Bytes:", "Lifetime:", "Max:      at least"] {
        assert!(mode.contains(figure), "{figure}: {mode}");
    }
    assert!(!mode.contains("t-gmax:"), "{mode}");
}

#[test]
fn a_peak_of_several_threads_says_what_is_not_known_of_it() {
    let mut results = heap();
    (results.cases[0].peak_requests, results.cases[0].peak_error_bytes) = (None, 4_096);
    let file = check(&results);
    assert_eq!(file["tg"], 0);
    let mode = file["mode"].as_str().unwrap();
    assert!(mode.contains("t-gmax:   0 stands for a time that is not known"), "{mode}");
    assert!(mode.contains("t-gmax:   the peak is known to 4,096 bytes"), "{mode}");
}

#[test]
fn the_figures_of_every_case_come_back_whatever_its_names_are() {
    for results in alone(span_profile()).chain(alone(hostile())) {
        check(&results);
    }
}

#[test]
fn names_come_back_whole() {
    for results in alone(hostile()) {
        let file = check(&results);
        let table: HashSet<&str> = file["ftbl"].as_array().unwrap().iter().flat_map(Value::as_str).collect();
        for site in &results.cases[0].sites {
            let row = &results.cases[0].types[site.type_index as usize];
            assert!(table.contains(format!("[{}]", row.name).as_str()), "{}", row.name);
            for &frame in &site.frames {
                let frame = &results.frames[frame as usize];
                let text = format!("{} ({})", frame.function, frame.location.as_ref().unwrap());
                assert!(table.contains(text.as_str()), "{text}");
            }
        }
    }
}

#[test]
fn the_largest_figures_stay_the_largest() {
    for results in alone(largest()) {
        let file = render(&results).unwrap();
        let points = file["pps"].as_array().unwrap();
        assert!(points.iter().all(|point| figure(point, "tb") == u64::MAX));
    }
}

#[test]
fn a_case_that_allocates_nothing_has_no_point() {
    let results = Results { cases: vec![Case::default()], ..Results::default() };
    let file = check(&results);
    assert_eq!((&file["pps"], &file["ftbl"], &file["te"]), (&json!([]), &json!(["[root]"]), &json!(0)));
}

#[test]
fn more_than_one_case_is_an_error_that_names_some_and_how_to_choose() {
    let error = render(&small()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Malformed);
    assert_eq!(
        error.to_string(),
        "a DHAT file holds one row, and these are 2: `span-reflect simple serialize span`, `span simple serialize span`"
    );
    let help = error.help().unwrap();
    for filter in ["--codec", "--model", "--operation", "--variant", "--batch", "--threads"] {
        assert!(help.contains(filter), "{help}");
    }
    let error = render(&span_profile()).unwrap_err().to_string();
    assert!(error.contains("`span-reflect nested serialize span` and 18 more"), "{error}");
    let error = render(&Results::default()).unwrap_err();
    assert_eq!(error.to_string(), "the results hold no row, and a DHAT file holds one");
}
