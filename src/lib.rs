#![doc = include_str!("../README.md")]

// What `#[derive(SpanSerialize)]` writes names this crate, inside of it too.
#[cfg(feature = "derive")]
extern crate self as alloclab;

// The modules stand in the order of the data: each imports only what stands above it.

pub mod error;

mod fnv;

mod whole;

pub mod flags;

#[cfg(any(feature = "results", feature = "symbolize"))]
mod source_place;

pub mod snapshot;

pub mod recorder;

#[cfg(feature = "tracing")]
pub mod label_layer;

#[cfg(feature = "results")]
pub mod results;

#[cfg(feature = "harness")]
pub mod plan;

#[cfg(feature = "derive")]
pub mod model;

#[cfg(feature = "derive")]
pub mod codec;

#[cfg(feature = "lab")]
pub mod profile;

#[cfg(feature = "symbolize")]
pub mod symbolize;

#[cfg(feature = "symbolize")]
pub mod attribute;

pub mod assertion;

#[cfg(feature = "harness")]
pub mod harness;

#[cfg(feature = "results")]
pub mod report;

#[cfg(feature = "cli")]
pub mod verify;

#[cfg(feature = "bench")]
pub mod gate;

#[cfg(feature = "bench")]
pub mod cli;

#[cfg(feature = "bench")]
pub mod bench;

pub mod docs;

/// Its code compiles.
#[cfg(all(doctest, feature = "lab"))]
#[doc = include_str!("../CONTRIBUTING.md")]
struct Contributing;
