//! A layer around a deserializer that watches what nests in what.

use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

/// What holds other values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::codec) enum Container {
    /// Values one after the other.
    Array,
    /// Values by name.
    Object,
}

/// Told of every array and object, and may refuse them.
pub(in crate::codec) trait Guard {
    /// Whether a class is an object in the format, never an array.
    const CLASSES_ARE_OBJECTS: bool;

    /// An array or object begins.
    ///
    /// # Errors
    /// When it is nested too deeply.
    fn enter(&mut self, container: Container) -> Result<(), TooDeep>;

    /// It ends.
    fn leave(&mut self, container: Container);

    /// More elements than the whole input can hold: a length beyond it is not believed.
    fn max_elements(&self) -> usize;
}

/// A guard that counts the levels; `CLASSES_ARE_OBJECTS` as in [`Guard`].
pub(in crate::codec) struct Nesting<const CLASSES_ARE_OBJECTS: bool> {
    depth: usize,
    max_depth: usize,
    max_elements: usize,
}

impl<const CLASSES_ARE_OBJECTS: bool> Nesting<CLASSES_ARE_OBJECTS> {
    /// Around nothing yet.
    pub(in crate::codec) const fn new(max_depth: usize, max_elements: usize) -> Self {
        Self { depth: 0, max_depth, max_elements }
    }
}

impl<const CLASSES_ARE_OBJECTS: bool> Guard for Nesting<CLASSES_ARE_OBJECTS> {
    const CLASSES_ARE_OBJECTS: bool = CLASSES_ARE_OBJECTS;

    fn enter(&mut self, _container: Container) -> Result<(), TooDeep> {
        if self.depth == self.max_depth {
            return Err(TooDeep { max_depth: self.max_depth });
        }
        self.depth += 1;
        Ok(())
    }

    fn leave(&mut self, _container: Container) {
        self.depth -= 1;
    }

    fn max_elements(&self) -> usize {
        self.max_elements
    }
}

/// Values are nested too deeply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::codec) struct TooDeep {
    /// The deepest level that is allowed.
    pub(in crate::codec) max_depth: usize,
}

impl fmt::Display for TooDeep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "values are nested deeper than {} levels", self.max_depth)
    }
}

/// A deserializer with a guard. What a class does not know at the end of its array is passed over, and nothing that is
/// passed over escapes the guard.
pub(in crate::codec) struct Guarded<'g, D, G> {
    /// The deserializer.
    pub(in crate::codec) inner: D,
    /// The guard.
    pub(in crate::codec) guard: &'g mut G,
}

/// `method(arguments)` for each: the same method of the inner deserializer, with a visitor that is guarded, too.
macro_rules! forward {
    ($($method:ident($($name:ident: $type:ty),*);)*) => {
        $(
            #[inline]
            fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value, D::Error> {
                self.inner.$method($($name,)* GuardedVisitor { inner: visitor, guard: self.guard })
            }
        )*
    };
}

impl<'de, D: Deserializer<'de>, G: Guard> Deserializer<'de> for Guarded<'_, D, G> {
    type Error = D::Error;

    forward! {
        deserialize_any();
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_u128();
        deserialize_f32();
        deserialize_f64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_option();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_seq();
        deserialize_tuple(len: usize);
        deserialize_tuple_struct(name: &'static str, len: usize);
        deserialize_map();
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let visitor = GuardedVisitor { inner: visitor, guard: self.guard };
        if G::CLASSES_ARE_OBJECTS {
            self.inner.deserialize_map(visitor)
        } else {
            self.inner.deserialize_struct(name, fields, visitor)
        }
    }

    /// Formats pass over values in loops of their own, which know no limit.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.deserialize_any(visitor)
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

struct GuardedVisitor<'g, V, G> {
    inner: V,
    guard: &'g mut G,
}

macro_rules! forward_values {
    ($($method:ident($type:ty);)*) => {
        $(
            #[inline]
            fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
                self.inner.$method(value)
            }
        )*
    };
}

impl<'de, V: Visitor<'de>, G: Guard> Visitor<'de> for GuardedVisitor<'_, V, G> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    forward_values! {
        visit_bool(bool);
        visit_i8(i8);
        visit_i16(i16);
        visit_i32(i32);
        visit_i64(i64);
        visit_i128(i128);
        visit_u8(u8);
        visit_u16(u16);
        visit_u32(u32);
        visit_u64(u64);
        visit_u128(u128);
        visit_f32(f32);
        visit_f64(f64);
        visit_char(char);
        visit_str(&str);
        visit_borrowed_str(&'de str);
        visit_string(String);
        visit_bytes(&[u8]);
        visit_borrowed_bytes(&'de [u8]);
        visit_byte_buf(Vec<u8>);
    }

    #[inline]
    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    #[inline]
    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    #[inline]
    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(Guarded { inner, guard: self.guard })
    }

    #[inline]
    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.inner.visit_newtype_struct(Guarded { inner, guard: self.guard })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        self.guard.enter(Container::Array).map_err(A::Error::custom)?;
        let mut elements = Elements { inner, guard: self.guard };
        let value = self.inner.visit_seq(&mut elements)?;
        while elements.next_element::<IgnoredAny>()?.is_some() {}
        elements.guard.leave(Container::Array);
        Ok(value)
    }

    fn visit_map<A: MapAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        self.guard.enter(Container::Object).map_err(A::Error::custom)?;
        let mut members = Elements { inner, guard: self.guard };
        let value = self.inner.visit_map(&mut members)?;
        members.guard.leave(Container::Object);
        Ok(value)
    }

    /// No model has an enumeration with values inside: the format's own limit has to do.
    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<V::Value, A::Error> {
        self.inner.visit_enum(data)
    }
}

/// The elements of an array, or the members of an object.
struct Elements<'g, A, G> {
    inner: A,
    guard: &'g mut G,
}

impl<'de, A: SeqAccess<'de>, G: Guard> SeqAccess<'de> for Elements<'_, A, G> {
    type Error = A::Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.inner.next_element_seed(GuardedSeed { inner: seed, guard: &mut *self.guard })
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint().map(|length| length.min(self.guard.max_elements()))
    }
}

impl<'de, A: MapAccess<'de>, G: Guard> MapAccess<'de> for Elements<'_, A, G> {
    type Error = A::Error;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.inner.next_key_seed(GuardedSeed { inner: seed, guard: &mut *self.guard })
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.inner.next_value_seed(GuardedSeed { inner: seed, guard: &mut *self.guard })
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint().map(|length| length.min(self.guard.max_elements()))
    }
}

struct GuardedSeed<'g, S, G> {
    inner: S,
    guard: &'g mut G,
}

impl<'de, S: DeserializeSeed<'de>, G: Guard> DeserializeSeed<'de> for GuardedSeed<'_, S, G> {
    type Value = S::Value;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<S::Value, D::Error> {
        self.inner.deserialize(Guarded { inner, guard: self.guard })
    }
}
