//! What can be limited.

use std::fmt;

use crate::snapshot::Counts;

/// A figure that an assertion can limit.
///
/// # Examples
/// ```
/// use alloclab::assertion::Figure;
/// assert_eq!(Figure::LeftAlive.to_string(), "blocks left alive");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Figure {
    /// Fresh blocks.
    Allocations,
    /// Reallocations, whether they grow or shrink a block.
    Reallocations,
    /// Calls that the allocator answered with null.
    Failed,
    /// Sizes of fresh blocks, and growth of reallocated ones.
    Bytes,
    /// Blocks made or reallocated by the closure that are alive when it has returned.
    LeftAlive,
    /// Bytes that are alive beyond those that were before, less what was freed of those.
    Growth,
}

impl Figure {
    pub(super) fn of(self, counts: &Counts) -> u64 {
        match self {
            Self::Allocations => counts.allocations,
            Self::Reallocations => counts.reallocations,
            Self::Failed => counts.failed,
            Self::Bytes => counts.requested_bytes(),
            Self::LeftAlive => counts.live_blocks,
            Self::Growth => counts.requested_bytes().saturating_sub(counts.freed_bytes + counts.shrunk_bytes),
        }
    }

    /// Whether it is about what is there afterwards, not about what was asked for.
    pub(super) fn is_left_alive(self) -> bool {
        matches!(self, Self::LeftAlive | Self::Growth)
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Allocations => "allocations",
            Self::Reallocations => "reallocations",
            Self::Failed => "failed calls",
            Self::Bytes => "bytes",
            Self::LeftAlive => "blocks left alive",
            Self::Growth => "bytes alive beyond those before",
        })
    }
}
