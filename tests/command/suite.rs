//! A program with cases of its own has the lab's command line: the example `own_codec`, as an adopter would run it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use alloclab::results::{Results, read};

/// What `cargo test` has built beside this test.
fn example() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(Path::parent).unwrap();
    let example = folder.join("examples/own_codec");
    assert!(
        example.exists(),
        "`cargo test --test` alone builds no example: build `--example own_codec` with the same options"
    );
    example
}

/// A folder of an adopter's.
struct Adopter(PathBuf);

impl Adopter {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("suite").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(example()).current_dir(&self.0).args(arguments).output().unwrap()
    }

    fn results(&self, file: &str) -> Results {
        read(self.0.join("target/alloclab/orders").join(file)).unwrap()
    }
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn without_arguments_every_case_is_measured_and_shown() {
    let adopter = Adopter::new("profile");
    // `cargo bench` adds the flag.
    let output = adopter.run(&["--bench"]);
    assert!(output.status.success(), "{}", errors(&output));
    let shown = text(&output);
    assert!(shown.starts_with("To serialize one `order`, json allocates 8 times"), "{shown}");
    assert!(shown.contains("    lines::write  examples/own_codec.rs:"), "{shown}");
    let results = adopter.results("results.json");
    let cases: Vec<_> = results.cases.iter().map(|case| (&*case.codec, &*case.operation)).collect();
    let expected =
        [("lines", "serialize"), ("json", "serialize"), ("lines", "deserialize"), ("json", "deserialize")];
    assert_eq!(cases, expected);
    // Two strings and the list of a `lines` order: known from its code.
    let lines = &results.cases[2];
    assert_eq!((lines.allocations_per_op, lines.untyped_share), (2.0, 0.0));
    assert!(results.cases.iter().all(|case| case.time.is_some() && case.iterations == 1000));
    assert!(adopter.0.join("target/alloclab/orders/bytes-per-operation.svg").is_file());
}

#[test]
fn a_baseline_is_made_kept_and_failed() {
    let adopter = Adopter::new("check");
    let without = adopter.run(&["check"]);
    assert_eq!(without.status.code(), Some(3), "{}", errors(&without));
    assert!(text(&without).starts_with("check failed: "), "{}", text(&without));

    let made = adopter.run(&["check", "--update"]);
    assert!(made.status.success(), "{}", errors(&made));
    assert!(adopter.run(&["check", "--bench"]).status.success());

    let file = adopter.0.join("benches/baseline/orders.toml");
    let baseline = fs::read_to_string(&file).unwrap();
    assert_eq!(baseline.matches("allocations_per_op = 8\n").count(), 1, "{baseline}");
    fs::write(&file, baseline.replace("allocations_per_op = 8\n", "allocations_per_op = 7\n")).unwrap();
    let failed = adopter.run(&["check"]);
    let told = text(&failed);
    assert_eq!(failed.status.code(), Some(3), "{told}");
    assert!(told.contains("json order serialize") && told.contains("7 -> 8"), "{told}");
    // The command that accepts it is one that can be typed here.
    assert!(told.contains(&format!("{} check orders --update", example().display())), "{told}");
}

#[test]
fn two_runs_are_told_apart_and_rendered_once_more() {
    let adopter = Adopter::new("diff");
    let run = |codec, folder| {
        let arguments = ["profile", "--codec", codec, "--no-time", "--no-charts", "--out", folder];
        let output = adopter.run(&arguments);
        assert!(output.status.success(), "{}", errors(&output));
        format!("{folder}/orders/results.json")
    };
    let (lines, json) = (run("lines", "a"), run("json", "b"));
    let same = text(&adopter.run(&["diff", &lines, &lines]));
    assert!(!same.contains("String"), "{same}");
    let other = text(&adopter.run(&["diff", &lines, &json]));
    assert!(other.contains("json order serialize") && other.contains("lines order serialize"), "{other}");
    let report = text(&adopter.run(&["report", &json, "--format", "markdown"]));
    assert!(report.contains("| `IndexMap<String, Value>`"), "{report}");
}

#[test]
fn what_there_is_not_is_told_with_what_there_is() {
    let adopter = Adopter::new("usage");
    let unknown = adopter.run(&["profile", "--codec", "spam"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(errors(&unknown).contains("[possible values: json, lines]"), "{}", errors(&unknown));
    let list = text(&adopter.run(&["list"]));
    assert!(list.starts_with("Cases of orders\n  lines, order, serialize\n"), "{list}");
    let other = adopter.run(&["profile", "span"]);
    assert_eq!(other.status.code(), Some(1));
    assert!(errors(&other).contains("there is no profile `span` here"), "{}", errors(&other));
}
