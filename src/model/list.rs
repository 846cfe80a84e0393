//! Lists and arrays, read as .NET reads them: into an array of the length that the bytes give, else into one that grows as
//! `List<T>.Add` lets it; what is an array in the end is then copied to one of its length.
//!
//! Source: .NET reference source, `System.Collections.Generic.List<T>`: four elements at first, then twice as many each
//! time, in a new array each time, to which the elements are moved; dotnet/runtime, System.Text.Json's `ArrayConverter`: a
//! list, then `List<T>.ToArray`.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, SeqAccess, Visitor};

/// Elements of the first array of a list whose length is not known.
const FIRST_CAPACITY: usize = 4;

/// Bytes that are made ready at most for a length that nobody has checked against the input.
const CAUTIOUS_BYTES: usize = 1 << 20;

/// Bytes that are made ready at most for a length that the input could hold: an element of it may be a byte there and hundreds
/// here. The users' list takes 12 MB.
const TRUSTED_BYTES: usize = 16 << 20;

/// Bytes that a list may take in all: what is compressed may stand for very many objects without members.
const MAX_BYTES: usize = 256 << 20;

/// Reads a member that is a list.
///
/// # Errors
/// When the bytes hold no such list.
pub(super) fn deserialize<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    ListSeed { max_bytes: CAUTIOUS_BYTES, is_array: false, element: PhantomData }.deserialize(deserializer)
}

/// Reads a member that is an array or null.
///
/// # Errors
/// When the bytes hold neither.
pub(super) fn deserialize_array<'de, T, D>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_option(ArrayVisitor(PhantomData))
}

/// Reads a list or an array.
pub(crate) struct ListSeed<T> {
    max_bytes: usize,
    is_array: bool,
    element: PhantomData<T>,
}

impl<T> ListSeed<T> {
    /// A list or an array, from a decoder that gives no length that the input could not hold: it is believed, up to a limit.
    pub(crate) fn trusting(is_array: bool) -> Self {
        Self { max_bytes: TRUSTED_BYTES, is_array, element: PhantomData }
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
        let length = sequence.size_hint();
        let capacity = length.unwrap_or_default().min(self.max_bytes / size_of::<T>().max(1));
        let mut items = Vec::with_capacity(capacity);
        while let Some(item) = sequence.next_element()? {
            push(&mut items, item).map_err(A::Error::custom)?;
        }
        if self.is_array && length.is_none() {
            let length = items.len();
            move_to_new(&mut items, length);
        }
        Ok(items)
    }
}

struct ArrayVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ArrayVisitor<T> {
    type Value = Option<Vec<T>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array or null")
    }

    fn visit_none<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let seed = ListSeed { max_bytes: CAUTIOUS_BYTES, is_array: true, element: PhantomData };
        seed.deserialize(deserializer).map(Some)
    }
}

/// Appends to a list; a full one moves to a new array of twice the size. (`Vec::push` would resize the array in its place,
/// which no object of .NET can do.)
fn push<T>(items: &mut Vec<T>, item: T) -> Result<(), String> {
    if items.len() == items.capacity() {
        let capacity = (2 * items.capacity()).max(FIRST_CAPACITY);
        if capacity.saturating_mul(size_of::<T>()) > MAX_BYTES {
            return Err(format!("a list takes more than {} MB", MAX_BYTES >> 20));
        }
        move_to_new(items, capacity);
    }
    items.push(item);
    Ok(())
}

fn move_to_new<T>(items: &mut Vec<T>, capacity: usize) {
    let mut new = Vec::with_capacity(capacity);
    new.append(items);
    *items = new;
}
