//! Reading.

use std::marker::PhantomData;

use rmp_serde::Deserializer;
use serde::de::{DeserializeOwned, DeserializeSeed};

use super::envelope::{Form, unpack};
use super::error::Error;
use super::writer::keep_if_pooled;
use crate::codec::adapter::{Guarded, Nesting};

/// The deepest level that is read: `MessagePackSecurity.MaximumObjectGraphDepth`.
pub const MAX_DEPTH: usize = 500;

/// Bytes that compressed bytes may stand for: `MessagePackSecurity.MaximumDecompressedSize` for data that is not trusted.
pub const MAX_UNPACKED_BYTES: usize = 64 << 20;

/// Reads a value, compressed or not; see [`Reader::read`].
///
/// # Errors
/// As [`Reader::read`].
pub fn from_slice<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    Reader::new().read(bytes)
}

/// Reads values, with a buffer that it keeps for unpacking compressed ones; one block of more than
/// [`MAX_POOLED_BYTES`](super::MAX_POOLED_BYTES) is unpacked into a new one.
#[derive(Debug, Default)]
pub struct Reader {
    plain: Vec<u8>,
}

impl Reader {
    /// A reader without a buffer.
    pub const fn new() -> Self {
        Self { plain: Vec::new() }
    }

    /// Reads a value, compressed or not. Bytes behind it are left alone.
    ///
    /// # Errors
    /// When the bytes hold no such value, nest deeper than [`MAX_DEPTH`], unpack to more than [`MAX_UNPACKED_BYTES`], or a
    /// block to more than 64 times its own bytes. What is wrong with the value comes without its place.
    ///
    /// # Examples
    /// ```
    /// use alloclab::codec::messagepack::Reader;
    /// use alloclab::model::Payload;
    ///
    /// // Its list is missing: it keeps the default.
    /// let payload: Payload = Reader::new().read(b"\x92\x2a\xa4name")?;
    /// assert_eq!(payload, Payload { id: 42, name: "name".into(), items: vec![] });
    /// # Ok::<(), alloclab::codec::messagepack::Error>(())
    /// ```
    pub fn read<T: DeserializeOwned>(&mut self, bytes: &[u8]) -> Result<T, Error> {
        self.read_seed(bytes, PhantomData)
    }

    /// Reads a value in the way of its seed.
    pub(super) fn read_seed<S, V>(&mut self, bytes: &[u8], seed: S) -> Result<V, Error>
    where
        S: for<'de> DeserializeSeed<'de, Value = V>,
    {
        let form = unpack(bytes, &mut self.plain)?;
        let value = parse(if form == Form::Plain { bytes } else { &self.plain }, seed);
        if form == Form::Block {
            keep_if_pooled(&mut self.plain);
        }
        value
    }
}

fn parse<'de, S: DeserializeSeed<'de>>(plain: &'de [u8], seed: S) -> Result<S::Value, Error> {
    let mut deserializer = Deserializer::from_read_ref(plain);
    let mut nesting = Nesting::<false>::new(MAX_DEPTH, plain.len());
    Ok(seed.deserialize(Guarded { inner: &mut deserializer, guard: &mut nesting })?)
}
