//! The page of a results file, clicked through: what it shows is what the results hold, wherever one goes in it.

use std::fs;
use std::path::{Path, PathBuf};

use alloclab::report::{DifferenceFormat, DifferenceView, View, find};
use alloclab::results::{Case, CaseKey, Results};
use serde_json::{Value, json};

use crate::driver::{Browser, Page};
use crate::heap_sample::heap;
use crate::sample::{hostile, largest, small, span_profile, without_time};

/// The case of the span profile that allocates most types.
const BINARY: usize = 7;

fn file(name: &str, text: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

/// The page of results; none where there is no browser.
fn opened(name: &str, results: &Results) -> Option<Page> {
    let browser = Browser::start()?;
    let mut page = browser.page();
    page.open(&file(name, &find("html").unwrap().render(results, &View::default()).unwrap()));
    Some(page)
}

/// Goes to a place of the page, by its address.
fn go(page: &mut Page, hash: &str) {
    page.evaluate(&format!("void (location.hash = {})", json!(hash)));
    // What shows the place hears of it after those that wait for it here.
    page.evaluate("new Promise(resolve => setTimeout(resolve, 0))");
}

fn texts(page: &mut Page, selector: &str) -> Vec<String> {
    let script = format!("[...document.querySelectorAll({})].map(it => it.textContent)", json!(selector));
    serde_json::from_value(page.evaluate(&script)).unwrap()
}

/// The exact figures of a column; none where a cell has no figure.
fn figures(page: &mut Page, table: &str, title: &str) -> Vec<Option<f64>> {
    let script = format!(
        "(() => {{
            const table = document.querySelector({});
            const titles = [...table.tHead.rows[0].cells].map(cell => cell.innerText.replaceAll('\\n', ' ').trim());
            const index = titles.indexOf({});
            if (index < 0) return titles;
            return [...table.tBodies[0].rows].map(row => row.cells[index].dataset.value ?? null);
        }})()",
        json!(table),
        json!(title),
    );
    let cells: Vec<Option<String>> = serde_json::from_value(page.evaluate(&script)).unwrap();
    cells
        .iter()
        .map(|cell| cell.as_ref().map(|text| text.parse().unwrap_or_else(|_| panic!("{title}: {cells:?}"))))
        .collect()
}

/// The cell of a list that is chosen, or the row of a case.
fn row(key: &str) -> String {
    format!("tr[data-key=\"{key}\"] > th .name")
}

/// The place of a column's button in the heading of a table.
fn heading(page: &mut Page, table: &str, title: &str) -> String {
    let titles = texts(page, &format!("{table} thead button"));
    let index = titles.iter().position(|it| it == title).unwrap_or_else(|| panic!("{title} in {titles:?}"));
    format!("{table} thead th:nth-child({}) button", index + 1)
}

#[test]
fn cases_stand_with_the_figures_of_the_results() {
    let results = span_profile();
    let Some(mut page) = opened("cases.html", &results) else { return };
    let mut check = |title: &str, figure: &dyn Fn(&Case) -> Option<f64>| {
        let expected: Vec<_> = results.cases.iter().map(figure).collect();
        assert_eq!(figures(&mut page, ".cases", title), expected, "{title}");
    };
    check("Allocations per op", &|case| Some(case.allocations_per_op));
    check("Reallocations per op", &|case| Some(case.reallocations_per_op));
    check("Bytes B/op", &|case| Some(case.bytes_per_op));
    check("Published B/op", &|case| case.published.as_ref()?.allocated_bytes);
    check(".NET model B/op", &|case| case.modelled_dotnet_bytes_per_op);
    check("Alloc ratio × baseline", &|case| case.alloc_ratio);
    check("Published alloc ratio", &|case| case.published.as_ref()?.alloc_ratio);
    check("Mean time ns/op", &|case| Some(case.time.as_ref()?.mean_ns));
    check("Published ns/op", &|case| case.published.as_ref()?.mean_ns);
    check("Ratio × baseline", &|case| case.ratio);
    check("Published ratio", &|case| case.published.as_ref()?.ratio);
    check("Peak live B", &|case| Some(case.peak_live_bytes as f64));
    check("Left alive B", &|case| Some(case.leaked_bytes as f64));
    check("Encoded B", &|case| Some(case.encoded_bytes as f64));
    assert_eq!(page.errors(), [""; 0]);
}

