//! The built program: what it says about bad input, where it says it, and how it ends.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::program::{alloclab, read, run, stderr, stdout};
use tempfile::TempDir;

/// A profile with one group, as its lines are numbered in the tests.
const PROFILE: &str = r#"title = "one group"

[[group]]
name = "one value"
operation = "serialize"
variant = "span"
baseline = { codec = "span", model = "fast" }
cases = [{ codec = "span", model = "fast" }]
"#;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn write(folder: &TempDir, name: &str, text: &str) {
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Runs a profile that cannot be run, and expects nothing but the message.
#[track_caller]
fn assert_refused(profile: &str, message: &str) {
    let folder = folder();
    write(&folder, "bad.toml", profile);
    let output = run(&folder, &["profile", "bad.toml"]);
    assert_eq!((stderr(&output).trim_end(), stdout(&output)), (message, ""));
    assert_eq!(output.status.code(), Some(1));
    assert!(!folder.path().join("out").exists(), "nothing is written");
}

#[track_caller]
fn assert_usage(arguments: &[&str], messages: &[&str]) {
    let output = run(&folder(), arguments);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    for message in messages {
        assert!(stderr(&output).contains(message), "{message} in {}", stderr(&output));
    }
}

#[test]
fn an_unknown_profile_is_answered_with_the_nearest_names() {
    let output = run(&folder(), &["profile", "spam"]);
    let message = "error: there is no profile `spam`\n\
                   help: did you mean `span`? known: `span`, `binaryformatter`, `lite`, `users`, `fastest`, `peers`, `smoke`\n";
    assert_eq!((stderr(&output), stdout(&output)), (message, ""));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_profile_that_cannot_be_read_is_named() {
    let output = run(&folder(), &["profile", "none.toml"]);
    let message =
        "error: none.toml: the file cannot be read\n  because: No such file or directory (os error 2)\n";
    assert_eq!(stderr(&output), message);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_profile_that_is_no_toml_is_named_with_its_line() {
    assert_refused(
        &PROFILE.replace("variant = ", "variant "),
        "error: bad.toml, line 6: key with no value, expected `=`\n\
         help: profiles/span.toml shows a whole profile; `alloclab list` the names it may use",
    );
}

#[test]
fn a_profile_that_is_not_utf_8_is_named() {
    let folder = folder();
    fs::write(folder.path().join("bad.toml"), [0xff, 0xfe]).unwrap();
    let output = run(&folder, &["profile", "bad.toml"]);
    assert!(stderr(&output).starts_with("error: bad.toml: the file cannot be read\n"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn an_unknown_key_is_named_with_its_line_and_the_nearest_key() {
    assert_refused(
        &PROFILE.replace("variant = ", "varaint = "),
        "error: bad.toml, line 6, key `varaint`: there is no key `varaint` here\n\
         help: did you mean `variant`? known: `name`, `operation`, `variant`, `batch`, `threads`, `baseline`, `cases`",
    );
}

/// The names of all codecs.
fn codecs() -> Vec<&'static str> {
    alloclab::codec::all().iter().map(|codec| codec.name()).collect()
}

#[test]
fn an_unknown_codec_is_named_with_its_line_and_the_nearest_codec() {
    assert_refused(
        &PROFILE.replace("[{ codec = \"span\"", "[{ codec = \"spam\""),
        &format!(
            "error: bad.toml, line 8, key `codec`: there is no codec `spam`\n\
             help: did you mean `span`? known: `{}`",
            codecs().join("`, `")
        ),
    );
}

#[test]
fn an_unknown_model_is_named_with_its_line_and_the_nearest_model() {
    assert_refused(
        &PROFILE.replace("\"fast\" }]", "\"fasst\" }]"),
        "error: bad.toml, line 8, key `model`: there is no model `fasst`\n\
         help: did you mean `fast`? known: `simple`, `nested`, `fast`, `contact`, `payload-16`, `payload-128`, `payload-1024`, `user`, `demo`",
    );
}

#[test]
fn a_value_of_another_type_is_named_with_its_line_and_key() {
    assert_refused(
        &PROFILE.replace("\"one value\"", "1"),
        "error: bad.toml, line 4, key `name`: invalid type: integer `1`, expected a string\n\
         help: profiles/span.toml shows a whole profile; `alloclab list` the names it may use",
    );
}

#[test]
fn a_case_that_its_codec_does_not_offer_is_named() {
    assert_refused(
        &PROFILE.replace("variant = \"span\"", "variant = \"stream\""),
        "error: bad.toml, line 8, key `cases`: the codec `span` does not offer `span, fast, serialize, stream`\n\
         help: take the row out of the profile, or give it to a codec that offers it",
    );
}

#[test]
fn a_published_table_that_cannot_be_read_is_named_where_it_is_asked_for() {
    assert_refused(
        &PROFILE.replace("title", "published = \"none.csv\"\ntitle"),
        "error: bad.toml, line 1, key `published`: the published table cannot be read\n  \
         because: none.csv: the file cannot be read\n  because: No such file or directory (os error 2)",
    );
}

#[test]
fn no_iterations_and_more_than_a_counter_holds_are_usage_errors() {
    assert_usage(
        &["profile", "span", "--iterations", "0"],
        &["--iterations", "0 is not in 1..=1099511627776"],
    );
    assert_usage(&["profile", "span", "--iterations", "1099511627777"], &["is not in 1..=1099511627776"]);
    assert_usage(&["profile", "span", "--iterations", "99999999999999999999"], &["too large"]);
    assert_usage(&["profile", "span", "--iterations", "-1"], &["--iterations", "invalid digit"]);
}

#[test]
fn unknown_names_in_options_are_usage_errors_that_show_the_known_ones() {
    assert_usage(
        &["profile", "span", "--codec", "spam"],
        &[
            "--codec",
            &format!("[possible values: {}]", codecs().join(", ")),
            "a similar value exists: 'span'",
        ],
    );
    assert_usage(&["profile", "span", "--model", "smple"], &["--model", "simple, nested, fast"]);
    assert_usage(&["profile", "span", "--operation", "copy"], &["--operation", "serialize, deserialize"]);
    assert_usage(&["profile", "span", "--by", "name"], &["--by", "type, block, site, tree, label"]);
    assert_usage(&["profile", "span", "--format", "xml"], &["--format", "table, json, csv, markdown"]);
    assert_usage(&["profile", "span", "--threads", "0"], &["--threads"]);
    assert_usage(&["profil"], &["'profil'", "profile"]);
    assert_usage(&["profile"], &["<NAME OR PATH>"]);
}

#[test]
fn filters_that_leave_no_row_are_an_error() {
    let output = run(&folder(), &["profile", "span", "--threads", "3"]);
    let message = "error: profiles/span.toml: no row of the profile passes the filters\n";
    assert!(stderr(&output).starts_with(message), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("--codec, --model, --operation, --variant, --batch, --threads"),
        "{}",
        stderr(&output)
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn an_output_folder_that_cannot_be_written_is_named_before_anything_is_measured() {
    let folder = folder();
    write(&folder, "file", "");
    // So many iterations would take hours: the error comes first.
    let output = run(&folder, &["profile", "span", "--iterations", "1000000000000", "--out", "file/out"]);
    let message = "error: file/out/span: the output folder cannot be written\n  because: Not a directory (os error 20)\n\
                   help: name another one with --out DIR\n";
    assert_eq!(stderr(&output), message);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn list_shows_everything_there_is_to_choose_from() {
    let output = run(&folder(), &["list"]);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
    let others = ["simple", "nested", "fast", "user", "demo", "table", "json", "csv", "markdown"];
    let exports = ["folded", "flamegraph", "pprof"];
    for name in codecs().into_iter().chain(others).chain(exports) {
        let is_listed = |line: &str| line.split_whitespace().next() == Some(name);
        assert!(stdout(&output).lines().any(is_listed), "{name} in {}", stdout(&output));
    }
}

#[test]
fn flags_says_of_each_flag_why_it_is_needed_and_whether_this_build_has_it() {
    let output = run(&folder(), &["flags"]);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
    for flag in alloclab::flags::all() {
        let state = if flag.is_present() { "alloclab itself has it" } else { "alloclab itself LACKS it" };
        let line = stdout(&output).lines().find(|line| line.starts_with(flag.text)).unwrap();
        assert!(line.ends_with(state), "{line}");
        assert!(stdout(&output).contains(flag.why) && stdout(&output).contains(flag.lost));
    }
}

#[test]
fn flags_are_written_into_a_package_once_and_disturb_nothing() {
    let folder = folder();
    let manifest = "# mine\n[package]\nname = \"p\"\nversion = \"1.0.0\"\n";
    write(&folder, "Cargo.toml", manifest);
    write(&folder, "src/lib.rs", "");
    write(&folder, ".cargo/config.toml", "[net]\nretry = 1\n");
    let first = run(&folder, &["flags", "--write"]);
    assert_eq!((first.status.code(), stderr(&first)), (Some(0), ""));
    assert_eq!(stdout(&first).lines().count(), 6, "{}", stdout(&first));
    assert!(
        stdout(&first).ends_with("Build again, and tables have types and lines.\n"),
        "{}",
        stdout(&first)
    );
    let config = read(&folder, ".cargo/config.toml");
    assert!(config.starts_with("[net]\nretry = 1\n"), "{config}");
    assert_eq!(read(&folder, "Cargo.toml"), format!("{manifest}\n[profile.release]\ndebug = 1\n"));

    let second = run(&folder, &["flags", "--write"]);
    assert_eq!(stdout(&second), "All flags are in place already: nothing was changed.\n");
    assert_eq!(read(&folder, ".cargo/config.toml"), config);
}

#[test]
fn flags_are_written_nowhere_if_one_of_the_files_cannot_be_understood() {
    let folder = folder();
    write(&folder, "Cargo.toml", "[package]\nname = \"p\"\nversion = \"1.0.0\"\n");
    write(&folder, "src/lib.rs", "");
    write(&folder, ".cargo/config.toml", "build = { rustflags = 3 }\n");
    let output = run(&folder, &["flags", "--write"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).starts_with("error: "), "{}", stderr(&output));
    assert_eq!(read(&folder, ".cargo/config.toml"), "build = { rustflags = 3 }\n");
    assert!(!read(&folder, "Cargo.toml").contains("debug"));
}

#[test]
fn flags_are_written_into_packages_only() {
    let output = run(&folder(), &["flags", "--write"]);
    assert!(stderr(&output).starts_with("error: cargo cannot tell the package around this folder\n"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn the_environment_that_replaces_the_flags_is_told() {
    let folder = folder();
    write(&folder, "Cargo.toml", "[package]\nname = \"p\"\nversion = \"1.0.0\"\n");
    write(&folder, "src/lib.rs", "");
    let output = alloclab(&folder, &["flags", "--write"]).env("RUSTFLAGS", "-g").output().unwrap();
    let warning = "warning: RUSTFLAGS is set in the environment and replaces these flags\n";
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), warning));
}

/// Runs with a standard output that nobody reads.
fn run_into_closed_pipe(folder: &TempDir, arguments: &[&str]) -> Output {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    alloclab(folder, arguments)
        .stdout(writer)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
        .wait_with_output()
        .unwrap()
}

#[test]
fn a_closed_pipe_is_no_error() {
    for arguments in [&["list"][..], &["flags"], &["--help"], &["profile", "--help"]] {
        let output = run_into_closed_pipe(&folder(), arguments);
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""), "{arguments:?}");
    }
}

/// A quick run of two rows.
const QUICK: [&str; 9] =
    ["profile", "span", "--iterations", "100", "--model", "fast", "--operation", "deserialize", "--no-time"];

#[test]
fn a_run_writes_its_results_and_tells_where() {
    let folder = folder();
    let output = run(&folder, &QUICK);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("wrote out/span/results.json\n"), "{}", stderr(&output));
    assert!(stdout(&output).contains("span"), "{}", stdout(&output));
    let results: serde_json::Value = serde_json::from_str(&read(&folder, "out/span/results.json")).unwrap();
    assert_eq!(results["partial"], false);
    assert_eq!(results["cases"].as_array().unwrap().len(), 1);
    assert_eq!(results["cases"][0]["iterations"], 100);
    assert_eq!(results["cases"][0]["time"], serde_json::Value::Null);
}

#[test]
fn standard_output_carries_the_result_alone() {
    let folder = folder();
    let output = run(&folder, &[&QUICK[..], &["--format", "json", "-vv"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output), read(&folder, "out/span/results.json"));
}

#[test]
fn a_pipe_gets_no_progress_bar_and_no_colors() {
    let output = run(&folder(), &QUICK);
    for text in [stdout(&output), stderr(&output)] {
        assert!(!text.contains(['\x1b', '\r']), "{text:?}");
    }
}

#[test]
fn a_run_without_charts_leaves_the_results_file_and_the_page_and_nothing_else() {
    let folder = folder();
    let output = run(&folder, &[&QUICK[..], &["--no-charts", "--out", "here"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(names_in(&folder.path().join("here/span")), ["report.html", "results.json"]);
}

#[test]
fn a_closed_pipe_does_not_keep_results_from_being_written() {
    let folder = folder();
    let output = run_into_closed_pipe(&folder, &[&QUICK[..], &["--no-charts"]].concat());
    let told = "wrote out/span/results.json\nwrote out/span/report.html\n";
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), told));
    assert_eq!(names_in(&folder.path().join("out/span")), ["report.html", "results.json"]);
}

#[test]
fn a_profile_of_ones_own_is_run_from_its_path() {
    let folder = folder();
    write(
        &folder,
        "mine/own.toml",
        &PROFILE.replace("title", "published = \"table.csv\"\niterations = 50\ntitle"),
    );
    write(
        &folder,
        "mine/table.csv",
        "codec,model,operation,variant,mean_ns\nspan,fast,serialize,span,12.5\n",
    );
    let output = run(&folder, &["profile", "mine/own.toml", "--no-charts", "--no-time"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let results: serde_json::Value = serde_json::from_str(&read(&folder, "out/own/results.json")).unwrap();
    assert_eq!(results["profile"], "own");
    assert_eq!(results["cases"][0]["iterations"], 50);
    assert_eq!(results["cases"][0]["published"]["mean_ns"], 12.5);
}

#[test]
fn a_results_file_is_rendered_once_more_as_it_was() {
    let folder = folder();
    let printed = run(&folder, &[&QUICK[..], &["--no-charts"]].concat());
    let file = "out/span/results.json";
    let again = run(&folder, &["report", file]);
    assert_eq!((again.status.code(), stderr(&again)), (Some(0), ""));
    assert_eq!(stdout(&again), stdout(&printed));

    let markdown = ["report", file, "--format", "markdown", "--out"];
    let written = run(&folder, &[&markdown[..], &["mine.md"]].concat());
    assert_eq!((stderr(&written), stdout(&written)), ("wrote mine.md\n", ""));
    let piped = run(&folder, &[&markdown[..], &["-"]].concat());
    assert_eq!(read(&folder, "mine.md"), stdout(&piped));
}

#[test]
fn a_format_of_other_tools_is_written_beside_the_results() {
    let folder = folder();
    run(&folder, &[&QUICK[..], &["--no-charts"]].concat());
    let report =
        |arguments: &[&str]| run(&folder, &[&["report", "out/span/results.json"], arguments].concat());
    for (format, file) in
        [("folded", "stacks.folded"), ("flamegraph", "flamegraph.svg"), ("pprof", "profile.pb.gz")]
    {
        let output = report(&["--format", format]);
        let wrote = format!("wrote out/span/{file}\n");
        assert_eq!((output.status.code(), stderr(&output), stdout(&output)), (Some(0), wrote.as_str(), ""));
        let printed = report(&["--format", format, "--out", "-"]);
        assert!(
            std::fs::read(folder.path().join("out/span").join(file)).unwrap() == printed.stdout,
            "{format}"
        );
    }
    let weighed = ["bytes", "count", "peak"]
        .map(|weight| report(&["--format", "folded", "--weight", weight, "--out", "-"]).stdout);
    assert!(weighed[0] != weighed[1] && weighed[1] != weighed[2] && weighed[0] != weighed[2]);
}

#[test]
fn a_report_has_the_filters_of_a_run() {
    let folder = folder();
    let arguments =
        ["profile", "span", "--iterations", "10", "--model", "fast,simple", "--operation", "deserialize"];
    run(&folder, &[&arguments[..], &["--threads", "1", "--no-time", "--no-charts"]].concat());
    let report = ["report", "out/span/results.json"];
    let rows = |filters: &[&str]| {
        let output = run(&folder, &[&report[..], &["--format", "csv"], filters].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output).lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let all = rows(&[]);
    let fast = rows(&["--codec", "span", "--model", "fast"]);
    assert!(!fast.is_empty() && fast.len() < all.len());
    assert!(fast.iter().all(|row| row.starts_with("span,fast,deserialize,")), "{fast:?}");
    let batches = rows(&["--batch", "100,1000"]);
    assert!(!batches.is_empty() && batches.len() < all.len());
    assert!(batches.iter().all(|row| row.contains(",100,1,") || row.contains(",1000,1,")), "{batches:?}");
    let output = run(&folder, &[&report[..], &["--threads", "3"]].concat());
    let message = "error: out/span/results.json: no row of the results passes the filters\nhelp: ";
    assert!(stderr(&output).starts_with(message), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_folder_for_temporary_files_that_takes_none_is_named_before_anything_is_measured() {
    let folder = folder();
    let missing = folder.path().join("missing");
    let output =
        alloclab(&folder, &["profile", "users", "--no-time"]).env("TMPDIR", &missing).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = format!("error: {}: 24 MB of users cannot be written there: ", missing.display());
    assert!(stderr(&output).starts_with(&said), "{}", stderr(&output));
    assert!(stderr(&output).contains("\nhelp: ") && stderr(&output).contains("TMPDIR"));
}

#[test]
fn a_control_character_in_a_profile_is_refused_before_anything_is_measured() {
    assert_refused(
        &PROFILE.replace("one value", "one\\u001b[2J value"),
        "error: bad.toml: a control character stands in \"one\\u{1b}[2J value\"\n\
         help: take it out: texts of a profile go to terminals",
    );
}

#[test]
fn a_baseline_without_rows_is_an_error() {
    let folder = folder();
    run(&folder, &[&QUICK[..], &["--no-charts"]].concat());
    let output = run(&folder, &["compare", "out/span/results.json", "--baseline", "lite"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("no row that is compared is of the codec `lite`"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn cases_of_several_files_stand_side_by_side() {
    let folder = folder();
    for out in ["one", "two"] {
        let arguments = ["profile", "span", "--iterations", "10", "--model", "simple", "--threads", "1"];
        run(&folder, &[&arguments[..], &["--no-time", "--no-charts", "--out", out]].concat());
    }
    let files = ["compare", "one/span/results.json", "two/span/results.json"];
    let filters = ["--operation", "serialize", "--variant", "span,stream", "--baseline", "binary"];
    let output = run(&folder, &[&files[..], &filters].concat());
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
    let table = stdout(&output);
    assert_eq!(table.matches("serialize simple").count(), 1, "{table}");
    for file in ["one", "two"] {
        for row in ["span span", "span-reflect span", "binary stream"] {
            assert!(
                table.contains(&format!("{row} [{file}/span/results.json]")),
                "{row} of {file} in {table}"
            );
        }
    }
    let binary = table.lines().find(|line| line.starts_with("binary stream [two")).unwrap();
    assert_eq!(binary.split_whitespace().skip(3).collect::<Vec<_>>()[..2], ["42", "1,532"], "{binary}");
    assert!(binary.contains(" 1.00 "), "{binary}");
}

#[test]
fn a_file_that_is_not_there_is_told_once() {
    let output = run(&folder(), &["report", "none.json"]);
    assert_eq!(stderr(&output).matches("No such file").count(), 1, "{}", stderr(&output));
}

#[test]
fn the_environment_names_the_width_of_a_pipe() {
    let folder = folder();
    run(&folder, &[&QUICK[..], &["--no-charts"]].concat());
    let widest = |columns: &str| {
        let mut command = alloclab(&folder, &["report", "out/span/results.json"]);
        let output = command.env("COLUMNS", columns).output().unwrap();
        stdout(&output).lines().map(|line| line.chars().count()).max().unwrap()
    };
    assert!(widest("70") <= 70 && widest("400") > 100 && widest("wide") <= 100);
}

#[test]
fn the_list_explains_models_and_variants() {
    let output = run(&folder(), &["list"]);
    for said in [
        "created_at (DateTime)",
        "pooled",
        "buffer from a pool",
        "`span simple span` is",
        "prost 0.14.6",
        "stands for BinaryFormatter",
    ] {
        assert!(stdout(&output).contains(said), "{said} in {}", stdout(&output));
    }
}

#[test]
fn a_results_file_of_another_version_is_refused() {
    let folder = folder();
    write(&folder, "old.json", "{ \"schema\": \"alloclab.results/0\" }");
    let output = run(&folder, &["report", "old.json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).starts_with("error: old.json: "), "{}", stderr(&output));
    assert!(stderr(&output).contains("alloclab.results/0") && stderr(&output).contains("alloclab.results/1"));
    assert!(stderr(&output).contains("\nhelp: "), "{}", stderr(&output));
    assert_eq!(names_in(folder.path()), ["old.json"]);
}

#[test]
fn a_report_that_cannot_be_written_leaves_nothing() {
    let folder = folder();
    run(&folder, &[&QUICK[..], &["--no-charts"]].concat());
    let output = run(&folder, &["report", "out/span/results.json", "--out", "none/report.txt"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).starts_with("error: none/report.txt: "), "{}", stderr(&output));
    assert_eq!(names_in(folder.path()), ["out"]);
}

#[test]
fn ctrl_c_leaves_what_was_measured_so_far_marked_as_partial() {
    let folder = folder();
    // The whole of it would take minutes.
    let arguments = ["profile", "span", "--iterations", "2000000", "-v"];
    fs::create_dir_all(folder.path().join("out/span")).unwrap();
    write(&folder, "out/span/results.json", "of an earlier run");
    let mut child =
        alloclab(&folder, &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
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
    assert_eq!(output.status.code(), Some(130), "{told}");
    assert!(told.contains("interrupted: "), "{told}");
    assert_eq!(names_in(&folder.path().join("out/span")), ["results.json", "results.partial.json"]);
    assert_eq!(read(&folder, "out/span/results.json"), "of an earlier run");
    let results: serde_json::Value =
        serde_json::from_str(&read(&folder, "out/span/results.partial.json")).unwrap();
    assert_eq!(results["partial"], true);
    assert!(results["cases"].as_array().unwrap().len() < 82);
}

fn names_in(folder: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<_> = fs::read_dir(folder).unwrap().map(name).collect();
    names.sort();
    names
}
