//! What `Binary` says about values that it cannot write.

use std::fmt;

use crate::codec::dotnet::StreamFull;

/// A value that cannot be written. What was written before it stays in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeError {
    /// The stream has no room.
    StreamFull(StreamFull),
    /// The format has no bytes for a value of this type.
    ValueOutOfRange(&'static str),
    /// A length that does not fit in the width that was chosen for lengths.
    LengthOutOfRange(usize),
    /// A value that is not of the type that its member declares.
    WrongType(&'static str),
    /// Objects are nested deeper than the limit.
    TooDeep,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StreamFull(full) => full.fmt(f),
            Self::ValueOutOfRange(name) => write!(f, "the format cannot hold this value of type {name}"),
            Self::LengthOutOfRange(length) => {
                write!(f, "a length of {length} does not fit; choose a larger size width")
            }
            Self::WrongType(name) => write!(f, "a member of type {name} holds something else"),
            Self::TooDeep => f.write_str("objects are nested too deeply"),
        }
    }
}

impl std::error::Error for EncodeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::StreamFull(full) => Some(full),
            _ => None,
        }
    }
}

impl From<StreamFull> for EncodeError {
    fn from(full: StreamFull) -> Self {
        Self::StreamFull(full)
    }
}
