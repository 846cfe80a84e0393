//! Names that somebody typed: what they stand for, or which known ones are nearest.

use crate::error::{Error, ErrorKind, Result};

/// Most changed letters that still make a name worth suggesting, and most suggestions.
const MAX_DISTANCE: usize = 3;
const MAX_SUGGESTIONS: usize = 3;

/// The one of `all` that has the typed name.
pub(super) fn find_named<T: Copy>(
    what: &str,
    typed: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
) -> Result<T> {
    all.iter().copied().find(|&candidate| name(candidate) == typed).ok_or_else(|| {
        let known: Vec<_> = all.iter().map(|&candidate| name(candidate)).collect();
        unknown(what, typed, &known)
    })
}

/// The error about a name that is not one of the known.
pub(super) fn unknown(what: &str, typed: &str, known: &[&str]) -> Error {
    Error::new(ErrorKind::Unknown, format!("there is no {what} `{typed}`"))
        .with_help(advice(&nearest(typed, known), known))
}

/// The known names that differ from the typed one by a few letters, nearest first.
pub(super) fn nearest<'a>(typed: &str, known: &[&'a str]) -> Vec<&'a str> {
    let mut near: Vec<_> = known
        .iter()
        .map(|&name| (strsim::damerau_levenshtein(typed, name), name))
        .filter(|&(distance, name)| distance <= MAX_DISTANCE && distance < name.len())
        .collect();
    near.sort_by_key(|&(distance, _)| distance);
    near.into_iter().take(MAX_SUGGESTIONS).map(|(_, name)| name).collect()
}

/// The advice that goes with an unknown name.
pub(super) fn advice(nearest: &[&str], known: &[&str]) -> String {
    let known = format!("known: {}", quoted(known, ", "));
    if nearest.is_empty() { known } else { format!("did you mean {}? {known}", quoted(nearest, " or ")) }
}

fn quoted(names: &[&str], between: &str) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(between)
}
