//! The built program checks and compares: how it ends, what it says, and what it leaves in the folder.

use std::fs;
use std::hint::black_box;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::program::{alloclab, read, run, stderr, stdout};
use alloclab::recorder::measure;
use alloclab::{flags, results};
use tempfile::TempDir;

/// The committed baselines.
const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/baseline");

/// A profile that is measured in no time.
const PROFILE: &str = r#"title = "one value"
iterations = 10

[[group]]
name = "one value"
operation = "serialize"
baseline = { codec = "binary", model = "simple", variant = "stream" }
cases = [
    { codec = "binary", model = "simple", variant = "stream" },
    { codec = "span", model = "simple", variant = "span" },
]
"#;

const BASELINE: &str = "fixtures/baseline/mine.toml";
const CASE: &str = "[\"binary simple serialize stream\"]\n";
const ALLOCATIONS: &str = "allocations_per_op = 42\n";
const SITE: &str =
    "\"Box<Binary> in codec::binary::serializer::Binary::over\" = { allocations = 1, bytes = 72 }\n";

#[track_caller]
fn assert_ends(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}{}", stdout(output), stderr(output));
}

/// A folder with the quick profile and its baseline.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.toml"), PROFILE).unwrap();
    assert_ends(&run(&folder, &["check", "mine.toml", "--update"]), 0);
    folder
}

/// Changes the baseline as somebody would who edits it.
#[track_caller]
fn edit(folder: &TempDir, from: &str, to: &str) {
    let text = read(folder, BASELINE);
    assert!(text.contains(from), "{from} in {text}");
    fs::write(folder.path().join(BASELINE), text.replacen(from, to, 1)).unwrap();
}

/// Checks the quick profile after its baseline was changed.
#[track_caller]
fn check_edited(from: &str, to: &str, arguments: &[&str]) -> Output {
    let folder = folder();
    edit(&folder, from, to);
    run(&folder, &[&["check", "mine.toml"], arguments].concat())
}

#[test]
fn the_lab_allocates_what_its_committed_baseline_accepts() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(&folder, &["check", "smoke", "--baseline", COMMITTED]);
    assert_ends(&output, 0);
    let first = format!("smoke: 52 cases allocate what {COMMITTED}/smoke.toml accepts");
    assert!(stdout(&output).starts_with(&first), "{}", stdout(&output));
    // What was measured is a results file as any other.
    let measured = "out/smoke/check.json";
    assert!(
        results::read(folder.path().join(measured)).unwrap().cases.iter().all(|case| case.time.is_none())
    );
    let output = run(&folder, &["diff", measured, measured]);
    assert_eq!(stdout(&output), "No case allocates differently; 52 cases are unchanged.\n");
    assert_ends(&output, 0);
}

#[test]
fn the_committed_baseline_names_who_allocates_now() {
    // Without optimization other functions may stand next to the allocator.
    if flags::OPT_LEVEL != "3" {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("fixtures/baseline")).unwrap();
    let committed = fs::read_to_string(Path::new(COMMITTED).join("smoke.toml")).unwrap();
    fs::write(folder.path().join("fixtures/baseline/smoke.toml"), &committed).unwrap();
    let output = run(&folder, &["check", "--update"]);
    assert_ends(&output, 0);
    assert_eq!(stderr(&output), "fixtures/baseline/smoke.toml: nothing changed\n");
    assert_eq!(read(&folder, "fixtures/baseline/smoke.toml"), committed);
}

#[test]
fn a_case_that_allocates_more_fails_the_check_and_is_told_with_types_and_sites() {
    let folder = folder();
    edit(&folder, ALLOCATIONS, "allocations_per_op = 41\n");
    edit(&folder, SITE, "");
    let before = read(&folder, BASELINE);
    let output = run(&folder, &["check", "mine.toml"]);
    assert_ends(&output, 3);
    let mut lines = stdout(&output).lines();
    let first = "check failed: mine: 1 case allocates more than fixtures/baseline/mine.toml accepts";
    assert_eq!(lines.next(), Some(first));
    assert_eq!(lines.next_back(), Some("to accept what was measured: alloclab check mine.toml --update"));
    for line in
        ["    allocations_per_op    41 -> 42\n", "    Box<Binary>: 0 -> 1 allocations, 0 -> 72 bytes\n"]
    {
        assert!(stdout(&output).contains(line), "{line} in {}", stdout(&output));
    }
    let site = "        codec::binary::serializer::Binary::over  src/codec/binary/serializer.rs:";
    assert!(stdout(&output).contains(site), "{}", stdout(&output));
    assert!(stdout(&output).contains("\n        < codec::binary::codec::"), "{}", stdout(&output));
    assert_eq!(read(&folder, BASELINE), before, "nothing is written without --update");
}

