//! A [`DateTime`] in serde's formats: text where people read, else MessagePack's timestamp.
//!
//! Source of the timestamp: MessagePack specification, "Timestamp extension type", and MessagePack-CSharp, which writes the
//! shortest of its three forms, local times as UTC, and reads every time as UTC.

use std::fmt;

use rmp_serde::MSGPACK_EXT_STRUCT_NAME;
use serde::de::{Deserialize, Deserializer, Error as _, SeqAccess, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

use super::datetime::{DateTime, DateTimeKind, TICKS_PER_SECOND, UNIX_EPOCH_TICKS};
use super::datetime_text::Text;

/// The type of the extension.
const TIMESTAMP: i8 = -1;

const NANOSECONDS_PER_TICK: u64 = 100;
const NANOSECONDS_PER_SECOND: u64 = 1_000_000_000;

/// Bits of the seconds in the form of eight bytes.
const SECOND_BITS: u32 = 34;

impl DateTime {
    /// The name of the newtype that a time's text is for serde: what writes JSON can tell by it that the text stands as it
    /// is.
    pub(crate) const TEXT_NAME: &'static str = "DateTime";
}

impl Serialize for DateTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_newtype_struct(Self::TEXT_NAME, Text::of(*self).as_str())
        } else {
            serializer.serialize_newtype_struct(MSGPACK_EXT_STRUCT_NAME, &(TIMESTAMP, &Timestamp::of(*self)))
        }
    }
}

impl<'de> Deserialize<'de> for DateTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(TextVisitor)
        } else {
            deserializer.deserialize_newtype_struct(MSGPACK_EXT_STRUCT_NAME, ExtensionVisitor)
        }
    }
}

/// The bytes of a timestamp.
struct Timestamp {
    bytes: [u8; 12],
    length: usize,
}

impl Timestamp {
    fn of(time: DateTime) -> Self {
        let seconds = time.unix_seconds();
        let nanoseconds = time.ticks() % TICKS_PER_SECOND * NANOSECONDS_PER_TICK;
        let mut bytes = [0; 12];
        let length = match (u32::try_from(seconds), u64::try_from(seconds)) {
            (Ok(seconds), _) if nanoseconds == 0 => {
                bytes[..4].copy_from_slice(&seconds.to_be_bytes());
                4
            }
            (_, Ok(seconds)) if seconds >> SECOND_BITS == 0 => {
                bytes[..8].copy_from_slice(&(nanoseconds << SECOND_BITS | seconds).to_be_bytes());
                8
            }
            _ => {
                bytes[..4].copy_from_slice(&(nanoseconds as u32).to_be_bytes());
                bytes[4..].copy_from_slice(&seconds.to_be_bytes());
                12
            }
        };
        Self { bytes, length }
    }

    /// The time that the bytes of one of the three forms stand for.
    fn read(bytes: &[u8]) -> Option<DateTime> {
        let (seconds, nanoseconds) = if let Ok(bytes) = bytes.try_into() {
            (u32::from_be_bytes(bytes).into(), 0)
        } else if let Ok(bytes) = bytes.try_into() {
            let bits = u64::from_be_bytes(bytes);
            ((bits & ((1 << SECOND_BITS) - 1)) as i64, bits >> SECOND_BITS)
        } else {
            let (nanoseconds, seconds) = bytes.split_first_chunk()?;
            (i64::from_be_bytes(seconds.try_into().ok()?), u32::from_be_bytes(*nanoseconds).into())
        };
        if nanoseconds >= NANOSECONDS_PER_SECOND {
            return None;
        }
        let ticks = seconds.checked_mul(TICKS_PER_SECOND as i64)?;
        let ticks = UNIX_EPOCH_TICKS.checked_add_signed(ticks)?;
        DateTime::from_ticks(ticks + nanoseconds / NANOSECONDS_PER_TICK, DateTimeKind::Utc)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.bytes[..self.length])
    }
}

/// A [`Timestamp`]'s bytes, read.
struct ReadTimestamp(DateTime);

