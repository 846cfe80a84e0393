//! What BinaryFormatter says about graphs that it cannot write.

use std::fmt;

use crate::codec::dotnet::StreamFull;

/// A graph that cannot be written. What was written before it failed stays in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeError {
    /// The stream has no room.
    StreamFull(StreamFull),
    /// The root is null.
    NullGraph,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StreamFull(full) => full.fmt(f),
            Self::NullGraph => f.write_str("null is no graph: it has no root"),
        }
    }
}

impl std::error::Error for EncodeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::StreamFull(full) => Some(full),
            Self::NullGraph => None,
        }
    }
}

impl From<StreamFull> for EncodeError {
    fn from(full: StreamFull) -> Self {
        Self::StreamFull(full)
    }
}
