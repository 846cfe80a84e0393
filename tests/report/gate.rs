//! What a check passes and fails, what it says, and what accepting changes in the file.

use crate::sample_run::{Site, run};
use alloclab::gate::{Baseline, CaseJudgement, CheckFormat, Judgement, Rule, Update, Verdict};
use alloclab::results::Results;

const FILE: &str = "fixtures/baseline/mine.toml";
const CASE: &str = "binary simple serialize stream";
const OTHER: &str = "span simple serialize span";

const WRITE: &[&str] = &["write src/a.rs:10", "encode src/b.rs:20", "work src/c.rs:30"];
const FORMAT: &[&str] = &["describe src/d.rs:7", "encode src/b.rs:21", "work src/c.rs:30"];

/// One `String` in every operation, a vector in every second.
const SITES: &[Site] = &[Site("String", WRITE, 200, 4800), Site("Vec<u8>", WRITE, 100, 1600)];

fn results(sites: &[Site]) -> Results {
    run(&[(CASE, sites), (OTHER, &[])])
}

/// The baseline of the usual sites.
fn text() -> String {
    Update::accepting(&results(SITES), FILE, None, false).unwrap().text
}

fn strict(strict: bool) -> Rule {
    Rule { strict, filtered: false, accept: "alloclab check mine --update".into() }
}

#[track_caller]
fn judge_by(text: &str, results: &Results) -> Judgement {
    strict(false).judge(FILE, &Baseline::parse(FILE, text).unwrap(), results)
}

/// The only case that is not as accepted.
#[track_caller]
fn only_case(judgement: &Judgement) -> &CaseJudgement {
    assert_eq!(judgement.cases.len(), 1, "{judgement:?}");
    &judgement.cases[0]
}

/// The file after lines were added to the table of the usual case.
fn with(lines: &str) -> String {
    text().replace(&format!("[\"{CASE}\"]\n"), &format!("[\"{CASE}\"]\n{lines}\n"))
}

/// The usual sites, and one more.
fn worse() -> Results {
    results(&[SITES, &[Site("String", FORMAT, 200, 1800)]].concat())
}

#[test]
fn a_new_baseline_has_a_line_for_each_figure_and_who_allocates() {
    let text = text();
    let case = "[\"binary simple serialize stream\"]\n\
                allocations_per_op = 1.5\n\
                reallocations_per_op = 0\n\
                bytes_per_op = 32\n\
                [\"binary simple serialize stream\".sites]\n\
                \"String in write\" = { allocations = 1, bytes = 24 }\n\
                \"Vec<u8> in write\" = { allocations = 0.5, bytes = 8 }\n\
                \n\
                [\"span simple serialize span\"]\n\
                allocations_per_op = 0\n\
                reallocations_per_op = 0\n\
                bytes_per_op = 0\n";
    assert!(text.ends_with(case), "{text}");
    assert!(text.contains("\nrustc = \"rustc 1.95.0\"\ntarget = \"x86_64-unknown-linux-gnu\"\n"), "{text}");
    assert!(judge_by(&text, &results(SITES)).passed);
}

#[test]
fn fractions_read_back_as_the_same_numbers() {
    let third = results(&[Site("String", WRITE, 67, 1_000_003)]);
    let text = Update::accepting(&third, FILE, None, false).unwrap().text;
    let judgement = judge_by(&text, &third);
    assert_eq!((judgement.passed, judgement.same), (true, 2));
}

#[test]
fn more_fails_and_names_types_sites_and_callers() {
    let judgement = judge_by(&text(), &worse());
    let case = only_case(&judgement);
    assert_eq!((judgement.passed, case.verdict, case.fails), (false, Verdict::Worse, true));
    let site = &case.sites[0];
    assert_eq!(
        (&*site.owner, &*site.function, &site.places[..]),
        ("String", "describe", &["src/d.rs:7".into()][..])
    );
    assert_eq!(case.sites.len(), 1);

    let expected = "check failed: mine: 1 case allocates more than fixtures/baseline/mine.toml accepts\n\
                    \n\
                    binary simple serialize stream allocates more\n    \
                        allocations_per_op    1.5 -> 2.5\n    \
                        bytes_per_op          32 -> 41\n    \
                        String: 0 -> 1 allocations, 0 -> 9 bytes\n        \
                            describe  src/d.rs:7\n        \
                            < encode  src/b.rs:21\n        \
                            < work  src/c.rs:30\n\
                    \n\
                    to accept what was measured: alloclab check mine --update\n";
    assert_eq!(CheckFormat::Text.render(&[judgement]).unwrap(), expected);
}

