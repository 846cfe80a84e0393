//! Reflection: what a program can ask about types and their members, from tables made at compile time.

use std::any::Any;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::ops::Deref;

use crate::model::{DateTime, Decimal, Guid};

use super::{
    DateOnly, DictionaryTarget, List, ListTarget, Object, ObjectRef, TimeOnly, TypeCode, Value, ValueType,
};

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
    /// A [`Guid`].
    Guid,
    /// A [`DateOnly`].
    DateOnly,
    /// A [`TimeOnly`].
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
        from_bits: fn(i64) -> Option<Box<dyn ValueType>>,
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
    pub create: fn() -> Box<dyn Reflect>,
}

impl TypeInfo {
    /// The type's code; for an enumeration, that of its underlying type.
    pub fn code(&self) -> TypeCode {
        match self.kind {
            TypeKind::Simple(code) | TypeKind::Enumeration { code, .. } => code,
            _ => TypeCode::Object,
        }
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
    /// The code of its type.
    pub code: TypeCode,
    /// Whether its type is an enumeration, of which `code` only tells the underlying type.
    pub is_enumeration: bool,
    /// Its type.
    pub type_info: fn() -> &'static TypeInfo,
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
            is_enumeration: P::IS_ENUMERATION,
            type_info: P::type_info,
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

/// An object of a class. [`reflect_class!`](crate::reflect_class) implements it.
///
/// There are two ways to a member, as in .NET. [`Member::get`] and [`Member::set`] are reflection: they take any object and
/// check its class on each call. The methods here are accessors compiled for the class: the object itself leads to them.
pub trait Reflect: Any + Send {
    /// The class.
    fn class(&self) -> &'static TypeInfo;

    /// Hands out the value of the member at an index; null if there is none.
    fn compiled_get(&self, index: usize) -> Object<'_>;

    /// Gives the member at an index a value, or says that there is none or that the value is of another type.
    fn compiled_set(&mut self, index: usize, value: Value) -> bool;
}

/// A type that a property, a list or a dictionary can hold.
pub trait Property: Send + Sized + 'static {
    /// The type's code.
    const CODE: TypeCode;

    /// Whether null is among the type's own values, as it is for classes.
    const IS_REFERENCE: bool;

    /// Whether it is an enumeration.
    const IS_ENUMERATION: bool = false;

    /// The type.
    fn type_info() -> &'static TypeInfo;

    /// The value as an object.
    fn get(&self) -> Object<'_>;

    /// The value of an object, unless it is of another type.
    fn from_value(value: Value) -> Option<Self>;
}

/// A `Member` of class `T`, told by a function from an object to the field: for [`reflect_class!`](crate::reflect_class).
pub const fn member_of<T, P: Property>(
    name: &'static str,
    _field: fn(&T) -> &P,
    get: fn(&dyn Reflect) -> Object<'_>,
    set: fn(&mut dyn Reflect, Value) -> bool,
) -> Member {
    Member::new::<P>(name, get, set)
}

/// Reads a field: for [`reflect_class!`](crate::reflect_class).
///
/// # Panics
/// If the owner is not a `T`.
#[inline]
pub fn get_member<T: Reflect, P: Property>(owner: &dyn Reflect, field: fn(&T) -> &P) -> Object<'_> {
    let owner = (owner as &dyn Any).downcast_ref().expect("an object has the members of its own class");
    field(owner).get()
}

/// Writes a field: for [`reflect_class!`](crate::reflect_class). Says whether the value was of the field's type.
///
/// # Panics
/// If the owner is not a `T`.
#[inline]
pub fn set_member<T: Reflect, P: Property>(
    owner: &mut dyn Reflect,
    value: Value,
    field: fn(&mut T) -> &mut P,
) -> bool {
    let owner = (owner as &mut dyn Any).downcast_mut().expect("an object has the members of its own class");
    P::from_value(value).map(|value| *field(owner) = value).is_some()
}

