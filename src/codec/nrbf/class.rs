//! What describes values: libraries, classes and declared types.

use super::record::{BinaryType, PrimitiveType};

/// The name of a library, which classes refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// Its id.
    pub id: i32,
    /// Its name.
    pub name: Box<str>,
    /// How many values other than the primitives of members stand before it in the stream.
    pub(super) place: u64,
}

/// What a record says of a class. A class has one for each record that describes it in full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Its name, with its namespace; the type arguments in it name their libraries.
    pub name: Box<str>,
    /// The id of its library; none for a class of the runtime's own library.
    pub library: Option<i32>,
    /// Its members, in the order of their values.
    pub members: Box<[Member]>,
    /// Whether the record has the types of the members.
    pub is_typed: bool,
}

/// A member of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: Box<str>,
    /// Its declared type; [`ValueType::Object`] where the record has none and it is not known to be a primitive.
    pub value_type: ValueType,
}

/// The declared type of a member, or of an array's elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// A primitive.
    Primitive(PrimitiveType),
    /// `String`.
    String,
    /// `Object`.
    Object,
    /// A class of the runtime's own library, or an array of such.
    SystemClass(Box<str>),
    /// Another class, or an array of such.
    Class {
        /// Its name.
        name: Box<str>,
        /// The id of its library.
        library: i32,
    },
    /// `Object[]`.
    ObjectArray,
    /// `String[]`.
    StringArray,
    /// An array of primitives.
    PrimitiveArray(PrimitiveType),
}

impl ValueType {
    /// Its byte in a record.
    pub const fn binary_type(&self) -> BinaryType {
        match self {
            Self::Primitive(_) => BinaryType::Primitive,
            Self::String => BinaryType::String,
            Self::Object => BinaryType::Object,
            Self::SystemClass(_) => BinaryType::SystemClass,
            Self::Class { .. } => BinaryType::Class,
            Self::ObjectArray => BinaryType::ObjectArray,
            Self::StringArray => BinaryType::StringArray,
            Self::PrimitiveArray(_) => BinaryType::PrimitiveArray,
        }
    }

    /// Whether values are written without their type.
    pub const fn is_primitive(&self) -> bool {
        matches!(self, Self::Primitive(_))
    }
}
