//! `InternalFE`: the settings of a formatter, as its readers and writers get them.

/// Settings of one operation.
pub(crate) struct InternalFE {
    /// Whether an assembly is the same one in another version.
    pub(super) simple_assembly: bool,
}

impl InternalFE {
    /// What a `new BinaryFormatter()` has.
    pub(super) const DEFAULT: Self = Self { simple_assembly: true };
}

/// `FormatterConverter`: converts what classes with code of their own hand over. No model has such code, so that nobody
/// calls it; it is made for each graph all the same.
pub(crate) struct FormatterConverter {
    #[expect(dead_code, reason = "the culture of its conversions; without a field it would be no block")]
    culture_id: u16,
}

impl FormatterConverter {
    /// For the invariant culture.
    pub(super) const INVARIANT: Self = Self { culture_id: 0x7f };
}
