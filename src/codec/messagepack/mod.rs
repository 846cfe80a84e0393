//! MessagePack as MessagePack-CSharp writes and reads it, over rmp-serde and lz4_flex.
//!
//! A class is the array of its members; integers have their shortest form. A class takes fewer members than it has, the
//! others keep their defaults, and passes over those that it does not know.
//!
//! Compressed, the bytes of a value are either one LZ4 block in an extension of type 99, behind its length, or an array of
//! blocks of 32 KiB whose first element, an extension of type 98, has their lengths. Values of less than
//! [`MIN_COMPRESSED_BYTES`] stay as they are. The reader takes all forms.
//!
//! Source: MessagePack specification; MessagePack-CSharp 2.4 (`MessagePackSerializer.cs`, `MessagePackCompression.cs`).

mod codec;
mod envelope;
mod error;
mod header;
mod input;
mod reader;
mod writer;

pub use self::codec::MessagePackCodec;
pub use self::error::Error;
pub use self::reader::{MAX_DEPTH, MAX_UNPACKED_BYTES, Reader, from_slice};
pub use self::writer::{Compression, MAX_POOLED_BYTES, MIN_COMPRESSED_BYTES, Writer, to_writer};

/// The type of the extension that is one compressed block.
const LZ4_BLOCK: i8 = 99;

/// The type of the extension in front of compressed blocks.
const LZ4_BLOCK_ARRAY: i8 = 98;