#[test]
fn what_a_workspace_calls_in_libraries_is_told_by_the_member_that_calls() {
    for place in ["crates/app/src/main.rs:3", "crates/app/benches/alloc.rs:3", "./core/src/lib.rs:3"] {
        let place: &'static str = format!("load {place}").leak();
        let stack: &'static [&'static str] = vec!["insert json-1.0.0/src/map.rs:1", place].leak();
        let text =
            Update::accepting(&results(&[Site("String", stack, 200, 4800)]), FILE, None, false).unwrap().text;
        assert!(text.contains("\n\"String in load\" = "), "{text}");
    }
}

#[test]
fn members_of_one_workspace_are_one_program() {
    let stack =
        &["pack crates/codec/src/a.rs:1", "insert json-1.0.0/src/map.rs:1", "load crates/app/src/main.rs:3"];
    let judgement = judge_by(&text(), &results(&[SITES, &[Site("String", stack, 200, 1800)]].concat()));
    let told = CheckFormat::Text.render(&[judgement]).unwrap();
    assert!(
        told.contains("        pack  crates/codec/src/a.rs:1\n        < load  crates/app/src/main.rs:3\n"),
        "{told}"
    );
}

#[test]
fn what_shares_a_name_in_the_baseline_is_told_together() {
    let other = &["write src/a.rs:12", "encode src/b.rs:20"];
    let mut results = results(&[Site("One", WRITE, 200, 4800), Site("Other", other, 200, 4800)]);
    results.cases[0].types.iter_mut().for_each(|row| row.name = "Same".into());
    let judgement = judge_by(&text(), &results);
    let sites = &only_case(&judgement).sites;
    let same: Vec<_> = sites.iter().filter(|site| site.owner == "Same").collect();
    assert_eq!(same.len(), 1, "{sites:?}");
    assert_eq!(same[0].places, ["src/a.rs:10", "src/a.rs:12"]);
    assert_eq!(same[0].sides.new.unwrap().bytes_per_op, 48.0);
}

#[test]
fn less_is_told_and_fails_only_if_strict() {
    let better = results(&SITES[..1]);
    let baseline = Baseline::parse(FILE, &text()).unwrap();
    for is_strict in [false, true] {
        let judgement = strict(is_strict).judge(FILE, &baseline, &better);
        let case = only_case(&judgement);
        assert_eq!((case.verdict, case.fails, judgement.passed), (Verdict::Better, is_strict, !is_strict));
        let told = CheckFormat::Text.render(std::slice::from_ref(&judgement)).unwrap();
        let first = if is_strict {
            "check failed: mine: 1 case allocates less\n"
        } else {
            "mine: 1 case allocates what fixtures/baseline/mine.toml accepts; 1 case allocates less\n"
        };
        assert!(told.starts_with(first), "{told}");
        assert!(told.contains("Vec<u8>: 0.5 -> 0 allocations, 8 -> 0 bytes\n"), "{told}");
    }
}

#[test]
fn fewer_bytes_in_more_allocations_are_worse() {
    let sites = [Site("String", WRITE, 400, 4800)];
    let judgement = judge_by(&text(), &results(&sites));
    let verdicts: Vec<_> = only_case(&judgement).metrics.iter().map(|judged| judged.verdict).collect();
    assert_eq!(verdicts, [Verdict::Worse, Verdict::Better]);
    assert!(!judgement.passed);
}

#[test]
fn bytes_may_differ_by_the_larger_tolerance_and_allocations_may_not() {
    // 32 bytes become 33 or 31.
    let [more, less] = [1800, 1400].map(|bytes| results(&[SITES[0], Site("Vec<u8>", WRITE, 100, bytes)]));
    let passes = |text: &str| [&more, &less].map(|results| judge_by(text, results).cases.is_empty());
    assert_eq!(passes(&text()), [false, false]);
    assert_eq!(passes(&with("bytes_percent = 3.2")), [true, true]);
    assert_eq!(passes(&with("bytes_percent = 3.1")), [false, false]);
    assert_eq!(passes(&with("bytes_absolute = 1")), [true, true]);
    assert_eq!(passes(&with("bytes_absolute = 1\nbytes_percent = 0.1")), [true, true]);
    let all = text().replace("iterations = 200\n", "iterations = 200\n\n[tolerance]\nbytes_percent = 3.2\n");
    assert_eq!(passes(&all), [true, true]);
    // What a case says comes before what holds for all.
    let case = all.replace(&format!("[\"{CASE}\"]\n"), &format!("[\"{CASE}\"]\nbytes_percent = 0\n"));
    assert_eq!(passes(&case), [false, false]);
    let other = results(&[Site("String", WRITE, 201, 4800), SITES[1]]);
    assert!(!judge_by(&with("bytes_percent = 100"), &other).passed);
}

