//! What a reader takes of the format.

/// Which parts of the format a reader takes, beside those that it always takes.
///
/// The rules on sizes and form do not depend on them; the module's documentation has them. Depth needs no limit: reading,
/// writing and rendering keep their own stack on the heap, a few bytes for each byte of input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Classes without the types of their members.
    pub untyped_classes: bool,
    /// Arrays with lower bounds.
    pub lower_bounds: bool,
    /// Calls and returns of remote methods.
    pub messages: bool,
}

impl Limits {
    /// All that BinaryFormatter writes.
    pub const fn all() -> Self {
        Self { untyped_classes: true, lower_bounds: true, messages: true }
    }

    /// What System.Formats.Nrbf, .NET's reader for bytes that are not trusted, takes.
    ///
    /// # Examples
    /// ```
    /// use alloclab::codec::nrbf::{Limits, read};
    ///
    /// let call = include_bytes!("../../../fixtures/nrbf/method_call.bin");
    /// assert!(read(call, Limits::all()).is_ok());
    /// assert!(read(call, Limits::strict()).is_err());
    /// ```
    pub const fn strict() -> Self {
        Self { untyped_classes: false, lower_bounds: false, messages: false }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::all()
    }
}
