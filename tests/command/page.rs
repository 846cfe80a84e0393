//! What there is to open after a run: its page and its charts.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::program::{alloclab, read, run, stderr, stdout};
use tempfile::TempDir;

const RUN: [&str; 9] =
    ["profile", "span", "--iterations", "50", "--model", "fast", "--operation", "deserialize", "--no-time"];

const RESULTS: &str = "out/span/results.json";
const PAGE: &str = "out/span/report.html";

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn the_paths_of_the_charts_and_of_the_page_are_told_last() {
    let folder = folder();
    let output = run(&folder, &RUN);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let told: Vec<_> = stderr(&output).lines().filter_map(|line| line.strip_prefix("wrote ")).collect();
    assert_eq!((told[0], told[told.len() - 1]), (RESULTS, PAGE));
    assert!(told[1..told.len() - 1].iter().any(|path| path.ends_with(".svg")), "{told:?}");
    assert!(stderr(&output).ends_with(&format!("wrote {PAGE}\n")));
    assert!(told.iter().all(|path| folder.path().join(path).metadata().unwrap().len() > 0));
}

#[test]
fn page_and_charts_are_made_of_the_results_once_more() {
    let folder = folder();
    run(&folder, &RUN);
    let page = read(&folder, PAGE);
    let chart = read(&folder, "out/span/allocations-by-type.svg");
    fs::rename(folder.path().join("out/span/results.json"), folder.path().join("moved.json")).unwrap();
    fs::remove_dir_all(folder.path().join("out")).unwrap();
    let again = run(&folder, &["report", "moved.json", "--format", "html"]);
    assert_eq!((stderr(&again), stdout(&again)), ("wrote report.html\n", ""));
    assert_eq!(read(&folder, "report.html"), page);
    let drawn = run(&folder, &["report", "moved.json", "--charts"]);
    assert!(stderr(&drawn).contains("wrote ./allocations-by-type.svg\n"), "{}", stderr(&drawn));
    assert_eq!(read(&folder, "allocations-by-type.svg"), chart);
}

/// A folder with a program of the name by which files are opened: it notes what it was called with.
fn opener(folder: &TempDir) -> String {
    let program = folder.path().join("bin/xdg-open");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::write(&program, "#!/bin/sh\nprintf %s \"$1\" > opened.part\n/bin/mv opened.part opened\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    program.parent().unwrap().display().to_string()
}

/// What was opened; the program that does so is not waited for.
fn opened(folder: &TempDir) -> String {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !folder.path().join("opened").exists() {
        assert!(Instant::now() < deadline, "nothing was opened");
        std::thread::sleep(Duration::from_millis(5));
    }
    read(folder, "opened")
}

#[cfg(target_os = "linux")]
#[test]
fn the_page_is_opened_if_one_asks_for_it() {
    let folder = folder();
    let path = opener(&folder);
    for arguments in [
        &[&RUN[..], &["--no-charts", "--open"]].concat()[..],
        &["report", RESULTS, "--format", "html", "--open"],
    ] {
        let output = alloclab(&folder, arguments).env("PATH", &path).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(opened(&folder), PAGE);
        fs::remove_file(folder.path().join("opened")).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_opened_is_named() {
    let folder = folder();
    let output =
        alloclab(&folder, &[&RUN[..], &["--no-charts", "--open"]].concat()).env("PATH", "").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = "error: out/span/report.html: no program was found that opens the file\n";
    assert!(stderr(&output).contains(message), "{}", stderr(&output));
    assert!(stderr(&output).ends_with("help: it is written: open it yourself\n"), "{}", stderr(&output));
    let output = run(&folder, &["report", RESULTS, "--open"]);
    assert!(
        stderr(&output).contains("error: --open: standard output cannot be opened"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn results_that_cannot_be_read_leave_no_file() {
    let folder = folder();
    run(&folder, &[&RUN[..], &["--no-charts"]].concat());
    let whole = read(&folder, RESULTS);
    for (text, said) in [
        (&whole[..whole.len() / 2], "it has been cut off"),
        (&whole.replacen("alloclab.results/1", "alloclab.results/2", 1), "which a newer alloclab has made"),
        ("{ \"name\": 1 }", "this is no results file"),
    ] {
        fs::write(folder.path().join("bad.json"), text).unwrap();
        for format in alloclab::report::all() {
            let output = run(&folder, &["report", "bad.json", "--format", format.name(), "--out", "made"]);
            assert_eq!(output.status.code(), Some(1));
            assert!(
                stderr(&output).starts_with("error: bad.json") && stderr(&output).contains(said),
                "{}",
                stderr(&output)
            );
            assert!(!folder.path().join("made").exists());
        }
        let charts = run(&folder, &["report", "bad.json", "--charts"]);
        assert_eq!(charts.status.code(), Some(1));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "bad.json and out");
    }
}

/// The results would be gone, and the next report with them.
#[test]
fn what_is_read_is_not_written_over() {
    let folder = folder();
    run(&folder, &[&RUN[..], &["--no-charts"]].concat());
    let whole = read(&folder, RESULTS);
    fs::copy(folder.path().join(RESULTS), folder.path().join("report.html")).unwrap();
    for arguments in [
        &["report", RESULTS, "--format", "html", "--out", "./out/span/results.json"][..],
        &["report", "report.html", "--format", "html"],
        &["compare", RESULTS, "--out", RESULTS],
        &["diff", "report.html", RESULTS, "--format", "html", "--out", RESULTS],
    ] {
        let output = run(&folder, arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(stderr(&output).contains("the file to write is the one that is read"), "{}", stderr(&output));
        assert_eq!((read(&folder, RESULTS), read(&folder, "report.html")), (whole.clone(), whole.clone()));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn results_come_through_a_pipe_and_go_behind_what_a_file_holds() {
    let folder = folder();
    run(&folder, &[&RUN[..], &["--no-charts"]].concat());
    let csv = run(&folder, &["report", RESULTS, "--format", "csv"]);
    fs::write(folder.path().join("made.csv"), "before\n").unwrap();
    let made = fs::OpenOptions::new().append(true).open(folder.path().join("made.csv")).unwrap();
    let arguments = ["report", "/dev/stdin", "--format", "csv", "--out", "/dev/stdout"];
    let mut program = alloclab(&folder, &arguments);
    let mut program = program.stdin(Stdio::piped()).stdout(made).stderr(Stdio::piped()).spawn().unwrap();
    program.stdin.take().unwrap().write_all(read(&folder, RESULTS).as_bytes()).unwrap();
    let output = program.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
    assert_eq!(read(&folder, "made.csv"), format!("before\n{}", stdout(&csv)));
}

#[test]
fn charts_of_some_rows_leave_the_others_alone() {
    let folder = folder();
    run(&folder, &[&RUN[..], &["--no-charts"]].concat());
    fs::write(folder.path().join("out/span/live-heap-mine.svg"), "mine").unwrap();
    let drawn = run(&folder, &["report", RESULTS, "--codec", "span", "--charts", "--out", "here"]);
    assert!(stderr(&drawn).contains("wrote here/allocations-by-type.svg\n"), "{}", stderr(&drawn));
    let drawn = run(&folder, &["report", RESULTS, "--codec", "span", "--charts"]);
    assert_eq!(drawn.status.code(), Some(0), "{}", stderr(&drawn));
    assert_eq!(read(&folder, "out/span/live-heap-mine.svg"), "mine");
}