#[test]
fn a_hard_limit_holds_whatever_the_baseline_says() {
    let text = with("max_allocations_per_op = 1.5\nmax_bytes_per_op = 31.5");
    let judgement = judge_by(&text, &results(SITES));
    let case = only_case(&judgement);
    assert_eq!((case.verdict, case.metrics.len(), case.limits.len()), (Verdict::Worse, 0, 1));
    let told = CheckFormat::Text.render(std::slice::from_ref(&judgement)).unwrap();
    assert!(told.contains("    max_bytes_per_op       = 31.5 is exceeded: 32\n"), "{told}");
    let line = text.lines().position(|line| line == format!("[\"{CASE}\"]")).unwrap() + 1;
    let by_hand = format!("\na hard limit is changed by hand: {FILE}, line {line}, max_bytes_per_op\n");
    assert!(told.ends_with(&by_hand), "{told}");
    // Accepting does not lift it.
    let update = Update::accepting(&results(SITES), FILE, Some(&text), false).unwrap();
    assert_eq!(update.changes, [""; 0]);
}

#[test]
fn new_cases_and_cases_that_were_not_measured_fail() {
    let judgement = judge_by(&text(), &run(&[(CASE, SITES), ("lite simple serialize span", &[])]));
    let told: Vec<_> = judgement.cases.iter().map(|case| (&*case.case, case.verdict, case.fails)).collect();
    let expected = [("lite simple serialize span", Verdict::New, true), (OTHER, Verdict::Unmeasured, true)];
    assert_eq!(told, expected);
    let text = CheckFormat::Text.render(&[judgement]).unwrap();
    let first = "check failed: mine: 1 case is new: not in fixtures/baseline/mine.toml; \
                 1 case stands in fixtures/baseline/mine.toml and not in the profile\n";
    assert!(text.starts_with(first), "{text}");
}

#[test]
fn filtered_rows_may_leave_cases_out() {
    let rule = Rule { filtered: true, ..strict(false) };
    let judgement = rule.judge(FILE, &Baseline::parse(FILE, &text()).unwrap(), &run(&[(CASE, SITES)]));
    assert_eq!((judgement.passed, judgement.same), (true, 1));
}

#[test]
fn parallel_rows_take_no_part() {
    let mut parallel = results(SITES);
    let mut row = worse().cases.swap_remove(0);
    (row.threads, row.parallel) = (4, true);
    row.sites.clear();
    parallel.cases.push(row.clone());
    row.threads = 1;
    parallel.cases.push(row);
    let judgement = judge_by(&text(), &parallel);
    assert_eq!((judgement.passed, judgement.parallel, judgement.same), (true, 2, 2));
    assert_eq!(Update::accepting(&parallel, FILE, Some(&text()), false).unwrap().changes, [""; 0]);
}

#[test]
fn a_row_of_one_thread_takes_part_whatever_its_variant_is_called() {
    let mut named = worse();
    named.cases[0].variant = "concurrent".into();
    let judgement = judge_by(&text(), &named);
    assert_eq!((judgement.passed, judgement.parallel), (false, 0));
    assert_eq!(judgement.cases[0].verdict, Verdict::New);
}

#[test]
fn another_compiler_or_target_fails_and_is_said_first() {
    for (what, old, new) in
        [("rustc", "rustc 1.95.0", "rustc 1.96.0"), ("target", "x86_64-unknown-linux-gnu", "riscv64gc")]
    {
        let mut results = worse();
        let environment = &mut results.environment;
        let place = if what == "rustc" { &mut environment.rustc } else { &mut environment.target };
        *place = new.to_owned();
        let judgement = judge_by(&text(), &results);
        assert!(!judgement.passed);
        let told = CheckFormat::Text.render(&[judgement]).unwrap();
        let first = format!(
            "check failed: mine: {what} of the baseline is `{old}`, of this program `{new}`; 1 case allocates more"
        );
        assert!(told.starts_with(&first), "{told}");
    }
}

