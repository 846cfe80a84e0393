//! What one run allocates that another does not: matched by names, told by lines.

use crate::sample_run::{Site, run};
use alloclab::report::{DifferenceBy, DifferenceFormat, DifferenceSort, DifferenceView};
use alloclab::results::{Change, Difference, Results};

const CASE: &str = "binary simple serialize stream";

const WRITE: &[&str] = &["write src/a.rs:10", "encode src/b.rs:20"];
/// The same functions, each some lines further down.
const MOVED: &[&str] = &["write src/a.rs:14", "encode src/b.rs:25"];
const ADDED: &[&str] = &["write src/a.rs:12", "encode src/b.rs:25"];
const ELSEWHERE: &[&str] = &["write src/a.rs:10", "decode src/c.rs:30"];
const RENAMED: &[&str] = &["write src/a.rs:10", "decode_all src/c.rs:30"];

fn between(old: &[Site], new: &[Site]) -> Difference {
    let [old, new] = runs(old, new);
    Difference::between(&old, &new)
}

/// The change of each site, with the place that is shown.
fn sites(difference: &Difference) -> Vec<(Change, &str)> {
    let sites = difference.cases.iter().flat_map(|case| &case.sites);
    sites.map(|site| (site.sides.change().unwrap(), site.stack[0].location.as_deref().unwrap())).collect()
}

fn runs(old: &[Site], new: &[Site]) -> [Results; 2] {
    [old, new].map(|sites| run(&[(CASE, sites)]))
}

fn table([old, new]: &[Results; 2], view: DifferenceView) -> String {
    DifferenceFormat::Table.render(old, new, &view).unwrap()
}

#[test]
fn lines_that_moved_are_no_difference() {
    let difference = between(&[Site("String", WRITE, 200, 4800)], &[Site("String", MOVED, 200, 4800)]);
    assert_eq!((difference.unchanged, difference.cases.len()), (1, 0));
}

#[test]
fn types_and_sites_appear_go_grow_and_shrink() {
    let old = [Site("String", WRITE, 200, 4800), Site("Vec<u8>", WRITE, 400, 800), Site("Gone", WRITE, 1, 1)];
    let new = [Site("String", MOVED, 400, 9600), Site("Vec<u8>", MOVED, 200, 400), Site("New", MOVED, 3, 24)];
    let difference = between(&old, &new);
    let case = &difference.cases[0];
    let types: Vec<_> = case.types.iter().map(|row| (&*row.name, row.sides.change().unwrap())).collect();
    let expected = [
        ("New", Change::Appeared),
        ("String", Change::Grew),
        ("Vec<u8>", Change::Shrank),
        ("Gone", Change::Gone),
    ];
    assert_eq!(types, expected);
    assert_eq!(case.sites.len(), 4);
    let string = &case.types[1].sides;
    assert_eq!((string.old.unwrap().bytes_per_op, string.new.unwrap().bytes_per_op), (24.0, 48.0));
    assert_eq!(string.new.unwrap().counts.unwrap().bytes, 9600);
}

#[test]
fn as_many_bytes_in_more_requests_have_grown() {
    let difference = between(&[Site("String", WRITE, 200, 4800)], &[Site("String", WRITE, 400, 4800)]);
    assert_eq!(sites(&difference), [(Change::Grew, "src/a.rs:10")]);
}

#[test]
fn of_lines_in_one_function_the_added_one_is_shown() {
    let old = [Site("String", WRITE, 200, 4800)];
    let new = [Site("String", MOVED, 200, 4800), Site("String", ADDED, 200, 1600)];
    assert_eq!(sites(&between(&old, &new)), [(Change::Grew, "src/a.rs:12")]);
}

#[test]
fn callers_tell_the_sites_of_a_function_apart_where_it_allocates_more() {
    let old = [Site("String", WRITE, 200, 4800), Site("String", ELSEWHERE, 200, 4800)];
    let new = [Site("String", MOVED, 200, 4800), Site("String", ELSEWHERE, 400, 9600)];
    let difference = between(&old, &new);
    assert_eq!(difference.cases[0].sites[0].stack[1].function, "decode");
    assert_eq!(difference.cases[0].sites.len(), 1);
}

