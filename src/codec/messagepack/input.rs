//! The few forms of MessagePack that an envelope is made of, read.

use crate::codec::{DecodeError, DecodeProblem};

/// Bytes, and how far they have been read.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    bytes: &'a [u8],
    /// Offset of the first byte in the whole input.
    start: usize,
    read: usize,
}

/// The header of an extension.
pub(super) struct Extension {
    /// Its type.
    pub(super) kind: i8,
    /// Bytes of its body.
    pub(super) length: usize,
}

impl<'a> Input<'a> {
    /// All of the input.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, start: 0, read: 0 }
    }

    /// The bytes that are left.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.read..]
    }

    /// An error at the next byte.
    pub(super) fn error(&self, problem: DecodeProblem) -> DecodeError {
        DecodeError { offset: self.start + self.read, problem }
    }

    /// The next bytes as an input of their own.
    pub(super) fn part(&mut self, length: usize) -> Result<Self, DecodeError> {
        let start = self.start + self.read;
        Ok(Self { bytes: self.take(length)?, start, read: 0 })
    }

    /// The header of an array, if one is next.
    pub(super) fn array(&mut self) -> Result<Option<usize>, DecodeError> {
        self.header(|input, marker| {
            Ok(match marker {
                0x90..=0x9f => Some(usize::from(marker & 0xf)),
                0xdc => Some(input.unsigned(2)? as usize),
                0xdd => Some(input.unsigned(4)? as usize),
                _ => None,
            })
        })
    }

    /// The header of an extension, if one is next.
    pub(super) fn extension(&mut self) -> Result<Option<Extension>, DecodeError> {
        self.header(|input, marker| {
            let length = match marker {
                0xd4..=0xd8 => 1 << (marker - 0xd4),
                0xc7 => input.unsigned(1)? as usize,
                0xc8 => input.unsigned(2)? as usize,
                0xc9 => input.unsigned(4)? as usize,
                _ => return Ok(None),
            };
            let [kind] = *input.take(1)? else { return Ok(None) };
            Ok(Some(Extension { kind: kind as i8, length }))
        })
    }

    /// Bytes with their length in front.
    pub(super) fn binary(&mut self) -> Result<Self, DecodeError> {
        let length = self.header(|input, marker| {
            Ok(match marker {
                0xc4 => Some(input.unsigned(1)? as usize),
                0xc5 => Some(input.unsigned(2)? as usize),
                0xc6 => Some(input.unsigned(4)? as usize),
                _ => None,
            })
        })?;
        match length {
            Some(length) => self.part(length),
            None => Err(self.unexpected()),
        }
    }

    /// An integer of any form.
    pub(super) fn integer(&mut self) -> Result<i64, DecodeError> {
        let integer = self.header(|input, marker| {
            Ok(match marker {
                0x00..=0x7f => Some(marker.into()),
                0xe0..=0xff => Some((marker as i8).into()),
                0xcc..=0xce => Some(input.unsigned(1 << (marker - 0xcc))? as i64),
                0xcf => Some(i64::try_from(input.unsigned(8)?).unwrap_or(i64::MAX)),
                0xd0 => Some((input.unsigned(1)? as i8).into()),
                0xd1 => Some((input.unsigned(2)? as i16).into()),
                0xd2 => Some((input.unsigned(4)? as i32).into()),
                0xd3 => Some(input.unsigned(8)? as i64),
                _ => None,
            })
        })?;
        integer.ok_or_else(|| self.unexpected())
    }

    /// What `read` makes of the next byte and those behind it; if it makes nothing of it, the byte stays.
    fn header<T>(
        &mut self,
        read: impl FnOnce(&mut Self, u8) -> Result<Option<T>, DecodeError>,
    ) -> Result<Option<T>, DecodeError> {
        let Some(&marker) = self.rest().first() else { return Ok(None) };
        let mut behind = Self { read: self.read + 1, ..*self };
        let value = read(&mut behind, marker)?;
        if value.is_some() {
            *self = behind;
        }
        Ok(value)
    }

    fn unexpected(&self) -> DecodeError {
        self.error(match self.rest().first() {
            Some(&byte) => DecodeProblem::UnexpectedTag(byte),
            None => DecodeProblem::EndOfInput { needed: 1, available: 0 },
        })
    }

    fn unsigned(&mut self, bytes: usize) -> Result<u64, DecodeError> {
        let bytes = self.take(bytes)?;
        Ok(bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], DecodeError> {
        let rest = self.rest();
        let end = DecodeProblem::EndOfInput { needed: length, available: rest.len() };
        let bytes = rest.get(..length).ok_or_else(|| self.error(end))?;
        self.read += length;
        Ok(bytes)
    }
}
