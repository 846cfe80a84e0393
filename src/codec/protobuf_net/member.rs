//! What members can be: numbers, text, objects, lists of them, instants.

use std::io::{self, BufRead};

use super::bcl;
use super::contract::{read_item, write_item};
use super::wire::{Field, WireType};
use super::{ProtoContract, ProtoReader, ProtoWriter};
use crate::codec::DecodeError;
use crate::model::DateTime;

/// A member of a contract.
pub trait ProtoMember {
    /// Writes the member with its tag, or nothing if it is zero, false or null.
    ///
    /// # Errors
    /// Those of the writer's stream.
    fn write(&self, number: u32, writer: &mut ProtoWriter<'_>) -> io::Result<()>;

    /// Reads a field of this member; the last one counts, of lists all, of objects the last of each member.
    ///
    /// # Errors
    /// If the bytes are none of the member's kind.
    fn read<R: BufRead>(&mut self, field: Field, reader: &mut ProtoReader<R>) -> Result<(), DecodeError>;
}

impl ProtoMember for i32 {
    #[inline]
    fn write(&self, number: u32, writer: &mut ProtoWriter<'_>) -> io::Result<()> {
        i64::from(*self).write(number, writer)
    }

    #[inline]
    fn read<R: BufRead>(&mut self, field: Field, reader: &mut ProtoReader<R>) -> Result<(), DecodeError> {
        *self = reader.read_int32(field)?;
        Ok(())
    }
}

impl ProtoMember for i64 {
    #[inline]
    fn write(&self, number: u32, writer: &mut ProtoWriter<'_>) -> io::Result<()> {
        match *self {
            0 => Ok(()),
            value => write_number(value, number, writer),
        }
    }

    #[inline]
    fn read<R: BufRead>(&mut self, field: Field, reader: &mut ProtoReader<R>) -> Result<(), DecodeError> {
        *self = reader.read_int64(field)?;
        Ok(())
    }
}

impl ProtoMember for bool {
    #[inline]
    fn write(&self, number: u32, writer: &mut ProtoWriter<'_>) -> io::Result<()> {
        i64::from(*self).write(number, writer)
    }

    #[inline]
    fn read<R: BufRead>(&mut self, field: Field, reader: &mut ProtoReader<R>) -> Result<(), DecodeError> {
        *self = reader.read_bool(field)?;
        Ok(())
    }
}

impl ProtoMember for f64 {
    /// Minus zero is zero, as in the original.
    #[inline]
    fn write(&self, number: u32, writer: &mut ProtoWriter<'_>) -> io::Result<()> {
        if *self == 0.0 {
            return Ok(());
        }
        writer.write_field(number, WireType::Fixed64)?;
        writer.write_fixed64(self.to_bits())
    }

    #[inline]
    fn read<R: BufRead>(&mut self, field: Field, reader: &mut ProtoReader<R>) -> Result<(), DecodeError> {
        *self = reader.read_double(field)?;
        Ok(())
    }
}

impl ProtoMember for String {
    #[inline]
    fn write(&self, number: u32, writer: &mut ProtoWriter<'_>) -> io::Result<()> {
        writer.write_field(number, WireType::LengthDelimited)?;
        writer.write_string(self)
    }

    #[inline]
    fn read<R: BufRead>(&mut self, field: Field, reader: &mut ProtoReader<R>) -> Result<(), DecodeError> {
        *self = reader.read_string(field)?;
        Ok(())
    }
}

impl ProtoMember for Option<String> {
    #[inline]
    fn write(&self, number: u32, writer: &mut ProtoWriter<'_>) -> io::Result<()> {
        self.as_ref().map_or(Ok(()), |text| text.write(number, writer))
    }

    #[inline]
    fn read<R: BufRead>(&mut self, field: Field, reader: &mut ProtoReader<R>) -> Result<(), DecodeError> {
        *self = Some(reader.read_string(field)?);
        Ok(())
    }
}

impl ProtoMember for DateTime {
    fn write(&self, number: u32, writer: &mut ProtoWriter<'_>) -> io::Result<()> {
        write_item(&bcl::DateTime::from(*self), number, writer)
    }

    fn read<R: BufRead>(&mut self, field: Field, reader: &mut ProtoReader<R>) -> Result<(), DecodeError> {
        let mut message = bcl::DateTime::default();
        reader.read_sub_item(field, &mut message)?;
        *self = message.to_date_time(field.offset)?;
        Ok(())
    }
}

impl<T: ProtoContract> ProtoMember for Option<T> {
    fn write(&self, number: u32, writer: &mut ProtoWriter<'_>) -> io::Result<()> {
        self.as_ref().map_or(Ok(()), |object| write_item(object, number, writer))
    }

    fn read<R: BufRead>(&mut self, field: Field, reader: &mut ProtoReader<R>) -> Result<(), DecodeError> {
        reader.read_sub_item(field, self.get_or_insert_default())
    }
}

impl ProtoMember for Vec<i32> {
    /// One field per number, zeros too: the original packs them on request only (`IsPacked`).
    fn write(&self, number: u32, writer: &mut ProtoWriter<'_>) -> io::Result<()> {
        self.iter().try_for_each(|&item| write_number(item.into(), number, writer))
    }

    fn read<R: BufRead>(&mut self, field: Field, reader: &mut ProtoReader<R>) -> Result<(), DecodeError> {
        reader.read_repeated(field, WireType::Varint, |reader, field| {
            self.push(reader.read_int32(field)?);
            Ok(())
        })
    }
}

impl<T: ProtoContract> ProtoMember for Vec<T> {
    fn write(&self, number: u32, writer: &mut ProtoWriter<'_>) -> io::Result<()> {
        self.iter().try_for_each(|item| write_item(item, number, writer))
    }

    fn read<R: BufRead>(&mut self, field: Field, reader: &mut ProtoReader<R>) -> Result<(), DecodeError> {
        read_item(self, field, reader)
    }
}

impl<T: ProtoContract> ProtoMember for Option<Vec<T>> {
    /// A list without items leaves no trace: it reads back as none.
    fn write(&self, number: u32, writer: &mut ProtoWriter<'_>) -> io::Result<()> {
        self.as_ref().map_or(Ok(()), |items| items.write(number, writer))
    }

    fn read<R: BufRead>(&mut self, field: Field, reader: &mut ProtoReader<R>) -> Result<(), DecodeError> {
        read_item(self.get_or_insert_default(), field, reader)
    }
}

/// Writes a number, whatever it is.
#[inline]
fn write_number(value: i64, number: u32, writer: &mut ProtoWriter<'_>) -> io::Result<()> {
    writer.write_field(number, WireType::Varint)?;
    writer.write_varint(value as u64)
}
