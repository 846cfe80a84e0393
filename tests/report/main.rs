//! Results files and their renderings: what they say, and that they say what the results hold;
//! comparisons of them, and checks against a baseline.
#![cfg(feature = "chart")]

mod chart;
mod csv;
#[cfg(feature = "export")]
mod dhat;
mod difference;
#[cfg(feature = "export")]
mod every_field;
mod file;
mod finding;
#[cfg(feature = "export")]
mod flamegraph;
#[cfg(feature = "export")]
mod folded;
mod formats;
mod full;
#[cfg(feature = "bench")]
mod gate;
#[cfg(feature = "export")]
mod heap_sample;
#[cfg(feature = "export")]
mod html;
#[cfg(feature = "export")]
mod many_sites;
mod markdown;
#[cfg(feature = "export")]
mod pprof;
mod sample;
mod sample_run;
mod schema;
mod table;
