//! Reading the records that are a value by themselves, and those that are none.

use crate::codec::{DecodeError, DecodeProblem};

use super::allowed::RecordSet;
use super::class::Library;
use super::cursor::Cursor;
use super::graph::{Content, Identified, Run, Value};
use super::message::Message;
use super::primitive::Primitive;
use super::reader::{Frame, Reader, Reference};
use super::record::{PrimitiveType, RecordKind};

/// Records of a few bytes.
impl Reader<'_, '_> {
    pub(super) fn read_string(&mut self) -> Result<(), DecodeError> {
        let id = self.read_id()?;
        let text = self.cursor.text()?;
        self.begin(id, Content::String(text.into()));
        Ok(())
    }

    pub(super) fn read_boxed(&mut self) -> Result<(), DecodeError> {
        let kind = self.cursor.primitive_type()?;
        let value = Primitive::read(&mut self.cursor, kind)?;
        self.place(Value::Primitive(value));
        Ok(())
    }

    pub(super) fn read_reference(&mut self, records: RecordSet) -> Result<(), DecodeError> {
        let offset = self.cursor.offset();
        let id = self.cursor.int32()?;
        self.references.push(Reference { id, offset, records });
        self.place(Value::Reference(id));
        Ok(())
    }

    pub(super) fn read_nulls(&mut self, kind: RecordKind) -> Result<(), DecodeError> {
        let offset = self.cursor.offset();
        let count = match kind {
            RecordKind::ObjectNull => 1,
            RecordKind::ObjectNullMultiple256 => self.cursor.byte()?.into(),
            _ => self.cursor.int32()?,
        };
        let joins = self.graph.libraries.last().is_none_or(|library| library.place != self.places);
        let Some(Frame::Array { runs, left, .. }) = self.frames.last_mut() else {
            self.place(Value::Null);
            return Ok(());
        };
        if count < 1 || u64::from(count as u32) > *left {
            return Err(DecodeError { offset, problem: DecodeProblem::LengthOutOfRange(count.into()) });
        }
        *left -= u64::from(count as u32);
        match runs.last_mut() {
            // A library that came between two nulls keeps its place.
            Some(Run::Nulls(nulls)) if joins && *nulls + count as u32 <= i32::MAX as u32 => {
                *nulls += count as u32;
            }
            _ => {
                runs.push(Run::Nulls(count as u32));
                self.places += 1;
            }
        }
        Ok(())
    }

    pub(super) fn read_library(&mut self) -> Result<(), DecodeError> {
        let id = self.read_id()?;
        let name = self.cursor.text()?.into();
        self.graph.libraries.push(Library { id, name, place: self.places });
        self.graph.ids.insert(id, Identified::Library);
        Ok(())
    }

    pub(super) fn read_message(&mut self, kind: RecordKind) -> Result<(), DecodeError> {
        if self.graph.message.is_some() {
            let offset = self.cursor.offset() - size_of::<RecordKind>();
            return Err(DecodeError { offset, problem: DecodeProblem::UnexpectedTag(kind.code()) });
        }
        self.graph.message = Some(Message::read(&mut self.cursor, kind, self.places)?);
        Ok(())
    }
}

impl Cursor<'_> {
    /// The type of a primitive that may stand by itself.
    pub(super) fn primitive_type(&mut self) -> Result<PrimitiveType, DecodeError> {
        self.tag(|code| {
            PrimitiveType::from_code(code)
                .filter(|kind| !matches!(kind, PrimitiveType::Null | PrimitiveType::String))
        })
    }
}
