use std::fs;
use std::path::{Path, PathBuf};

use alloclab::error::ErrorKind;
use alloclab::report::chart::draw_all;
use alloclab::results::Results;
use tempfile::tempdir;

use crate::sample::{CaseBuilder, REFLECT, hostile, largest, span_profile, without_time};

/// A text of an SVG, as it is drawn.
#[derive(Debug)]
struct Label {
    x: f64,
    y: f64,
    size: f64,
    anchor: String,
    upward: bool,
    text: String,
}

impl Label {
    /// Left, top, right, bottom, for letters of a usual width.
    fn bounds(&self) -> [f64; 4] {
        let (width, height) = (self.text.chars().count() as f64 * self.size * 0.5, self.size * 0.8);
        if self.upward {
            return [
                self.x - height / 2.0,
                self.y - width / 2.0,
                self.x + height / 2.0,
                self.y + width / 2.0,
            ];
        }
        let left = match self.anchor.as_str() {
            "start" => self.x,
            "middle" => self.x - width / 2.0,
            _ => self.x - width,
        };
        [left, self.y - height / 2.0, left + width, self.y + height / 2.0]
    }
}

/// The texts of an SVG; fails where it is no well-formed XML.
fn labels(svg: &str) -> Vec<Label> {
    let mut labels = Vec::new();
    let mut open = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("a tag that ends");
        let (before, tag) = (&rest[..start], &rest[start + 1..end]);
        assert!(!before.contains('>'), "`>` outside of a tag: {before}");
        for (index, _) in before.match_indices('&') {
            let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#"];
            assert!(known.iter().any(|entity| before[index..].starts_with(entity)), "`&` alone: {before}");
        }
        if let Some(name) = tag.strip_prefix('/') {
            let opened: String = open.pop().expect("a tag that was opened");
            assert_eq!(opened.split_whitespace().next(), Some(name));
            if name == "text" {
                labels.push(label(&opened, before.trim()));
            }
        } else if !tag.ends_with('/') && !tag.starts_with(['?', '!']) {
            open.push(tag.to_owned());
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty(), "open at the end: {open:?}");
    labels
}

fn label(tag: &str, text: &str) -> Label {
    let attribute = |name: &str| {
        let from = tag.find(&format!(" {name}=\"")).map(|at| at + name.len() + 3)?;
        Some(tag[from..].split('"').next().unwrap_or_default().to_owned())
    };
    let number = |name: &str| attribute(name).unwrap().parse().unwrap();
    Label {
        x: number("x"),
        y: number("y"),
        size: number("font-size"),
        anchor: attribute("text-anchor").unwrap(),
        upward: attribute("transform").is_some(),
        text: text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&"),
    }
}

fn overlap(left: &Label, right: &Label) -> bool {
    let (a, b) = (left.bounds(), right.bounds());
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

fn check(files: &[PathBuf]) {
    for svg in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "svg")) {
        let text = fs::read_to_string(svg).unwrap();
        let labels = labels(&text);
        assert!(labels.len() > 3, "{}", svg.display());
        let (width, height) = png_size(&svg.with_extension("png"));
        for (index, label) in labels.iter().enumerate() {
            let [left, top, right, bottom] = label.bounds();
            let inside = left >= 0.0 && top >= 0.0 && right <= width / 2.0 && bottom <= height / 2.0;
            assert!(inside, "{}: outside: {label:?}", svg.display());
            for other in &labels[..index] {
                assert!(!overlap(label, other), "{}: {label:?} lies over {other:?}", svg.display());
            }
        }
    }
}

/// Decodes a PNG; it has to hold more than one color.
fn png_size(path: &Path) -> (f64, f64) {
    let mut reader = png::Decoder::new(fs::File::open(path).unwrap()).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size()];
    let frame = reader.next_frame(&mut pixels).unwrap();
    assert!(pixels.iter().any(|&byte| byte != pixels[0]), "{}: one color", path.display());
    (frame.width.into(), frame.height.into())
}