#[test]
fn accepting_restores_what_was_changed_and_keeps_the_rest_byte_for_byte() {
    let folder = folder();
    edit(&folder, CASE, &format!("# kept\n{CASE}bytes_percent = 0   # kept, too\n"));
    let original = read(&folder, BASELINE);
    edit(&folder, ALLOCATIONS, "allocations_per_op = 41\n");
    edit(&folder, SITE, "\"Box<Gone> in nowhere\" = { allocations = 1, bytes = 2 }\n");
    let output = run(&folder, &["check", "mine.toml", "--update"]);
    assert_ends(&output, 0);
    assert_eq!(read(&folder, BASELINE), original);
    let changes = "fixtures/baseline/mine.toml: binary simple serialize stream: allocations_per_op 41 -> 42\n\
                   fixtures/baseline/mine.toml: binary simple serialize stream: who allocates\n";
    assert_eq!(stderr(&output), changes);
}

#[test]
fn a_missing_baseline_is_a_failed_check_that_says_so_first() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(&folder, &["check", "smoke"]);
    assert_ends(&output, 3);
    let told = "check failed: smoke: there is no baseline fixtures/baseline/smoke.toml\n";
    assert!(stdout(&output).starts_with(told), "{}", stdout(&output));
    assert!(stdout(&output).ends_with("alloclab check smoke --update\n"), "{}", stdout(&output));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is measured or written");
}

#[test]
fn without_names_every_profile_that_has_a_baseline_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(&folder, &["check"]);
    assert_ends(&output, 3);
    assert!(stderr(&output).starts_with("check failed: there is no baseline in fixtures/baseline\nhelp: "));
    let quick = ["--codec", "span", "--operation", "serialize"];
    assert_ends(&run(&folder, &[&["check", "smoke", "--update"], &quick[..]].concat()), 0);
    assert_ends(&run(&folder, &[&["check", "binaryformatter", "--update"], &quick[..]].concat()), 0);
    let output = run(&folder, &[&["check"], &quick[..]].concat());
    assert_ends(&output, 0);
    let told: Vec<_> = stdout(&output).lines().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(told, ["binaryformatter", "smoke"]);
}

#[test]
fn a_baseline_of_another_compiler_fails_and_says_so_first() {
    let rustc = format!("rustc = \"{}\"", flags::RUSTC);
    let output = check_edited(&rustc, "rustc = \"rustc 1.90.0\"", &[]);
    assert_ends(&output, 3);
    let first = format!(
        "check failed: mine: rustc of the baseline is `rustc 1.90.0`, of this program `{}`\n",
        flags::RUSTC
    );
    assert!(stdout(&output).starts_with(&first), "{}", stdout(&output));
}

