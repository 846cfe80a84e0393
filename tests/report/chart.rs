use std::fs;
use std::iter::zip;
use std::path::{Path, PathBuf};

use ab_glyph::{Font, FontRef, GlyphId, PxScale, ScaleFont, point};
use alloclab::error::ErrorKind;
use alloclab::report::chart::draw_all;
use alloclab::results::{HeapSample, LifetimeClass, Results, SizeClass};
use tempfile::tempdir;

use crate::sample::{CaseBuilder, REFLECT, hostile, largest, span_profile, without_time};

/// The results with what a run also leaves: lifetimes, live bytes between operations, loops that are known as such.
fn with_runs(mut results: Results) -> Results {
    results.environment.pool_threads = 2;
    for (index, case) in results.cases.iter_mut().enumerate() {
        case.parallel = case.variant == "concurrent";
        let blocks = [case.totals.allocations, case.totals.allocations / 3];
        case.lifetimes = zip([(0, Some(3)), (4, None)], blocks)
            .map(|((from_allocations, to_allocations), blocks)| LifetimeClass {
                from_allocations,
                to_allocations,
                blocks,
            })
            .collect();
        if !case.parallel {
            let kept = if index % 4 == 0 { 0 } else { index as i64 * 1000 };
            case.heap_run = (1..=200)
                .map(|operations| HeapSample { operations, live_bytes: kept * operations as i64 })
                .collect();
        }
        case.sites.iter_mut().for_each(|site| site.peak_bytes = site.bytes / case.iterations.max(1));
    }
    results
}

/// The texts of a chart.
fn texts(folder: &Path, chart: &str) -> Vec<String> {
    let svg = fs::read_to_string(folder.join(format!("{chart}.svg"))).unwrap();
    labels(&svg).into_iter().map(|label| label.text).collect()
}

fn assert_said(texts: &[String], said: &[&str]) {
    for text in said {
        assert!(texts.iter().any(|label| label == text), "{text} is not said: {texts:#?}");
    }
}

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

/// The letters that PNGs have; an SVG is shown with those of whoever shows it, hardly wider ones.
fn letters() -> FontRef<'static> {
    FontRef::try_from_slice(include_bytes!("../../src/report/chart/font/DejaVuSans-subset.ttf")).unwrap()
}

impl Label {
    /// Left, top, right, bottom of its letters.
    fn bounds(&self, font: &FontRef<'_>) -> [f64; 4] {
        let em = self.size as f32;
        let line = font.height_unscaled() / font.units_per_em().unwrap();
        let scaled = font.as_scaled(PxScale::from(em * line));
        let glyph = |letter| match font.glyph_id(letter) {
            GlyphId(0) => font.glyph_id(char::REPLACEMENT_CHARACTER),
            known => known,
        };
        let glyphs = || self.text.chars().map(glyph);
        let width: f64 = glyphs().map(|glyph| f64::from(scaled.h_advance(glyph))).sum();
        // Half of the height of small letters is above the anchor, half of it below: the line stands there.
        let outlines = glyphs().filter_map(|glyph| {
            font.outline_glyph(glyph.with_scale_and_position(scaled.scale(), point(0.0, em * 0.27)))
        });
        let (mut above, mut below) = (0.0_f64, 0.0_f64);
        for bounds in outlines.map(|outline| outline.px_bounds()) {
            (above, below) = (above.min(bounds.min.y.into()), below.max(bounds.max.y.into()));
        }
        if self.upward {
            return [self.x + above, self.y - width / 2.0, self.x + below, self.y + width / 2.0];
        }
        let left = match self.anchor.as_str() {
            "start" => self.x,
            "middle" => self.x - width / 2.0,
            _ => self.x - width,
        };
        [left, self.y + above, left + width, self.y + below]
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
        text: text
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&apos;", "'")
            .replace("&amp;", "&"),
    }
}

fn overlap(a: [f64; 4], b: [f64; 4]) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

