//! Lists, read as .NET reads them: into an array of the length that the bytes give, else into one that grows as
//! `List<T>.Add` lets it.
//!
//! Source: .NET reference source, `System.Collections.Generic.List<T>`: four elements at first, then twice as many each
//! time, in a new array each time, to which the elements are moved.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, SeqAccess, Visitor};

/// Elements of the first array of a list whose length is not known.
const FIRST_CAPACITY: usize = 4;

/// Bytes that are made ready at most for a length that nobody has checked against the input.
const CAUTIOUS_BYTES: usize = 1 << 20;

/// Reads a member that is a list.
///
/// # Errors
/// When the bytes hold no such list.
pub(super) fn deserialize<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    ListSeed { max_bytes: CAUTIOUS_BYTES, element: PhantomData }.deserialize(deserializer)
}

/// Reads a member that is a list or null.
///
/// # Errors
/// When the bytes hold neither.
pub(super) fn deserialize_option<'de, T, D>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_option(OptionVisitor(PhantomData))
}

/// Reads a list.
pub(crate) struct ListSeed<T> {
    max_bytes: usize,
    element: PhantomData<T>,
}

impl<T> ListSeed<T> {
    /// From a decoder that gives no length that the input could not hold: the array has that length, whatever it is.
    pub(crate) fn trusting() -> Self {
        Self { max_bytes: usize::MAX, element: PhantomData }
    }
}

impl<T> Clone for ListSeed<T> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for ListSeed<T> {
    type Value = Vec<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<T>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListSeed<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Vec<T>, A::Error> {
        let length = sequence.size_hint().unwrap_or_default();
        let mut items = Vec::with_capacity(length.min(self.max_bytes / size_of::<T>().max(1)));
        while let Some(item) = sequence.next_element()? {
            push(&mut items, item);
        }
        Ok(items)
    }
}

struct OptionVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OptionVisitor<T> {
    type Value = Option<Vec<T>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list or null")
    }

    fn visit_none<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserialize(deserializer).map(Some)
    }
}

/// Appends to a list; a full one moves to a new array of twice the size. (`Vec::push` would resize the array in its place,
/// which no object of .NET can do.)
fn push<T>(items: &mut Vec<T>, item: T) {
    if items.len() == items.capacity() {
        let mut larger = Vec::with_capacity((2 * items.capacity()).max(FIRST_CAPACITY));
        larger.append(items);
        *items = larger;
    }
    items.push(item);
}
