//! What can be asked of a codec, and what it answers with.

use std::error::Error;
use std::hint::black_box;

use crate::model::ModelKind;

/// Encoding or decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    /// From a value to bytes.
    Serialize,
    /// From bytes to a value.
    Deserialize,
}

impl Operation {
    /// Both, in the order of tables.
    pub const ALL: [Self; 2] = [Self::Serialize, Self::Deserialize];

    /// The name on the command line, in profiles and in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Serialize => "serialize",
            Self::Deserialize => "deserialize",
        }
    }
}

/// How an operation gets at its bytes, or which form of a codec is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Variant {
    /// Into, or from, a buffer of the caller.
    Span,
    /// Into a buffer from a pool, given back at once.
    Pooled,
    /// Through a stream that is reused.
    Stream,
    /// Into a new array, or from one.
    Array,
    /// Like [`Variant::Stream`], with a model of plain fields in place of auto-properties.
    Fields,
    /// As version 2 of the original works.
    V2,
    /// As version 3 of the original works.
    V3,
    /// Through a file, with values that were made before.
    Ready,
    /// Through a file, with values that are made within the operation.
    Lazy,
    /// From a buffer of the caller, with strings that point into it, and lists where the codec can leave them there.
    Borrowed,
    /// Like [`Variant::Span`], with members that are handed over without boxes.
    Unboxed,
    /// Like [`Variant::Span`], with a constructor that is looked up once and kept.
    Cached,
    /// Like [`Variant::Stream`], with a serializer that is kept from one operation to the next, as its stream is.
    Reused,
    /// Many objects through one writer or reader.
    Batch,
    /// One operation in each iteration of a parallel loop.
    Concurrent,
}

impl Variant {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 15] = [
        Self::Span,
        Self::Pooled,
        Self::Stream,
        Self::Array,
        Self::Fields,
        Self::V2,
        Self::V3,
        Self::Ready,
        Self::Lazy,
        Self::Borrowed,
        Self::Unboxed,
        Self::Cached,
        Self::Reused,
        Self::Batch,
        Self::Concurrent,
    ];

    /// The name in profiles and in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Span => "span",
            Self::Pooled => "pooled",
            Self::Stream => "stream",
            Self::Array => "array",
            Self::Fields => "fields",
            Self::V2 => "v2",
            Self::V3 => "v3",
            Self::Ready => "ready",
            Self::Lazy => "lazy",
            Self::Borrowed => "borrowed",
            Self::Unboxed => "unboxed",
            Self::Cached => "cached",
            Self::Reused => "reused",
            Self::Batch => "batch",
            Self::Concurrent => "concurrent",
        }
    }
}

/// A case, as a codec is asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The value.
    pub model: ModelKind,
    /// Encode or decode.
    pub operation: Operation,
    /// How.
    pub variant: Variant,
    /// How many values one operation takes: 1, or the size of a batch.
    pub batch: u32,
}

/// How decoding went: what went wrong, if anything.
pub type Decoded = Result<(), Box<dyn Error + Send + Sync>>;

/// Drops what was decoded.
pub(in crate::codec) fn dropped<T>(decoded: Result<T, impl Into<Box<dyn Error + Send + Sync>>>) -> Decoded {
    decoded.map(|value| drop(black_box(value))).map_err(Into::into)
}
