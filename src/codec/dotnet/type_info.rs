//! Types and their members, as tables made at compile time.

use std::ops::Deref;

use super::{Boxed, DictionaryTarget, Form, ListTarget, Object, Property, Reflect, TypeCode, Value};

/// A type.
#[derive(Debug)]
pub struct TypeInfo {
    /// Its name, without a namespace.
    pub name: &'static str,
    /// What it is, with what belongs to it.
    pub kind: TypeKind,
}

/// What a [`TypeInfo`] is. Types refer to each other by function, as a class can have members of its own type.
#[derive(Debug)]
pub enum TypeKind {
    /// A type that has a code of its own.
    Simple(TypeCode),
    /// A [`Guid`](crate::model::Guid).
    Guid,
    /// A [`DateOnly`](super::DateOnly).
    DateOnly,
    /// A [`TimeOnly`](super::TimeOnly).
    TimeOnly,
    /// `Byte[]`.
    Bytes,
    /// `Char[]`.
    Chars,
    /// `Nullable<T>`.
    Nullable(fn() -> &'static TypeInfo),
    /// An enumeration.
    Enumeration {
        /// The code of its underlying type.
        code: TypeCode,
        /// Boxes the value of a number.
        from_bits: fn(i64) -> Option<Boxed>,
    },
    /// A list.
    List {
        /// The type of its elements.
        element: fn() -> &'static TypeInfo,
        /// Makes an empty one.
        create: fn() -> Box<dyn ListTarget>,
    },
    /// A dictionary.
    Dictionary {
        /// The type of its keys.
        key: fn() -> &'static TypeInfo,
        /// The type of its values.
        value: fn() -> &'static TypeInfo,
        /// Makes an empty one.
        create: fn() -> Box<dyn DictionaryTarget>,
    },
    /// A class.
    Class(ClassInfo),
}

/// What belongs to a class.
#[derive(Debug)]
pub struct ClassInfo {
    /// Its public properties, in the order of declaration.
    pub members: &'static [Member],
    /// Makes an object with default values.
    pub create: Constructor,
}

/// Makes an object with default values.
pub type Constructor = fn() -> Box<dyn Reflect>;

impl TypeKind {
    /// The type's code; for an enumeration, that of its underlying type.
    pub const fn code(&self) -> TypeCode {
        match self {
            Self::Simple(code) | Self::Enumeration { code, .. } => *code,
            _ => TypeCode::Object,
        }
    }
}

impl TypeInfo {
    /// The type's code; for an enumeration, that of its underlying type.
    pub const fn code(&self) -> TypeCode {
        self.kind.code()
    }

    /// Members and constructor, if it is a class.
    #[inline]
    pub fn class(&self) -> Option<&ClassInfo> {
        match &self.kind {
            TypeKind::Class(class) => Some(class),
            _ => None,
        }
    }
}

/// A property of a class: one line of its table.
#[derive(Debug)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// What tells its type, as far as a code can: [`TypeCode::Object`] for enumerations and nullable values.
    pub code: TypeCode,
    /// What becomes of its values when they become objects.
    pub form: Form,
    /// Its type.
    pub type_info: fn() -> &'static TypeInfo,
    /// The constructor of its type, if that is a class, for those who would not look it up by type each time.
    pub constructor: Option<Constructor>,
    /// Hands out its value.
    pub get: fn(&dyn Reflect) -> Object<'_>,
    /// Takes a value, or says that it is of another type.
    pub set: fn(&mut dyn Reflect, Value) -> bool,
    /// How many bytes it takes, if an attribute says so.
    pub field_size: Option<FieldSize>,
    /// Zero-padded bytes that its text takes, if an attribute says so.
    pub fixed_string: Option<usize>,
}

/// The attribute that gives a member's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldSize {
    /// This many bytes.
    Bytes(usize),
    /// As many bytes as another member of the object says.
    Member(&'static str),
}

impl Member {
    /// A property with a name, a type, a getter and a setter.
    pub const fn new<P: Property>(
        name: &'static str,
        get: fn(&dyn Reflect) -> Object<'_>,
        set: fn(&mut dyn Reflect, Value) -> bool,
    ) -> Self {
        Self {
            name,
            code: P::CODE,
            form: P::FORM,
            type_info: P::type_info,
            constructor: P::CONSTRUCTOR,
            get,
            set,
            field_size: None,
            fixed_string: None,
        }
    }

    /// Adds the attribute `FieldSize` with a number of bytes.
    pub const fn size(mut self, bytes: usize) -> Self {
        self.field_size = Some(FieldSize::Bytes(bytes));
        self
    }

    /// Adds the attribute `FieldSize` with the name of the member that holds the size.
    pub const fn size_from(mut self, member: &'static str) -> Self {
        self.field_size = Some(FieldSize::Member(member));
        self
    }

    /// Adds the attribute `FixedString`.
    pub const fn fixed_string(mut self, bytes: usize) -> Self {
        self.fixed_string = Some(bytes);
        self
    }
}

/// .NET's `MemberInfo`: a reference to a [`Member`] of a table that lives as long as the program.
#[derive(Clone, Copy, Debug)]
pub struct MemberInfo(pub &'static Member);

impl Deref for MemberInfo {
    type Target = Member;

    fn deref(&self) -> &Member {
        self.0
    }
}
