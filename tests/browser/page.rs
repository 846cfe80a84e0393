//! The page of a results file, clicked through: what it shows is what the results hold, wherever one goes in it.

mod differences;
mod drawings;

use std::fs;
use std::path::{Path, PathBuf};

use alloclab::report::{View, find};
use alloclab::results::{Case, CaseKey, Results};
use serde_json::{Value, json};

use crate::driver::{Browser, Page};
use crate::every_field::with_every_field;
use crate::heap_sample::heap;
use crate::many_sites::with_sites;
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

/// Waits until the type, site or function of a name is told beside its list.
fn wait_for_chosen(page: &mut Page, name: &str) {
    let told = "document.querySelector('.detail .chosen h3').textContent";
    page.wait_until(&format!("{told} === {}", json!(name)));
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
fn a_peak_stands_with_its_error_wherever_it_is_told() {
    let mut results = with_every_field();
    let case = &mut results.cases[BINARY];
    (case.peak_live_bytes, case.peak_error_bytes) = (3_000, 4_096);
    let Some(mut page) = opened("peaks.html", &results) else { return };
    let peak =
        heading(&mut page, ".cases", "Peak live").replace("thead th", "tbody td").replace(" button", "");
    let peaks = texts(&mut page, &peak);
    assert_eq!((peaks[BINARY].as_str(), peaks[BINARY + 1].as_str()), ("3,000 ± 4,096", "2,062"));
    go(&mut page, &format!("case={BINARY}&view=heap"));
    assert!(texts(&mut page, ".headline dd").contains(&"3,000 ± 4,096 B".to_owned()));
    let told = &texts(&mut page, ".heap-peak")[0];
    assert!(told.ends_with("The peak of the whole run was 3,000 ± 4,096 B."), "{told}");
    let marked = texts(&mut page, ".heap-run .plot-mark");
    assert_eq!(marked, ["peak 3,000 ± 4,096 B, inside of operations"]);
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
    let name = CaseKey::of(&results.cases[1]).to_string();
    assert_eq!(texts(&mut page, "main > h2"), [name.as_str()]);
    assert_eq!(page.evaluate("document.title"), format!("{name} · span · alloclab"));
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
    let (kind, sites) = (&case.types[2], &case.types[2].sites);
    wait_for_chosen(&mut page, &kind.name);
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
fn the_first_row_of_a_list_is_told_beside_it_where_there_is_room() {
    let results = span_profile();
    let case = &results.cases[BINARY];
    let Some(mut page) = opened("first row.html", &results) else { return };
    page.resize(1280, 900);
    go(&mut page, &format!("case={BINARY}"));
    let entries = page.evaluate("history.length");
    wait_for_chosen(&mut page, &case.types[0].name);
    let marked = "document.querySelector('.list tr[aria-current]')?.dataset.key ?? null";
    assert_eq!(page.evaluate(marked), "type 0");
    let here = format!("#case={BINARY}");
    assert_eq!(page.evaluate("[location.hash, history.length]"), json!([here, entries]));
    for list in ["sites", "functions"] {
        go(&mut page, &format!("case={BINARY}&list={list}"));
        let first = texts(&mut page, ".list tbody tr[aria-current]:first-child .name");
        assert_eq!(first, texts(&mut page, ".detail .chosen h3"), "{list}");
    }
    page.screenshot("page first row.png");
    page.resize(400, 900);
    go(&mut page, &format!("case={}", BINARY + 1));
    assert_eq!(page.evaluate(marked), Value::Null);
    assert!(texts(&mut page, ".detail")[0].starts_with("Choose a type"));
    assert_eq!(page.evaluate("scrollY"), 0);
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
    wait_for_chosen(&mut page, name);
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
fn a_function_is_marked_in_its_list_wherever_its_call_stands() {
    let mut results = span_profile();
    let name = "binary::Writer::write_0";
    let first = results.frames.iter().position(|frame| frame.function == name).unwrap();
    let mut other = results.frames[first].clone();
    other.location = Some("src/codec/binary/writer.rs:200".into());
    results.frames.push(other);
    let second = results.frames.len() - 1;
    let case = &mut results.cases[BINARY];
    let site = case.sites.iter().position(|site| site.frames.contains(&(first as u32))).unwrap();
    let frames = &mut case.sites[site].frames;
    frames.iter_mut().filter(|frame| **frame == first as u32).for_each(|frame| *frame = second as u32);
    let Some(mut page) = opened("calls of a function.html", &results) else { return };
    go(&mut page, &format!("case={BINARY}&list=functions&site={site}"));
    page.click(&format!(".detail .stack a[href$=\"frame={second}\"]"));
    wait_for_chosen(&mut page, name);
    let marked = ".list tr[aria-current] .name";
    assert_eq!(texts(&mut page, marked), [name]);
    assert_eq!(texts(&mut page, &format!(".list tbody .name[title=\"{name}\"]")).len(), 1);
    let calls = &texts(&mut page, ".detail .facts:nth-of-type(2) dd")[0];
    assert_eq!(calls, "src/codec/binary/writer.rs:200, src/codec/binary/writer.rs:90");
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

#[test]
fn all_figures_of_a_case_stand_under_their_names() {
    let results = with_every_field();
    let case = &results.cases[BINARY];
    let Some(mut page) = opened("all figures.html", &results) else { return };
    go(&mut page, &format!("case={BINARY}&view=figures"));
    let script = "Object.fromEntries([...document.querySelectorAll('.groups section')].map(section => [
        section.querySelector('h3').textContent,
        Object.fromEntries([...section.querySelectorAll('dl > div')].map(
            pair => [pair.firstChild.textContent.toLowerCase().replaceAll(' ', '_'), pair.lastChild.textContent]))]))";
    let shown = page.evaluate(script);
    let groups = [("Totals", json!(case.totals)), ("First operation", json!(case.first_operation))];
    for (title, figures) in groups {
        for (name, figure) in figures.as_object().unwrap() {
            let text = shown[title][name].as_str().unwrap_or_else(|| panic!("{title}, {name}: {shown}"));
            assert_eq!(text.replace(',', ""), figure.to_string(), "{title}, {name}");
        }
    }
    assert_eq!(shown["Time"].as_object().unwrap().len(), json!(case.time).as_object().unwrap().len());
    let file = json!(case);
    let is_figure = |value: &Value| !value.is_array() && !value.is_object() && *value != "";
    for (name, _) in file.as_object().unwrap().iter().filter(|(_, value)| is_figure(value)) {
        assert!(shown["Case"][name].is_string(), "{name}: {shown}");
    }
    let figures = [("iterations", "100,000"), ("peak_requests", "19"), ("new_size_bytes_per_op", "2,062")];
    figures.iter().for_each(|(name, figure)| assert_eq!(shown["Case"][name], *figure, "{name}"));
    assert_eq!(page.errors(), [""; 0]);
}

/// Whether a page is wider than the window, by how much.
const WIDER: &str = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

#[test]
fn ten_thousand_sites_with_long_names_stay_within_the_page() {
    let mut results = with_sites(10_000);
    let long = |name: &str| format!("{name}::<{}>", "N".repeat(500));
    results.frames.iter_mut().for_each(|frame| frame.function = long(&frame.function));
    let case = &mut results.cases[0];
    case.types.iter_mut().for_each(|row| row.name = long(&row.name));
    let operations = case.iterations as f64;
    case.sites.iter_mut().for_each(|site| site.bytes_per_op = site.bytes as f64 / operations);
    let Some(mut page) = opened("many sites.html", &results) else { return };
    for width in [400, 1280] {
        page.resize(width, 900);
        for place in places().iter().map(|place| place.replace(&format!("case={BINARY}"), "case=0")) {
            go(&mut page, &place);
            assert_eq!(page.evaluate(WIDER), 0, "{place} at {width}");
        }
    }
    go(&mut page, "case=0&list=sites");
    page.click(".list .rest button");
    let expected: Vec<_> = results.cases[0].sites.iter().map(|site| Some(site.bytes_per_op)).collect();
    assert!(figures(&mut page, ".list table", "Bytes B/op") == expected);
    assert_eq!(page.evaluate(WIDER), 0);
    assert_eq!(page.errors(), [""; 0]);
}

/// Results whose every shown name would do something if it were read as HTML or as script.
fn with_scripts() -> Results {
    let mut results = span_profile();
    let mut names = vec![&mut results.profile, &mut results.title, &mut results.environment.rustc];
    for frame in &mut results.frames {
        names.push(&mut frame.function);
        names.extend(&mut frame.location);
    }
    for case in &mut results.cases {
        names.extend([&mut case.codec, &mut case.model, &mut case.variant]);
        for row in &mut case.types {
            names.extend([&mut row.name, &mut row.path]);
            names.extend(&mut row.dotnet);
        }
    }
    let scripts = [
        "</script><script>window.broken = 1</script>",
        "<img src=x onerror='window.broken = 2'>",
        "'\"><svg onload=window.broken=3>",
        "javascript:window.broken=4//",
        "\u{2028}window.broken=5;\u{202e}",
        "<!--<script>",
    ];
    for (index, name) in names.into_iter().enumerate() {
        *name = format!("{}{index}", scripts[index % scripts.len()]);
    }
    results
}

#[test]
fn no_name_runs_as_a_script() {
    let results = with_scripts();
    let Some(mut page) = opened("scripts.html", &results) else { return };
    for place in places() {
        go(&mut page, &place);
        page.evaluate("document.querySelectorAll('details').forEach(details => { details.open = true; })");
    }
    assert_eq!(page.evaluate("window.broken ?? null"), Value::Null);
    assert_eq!(
        page.evaluate("document.querySelectorAll('script, img, iframe, a[href^=\"javascript\"]').length"),
        2
    );
    assert_eq!(texts(&mut page, "main > h2"), [CaseKey::of(&results.cases[BINARY]).to_string()]);
    page.screenshot("page scripts.png");
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
            assert_eq!(page.evaluate(WIDER), 0, "{place} at {width}");
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

#[test]
fn an_address_that_leads_nowhere_shows_what_is_there() {
    let Some(mut page) = opened("addresses.html", &span_profile()) else { return };
    let types = ".view.types .list table[data-rows]";
    for (address, shown) in [
        ("case=7&list=x", types),
        ("case=7&list=__proto__", types),
        ("case=7&list=constructor", types),
        ("case=7&view=__proto__", types),
        ("case=7&view=toString&type=99", types),
        ("case=7&type=-1", types),
        ("case=7&site=99999", types),
        ("case=7&frame=1e3", types),
        ("case=7&list=functions&frame=99999999999999999999", types),
        ("run=9&case=7", types),
        ("case=999&type=-1", "table.cases"),
        ("case=&view=heap", "table.cases"),
        ("run=x", "table.cases"),
        ("difference=3", "table.cases"),
        ("%", "table.cases"),
        ("__proto__=1", "table.cases"),
    ] {
        go(&mut page, address);
        let count = page.evaluate(&format!("document.querySelectorAll({}).length", json!(shown)));
        assert_eq!(count, 1, "{address}");
        page.press("]");
        page.press("[");
    }
    assert_eq!(page.errors(), [""; 0]);
}
