//! The records, each an object that is made at its first use and filled anew for each further one. Source: MS-NRBF 2.

use crate::codec::nrbf::{BinaryType, PrimitiveType};
use crate::codec::{DecodeError, DecodeProblem};

use super::super::heap::{create, new_array};
use super::binary_reader::BinaryReader;
use super::object::Object;

/// The start of a stream.
#[derive(Default)]
pub(crate) struct SerializationHeaderRecord {
    pub(super) root_id: i32,
}

/// The bytes of the record, its kind included.
const HEADER_BYTES: usize = 17;

/// The header id of a stream without remoting headers.
const NO_HEADERS: i32 = -1;

/// The format's version: major, minor.
const VERSION: (i32, i32) = (1, 0);

impl SerializationHeaderRecord {
    pub(super) fn read(&mut self, reader: &mut BinaryReader<'_>) -> Result<(), DecodeError> {
        let bytes = reader.read_bytes(HEADER_BYTES)?;
        if bytes[0] != 0 {
            return Err(reader.error_before(HEADER_BYTES, DecodeProblem::UnexpectedTag(bytes[0])));
        }
        let number = |at: usize| i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        self.root_id = number(1);
        if number(5) != NO_HEADERS {
            return Err(reader.error_before(HEADER_BYTES - 5, DecodeProblem::ValueOutOfRange));
        }
        let (major, minor) = (number(9), number(13));
        if (major, minor) != VERSION {
            return Err(
                reader.error_before(HEADER_BYTES - 9, DecodeProblem::UnsupportedVersion { major, minor })
            );
        }
        Ok(())
    }
}

/// The name of a library.
#[derive(Default)]
pub(crate) struct BinaryAssembly {
    pub(super) assembly_id: i32,
    pub(super) name: String,
}

impl BinaryAssembly {
    pub(super) fn read(&mut self, reader: &mut BinaryReader<'_>) -> Result<(), DecodeError> {
        self.assembly_id = reader.read_id()?;
        self.name = reader.read_text()?;
        Ok(())
    }
}

/// An object of a class that the record describes.
#[derive(Default)]
pub(crate) struct BinaryObjectWithMapTyped<'g> {
    pub(super) object_id: i32,
    pub(super) name: String,
    pub(super) member_names: Vec<String>,
    pub(super) types: Vec<BinaryType>,
    pub(super) type_information: Vec<Object<'g>>,
    pub(super) member_assembly_ids: Vec<i32>,
    /// The class's library; 0 is .NET's own.
    pub(super) assembly_id: i32,
}

/// The least that a member takes in a class record: the length of its name, and its type.
const MEMBER_BYTES: usize = 2;

impl BinaryObjectWithMapTyped<'_> {
    pub(super) fn read(
        &mut self,
        reader: &mut BinaryReader<'_>,
        has_library: bool,
    ) -> Result<(), DecodeError> {
        self.object_id = reader.read_id()?;
        self.name = reader.read_text()?;
        let count = reader.read_count(MEMBER_BYTES)?;
        self.member_names = new_array(count);
        self.types = std::hint::black_box(Vec::with_capacity(count));
        self.type_information = new_array(count);
        self.member_assembly_ids = new_array(count);
        for name in &mut self.member_names {
            *name = reader.read_text()?;
        }
        for _ in 0..count {
            self.types.push(read_binary_type(reader)?);
        }
        for (index, ty) in self.types.iter().enumerate() {
            let (information, assembly_id) = read_type_information(reader, *ty)?;
            self.type_information[index] = information;
            self.member_assembly_ids[index] = assembly_id;
        }
        self.assembly_id = if has_library { reader.read_id()? } else { 0 };
        Ok(())
    }
}

fn read_binary_type(reader: &mut BinaryReader<'_>) -> Result<BinaryType, DecodeError> {
    let code = reader.read_byte()?;
    BinaryType::from_code(code).ok_or_else(|| reader.error_before(1, DecodeProblem::UnexpectedTag(code)))
}

