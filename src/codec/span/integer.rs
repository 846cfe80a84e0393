//! Integers, in fixed width and in seven-bit groups.

use super::{SpanFormat, SpanReader, SpanWriter};
use crate::codec::{DecodeError, span::EncodeError};

/// An integer of 8 to 64 bits. Not for other types to implement.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an integer of 8 to 64 bits",
    label = "this type is no integer"
)]
pub trait Integer: Copy + sealed::Sealed {
    /// Bytes in fixed width.
    const BYTES: usize;

    /// Most bytes in seven-bit groups that a reader accepts: 5, and 10 for 64 bits.
    const MAX_ENCODED_BYTES: usize = if Self::BYTES == 8 { 10 } else { 5 };

    /// The bits, with zeros in front.
    fn to_bits(self) -> u64;

    /// From the lowest bits; those above are dropped.
    fn from_bits(bits: u64) -> Self;
}

pub(super) mod sealed {
    use super::{DecodeError, EncodeError, SpanFormat, SpanReader, SpanWriter};

    /// The part of an integer that is the format's own business.
    pub trait Sealed: Sized {
        fn write_fixed<F: SpanFormat>(self, writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError>;
        fn read_fixed<F: SpanFormat>(reader: &mut SpanReader<'_, F>) -> Result<Self, DecodeError>;
    }
}

macro_rules! integers {
    ($($type:ident as $unsigned:ident),*) => {$(
        impl Integer for $type {
            const BYTES: usize = size_of::<Self>();

            #[inline(always)]
            fn to_bits(self) -> u64 {
                u64::from(self as $unsigned)
            }

            #[inline(always)]
            fn from_bits(bits: u64) -> Self {
                bits as Self
            }
        }

        impl sealed::Sealed for $type {
            #[inline(always)]
            fn write_fixed<F: SpanFormat>(self, writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
                writer.put(if F::BIG_ENDIAN { self.to_be_bytes() } else { self.to_le_bytes() })
            }

            #[inline(always)]
            fn read_fixed<F: SpanFormat>(reader: &mut SpanReader<'_, F>) -> Result<Self, DecodeError> {
                let bytes = reader.take()?;
                Ok(if F::BIG_ENDIAN { Self::from_be_bytes(bytes) } else { Self::from_le_bytes(bytes) })
            }
        }
    )*};
}

integers!(i8 as u8, u8 as u8, i16 as u16, u16 as u16, i32 as u32, u32 as u32, i64 as u64, u64 as u64);
