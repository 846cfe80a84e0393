//! The page: what stands in it is what the results hold, and no name in it can be more than a text.

use crate::every_field::with_every_field;
use crate::many_sites::with_sites;
use crate::sample::{hostile, largest, small, span_profile, without_time};
use crate::sample_run::{Site, run};
use alloclab::report::{DifferenceFormat, DifferenceView, View, find};
use alloclab::results::*;
use serde_json::{Map, Value, json};

fn render(results: &Results) -> String {
    let page = find("html").unwrap().render(results, &View::default()).unwrap();
    String::from_utf8(page).unwrap()
}

const DATA: &str = "<script type=\"application/json\" id=\"data\">";

/// The figures of a page, and the page without them.
fn parts(page: &str) -> (Value, String) {
    let (before, rest) = page.split_once(DATA).unwrap();
    let (data, after) = rest.split_once("</script>").unwrap();
    (serde_json::from_str(data).unwrap(), format!("{before}{DATA}</script>{after}"))
}

/// Results read out of a page's data, as the page's script reads them.
struct Reader<'a>(&'a Value);

impl Reader<'_> {
    fn text(&self, index: &Value) -> Value {
        self.0["texts"][index.as_u64().unwrap() as usize].clone()
    }

    /// A text whose number is one too large, so that 0 is none.
    fn optional(&self, index: &Value) -> Value {
        match index.as_u64().unwrap() {
            0 => Value::Null,
            index => self.0["texts"][index as usize - 1].clone(),
        }
    }

    fn frames(&self) -> Value {
        let frames = self.0["frames"].as_array().unwrap().iter();
        let read =
            |frame: &Value| json!({ "function": self.text(&frame[0]), "location": self.optional(&frame[1]) });
        frames.map(read).collect()
    }

    fn stack(&self, innermost: &Value) -> Vec<u64> {
        let mut stack = Vec::new();
        let mut number = innermost.as_u64().unwrap();
        while number > 0 {
            let part = |name: &str| self.0["stacks"][name][number as usize - 1].as_u64().unwrap();
            stack.push(part("frames"));
            number -= part("back");
        }
        stack
    }

    fn type_row(&self, row: &Value) -> Value {
        let blocks = row[13].as_array().unwrap().iter().map(|block| {
            json!({
                "type": self.text(&block[0]), "allocations": block[1], "reallocations": block[2], "bytes": block[3],
            })
        });
        json!({
            "type": self.text(&row[0]), "path": self.text(&row[1]), "dotnet": self.optional(&row[2]), "kind": row[3],
            "merged": row[4], "allocations": row[5], "reallocations": row[6], "bytes": row[7],
            "allocations_per_op": row[8], "reallocations_per_op": row[9], "bytes_per_op": row[10], "percent": row[11],
            "modelled_dotnet_bytes_per_op": row[12], "block_types": blocks.collect::<Value>(), "sites": row[14],
        })
    }

    fn site(&self, row: &Value, case: &Value) -> Value {
        let zero = json!(0);
        let at = |index: usize| row.get(index).unwrap_or(&zero).clone();
        let number = |value: &Value| value.as_u64().unwrap();
        let total = |name: &str| number(&case["totals"][name]);
        let all = total("allocated_bytes").saturating_add(total("grown_bytes"));
        let operations = number(&case["iterations"]).max(1) as f64;
        let (allocations, bytes) = (number(&at(4)) as f64, number(&at(5)) as f64);
        let percent = if all == 0 { 0.0 } else { 100.0 * bytes / all as f64 };
        let figures = match at(15) {
            Value::Array(figures) => figures,
            _ => vec![json!(allocations / operations), json!(bytes / operations), json!(percent)],
        };
        let mut site = json!({
            "type_index": at(0), "block_type": self.text(&at(1)), "frames": self.stack(&at(2)),
            "own_frame": number(&at(3)).checked_sub(1), "truncated": at(10) == 1,
            "allocations": at(4), "reallocations": at(8), "bytes": at(5),
            "allocations_per_op": figures[0], "bytes_per_op": figures[1], "percent": figures[2],
            "peak_bytes": at(11), "peak_blocks": at(12), "live_bytes": at(13), "live_blocks": at(14),
            "mean_lifetime": at(7).as_f64().unwrap(), "lifetime_sum": at(6),
        });
        if let label @ Value::String(_) = self.optional(&at(9)) {
            site["label"] = label;
        }
        site
    }

    fn events(&self, [kinds, order]: [&Value; 2]) -> Value {
        let names = ["allocate", "reallocate", "free"];
        let event = |index: &Value| {
            let kind = &kinds[index.as_u64().unwrap() as usize];
            let at = |place: usize| kind.get(place).and_then(Value::as_u64).unwrap_or(0);
            json!({
                "kind": names[at(0) as usize], "type_index": at(1), "bytes": at(2),
                "former_type_index": at(3), "former_bytes": at(4),
            })
        };
        order.as_array().unwrap().iter().map(event).collect()
    }

    fn case(&self, case: &Value) -> Value {
        let mut fields: Map<String, Value> = case.as_object().unwrap().clone();
        fields.remove("label");
        let rows = |name: &str| case[name].as_array().unwrap().iter();
        fields["types"] = rows("types").map(|row| self.type_row(row)).collect();
        fields["sites"] = rows("sites").map(|row| self.site(row, case)).collect();
        fields["heap_events"] = self.events([&case["heap_events"][0], &case["heap_events"][1]]);
        let [operations, live] = [0, 1].map(|side| case["heap_run"][side].as_array().unwrap());
        let samples = operations.iter().zip(live);
        fields["heap_run"] = samples
            .map(|(operations, live)| json!({ "operations": operations, "live_bytes": live }))
            .collect();
        fields.into()
    }

    fn run(&self, index: usize) -> Results {
        let run = &self.0["runs"][index];
        let cases: Value = run["cases"].as_array().unwrap().iter().map(|case| self.case(case)).collect();
        serde_json::from_value(json!({
            "schema": SCHEMA, "profile": run["profile"], "title": run["title"], "see_also": run["see_also"],
            "partial": run["partial"], "environment": run["environment"], "cases": cases, "frames": self.frames(),
        }))
        .unwrap()
    }
}

