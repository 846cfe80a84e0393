//! How `Binary` is told to write and read.

/// The settings of a `Binary`.
///
/// # Examples
/// ```
/// use alloclab::codec::binary::Options;
///
/// let options = Options { little_endian: true, ..Options::default() };
/// assert!(!options.encode_int);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Integers of two bytes and more take seven bits to the byte, lowest first.
    pub encode_int: bool,
    /// Numbers of a fixed width are little-endian; big-endian without.
    pub little_endian: bool,
    /// How lengths and counts are written.
    pub size_width: SizeWidth,
    /// Objects inside objects are preceded by a reference number, so that null can be told from an object.
    pub use_ref: bool,
    /// The attribute `FieldSize` is respected.
    pub use_field_size: bool,
    /// Instants take eight bytes and keep fractions of a second and their kind.
    pub full_time: bool,
    /// Which enumerators over the handlers take a block.
    pub enumerators: HeapEnumerators,
}

impl Options {
    /// What `FastWrite` and `FastRead` set.
    pub const FAST: Self = Self {
        encode_int: true,
        little_endian: false,
        size_width: SizeWidth::Variable,
        use_ref: false,
        use_field_size: false,
        full_time: false,
        enumerators: HeapEnumerators::None,
    };
}

/// How lengths and counts are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SizeWidth {
    /// Seven bits to the byte.
    #[default]
    Variable,
    /// One byte.
    One,
    /// As an integer of two bytes, which [`Options::encode_int`] shortens.
    Two,
    /// As an integer of four bytes, which [`Options::encode_int`] shortens.
    Four,
}

/// Which enumerators over the handlers take a block.
///
/// Each value walks the handlers through an interface, so that the enumerator, a value type, is boxed. .NET 10 keeps
/// the box off the heap where it can prove that it does not escape, which depends on what it inlines: the published
/// allocations tell where it could not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeapEnumerators {
    /// None: a single value is written.
    #[default]
    None,
    /// Those of members, not that of the root: a single value is read.
    Members,
    /// That of the root, not those of members: many values in a loop of the caller's.
    Root,
}