/// Makes the member table of a struct that implements `Default`, and implements [`Reflect`](crate::codec::dotnet::Reflect)
/// and [`Property`](crate::codec::dotnet::Property) for it.
///
/// Attributes stand in brackets: `size(bytes)`, `size_from(member)`, `fixed_string(bytes)`.
///
/// # Examples
/// ```
/// use alloclab::codec::dotnet::Reflect;
///
/// #[derive(Default)]
/// struct Stone {
///     length: u8,
///     name: String,
/// }
/// alloclab::reflect_class!(Stone = "Stone" { length => "Length", name => "Name" [size_from("Length")] });
///
/// let members = Stone::default().class().class().unwrap().members;
/// assert_eq!(members[1].name, "Name");
/// ```
#[macro_export]
macro_rules! reflect_class {
    ($class:ty = $class_name:literal {
        $($field:ident => $name:literal $([$($attribute:ident($argument:expr)),+])?),+ $(,)?
    }) => {
        const _: () = {
            use $crate::codec::dotnet as reflection;

            static CLASS: reflection::TypeInfo = reflection::TypeInfo {
                name: $class_name,
                kind: reflection::TypeKind::Class(reflection::ClassInfo {
                    members: &[$(
                        reflection::member_of(
                            $name,
                            |object: &$class| &object.$field,
                            |owner| reflection::get_member(owner, |object: &$class| &object.$field),
                            |owner, value| {
                                reflection::set_member(owner, value, |object: &mut $class| &mut object.$field)
                            },
                        )$($(.$attribute($argument))+)?
                    ),+],
                    create: || Box::new(<$class>::default()),
                }),
            };

            impl reflection::Reflect for $class {
                fn class(&self) -> &'static reflection::TypeInfo {
                    &CLASS
                }

                fn compiled_get(&self, index: usize) -> reflection::Object<'_> {
                    let member = 0;
                    $(
                        if index == member {
                            return reflection::Property::get(&self.$field);
                        }
                        let member = member + 1;
                    )+
                    let _ = member;
                    reflection::Object::Ref(reflection::ObjectRef::Null)
                }

                fn compiled_set(&mut self, index: usize, value: reflection::Value) -> bool {
                    let member = 0;
                    $(
                        if index == member {
                            let value = reflection::Property::from_value(value);
                            return value.map(|value| self.$field = value).is_some();
                        }
                        let member = member + 1;
                    )+
                    let _ = member;
                    false
                }
            }

            impl reflection::Property for $class {
                const CODE: reflection::TypeCode = reflection::TypeCode::Object;
                const IS_REFERENCE: bool = true;

                fn type_info() -> &'static reflection::TypeInfo {
                    &CLASS
                }

                fn get(&self) -> reflection::Object<'_> {
                    reflection::Object::Ref(reflection::ObjectRef::Class(self))
                }

                fn from_value(value: reflection::Value) -> Option<Self> {
                    value.into_class::<Self>().map(|object| *object)
                }
            }
        };
    };
}

/// An enumeration with an underlying integer type. [`reflect_enumeration!`](crate::reflect_enumeration) makes a property
/// type of it.
pub trait Enumeration: Copy + Send + 'static {
    /// Its name.
    const NAME: &'static str;

    /// The code of the underlying type.
    const CODE: TypeCode;

    /// The value's number, sign extended.
    fn to_bits(self) -> i64;

    /// The value of a number, if it has one.
    fn from_bits(bits: i64) -> Option<Self>;
}

/// Implements [`Property`](crate::codec::dotnet::Property) and [`ValueType`](crate::codec::dotnet::ValueType) for types
/// that implement [`Enumeration`](crate::codec::dotnet::Enumeration).
#[macro_export]
macro_rules! reflect_enumeration {
    ($enumeration:ty) => {
        const _: () = {
            use $crate::codec::dotnet as reflection;

            impl reflection::ValueType for $enumeration {
                fn type_code(&self) -> reflection::TypeCode {
                    <$enumeration as reflection::Enumeration>::CODE
                }

                fn enumeration_bits(&self) -> Option<i64> {
                    Some(reflection::Enumeration::to_bits(*self))
                }
            }

            static TYPE: reflection::TypeInfo = reflection::TypeInfo {
                name: <$enumeration as reflection::Enumeration>::NAME,
                kind: reflection::TypeKind::Enumeration {
                    code: <$enumeration as reflection::Enumeration>::CODE,
                    from_bits: |bits| {
                        let value = <$enumeration as reflection::Enumeration>::from_bits(bits)?;
                        Some(Box::new(value))
                    },
                },
            };

            impl reflection::Property for $enumeration {
                const CODE: reflection::TypeCode = <$enumeration as reflection::Enumeration>::CODE;
                const IS_REFERENCE: bool = false;
                const IS_ENUMERATION: bool = true;

                fn type_info() -> &'static reflection::TypeInfo {
                    &TYPE
                }

                fn get(&self) -> reflection::Object<'_> {
                    reflection::Object::Boxed(Box::new(*self))
                }

                fn from_value(value: reflection::Value) -> Option<Self> {
                    value.unbox()
                }
            }
        };
    };
}