#[test]
fn a_column_sorts_up_and_down() {
    let results = span_profile();
    let Some(mut page) = opened("sort.html", &results) else { return };
    let mut expected: Vec<_> = results.cases.iter().map(|case| Some(case.bytes_per_op)).collect();
    expected.sort_by(|one, other| other.partial_cmp(one).unwrap());
    let bytes = heading(&mut page, ".cases", "Bytes");
    for order in ["descending", "ascending"] {
        page.click(&bytes);
        assert_eq!(figures(&mut page, ".cases", "Bytes B/op"), expected);
        assert_eq!(page.evaluate("document.querySelector('[aria-sort]').ariaSort"), order);
        expected.reverse();
    }
    let cases = heading(&mut page, ".cases", "Case");
    page.click(&cases);
    let names = texts(&mut page, ".cases tbody .case > .name");
    assert!(names.is_sorted() && names.len() == results.cases.len(), "{names:?}");
    page.screenshot("page sorted.png");
    assert_eq!(page.errors(), [""; 0]);
}

#[test]
fn words_filter_the_cases() {
    let results = span_profile();
    let Some(mut page) = opened("filter.html", &results) else { return };
    page.press("/");
    page.type_text("batch BINARY");
    let of_words = |case: &&Case| case.codec == "binary" && case.variant == "batch";
    let expected: Vec<_> =
        results.cases.iter().filter(of_words).map(|case| Some(case.bytes_per_op)).collect();
    assert_eq!(expected.len(), 2);
    assert_eq!(figures(&mut page, ".cases", "Bytes B/op"), expected);
    assert_eq!(texts(&mut page, "[role=status]"), [format!("2 of {} cases", results.cases.len())]);
    page.type_text(" nothing");
    assert_eq!(texts(&mut page, ".cases tbody"), ["No case has all of these words."]);
    page.screenshot("page filtered.png");
    assert_eq!(page.errors(), [""; 0]);
}

#[test]
fn keys_lead_to_a_case_and_back() {
    let results = span_profile();
    let Some(mut page) = opened("keys.html", &results) else { return };
    for key in ["j", "j", "ArrowDown", "k", "Enter"] {
        page.press(key);
    }
    page.wait_until("document.querySelector('main > h2')");
    assert_eq!(texts(&mut page, "main > h2"), [CaseKey::of(&results.cases[1]).to_string()]);
    page.press("]");
    page.wait_until("location.hash === '#case=2'");
    page.press("2");
    page.wait_until("document.querySelector('.view.flame')");
    for place in ["case=2", "case=1"] {
        page.evaluate("history.back()");
        page.wait_until(&format!("location.hash === '#{place}' && document.querySelector('.view.types')"));
    }
    page.press("Escape");
    page.wait_until("document.querySelector('table.cases')");
    page.press("?");
    page.wait_until("document.querySelector('dialog[open]')");
    page.screenshot("page keys.png");
    page.press("Escape");
    page.wait_until("!document.querySelector('dialog[open]')");
    assert_eq!(page.errors(), [""; 0]);
}