impl<'de> Deserialize<'de> for ReadTimestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(TimestampVisitor).map(Self)
    }
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = DateTime;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a time in the form of ISO 8601")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<DateTime, E> {
        text.parse().map_err(E::custom)
    }
}

struct ExtensionVisitor;

impl<'de> Visitor<'de> for ExtensionVisitor {
    type Value = DateTime;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a timestamp, extension -1")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<DateTime, D::Error> {
        deserializer.deserialize_tuple(2, self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<DateTime, A::Error> {
        let kind: i8 = sequence.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
        if kind != TIMESTAMP {
            return Err(A::Error::invalid_value(Unexpected::Signed(kind.into()), &self));
        }
        let read = sequence.next_element()?.ok_or_else(|| A::Error::invalid_length(1, &self))?;
        let ReadTimestamp(time) = read;
        Ok(time)
    }
}

struct TimestampVisitor;

impl Visitor<'_> for TimestampVisitor {
    type Value = DateTime;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("4, 8 or 12 bytes of a time from year 1 to year 9999")
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<DateTime, E> {
        Timestamp::read(bytes).ok_or_else(|| E::invalid_value(Unexpected::Bytes(bytes), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(time: DateTime) -> Vec<u8> {
        let bytes = rmp_serde::to_vec(&time).unwrap();
        let read: DateTime = rmp_serde::from_slice(&bytes).unwrap();
        assert_eq!((read.ticks(), read.kind()), (time.ticks(), DateTimeKind::Utc));
        bytes
    }

    fn at(text: &str) -> DateTime {
        text.parse().unwrap()
    }

    #[test]
    fn a_timestamp_has_the_shortest_of_its_three_forms() {
        assert_eq!(round_trip(at("1970-01-01T00:00:01Z")), b"\xd6\xff\x00\x00\x00\x01");
        // 400 nanoseconds, shifted by 34 bits: 0x640 and 8 zeros.
        assert_eq!(
            round_trip(at("1970-01-01T00:00:02.000000400")),
            b"\xd7\xff\x00\x00\x06\x40\x00\x00\x00\x02"
        );
        assert_eq!(round_trip(at("2106-02-07T06:28:15Z")), b"\xd6\xff\xff\xff\xff\xff");
        assert_eq!(round_trip(at("2106-02-07T06:28:16+00:00")), b"\xd7\xff\x00\x00\x00\x01\x00\x00\x00\x00");
        let early = b"\xc7\x0c\xff\x3b\x9a\xc9\x9c\xff\xff\xff\xff\xff\xff\xff\xff";
        assert_eq!(round_trip(at("1969-12-31T23:59:59.9999999")), early);
        assert_eq!(round_trip(DateTime::MIN).len(), 15);
        assert_eq!(round_trip(at("9999-12-31T23:59:59.9999999")).len(), 15);
    }

    #[test]
    fn timestamps_that_are_no_time_are_refused() {
        for bytes in [
            b"\xd5\xff\x00\x00".as_slice(),
            b"\xd6\xfe\x00\x00\x00\x01",
            b"\xd7\xff\xee\x6b\x28\x00\x00\x00\x00\x00",
            b"\xc7\x0c\xff\x00\x00\x00\x00\x7f\xff\xff\xff\xff\xff\xff\xff",
            b"\xc7\x0c\xff\x3b\x9a\xca\x00\x00\x00\x00\x00\x00\x00\x00\x00",
            b"\xd6\xff\x00",
            b"\x01",
        ] {
            assert!(rmp_serde::from_slice::<DateTime>(bytes).is_err(), "{bytes:02x?}");
        }
    }

    #[test]
    fn text_is_written_where_people_read() {
        let json = serde_json::to_string(&at("2025-01-01T00:00:00.5Z")).unwrap();
        assert_eq!(json, r#""2025-01-01T00:00:00.5Z""#);
        assert_eq!(serde_json::from_str::<DateTime>(&json).unwrap(), at("2025-01-01T00:00:00.5Z"));
        assert!(serde_json::from_str::<DateTime>("17").is_err());
    }
}