/// Whether a page holds every figure of the results, and asks nobody for anything else.
fn check(results: &Results) -> String {
    let page = render(results);
    let (data, rest) = parts(&page);
    assert!(Reader(&data).run(0) == *results, "a figure of the page is not that of the results");
    for needs in
        ["http-equiv=\"refresh\"", "src=", "@import", "url(", "fetch(", "XMLHttpRequest", "innerHTML"]
    {
        assert!(!rest.contains(needs), "{needs}");
    }
    page
}

#[test]
fn every_figure_of_the_page_is_that_of_the_results() {
    let with_one_case =
        Results { cases: span_profile().cases.into_iter().skip(7).take(1).collect(), ..span_profile() };
    for results in [small(), span_profile(), without_time(), with_every_field(), largest(), with_one_case] {
        check(&results);
    }
}

#[test]
fn results_without_a_case_or_without_an_allocation_make_a_page() {
    check(&Results::default());
    let idle = run(&[("span simple serialize span", &[])]);
    assert_eq!(idle.cases[0].totals.allocations, 0);
    check(&idle);
}

/// Names that would be a script, an element or the end of one, if they were anything but texts.
const HOSTILE: [&str; 8] = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"'`&quot;&lt;b&gt;",
    "<!--<script>",
    "a\u{2028}b\u{2029}c",
    "\u{202e}gnirts\u{202c}",
    "Påth::漢字::Ωmega",
    "/*data*/ /*script*/ /*style*/",
];

/// Results that have a name in every place where a name can stand.
fn named(name: &str) -> Results {
    let mut results = with_every_field();
    let mut texts = vec![&mut results.profile, &mut results.title];
    let environment = &mut results.environment;
    texts.extend([&mut environment.rustc, &mut environment.target, &mut environment.program]);
    texts.extend(&mut environment.missing_flags);
    texts.extend(&mut results.see_also);
    for frame in &mut results.frames {
        texts.push(&mut frame.function);
        texts.extend(&mut frame.location);
    }
    for case in &mut results.cases {
        texts.extend([
            &mut case.codec,
            &mut case.model,
            &mut case.operation,
            &mut case.variant,
            &mut case.group,
        ]);
        for row in &mut case.types {
            texts.extend([&mut row.name, &mut row.path]);
            texts.extend(&mut row.dotnet);
            texts.extend(row.block_types.iter_mut().map(|block| &mut block.name));
        }
        for site in &mut case.sites {
            texts.push(&mut site.block_type);
            texts.extend(&mut site.label);
        }
        texts.extend(case.references.iter_mut().map(|reference| &mut reference.source));
    }
    for (index, text) in texts.into_iter().enumerate() {
        *text = format!("{name}{index}");
    }
    results
}

