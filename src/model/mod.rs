//! The values that are encoded.

mod datetime;
mod decimal;
mod guid;
mod simple;

pub use datetime::{DateTime, DateTimeKind, MAX_TICKS, TICKS_PER_SECOND, UNIX_EPOCH_TICKS};
pub use decimal::Decimal;
pub use guid::Guid;
pub use simple::{FastModel, NestedModel, SimpleModel};

/// Which value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ModelKind {
    /// Five fields, encoded through reflection in the original.
    Simple,
    /// Three fields and a [`ModelKind::Simple`].
    Nested,
    /// The fields of [`ModelKind::Simple`], encoded by the type's own code in the original.
    Fast,
}

impl ModelKind {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 3] = [Self::Simple, Self::Nested, Self::Fast];

    /// The name in profiles and in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Nested => "nested",
            Self::Fast => "fast",
        }
    }
}
