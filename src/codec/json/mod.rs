//! JSON as System.Text.Json writes and reads it, over serde_json.
//!
//! Written: members in the order of their declaration, no spaces, everything outside of ASCII escaped, numbers in .NET's
//! shortest form. Read: names in their own case, unknown members passed over, the last of several members of one name, no
//! comments, no commas at the end; values nested no deeper than [`MAX_DEPTH`].
//!
//! Source: dotnet/runtime, `System.Text.Json` and `System.Text.Encodings.Web`, with the options that are set when none are
//! given.

mod codec;
mod escape;
mod formatter;
pub(in crate::codec) mod number;
mod read;
mod stack;

use std::io::Write;

use serde::Serialize;
use serde_json::{Error, Serializer};

use self::formatter::{DotnetFormatter, Plain};
use self::stack::Stack;
use super::adapter::Written;

pub use self::codec::JsonCodec;
pub use self::read::from_slice;
pub(super) use self::read::from_slice_seed;
pub use self::stack::MAX_DEPTH;

/// Writes a value.
///
/// Nothing is allocated but, from the first nested value on, the stack of what is open.
///
/// # Errors
/// When the writer takes no more, when values are nested deeper than [`MAX_DEPTH`], or when a number is infinite or none.
///
/// # Examples
/// ```
/// use alloclab::codec::json;
///
/// let mut bytes = Vec::new();
/// json::to_writer(&mut bytes, &("Ærø & <i>", 1e16, [9.0]))?;
/// assert_eq!(bytes, br#"["\u00C6r\u00F8 \u0026 \u003Ci\u003E",1E+16,[9]]"#);
/// assert!(json::to_writer(&mut bytes, &f64::NAN).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn to_writer<T: Serialize + ?Sized>(writer: impl Write, value: &T) -> Result<(), Error> {
    let dialect = Plain::default();
    let formatter = DotnetFormatter { dialect: &dialect, stack: Stack::new() };
    let mut serializer = Serializer::with_formatter(writer, formatter);
    value.serialize(Written { inner: &mut serializer, dialect: &dialect })
}
