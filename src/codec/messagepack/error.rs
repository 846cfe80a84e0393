//! What the reader says about bytes that it cannot take.

use std::fmt;

use crate::codec::DecodeError;

/// Bytes that the reader cannot take.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// What is around the compressed blocks, or a block: with its offset in the input.
    Envelope(DecodeError),
    /// The value. rmp-serde does not say where.
    Value(rmp_serde::decode::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Envelope(error) => error.fmt(f),
            Self::Value(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Envelope(error) => Some(error),
            Self::Value(error) => Some(error),
        }
    }
}

impl From<DecodeError> for Error {
    fn from(error: DecodeError) -> Self {
        Self::Envelope(error)
    }
}

impl From<rmp_serde::decode::Error> for Error {
    fn from(error: rmp_serde::decode::Error) -> Self {
        Self::Value(error)
    }
}
