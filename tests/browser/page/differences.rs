//! The page of two runs: what differs between them, and each of them whole.

use std::collections::{BTreeMap, BTreeSet};

use alloclab::report::{DifferenceFormat, DifferenceView};
use serde_json::Value;

use super::{BINARY, figures, file, go, row, texts};
use crate::driver::{Browser, Page};
use crate::sample::span_profile;

/// The page of two runs: one case allocates more of a type and nothing more of another; one allocates as much of other types;
/// one is gone.
fn difference(name: &str) -> Option<Page> {
    let browser = Browser::start()?;
    let (old, mut new) = (span_profile(), span_profile());
    let case = &mut new.cases[BINARY];
    let bytes = case.types[0].bytes;
    for (index, times) in [(0, 2), (2, 0)] {
        let row = &mut case.types[index];
        (row.allocations, row.bytes) = (row.allocations * times, row.bytes * times);
        for &site in &row.sites {
            let site = &mut case.sites[site as usize];
            (site.allocations, site.bytes) = (site.allocations * times, site.bytes * times);
        }
    }
    case.bytes_per_op += bytes as f64 / case.iterations as f64;
    let kinds = &mut new.cases[0].types;
    (kinds[0].bytes, kinds[1].bytes) = (kinds[0].bytes + 100_000, kinds[1].bytes - 100_000);
    new.cases.pop();
    let text = DifferenceFormat::Html.render(&old, &new, &DifferenceView::default()).unwrap();
    let mut page = browser.page();
    page.open(&file(name, text.as_bytes()));
    Some(page)
}

/// The color of each type in a case's list, by its name.
fn colors(page: &mut Page, hash: &str) -> BTreeMap<String, String> {
    go(page, hash);
    let script = "Object.fromEntries([...document.querySelectorAll('.list tbody .type')].map(type => (
        [type.querySelector('.name').title, getComputedStyle(type.querySelector('.swatch')).backgroundColor])))";
    serde_json::from_value(page.evaluate(script)).unwrap()
}

#[test]
fn a_type_has_one_color_in_both_runs() {
    let Some(browser) = Browser::start() else { return };
    let (old, mut new) = (span_profile(), span_profile());
    // Its own colors go by shares, the largest first.
    let rows = new.cases.iter_mut().flat_map(|case| &mut case.types);
    rows.for_each(|row| row.percent = 100.0 - row.percent);
    new.cases[BINARY].bytes_per_op += 1.0;
    let text = DifferenceFormat::Html.render(&old, &new, &DifferenceView::default()).unwrap();
    let mut page = browser.page();
    page.open(&file("colors of two runs.html", text.as_bytes()));
    let [old, new] = [0, 1].map(|run| colors(&mut page, &format!("run={run}&case={BINARY}")));
    assert_eq!(old, new);
    assert!(old.values().collect::<BTreeSet<_>>().len() > 10, "{old:?}");
    assert_eq!(page.errors(), [""; 0]);
}

#[test]
fn a_difference_is_told_by_color_and_by_words() {
    let Some(mut page) = difference("difference.html") else { return };
    assert!(texts(&mut page, ".finding")[0].starts_with("2 cases allocate differently; "));
    let changes = texts(&mut page, ".cases .change");
    assert_eq!(changes, ["≠ differs", "▲ grew", "− gone"]);
    assert_eq!(figures(&mut page, ".cases", "Difference B/op")[..2], [Some(0.0), Some(320.0)]);
    page.screenshot("difference.png");
    page.click(&row("1"));
    page.wait_until("document.querySelectorAll('section').length === 3");
    let mut changes = texts(&mut page, "section:nth-of-type(2) .change");
    changes.sort();
    assert_eq!(changes, ["− gone", "▲ grew"]);
    let mut color = |class: &str| {
        page.evaluate(&format!("getComputedStyle(document.querySelector('td .{class}')).color"))
    };
    let (more, less) = (color("grown"), color("shrunk"));
    let parts = |color: &Value| -> Vec<u32> {
        let numbers = color.as_str().unwrap().trim_matches(|it: char| !it.is_ascii_digit()).split(", ");
        numbers.map(|part| part.parse().unwrap()).collect()
    };
    let (more, less) = (parts(&more), parts(&less));
    assert!(more[0] > 2 * more[1] && less[1] > 2 * less[0], "{more:?} {less:?}");
    page.screenshot("difference of a case.png");
    page.evaluate(
        "[...document.querySelectorAll('main a')].find(it => it.textContent.startsWith('New')).click()",
    );
    page.wait_until("document.querySelector('.list')");
    assert_eq!(
        figures(&mut page, ".list table", "Bytes B/op").len(),
        span_profile().cases[BINARY].types.len()
    );
    assert_eq!(page.errors(), [""; 0]);
}

#[test]
fn an_address_that_leads_to_no_difference_shows_all_of_them() {
    let Some(mut page) = difference("addresses of a difference.html") else { return };
    for address in ["difference=9", "difference=-1", "case=7", "run=9", "run=2&case=1"] {
        go(&mut page, address);
        assert!(texts(&mut page, ".finding")[0].contains("allocate differently"), "{address}");
    }
    assert_eq!(page.errors(), [""; 0]);
}
