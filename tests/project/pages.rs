//! The pages of documentation name files that exist, and flags that there are.

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