/// Value types: boxed by the getter, unboxed by the setter.
macro_rules! value_types {
    ($($value:ty: $name:literal, $code:ident, $kind:expr;)+) => {$(
        impl ValueType for $value {
            fn type_code(&self) -> TypeCode {
                TypeCode::$code
            }
        }

        impl Property for $value {
            const CODE: TypeCode = TypeCode::$code;
            const IS_REFERENCE: bool = false;

            fn type_info() -> &'static TypeInfo {
                static TYPE: TypeInfo = TypeInfo { name: $name, kind: $kind };
                &TYPE
            }

            #[inline]
            fn get(&self) -> Object<'_> {
                Object::Boxed(black_box(Box::new(*self)))
            }

            #[inline]
            fn from_value(value: Value) -> Option<Self> {
                value.unbox()
            }
        }
    )+};
}

value_types! {
    bool: "Boolean", Boolean, TypeKind::Simple(TypeCode::Boolean);
    char: "Char", Char, TypeKind::Simple(TypeCode::Char);
    u8: "Byte", Byte, TypeKind::Simple(TypeCode::Byte);
    i16: "Int16", Int16, TypeKind::Simple(TypeCode::Int16);
    u16: "UInt16", UInt16, TypeKind::Simple(TypeCode::UInt16);
    i32: "Int32", Int32, TypeKind::Simple(TypeCode::Int32);
    u32: "UInt32", UInt32, TypeKind::Simple(TypeCode::UInt32);
    i64: "Int64", Int64, TypeKind::Simple(TypeCode::Int64);
    u64: "UInt64", UInt64, TypeKind::Simple(TypeCode::UInt64);
    f32: "Single", Single, TypeKind::Simple(TypeCode::Single);
    f64: "Double", Double, TypeKind::Simple(TypeCode::Double);
    i8: "SByte", SByte, TypeKind::Simple(TypeCode::SByte);
    Decimal: "Decimal", Decimal, TypeKind::Simple(TypeCode::Decimal);
    DateTime: "DateTime", DateTime, TypeKind::Simple(TypeCode::DateTime);
    Guid: "Guid", Object, TypeKind::Guid;
    DateOnly: "DateOnly", Object, TypeKind::DateOnly;
    TimeOnly: "TimeOnly", Object, TypeKind::TimeOnly;
}

/// `DBNull`: no value at all.
impl Property for () {
    const CODE: TypeCode = TypeCode::Empty;
    const IS_REFERENCE: bool = true;

    fn type_info() -> &'static TypeInfo {
        static TYPE: TypeInfo = TypeInfo { name: "DBNull", kind: TypeKind::Simple(TypeCode::Empty) };
        &TYPE
    }

    fn get(&self) -> Object<'_> {
        Object::Ref(ObjectRef::Null)
    }

    fn from_value(value: Value) -> Option<Self> {
        matches!(value, Value::Null).then_some(())
    }
}

/// A null string reads as an empty one.
impl Property for String {
    const CODE: TypeCode = TypeCode::String;
    const IS_REFERENCE: bool = true;

    fn type_info() -> &'static TypeInfo {
        static TYPE: TypeInfo = TypeInfo { name: "String", kind: TypeKind::Simple(TypeCode::String) };
        &TYPE
    }

    #[inline]
    fn get(&self) -> Object<'_> {
        Object::Ref(ObjectRef::Text(self))
    }

    #[inline]
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Text(text) => Some(text),
            Value::Null => Some(Self::new()),
            _ => None,
        }
    }
}

