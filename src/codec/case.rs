//! What can be asked of a codec, and what it answers with.

use std::error::Error;
#[cfg(feature = "lab")]
use std::hint::black_box;

use crate::model::ModelKind;

use super::InlineObject;

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

/// A case that is ready to run.
pub struct Prepared {
    /// Bytes that one operation writes or reads; for a parallel case, of one iteration.
    pub encoded_bytes: u64,
    /// The operation.
    pub workload: Workload,
    /// Objects of the original that need no block of their own here; see [`InlineObject`].
    pub inline_objects: Vec<InlineObject>,
}

/// How decoding went: what went wrong, if anything.
pub type Decoded = Result<(), Box<dyn Error + Send + Sync>>;

/// Drops what was decoded.
#[cfg(feature = "lab")]
pub(in crate::codec) fn dropped<T>(decoded: Result<T, impl Into<Box<dyn Error + Send + Sync>>>) -> Decoded {
    decoded.map(|value| drop(black_box(value))).map_err(Into::into)
}

/// An operation, in the form in which the harness runs it.
pub enum Workload {
    /// Runs the operation as many times as it is told, one after the other.
    Serial(Box<dyn FnMut(u64) + Send>),
    /// Runs the operation once; called from many threads.
    Parallel(Box<dyn Fn() + Send + Sync>),
}

impl Workload {
    /// An operation that runs one after the other.
    pub fn serial(mut operation: impl FnMut() + Send + 'static) -> Self {
        Self::Serial(Box::new(move |operations| (0..operations).for_each(|_| operation())))
    }

    /// Writes a value into something new, which goes with the operation.
    #[cfg(feature = "lab")]
    pub(in crate::codec) fn write<V: Send + 'static, W>(
        value: V,
        mut write: impl FnMut(&V) -> W + Send + 'static,
    ) -> Self {
        Self::serial(move || {
            black_box(&write(black_box(&value)));
        })
    }

    /// Writes a value into a buffer of so many bytes, which stands for one of the caller.
    #[cfg(feature = "lab")]
    pub(in crate::codec) fn write_span<V: Send + 'static, W>(
        value: V,
        bytes: usize,
        mut write: impl FnMut(&V, &mut [u8]) -> W + Send + 'static,
    ) -> Self {
        let mut buffer = vec![0; bytes];
        Self::serial(move || {
            black_box(&write(black_box(&value), &mut buffer));
            black_box(&buffer);
        })
    }

    /// Reads a value, which goes with the operation.
    #[cfg(feature = "lab")]
    pub(in crate::codec) fn read<R>(
        bytes: Vec<u8>,
        mut read: impl FnMut(&[u8]) -> R + Send + 'static,
    ) -> Self {
        Self::serial(move || {
            black_box(&read(black_box(&bytes)));
        })
    }
}