#[test]
fn another_optimization_level_is_told_and_does_not_fail() {
    let mut results = results(SITES);
    results.environment.opt_level = "0".into();
    let judgement = judge_by(&text(), &results);
    assert!(judgement.passed);
    let told = CheckFormat::Text.render(&[judgement]).unwrap();
    assert!(told.ends_with("; opt_level of the baseline is `3`, of this program `0`\n"), "{told}");
}

#[test]
fn other_iterations_cannot_be_compared() {
    let baseline = Baseline::parse(FILE, &text()).unwrap();
    assert!(baseline.check_iterations(FILE, 200).is_ok());
    let error = baseline.check_iterations(FILE, 100).unwrap_err();
    let message = "fixtures/baseline/mine.toml, key `iterations`: the baseline was made with 200 iterations, and the profile \
                   says 100: figures per operation cannot be compared";
    assert_eq!(error.to_string(), message);
}

#[test]
fn what_is_wrong_in_a_baseline_is_named_by_line_and_key() {
    let case = |lines: &str| {
        format!("rustc = \"\"\ntarget = \"\"\nopt_level = \"\"\niterations = 1\n[\"a b c d\"]\n{lines}")
    };
    let figures = "allocations_per_op = 1\nreallocations_per_op = 0\nbytes_per_op = 1\n";
    for (text, message, help) in [
        (String::new(), "line 1, key `rustc`: the key is missing", "before the first table"),
        (case(""), "line 5, key `allocations_per_op`: the key is missing", "in the table of `a b c d`"),
        (case("x = "), "line 6: ", ""),
        (
            format!("rust = \"\"\n{}", case(figures)),
            "line 1, key `rust`: there is no such key",
            "`rustc`, `target`",
        ),
        (case(&format!("{figures}bytes = 1")), "line 9, key `bytes`: there is no such key", "`bytes_per_op`"),
        (case("allocations_per_op = -1"), "line 6, key `allocations_per_op`: expected a number", ""),
        (
            case(&figures.replace("= 0", "= \"0\"")),
            "line 7, key `reallocations_per_op`: expected a number",
            "",
        ),
        (case(&figures.replace("= 0", "= nan")), "line 7, key `reallocations_per_op`: expected a number", ""),
        (case(&format!("{figures}sites = 3")), "line 9, key `sites`: expected a table", ""),
        (
            case(&format!("{figures}[\"a b c d\".sites]\n\"String in f\" = 3")),
            "line 10, key `String in f`: expected figures per operation",
            "",
        ),
        (
            case(&format!("{figures}[\"a b c d\".sites]\n\"String in f\" = {{ byts = 3 }}")),
            "line 10, key `byts`: there is no such key",
            "`allocations`, `reallocations`, `bytes`",
        ),
        (
            format!("{}[tolerance]\nbytes = 3", case(figures)),
            "line 10, key `bytes`: there is no such key",
            "`bytes_percent`",
        ),
        (
            case(figures).replace("iterations = 1", "iterations = 1.5"),
            "line 4, key `iterations`: expected a whole",
            "",
        ),
    ] {
        let error = Baseline::parse("b.toml", &text).unwrap_err();
        assert!(error.to_string().starts_with(&format!("b.toml, {message}")), "{message} in {error}");
        assert!(error.help().unwrap_or_default().contains(help), "{help} in {:?}", error.help());
    }
}

/// A file as people write in it.
fn edited() -> String {
    text()
        .replace("iterations = 200\n", "iterations = 200 # as ever\n\n[tolerance] # none\n")
        .replace(
            "bytes_per_op = 32\n",
            "bytes_per_op   =   32 # of the names\n# a promise\nmax_bytes_per_op = 50\n",
        )
        .replace("\"Vec<u8> in", "# the buffer\n\"Vec<u8> in")
        + "# the end\n"
}