#[test]
fn what_improved_fails_only_if_strict() {
    let [from, to] = [ALLOCATIONS, "allocations_per_op = 43\n"];
    let output = check_edited(from, to, &[]);
    assert_ends(&output, 0);
    assert!(stdout(&output).contains("    allocations_per_op    43 -> 42\n"), "{}", stdout(&output));
    let output = check_edited(from, to, &["--strict"]);
    assert_ends(&output, 3);
    assert!(
        stdout(&output).starts_with("check failed: mine: 1 case allocates less\n"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn tolerances_and_hard_limits_are_kept() {
    let folder = folder();
    edit(&folder, "bytes_per_op = 1532\n", "bytes_per_op = 1530\n");
    assert_ends(&run(&folder, &["check", "mine.toml"]), 3);
    edit(&folder, CASE, &format!("{CASE}bytes_absolute = 2\n"));
    assert_ends(&run(&folder, &["check", "mine.toml"]), 0);
    edit(&folder, CASE, &format!("{CASE}max_allocations_per_op = 41.5\n"));
    let output = run(&folder, &["check", "mine.toml", "--update"]);
    assert_ends(&output, 3);
    assert!(
        stdout(&output).contains("max_allocations_per_op = 41.5 is exceeded: 42\n"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn a_typing_error_in_a_baseline_is_named_before_anything_is_measured() {
    let folder = folder();
    fs::remove_dir_all(folder.path().join("out")).unwrap();
    edit(&folder, CASE, &format!("{CASE}max_alocations_per_op = 42\n"));
    let output = run(&folder, &["check", "mine.toml"]);
    assert_ends(&output, 1);
    let line = read(&folder, BASELINE).lines().position(|line| line.starts_with("max_aloc")).unwrap() + 1;
    let message = format!(
        "error: fixtures/baseline/mine.toml, line {line}, key `max_alocations_per_op`: there is no such key in a baseline\n\
         help: known: `allocations_per_op`, "
    );
    assert!(stderr(&output).starts_with(&message), "{}", stderr(&output));
    assert!(!folder.path().join("out").exists());
}

#[test]
fn other_iterations_are_an_error_until_they_are_accepted() {
    let folder = folder();
    fs::write(folder.path().join("mine.toml"), PROFILE.replace("= 10\n", "= 20\n")).unwrap();
    let output = run(&folder, &["check", "mine.toml"]);
    assert_ends(&output, 1);
    let message = "error: fixtures/baseline/mine.toml, key `iterations`: the baseline was made with 10 iterations, and the \
                   profile says 20: figures per operation cannot be compared\n";
    assert!(stderr(&output).starts_with(message), "{}", stderr(&output));
    assert_ends(&run(&folder, &["check", "mine.toml", "--update"]), 0);
    assert_ends(&run(&folder, &["check", "mine.toml"]), 0);
}

#[test]
fn filters_check_some_rows() {
    let output = check_edited(CASE, &format!("{CASE}max_bytes_per_op = 0\n"), &["--codec", "span"]);
    assert_ends(&output, 0);
    assert!(stdout(&output).starts_with("mine: 1 case allocates what "), "{}", stdout(&output));
}

#[test]
fn a_parallel_row_takes_no_part_even_with_one_iteration() {
    let folder = tempfile::tempdir().unwrap();
    let rows = ["--codec", "span", "--variant", "concurrent", "--threads", "1"];
    let output = run(&folder, &[&["check", "span", "--update"], &rows[..]].concat());
    assert_ends(&output, 0);
    assert_eq!(stderr(&output), "fixtures/baseline/span.toml: made, with 0 cases\n");
}

#[test]
fn for_github_lines_are_marked_and_the_summary_is_added_to() {
    let folder = folder();
    edit(&folder, ALLOCATIONS, "allocations_per_op = 41\n");
    edit(&folder, SITE, "");
    let summary = folder.path().join("summary.md");
    fs::write(&summary, "# Earlier steps\n").unwrap();
    let mut command = alloclab(&folder, &["check", "mine.toml", "--format", "github"]);
    let output = command.env("GITHUB_STEP_SUMMARY", &summary).output().unwrap();
    assert_ends(&output, 3);
    let marked = "\n::error file=src/codec/binary/serializer.rs,line=";
    assert!(stdout(&output).contains(marked), "{}", stdout(&output));
    assert!(stdout(&output).lines().all(|line| line.starts_with("::error file=")), "{}", stdout(&output));
    let markdown = run(&folder, &["check", "mine.toml", "--format", "markdown"]);
    assert_ends(&markdown, 3);
    assert_eq!(read(&folder, "summary.md"), format!("# Earlier steps\n{}", stdout(&markdown)));
}

#[test]
fn the_json_form_is_all_of_standard_output() {
    let output = check_edited(ALLOCATIONS, "allocations_per_op = 41\n", &["--format", "json"]);
    assert_ends(&output, 3);
    let json: serde_json::Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!((&json["schema"], &json["passed"]), (&"alloclab.check/1".into(), &false.into()));
    assert_eq!(json["profiles"][0]["cases"][0]["metrics"][0]["measured"], 42.0);
}

#[test]
fn a_failed_check_fails_though_nobody_reads_what_it_says() {
    let folder = folder();
    edit(&folder, ALLOCATIONS, "allocations_per_op = 41\n");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let status = alloclab(&folder, &["check", "mine.toml"]).stdout(writer).status().unwrap();
    assert_eq!(status.code(), Some(3));
}

#[test]
fn a_check_that_is_interrupted_judges_nothing() {
    let folder = tempfile::tempdir().unwrap();
    // Many rows, so that some are left whenever the signal comes.
    let mut child = alloclab(&folder, &["check", "span", "--update", "-v"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The log says when the first row has been counted.
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let mut told = String::new();
    while !told.contains("case{") {
        assert!(log.read_line(&mut told).unwrap() > 0, "it ended before it measured anything: {told}");
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    log.read_to_string(&mut told).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stdout(&output)), (Some(130), ""), "{told}");
    assert!(told.contains("interrupted: nothing was judged\n"), "{told}");
    assert!(!folder.path().join("fixtures").exists());
    assert_eq!(fs::read_dir(folder.path().join("out/span")).unwrap().count(), 0);
}

#[test]
fn recordings_are_compared_by_the_names_that_their_program_gives() {
    let folder = tempfile::tempdir().unwrap();
    for (name, blocks) in [("old.alloclab", 1), ("new.alloclab", 3)] {
        let work = || (0..blocks).for_each(|_| drop(black_box(Box::new([0_u8; 72]))));
        measure(work).unwrap().snapshot.write(folder.path().join(name)).unwrap();
    }
    let files = ["diff", "old.alloclab", "new.alloclab"];
    let output = run(&folder, &files);
    assert_ends(&output, 0);
    let row = stdout(&output).lines().find(|line| line.starts_with("Box<[u8; 72]>")).unwrap();
    assert!(row.contains("grew") && row.contains("1 -> 3") && row.contains("72 -> 216"), "{row}");
    let program = std::env::current_exe().unwrap();
    for option in ["--binary", "--old-binary"] {
        let moved = run(&folder, &[&files[..], &[option, program.to_str().unwrap()]].concat());
        assert_eq!(stdout(&moved), stdout(&output));
        let missing = run(&folder, &[&files[..], &[option, "nowhere"]].concat());
        assert_ends(&missing, 1);
        assert!(stderr(&missing).contains(&format!("with `{option} FILE`")), "{}", stderr(&missing));
    }
}

#[test]
fn a_difference_of_two_files_is_shown_and_is_no_failure() {
    let folder = folder();
    let file = "out/mine/check.json";
    let mut changed = results::read(folder.path().join(file)).unwrap();
    let row = changed.cases[0].types.iter_mut().find(|row| row.name == "Box<Binary>").unwrap();
    row.allocations += 10;
    row.bytes += 720;
    let path = row.path.clone();
    let index = changed.cases[0].types.iter().position(|row| row.path == path).unwrap() as u32;
    let site = changed.cases[0].sites.iter_mut().find(|site| site.type_index == index).unwrap();
    site.allocations += 10;
    site.bytes += 720;
    results::write(folder.path().join("new.json"), &changed).unwrap();

    let output = run(&folder, &["diff", file, "new.json"]);
    assert_ends(&output, 0);
    assert!(stdout(&output).starts_with("1 case allocates differently; 1 case is unchanged.\n"));
    let row = stdout(&output).lines().find(|line| line.starts_with("Box<Binary>")).unwrap();
    assert!(row.contains("grew") && row.contains("1 -> 2") && row.contains("+720"), "{row}");

    let output = run(&folder, &["diff", file, "new.json", "--by", "site", "--sort", "count", "--top", "1"]);
    assert!(
        stdout(&output).contains("\n    Box<Binary> at src/codec/binary/serializer.rs:"),
        "{}",
        stdout(&output)
    );
    let page = folder.path().join("difference.html");
    let output = run(&folder, &["diff", file, "new.json", "--format", "html"]);
    assert_ends(&output, 0);
    assert!(stderr(&output).ends_with("wrote difference.html\n"), "{}", stderr(&output));
    let beside = fs::read_to_string(&page).unwrap();
    assert!(beside.contains("\"difference\":{\"cases\":[["), "{beside}");
    let output = run(&folder, &["diff", file, "new.json", "--format", "html", "--out", "-"]);
    assert_eq!(stdout(&output), beside);
    let output = run(&folder, &["diff", file, "new.json", "--format", "json", "--out", "difference.json"]);
    assert_ends(&output, 0);
    assert_eq!(stdout(&output), "");

    fs::remove_file(&page).unwrap();
    let output = run(&folder, &["diff", "new.json", "none.json", "--format", "html"]);
    assert_ends(&output, 1);
    assert!(!page.exists());
    assert!(stderr(&output).starts_with("error: none.json: "), "{}", stderr(&output));
}
