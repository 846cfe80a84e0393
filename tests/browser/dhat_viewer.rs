//! A DHAT file in valgrind's own viewer: every figure that it shows is that of the results file.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use alloclab::report::{View, find};
use alloclab::results::{Case, Results, SiteRow, read};

use crate::driver::{Browser, Page, skip};
use crate::heap_sample::heap;

const VIEWER: &str = "/usr/libexec/valgrind/dh_view.html";

/// A file of the tests' folder.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A page of the viewer's; none where there is no browser or no valgrind.
fn viewer() -> Option<Page> {
    let browser = Browser::start()?;
    if !Path::new(VIEWER).is_file() {
        skip(&format!("there is no {VIEWER} here (Debian: apt-get install valgrind)"));
        return None;
    }
    let mut page = browser.page();
    page.open(Path::new(VIEWER));
    Some(page)
}

/// Results with one case, written as DHAT.
fn written(results: &Results, name: &str) -> PathBuf {
    let path = file(name);
    fs::write(&path, find("dhat").unwrap().render(results, &View::default()).unwrap()).unwrap();
    path
}

/// What the viewer shows of a file: the lines above the tree, and those of each node.
struct Shown {
    invocation: String,
    times: String,
    nodes: Vec<String>,
}

/// Loads a file; none of its nodes is too small to be shown by itself.
fn load(page: &mut Page, file: &Path) -> Shown {
    page.evaluate("gSelectData.forEach(data => { data.sig = () => true; }); gMainDiv.replaceChildren(); gInput.value = ''");
    page.pick_file("input[type=file]", file);
    page.wait_until("gMainDiv.querySelector('.threshold, .error')");
    let mut text = |class| {
        let shown = page.evaluate(&format!("gMainDiv.querySelector('{class}')?.textContent"));
        shown.as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(text(".error"), "");
    let (invocation, times) = (text(".invocation"), text(".times"));
    let nodes = page.evaluate(
        "[...gMainDiv.querySelectorAll('.leaf, .internal')].map(node => {
            const copy = node.cloneNode(true);
            copy.querySelectorAll('.treeline, .arrow').forEach(line => line.remove());
            return copy.textContent;
        })",
    );
    let nodes = nodes.as_array().unwrap().iter().map(|node| node.as_str().unwrap().to_owned());
    Shown { invocation, times, nodes: nodes.collect() }
}

/// Figures of one or more sites, as DHAT has them.
#[derive(Clone, Copy, Default)]
struct Sum {
    bytes: u64,
    blocks: u64,
    lifetimes: u64,
    peak: (u64, u64),
    end: (u64, u64),
}

impl Sum {
    fn add(mut self, site: &SiteRow) -> Self {
        self.bytes += site.bytes;
        self.blocks += site.allocations + site.reallocations;
        self.lifetimes += site.lifetime_sum;
        self.peak = (self.peak.0 + site.peak_bytes, self.peak.1 + site.peak_blocks);
        self.end = (self.end.0 + site.live_bytes, self.end.1 + site.live_blocks);
        self
    }
}

/// What a site is told by, as the viewer lists it.
fn stack(results: &Results, case: &Case, site: &SiteRow) -> Vec<String> {
    let owner = &case.types[site.type_index as usize].name;
    let mut stack = vec![format!("[{owner}]")];
    if site.block_type != *owner {
        stack.push(format!("[block {}]", site.block_type));
    }
    for &frame in &site.frames {
        let frame = &results.frames[frame as usize];
        let location = frame.location.as_ref().map(|location| format!(" ({location})"));
        stack.push(format!("{}{}", frame.function, location.unwrap_or_default()));
    }
    if site.frames.is_empty() {
        stack.push("(no stack)".to_owned());
    } else if site.truncated {
        stack.push("(truncated)".to_owned());
    }
    stack.extend(site.label.as_ref().map(|label| format!("[label {label}]")));
    stack
}

/// The line of a node that begins with a word.
fn line<'a>(node: &'a str, word: &str) -> Option<&'a str> {
    node.lines().find_map(|line| line.trim_start().strip_prefix(word))
}

/// All numbers of a line, which has commas between thousands.
fn numbers(line: &str) -> Vec<f64> {
    let plain = |part: &str| part.replace(',', "").parse().ok();
    line.split(|character: char| !character.is_ascii_digit() && !".,".contains(character))
        .filter_map(|part| plain(part.trim_end_matches(',')))
        .collect()
}

