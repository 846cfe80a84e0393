//! Enumerations: values of an integer type under names.

use std::any::Any;

use super::{Boxed, TypeCode, Value};

/// An enumeration with an underlying integer type. [`reflect_enumeration!`](crate::reflect_enumeration) makes a property
/// type of it.
pub trait Enumeration: Copy + Send + Sync + 'static {
    /// Its name.
    const NAME: &'static str;

    /// The code of the underlying type.
    const CODE: TypeCode;

    /// The value's number, sign extended.
    fn to_bits(self) -> i64;

    /// The value of a number, if it has one.
    fn from_bits(bits: i64) -> Option<Self>;
}

/// A boxed value of an enumeration.
pub trait EnumerationValue: Any + Send + Sync {
    /// Its number, sign extended.
    fn bits(&self) -> i64;

    /// The code of its underlying type.
    fn code(&self) -> TypeCode;
}

impl<T: Enumeration> EnumerationValue for T {
    fn bits(&self) -> i64 {
        self.to_bits()
    }

    fn code(&self) -> TypeCode {
        T::CODE
    }
}

/// Unboxes a value: for [`reflect_enumeration!`](crate::reflect_enumeration).
pub fn unbox_enumeration<T: Enumeration>(value: Value) -> Option<T> {
    match value {
        Value::Boxed(Boxed::Enumeration(value)) => {
            (value as Box<dyn Any>).downcast().ok().map(|value| *value)
        }
        _ => None,
    }
}

/// Implements [`Property`](crate::codec::dotnet::Property) for a type that implements
/// [`Enumeration`](crate::codec::dotnet::Enumeration).
#[macro_export]
macro_rules! reflect_enumeration {
    ($enumeration:ty) => {
        const _: () = {
            use $crate::codec::dotnet as reflection;

            static TYPE: reflection::TypeInfo = reflection::TypeInfo {
                name: <$enumeration as reflection::Enumeration>::NAME,
                kind: reflection::TypeKind::Enumeration {
                    code: <$enumeration as reflection::Enumeration>::CODE,
                    from_bits: |bits| {
                        let value = <$enumeration as reflection::Enumeration>::from_bits(bits)?;
                        Some(reflection::Boxed::Enumeration(Box::new(value)))
                    },
                },
            };

            impl reflection::Property for $enumeration {
                const CODE: reflection::TypeCode = reflection::TypeCode::Object;
                const FORM: reflection::Form = reflection::Form::Value;

                fn type_info() -> &'static reflection::TypeInfo {
                    &TYPE
                }

                fn get(&self) -> reflection::Object<'_> {
                    reflection::Object::Boxed(reflection::Boxed::Enumeration(Box::new(*self)))
                }

                fn from_value(value: reflection::Value) -> Option<Self> {
                    reflection::unbox_enumeration(value)
                }
            }
        };
    };
}
