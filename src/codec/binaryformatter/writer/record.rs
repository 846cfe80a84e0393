//! The records, each an object that is made once a graph and filled anew for each use. Source: MS-NRBF 2.

use std::rc::Rc;

use crate::codec::dotnet::{Boxed, StreamFull};
use crate::codec::nrbf::{ArrayKind, BinaryType, RecordKind};

use super::binary_writer::BinaryWriter;
use super::object::Object;
use super::object_info::SerObjectInfoCache;

/// The format's version.
const MAJOR_VERSION: i32 = 1;
const MINOR_VERSION: i32 = 0;

/// The start of a stream.
pub(crate) struct SerializationHeaderRecord {
    pub(super) root_id: i32,
    pub(super) header_id: i32,
}

impl SerializationHeaderRecord {
    pub(super) fn write(&self, writer: &mut BinaryWriter<'_>) -> Result<(), StreamFull> {
        writer.write_byte(RecordKind::SerializedStreamHeader.code())?;
        [self.root_id, self.header_id, MAJOR_VERSION, MINOR_VERSION]
            .into_iter()
            .try_for_each(|number| writer.write_int32(number))
    }
}

/// The name of a library.
#[derive(Default)]
pub(crate) struct BinaryAssembly<'g> {
    pub(super) assembly_id: i32,
    pub(super) assembly: &'g str,
}

impl BinaryAssembly<'_> {
    pub(super) fn write(&self, writer: &mut BinaryWriter<'_>) -> Result<(), StreamFull> {
        writer.write_byte(RecordKind::BinaryLibrary.code())?;
        writer.write_int32(self.assembly_id)?;
        writer.write_text(self.assembly)
    }
}

/// An object of a class that has not come before: it describes its members, whose values follow.
#[derive(Default)]
pub(crate) struct BinaryObjectWithMapTyped<'g> {
    pub(super) object_id: i32,
    pub(super) name: &'g str,
    pub(super) members: Option<Rc<SerObjectInfoCache<'g>>>,
    pub(super) types: Vec<BinaryType>,
    pub(super) type_information: Vec<Object<'g>>,
    pub(super) member_assembly_ids: Vec<i32>,
    /// The class's library; 0 is .NET's own.
    pub(super) assembly_id: i32,
}

impl BinaryObjectWithMapTyped<'_> {
    pub(super) fn write(&self, writer: &mut BinaryWriter<'_>) -> Result<(), StreamFull> {
        writer.write_byte(match self.assembly_id {
            0 => RecordKind::SystemClassWithMembersAndTypes.code(),
            _ => RecordKind::ClassWithMembersAndTypes.code(),
        })?;
        writer.write_int32(self.object_id)?;
        writer.write_text(self.name)?;
        writer.write_int32(self.types.len() as i32)?;
        for name in self.members.iter().flat_map(|members| &members.member_names) {
            writer.write_text(name)?;
        }
        self.types.iter().try_for_each(|ty| writer.write_byte(ty.code()))?;
        for (information, assembly_id) in self.type_information.iter().zip(&self.member_assembly_ids) {
            write_type_information(information, *assembly_id, writer)?;
        }
        if self.assembly_id != 0 {
            writer.write_int32(self.assembly_id)?;
        }
        Ok(())
    }
}

/// What a type needs beside its kind: a primitive's code, or a class's name and its library, if that is not .NET's own.
fn write_type_information(
    information: &Object<'_>,
    assembly_id: i32,
    writer: &mut BinaryWriter<'_>,
) -> Result<(), StreamFull> {
    match information {
        Object::Primitive(primitive) => writer.write_byte(primitive.code()),
        Object::Name(name) => {
            writer.write_text(name)?;
            if assembly_id == 0 { Ok(()) } else { writer.write_int32(assembly_id) }
        }
        _ => Ok(()),
    }
}

/// An object of a class that an earlier record describes. Its members' values follow.
#[derive(Default)]
pub(crate) struct BinaryObject {
    pub(super) object_id: i32,
    pub(super) map_id: i32,
}

impl BinaryObject {
    pub(super) fn write(&self, writer: &mut BinaryWriter<'_>) -> Result<(), StreamFull> {
        writer.write_byte(RecordKind::ClassWithId.code())?;
        writer.write_int32(self.object_id)?;
        writer.write_int32(self.map_id)
    }
}