/// `Byte[]`.
impl Property for Box<[u8]> {
    const CODE: TypeCode = TypeCode::Object;
    const IS_REFERENCE: bool = true;

    fn type_info() -> &'static TypeInfo {
        static TYPE: TypeInfo = TypeInfo { name: "Byte[]", kind: TypeKind::Bytes };
        &TYPE
    }

    fn get(&self) -> Object<'_> {
        Object::Ref(ObjectRef::Bytes(self))
    }

    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Bytes(bytes) => Some(bytes),
            Value::Null => Some(Self::default()),
            _ => None,
        }
    }
}

/// `Char[]`.
impl Property for Box<[char]> {
    const CODE: TypeCode = TypeCode::Object;
    const IS_REFERENCE: bool = true;

    fn type_info() -> &'static TypeInfo {
        static TYPE: TypeInfo = TypeInfo { name: "Char[]", kind: TypeKind::Chars };
        &TYPE
    }

    fn get(&self) -> Object<'_> {
        Object::Ref(ObjectRef::Chars(self))
    }

    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Chars(chars) => Some(chars),
            Value::Null => Some(Self::default()),
            _ => None,
        }
    }
}

/// A reference that can be null, or a `Nullable<T>` of a value type.
impl<T: Property> Property for Option<T> {
    const CODE: TypeCode = if T::IS_REFERENCE { T::CODE } else { TypeCode::Object };
    const IS_REFERENCE: bool = true;

    fn type_info() -> &'static TypeInfo {
        if T::IS_REFERENCE {
            return T::type_info();
        }
        const { &TypeInfo { name: "Nullable", kind: TypeKind::Nullable(T::type_info) } }
    }

    #[inline]
    fn get(&self) -> Object<'_> {
        self.as_ref().map_or(Object::Ref(ObjectRef::Null), T::get)
    }

    #[inline]
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

/// What a class holds of its own type stands in a block of its own.
impl<T: Property> Property for Box<T> {
    const CODE: TypeCode = T::CODE;
    const IS_REFERENCE: bool = T::IS_REFERENCE;
    const IS_ENUMERATION: bool = T::IS_ENUMERATION;

    fn type_info() -> &'static TypeInfo {
        T::type_info()
    }

    fn get(&self) -> Object<'_> {
        T::get(self)
    }

    fn from_value(value: Value) -> Option<Self> {
        T::from_value(value).map(Self::new)
    }
}

/// A null list reads as an empty one.
impl<T: Property> Property for Vec<T> {
    const CODE: TypeCode = TypeCode::Object;
    const IS_REFERENCE: bool = true;

    fn type_info() -> &'static TypeInfo {
        const {
            &TypeInfo {
                name: "List",
                kind: TypeKind::List { element: T::type_info, create: || Box::new(List::<T>::new()) },
            }
        }
    }

    fn get(&self) -> Object<'_> {
        Object::Ref(ObjectRef::List(self))
    }

    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::List(list) => {
                (list as Box<dyn Any>).downcast::<List<T>>().ok().map(|list| list.into_array())
            }
            Value::Null => Some(Self::new()),
            _ => None,
        }
    }
}

/// A dictionary. .NET's keeps the order of insertion, this one that of its keys.
impl<K: Property + Ord, V: Property> Property for BTreeMap<K, V> {
    const CODE: TypeCode = TypeCode::Object;
    const IS_REFERENCE: bool = true;

    fn type_info() -> &'static TypeInfo {
        const {
            &TypeInfo {
                name: "Dictionary",
                kind: TypeKind::Dictionary {
                    key: K::type_info,
                    value: V::type_info,
                    create: || Box::new(Self::new()),
                },
            }
        }
    }

    fn get(&self) -> Object<'_> {
        Object::Ref(ObjectRef::Dictionary(self))
    }

    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Dictionary(dictionary) => (dictionary as Box<dyn Any>).downcast().ok().map(|map| *map),
            Value::Null => Some(Self::new()),
            _ => None,
        }
    }
}
