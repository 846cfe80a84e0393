//! References to objects: what a getter hands out, what a setter takes, what a serializer looks at.

use std::any::Any;
use std::collections::BTreeMap;

use super::{Boxed, List, Property, Reflect, TypeInfo};

/// A reference to an object that somebody else holds; `Null` is no object.
#[derive(Clone, Copy, Default)]
pub enum ObjectRef<'a> {
    /// No object.
    #[default]
    Null,
    /// A boxed value.
    Value(&'a Boxed),
    /// A string.
    Text(&'a str),
    /// A `Byte[]`.
    Bytes(&'a [u8]),
    /// A `Char[]`.
    Chars(&'a [char]),
    /// A list.
    List(&'a dyn Enumerable),
    /// A dictionary.
    Dictionary(&'a dyn Dictionary),
    /// An object of a class.
    Class(&'a dyn Reflect),
    /// An object of this class that is being filled, so that nobody else may look at its members.
    Host(&'static TypeInfo),
}

/// What a getter hands out: a value type is boxed anew each time, everything else is referred to where it is.
pub enum Object<'a> {
    /// A fresh box.
    Boxed(Boxed),
    /// No object.
    Null,
    /// A string.
    Text(&'a str),
    /// A `Byte[]`.
    Bytes(&'a [u8]),
    /// A `Char[]`.
    Chars(&'a [char]),
    /// A list.
    List(&'a dyn Enumerable),
    /// A dictionary.
    Dictionary(&'a dyn Dictionary),
    /// An object of a class.
    Class(&'a dyn Reflect),
}

impl Object<'_> {
    /// A reference to the object.
    pub fn as_ref(&self) -> ObjectRef<'_> {
        match self {
            Self::Boxed(value) => ObjectRef::Value(value),
            Self::Null => ObjectRef::Null,
            Self::Text(text) => ObjectRef::Text(text),
            Self::Bytes(bytes) => ObjectRef::Bytes(bytes),
            Self::Chars(chars) => ObjectRef::Chars(chars),
            Self::List(list) => ObjectRef::List(*list),
            Self::Dictionary(dictionary) => ObjectRef::Dictionary(*dictionary),
            Self::Class(object) => ObjectRef::Class(*object),
        }
    }
}

/// What a setter takes: an object that becomes its owner's.
pub enum Value {
    /// No object.
    Null,
    /// A boxed value.
    Boxed(Boxed),
    /// A string.
    Text(String),
    /// A `Byte[]`.
    Bytes(Box<[u8]>),
    /// A `Char[]`.
    Chars(Box<[char]>),
    /// A list.
    List(Box<dyn ListTarget>),
    /// A dictionary.
    Dictionary(Box<dyn DictionaryTarget>),
    /// An object of a class.
    Class(Box<dyn Reflect>),
}

impl Value {
    /// The object, if it is one of class `T`.
    #[inline]
    pub fn into_class<T: Reflect>(self) -> Option<Box<T>> {
        match self {
            Self::Class(object) => (object as Box<dyn Any>).downcast().ok(),
            _ => None,
        }
    }
}

/// A list as code sees it that does not know its elements.
pub trait Enumerable: Sync {
    /// How many items there are.
    fn count(&self) -> usize;

    /// The item at an index.
    ///
    /// # Panics
    /// If there is none.
    fn item(&self, index: usize) -> Object<'_>;
}

impl<T: Property> Enumerable for Vec<T> {
    fn count(&self) -> usize {
        self.len()
    }

    fn item(&self, index: usize) -> Object<'_> {
        self[index].get()
    }
}

/// A list that is being read.
pub trait ListTarget: Any + Send {
    /// Adds an item, or says that it is of another type.
    fn add(&mut self, item: Value) -> bool;
}

impl<T: Property> ListTarget for List<T> {
    fn add(&mut self, item: Value) -> bool {
        T::from_value(item).map(|item| List::add(self, item)).is_some()
    }
}

/// A dictionary as code sees it that does not know its keys and values.
pub trait Dictionary: Sync {
    /// How many pairs there are.
    fn count(&self) -> usize;

    /// The pairs in order.
    fn pairs(&self) -> Box<dyn Iterator<Item = (Object<'_>, Object<'_>)> + '_>;
}

impl<K: Property, V: Property> Dictionary for BTreeMap<K, V> {
    fn count(&self) -> usize {
        self.len()
    }

    fn pairs(&self) -> Box<dyn Iterator<Item = (Object<'_>, Object<'_>)> + '_> {
        Box::new(self.iter().map(|(key, value)| (key.get(), value.get())))
    }
}

/// A dictionary that is being read.
pub trait DictionaryTarget: Any + Send {
    /// Adds a pair, or says that it is of another type. A key that is there already takes the later value.
    fn add(&mut self, key: Value, value: Value) -> bool;
}

impl<K: Property + Ord, V: Property> DictionaryTarget for BTreeMap<K, V> {
    fn add(&mut self, key: Value, value: Value) -> bool {
        let pair = K::from_value(key).zip(V::from_value(value));
        pair.map(|(key, value)| self.insert(key, value)).is_some()
    }
}
