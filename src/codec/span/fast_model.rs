//! The layout of [`FastModel`], written by hand as in the original.

use super::{EncodeError, Size, SpanDeserialize, SpanFormat, SpanReader, SpanSerialize, SpanWriter};
use crate::codec::DecodeError;
use crate::model::{DateTime, FastModel};

/// The number, and the least of a name.
const HEAD: Size = Size::sum([i32::SIZE, String::SIZE]);
/// What stands behind the name.
const TAIL: Size = Size::sum([bool::SIZE, DateTime::SIZE, f64::SIZE]);

impl SpanSerialize for FastModel {
    const SIZE: Size = Size::sum([HEAD, TAIL]);

    #[inline(always)]
    fn write<F: SpanFormat>(&self, writer: &mut SpanWriter<'_, F>) -> Result<(), EncodeError> {
        writer.require(HEAD.min())?;
        writer.write(&self.id)?;
        writer.write(&self.name)?;
        writer.require(TAIL.min())?;
        writer.write(&self.is_active)?;
        writer.write(&self.created_at)?;
        writer.write(&self.score)
    }
}

impl<'a> SpanDeserialize<'a> for FastModel {
    #[inline(always)]
    fn read<F: SpanFormat>(reader: &mut SpanReader<'a, F>) -> Result<Self, DecodeError> {
        reader.require(HEAD.min())?;
        let id = reader.read()?;
        let name = reader.read()?;
        reader.require(TAIL.min())?;
        Ok(Self { id, name, is_active: reader.read()?, created_at: reader.read()?, score: reader.read()? })
    }
}
