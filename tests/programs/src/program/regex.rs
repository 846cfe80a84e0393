use std::collections::BTreeMap;

use regex::{Regex, RegexSet};

use super::Program;
use crate::input::{MARKDOWN, digest};

pub(super) const PROGRAM: Program = Program {
    name: "regex",
    run,
    is_single_threaded: true,
    known_types: &[
        ("Box<PropertiesI>", None),
        ("Vec<nfa::Transition>", None),
        ("BTreeMap<String, u64>", None),
    ],
};

/// Searches, captures and replaces in the project's Markdown, and asks which patterns of a set match a line.
fn run() -> String {
    let word = Regex::new(r"(?i)\b([a-z_]+)(?:::([a-z_]+))*\b").expect("the pattern is one");
    let link = Regex::new(r"\[(?<text>[^\]]+)\]\((?<target>[^)]+)\)").expect("the pattern is one");
    let set = RegexSet::new([r"^#+ ", r"^- ", r"`[^`]+`", r"\p{Greek}", r"\d{4}-\d{2}-\d{2}"])
        .expect("these are patterns");
    let mut words = BTreeMap::<String, u64>::new();
    let mut matches = 0;
    let mut replaced = String::new();
    for text in MARKDOWN {
        for found in word.find_iter(text) {
            *words.entry(found.as_str().to_lowercase()).or_default() += 1;
        }
        matches += text.lines().map(|line| set.matches(line).iter().count()).sum::<usize>();
        replaced.push_str(&link.replace_all(text, "$target ($text)"));
    }
    let links = MARKDOWN
        .iter()
        .flat_map(|text| link.captures_iter(text))
        .filter(|found| found["text"].len() > 3)
        .count();
    format!("{} words, {matches} matches, {links} links, {:x}", words.len(), digest(replaced.as_bytes()))
}
