//! Results files and their renderings: what they say, and that they say what the results hold;
//! comparisons of them, and checks against a baseline.
#![cfg(feature = "chart")]

mod chart;
mod csv;
mod difference;
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
mod markdown;
#[cfg(feature = "export")]
mod pprof;
mod sample;
mod sample_run;
mod schema;
mod table;
