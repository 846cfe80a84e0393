//! The pages of documentation name files that exist, and flags that there are.

use std::fs;
use std::path::Path;

use alloclab::flags;

const ASKS: &str = include_str!("../../src/docs/asks.md");
const ADOPTION: &str = include_str!("../../src/docs/adoption.md");

fn exists(file: &str) -> bool {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file).exists()
}

/// The cells of each row of the table.
fn rows() -> Vec<Vec<&'static str>> {
    let lines = ASKS.lines().filter(|line| line.starts_with("| ")).skip(2);
    lines.map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect()).collect()
}

#[test]
fn every_ask_has_its_threads_an_answer_and_what_shows_it() {
    let rows = rows();
    assert!(rows.len() > 10, "{} rows", rows.len());
    for row in rows {
        let [ask, threads, answer, shown_by] = row[..] else { panic!("{} cells: {row:?}", row.len()) };
        assert!(ask.ends_with(['.', '?']) && answer.ends_with('.'), "{row:?}");
        let is_thread =
            |thread: &str| thread.split_once('#').is_some_and(|(_, number)| number.parse::<u32>().is_ok());
        assert!(threads.split(", ").all(is_thread), "{threads}");
        for file in shown_by.split(", ") {
            let file = file.strip_prefix('`').and_then(|file| file.strip_suffix('`')).expect(shown_by);
            assert!(exists(file), "{file} shows the answer to {ask:?}, and does not exist");
        }
    }
}

#[test]
fn every_example_that_the_guide_names_exists() {
    let named: Vec<_> = ADOPTION.split('`').filter(|text| text.starts_with("examples/")).collect();
    assert!(named.len() > 3, "{named:?}");
    for file in named {
        assert!(exists(file), "{file} does not exist");
    }
}

#[test]
fn the_guide_names_every_flag() {
    for flag in flags::all() {
        assert!(ADOPTION.contains(&format!("| `{}`", flag.text)), "{} has no row", flag.text);
    }
}

const PROOF: &str = include_str!("../../src/docs/proof.md");

/// The sources below a folder, joined.
fn sources(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            text += &sources(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text += &fs::read_to_string(&path).unwrap();
        }
    }
    text
}

#[test]
fn every_fault_that_was_found_has_a_test_of_its_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = sources(&root.join("src")) + &sources(&root.join("tests"));
    let faults = PROOF.split_once("| fault | test |").expect("there is the table of faults").1;
    let rows = faults.lines().skip(2).take_while(|line| line.starts_with('|'));
    let tests: Vec<_> = rows.map(|row| row.rsplit('`').nth(1).expect(row)).collect();
    assert!(tests.len() > 5, "{tests:?}");
    for test in tests {
        assert!(sources.contains(&format!("fn {test}(")), "{test}");
    }
}

#[test]
fn every_command_of_the_proof_exists() {
    let words: Vec<_> = PROOF.split(['`', ' ', ';']).collect();
    for script in words.iter().filter(|word| word.starts_with(".ci/")) {
        assert!(exists(script), "{script}");
    }
    for named in words.windows(2).filter(|words| words[0] == "--test") {
        let is_there = [format!("tests/{}.rs", named[1]), format!("tests/{}/main.rs", named[1])];
        assert!(is_there.iter().any(|file| exists(file)), "{}", named[1]);
    }
}