#[test]
fn a_type_leads_to_its_sites_and_a_site_to_its_type() {
    let results = span_profile();
    let case = &results.cases[BINARY];
    let Some(mut page) = opened("types and sites.html", &results) else { return };
    page.click(&row(&BINARY.to_string()));
    page.wait_until("document.querySelector('.list')");
    page.click(&row("type 2"));
    page.wait_until("document.querySelector('.detail .chosen')");
    let (kind, sites) = (&case.types[2], &case.types[2].sites);
    assert_eq!(texts(&mut page, ".detail .chosen h3"), [kind.name.as_str()]);
    assert_eq!(texts(&mut page, ".detail .cards details").len(), sites.len());
    let facts = texts(&mut page, ".detail dd");
    assert_eq!(facts[..3], ["400,000", "0", "25,600,000 B"]);
    assert!(facts.contains(&kind.path), "{facts:?}");
    page.screenshot("page type.png");
    page.click(".detail .cards details[open] > p > a");
    page.wait_until("document.querySelector('.detail .choice')");
    assert!(page.evaluate("location.hash").as_str().unwrap().ends_with(&format!("site={}", sites[0])));
    let stack = texts(&mut page, ".detail .stack li a");
    let frames = &case.sites[sites[0] as usize].frames;
    let expected: Vec<_> =
        frames.iter().map(|&frame| results.frames[frame as usize].function.clone()).collect();
    assert_eq!(stack, expected);
    page.screenshot("page site.png");
    page.click(".detail .choice a");
    page.wait_until("document.querySelector('.detail .cards')");
    assert_eq!(texts(&mut page, ".detail .chosen h3"), [kind.name.as_str()]);
    assert_eq!(page.evaluate("document.querySelector('tr[aria-current]').dataset.key"), "type 2");
    assert_eq!(page.errors(), [""; 0]);
}

#[test]
fn a_function_leads_to_all_that_is_allocated_below_it() {
    let results = span_profile();
    let case = &results.cases[BINARY];
    let Some(mut page) = opened("functions.html", &results) else { return };
    let name = "binary::Writer::write_0";
    let frame = results.frames.iter().position(|frame| frame.function == name).unwrap();
    go(&mut page, &format!("case={BINARY}&list=functions"));
    page.click(&row(&format!("frame {frame}")));
    page.wait_until("document.querySelector('.detail table')");
    let below = |kind: usize| {
        let is_below = |site: &&alloclab::results::SiteRow| {
            site.type_index as usize == kind && site.frames.contains(&(frame as u32))
        };
        case.sites.iter().filter(is_below).map(|site| site.bytes).sum::<u64>()
    };
    let mut expected: Vec<_> = (0..case.types.len())
        .map(below)
        .filter(|&bytes| bytes > 0)
        .map(|bytes| bytes as f64 / case.iterations as f64)
        .collect();
    expected.sort_by(|one, other| other.total_cmp(one));
    assert!(expected.len() > 3);
    let shown = figures(&mut page, ".detail table", "Bytes B/op");
    let shown: Vec<f64> = shown.into_iter().flatten().filter(|&bytes| bytes > 0.0).collect();
    assert_eq!(shown, expected);
    page.screenshot("page function.png");
    assert_eq!(page.errors(), [""; 0]);
}

#[test]
fn types_and_sites_of_every_case_stand_with_the_figures_of_the_results() {
    for (name, results) in
        [("figures.html", span_profile()), ("figures at most.html", largest()), ("figures heap.html", heap())]
    {
        let Some(mut page) = opened(name, &results) else { return };
        for (index, case) in results.cases.iter().enumerate().filter(|(_, case)| !case.sites.is_empty()) {
            go(&mut page, &format!("case={index}"));
            let kinds = |figure: fn(&alloclab::results::TypeRow) -> f64| -> Vec<_> {
                case.types.iter().map(|row| Some(figure(row))).collect()
            };
            assert_eq!(
                figures(&mut page, ".list table", "Bytes B/op"),
                kinds(|row| row.bytes_per_op),
                "{index}"
            );
            assert_eq!(
                figures(&mut page, ".list table", "Allocs per op"),
                kinds(|row| row.allocations_per_op)
            );
            assert_eq!(figures(&mut page, ".list table", "Share % of bytes"), kinds(|row| row.percent));
            go(&mut page, &format!("case={index}&list=sites"));
            let sites = |figure: fn(&alloclab::results::SiteRow) -> f64| -> Vec<_> {
                case.sites.iter().map(|row| Some(figure(row))).collect()
            };
            assert_eq!(
                figures(&mut page, ".list table", "Bytes B/op"),
                sites(|row| row.bytes_per_op),
                "{index}"
            );
            assert_eq!(
                figures(&mut page, ".list table", "Allocs per op"),
                sites(|row| row.allocations_per_op)
            );
        }
        assert_eq!(page.errors(), [""; 0]);
    }
}

