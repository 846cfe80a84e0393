use std::fs;

use alloclab::report::chart::draw_all;
use alloclab::report::{View, Weight, find};
use alloclab::results::{CaseKey, Results};
use roxmltree::{Document, Node, ParsingOptions};
use tempfile::tempdir;

use crate::formats::{peculiar, views};
use crate::sample::span_profile;
use crate::sample_run::{Site, run};

fn render(results: &Results, view: &View) -> String {
    String::from_utf8(find("flamegraph").unwrap().render(results, view).unwrap()).unwrap()
}

/// The picture; fails where it is no well-formed XML.
fn parse(svg: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(svg, options).unwrap_or_else(|error| panic!("{error}"))
}

/// Each frame: what its tooltip says, its weight and its color.
fn frames(document: &Document<'_>) -> Vec<(String, u64, String)> {
    let frame = |title: Node<'_, '_>| {
        let rect = title.parent()?.children().find(|node| node.has_tag_name(SVG_RECT))?;
        let width = rect.attributes().find(|attribute| attribute.name() == "w")?.value().parse().ok()?;
        Some((title.text().unwrap_or_default().to_owned(), width, rect.attribute("fill")?.to_owned()))
    };
    document.descendants().filter(|node| node.has_tag_name(SVG_TITLE)).filter_map(frame).collect()
}

const SVG_RECT: (&str, &str) = ("http://www.w3.org/2000/svg", "rect");
const SVG_TITLE: (&str, &str) = ("http://www.w3.org/2000/svg", "title");

fn separated(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<_> =
        digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).unwrap()).collect();
    groups.join(",")
}

#[test]
fn the_lowest_frame_has_all_that_the_results_have_and_the_picture_is_well_formed() {
    for (name, results) in peculiar() {
        for view in views() {
            let svg = render(&results, &view);
            let document = parse(&svg);
            assert!(svg.ends_with("</svg>\n"), "{name}");
            let sites = results.cases.iter().flat_map(|case| &case.sites);
            let total: u64 = sites.map(|site| view.weight.of(site)).sum();
            let frames = frames(&document);
            let all: Vec<_> = frames.iter().filter(|(title, ..)| title.starts_with("all (")).collect();
            let unit = match view.weight {
                Weight::Bytes => "bytes",
                Weight::Count => "allocations",
                Weight::Peak => "bytes at the peak",
            };
            match all.as_slice() {
                [] => assert_eq!(total, 0, "{name}"),
                [(title, width, _)] => {
                    assert_eq!(*title, format!("all ({} {unit}, 100%)", separated(total)), "{name}");
                    assert_eq!(*width, total, "{name}");
                }
                several => panic!("{name}: {several:?}"),
            }
        }
    }
}

#[test]
fn a_case_has_a_frame_with_what_it_allocates() {
    let results = span_profile();
    let svg = render(&results, &View::default());
    let document = parse(&svg);
    let frames = frames(&document);
    let mut drawn = 0;
    for case in &results.cases {
        let bytes: u64 = case.sites.iter().map(|site| site.bytes).sum();
        let title = format!("{} ({} bytes, ", CaseKey::of(case), separated(bytes));
        let frame = frames.iter().find(|(name, ..)| name.starts_with(&title));
        let Some((_, width, _)) = frame else {
            assert_eq!(bytes, 0, "{title}");
            continue;
        };
        assert_eq!(*width, bytes, "{title}");
        drawn += 1;
    }
    assert_eq!(drawn, results.cases.iter().filter(|case| !case.sites.is_empty()).count());
}

#[test]
fn nothing_is_said_in_a_sentence() {
    let nothing = run(&[("mine small parse once", &[])]);
    let peak = View { weight: Weight::Peak, ..View::default() };
    let alive = run(&[("mine small parse once", &[Site("String", &["main src/main.rs:3"], 1, 7)])]);
    for (results, view, sentence) in [
        (&Results::default(), &View::default(), "No case was measured."),
        (&nothing, &View::default(), "Nothing was allocated."),
        (&alive, &peak, "Nothing was alive at the peak."),
    ] {
        let svg = render(results, view);
        let document = parse(&svg);
        assert!(document.descendants().any(|node| node.text() == Some(sentence)), "{svg}");
    }
}

#[test]
fn a_name_cannot_become_a_script_or_a_link() {
    for (name, results) in peculiar() {
        let svg = render(&results, &View::default());
        let document = parse(&svg);
        let scripts = document.descendants().filter(|node| node.tag_name().name() == "script");
        // The one that searches and zooms, in a picture that has something to zoom.
        assert!(scripts.count() <= 1, "{name}");
        let known =
            ["svg", "g", "rect", "text", "title", "defs", "linearGradient", "stop", "style", "script"];
        let elements = document.descendants().filter(Node::is_element);
        let mut others = elements.filter(|node| !known.contains(&node.tag_name().name()));
        assert!(others.next().is_none(), "{name}");
        // The outermost element starts that script.
        let below = document.root_element().descendants().skip(1);
        let mut attributes = below.flat_map(|node| node.attributes());
        assert!(!attributes.any(|attribute| attribute.name().starts_with("on")), "{name}");
    }
}

/// `rgb(0,114,178)` as `#0072B2`.
fn hexadecimal(color: &str) -> String {
    let parts = color.trim_start_matches("rgb(").trim_end_matches(')').split(',');
    let parts: Vec<String> = parts.map(|part| format!("{:02X}", part.parse::<u8>().unwrap())).collect();
    format!("#{}", parts.concat())
}

#[test]
fn a_type_has_the_color_that_it_has_in_the_charts() {
    let results = span_profile();
    let folder = tempdir().unwrap();
    draw_all(&results, folder.path()).unwrap();
    let chart = fs::read_to_string(folder.path().join("allocations-by-type.svg")).unwrap();
    let svg = render(&results, &View::default());
    let document = parse(&svg);
    let frames = frames(&document);
    let colors = |start: &str| -> Vec<String> {
        let frames = frames.iter().filter(|(title, ..)| title.starts_with(start));
        let mut colors: Vec<_> = frames.map(|(.., color)| hexadecimal(color)).collect();
        colors.dedup();
        colors
    };
    for kind in ["[Boxed<i32>]", "[Boxed<f64>]", "[String]", "[Vec<u8>]"] {
        let [color] = colors(kind).try_into().unwrap();
        assert!(chart.contains(&format!("fill=\"{color}\"")), "{kind} is {color}");
    }
    assert_ne!(colors("[Boxed<i32>]"), colors("[String]"));
}
