//! The numbers of the format: kinds of records, of member types, of primitives, of arrays.

/// An enumeration of one byte.
macro_rules! codes {
    ($(#[$doc:meta])* $name:ident { $($(#[$item_doc:meta])* $item:ident = $code:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum $name {
            $($(#[$item_doc])* $item = $code,)*
        }

        impl $name {
            /// What a byte stands for; none if it stands for nothing.
            pub const fn from_code(code: u8) -> Option<Self> {
                match code {
                    $($code => Some(Self::$item),)*
                    _ => None,
                }
            }

            /// Its byte.
            pub const fn code(self) -> u8 {
                self as u8
            }
        }
    };
}

codes! {
    /// The kind of a record: its first byte. Source: MS-NRBF 2.1.2.1.
    RecordKind {
        /// The start of a stream: ids of root and headers, version.
        SerializedStreamHeader = 0,
        /// An object of a class that an earlier record describes.
        ClassWithId = 1,
        /// An object of a class of the runtime's own library, with the names of its members.
        SystemClassWithMembers = 2,
        /// An object of a class, with the names of its members.
        ClassWithMembers = 3,
        /// An object of a class of the runtime's own library, with names and types of its members.
        SystemClassWithMembersAndTypes = 4,
        /// An object of a class, with names and types of its members.
        ClassWithMembersAndTypes = 5,
        /// A string, at its first use.
        BinaryObjectString = 6,
        /// An array of any shape and element type.
        BinaryArray = 7,
        /// A boxed primitive: its type and its value.
        MemberPrimitiveTyped = 8,
        /// An object that has come before, or that will follow.
        MemberReference = 9,
        /// Null.
        ObjectNull = 10,
        /// The end of a stream.
        MessageEnd = 11,
        /// The name of a library, which later records refer to.
        BinaryLibrary = 12,
        /// Up to 255 nulls in an array.
        ObjectNullMultiple256 = 13,
        /// Any number of nulls in an array.
        ObjectNullMultiple = 14,
        /// An array of primitives, with one dimension that begins at 0.
        ArraySinglePrimitive = 15,
        /// An array of `Object`, with one dimension that begins at 0.
        ArraySingleObject = 16,
        /// An array of `String`, with one dimension that begins at 0.
        ArraySingleString = 17,
        /// The class of objects that go to another application domain. .NET's own readers refuse it.
        CrossAppDomainMap = 18,
        /// A string that goes to another application domain.
        CrossAppDomainString = 19,
        /// A library's name that goes to another application domain.
        CrossAppDomainAssembly = 20,
        /// The call of a remote method.
        MethodCall = 21,
        /// The return of a remote method.
        MethodReturn = 22,
    }
}

impl RecordKind {
    /// Whether it describes a class with the types of its members.
    pub const fn has_member_types(self) -> bool {
        matches!(self, Self::SystemClassWithMembersAndTypes | Self::ClassWithMembersAndTypes)
    }

    /// Whether it describes a class of a named library.
    pub const fn has_library(self) -> bool {
        matches!(self, Self::ClassWithMembers | Self::ClassWithMembersAndTypes)
    }
}

codes! {
    /// The type of a member or of an array's elements. Source: MS-NRBF 2.1.2.2.
    BinaryType {
        /// A primitive other than a string. Its [`PrimitiveType`] follows.
        Primitive = 0,
        /// `String`.
        String = 1,
        /// `Object`.
        Object = 2,
        /// A class of the runtime's own library. Its name follows.
        SystemClass = 3,
        /// Any other class. Its name and its library's id follow.
        Class = 4,
        /// `Object[]`.
        ObjectArray = 5,
        /// `String[]`.
        StringArray = 6,
        /// An array of primitives, with one dimension. Their [`PrimitiveType`] follows.
        PrimitiveArray = 7,
    }
}

codes! {
    /// A primitive type. Source: MS-NRBF 2.1.2.3.
    PrimitiveType {
        /// One byte.
        Boolean = 1,
        /// One byte.
        Byte = 2,
        /// A UTF-16 unit, as the bytes of its UTF-8 form.
        Char = 3,
        /// A decimal number, as its invariant text.
        Decimal = 5,
        /// Eight bytes.
        Double = 6,
        /// Two bytes.
        Int16 = 7,
        /// Four bytes.
        Int32 = 8,
        /// Eight bytes.
        Int64 = 9,
        /// One byte.
        SByte = 10,
        /// Four bytes.
        Single = 11,
        /// Eight bytes: ticks of 100 nanoseconds.
        TimeSpan = 12,
        /// Eight bytes: 62 bits of ticks, two bits of kind.
        DateTime = 13,
        /// Two bytes.
        UInt16 = 14,
        /// Four bytes.
        UInt32 = 15,
        /// Eight bytes.
        UInt64 = 16,
        /// Null, in the arguments of a remote call alone.
        Null = 17,
        /// A string, in the arguments of a remote call alone.
        String = 18,
    }
}

codes! {
    /// The shape of an array. Source: MS-NRBF 2.4.1.1.
    ArrayKind {
        /// One dimension.
        Single = 0,
        /// One dimension of arrays.
        Jagged = 1,
        /// Several dimensions.
        Rectangular = 2,
        /// One dimension, with a lower bound.
        SingleOffset = 3,
        /// One dimension of arrays, with a lower bound.
        JaggedOffset = 4,
        /// Several dimensions, with lower bounds.
        RectangularOffset = 5,
    }
}

impl ArrayKind {
    /// Whether it has several dimensions.
    pub const fn is_rectangular(self) -> bool {
        matches!(self, Self::Rectangular | Self::RectangularOffset)
    }

    /// Whether it has lower bounds.
    pub const fn has_lower_bounds(self) -> bool {
        matches!(self, Self::SingleOffset | Self::JaggedOffset | Self::RectangularOffset)
    }
}
