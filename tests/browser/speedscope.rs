//! Folded stacks in speedscope's released page: what it adds up is what the results file says.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use alloclab::report::{View, Weight, find};
use alloclab::results::{Results, SiteRow};

use crate::driver::{Browser, Page, say_skipped};
use crate::heap_sample::heap;

/// The released page under the folder that npm installed it in; none where the variable does not name that.
fn speedscope() -> Option<PathBuf> {
    let page = env::var_os("ALLOCLAB_SPEEDSCOPE")
        .map(|folder| Path::new(&folder).join("node_modules/speedscope/dist/release/index.html"));
    if page.is_none() {
        say_skipped(
            "ALLOCLAB_SPEEDSCOPE names no folder with speedscope (npm install --prefix FOLDER speedscope@1.25.0)",
        );
    }
    page
}

/// What a function weighs with all that it calls, and by itself.
type Weights = BTreeMap<String, (u64, u64)>;

/// The table of functions that speedscope shows of a file.
fn shown(page: &mut Page, file: &Path) -> Weights {
    page.pick_file("input[type=file]", file);
    page.wait_until("document.body.innerText.includes('Sandwich')");
    page.press("3");
    page.wait_until("document.querySelector('td')");
    let rows = page.evaluate(
        "[...document.querySelectorAll('tr')].filter(row => row.querySelector('td'))
            .map(row => [...row.querySelectorAll('td')].map(cell => cell.innerText))",
    );
    let row = |row: &serde_json::Value| {
        let [total, own, name] = [0, 1, 2].map(|cell| row[cell].as_str().expect("a row of three cells"));
        (name.trim().to_owned(), (weight(total), weight(own)))
    };
    rows.as_array().unwrap().iter().map(row).collect()
}

/// The weight of a cell: `48,123 (71%)`.
fn weight(cell: &str) -> u64 {
    let number = cell.trim().split(' ').next().unwrap().replace(',', "");
    number.parse().unwrap_or_else(|_| panic!("expected a weight and its share: {cell}"))
}

/// What the table has to show of the results' one case.
fn expected(results: &Results, weight: Weight) -> Weights {
    let case = &results.cases[0];
    let mut weights = Weights::new();
    for site in case.sites.iter().filter(|site| weight.of(site) > 0) {
        let name = format!("[{}]", case.types[site.type_index as usize].name);
        for function in functions(results, site) {
            weights.entry(function).or_default().0 += weight.of(site);
        }
        let own = weights.entry(name).or_default();
        *own = (own.0 + weight.of(site), own.1 + weight.of(site));
    }
    weights
}

/// The functions on a stack, each once.
fn functions(results: &Results, site: &SiteRow) -> Vec<String> {
    let mut functions: Vec<String> =
        site.frames.iter().map(|&frame| results.frames[frame as usize].function.clone()).collect();
    functions.extend(site.frames.is_empty().then(|| "(no stack)".to_owned()));
    functions.extend(site.truncated.then(|| "(truncated)".to_owned()));
    functions
}

#[test]
fn speedscope_adds_up_what_the_results_say() {
    let (Some(browser), Some(released)) = (Browser::start(), speedscope()) else { return };
    let results = heap();
    for weight in Weight::ALL {
        let mut page = browser.page();
        page.open(&released);
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.folded", weight.name()));
        let view = View { weight, ..View::default() };
        fs::write(&file, find("folded").unwrap().render(&results, &view).unwrap()).unwrap();
        let shown = shown(&mut page, &file);
        let total: u64 = results.cases[0].sites.iter().map(|site| weight.of(site)).sum();
        assert_eq!(shown.values().map(|&(_, own)| own).sum::<u64>(), total, "{}", weight.name());
        assert_eq!(shown, expected(&results, weight), "{}", weight.name());
        assert_eq!(page.errors(), [""; 0]);
        page.screenshot(&format!("speedscope_{}.png", weight.name()));
    }
}
