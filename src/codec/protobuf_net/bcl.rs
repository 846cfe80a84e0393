//! .NET's own types as messages: protobuf-net's `bcl.proto`.

use std::io::{self, BufRead};

use super::wire::{Field, WireType, zigzag};
use super::{ProtoContract, ProtoReader, ProtoWriter};
use crate::codec::{DecodeError, DecodeProblem};
use crate::model::{self, DateTimeKind, MAX_TICKS, TICKS_PER_SECOND, UNIX_EPOCH_TICKS};

/// `bcl.DateTime`: how many of a unit an instant is from 1970, in the largest unit that is exact.
///
/// The kind is written only on request (`IncludeDateTimeKind`), and read if it is there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DateTime {
    value: i64,
    scale: i32,
    kind: i32,
}

/// Ticks of each unit: days, hours, minutes, seconds, milliseconds, ticks. The index is the scale.
const UNITS: [i64; 6] = {
    let second = TICKS_PER_SECOND as i64;
    [86_400 * second, 3_600 * second, 60 * second, second, second / 1_000, 1]
};

/// The scale at which 1 is the last instant and -1 the first.
const MIN_MAX: i32 = 15;

const VALUE: u32 = 1;
const SCALE: u32 = 2;
const KIND: u32 = 3;

impl From<model::DateTime> for DateTime {
    fn from(instant: model::DateTime) -> Self {
        match instant.ticks() {
            0 => Self { value: -1, scale: MIN_MAX, kind: 0 },
            MAX_TICKS => Self { value: 1, scale: MIN_MAX, kind: 0 },
            ticks => {
                let delta = ticks as i64 - UNIX_EPOCH_TICKS as i64;
                let is_exact = |unit: &i64| delta % unit == 0;
                // The last unit is one tick, which is always exact.
                let scale = UNITS.iter().position(is_exact).unwrap_or(UNITS.len() - 1);
                Self { value: delta / UNITS[scale], scale: scale as i32, kind: 0 }
            }
        }
    }
}

impl DateTime {
    /// The instant; an error stands where the message does.
    pub(super) fn to_date_time(self, offset: usize) -> Result<model::DateTime, DecodeError> {
        let instant = self.ticks().zip(self.kind()).and_then(|(ticks, kind)| {
            let ticks = u64::try_from(ticks).ok()?;
            model::DateTime::from_ticks(ticks, kind)
        });
        instant.ok_or(DecodeError { offset, problem: DecodeProblem::ValueOutOfRange })
    }

    fn ticks(self) -> Option<i64> {
        match (self.scale, self.value) {
            (MIN_MAX, 1) => Some(MAX_TICKS as i64),
            (MIN_MAX, -1) => Some(0),
            (scale, value) => {
                let unit = UNITS.get(usize::try_from(scale).ok()?)?;
                value.checked_mul(*unit)?.checked_add(UNIX_EPOCH_TICKS as i64)
            }
        }
    }

    fn kind(self) -> Option<DateTimeKind> {
        match self.kind {
            0 => Some(DateTimeKind::Unspecified),
            1 => Some(DateTimeKind::Utc),
            2 => Some(DateTimeKind::Local),
            _ => None,
        }
    }
}

impl ProtoContract for DateTime {
    fn write_members(&self, writer: &mut ProtoWriter<'_>) -> io::Result<()> {
        if self.value != 0 {
            writer.write_field(VALUE, WireType::Varint)?;
            writer.write_varint(zigzag(self.value))?;
        }
        if self.scale != 0 {
            writer.write_field(SCALE, WireType::Varint)?;
            writer.write_varint(self.scale as u64)?;
        }
        Ok(())
    }

    fn read_member<R: BufRead>(
        &mut self,
        field: Field,
        reader: &mut ProtoReader<R>,
    ) -> Result<(), DecodeError> {
        match field.number {
            VALUE => self.value = reader.read_signed(field)?,
            SCALE => self.scale = reader.read_int32(field)?,
            KIND => self.kind = reader.read_int32(field)?,
            _ => reader.skip(field)?,
        }
        Ok(())
    }
}
