//! MS-NRBF, the bytes of .NET's BinaryFormatter.

mod record;

pub use record::{ArrayKind, BinaryType, PrimitiveType, RecordKind};
