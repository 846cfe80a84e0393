//! Types that a property can have, and how they become objects and back.

use std::any::Any;
use std::collections::BTreeMap;

use super::{Constructor, List, Object, Plain, TypeCode, TypeInfo, TypeKind, Value};

/// What becomes of a type's values when they become objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// They are boxed.
    Value,
    /// They are boxed, and there is a null.
    Nullable,
    /// They are objects already, or null.
    Reference,
}

/// A type that a property, a list or a dictionary can hold.
pub trait Property: Send + Sync + Sized + 'static {
    /// What tells the type, as far as a code can: [`TypeCode::Object`] for enumerations and nullable values.
    const CODE: TypeCode;

    /// What becomes of its values when they become objects.
    const FORM: Form;

    /// Makes an object of the type, if it is a class.
    const CONSTRUCTOR: Option<Constructor> = None;

    /// The type.
    fn type_info() -> &'static TypeInfo;

    /// The value as an object.
    fn get(&self) -> Object<'_>;

    /// The value of an object, unless it is of another type.
    fn from_value(value: Value) -> Option<Self>;

    /// The value, in a box only if it cannot do without one.
    #[inline]
    fn get_plain(&self) -> Plain<Object<'_>> {
        Plain::Object(self.get())
    }

    /// The value of what [`Property::get_plain`] hands out, unless it is of another type.
    #[inline]
    fn from_plain(value: Plain<Value>) -> Option<Self> {
        match value {
            Plain::Object(value) => Self::from_value(value),
            _ => None,
        }
    }
}

/// `DBNull`: no value at all.
impl Property for () {
    const CODE: TypeCode = TypeCode::Empty;
    const FORM: Form = Form::Reference;

    fn type_info() -> &'static TypeInfo {
        static TYPE: TypeInfo = TypeInfo { name: "DBNull", kind: TypeKind::Simple(TypeCode::Empty) };
        &TYPE
    }

    fn get(&self) -> Object<'_> {
        Object::Null
    }

    fn from_value(value: Value) -> Option<Self> {
        matches!(value, Value::Null).then_some(())
    }
}

/// A null string reads as an empty one.
impl Property for String {
    const CODE: TypeCode = TypeCode::String;
    const FORM: Form = Form::Reference;

    fn type_info() -> &'static TypeInfo {
        static TYPE: TypeInfo = TypeInfo { name: "String", kind: TypeKind::Simple(TypeCode::String) };
        &TYPE
    }

    #[inline]
    fn get(&self) -> Object<'_> {
        Object::Text(self)
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
    const FORM: Form = Form::Reference;

    fn type_info() -> &'static TypeInfo {
        static TYPE: TypeInfo = TypeInfo { name: "Byte[]", kind: TypeKind::Bytes };
        &TYPE
    }

    fn get(&self) -> Object<'_> {
        Object::Bytes(self)
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
    const FORM: Form = Form::Reference;

    fn type_info() -> &'static TypeInfo {
        static TYPE: TypeInfo = TypeInfo { name: "Char[]", kind: TypeKind::Chars };
        &TYPE
    }

    fn get(&self) -> Object<'_> {
        Object::Chars(self)
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
    const CODE: TypeCode = match T::FORM {
        Form::Reference => T::CODE,
        _ => TypeCode::Object,
    };
    const FORM: Form = match T::FORM {
        Form::Reference => Form::Reference,
        _ => Form::Nullable,
    };
    const CONSTRUCTOR: Option<Constructor> = T::CONSTRUCTOR;

    fn type_info() -> &'static TypeInfo {
        if T::FORM == Form::Reference {
            return T::type_info();
        }
        const { &TypeInfo { name: "Nullable", kind: TypeKind::Nullable(T::type_info) } }
    }

    #[inline]
    fn get(&self) -> Object<'_> {
        self.as_ref().map_or(Object::Null, T::get)
    }

    #[inline]
    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            value => T::from_value(value).map(Some),
        }
    }

    #[inline]
    fn get_plain(&self) -> Plain<Object<'_>> {
        self.as_ref().map_or(Plain::Object(Object::Null), T::get_plain)
    }

    #[inline]
    fn from_plain(value: Plain<Value>) -> Option<Self> {
        match value {
            Plain::Object(Value::Null) => Some(None),
            value => T::from_plain(value).map(Some),
        }
    }
}

/// What a class holds of its own type stands in a block of its own.
impl<T: Property> Property for Box<T> {
    const CODE: TypeCode = T::CODE;
    const FORM: Form = T::FORM;
    const CONSTRUCTOR: Option<Constructor> = T::CONSTRUCTOR;

    fn type_info() -> &'static TypeInfo {
        T::type_info()
    }

    fn get(&self) -> Object<'_> {
        T::get(self)
    }

    fn from_value(value: Value) -> Option<Self> {
        T::from_value(value).map(Self::new)
    }

    fn get_plain(&self) -> Plain<Object<'_>> {
        T::get_plain(self)
    }

    fn from_plain(value: Plain<Value>) -> Option<Self> {
        T::from_plain(value).map(Self::new)
    }
}

/// A null list reads as an empty one.
impl<T: Property> Property for Vec<T> {
    const CODE: TypeCode = TypeCode::Object;
    const FORM: Form = Form::Reference;

    fn type_info() -> &'static TypeInfo {
        const {
            &TypeInfo {
                name: "List",
                kind: TypeKind::List { element: T::type_info, create: || Box::new(List::<T>::new()) },
            }
        }
    }

    fn get(&self) -> Object<'_> {
        Object::List(self)
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
    const FORM: Form = Form::Reference;

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
        Object::Dictionary(self)
    }

    fn from_value(value: Value) -> Option<Self> {
        match value {
            Value::Dictionary(dictionary) => (dictionary as Box<dyn Any>).downcast().ok().map(|map| *map),
            Value::Null => Some(Self::new()),
            _ => None,
        }
    }
}
