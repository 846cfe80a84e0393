//! The library's error: what went wrong, where, why, and what to do about it.

use std::error::Error as StdError;
use std::fmt;

/// What kind of thing went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A name that is not known: a profile, a codec, a model, a key.
    Unknown,
    /// A file or a value that is not what it has to be.
    Malformed,
    /// A program or library that is another build than the one that was recorded.
    OtherBuild,
    /// A file or folder that cannot be read or written.
    Io,
    /// A file of another version of its format.
    Version,
    /// A combination that a codec, a model or a window does not offer.
    Unsupported,
    /// Filters that let nothing through.
    NothingSelected,
    /// Two instruments that count the same and do not agree.
    Different,
}

/// An error of the lab: kind, place, message, source and advice.
///
/// `Display` prints `place: message`; [`Error::help`] is meant for a line of its own.
///
/// # Examples
/// ```
/// use alloclab::error::{Error, ErrorKind};
///
/// let error = Error::new(ErrorKind::Unknown, "there is no codec `spam`")
///     .at("profiles/span.toml, line 12, key `codec`")
///     .with_help("did you mean `span`?");
/// assert_eq!(error.to_string(), "profiles/span.toml, line 12, key `codec`: there is no codec `spam`");
/// assert_eq!(error.help(), Some("did you mean `span`?"));
/// ```
pub struct Error(Box<Details>);

struct Details {
    kind: ErrorKind,
    message: String,
    place: Option<String>,
    help: Option<String>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// The result of an operation that fails with [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error of a kind, with a sentence that says what went wrong.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Details { kind, message: message.into(), place: None, help: None, source: None }))
    }

    /// Adds the place: a file, a line, a key, an offset.
    #[must_use]
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.0.place = Some(place.into());
        self
    }

    /// Adds what the reader can do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    /// Adds the error that caused this one.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// What kind of thing went wrong.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// What to do about it, if there is something to say.
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.0.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {self}", self.0.kind)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}
