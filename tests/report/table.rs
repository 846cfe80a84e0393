use alloclab::error::ErrorKind;
use alloclab::report::{By, View, find};
use alloclab::results::{Case, Frame, FrameTable, Results, SiteRow, TypeRow};
use unicode_width::UnicodeWidthStr;

use crate::sample::{CaseBuilder, REFLECT, hostile, largest, small, span_profile, without_time};

fn render(results: &Results, view: &View) -> String {
    String::from_utf8(find("table").unwrap().render(results, view).unwrap()).unwrap()
}

#[test]
fn a_small_profile_looks_as_it_should() {
    assert_eq!(render(&small(), &View::default()), include_str!("golden/small.txt"));
}

#[test]
fn a_codec_is_shown_by_the_case_that_the_others_have_too() {
    let mut builder = CaseBuilder::new();
    for (codec, model) in [("span", "fast"), ("span", "simple"), ("span-reflect", "simple")] {
        builder.case([codec, model, "serialize", "span"], 1, REFLECT, 59.03);
    }
    let text = render(&builder.finish(), &View::default());
    assert!(text.contains("\nspan serialize: `simple`\n"), "{text}");
    assert!(
        text.contains("… and `fast` (4 allocations, 96 B): `--all --by type` shows their tables."),
        "{text}"
    );
}

#[test]
fn a_type_of_heap_events_alone_has_no_row() {
    let mut results = span_profile();
    let row = TypeRow { name: "OnlyFreed".into(), ..TypeRow::default() };
    results.cases[0].types.push(row);
    assert!(!render(&results, &View::default()).contains("OnlyFreed"));
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    for results in [span_profile(), hostile(), without_time()] {
        for (width, all) in [(100, false), (80, false), (60, true), (100, true), (130, true)] {
            for by in By::ALL {
                for line in
                    render(&results, &View { width, all, every_breakdown: all, by, ..View::default() })
                        .lines()
                {
                    assert!(line.width() <= width, "{} columns, not {width}: {line}", line.width());
                }
            }
        }
    }
}

#[test]
fn the_summary_has_eight_columns_on_a_hundred() {
    let text = render(&span_profile(), &View::default());
    let title = text.lines().find(|line| line.starts_with("Case ")).unwrap();
    let columns: Vec<&str> = title.split("  ").map(str::trim).filter(|column| !column.is_empty()).collect();
    assert_eq!(columns, ["Case", "Mean", "Error", "StdDev", "P95", "Ratio", "Allocated", "Alloc Ratio"]);
}

#[test]
fn all_shows_every_row_and_the_published_figures() {
    let results = span_profile();
    let text = render(&results, &View { all: true, ..View::default() });
    let tables: Vec<&str> = text.lines().filter(|line| line.starts_with("All operations: ")).collect();
    assert_eq!(
        tables,
        ["time", "scatter of the times", "bytes", "allocations", "memory"]
            .map(|title| format!("All operations: {title}"))
    );
    for table in tables {
        let rows = text.lines().skip_while(|line| *line != table).skip(1).take_while(|line| !line.is_empty());
        assert_eq!(rows.count(), results.cases.len() + 3, "{table}: titles and two headings beside the rows");
    }
    let binary: String = text.lines().filter(|line| line.starts_with("binary simple × 1,000")).collect();
    for figure in ["556.0 us", "667.2 ns", "1,799", "2,014 KB", "1,531 KB", "37,000"] {
        assert!(binary.contains(figure), "{figure} is not in {binary}");
    }
}

#[test]
fn every_row_is_broken_down_only_where_that_is_asked_for() {
    let results = span_profile();
    let titles =
        |view: &View| render(&results, view).lines().filter(|line| line.contains("serialize: `")).count();
    assert_eq!(titles(&View { all: true, ..View::default() }), titles(&View::default()));
    let every = View { all: true, every_breakdown: true, ..View::default() };
    assert_eq!(titles(&every), results.cases.len());
}

