//! Results files and their renderings: what they say, and that they say what the results hold.
#![cfg(feature = "chart")]

mod chart;
mod csv;
mod file;
mod finding;
mod markdown;
mod sample;
mod table;