fn share(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

/// Compares the figures of a line: the viewer shows two decimals.
#[track_caller]
fn compare(node: &str, word: &str, expected: &[f64]) {
    let line = line(node, word).unwrap_or_else(|| panic!("expected a line `{word}`: {node}"));
    let found = numbers(line);
    let equal = |(found, expected): (&f64, &f64)| (found - expected).abs() < 0.00501 + expected * 1e-12;
    assert!(
        found.len() == expected.len() && found.iter().zip(expected).all(equal),
        "{word} shows {found:?}, expected {expected:?}: {node}"
    );
}

/// Bytes, blocks, shares of those of the root, and the mean size.
fn at(figures: (u64, u64), root: (u64, u64)) -> [f64; 5] {
    let [bytes, blocks, all_bytes, all_blocks] =
        [figures.0, figures.1, root.0, root.1].map(|figure| figure as f64);
    [bytes, 100.0 * share(bytes, all_bytes), blocks, 100.0 * share(blocks, all_blocks), share(bytes, blocks)]
}

/// Checks every node of the tree against the sites under it.
fn check(page: &mut Page, results: &Results, file: &Path) -> Shown {
    let case = &results.cases[0];
    let shown = load(page, file);
    let requests = (case.totals.allocations + case.totals.reallocations) as f64;
    let peak = case.peak_requests.unwrap_or(0) as f64;
    compare(&shown.times, "t-gmax: ", &[peak, 100.0 * share(peak, requests)]);
    compare(&shown.times, "t-end: ", &[requests]);

    let root = case.sites.iter().fold(Sum::default(), Sum::add);
    let mut points: BTreeMap<Vec<String>, Sum> = BTreeMap::new();
    for site in &case.sites {
        let point = points.entry(stack(results, case, site)).or_default();
        *point = point.add(site);
    }
    let mut leaves = Vec::new();
    for node in &shown.nodes {
        let frames: Vec<String> = node.lines().filter_map(frame).filter(|text| text != "[root]").collect();
        let sum = case.sites.iter().filter(|site| stack(results, case, site).starts_with(&frames));
        let is_leaf = !node.contains(" children) ");
        let sum = match points.get(&frames) {
            // A stack that others begin with has a node of its own, beside theirs.
            Some(&point) if is_leaf => point,
            _ => sum.fold(Sum::default(), Sum::add),
        };
        check_node(
            node,
            &sum,
            &root,
            requests,
            is_leaf && !points.is_empty() && line(node, "PP 1/1 ").is_none(),
        );
        leaves.extend(is_leaf.then_some(frames));
    }
    leaves.sort();
    let expected: Vec<Vec<String>> = match points.len() {
        // The root stands for what there is not.
        0 => vec![Vec::new()],
        _ => points.into_keys().collect(),
    };
    assert_eq!(leaves, expected);
    assert_eq!(page.errors(), [""; 0]);
    shown
}

/// The function in a line of a node: `#2: main (src/main.rs:3)`.
fn frame(line: &str) -> Option<String> {
    let (number, text) = line.trim_start().strip_prefix(['#', '^'])?.split_once(": ")?;
    number.parse::<u32>().ok()?;
    Some(text.to_owned())
}

fn check_node(node: &str, sum: &Sum, root: &Sum, requests: f64, has_max: bool) {
    let (bytes, blocks) = (sum.bytes as f64, sum.blocks as f64);
    let [of_bytes, share_of_bytes, of_blocks, share_of_blocks, size] =
        at((sum.bytes, sum.blocks), (root.bytes, root.blocks));
    let rate = |figure| share(1e6 * figure, requests);
    let lifetime = share(sum.lifetimes as f64, blocks);
    compare(
        node,
        "Total: ",
        &[
            of_bytes,
            share_of_bytes,
            rate(bytes),
            of_blocks,
            share_of_blocks,
            rate(blocks),
            size,
            lifetime,
            100.0 * share(lifetime, requests),
        ],
    );
    compare(node, "At t-gmax: ", &at(sum.peak, root.peak));
    compare(node, "At t-end: ", &at(sum.end, root.end));
    if has_max {
        let max = (sum.peak.0.max(sum.end.0) as f64, sum.peak.1.max(sum.end.1) as f64);
        compare(node, "Max: ", &[max.0, max.1, share(max.0, max.1)]);
    }
}

#[test]
fn the_viewer_shows_the_figures_of_every_site_and_says_what_they_are() {
    let Some(mut page) = viewer() else { return };
    let results = heap();
    let shown = check(&mut page, &results, &written(&results, "heap.dhat.json"));
    assert!(shown.nodes.len() > 10, "the tree has {} nodes", shown.nodes.len());
    for part in ["1,000 operations", "Max:      at least this much", "Command: tree forest serialize span"] {
        assert!(shown.invocation.contains(part), "{part}: {}", shown.invocation);
    }
    page.screenshot("dhat_viewer.png");
}

#[test]
fn the_viewer_shows_a_case_that_allocates_nothing() {
    let Some(mut page) = viewer() else { return };
    let results = Results { cases: vec![Case::default()], ..Results::default() };
    assert_eq!(check(&mut page, &results, &written(&results, "nothing.dhat.json")).nodes.len(), 1);
}

#[test]
fn the_viewer_shows_one_site_and_names_of_any_kind() {
    let Some(mut page) = viewer() else { return };
    let mut results = heap();
    results.cases[0].sites.truncate(1);
    results.cases[0].types[0].name = "Vec<&'a \"Påth\" | <script>alert(1)</script>>".repeat(12);
    results.frames[0].function = "<img src=x onerror=alert(1)>::漢字".to_owned();
    assert_eq!(check(&mut page, &results, &written(&results, "one.dhat.json")).nodes.len(), 1);
}

#[test]
fn the_viewer_shows_what_the_program_has_measured() {
    let Some(mut page) = viewer() else { return };
    let out = file("dhat_viewer");
    run(&[
        "profile",
        "smoke",
        "--iterations",
        "20",
        "--no-time",
        "--no-charts",
        "--out",
        out.to_str().unwrap(),
    ]);
    let all = out.join("smoke").join("results.json");
    let results = read(&all).unwrap();
    let dhat = all.with_file_name("dhat.json");
    let mut nodes = 0;
    for case in results.cases.iter().filter(|case| case.codec == "json-dom") {
        let rows = [("--codec", &case.codec), ("--model", &case.model), ("--operation", &case.operation)];
        let rows = rows.into_iter().chain([("--variant", &case.variant)]);
        let mut arguments = vec!["report", all.to_str().unwrap(), "--format", "dhat"];
        arguments.extend(rows.flat_map(|(option, value)| [option, value.as_str()]));
        run(&arguments);
        let one = Results { cases: vec![case.clone()], ..results.clone() };
        nodes += check(&mut page, &one, &dhat).nodes.len();
    }
    page.screenshot("dhat_viewer_of_a_run.png");
    assert!(nodes > 10, "the trees have {nodes} nodes");
}

fn run(arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_alloclab")).args(arguments).output().unwrap();
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "alloclab {arguments:?}: {messages}");
}
