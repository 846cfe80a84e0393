//! Bytes of every codec, held against those of the originals, of other implementations, and of the specifications.
#![cfg(feature = "lab")]

mod all;
mod binary;
mod binaryformatter;
mod derive;
mod json;
mod lite;
mod memorypack;
mod memorypack_agrees;
mod messagepack;
mod mono_binaryformatter;
mod nrbf;
mod protobuf;
mod span;
