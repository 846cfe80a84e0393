//! The text of a profile and where things stand in it.

use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind, Result};

use super::name::{advice, nearest};
use super::schema::ProfileTable;

/// The text of a profile.
pub(super) struct Source {
    /// As messages name it.
    pub(super) file: String,
    /// What relative paths in it start from; none for a profile that is part of the program.
    pub(super) folder: Option<PathBuf>,
    pub(super) text: String,
}

impl Source {
    /// Reads a file.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let folder = path.parent().map(Path::to_path_buf);
        Ok(Self { file: path.display().to_string(), folder, text: read_text(path)? })
    }

    /// The place of a span and its key: `profiles/span.toml, line 12, key `codec``.
    pub(super) fn place(&self, span: &Range<usize>, key: &str) -> String {
        format!("{}, line {}, key `{key}`", self.file, self.line(span.start))
    }

    /// The line of an offset, counted from 1.
    pub(super) fn line(&self, offset: usize) -> usize {
        let before = self.text.as_bytes().get(..offset).unwrap_or(self.text.as_bytes());
        before.iter().filter(|&&byte| byte == b'\n').count() + 1
    }

    /// What was typed, or which line is not as it has to be.
    pub(super) fn parse(&self) -> Result<ProfileTable> {
        toml_edit::de::from_str(&self.text).map_err(|error| self.malformed(&error))
    }

    fn malformed(&self, error: &toml_edit::de::Error) -> Error {
        let Some(span) = error.span() else {
            return Error::new(ErrorKind::Malformed, error.message()).at(&self.file);
        };
        let place = match self.key_of(&span) {
            Some(key) => self.place(&span, key),
            None => format!("{}, line {}", self.file, self.line(span.start)),
        };
        match unknown_key(error.message()) {
            Some((key, expected)) => {
                let help = advice(&nearest(key, &expected), &expected);
                Error::new(ErrorKind::Unknown, format!("there is no key `{key}` here"))
                    .at(place)
                    .with_help(help)
            }
            None => Error::new(ErrorKind::Malformed, one_line(error.message()))
                .at(place)
                .with_help("profiles/span.toml shows a whole profile; `alloclab list` the names it may use"),
        }
    }

    /// The key that a span is or belongs to: the word at the span, or the last one before an `=` on its line.
    fn key_of(&self, span: &Range<usize>) -> Option<&str> {
        let at_span = self.text.get(span.clone())?;
        if at_span.chars().all(is_key_letter) && self.text[span.end..].trim_start().starts_with('=') {
            return Some(at_span);
        }
        let line_start = self.text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
        let (before, _) = self.text[line_start..span.start].rsplit_once('=')?;
        before.trim_end().rsplit(|letter: char| !is_key_letter(letter)).next().filter(|key| !key.is_empty())
    }
}

/// The text of a file, or why there is none.
pub(super) fn read_text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).map_err(|error| {
        Error::new(ErrorKind::Io, "the file cannot be read").at(path.display().to_string()).with_source(error)
    })
}

fn is_key_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '-' || letter == '_'
}

fn one_line(message: &str) -> String {
    message.lines().collect::<Vec<_>>().join("; ")
}

/// The key that serde does not know and those that it expects, from its message.
fn unknown_key(message: &str) -> Option<(&str, Vec<&str>)> {
    let mut quoted = message.strip_prefix("unknown field `")?.split('`');
    let key = quoted.next()?;
    // The texts between the quoted names alternate with them.
    Some((key, quoted.skip(1).step_by(2).collect()))
}