/// No text lies over another, none leaves its canvas.
fn check(files: &[PathBuf]) {
    let font = letters();
    for svg in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "svg")) {
        let text = fs::read_to_string(svg).unwrap();
        let labels = labels(&text);
        assert!(labels.len() >= 3, "{}", svg.display());
        let bounds: Vec<[f64; 4]> = labels.iter().map(|label| label.bounds(&font)).collect();
        let (width, height) = png_size(&svg.with_extension("png"));
        for (index, (label, &of_label)) in zip(&labels, &bounds).enumerate() {
            let [left, top, right, bottom] = of_label;
            let inside = left >= 0.0 && top >= 0.0 && right <= width / 2.0 && bottom <= height / 2.0;
            assert!(inside, "{}: outside: {label:?} {of_label:?}", svg.display());
            for (other, &of_other) in zip(&labels, &bounds).take(index) {
                assert!(!overlap(of_label, of_other), "{}: {label:?} lies over {other:?}", svg.display());
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
    let files = draw_all(&with_runs(span_profile()), folder.path().join("new")).unwrap();
    let expected = [
        "bytes-per-operation",
        "bytes-per-operation-batch",
        "bytes-per-operation-concurrent",
        "allocations-by-type",
        "live-heap-serialize",
        "live-heap-deserialize",
        "live-heap-run-serialize",
        "live-heap-run-deserialize",
        "lifetimes",
        "size-classes",
        "scaling-over-threads",
    ];
    let expected: Vec<String> =
        expected.iter().flat_map(|name| [format!("{name}.svg"), format!("{name}.png")]).collect();
    assert_eq!(names(&files), expected);
    assert_eq!(fs::read_dir(folder.path().join("new")).unwrap().count(), files.len(), "nothing else is left");
    check(&files);
}

#[test]
fn a_chart_says_what_it_shows_of_which_profile_in_which_unit() {
    let folder = tempdir().unwrap();
    draw_all(&with_runs(span_profile()), folder.path()).unwrap();
    for (chart, said) in [
        ("bytes-per-operation", ["bytes per operation, logarithmic", "published, in .NET", "2,062 B"]),
        ("allocations-by-type", ["allocations per operation", "Vec<Box<dyn BinaryHandler>>", "37"]),
        ("live-heap-serialize", ["live bytes", "calls of the allocator", "span simple: no allocation"]),
        ("live-heap-run-serialize", ["live bytes", "operations done", "200"]),
        ("lifetimes", ["blocks per operation, logarithmic", "lifetime, in allocations", "0–3"]),
        ("size-classes", ["requests per operation", "bytes asked for", "64–127"]),
        ("scaling-over-threads", ["bytes per object, logarithmic", "iterations of one loop", "32"]),
    ] {
        let texts = texts(folder.path(), chart);
        assert!(texts[0].ends_with("(profile span)"), "{chart}: {}", texts[0]);
        assert_said(&texts, &said);
    }
}

#[test]
fn figures_of_classes_are_those_of_the_results() {
    let folder = tempdir().unwrap();
    let mut builder = CaseBuilder::new();
    let case = builder.case(["binary", "simple", "serialize", "stream"], 1, REFLECT, 59.03);
    case.iterations = 200;
    case.lifetimes = [(0, Some(3), 800), (4, Some(15), 1000), (1 << 34, None, 247_000)]
        .map(|(from_allocations, to_allocations, blocks)| LifetimeClass {
            from_allocations,
            to_allocations,
            blocks,
        })
        .to_vec();
    case.size_classes = [(1, 1, 100), (2048, 4095, 600)]
        .map(|(from_bytes, to_bytes, requests)| SizeClass { from_bytes, to_bytes, requests })
        .to_vec();
    builder.case(["span", "simple", "serialize", "span"], 1, &[], 59.03);
    check(&draw_all(&builder.finish(), folder.path()).unwrap());
    let said = ["0–3", "4", "4–15", "5", "17,179,869,184+", "1,235", "span", "no block"];
    assert_said(&texts(folder.path(), "lifetimes"), &said);
    let said = ["1", "0.500", "2 KB+", "3", "span", "no request"];
    assert_said(&texts(folder.path(), "size-classes"), &said);
}

#[test]
fn the_peak_of_an_operation_is_named_with_its_call_and_the_type_that_held_most() {
    let folder = tempdir().unwrap();
    let mut results = span_profile();
    draw_all(&results, folder.path()).unwrap();
    // Four boxes of 24 bytes, the first of which is grown to 48 and freed again before the others come.
    let peak = "peak: 72 B after call 6; most is Boxed<bool>: 24 B";
    assert_said(&texts(folder.path(), "live-heap-serialize"), &["span-reflect simple: 9 calls", peak]);

    let case = &mut results.cases[0];
    (case.heap_events_complete, case.frees_per_op, case.peak_live_bytes) = (false, 1996.0, 4321);
    draw_all(&results, folder.path()).unwrap();
    let texts = texts(folder.path(), "live-heap-serialize");
    let peak = "peak of these: 72 B after call 6; most is Boxed<bool>: 24 B; of all calls: 4,321 B";
    assert_said(&texts, &["span-reflect simple: the first 9 of 2,000 calls", peak]);
}

#[test]
fn a_heap_that_comes_back_to_nothing_is_told_in_words() {
    let folder = tempdir().unwrap();
    let mut results = with_runs(span_profile());
    for sample in results.cases.iter_mut().flat_map(|case| &mut case.heap_run) {
        sample.live_bytes = 0;
    }
    let case = &mut results.cases[0];
    (case.peak_live_bytes, case.peak_requests) = (48, Some(2));
    let files = draw_all(&results, folder.path()).unwrap();
    check(&files);
    let flat = "span-reflect simple span: 0 B alive at each of 200 samples over 200 operations";
    let peak = "peak while one ran: 48 B after request 2 of the window; most is Boxed<i32>: 24 B";
    let texts = texts(folder.path(), "live-heap-run-serialize");
    assert_said(&texts, &[flat, peak]);
    assert!(!texts.contains(&"operations done".to_owned()), "an axis of nothing: {texts:?}");

    results.cases.retain(|case| case.codec == "span" && case.operation == "serialize");
    check(&draw_all(&results, folder.path()).unwrap());
    let texts = self::texts(folder.path(), "live-heap-serialize");
    assert_said(&texts, &["span simple: no allocation"]);
    assert!(!texts.contains(&"calls of the allocator".to_owned()), "an axis of nothing: {texts:?}");
}

#[test]
fn a_heap_that_grows_over_the_run_is_drawn_whichever_case_it_is_of() {
    let folder = tempdir().unwrap();
    let mut results = with_runs(span_profile());
    for case in &mut results.cases {
        // Not one of those that stand side by side.
        let grows = if case.variant == "pooled" && case.codec == "span" { 3 } else { 0 };
        for sample in &mut case.heap_run {
            sample.live_bytes = grows * sample.operations as i64;
        }
    }
    draw_all(&results, folder.path()).unwrap();
    let highest = "span fast pooled: at most 600 B alive, after 200 of 200 operations (the dot)";
    assert_said(&texts(folder.path(), "live-heap-run-serialize"), &[highest, "600", "operations done"]);

    for sample in results.cases.iter_mut().flat_map(|case| &mut case.heap_run) {
        sample.live_bytes = -sample.live_bytes;
    }
    check(&draw_all(&results, folder.path()).unwrap());
    assert_said(&texts(folder.path(), "live-heap-run-serialize"), &["-600", "0"]);
}

#[test]
fn loops_are_told_by_object_over_their_iterations() {
    let folder = tempdir().unwrap();
    let mut builder = CaseBuilder::new();
    for loops in [32, 4, 1] {
        builder.case(
            ["binary", "simple", "serialize", "concurrent"],
            loops,
            REFLECT,
            50.5 + f64::from(loops),
        );
        builder.case(["span", "simple", "serialize", "concurrent"], loops, &[], 20.0);
    }
    builder.case(["json", "simple", "serialize", "concurrent"], 4, REFLECT, 77.25);
    let mut results = with_runs(builder.finish());
    check(&draw_all(&results, folder.path()).unwrap());
    let said = texts(folder.path(), "scaling-over-threads");
    assert_said(&said, &["96 B", "0 B", "82.50 ns", "20 ns", "1", "4", "32", "binary", "span"]);
    assert!(!said.iter().any(|text| text.contains("json")), "one point is no line: {said:?}");
    assert!(said[1].contains("the 2 threads of a pool"), "{}", said[1]);

    results.cases.retain(|case| case.threads == 4);
    let files = names(&draw_all(&results, folder.path()).unwrap());
    assert!(!files.iter().any(|file| file.starts_with("scaling")), "{files:?}");
}

#[test]
fn the_key_of_published_figures_is_there_where_there_are_some() {
    let folder = tempdir().unwrap();
    let mut results = span_profile();
    results.cases.iter_mut().for_each(|case| case.published = None);
    draw_all(&results, folder.path()).unwrap();
    let said = texts(folder.path(), "bytes-per-operation");
    assert!(!said.iter().any(|text| text == "published, in .NET"), "{said:?}");
    assert!(said[1].contains("No figures were published"), "{}", said[1]);

    results.cases.iter_mut().for_each(|case| case.modelled_dotnet_bytes_per_op = None);
    draw_all(&results, folder.path()).unwrap();
    let said = texts(folder.path(), "bytes-per-operation");
    assert!(!said.iter().any(|text| text.starts_with("allocated here")), "a key of one entry: {said:?}");
}

/// Forty rows of twenty codecs, names of 500 letters, figures up to 10^15.
fn crowded() -> Results {
    let mut builder = CaseBuilder::new();
    let long = |text: &str, number: usize| format!("{}{number}", text.repeat(500 / text.chars().count()));
    for number in 0..20 {
        let (codec, model) = (long("codec-", number), long("Mödel漢Ω", 0));
        for (operation, variant) in [("serialize", "span"), ("deserialize", "span")] {
            builder.case([&codec, &model, operation, variant], 1, REFLECT, 59.03);
        }
        for loops in [1, 2, 3, 1_000_000] {
            builder.case([&codec, &model, "serialize", "concurrent"], 1, REFLECT, 1e9).threads = loops;
        }
    }
    let mut results = with_runs(builder.finish());
    results.profile = long("profile ", 1);
    for (index, case) in results.cases.iter_mut().enumerate() {
        let figure = 10f64.powi(index as i32 % 16);
        (case.bytes_per_op, case.modelled_dotnet_bytes_per_op) = (figure, Some(figure * 0.7));
        (case.peak_live_bytes, case.heap_events_complete) = (u64::pow(10, 15), false);
        for (number, row) in case.types.iter_mut().enumerate() {
            row.name = long("HashMap<&\"str\", Ünïcode<", number);
            row.allocations_per_op = figure;
        }
        case.heap_events.iter_mut().for_each(|event| event.bytes *= 10_u64.pow(index as u32 % 14));
        case.heap_run.iter_mut().for_each(|sample| sample.live_bytes *= i64::pow(10, index as u32 % 8));
        case.size_classes = (0..50)
            .map(|power| SizeClass {
                from_bytes: 1 << power,
                to_bytes: (1 << (power + 1)) - 1,
                requests: u64::pow(10, power % 15) * case.iterations,
            })
            .collect();
        case.lifetimes = (0..18)
            .map(|power| LifetimeClass {
                from_allocations: 1 << (2 * power),
                to_allocations: (power < 17).then(|| (1 << (2 * power + 2)) - 1),
                blocks: u64::pow(10, power as u32 % 15) * case.iterations / 7,
            })
            .collect();
    }
    results
}

#[test]
fn many_rows_of_long_names_and_large_figures_stay_apart() {
    let folder = tempdir().unwrap();
    let files = draw_all(&crowded(), folder.path()).unwrap();
    check(&files);
    assert_eq!(files.len(), 2 * 10, "{:?}", names(&files));
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
    for results in [builder.finish(), hostile(), without_time()].map(with_runs) {
        let folder = tempdir().unwrap();
        check(&draw_all(&results, folder.path()).unwrap());
    }
}

#[test]
fn the_largest_figures_end_at_the_end_of_their_axes() {
    let folder = tempdir().unwrap();
    let files = draw_all(&with_runs(largest()), folder.path()).unwrap();
    assert!(files.len() > 3);
    check(&files);
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
    assert!(svg.contains("the first 20,000 calls"));
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
