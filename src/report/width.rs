//! Text that fits: its width on a terminal, and long names made shorter without becoming one another.

use std::collections::HashMap;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns that a text takes on a terminal.
pub(super) fn width_of(text: &str) -> usize {
    text.width()
}

/// A name that takes at most so many columns: its middle gives way to `…`.
pub(super) fn shorten(name: &str, width: usize) -> String {
    shorten_at(name, width, 0.5)
}

/// Shortens names so that different names stay different.
///
/// The cut moves until all are told apart; names that differ in no place that fits get a number.
pub(super) fn shorten_all(names: &[&str], width: usize) -> Vec<String> {
    const CUTS: [f64; 5] = [0.5, 0.3, 0.7, 0.0, 1.0];
    let mut shortened: Vec<String> = names.iter().map(|name| shorten_at(name, width, CUTS[0])).collect();
    for cut in CUTS {
        for index in ambiguous(names, &shortened) {
            shortened[index] = shorten_at(names[index], width, cut);
        }
    }
    number_the_rest(names, &mut shortened, width);
    shortened
}

/// Indices of names that look like a different name.
fn ambiguous(names: &[&str], shortened: &[String]) -> Vec<usize> {
    let mut first: HashMap<&str, &str> = HashMap::new();
    let mut clashing: HashMap<&str, bool> = HashMap::new();
    for (name, short) in names.iter().zip(shortened) {
        let clash = *first.entry(short).or_insert(name) != *name;
        *clashing.entry(short).or_default() |= clash;
    }
    (0..names.len()).filter(|&index| clashing[shortened[index].as_str()]).collect()
}

fn number_the_rest(names: &[&str], shortened: &mut [String], width: usize) {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for index in ambiguous(names, shortened) {
        let next = numbers.len() + 1;
        let number = *numbers.entry(names[index]).or_insert(next);
        let mark = format!("~{number}");
        shortened[index] = shorten(names[index], width.saturating_sub(mark.len())) + &mark;
    }
}

/// `cut` says how much of the room the beginning gets: 0 for none, 1 for all.
fn shorten_at(name: &str, width: usize, cut: f64) -> String {
    if width_of(name) <= width {
        return name.to_owned();
    }
    let room = width.saturating_sub(1);
    let head_room = (room as f64 * cut).round() as usize;
    let head: String = fitting(name.chars(), head_room).collect();
    let tail: Vec<char> = fitting(name.chars().rev(), room - width_of(&head)).collect();
    head + "…" + &tail.into_iter().rev().collect::<String>()
}

fn fitting(characters: impl Iterator<Item = char>, room: usize) -> impl Iterator<Item = char> {
    characters
        .scan(0, |taken, character| {
            *taken += character.width().unwrap_or(1);
            Some((*taken, character))
        })
        .take_while(move |(taken, _)| *taken <= room)
        .map(|(_, character)| character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_loses_its_middle_and_fits() {
        assert_eq!(shorten("short", 5), "short");
        assert_eq!(shorten("abcdefghij", 5), "ab…ij");
        assert_eq!(width_of(&shorten("漢字漢字漢字", 5)), 5);
        assert_eq!(shorten("abc", 0), "…");
    }

    #[test]
    fn different_names_stay_different() {
        let names = ["HashMap<String, Alpha, RandomState>", "HashMap<String, Gamma, RandomState>"];
        let shortened = shorten_all(&names, 12);
        assert_ne!(shortened[0], shortened[1]);
        assert!(shortened.iter().all(|name| width_of(name) <= 12), "{shortened:?}");
    }

    #[test]
    fn a_name_that_stands_twice_is_no_clash() {
        let shortened = shorten_all(&["abcdefghij", "abcdefghij"], 5);
        assert_eq!(shortened, ["ab…ij", "ab…ij"]);
    }

    #[test]
    fn names_that_no_cut_tells_apart_get_numbers() {
        let long = |middle: char| format!("{}{middle}{}", "a".repeat(250), "b".repeat(250));
        let (first, second) = (long('x'), long('y'));
        let shortened = shorten_all(&[&first, &second], 10);
        assert!(shortened[0].ends_with("~1") && shortened[1].ends_with("~2"), "{shortened:?}");
    }
}