/// The page of two runs: the second allocates less of one type, more of another, and one no more.
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
    new.cases.pop();
    let text = DifferenceFormat::Html.render(&old, &new, &DifferenceView::default()).unwrap();
    let mut page = browser.page();
    page.open(&file(name, text.as_bytes()));
    Some(page)
}

#[test]
fn a_difference_is_told_by_color_and_by_words() {
    let Some(mut page) = difference("difference.html") else { return };
    assert!(texts(&mut page, ".finding")[0].starts_with("1 case allocates differently; "));
    let changes = texts(&mut page, ".cases .change");
    assert_eq!(changes, ["▲ grew", "− gone"]);
    assert_eq!(figures(&mut page, ".cases", "Difference B/op")[0], Some(320.0));
    page.screenshot("difference.png");
    page.click(&row("0"));
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

/// Every place of a page that looks unlike the others.
fn places() -> Vec<String> {
    let mut places = vec![String::new()];
    places.extend(
        ["types&type=0", "types&site=1", "types&frame=1", "flame", "heap", "sizes", "figures"]
            .map(|view| format!("case={BINARY}&view={view}")),
    );
    places
}

#[test]
fn nothing_is_wider_than_a_narrow_page_in_light_or_dark() {
    let Some(mut page) = opened("narrow.html", &hostile()) else { return };
    for (width, dark) in [(400, false), (1280, true)] {
        page.resize(width, 900);
        page.dark(dark);
        for (number, place) in places().iter().enumerate() {
            go(&mut page, place);
            let wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
            assert_eq!(page.evaluate(wider), 0, "{place} at {width}");
            page.screenshot(&format!("page {width} {number}.png"));
        }
    }
    assert_eq!(page.errors(), [""; 0]);
}

/// Opens a page once more, with the theme that was chosen, and waits until it is drawn.
fn reload(page: &mut Page, theme: Option<&str>) {
    page.reload_until(&format!("localStorage.getItem('alloclab-theme') === {}", json!(theme)));
    page.wait_until("document.querySelector('main h1')");
}

#[test]
fn dark_follows_the_screen_until_it_is_chosen() {
    let Some(mut page) = opened("dark.html", &span_profile()) else { return };
    let background = |page: &mut Page| page.evaluate("getComputedStyle(document.body).backgroundColor");
    let light = background(&mut page);
    page.dark(true);
    page.wait_until("document.getElementById('theme').textContent === 'Light'");
    let dark = background(&mut page);
    assert_ne!(light, dark);
    reload(&mut page, None);
    assert_eq!(background(&mut page), dark);
    page.click("#theme");
    assert_eq!(background(&mut page), light);
    reload(&mut page, Some("light"));
    assert_eq!(background(&mut page), light);
    assert_eq!(texts(&mut page, "#theme"), ["Dark"]);
    assert_eq!(page.errors(), [""; 0]);
}

#[test]
fn every_kind_of_results_opens_without_an_error() {
    let none = Results::default();
    let idle = Results { cases: vec![Case::default()], ..Results::default() };
    for (name, results) in [
        ("small.html", small()),
        ("without time.html", without_time()),
        ("hostile.html", hostile()),
        ("largest.html", largest()),
        ("heap.html", heap()),
        ("none.html", none),
        ("idle.html", idle),
    ] {
        let Some(mut page) = opened(name, &results) else { return };
        for place in places() {
            for index in [0, BINARY] {
                go(&mut page, &place.replace(&format!("case={BINARY}"), &format!("case={index}")));
            }
            assert_eq!(
                page.evaluate("document.querySelectorAll('script, img, iframe').length"),
                2,
                "{name}: {place}"
            );
            assert!(
                !page.evaluate("document.querySelector('main').textContent").as_str().unwrap().is_empty()
            );
        }
        assert_eq!(page.errors(), [""; 0], "{name}");
    }
}