#[test]
fn accepting_changes_lines_that_differ_and_keeps_the_rest_byte_for_byte() {
    let update = Update::accepting(&worse(), FILE, Some(&edited()), false).unwrap();
    let expected = edited()
        .replace("allocations_per_op = 1.5", "allocations_per_op = 2.5")
        .replace("bytes_per_op   =   32 #", "bytes_per_op   =   41 #")
        .replace(
            "\"String in write\"",
            "\"String in describe\" = { allocations = 1, bytes = 9 }\n\"String in write\"",
        );
    assert_eq!(update.text, expected);
    let changes = [
        "binary simple serialize stream: allocations_per_op 1.5 -> 2.5",
        "binary simple serialize stream: bytes_per_op 32 -> 41",
        "binary simple serialize stream: who allocates",
    ];
    assert_eq!(update.changes, changes);
    let back = Update::accepting(&results(SITES), FILE, Some(&update.text), false).unwrap();
    assert_eq!(back.text, edited());
}

#[test]
fn accepting_the_same_changes_nothing() {
    let update = Update::accepting(&results(SITES), FILE, Some(&edited()), false).unwrap();
    assert_eq!((update.text, update.changes), (edited(), Vec::new()));
}

#[test]
fn accepted_cases_stand_in_the_order_of_the_alphabet_and_lost_ones_go() {
    let names = ["a b c d", "m b c d", "z b c d"];
    let new = run(&[(names[2], SITES), (names[0], SITES), (CASE, SITES), (names[1], &[])]);
    let update = Update::accepting(&new, FILE, Some(&edited()), false).unwrap();
    let headings: Vec<_> = update.text.lines().filter(|line| line.starts_with("[\"")).collect();
    let expected = [
        "[\"a b c d\"]",
        "[\"a b c d\".sites]",
        "[\"binary simple serialize stream\"]",
        "[\"binary simple serialize stream\".sites]",
        "[\"m b c d\"]",
        "[\"z b c d\"]",
        "[\"z b c d\".sites]",
    ];
    assert_eq!(headings, expected, "{}", update.text);
    assert!(update.changes.contains(&format!("{OTHER}: removed, for it was not measured")));
    assert!(judge_by(&update.text, &new).passed);
    // Back again: what was never touched is as it was.
    let back = Update::accepting(&results(SITES), FILE, Some(&update.text), false).unwrap();
    assert_eq!(back.text, edited());
}

#[test]
fn who_allocates_may_change_while_figures_stay() {
    let sites = [Site("String", FORMAT, 200, 4800), SITES[1]];
    assert!(judge_by(&text(), &results(&sites)).passed);
    let update = Update::accepting(&results(&sites), FILE, Some(&text()), false).unwrap();
    assert_eq!(update.changes, ["binary simple serialize stream: who allocates"]);
    assert_eq!(update.text, text().replace("String in write", "String in describe"));
    let nobody = Update::accepting(&results(&[]), FILE, Some(&text()), false).unwrap().text;
    assert!(!nobody.contains(".sites]"), "{nobody}");
    assert_eq!(Update::accepting(&results(SITES), FILE, Some(&nobody), false).unwrap().text, text());
}

#[test]
fn filtered_rows_are_accepted_alone_and_only_of_the_same_build() {
    let mut some = run(&[(CASE, SITES)]);
    let accept = |results: &Results| Update::accepting(results, FILE, Some(&edited()), true);
    assert_eq!(accept(&some).unwrap().text, edited());
    some.environment.rustc = "rustc 1.96.0".into();
    let error = accept(&some).unwrap_err();
    assert!(error.to_string().contains("\"rustc 1.95.0\" -> \"rustc 1.96.0\""), "{error}");
    assert!(error.help().unwrap().contains("filters"));
}

#[test]
fn a_file_that_cannot_be_kept_as_it_is_written_is_refused() {
    let text = text().replace('\n', "\r\n");
    let error = Update::accepting(&worse(), FILE, Some(&text), false).unwrap_err();
    assert!(error.to_string().ends_with("the file cannot be kept as it is written"), "{error}");
}

#[test]
fn a_line_for_github_marks_the_source_and_escapes_what_would_end_it() {
    let format = &["a::b<100%> src/d.rs:7"];
    let results = results(&[SITES, &[Site("String", format, 200, 1800)]].concat());
    let told = CheckFormat::Github.render(&[judge_by(&text(), &results)]).unwrap();
    let lines: Vec<_> = told.lines().collect();
    let first = "::error file=fixtures/baseline/mine.toml,line=1,title=alloclab check mine::check failed: mine: 1 case allocates \
                 more than fixtures/baseline/mine.toml accepts%0Ato accept what was measured: alloclab check mine --update";
    let second = "::error file=src/d.rs,line=7,title=binary simple serialize stream allocates more::allocations_per_op 1.5 -> \
                  2.5%0Abytes_per_op 32 -> 41%0AString: 0 -> 1 allocations, 0 -> 9 bytes%0A  a::b<100%25>  src/d.rs:7";
    assert_eq!(lines, [first, second]);
    let mut named = judge_by(&text(), &results);
    named.cases[0].case = "a,b:c".into();
    let told = CheckFormat::Github.render(&[named]).unwrap();
    assert!(told.contains("title=a%2Cb%3Ac allocates more::"), "{told}");
}

