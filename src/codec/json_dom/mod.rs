//! JSON as Newtonsoft.Json writes and reads it, by way of a document tree, over serde_json.
//!
//! Written: members in the order of their declaration, no spaces, little escaped, a point in every floating-point number.
//! Read: unknown members passed over, the last of several members of one name; values nested no deeper than [`MAX_DEPTH`].
//! The original reads more: names in another case, comments, commas at the end, single quotes, and the strings that it writes
//! for numbers that are infinite or none.
//!
//! Source: JamesNK/Newtonsoft.Json 13, with the settings that hold when none are given.

mod codec;
mod formatter;

use std::io::Write;
use std::marker::PhantomData;

use serde::Serialize;
use serde::de::{DeserializeOwned, DeserializeSeed};
use serde_json::{Deserializer, Error, Serializer, Value};

use self::formatter::{NewtonsoftFormatter, Symbols};
use super::adapter::{Guarded, Nesting, Written};

pub use self::codec::JsonDomCodec;

/// The deepest level that is read: `JsonSerializerSettings.MaxDepth`.
pub const MAX_DEPTH: usize = 64;

/// Classes are objects; lists have no lengths in front.
type JsonNesting = Nesting<true>;

/// Writes a value, by way of a tree.
///
/// # Errors
/// When the writer takes no more, or a key is no text.
///
/// # Examples
/// ```
/// use alloclab::codec::json_dom;
///
/// let mut bytes = Vec::new();
/// json_dom::to_writer(&mut bytes, &("Ærø & <i>\u{1}", 1e16, 9.0, f64::NAN))?;
/// assert_eq!(bytes, "[\"Ærø & <i>\\u0001\",1E+16,9.0,\"NaN\"]".as_bytes());
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn to_writer<T: Serialize + ?Sized>(writer: impl Write, value: &T) -> Result<(), Error> {
    let tree = value.serialize(Written { inner: serde_json::value::Serializer, dialect: &Symbols })?;
    tree.serialize(&mut Serializer::with_formatter(writer, NewtonsoftFormatter))
}

/// Reads a value, by way of a tree.
///
/// # Errors
/// When the bytes are no JSON, go on behind it, or nest deeper than [`MAX_DEPTH`]: the error has the line and the column.
/// When they hold no such value: it has neither, for a tree knows no places.
///
/// # Examples
/// ```
/// use alloclab::codec::json_dom;
/// use alloclab::model::Payload;
///
/// let payload: Payload = json_dom::from_slice(br#"{"Id":1,"Unknown":[{}],"Id":2}"#)?;
/// assert_eq!(payload, Payload { id: 2, ..Payload::default() });
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn from_slice<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    from_slice_seed(bytes, PhantomData)
}

/// Reads a value in the way of its seed.
fn from_slice_seed<S, V>(bytes: &[u8], seed: S) -> Result<V, Error>
where
    S: for<'de> DeserializeSeed<'de, Value = V>,
{
    let mut deserializer = Deserializer::from_slice(bytes);
    let mut nesting = JsonNesting::new(MAX_DEPTH, 0);
    let whole = PhantomData::<Value>;
    let tree = whole.deserialize(Guarded { inner: &mut deserializer, guard: &mut nesting })?;
    deserializer.end()?;
    let mut nesting = JsonNesting::new(MAX_DEPTH, usize::MAX);
    seed.deserialize(Guarded { inner: tree, guard: &mut nesting })
}
