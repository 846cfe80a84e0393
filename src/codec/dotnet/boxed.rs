//! Boxed values: value types that have become objects.

use std::hint::black_box;

use crate::model::{DateTime, Decimal, Guid};

use super::{
    DateOnly, EnumerationValue, Form, Object, Property, TimeOnly, TypeCode, TypeInfo, TypeKind, Value,
};

/// A value type: it becomes an object by being copied into a box.
pub trait Boxable: Sized {
    /// The value in a box of its own.
    fn boxed(self) -> Boxed;

    /// The value in a box, if it is one of this type.
    fn unboxed(boxed: Boxed) -> Option<Self>;

    /// The value as it is.
    fn plain<O>(self) -> Plain<O>;
}

/// Value types, each with what is special about it.
macro_rules! value_types {
    ($($(#[$attribute:meta])* $name:ident($value:ty): $kind:expr,)+) => {
        /// A boxed value. In .NET the object's header tells the type, here the variant does.
        pub enum Boxed {
            $($(#[$attribute])* $name(Box<$value>),)+
            /// A value of an enumeration.
            Enumeration(Box<dyn EnumerationValue>),
        }

        /// What an accessor hands over that knows its member's type: a value as it is, or an object.
        ///
        /// Values of enumerations are objects here, in boxes: there are more of them than a table can list.
        pub enum Plain<O> {
            $($(#[$attribute])* $name($value),)+
            /// Anything else.
            Object(O),
        }

        $(
            impl Boxable for $value {
                #[inline]
                fn boxed(self) -> Boxed {
                    Boxed::$name(black_box(Box::new(self)))
                }

                #[inline]
                fn unboxed(boxed: Boxed) -> Option<Self> {
                    match boxed {
                        Boxed::$name(value) => Some(*value),
                        _ => None,
                    }
                }

                #[inline]
                fn plain<O>(self) -> Plain<O> {
                    Plain::$name(self)
                }
            }

            impl Property for $value {
                const CODE: TypeCode = $kind.code();
                const FORM: Form = Form::Value;

                fn type_info() -> &'static TypeInfo {
                    static TYPE: TypeInfo = TypeInfo { name: stringify!($name), kind: $kind };
                    &TYPE
                }

                #[inline]
                fn get(&self) -> Object<'_> {
                    Object::Boxed(self.boxed())
                }

                #[inline]
                fn from_value(value: Value) -> Option<Self> {
                    match value {
                        Value::Boxed(boxed) => Self::unboxed(boxed),
                        _ => None,
                    }
                }

                #[inline]
                fn get_plain(&self) -> Plain<Object<'_>> {
                    self.plain()
                }

                #[inline]
                fn from_plain(value: Plain<Value>) -> Option<Self> {
                    match value {
                        Plain::$name(value) => Some(value),
                        _ => None,
                    }
                }
            }
        )+
    };
}

value_types! {
    /// A `bool`.
    Boolean(bool): TypeKind::Simple(TypeCode::Boolean),
    /// A UTF-16 unit there, a `char` here.
    Char(char): TypeKind::Simple(TypeCode::Char),
    /// An `i8`.
    SByte(i8): TypeKind::Simple(TypeCode::SByte),
    /// A `u8`.
    Byte(u8): TypeKind::Simple(TypeCode::Byte),
    /// An `i16`.
    Int16(i16): TypeKind::Simple(TypeCode::Int16),
    /// A `u16`.
    UInt16(u16): TypeKind::Simple(TypeCode::UInt16),
    /// An `i32`.
    Int32(i32): TypeKind::Simple(TypeCode::Int32),
    /// A `u32`.
    UInt32(u32): TypeKind::Simple(TypeCode::UInt32),
    /// An `i64`.
    Int64(i64): TypeKind::Simple(TypeCode::Int64),
    /// A `u64`.
    UInt64(u64): TypeKind::Simple(TypeCode::UInt64),
    /// An `f32`.
    Single(f32): TypeKind::Simple(TypeCode::Single),
    /// An `f64`.
    Double(f64): TypeKind::Simple(TypeCode::Double),
    /// A [`Decimal`].
    Decimal(Decimal): TypeKind::Simple(TypeCode::Decimal),
    /// A [`DateTime`].
    DateTime(DateTime): TypeKind::Simple(TypeCode::DateTime),
    /// A [`Guid`].
    Guid(Guid): TypeKind::Guid,
    /// A [`DateOnly`].
    DateOnly(DateOnly): TypeKind::DateOnly,
    /// A [`TimeOnly`].
    TimeOnly(TimeOnly): TypeKind::TimeOnly,
}