#[test]
fn what_improved_is_a_notice_for_github() {
    let told = CheckFormat::Github.render(&[judge_by(&text(), &results(&SITES[..1]))]).unwrap();
    assert!(told.lines().all(|line| line.starts_with("::notice file=")), "{told}");
    // Nothing is left of the function: the baseline has the place.
    assert!(told.contains("::notice file=fixtures/baseline/mine.toml,line=13,title=binary"), "{told}");
}

#[test]
fn the_markdown_form_has_a_table_of_figures_and_one_of_who_made_the_difference() {
    let told = CheckFormat::Markdown.render(&[judge_by(&text(), &worse())]).unwrap();
    for line in [
        "### check failed: mine: 1 case allocates more than fixtures/baseline/mine.toml accepts",
        "`binary simple serialize stream` allocates more  ",
        "| `allocations_per_op` | 1.5 -> 2.5 |",
        "| `String`<br><sub>describe  src/d.rs:7</sub><br><sub>&lt; encode  src/b.rs:21</sub><br><sub>&lt; work  src/c.rs:30</sub> \
         | 0 -> 1 allocations, 0 -> 9 bytes |",
        "to accept what was measured: alloclab check mine --update  ",
    ] {
        assert!(told.lines().any(|told| told == line), "{line} in {told}");
    }
}

#[test]
fn the_json_form_holds_every_field_under_its_schema() {
    let mut judgement = judge_by(&text(), &worse());
    judgement.passed = false;
    let told = CheckFormat::Json.render(&[judgement]).unwrap();
    let json: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&json["schema"], &json["passed"]), (&"alloclab.check/1".into(), &false.into()));
    let profile = &json["profiles"][0];
    assert_eq!(
        (&profile["profile"], &profile["baseline"], &profile["same"]),
        (&"mine".into(), &FILE.into(), &1.into())
    );
    let case = &profile["cases"][0];
    assert_eq!(
        (&case["case"], &case["verdict"], &case["fails"]),
        (&CASE.into(), &"worse".into(), &true.into())
    );
    assert_eq!(case["metrics"][0]["metric"], "allocations_per_op");
    assert_eq!(
        (&case["metrics"][0]["baseline"], &case["metrics"][0]["measured"]),
        (&1.5.into(), &2.5.into())
    );
    let site = &case["sites"][0];
    assert_eq!((&site["type"], &site["places"][0]), (&"String".into(), &"src/d.rs:7".into()));
    assert_eq!((&site["old"], &site["new"]["bytes_per_op"]), (&serde_json::Value::Null, &9.0.into()));
}

#[test]
fn profiles_that_failed_are_told_first() {
    let rule = strict(false);
    let passed = judge_by(&text(), &results(SITES));
    let told = CheckFormat::Text.render(&[passed, rule.without_baseline("none", "none.toml")]).unwrap();
    assert!(told.starts_with("check failed: none: there is no baseline none.toml\n"), "{told}");
    assert!(told.ends_with("mine: 2 cases allocate what fixtures/baseline/mine.toml accepts\n"), "{told}");
}

#[test]
fn cases_of_one_name_and_names_that_mean_something_else_are_not_accepted() {
    let mut twice = results(SITES);
    let mut second = twice.cases[0].clone();
    (second.codec, second.model) = ("binary simple".to_owned(), "serialize".to_owned());
    (second.operation, second.variant) = ("stream".to_owned(), String::new());
    twice.cases.push(second);
    let mut own = results(SITES);
    let case = &mut own.cases[0];
    case.codec = "iterations".to_owned();
    for name in [&mut case.model, &mut case.operation, &mut case.variant] {
        name.clear();
    }
    for results in [twice, own] {
        let error = Update::accepting(&results, FILE, None, false).err().unwrap();
        assert!(error.to_string().contains("two cases are called"), "{error}");
    }
}