#[test]
fn without_single_operations_the_rows_that_there_are_stand_in_their_place() {
    let mut results = span_profile();
    results.cases.retain(|case| case.variant == "concurrent");
    let text = render(&results, &View::default());
    assert!(text.contains("\nBatches and parallel loops\nCase "), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("binary simple concurrent")).count(), 2, "{text}");
    assert!(text.contains("\nbinary serialize: `simple concurrent × 1`\n"), "{text}");
}

#[test]
fn without_time_the_columns_of_time_are_left_out() {
    let text = render(&without_time(), &View::default());
    let title = text.lines().find(|line| line.starts_with("Case ")).unwrap();
    assert_eq!(title.split_whitespace().collect::<Vec<_>>(), ["Case", "Allocated", "Alloc", "Ratio"]);
    let all = render(&without_time(), &View { all: true, ..View::default() });
    assert!(!all.contains("scatter of the times") && all.contains("All operations: bytes"), "{all}");
}

/// A case with sites of one type on some stacks, each frame a function and its place, innermost first.
fn on_stacks(stacks: &[&[(&str, &str)]]) -> Results {
    let mut frames = FrameTable::default();
    let sites: Vec<SiteRow> = stacks
        .iter()
        .map(|stack| SiteRow {
            frames: stack
                .iter()
                .map(|&(function, location)| {
                    frames.index_of(Frame { function: function.into(), location: Some(location.into()) })
                })
                .collect(),
            own_frame: Some(0),
            allocations: 10,
            bytes: 80,
            allocations_per_op: 1.0,
            bytes_per_op: 8.0,
            ..SiteRow::default()
        })
        .collect();
    let indices = (0..sites.len() as u32).collect();
    let row = TypeRow { name: "Box<i32>".into(), allocations: 10, sites: indices, ..TypeRow::default() };
    let case = Case {
        codec: "binary".into(),
        model: "simple".into(),
        operation: "serialize".into(),
        allocations_per_op: 1.0,
        types: vec![row],
        sites,
        ..Case::default()
    };
    Results { cases: vec![case], frames: frames.into_frames(), ..Results::default() }
}

const BOXED: (&str, &str) = ("<i32 as Boxable>::boxed", "src/dotnet/boxed.rs:34");
const WRITE: (&str, &str) = ("codec::binary::write", "src/binary/writer.rs:61");
const LOG: (&str, &str) = ("codec::binary::log", "src/binary/writer.rs:9");

#[test]
fn sites_are_told_apart_by_the_callers_of_what_they_share() {
    let text = render(&on_stacks(&[&[BOXED, WRITE], &[BOXED, LOG]]), &View::default());
    assert!(
        text.contains("8 B/op  <i32 as Boxable>::boxed  boxed.rs:34 ← binary::write  writer.rs:61"),
        "{text}"
    );
    assert!(
        text.contains("8 B/op  <i32 as Boxable>::boxed  boxed.rs:34 ← binary::log  writer.rs:9"),
        "{text}"
    );
    let one_folder = render(&on_stacks(&[&[LOG, WRITE]]), &View::default());
    assert!(one_folder.contains("    codec::binary::log  src/binary/writer.rs:9\n"), "{one_folder}");
}

#[test]
fn a_library_that_allocates_is_named_with_the_programs_function_that_called_it() {
    let library = |line| [("json::Map::insert", line), ("json::visit", "json-1.0.0/src/de.rs:2"), WRITE];
    let results = on_stacks(&[&library("json-1.0.0/src/map.rs:1")]);
    let text = render(&results, &View::default());
    assert!(text.contains("Map::insert  map.rs:1 ← binary::write  writer.rs:61"), "{text}");
}

#[test]
fn sites_that_differ_outside_of_the_program_are_one() {
    let pool = |name| [WRITE, ("rayon::join", name)];
    let results = on_stacks(&[&pool("rayon-1.12.0/src/join.rs:1"), &pool("rayon-1.12.0/src/join.rs:2")]);
    for (by, line) in
        [(By::Type, "    codec::binary::write  src/binary/writer.rs:61"), (By::Site, "codec::binary::write ")]
    {
        let text = render(&results, &View { by, ..View::default() });
        assert_eq!(text.lines().filter(|shown| shown.starts_with(line)).count(), 1, "{text}");
    }
}

