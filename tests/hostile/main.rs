//! Bytes that nobody has written: a decoder fails with an error, and takes no more memory than the input justifies.
#![cfg(feature = "lab")]

mod all;
mod binary;
mod binaryformatter;
mod json;
mod lite;
mod memorypack;
mod messagepack;
mod nrbf;
mod peers;
mod protobuf;
#[path = "../random/mod.rs"]
mod random;
mod span;

use alloclab::recorder::Recorder;

#[global_allocator]
static ALLOCATOR: Recorder = Recorder::system();
