//! What a function belongs to: a module, a type, a trait.

use super::arguments::Spelled;
use super::{OTHER, rank};

/// What a function belongs to, as its path tells.
pub(super) enum Place<'a> {
    /// A module, or something that may be a type or a trait.
    Module,
    /// `impl Type`, spelled at this index of the path; text between brackets.
    Inherent { at: usize, subject: &'a str },
    /// `impl Trait for Type`, spelled at this index of the path.
    TraitImpl { at: usize, subject: &'a str, of: &'a str },
    /// A trait, whose default method it is.
    TraitDefault,
}

impl<'a> Place<'a> {
    pub(super) fn new(path: &[&'a str], spelled: &Spelled<'_>) -> Self {
        let is_telling = |segment: &&str| segment.contains('<');
        if let Some(at) = path.iter().position(is_telling) {
            return Self::bracketed(at, path[at]);
        }
        let [first, .., last] = *path else { return Self::Module };
        if !last.starts_with(|first: char| first.is_uppercase()) {
            return Self::Module;
        }
        let is_standard = rank(first) < OTHER;
        match spelled.has_subject() {
            Some(true) => Self::TraitDefault,
            Some(false) => Self::Inherent { at: path.len() - 1, subject: "" },
            None if is_standard && DEFAULTS.contains(&last) => Self::TraitDefault,
            None if is_standard => Self::Inherent { at: path.len() - 1, subject: "" },
            None => Self::Module,
        }
    }

    fn bracketed(at: usize, segment: &'a str) -> Self {
        let inside = |text: &'a str| text.strip_suffix('>').unwrap_or(text);
        if let Some(text) = segment.strip_prefix("<impl ") {
            return match split_outside(inside(text), " for ") {
                Some((of, subject)) => Self::TraitImpl { at, subject, of },
                None => Self::Inherent { at, subject: inside(text) },
            };
        }
        if let Some(text) = segment.strip_prefix('<') {
            return match split_outside(inside(text), " as ") {
                Some((subject, of)) => Self::TraitImpl { at, subject, of },
                None => Self::Inherent { at, subject: inside(text) },
            };
        }
        Self::Inherent { at, subject: segment }
    }

    pub(super) fn texts(&self) -> [&'a str; 2] {
        match self {
            Self::Module | Self::TraitDefault => ["", ""],
            Self::Inherent { subject, .. } => [subject, ""],
            Self::TraitImpl { subject, of, .. } => [subject, of],
        }
    }
}

/// Splits at a word that stands outside of all brackets.
fn split_outside<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let mut depth = 0_i32;
    let at = text.char_indices().find(|(at, next)| {
        match next {
            '<' | '(' | '[' => depth += 1,
            '>' if text[..*at].ends_with(['-', '.']) => {}
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
        depth == 0 && text[*at..].starts_with(word)
    });
    let (at, _) = at?;
    Some((&text[..at], &text[at + word.len()..]))
}

/// Traits of the standard library whose default methods matter: the first argument is the type.
const DEFAULTS: [&str; 17] = [
    "Iterator",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "Read",
    "BufRead",
    "Write",
    "Fn",
    "FnMut",
    "FnOnce",
    "Extend",
    "PartialEq",
    "PartialOrd",
    "Ord",
    "Hash",
    "Hasher",
    "Error",
    "Clone",
];