#[test]
fn a_caller_that_was_renamed_is_one_row_and_not_two() {
    let old = [Site("String", ELSEWHERE, 200, 4800)];
    let renamed = [Site("String", RENAMED, 200, 4800)];
    assert_eq!(between(&old, &renamed).unchanged, 1);
    let grown = [Site("String", RENAMED, 400, 9600)];
    assert_eq!(sites(&between(&old, &grown)), [(Change::Grew, "src/a.rs:10")]);
}

#[test]
fn cases_that_one_run_alone_has_are_named() {
    let [old, new] = ["span", "lite"].map(|codec| format!("{codec} simple serialize span"));
    let text = table(&[run(&[(&old, &[])]), run(&[(&new, &[])])], DifferenceView::default());
    assert!(text.contains("Only in the old results: span simple serialize span.\n"), "{text}");
    assert!(text.contains("Only in the new results: lite simple serialize span.\n"), "{text}");
}

/// One type with many small blocks, one with a large block, one that stays.
fn many_and_large() -> [Results; 2] {
    let same = Site("Same", WRITE, 200, 200);
    let old = [same, Site("Many", WRITE, 200, 200), Site("Large", WRITE, 200, 2_000_000)];
    let new = [same, Site("Many", WRITE, 2000, 2000), Site("Large", WRITE, 200, 4_000_000)];
    runs(&old, &new)
}

#[test]
fn the_largest_difference_comes_first_and_what_is_left_out_is_counted() {
    let runs = many_and_large();
    let by = |sort| table(&runs, DifferenceView { sort, top: Some(1), ..DifferenceView::default() });
    let (bytes, count) = (by(DifferenceSort::Bytes), by(DifferenceSort::Count));
    assert!(bytes.contains("\nLarge ") && !bytes.contains("\nMany "), "{bytes}");
    assert!(count.contains("\nMany ") && !count.contains("\nLarge "), "{count}");
    assert!(count.contains("… 1 more that differ\n… 1 unchanged\n"), "{count}");
}

#[test]
fn a_table_has_figures_per_operation_and_whole_counts() {
    let text = table(&many_and_large(), DifferenceView::default());
    let many = text.lines().find(|line| line.starts_with("Many ")).unwrap();
    let words: Vec<_> = many.split_whitespace().collect();
    assert_eq!(words, ["Many", "grew", "1", "->", "10", "1", "->", "10", "+1,800", "+1,800"], "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn whole_counts_of_other_numbers_of_operations_are_not_compared() {
    let old = run(&[(CASE, &[Site("String", WRITE, 200, 4800)])]);
    let mut new = run(&[(CASE, &[Site("String", WRITE, 400, 4800)])]);
    new.cases[0].iterations = 400;
    let text = table(&[old, new], DifferenceView::default());
    let row = text.lines().find(|line| line.starts_with("String ")).unwrap();
    assert_eq!(
        row.split_whitespace().collect::<Vec<_>>(),
        ["String", "shrank", "1", "24", "->", "12"],
        "{text}"
    );
}

#[test]
fn sites_are_shown_with_their_types_places_and_callers() {
    let [old, new] = runs(&[], &[Site("String", WRITE, 200, 4800)]);
    let view = DifferenceView { by: DifferenceBy::Site, ..DifferenceView::default() };
    let text = DifferenceFormat::Table.render(&old, &new, &view).unwrap();
    assert!(text.contains("\nwrite "), "{text}");
    assert!(text.contains("\n    String at src/a.rs:10\n    < encode  src/b.rs:20\n"), "{text}");
    let markdown = DifferenceFormat::Markdown.render(&old, &new, &view).unwrap();
    assert!(markdown.contains("| `write`<br><sub>String at src/a.rs:10</sub>"), "{markdown}");
    assert!(markdown.contains("### binary simple serialize stream\n"), "{markdown}");
}

#[test]
fn the_json_form_holds_everything_under_its_schema() {
    let [old, new] = many_and_large();
    let text = DifferenceFormat::Json.render(&old, &new, &DifferenceView::default()).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["schema"], "alloclab.diff/1");
    assert_eq!(json["unchanged"], 0);
    let case = &json["cases"][0];
    assert_eq!((&case["case"]["codec"], &case["unchanged_types"]), (&"binary".into(), &1.into()));
    assert_eq!(case["types"][0]["type"], "Large");
    assert_eq!(case["types"][0]["old"]["bytes_per_op"], 10_000.0);
    assert_eq!(case["types"][0]["new"]["counts"]["bytes"], 4_000_000);
    assert_eq!(case["sites"][0]["stack"][0]["location"], "src/a.rs:10");
}