/// Whether nothing in the data could be read as HTML, and the page around it is always the same.
fn check_safe(page: &str) {
    let (_, rest) = parts(page);
    assert_eq!(rest, parts(&render(&Results::default())).1);
    let data = page.split_once(DATA).unwrap().1.split_once("</script>").unwrap().0;
    for character in ['<', '>', '&', '\u{2028}', '\u{2029}'] {
        assert!(!data.contains(character), "{character:?}");
    }
}

#[test]
fn no_name_is_more_than_a_text() {
    for name in HOSTILE.iter().map(|name| (*name).to_owned()).chain([format!("{}<b>", "N".repeat(500))]) {
        check_safe(&check(&named(&name)));
    }
    check_safe(&check(&hostile()));
}

#[test]
fn names_of_two_runs_are_no_more_than_texts_either() {
    let [old, new] = [HOSTILE[0], HOSTILE[1]].map(named);
    let page = DifferenceFormat::Html.render(&old, &new, &DifferenceView::default()).unwrap();
    check_safe(&page);
}

const WRITE: &[&str] = &["write src/a.rs:10", "encode src/b.rs:20"];

#[test]
fn the_page_of_a_difference_holds_both_runs_and_what_differs() {
    const CASE: &str = "binary simple serialize stream";
    let old = [Site("String", WRITE, 200, 4800), Site("Gone", WRITE, 1, 1)];
    let new = [Site("String", WRITE, 400, 9600), Site("New", WRITE, 3, 24)];
    let [old, new] = [run(&[(CASE, &old), ("a b c d", &[])]), run(&[(CASE, &new), ("e f g h", &[])])];
    let page = DifferenceFormat::Html.render(&old, &new, &DifferenceView::default()).unwrap();
    let (data, _) = parts(&page);
    let reader = Reader(&data);
    assert!(reader.run(0) == Results { frames: reader.run(0).frames, ..old.clone() });
    assert!(reader.run(1) == Results { frames: reader.run(1).frames, ..new.clone() });
    let told = &data["difference"];
    let difference = Difference::between(&old, &new);
    assert_eq!((&told["only_old"], &told["only_new"]), (&json!([1]), &json!([1])));
    let case = &told["cases"][0][2];
    let rows = |name: &str| case[name].as_array().unwrap().clone();
    let changes = ["appeared", "grew", "shrank", "gone"];
    let check_sides = |told: &Value, sides: &Sides| {
        assert_eq!(changes[told[2].as_u64().unwrap() as usize - 1], sides.change().unwrap().name());
        for (told, side) in [(&told[0], sides.old), (&told[1], sides.new)] {
            let expected = side.map(|side| {
                let counts = side.counts.unwrap();
                let counts = [counts.allocations, counts.reallocations, counts.bytes];
                json!([side.allocations_per_op, side.reallocations_per_op, side.bytes_per_op, counts])
            });
            assert_eq!(*told, json!(expected));
        }
    };
    check_sides(
        &case["whole"],
        &Sides { old: Some(difference.cases[0].old), new: Some(difference.cases[0].new) },
    );
    assert_eq!(rows("types").len(), 3);
    for (told, row) in rows("types").iter().zip(&difference.cases[0].types) {
        assert_eq!(reader.text(&told[0]), row.name);
        check_sides(&told[2], &row.sides);
    }
    assert_eq!(rows("sites").len(), difference.cases[0].sites.len());
    for (told, row) in rows("sites").iter().zip(&difference.cases[0].sites) {
        assert_eq!(reader.text(&told[0]), row.owner);
        let frames = reader.frames();
        let functions: Vec<_> =
            reader.stack(&told[1]).iter().map(|&frame| frames[frame as usize]["function"].clone()).collect();
        assert_eq!(functions, ["write", "encode"]);
        check_sides(&told[2], &row.sides);
    }
}

const MOST_BYTES: usize = 2_000_000;

#[test]
fn ten_thousand_sites_take_less_than_two_megabytes() {
    let page = check(&with_sites(10_000));
    assert!(page.len() < MOST_BYTES, "{} bytes", page.len());
}

#[test]
fn hundreds_of_cases_with_long_operations_take_less_than_two_megabytes() {
    let mut results = span_profile();
    let usual = results.cases[7].clone();
    results.cases = (0..220_u32)
        .map(|number| {
            let mut case = Case { codec: format!("codec-{number}"), ..usual.clone() };
            case.heap_events = case.heap_events.iter().cycle().take(400).cloned().collect();
            let sample =
                |at: u32| HeapSample { operations: at.into(), live_bytes: i64::from(at * 31 % 1_000) };
            case.heap_run = (0..200).map(sample).collect();
            case
        })
        .collect();
    let page = check(&results);
    assert!(page.len() < MOST_BYTES, "{} bytes", page.len());
}
