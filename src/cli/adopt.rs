//! Puts the build flags in place, without disturbing what else stands in the files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind, Result};
use crate::flags::{self, Home};
use crate::results::write_whole;
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value};

/// What changes in a file.
pub(super) struct Edit {
    pub(super) file: PathBuf,
    /// What is added or replaced, one line each; none if the file is as it should be.
    pub(super) changes: Vec<String>,
    text: String,
}

/// What has to change in the workspace of a folder. Nothing is written yet.
pub(super) fn edits(root: &Path) -> Result<[Edit; 2]> {
    Ok([edit(config_file(root), add_rustflags)?, edit(root.join("Cargo.toml"), set_debug)?])
}

impl Edit {
    /// Writes the file, whole or not at all.
    pub(super) fn write(&self) -> Result<()> {
        if self.changes.is_empty() {
            return Ok(());
        }
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder).map_err(|error| file_error(folder, "cannot be made", error))?;
        }
        write_whole(&self.file, |unfinished| {
            fs::write(unfinished, &self.text)?;
            match fs::metadata(&self.file) {
                Ok(former) => fs::set_permissions(unfinished, former.permissions()),
                Err(_) => Ok(()),
            }
        })
    }
}

/// The configuration that cargo reads: its old name comes first where both are there.
fn config_file(root: &Path) -> PathBuf {
    let old = root.join(".cargo/config");
    if old.is_file() { old } else { root.join(".cargo/config.toml") }
}

type Change = fn(&mut DocumentMut) -> std::result::Result<Vec<String>, String>;

fn edit(file: PathBuf, change: Change) -> Result<Edit> {
    // The file that a link leads to, or the link would be replaced.
    let file = fs::canonicalize(&file).unwrap_or(file);
    let text = match fs::read_to_string(&file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.map_err(|error| file_error(&file, "cannot be read", error))?,
    };
    let mut document: DocumentMut = text.parse().map_err(|error| syntax_error(&file, &text, error))?;
    let changes = change(&mut document).map_err(|message| {
        Error::new(ErrorKind::Malformed, message)
            .at(file.display().to_string())
            .with_help("put the flags in by hand: `alloclab flags` shows them")
    })?;
    Ok(Edit { file, changes, text: document.to_string() })
}

fn file_error(path: &Path, what: &str, error: io::Error) -> Error {
    Error::new(ErrorKind::Io, what).at(path.display().to_string()).with_source(error)
}

fn syntax_error(file: &Path, text: &str, error: toml_edit::TomlError) -> Error {
    let offset = error.span().map_or(0, |span| span.start);
    let line = text.as_bytes().iter().take(offset).filter(|&&byte| byte == b'\n').count() + 1;
    Error::new(ErrorKind::Malformed, error.message().to_owned())
        .at(format!("{}, line {line}", file.display()))
        .with_help("nothing was changed; mend the file first")
}

/// Adds what is missing to `build.rustflags`, and to the flags of each target, which cargo takes in their place.
fn add_rustflags(document: &mut DocumentMut) -> std::result::Result<Vec<String>, String> {
    let mut changes = Vec::new();
    let build = document.entry("build").or_insert_with(toml_edit::table);
    let build = build.as_table_like_mut().ok_or("`build` is not a table")?;
    add_to(build.entry("rustflags").or_insert_with(empty_list), "build.rustflags", &mut changes)?;
    let targets = document.get_mut("target").and_then(Item::as_table_like_mut);
    for (target, table) in targets.into_iter().flat_map(TableLike::iter_mut) {
        if let Some(flags) = table.as_table_like_mut().and_then(|table| table.get_mut("rustflags")) {
            add_to(flags, &format!("target.{target}.rustflags"), &mut changes)?;
        }
    }
    Ok(changes)
}

/// A list that will be written with one element a line.
fn empty_list() -> Item {
    let mut list = Array::new();
    list.set_trailing("\n");
    list.set_trailing_comma(true);
    toml_edit::value(list)
}

fn add_to(flags: &mut Item, key: &str, changes: &mut Vec<String>) -> std::result::Result<(), String> {
    let present: Vec<String> = match flags.as_value() {
        Some(Value::String(text)) => text.value().split_whitespace().map(str::to_owned).collect(),
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => return Err(format!("`{key}` is neither a string nor a list")),
    };
    let needed = flags::all().iter().filter(|flag| flag.home == Home::Rustflags);
    for flag in needed.filter(|flag| !flag.is_among(present.iter().map(String::as_str))) {
        match flags.as_value_mut() {
            Some(Value::Array(list)) => push(list, flag.text),
            Some(value) => append(value, flag.text),
            None => {}
        }
        changes.push(format!("added `{}` to {key}", flag.text));
    }
    Ok(())
}

