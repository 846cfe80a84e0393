//! Pages of documentation.

#[doc = include_str!("write-ups.md")]
pub mod write_ups {}