fn names(files: &[PathBuf]) -> Vec<String> {
    files.iter().map(|file| file.file_name().unwrap().to_string_lossy().into_owned()).collect()
}

#[test]
fn every_chart_is_drawn_twice_and_no_label_lies_over_another() {
    let folder = tempdir().unwrap();
    let files = draw_all(&span_profile(), folder.path().join("new")).unwrap();
    let expected = [
        "bytes-per-operation",
        "bytes-per-operation-batch",
        "bytes-per-operation-concurrent",
        "allocations-by-type",
        "live-heap-serialize",
        "live-heap-deserialize",
        "size-classes",
    ];
    let expected: Vec<String> =
        expected.iter().flat_map(|name| [format!("{name}.svg"), format!("{name}.png")]).collect();
    assert_eq!(names(&files), expected);
    assert_eq!(fs::read_dir(folder.path().join("new")).unwrap().count(), files.len(), "nothing else is left");
    check(&files);
}

#[test]
fn a_chart_says_what_it_shows_in_which_unit() {
    let folder = tempdir().unwrap();
    draw_all(&span_profile(), folder.path()).unwrap();
    for (name, said) in [
        ("bytes-per-operation", ["bytes per operation, logarithmic", "published, in .NET", "2,062 B"]),
        ("allocations-by-type", ["allocations per operation", "Vec<Box<dyn BinaryHandler>>", "37"]),
        ("live-heap-serialize", ["live bytes", "calls of the allocator", "span simple: no allocation"]),
        ("size-classes", ["requests per operation", "bytes asked for", "64–127"]),
    ] {
        let labels = labels(&fs::read_to_string(folder.path().join(format!("{name}.svg"))).unwrap());
        for text in said {
            assert!(labels.iter().any(|label| label.text == text), "{name} does not say {text}");
        }
    }
}

#[test]
fn a_zero_is_labeled() {
    let folder = tempdir().unwrap();
    let mut builder = CaseBuilder::new();
    builder.case(["span", "simple", "serialize", "span"], 1, &[], 23.49);
    let files = draw_all(&builder.finish(), folder.path()).unwrap();
    assert_eq!(names(&files)[0], "bytes-per-operation.svg");
    check(&files);
    assert!(
        labels(&fs::read_to_string(&files[0]).unwrap()).iter().filter(|label| label.text == "0").count() >= 2
    );
}

#[test]
fn one_case_and_hostile_names_and_no_time_are_drawn() {
    let mut builder = CaseBuilder::new();
    builder.case(["span-reflect", "simple", "serialize", "span"], 1, REFLECT, 59.03);
    for results in [builder.finish(), hostile(), without_time()] {
        let folder = tempdir().unwrap();
        check(&draw_all(&results, folder.path()).unwrap());
    }
}

#[test]
fn the_largest_figures_end_at_the_end_of_their_axes() {
    let folder = tempdir().unwrap();
    assert!(draw_all(&largest(), folder.path()).unwrap().len() > 3);
}

#[test]
fn figures_of_an_axis_of_billions_stay_apart() {
    let mut builder = CaseBuilder::new();
    builder.case(["json", "user", "serialize", "lazy"], 1, REFLECT, 59.03);
    let mut results = builder.finish();
    results.cases[0].bytes_per_op = 1_429_784_099.0;
    let folder = tempdir().unwrap();
    check(&draw_all(&results, folder.path()).unwrap());
}

#[test]
fn thousands_of_heap_events_are_drawn() {
    let mut results = span_profile();
    let case = results.cases.iter_mut().find(|case| case.codec == "binary").unwrap();
    case.heap_events = case.heap_events.iter().cycle().take(20_000).cloned().collect();
    case.heap_events_complete = false;
    let folder = tempdir().unwrap();
    check(&draw_all(&results, folder.path()).unwrap());
    let svg = fs::read_to_string(folder.path().join("live-heap-serialize.svg")).unwrap();
    assert!(svg.contains("the first 20000 calls") || svg.contains("the first 20,000 calls"));
    assert!(svg.len() < 4_000_000, "{} bytes", svg.len());
}

