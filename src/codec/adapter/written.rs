//! A layer around a serializer for what serde has no word for: numbers that are none, text that stands as it is.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

/// How a format's original writes what serde's data model leaves open.
pub(in crate::codec) trait Dialect {
    /// Writes a number that is infinite or none at all.
    ///
    /// # Errors
    /// When the format has none, or the serializer's.
    fn non_finite<S: Serializer>(&self, number: f64, serializer: S) -> Result<S::Ok, S::Error>;

    /// A newtype of this name begins, or, with none, ends.
    fn newtype(&self, _name: Option<&'static str>) {}
}

/// A serializer, a part of one, or a value, in a dialect.
pub(in crate::codec) struct Written<'d, T, D> {
    /// What is meant.
    pub(in crate::codec) inner: T,
    /// The dialect.
    pub(in crate::codec) dialect: &'d D,
}

impl<T: Serialize + ?Sized, D: Dialect> Serialize for Written<'_, &T, D> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.inner.serialize(Written { inner: serializer, dialect: self.dialect })
    }
}

macro_rules! forward_values {
    ($($method:ident($($name:ident: $type:ty),*);)*) => {
        $(
            #[inline]
            fn $method(self, $($name: $type),*) -> Result<S::Ok, S::Error> {
                self.inner.$method($($name),*)
            }
        )*
    };
}

macro_rules! forward_compounds {
    ($($method:ident($($name:ident: $type:ty),*) -> $compound:ident;)*) => {
        $(
            #[inline]
            fn $method(self, $($name: $type),*) -> Result<Self::$compound, S::Error> {
                Ok(Written { inner: self.inner.$method($($name),*)?, dialect: self.dialect })
            }
        )*
    };
}

impl<'d, S: Serializer, D: Dialect> Serializer for Written<'d, S, D> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Written<'d, S::SerializeSeq, D>;
    type SerializeTuple = Written<'d, S::SerializeTuple, D>;
    type SerializeTupleStruct = Written<'d, S::SerializeTupleStruct, D>;
    type SerializeTupleVariant = Written<'d, S::SerializeTupleVariant, D>;
    type SerializeMap = Written<'d, S::SerializeMap, D>;
    type SerializeStruct = Written<'d, S::SerializeStruct, D>;
    type SerializeStructVariant = Written<'d, S::SerializeStructVariant, D>;

    forward_values! {
        serialize_bool(value: bool);
        serialize_i8(value: i8);
        serialize_i16(value: i16);
        serialize_i32(value: i32);
        serialize_i64(value: i64);
        serialize_i128(value: i128);
        serialize_u8(value: u8);
        serialize_u16(value: u16);
        serialize_u32(value: u32);
        serialize_u64(value: u64);
        serialize_u128(value: u128);
        serialize_char(value: char);
        serialize_str(value: &str);
        serialize_bytes(value: &[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(name: &'static str);
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str);
    }

    forward_compounds! {
        serialize_seq(len: Option<usize>) -> SerializeSeq;
        serialize_tuple(len: usize) -> SerializeTuple;
        serialize_tuple_struct(name: &'static str, len: usize) -> SerializeTupleStruct;
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, len: usize)
            -> SerializeTupleVariant;
        serialize_map(len: Option<usize>) -> SerializeMap;
        serialize_struct(name: &'static str, len: usize) -> SerializeStruct;
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, len: usize)
            -> SerializeStructVariant;
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<S::Ok, S::Error> {
        if value.is_finite() {
            self.inner.serialize_f32(value)
        } else {
            self.dialect.non_finite(value.into(), self.inner)
        }
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<S::Ok, S::Error> {
        if value.is_finite() {
            self.inner.serialize_f64(value)
        } else {
            self.dialect.non_finite(value, self.inner)
        }
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.inner.serialize_some(&Written { inner: value, dialect: self.dialect })
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.dialect.newtype(Some(name));
        let value = Written { inner: value, dialect: self.dialect };
        let written = self.inner.serialize_newtype_struct(name, &value);
        self.dialect.newtype(None);
        written
    }

    #[inline]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        let value = Written { inner: value, dialect: self.dialect };
        self.inner.serialize_newtype_variant(name, index, variant, &value)
    }

    #[inline]
    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

/// The parts of a compound: each value in the dialect.
macro_rules! compound {
    ($($trait:ident::$method:ident($($name:ident: $type:ty)?);)*) => {
        $(
            impl<S: $trait, D: Dialect> $trait for Written<'_, S, D> {
                type Ok = S::Ok;
                type Error = S::Error;

                #[inline]
                fn $method<T: Serialize + ?Sized>(
                    &mut self,
                    $($name: $type,)?
                    value: &T,
                ) -> Result<(), S::Error> {
                    self.inner.$method($($name,)? &Written { inner: value, dialect: self.dialect })
                }

                #[inline]
                fn end(self) -> Result<S::Ok, S::Error> {
                    self.inner.end()
                }
            }
        )*
    };
}

compound! {
    SerializeSeq::serialize_element();
    SerializeTuple::serialize_element();
    SerializeTupleStruct::serialize_field();
    SerializeTupleVariant::serialize_field();
    SerializeStruct::serialize_field(key: &'static str);
    SerializeStructVariant::serialize_field(key: &'static str);
}

impl<S: SerializeMap, D: Dialect> SerializeMap for Written<'_, S, D> {
    type Ok = S::Ok;
    type Error = S::Error;

    #[inline]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), S::Error> {
        self.inner.serialize_key(&Written { inner: key, dialect: self.dialect })
    }

    #[inline]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
        self.inner.serialize_value(&Written { inner: value, dialect: self.dialect })
    }

    #[inline]
    fn end(self) -> Result<S::Ok, S::Error> {
        self.inner.end()
    }
}
