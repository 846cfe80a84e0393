//! Codecs: one per system compared, each in a room of its own.
//!
//! [`Codec`] is what the harness sees of them, [`all`] their registry. A codec is a file or a folder here and a line in
//! the registry.

#[cfg(feature = "lab")]
use crate::model::ModelKind;

#[cfg(feature = "lab")]
#[macro_use]
mod value;

#[cfg(feature = "lab")]
pub mod binary;
#[cfg(feature = "lab")]
pub mod binaryformatter;
#[cfg(feature = "lab")]
pub mod dotnet;
#[cfg(feature = "lab")]
pub mod json;
#[cfg(feature = "lab")]
pub mod json_dom;
#[cfg(feature = "lab")]
pub mod lite;
#[cfg(feature = "lab")]
pub mod memorypack;
#[cfg(feature = "lab")]
pub mod memorypack_brotli;
#[cfg(feature = "lab")]
pub mod messagepack;
#[cfg(feature = "lab")]
pub mod nrbf;
#[cfg(feature = "lab")]
pub mod peers;
#[cfg(feature = "lab")]
pub mod protobuf;
#[cfg(feature = "lab")]
pub mod protobuf_net;
pub mod span;
#[cfg(feature = "lab")]
pub mod span_reflect;

#[cfg(feature = "lab")]
mod adapter;
#[cfg(feature = "lab")]
mod case;
mod error;
#[cfg(feature = "lab")]
mod file;
#[cfg(feature = "lab")]
mod model_objects;
#[cfg(feature = "lab")]
mod reused;

#[cfg(feature = "lab")]
pub use crate::plan::{DotnetSize, InlineObject, ModelledObject, Prepared, Workload};
#[cfg(feature = "lab")]
pub use case::{Decoded, Operation, Request, Variant};
pub use error::{DecodeError, DecodeProblem};
#[cfg(feature = "lab")]
pub use file::check_temporary_folder;

/// A serializer under study.
#[cfg(feature = "lab")]
pub trait Codec: Sync {
    /// Its name on the command line and in profiles.
    fn name(&self) -> &'static str;

    /// The system that it stands for.
    fn stands_for(&self) -> &'static str;

    /// The crates that do its work, each with its version (`rmp-serde 1.3.1`), or that the code is this crate's own.
    fn implementation(&self) -> &'static str {
        "own code"
    }

    /// Builds the values, buffers and bytes that a case works on, or says that the codec does not offer the case.
    ///
    /// Everything that is not part of the operation happens here, outside of any window.
    fn prepare(&self, request: &Request) -> Option<Prepared>;

    /// Encodes the value of a model, of a list the first so many items at most, as its cases do; nothing if the codec has no
    /// case of the model.
    fn encode(&self, model: ModelKind, items: usize) -> Option<Vec<u8>>;

    /// Decodes bytes that anyone may have made, as the cases of a model do, and drops the value; nothing if the codec has no
    /// case of the model.
    ///
    /// # Errors
    /// When the bytes make no such value. The crate's own readers say where, with the offset of a [`DecodeError`]; of
    /// `memorypack-brotli` that is one among the unpacked bytes. Other crates' errors are passed on as they are:
    ///
    /// - `json` and `json-dom` have the line and the column, but no place for what is wrong with a value that was read by
    ///   way of a tree: in `json-dom` each, in `json` one with a member that comes twice;
    /// - the MessagePack codecs have an offset for what is around compressed blocks, and no place within the value;
    /// - `protobuf` has the names of the message and the field, and no place;
    /// - `bincode`, `postcard`, `bitcode`, `rkyv`, `speedy` and `wincode` have no place.
    ///
    /// # Examples
    /// ```
    /// use alloclab::codec::find;
    /// use alloclab::model::ModelKind;
    ///
    /// let span = find("span").unwrap();
    /// let mut bytes = span.encode(ModelKind::Demo, 2).unwrap();
    /// assert!(span.decode(ModelKind::Demo, &bytes).unwrap().is_ok());
    /// bytes.pop();
    /// assert!(span.decode(ModelKind::Demo, &bytes).unwrap().is_err());
    /// ```
    fn decode(&self, model: ModelKind, bytes: &[u8]) -> Option<Decoded>;

    /// The objects of the original that this codec re-creates in a case, each with its size in .NET.
    fn objects(&self, request: &Request) -> Vec<ModelledObject>;
}

/// Every codec, in the order in which tables show them.
#[cfg(feature = "lab")]
pub fn all() -> &'static [&'static dyn Codec] {
    &[
        &span::SpanCodec,
        &span_reflect::SpanReflectCodec,
        &binary::BinaryCodec,
        &binaryformatter::BinaryFormatterCodec,
        &protobuf_net::ProtobufNetCodec,
        &protobuf::ProtobufCodec,
        &messagepack::MessagePackCodec(messagepack::Compression::None),
        &messagepack::MessagePackCodec(messagepack::Compression::Lz4Block),
        &messagepack::MessagePackCodec(messagepack::Compression::Lz4BlockArray),
        &memorypack::MemoryPackCodec,
        &memorypack_brotli::MemoryPackBrotliCodec,
        &lite::LiteCodec,
        &json::JsonCodec,
        &json_dom::JsonDomCodec,
        &peers::BincodeCodec,
        &peers::PostcardCodec,
        &peers::BitcodeCodec,
        &peers::RkyvCodec,
        &peers::SpeedyCodec,
        &peers::WincodeCodec,
    ]
}

/// The codec of a name.
///
/// # Examples
/// ```
/// assert_eq!(alloclab::codec::find("span").unwrap().name(), "span");
/// assert!(alloclab::codec::find("spam").is_none());
/// ```
#[cfg(feature = "lab")]
pub fn find(name: &str) -> Option<&'static dyn Codec> {
    all().iter().copied().find(|codec| codec.name() == name)
}