#[test]
fn charts_of_an_earlier_run_are_removed_and_nothing_else() {
    let folder = tempdir().unwrap();
    draw_all(&span_profile(), folder.path()).unwrap();
    for other in ["own.svg", "live-heap.png", "size-classes-own.svg", "results.json"] {
        fs::write(folder.path().join(other), "kept").unwrap();
    }
    let mut results = span_profile();
    results.cases.retain(|case| case.variant == "concurrent" && case.codec == "span-reflect");
    let drawn = draw_all(&results, folder.path()).unwrap();
    assert!(!names(&drawn).contains(&"bytes-per-operation.svg".to_owned()));
    let mut expected = names(&drawn);
    expected.extend(["own.svg", "live-heap.png", "size-classes-own.svg", "results.json"].map(str::to_owned));
    expected.sort();
    let entries = fs::read_dir(folder.path()).unwrap();
    let mut left: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    left.sort();
    assert_eq!(left, expected);
}

#[test]
fn rows_that_are_too_many_for_one_chart_stand_in_one_for_each_model() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("bytes-per-operation-demo.svg"), "an earlier run's").unwrap();
    let mut builder = CaseBuilder::new();
    for variant in 0..21 {
        for model in ["simple", "nested"] {
            builder.case(["binary", model, "serialize", &format!("v{variant}")], 1, REFLECT, 59.03);
        }
    }
    let drawn = draw_all(&builder.finish(), folder.path()).unwrap();
    check(&drawn);
    let names = names(&drawn);
    for chart in ["bytes-per-operation", "allocations-by-type"] {
        assert!(!names.contains(&format!("{chart}.svg")), "{names:?}");
        for model in ["simple", "nested"] {
            assert!(names.contains(&format!("{chart}-{model}.svg")), "{names:?}");
        }
    }
    assert!(!folder.path().join("bytes-per-operation-demo.svg").exists());
}

#[test]
fn a_chart_of_loops_shows_the_fewest_and_the_most_iterations() {
    let mut builder = CaseBuilder::new();
    for loops in [1, 4, 8, 32] {
        builder.case(["binary", "simple", "serialize", "concurrent"], loops, REFLECT, 59.03);
    }
    let mut results = builder.finish();
    results.cases[3].published = None;
    let folder = tempdir().unwrap();
    check(&draw_all(&results, folder.path()).unwrap());
    let svg = fs::read_to_string(folder.path().join("bytes-per-operation-concurrent.svg")).unwrap();
    let labels = labels(&svg);
    let is_said = |text: &str| labels.iter().any(|label| label.text.contains(text));
    assert!(is_said("concurrent × 1") && is_said("concurrent × 32"));
    assert!(!is_said("concurrent × 4") && !is_said("concurrent × 8"));
    assert!(is_said("No outlined bar: no published figure.") && is_said("about 1,600 B"));
    assert!(labels.iter().any(|label| label.text == "binary"), "the key names the codec");
}

#[test]
fn no_case_makes_no_chart() {
    let folder = tempdir().unwrap();
    assert!(draw_all(&Results::default(), folder.path()).unwrap().is_empty());
}

#[test]
fn a_type_has_the_same_color_in_every_chart() {
    let folder = tempdir().unwrap();
    draw_all(&span_profile(), folder.path()).unwrap();
    let color_of = |chart: &str, name: &str| {
        let svg = fs::read_to_string(folder.path().join(format!("{chart}.svg"))).unwrap();
        let label = svg.find(&format!("{name}\n")).unwrap();
        let swatch = svg[..label].rfind("<rect").unwrap();
        let from = swatch + svg[swatch..].find("fill=\"").unwrap() + 6;
        svg[from..from + 7].to_owned()
    };
    for name in ["Boxed&lt;f64&gt;", "MemoryStream"] {
        let color = color_of("allocations-by-type", name);
        assert_eq!(color_of("live-heap-serialize", name), color);
        assert_eq!(color_of("live-heap-deserialize", name), color);
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = draw_all(&span_profile(), file.join("charts")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.to_string().contains("file/charts"), "{error}");
}