/// Adds an element where the list's way of writing has its place.
fn push(list: &mut Array, flag: &str) {
    let mut element = Value::from(flag);
    let before_last = list.iter().last().map(|last| raw(last.decor().prefix()));
    let after_list = raw(Some(list.trailing()));
    let line_start = match before_last {
        Some(prefix) => prefix.rfind('\n').map(|newline| prefix[newline..].to_owned()),
        None if after_list.contains('\n') => Some("\n    ".to_owned()),
        None => None,
    };
    let Some(line_start) = line_start else { return list.push(flag) };
    // A comment after the last element stays with it.
    let comment = after_list.trim_end().to_owned();
    element.decor_mut().set_prefix(comment + &line_start);
    list.push_formatted(element);
    list.set_trailing("\n");
    list.set_trailing_comma(true);
}

fn raw(text: Option<&toml_edit::RawString>) -> String {
    text.and_then(|text| text.as_str()).unwrap_or_default().to_owned()
}

fn append(value: &mut Value, flag: &str) {
    let text = format!("{} {flag}", value.as_str().unwrap_or_default());
    replace(value, text.trim_start());
}

/// Gives a value's place, with the comments around it, to another value.
fn replace(value: &mut Value, other: impl Into<Value>) {
    let decor = value.decor().clone();
    *value = other.into();
    *value.decor_mut() = decor;
}

/// Asks for debug information in the release profile, unless there is enough of it.
fn set_debug(document: &mut DocumentMut) -> std::result::Result<Vec<String>, String> {
    let profiles = document.entry("profile").or_insert_with(implicit_table);
    let profiles = profiles.as_table_like_mut().ok_or("`profile` is not a table")?;
    let release = profiles.entry("release").or_insert_with(toml_edit::table);
    let release = release.as_table_like_mut().ok_or("`profile.release` is not a table")?;
    let mut changes = Vec::new();
    match release.get_mut("debug").and_then(Item::as_value_mut) {
        Some(level) if is_enough(level) => {}
        Some(level) => {
            changes.push(format!(
                "replaced `debug = {}` in profile.release by `debug = 1`",
                level.to_string().trim()
            ));
            replace(level, 1);
        }
        None => {
            release.insert("debug", toml_edit::value(1));
            changes.push("added `debug = 1` to profile.release".to_owned());
        }
    }
    if let Some(strip) = release.get_mut("strip").and_then(Item::as_value_mut).filter(|strip| strips(strip)) {
        changes.push(format!(
            "replaced `strip = {}` in profile.release by `strip = \"none\"`",
            strip.to_string().trim()
        ));
        replace(strip, "none");
    }
    Ok(changes)
}

fn implicit_table() -> Item {
    let mut table = Table::new();
    table.set_implicit(true);
    Item::Table(table)
}

fn is_enough(level: &Value) -> bool {
    level.as_bool() == Some(true)
        || level.as_integer().is_some_and(|level| level > 0)
        || matches!(level.as_str(), Some("limited" | "full"))
}