#[test]
fn the_tree_names_the_line_of_each_call_and_keeps_lone_calls_together() {
    let deep = [
        BOXED,
        ("codec::dotnet::get", "src/dotnet/boxed.rs:57"),
        ("codec::member", "src/member.rs:2"),
        WRITE,
    ];
    let results = on_stacks(&[&deep, &[LOG, WRITE]]);
    let text = render(&results, &View { by: By::Tree, ..View::default() });
    let rows: Vec<&str> = text
        .lines()
        .skip_while(|line| !line.starts_with("Calls "))
        .skip(1)
        .take_while(|line| !line.starts_with("Total"))
        .collect();
    let starts = [
        "binary::write ",
        "  writer.rs:61 ›› <i32 as Boxable>::boxed ",
        "    boxed.rs:34 Box<i32> ",
        "  writer.rs:61 binary::log ",
        "    writer.rs:9 Box<i32> ",
    ];
    assert_eq!(rows.len(), starts.len(), "{text}");
    assert!(rows.iter().zip(starts).all(|(row, start)| row.starts_with(start)), "{text}");
}

#[test]
fn the_tree_sums_what_lies_below_and_what_is_left_out() {
    let results = span_profile();
    let text = render(&results, &View { by: By::Tree, top: Some(2), ..View::default() });
    let root = text.lines().find(|line| line.starts_with("binary::serialize ")).unwrap();
    let total = text.lines().skip_while(|line| *line != root).find(|line| line.starts_with("Total")).unwrap();
    let figures = |line: &str| line.split_whitespace().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(figures(root), figures(total));
    assert!(text.contains("  … 1 more call "), "{text}");
}

/// Sites of two types, of 80 bytes each, some of them labeled.
fn labeled() -> Results {
    let mut results = on_stacks(&[&[WRITE][..]; 6]);
    let case = &mut results.cases[0];
    case.types.push(TypeRow { name: "String".into(), ..TypeRow::default() });
    let labels = [Some("load"), None, Some("store"), Some("store"), Some("load"), Some("store")];
    for (site, label) in case.sites.iter_mut().zip(labels) {
        site.label = label.map(str::to_owned);
        site.percent = 100.0 / 6.0;
    }
    case.sites[2].type_index = 1;
    case.sites[5].type_index = 1;
    results
}

/// The rows of the table of labels without the spaces between cells, from its titles to its sum.
fn label_rows(top: Option<usize>) -> Vec<String> {
    let text = render(&labeled(), &View { by: By::Label, top, ..View::default() });
    let rows = text.lines().skip_while(|line| !line.starts_with("Label, type "));
    let mut shown = Vec::new();
    for row in rows {
        let indent = row.len() - row.trim_start().len();
        let cells: Vec<_> = row.split_whitespace().collect();
        shown.push(format!("{}{}", &row[..indent], cells.join(" ")));
        if row.starts_with("Total") {
            break;
        }
    }
    shown
}

#[test]
fn types_stand_under_their_labels() {
    let rows = [
        "Label, type Allocations Bytes per op B/op %",
        "store 30 240 3 24 50.00",
        "  String 20 160 2 16 33.33",
        "  Box<i32> 10 80 1 8 16.67",
        "load 20 160 2 16 33.33",
        "  Box<i32> 20 160 2 16 33.33",
        "(no label) 10 80 1 8 16.67",
        "  Box<i32> 10 80 1 8 16.67",
        "Total 60 480 6 48 100.00",
    ];
    assert_eq!(label_rows(None), rows);
}

#[test]
fn labels_and_types_that_are_left_out_are_summed() {
    let rows = [
        "Label, type Allocations Bytes per op B/op %",
        "store 30 240 3 24 50.00",
        "  String 20 160 2 16 33.33",
        "  … 1 more type 10 80 1 8 16.67",
        "… 2 more labels 30 240 3 24 50.00",
        "Total 60 480 6 48 100.00",
    ];
    assert_eq!(label_rows(Some(1)), rows);
}

