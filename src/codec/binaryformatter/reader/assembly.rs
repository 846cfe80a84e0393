//! Libraries: `BinaryAssemblyInfo`.

/// A library that types of the stream come from.
pub(crate) struct BinaryAssemblyInfo {
    /// Its full name; none for .NET's own.
    pub(super) name: Option<String>,
}

impl BinaryAssemblyInfo {
    /// Whether it is the assembly of a full name; in another version, if the formatter does not mind.
    pub(super) fn is(&self, assembly: &str, simple: bool) -> bool {
        let stem = |name: &str| {
            if simple { name.split(',').next().map(str::len) } else { None }.unwrap_or(name.len())
        };
        self.name.as_ref().is_some_and(|name| name[..stem(name)] == assembly[..stem(assembly)])
    }
}
