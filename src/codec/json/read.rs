//! Reading.

use std::marker::PhantomData;

use serde::de::{DeserializeOwned, DeserializeSeed};
use serde_json::{Deserializer, Error, Value};

use super::stack::{ReadStackFrame, Stack};
use crate::codec::adapter::{Container, Guard, Guarded, TooDeep};

impl Guard for Stack<ReadStackFrame> {
    const CLASSES_ARE_OBJECTS: bool = true;

    fn enter(&mut self, container: Container) -> Result<(), TooDeep> {
        self.push(container)
    }

    fn leave(&mut self, container: Container) {
        self.pop(container);
    }

    /// JSON gives no lengths.
    fn max_elements(&self) -> usize {
        0
    }
}

/// Reads a value.
///
/// # Errors
/// When the bytes are no JSON, hold no such value, go on behind it, or nest deeper than
/// [`MAX_DEPTH`](super::MAX_DEPTH); the error has the line and the column, unless a member comes twice and the value is not
/// what it should be: then it was read by way of a tree, which knows no places.
///
/// # Examples
/// ```
/// use alloclab::codec::json;
/// use alloclab::model::Payload;
///
/// let payload: Payload = json::from_slice(br#"{"Id":1,"Unknown":[{}],"Id":2}"#)?;
/// assert_eq!(payload, Payload { id: 2, ..Payload::default() });
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn from_slice<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    from_slice_seed(bytes, PhantomData)
}

/// Reads a value in the way of its seed.
///
/// A class that comes across a member for the second time cannot take it any more. That is rare: only then everything is
/// read again, by way of a tree, in which a member takes the place of an earlier one of its name.
pub(in crate::codec) fn from_slice_seed<S, V>(bytes: &[u8], seed: S) -> Result<V, Error>
where
    S: for<'de> DeserializeSeed<'de, Value = V> + Clone,
{
    match parse(bytes, seed.clone()) {
        Err(error) if is_duplicate(&error) => seed.deserialize(parse(bytes, PhantomData::<Value>)?),
        read => read,
    }
}

fn parse<'de, S: DeserializeSeed<'de>>(bytes: &'de [u8], seed: S) -> Result<S::Value, Error> {
    let mut deserializer = Deserializer::from_slice(bytes);
    let mut stack = Stack::new();
    let value = seed.deserialize(Guarded { inner: &mut deserializer, guard: &mut stack })?;
    deserializer.end()?;
    Ok(value)
}

/// Whether the error is `serde::de::Error::duplicate_field`, whose text is all that serde_json keeps of it.
fn is_duplicate(error: &Error) -> bool {
    error.is_data() && error.to_string().starts_with("duplicate field ")
}