#[test]
fn notes_tell_what_to_know_before_trusting_the_figures() {
    let mut results = span_profile();
    let healthy = render(&results, &View::default());
    assert!(healthy.contains("untyped 0 % of allocations and reallocations"), "{healthy}");
    assert!(healthy.contains("within 4,096 B"), "the sample's parallel rows have an error of their peak");
    for word in [
        "interrupted",
        "Missing flag",
        "flags --write",
        "No call stacks",
        "tables full",
        "last event",
        "null",
    ] {
        assert!(!healthy.contains(word), "{word}");
    }
    results.partial = true;
    results.environment.missing_flags = vec!["-C symbol-mangling-version=v0: no type arguments".into()];
    results.environment.frame_pointers = false;
    results.environment.overflowed = 1234;
    results.environment.untyped_share = 0.0612;
    results.cases[0].torn = true;
    results.cases[0].totals.failed = 3;
    let text = render(&results, &View::default()).replace('\n', " ");
    for said in [
        "The run was interrupted",
        "Missing flag: -C symbol-mangling-version=v0",
        "run `alloclab flags --write` in your package",
        "No call stacks could be read",
        "1,234 allocations found the recorder's tables full",
        "untyped 6.12 %",
        "3 calls of the allocator were answered with null",
        "1 case closed before a thread answered",
    ] {
        assert!(text.contains(said), "{said} is not in {text}");
    }
}

#[test]
fn color_changes_no_letter() {
    let results = span_profile();
    let plain = render(&results, &View::default());
    let colored = render(&results, &View { color: true, ..View::default() });
    assert!(!plain.contains('\u{1b}') && colored.contains('\u{1b}'));
    assert_eq!(
        ["\u{1b}[1m", "\u{1b}[2m", "\u{1b}[0m"].iter().fold(colored, |text, code| text.replace(code, "")),
        plain
    );
}

#[test]
fn a_name_moves_no_cursor() {
    let mut results = span_profile();
    results.cases[0].types[0].name = "Evil\u{1b}[2J\nName".into();
    let text = render(&results, &View::default());
    assert!(!text.contains('\u{1b}') && text.contains("Evil\u{fffd}[2J\u{fffd}Name"));
}

#[test]
fn every_format_for_eyes_takes_results_without_a_case_and_with_the_largest_figures() {
    for results in [Results::default(), largest()] {
        for format in alloclab::report::all().into_iter().filter(|format| format.file_name().is_none()) {
            for by in By::ALL {
                let view = View { by, all: true, ..View::default() };
                match format.render(&results, &view) {
                    Ok(rendered) => assert!(format.file_name().is_some() || rendered.ends_with(b"\n")),
                    // Another tool's file may have no room for them: DHAT takes one row, folded stacks what can be added up.
                    Err(error) => {
                        assert!(format.file_name().is_some(), "{}: {error}", format.name());
                        assert_eq!(error.kind(), ErrorKind::Malformed, "{}: {error}", format.name());
                    }
                }
            }
        }
    }
}

#[test]
fn a_member_of_the_workspace_is_the_program_and_a_checkout_or_what_was_vendored_is_not() {
    let called =
        |caller| on_stacks(&[&[("json::visit", "json-0123456789abcdef/0a1b2c3/src/de.rs:2"), caller]]);
    for place in
        ["crates/app/src/main.rs:3", "crates/app/benches/alloc.rs:3", "./core/src/lib.rs:3", "app/x.rs:3"]
    {
        let text = render(&called(("app::load", place)), &View::default());
        let file = place.rsplit('/').next().unwrap();
        assert!(text.contains(&format!("json::visit  de.rs:2 ← app::load  {file}")), "{place}: {text}");
    }
    for place in ["vendor/serde/src/lib.rs:3", "core/src/lib.rs:3", "/opt/c/lib.c:3"] {
        let text = render(&called(("serde::load", place)), &View::default());
        assert!(!text.contains("serde::load"), "{place}: {text}");
    }
    let mut unplaced = called(("serde::load", ""));
    unplaced.frames[1].location = None;
    assert!(!render(&unplaced, &View::default()).contains("serde::load"));
}
