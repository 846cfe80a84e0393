//! Pages of documentation.

#[doc = include_str!("adoption.md")]
pub mod adoption {}

#[doc = include_str!("asks.md")]
pub mod asks {}

#[doc = include_str!("reports.md")]
pub mod reports {}

#[doc = include_str!("write-ups.md")]
pub mod write_ups {}