/// What a type needs beside its kind, and its library: .NET's `BinaryConverter.ReadTypeInfo`.
fn read_type_information<'g>(
    reader: &mut BinaryReader<'_>,
    ty: BinaryType,
) -> Result<(Object<'g>, i32), DecodeError> {
    match ty {
        BinaryType::Primitive => {
            let code = reader.read_byte()?;
            let primitive = PrimitiveType::from_code(code)
                .ok_or_else(|| reader.error_before(1, DecodeProblem::UnexpectedTag(code)))?;
            Ok((Object::Primitive(create(primitive)), 0))
        }
        BinaryType::String => Ok((Object::Null, 0)),
        BinaryType::SystemClass => Ok((Object::Text(reader.read_text()?), 0)),
        BinaryType::Class => {
            let name = reader.read_text()?;
            Ok((Object::Text(name), reader.read_id()?))
        }
        BinaryType::Object => Err(reader.error(DecodeProblem::UnsupportedType("Object"))),
        BinaryType::ObjectArray => Err(reader.error(DecodeProblem::UnsupportedType("Object[]"))),
        BinaryType::StringArray => Err(reader.error(DecodeProblem::UnsupportedType("String[]"))),
        BinaryType::PrimitiveArray => {
            Err(reader.error(DecodeProblem::UnsupportedValue("an array of primitives")))
        }
    }
}

/// An object of a class that an earlier record has described.
#[derive(Default)]
pub(crate) struct BinaryObject {
    pub(super) object_id: i32,
    pub(super) map_id: i32,
}

impl BinaryObject {
    pub(super) fn read(&mut self, reader: &mut BinaryReader<'_>) -> Result<(), DecodeError> {
        self.object_id = reader.read_id()?;
        self.map_id = reader.read_id()?;
        Ok(())
    }
}

/// An array.
#[derive(Default)]
pub(crate) struct BinaryArray<'g> {
    pub(super) object_id: i32,
    pub(super) lengths: Vec<i32>,
    /// 0 in each dimension.
    pub(super) lower_bounds: Vec<i32>,
    pub(super) type_information: Object<'g>,
    pub(super) assembly_id: i32,
}

/// An array of one dimension that begins at 0.
const SINGLE: u8 = 0;

impl BinaryArray<'_> {
    pub(super) fn read(&mut self, reader: &mut BinaryReader<'_>) -> Result<(), DecodeError> {
        self.object_id = reader.read_id()?;
        if reader.read_byte()? != SINGLE || reader.read_int32()? != 1 {
            return Err(reader.error(DecodeProblem::UnsupportedValue(
                "an array that is jagged or has several dimensions",
            )));
        }
        // A null in a row of nulls takes less than a byte; an array with more of them than bytes is none of a model's.
        self.lengths = new_array(1);
        self.lower_bounds = new_array(1);
        self.lengths[0] = reader.read_count(1)? as i32;
        let element_type = read_binary_type(reader)?;
        (self.type_information, self.assembly_id) = read_type_information(reader, element_type)?;
        Ok(())
    }
}

/// A string, at its first use.
#[derive(Default)]
pub(crate) struct BinaryObjectString {
    pub(super) object_id: i32,
    pub(super) value: String,
}

impl BinaryObjectString {
    pub(super) fn read(&mut self, reader: &mut BinaryReader<'_>) -> Result<(), DecodeError> {
        self.object_id = reader.read_id()?;
        self.value = reader.read_text()?;
        Ok(())
    }
}

/// An object that stands elsewhere in the stream.
#[derive(Default)]
pub(crate) struct MemberReference {
    pub(super) id: i32,
}

impl MemberReference {
    pub(super) fn read(&mut self, reader: &mut BinaryReader<'_>) -> Result<(), DecodeError> {
        self.id = reader.read_id()?;
        Ok(())
    }
}

/// One null, or several in a row.
#[derive(Default)]
pub(crate) struct ObjectNull {
    pub(super) count: usize,
}

/// A primitive whose type the class record has told.
#[derive(Default)]
pub(crate) struct MemberPrimitiveUnTyped<'g> {
    pub(super) value: Object<'g>,
}

impl MemberPrimitiveUnTyped<'_> {
    pub(super) fn read(
        &mut self,
        reader: &mut BinaryReader<'_>,
        primitive: PrimitiveType,
    ) -> Result<(), DecodeError> {
        self.value = Object::Boxed(reader.read_value(primitive)?);
        Ok(())
    }
}