/// An array of one dimension. Its elements follow.
#[derive(Default)]
pub(crate) struct BinaryArray<'g> {
    pub(super) object_id: i32,
    pub(super) lengths: Vec<i32>,
    pub(super) element_type: Option<BinaryType>,
    pub(super) type_information: Object<'g>,
    pub(super) assembly_id: i32,
}

impl BinaryArray<'_> {
    pub(super) fn write(&self, writer: &mut BinaryWriter<'_>) -> Result<(), StreamFull> {
        writer.write_byte(RecordKind::BinaryArray.code())?;
        writer.write_int32(self.object_id)?;
        writer.write_byte(ArrayKind::Single.code())?;
        writer.write_int32(self.lengths.len() as i32)?;
        self.lengths.iter().try_for_each(|length| writer.write_int32(*length))?;
        if let Some(element_type) = self.element_type {
            writer.write_byte(element_type.code())?;
        }
        write_type_information(&self.type_information, self.assembly_id, writer)
    }
}

/// A string, at its first use.
#[derive(Default)]
pub(crate) struct BinaryObjectString<'g> {
    pub(super) object_id: i32,
    pub(super) value: &'g str,
}

impl BinaryObjectString<'_> {
    pub(super) fn write(&self, writer: &mut BinaryWriter<'_>) -> Result<(), StreamFull> {
        writer.write_byte(RecordKind::BinaryObjectString.code())?;
        writer.write_int32(self.object_id)?;
        writer.write_text(self.value)
    }
}

/// An object that stands elsewhere in the stream.
#[derive(Default)]
pub(crate) struct MemberReference {
    pub(super) id: i32,
}

impl MemberReference {
    pub(super) fn write(&self, writer: &mut BinaryWriter<'_>) -> Result<(), StreamFull> {
        writer.write_byte(RecordKind::MemberReference.code())?;
        writer.write_int32(self.id)
    }
}

/// One null, or several in a row.
#[derive(Default)]
pub(crate) struct ObjectNull {
    pub(super) count: i32,
}

impl ObjectNull {
    pub(super) fn write(&self, writer: &mut BinaryWriter<'_>) -> Result<(), StreamFull> {
        match u8::try_from(self.count) {
            Ok(1) => writer.write_byte(RecordKind::ObjectNull.code()),
            Ok(count) => {
                writer.write_byte(RecordKind::ObjectNullMultiple256.code())?;
                writer.write_byte(count)
            }
            Err(_) => {
                writer.write_byte(RecordKind::ObjectNullMultiple.code())?;
                writer.write_int32(self.count)
            }
        }
    }
}

/// A primitive whose type the class record has told.
#[derive(Default)]
pub(crate) struct MemberPrimitiveUnTyped {
    pub(super) value: Option<Boxed>,
}

impl MemberPrimitiveUnTyped {
    pub(super) fn write(&self, writer: &mut BinaryWriter<'_>) -> Result<(), StreamFull> {
        match &self.value {
            Some(Boxed::Boolean(value)) => writer.write_byte((**value).into()),
            Some(Boxed::SByte(value)) => writer.write(value.to_le_bytes()),
            Some(Boxed::Byte(value)) => writer.write_byte(**value),
            Some(Boxed::Int16(value)) => writer.write(value.to_le_bytes()),
            Some(Boxed::UInt16(value)) => writer.write(value.to_le_bytes()),
            Some(Boxed::Int32(value)) => writer.write(value.to_le_bytes()),
            Some(Boxed::UInt32(value)) => writer.write(value.to_le_bytes()),
            Some(Boxed::Int64(value)) => writer.write(value.to_le_bytes()),
            Some(Boxed::UInt64(value)) => writer.write(value.to_le_bytes()),
            Some(Boxed::Single(value)) => writer.write(value.to_le_bytes()),
            Some(Boxed::Double(value)) => writer.write(value.to_le_bytes()),
            Some(Boxed::DateTime(value)) => writer.write(value.to_binary().to_le_bytes()),
            // Types with other values are not loaded.
            _ => Ok(()),
        }
    }
}

/// The end of a stream.
pub(crate) struct MessageEnd {
    /// The record's only byte. The original has no field, but no object is without size there.
    pub(super) kind: RecordKind,
}

impl MessageEnd {
    pub(super) fn write(&self, writer: &mut BinaryWriter<'_>) -> Result<(), StreamFull> {
        writer.write_byte(self.kind.code())
    }
}
