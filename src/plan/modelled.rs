//! What the original's objects take in .NET: the sizes that make a re-created object checkable.
//!
//! In 64-bit .NET an object has 16 bytes of header and type pointer and its fields, rounded up to 8, at least 24; an array
//! has 24 bytes and its elements, a string 22 bytes and two for each UTF-16 unit, both rounded up to 8. In 32-bit .NET
//! Framework up to 3.5 an array of values has 12 bytes, one of references 16, a string 18, and profilers do not round.

/// A Rust type that stands for an object of the original: every block of that type is one such object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelledObject {
    /// The owner type of the block, as [`std::any::type_name`] spells it, without lifetimes: symbols have none.
    pub rust_type: String,
    /// The object's name in the original.
    pub name: &'static str,
    /// Its size there.
    pub size: DotnetSize,
}

/// The size of an object in .NET, told from the size of the block that stands for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DotnetSize {
    /// The same for each.
    Fixed(u64),
    /// An array.
    Array {
        /// Bytes that an element takes in Rust.
        rust_element_bytes: u64,
        /// Bytes that an element takes in .NET.
        dotnet_element_bytes: u64,
        /// Bytes in front of the elements in .NET.
        header_bytes: u64,
        /// What the size is rounded up to in .NET.
        alignment: u64,
    },
    /// A string whose characters take one byte in Rust; other strings come out as too large.
    String {
        /// Bytes beside the characters in .NET.
        header_bytes: u64,
        /// What the size is rounded up to in .NET.
        alignment: u64,
    },
}

/// An object of the original that is no block here, because Rust keeps it inside its owner or on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InlineObject {
    /// The object's name in the original.
    pub name: &'static str,
    /// How many of them one operation makes; of a parallel loop, one iteration.
    pub count: u64,
    /// What one of them takes in .NET.
    pub dotnet_bytes: u64,
}

impl ModelledObject {
    /// An object whose block is a `T`, for example `Box<Binary>`.
    ///
    /// # Examples
    /// ```
    /// use alloclab::plan::ModelledObject;
    ///
    /// let boxed = ModelledObject::fixed::<Box<i32>>("Int32 (boxed)", 24);
    /// assert_eq!(boxed.rust_type, "alloc::boxed::Box<i32>");
    /// assert_eq!(boxed.dotnet_bytes(4), 24);
    /// ```
    pub fn fixed<T>(name: &'static str, dotnet_bytes: u64) -> Self {
        Self { rust_type: type_name::<T>(), name, size: DotnetSize::Fixed(dotnet_bytes) }
    }

    /// An array whose block is a `T` with elements `E`, for example `Box<[u8]>` with `u8`.
    ///
    /// # Panics
    /// If `E` has no size: then the array has no block, either.
    ///
    /// # Examples
    /// ```
    /// use alloclab::plan::ModelledObject;
    ///
    /// let array = ModelledObject::array::<Box<[u8]>, u8>("Byte[]", 1);
    /// assert_eq!(array.dotnet_bytes(7), 32);
    /// ```
    pub fn array<T, E>(name: &'static str, dotnet_element_bytes: u64) -> Self {
        Self::array_of::<T, E>(name, dotnet_element_bytes, 24, 8)
    }

    /// An array of values in 32-bit .NET Framework; see [`ModelledObject::array`].
    ///
    /// # Panics
    /// If `E` has no size.
    pub fn value_array_x86<T, E>(name: &'static str, dotnet_element_bytes: u64) -> Self {
        Self::array_of::<T, E>(name, dotnet_element_bytes, 12, 1)
    }

    /// An array of references in 32-bit .NET Framework; see [`ModelledObject::array`].
    ///
    /// # Panics
    /// If `E` has no size.
    pub fn reference_array_x86<T, E>(name: &'static str) -> Self {
        Self::array_of::<T, E>(name, 4, 16, 1)
    }

    /// An array in 64-bit Mono, whose arrays have 8 bytes more in front than those of .NET; see
    /// [`ModelledObject::array`].
    ///
    /// # Panics
    /// If `E` has no size.
    pub fn array_mono<T, E>(name: &'static str, dotnet_element_bytes: u64) -> Self {
        Self::array_of::<T, E>(name, dotnet_element_bytes, 32, 8)
    }

    fn array_of<T, E>(
        name: &'static str,
        dotnet_element_bytes: u64,
        header_bytes: u64,
        alignment: u64,
    ) -> Self {
        let rust_element_bytes = size_of::<E>() as u64;
        assert!(rust_element_bytes > 0, "an array of elements without size has no block");
        let size = DotnetSize::Array { rust_element_bytes, dotnet_element_bytes, header_bytes, alignment };
        Self { rust_type: type_name::<T>(), name, size }
    }

    /// A string whose block is a `T`, for example `String`.
    pub fn string<T>() -> Self {
        let size = DotnetSize::String { header_bytes: 22, alignment: 8 };
        Self { rust_type: type_name::<T>(), name: "String", size }
    }

    /// A string under another name, in 64-bit .NET or Mono; see [`ModelledObject::string`].
    pub fn string_named<T>(name: &'static str) -> Self {
        Self { name, ..Self::string::<T>() }
    }

    /// A string in 32-bit .NET Framework up to 3.5, which kept two lengths; see [`ModelledObject::string`].
    pub fn string_x86<T>(name: &'static str) -> Self {
        Self {
            rust_type: type_name::<T>(),
            name,
            size: DotnetSize::String { header_bytes: 18, alignment: 1 },
        }
    }

    /// What the object takes in .NET if its block here takes `rust_bytes`.
    pub fn dotnet_bytes(&self, rust_bytes: u64) -> u64 {
        match self.size {
            DotnetSize::Fixed(bytes) => bytes,
            DotnetSize::Array { rust_element_bytes, dotnet_element_bytes, header_bytes, alignment } => {
                let elements = rust_bytes / rust_element_bytes;
                (header_bytes + elements * dotnet_element_bytes).next_multiple_of(alignment)
            }
            DotnetSize::String { header_bytes, alignment } => {
                (header_bytes + 2 * rust_bytes).next_multiple_of(alignment)
            }
        }
    }
}

/// The name of a type without the lifetimes among its arguments.
fn type_name<T>() -> String {
    std::any::type_name::<T>().replace("'_, ", "").replace("<'_>", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lifetimes_are_no_part_of_a_types_name() {
        let both = type_name::<Vec<std::slice::Iter<'static, u8>>>();
        assert_eq!(both, "alloc::vec::Vec<core::slice::iter::Iter<u8>>");
        assert_eq!(type_name::<Box<std::str::Chars<'static>>>(), "alloc::boxed::Box<core::str::iter::Chars>");
        #[expect(dead_code, reason = "its name is all that matters")]
        struct Two<'a, 'b>(&'a u8, &'b u8);
        assert!(type_name::<Two<'static, 'static>>().ends_with("::Two"));
    }
}