/// Stripped programs have no names, whatever else was asked for.
fn strips(value: &Value) -> bool {
    value.as_bool() == Some(true) || matches!(value.as_str(), Some("symbols" | "debuginfo"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(change: Change, text: &str) -> (String, usize) {
        let mut document: DocumentMut = text.parse().unwrap();
        let changes = change(&mut document).unwrap().len();
        (document.to_string(), changes)
    }

    fn has_all_flags(rustflags: &Item) -> bool {
        let list = rustflags.as_array().unwrap();
        flags::all()
            .iter()
            .filter(|flag| flag.home == Home::Rustflags)
            .all(|flag| flag.is_among(list.iter().filter_map(Value::as_str)))
    }

    #[test]
    fn an_empty_configuration_gets_every_flag_on_a_line_of_its_own() {
        let wanted = "[build]\nrustflags = [\n    \"-Cforce-frame-pointers=yes\",\n    \"-Csymbol-mangling-version=v0\",\n    \
                      \"-Cllvm-args=-opt-disable=mergefunc\",\n    \"-Cllvm-args=-enable-tail-merge=false\",\n]\n";
        assert_eq!(changed(add_rustflags, ""), (wanted.to_owned(), 4));
        assert_eq!(changed(add_rustflags, wanted), (wanted.to_owned(), 0));
    }

    #[test]
    fn what_stands_in_a_configuration_stays() {
        let text = "# mine\n[build]\njobs = 2 # few\nrustflags = [\n  # cpu\n  \"-Ctarget-cpu=native\", # fast\n]\n\n[net]\nretry = 1\n";
        let (once, changes) = changed(add_rustflags, text);
        assert_eq!(changes, 4);
        let start = "# mine\n[build]\njobs = 2 # few\nrustflags = [\n  # cpu\n  \"-Ctarget-cpu=native\", # fast\n  \"-Cforce-frame-pointers=yes\",\n";
        assert!(once.starts_with(start), "{once}");
        assert!(
            once.ends_with("  \"-Cllvm-args=-enable-tail-merge=false\",\n]\n\n[net]\nretry = 1\n"),
            "{once}"
        );
        assert_eq!(changed(add_rustflags, &once), (once.clone(), 0));
    }

    #[test]
    fn a_list_on_one_line_stays_on_one_line() {
        let (text, _) = changed(add_rustflags, "build.rustflags = [\"-C\", \"force-frame-pointers=yes\"]\n");
        assert!(
            text.starts_with("build.rustflags = [\"-C\", \"force-frame-pointers=yes\", \"-Csymbol"),
            "{text}"
        );
        assert_eq!(text.lines().count(), 1);
    }

    #[test]
    fn flags_in_a_string_are_added_to_the_string() {
        let (text, changes) =
            changed(add_rustflags, "[build]\nrustflags = \"-Cforce-frame-pointers=yes -g\" # g\n");
        assert_eq!(changes, 3);
        assert!(text.contains("\"-Cforce-frame-pointers=yes -g -Csymbol-mangling-version=v0 "), "{text}");
        assert!(text.ends_with("\" # g\n"), "{text}");
    }

    #[test]
    fn flags_of_a_target_which_replace_those_of_the_build_get_them_too() {
        let text = "[target.'cfg(unix)']\nrustflags = [\"-g\"]\n[target.wasm32-wasip1]\nrunner = \"w\"\n";
        let mut document: DocumentMut = text.parse().unwrap();
        assert_eq!(add_rustflags(&mut document).unwrap().len(), 8);
        assert!(has_all_flags(&document["target"]["cfg(unix)"]["rustflags"]));
        assert!(document["target"]["wasm32-wasip1"].get("rustflags").is_none());
    }

    #[test]
    fn what_is_neither_string_nor_list_is_refused() {
        let mut document: DocumentMut = "build.rustflags = 3".parse().unwrap();
        let message = "`build.rustflags` is neither a string nor a list";
        assert_eq!(add_rustflags(&mut document).unwrap_err(), message);
    }

    #[test]
    fn the_release_profile_gets_debug_information_once() {
        let (once, changes) = changed(set_debug, "[package]\nname = \"p\"\n");
        assert_eq!(
            (once.as_str(), changes),
            ("[package]\nname = \"p\"\n\n[profile.release]\ndebug = 1\n", 1)
        );
        assert_eq!(changed(set_debug, &once), (once.clone(), 0));
    }

    #[test]
    fn enough_debug_information_stays_and_too_little_is_replaced() {
        for enough in ["1", "2", "true", "\"full\"", "\"limited\""] {
            let text = format!("[profile.release]\nlto = true\ndebug = {enough} # here\n");
            assert_eq!(changed(set_debug, &text), (text.clone(), 0));
        }
        for little in ["0", "false", "\"none\"", "\"line-tables-only\""] {
            let text = format!("[profile.release]\ndebug = {little} # here\n");
            assert_eq!(changed(set_debug, &text), ("[profile.release]\ndebug = 1 # here\n".to_owned(), 1));
        }
    }

    #[test]
    fn a_stripped_release_profile_keeps_its_names_from_now_on() {
        let text = "[profile.release]\nstrip = true\ndebug = 1\n";
        assert_eq!(
            changed(set_debug, text),
            ("[profile.release]\nstrip = \"none\"\ndebug = 1\n".to_owned(), 1)
        );
    }
}
