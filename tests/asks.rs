//! The page about what people ask names what shows each answer: these files exist.

use std::path::Path;

const PAGE: &str = include_str!("../src/docs/asks.md");

/// The cells of each row of the table.
fn rows() -> Vec<Vec<&'static str>> {
    let lines = PAGE.lines().filter(|line| line.starts_with("| ")).skip(2);
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
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
            assert!(path.is_file(), "{file} shows the answer to {ask:?}, and does not exist");
        }
    }
}
