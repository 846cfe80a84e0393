//! Crates that a Rust user would pick between, each as its documentation says to use it, with its own checks on.
//!
//! [`Peer`] is what they have in common: they encode and decode the [`mirror`]s of the models.
//!
//! # Bytes that come from anyone
//! None of them fails with anything but an error. How much memory they take before they see that the bytes do not hold
//! what they claim differs:
//!
//! | crate | a list that claims more elements than there are bytes for |
//! | --- | --- |
//! | `speedy`, `rkyv` | an error before memory is taken |
//! | `postcard` | takes room for one element for each byte that is left, up to 1 MiB; grows as elements arrive |
//! | `bitcode` | takes what is claimed; an element has at least one bit of input for each of its members |
//! | `bincode` | takes what is claimed, up to [`MEMORY_LIMIT`] |
//! | `wincode` | takes what is claimed, up to [`MEMORY_LIMIT`] for each list |
//!
//! So the memory of the last two is limited, but not by the input: ten bytes can make them take 16 MiB for a moment.

mod bincode;
mod bitcode;
mod case;
pub mod mirror;
mod postcard;
mod rkyv;
mod speedy;
mod wincode;

pub use self::bincode::{BincodeCodec, BincodeError};
pub use self::bitcode::BitcodeCodec;
pub use self::postcard::PostcardCodec;
pub use self::rkyv::RkyvCodec;
pub use self::speedy::SpeedyCodec;
pub use self::wincode::{WincodeCodec, WincodeError};

use std::fmt::Debug;
use std::ops::Deref;

use mirror::Mirror;

/// Bytes in memory that a decoder may take by what its input claims, where the crate has such a limit: room for the largest
/// model, the list of users.
pub const MEMORY_LIMIT: usize = 16 << 20;

/// A crate that encodes values of a type and decodes them.
pub trait Peer<T: Mirror> {
    /// Encoded bytes, in a block as the crate reads from it.
    type Bytes: Deref<Target = [u8]> + Send + 'static;
    /// What a caller keeps between operations, so that they need not allocate it.
    type Buffer: Send + 'static;
    /// What is wrong with bytes, or with a buffer: the crate's own error, which says why, and for none of them at which byte.
    type Error: Debug;

    /// A buffer for values of exactly so many encoded bytes.
    fn buffer(encoded_bytes: usize) -> Self::Buffer;

    /// Encodes into a buffer that is used again, and gives the bytes in it.
    ///
    /// # Errors
    /// When the value does not fit the buffer or the crate's limits.
    fn encode_into<'b>(value: &T, buffer: &'b mut Self::Buffer) -> Result<&'b [u8], Self::Error>;

    /// Encodes into new bytes.
    ///
    /// # Errors
    /// When the value does not fit the crate's limits.
    fn encode(value: &T) -> Result<Self::Bytes, Self::Error>;

    /// Decodes a value with strings and lists of its own.
    ///
    /// # Errors
    /// When the bytes make no such value.
    fn decode(bytes: &[u8]) -> Result<T, Self::Error>;

    /// Decodes as [`Peer::decode`], with a buffer for what the crate needs meanwhile: most need nothing.
    ///
    /// # Errors
    /// When the bytes make no such value.
    fn decode_with(bytes: &[u8], _buffer: &mut Self::Buffer) -> Result<T, Self::Error> {
        Self::decode(bytes)
    }

    /// Decodes a value whose strings point into the bytes.
    ///
    /// # Errors
    /// When the bytes make no such value.
    fn borrow(bytes: &[u8]) -> Result<impl Debug, Self::Error>;
}
