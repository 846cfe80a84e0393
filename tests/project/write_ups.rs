//! The page about the write-ups: its places name cases that there are, and it holds its template's text.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use alloclab::plan::{Overrides, Plan, PlannedCase};
use alloclab::profile::load;

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/docs").join(name)).unwrap()
}

/// The text around the places, and the places.
fn taken_apart(template: &str) -> (Vec<&str>, Vec<&str>) {
    let mut pieces = template.split("{{");
    let mut texts = vec![pieces.next().unwrap()];
    let mut places = Vec::new();
    for piece in pieces {
        let (place, text) = piece.split_once("}}").expect("a place ends");
        places.push(place);
        texts.push(text);
    }
    (texts, places)
}

fn is_named(case: &PlannedCase, words: &str) -> bool {
    let key = case.key.clone();
    let mut name = vec![key.codec, key.model, key.operation, key.variant.clone()];
    match &*key.variant {
        "batch" => name.extend(["batch".to_owned(), key.batch.to_string()]),
        "concurrent" => name.extend(["threads".to_owned(), key.threads.to_string()]),
        _ => {}
    }
    words.split_whitespace().eq(name.iter().map(String::as_str))
}

#[test]
fn every_place_names_a_case_of_its_profile_with_that_figure() {
    let template = page("write-ups.template.md");
    let mut plans: HashMap<&str, Plan> = HashMap::new();
    let (_, places) = taken_apart(&template);
    assert!(places.len() > 100, "{}", places.len());
    for place in places {
        let (figure, subject) = place.split_once(" of ").expect("a figure of a profile");
        let (profile, cases) = subject.split_once(": ").expect("a profile and its case");
        let plan = plans.entry(profile).or_insert_with(|| load(profile, &Overrides::default()).unwrap());
        for words in cases.split(" over ") {
            let case = plan.cases.iter().find(|case| is_named(case, words));
            let case = case.unwrap_or_else(|| panic!("no case `{words}` of {profile}"));
            let published = case.published.as_ref();
            let has_figure = match figure {
                "time" | "allocations" | "bytes" | "encoded" => true,
                "modelled" => !case.subject.modelled_objects().is_empty(),
                "published time" => published.is_some_and(|row| row.mean_ns.is_some()),
                "published bytes" => published.is_some_and(|row| row.allocated_bytes.is_some()),
                "published encoded" => published.is_some_and(|row| row.encoded_bytes.is_some()),
                _ => false,
            };
            assert!(has_figure, "`{place}`: no such figure");
        }
    }
}

#[test]
fn the_page_is_its_template_with_every_place_filled() {
    let (template, page) = (page("write-ups.template.md"), page("write-ups.md"));
    assert!(!page.contains("{{"), "make the page anew: CONTRIBUTING.md says how");
    let mut rest = page.as_str();
    for text in taken_apart(&template).0 {
        let at = rest.find(text).unwrap_or_else(|| panic!("not in the page, or in another place: {text:?}"));
        // Between two texts stands a figure, and nothing longer.
        assert!(at <= 20, "{:?} stands where a figure should", &rest[..at]);
        rest = &rest[at + text.len()..];
    }
}
