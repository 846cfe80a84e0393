//! Pages of documentation.

#[doc = include_str!("adoption.md")]
pub mod adoption {}

#[doc = include_str!("asks.md")]
pub mod asks {}

#[doc = include_str!("costs.md")]
pub mod costs {}

#[doc = include_str!("how-it-works.md")]
pub mod how_it_works {}

#[doc = include_str!("limits.md")]
pub mod limits {}

#[doc = include_str!("proof.md")]
pub mod proof {}

#[doc = include_str!("reports.md")]
pub mod reports {}

#[doc = include_str!("write-ups.md")]
pub mod write_ups {}
