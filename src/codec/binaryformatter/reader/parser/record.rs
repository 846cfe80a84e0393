//! Reading a record of each kind.

use std::rc::Rc;

use crate::codec::nrbf::{PrimitiveType, RecordKind};
use crate::codec::{DecodeError, DecodeProblem};

use super::super::super::heap::create;
use super::super::assembly::BinaryAssemblyInfo;
use super::super::object::Object;
use super::super::object_map::ObjectMap;
use super::super::object_reader::ObjectReader;
use super::super::progress::{ArrayInstance, Content, ObjectProgress};
use super::super::sized_array::SizedArray;
use super::{__BinaryParser, Expected};

/// Lengths of the tables of libraries and of classes, for positive and for negative numbers.
const ASSEMBLIES: (usize, usize) = (2, 2);
const OBJECT_MAPS: (usize, usize) = (16, 4);

/// The record of a kind: the one at hand, or a new one.
fn reused<R: Default>(record: &mut Option<Box<R>>) -> &mut R {
    record.get_or_insert_with(|| create(R::default()))
}

impl<'g> __BinaryParser<'_, 'g> {
    pub(super) fn read_record(
        &mut self,
        kind: RecordKind,
        expected: Expected,
        reader: &mut ObjectReader<'g>,
    ) -> Result<(), DecodeError> {
        match (kind, expected) {
            (RecordKind::BinaryLibrary, _) => self.read_assembly(),
            (RecordKind::ClassWithId, Expected::Top) => self.read_object(reader),
            (RecordKind::ClassWithMembersAndTypes, Expected::Top) => {
                self.read_object_with_map_typed(true, reader)
            }
            (RecordKind::SystemClassWithMembersAndTypes, Expected::Top) => {
                self.read_object_with_map_typed(false, reader)
            }
            (RecordKind::BinaryArray, Expected::Top) => self.read_array(reader),
            (RecordKind::BinaryObjectString, Expected::Text) => self.read_object_string(reader),
            (RecordKind::MemberReference, Expected::Text | Expected::Reference | Expected::Element) => {
                self.read_member_reference(expected, reader)
            }
            (RecordKind::ObjectNull, Expected::Text | Expected::Reference | Expected::Element) => {
                self.read_nulls(1)
            }
            (RecordKind::ObjectNullMultiple256, Expected::Element) => {
                let count = self.data_reader.read_byte()?;
                self.read_nulls(count.into())
            }
            (RecordKind::ObjectNullMultiple, Expected::Element) => {
                let count = self.data_reader.read_int32()?;
                self.read_nulls(count.into())
            }
            _ => Err(self.unexpected(kind.code())),
        }
    }

    fn read_assembly(&mut self) -> Result<(), DecodeError> {
        let record = reused(&mut self.binary_assembly);
        record.read(&mut self.data_reader)?;
        let (positive, negative) = ASSEMBLIES;
        let table = self.assembly_table.get_or_insert_with(|| SizedArray::with_lengths(positive, negative));
        if matches!(table.get(record.assembly_id), Some(Object::Assembly(_))) {
            return Err(self.data_reader.error(DecodeProblem::DuplicateId(record.assembly_id)));
        }
        let info = create(BinaryAssemblyInfo { name: Some(std::mem::take(&mut record.name)) });
        table.set(record.assembly_id, Object::Assembly(info));
        Ok(())
    }

    fn read_object(&mut self, reader: &mut ObjectReader<'g>) -> Result<(), DecodeError> {
        let record = reused(&mut self.binary_object);
        record.read(&mut self.data_reader)?;
        let (object_id, map_id) = (record.object_id, record.map_id);
        let Some(Object::Map(map)) = self.object_map_table.as_ref().and_then(|table| table.get(map_id))
        else {
            return Err(self.error(DecodeProblem::UnresolvedId(map_id)));
        };
        let map = Rc::clone(map);
        let progress = self.get_op();
        self.enter_object(progress, object_id, map, reader)
    }

    fn enter_object(
        &mut self,
        mut progress: Box<ObjectProgress<'g>>,
        object_id: i32,
        map: Rc<ObjectMap<'g>>,
        reader: &mut ObjectReader<'g>,
    ) -> Result<(), DecodeError> {
        progress.count = map.member_types.len();
        progress.content = Content::Members(Rc::clone(&map));
        if let Some(record) = &mut progress.record {
            record.object_id = object_id;
            record.object_map = Some(map);
        }
        self.enter(progress, reader)
    }

    fn read_object_with_map_typed(
        &mut self,
        has_library: bool,
        reader: &mut ObjectReader<'g>,
    ) -> Result<(), DecodeError> {
        let record = reused(&mut self.binary_object_with_map_typed);
        record.read(&mut self.data_reader, has_library)?;
        let object_id = record.object_id;
        let progress = self.get_op();
        let map = self.create_object_map(reader)?;
        let (positive, negative) = OBJECT_MAPS;
        let table = self.object_map_table.get_or_insert_with(|| SizedArray::with_lengths(positive, negative));
        table.set(object_id, Object::Map(Rc::clone(&map)));
        self.enter_object(progress, object_id, map, reader)
    }

    /// The class that the record at hand describes, checked against the runtime's.
    fn create_object_map(&mut self, reader: &ObjectReader<'g>) -> Result<Rc<ObjectMap<'g>>, DecodeError> {
        let record = reused(&mut self.binary_object_with_map_typed);
        let assembly_id = record.assembly_id;
        let (name, names) = (std::mem::take(&mut record.name), std::mem::take(&mut record.member_names));
        let (types, information) =
            (std::mem::take(&mut record.types), std::mem::take(&mut record.type_information));
        let object_type = self.library(assembly_id).and_then(|library| reader.get_type(library, &name));
        let object_type = object_type.ok_or_else(|| self.error(DecodeProblem::UnknownName))?;
        let map = ObjectMap::create(object_type, reader.type_cache.types, names, types, &information);
        map.map_err(|problem| self.error(problem))
    }

    /// The library of a number; 0 is .NET's own.
    fn library(&mut self, assembly_id: i32) -> Option<&BinaryAssemblyInfo> {
        if assembly_id == 0 {
            let system =
                self.system_assembly.get_or_insert_with(|| create(BinaryAssemblyInfo { name: None }));
            return Some(system);
        }
        match self.assembly_table.as_ref()?.get(assembly_id) {
            Some(Object::Assembly(info)) => Some(info),
            _ => None,
        }
    }

    fn read_array(&mut self, reader: &mut ObjectReader<'g>) -> Result<(), DecodeError> {
        let record = reused(&mut self.binary_array);
        record.read(&mut self.data_reader)?;
        let (object_id, assembly_id) = (record.object_id, record.assembly_id);
        let length = record.lengths[0] - record.lower_bounds[0];
        let Object::Text(name) = std::mem::take(&mut record.type_information) else {
            return Err(self.error(DecodeProblem::UnsupportedValue("an array of primitives")));
        };
        let element = self.library(assembly_id).and_then(|library| reader.get_type(library, &name));
        let array_type = element.and_then(|element| reader.type_cache.types.array_of(element));
        let array_type = array_type.ok_or_else(|| self.error(DecodeProblem::UnknownName))?;
        let mut progress = self.get_op();
        progress.count = length as usize;
        progress.content = Content::Elements;
        if let Some(record) = &mut progress.record {
            record.object_id = object_id;
            record.array = Some(ArrayInstance::create(array_type, length));
        }
        self.enter(progress, reader)
    }

    fn read_object_string(&mut self, reader: &mut ObjectReader<'g>) -> Result<(), DecodeError> {
        let record = reused(&mut self.binary_object_string);
        record.read(&mut self.data_reader)?;
        let member = reused(&mut self.member_record);
        member.object_id = record.object_id;
        member.value = Object::Text(std::mem::take(&mut record.value));
        self.parse_member(reader)
    }

    pub(super) fn read_member_primitive(
        &mut self,
        primitive: PrimitiveType,
        reader: &mut ObjectReader<'g>,
    ) -> Result<(), DecodeError> {
        let record = reused(&mut self.member_primitive_untyped);
        record.read(&mut self.data_reader, primitive)?;
        reused(&mut self.member_record).value = std::mem::take(&mut record.value);
        self.parse_member(reader)
    }

    fn parse_member(&mut self, reader: &mut ObjectReader<'g>) -> Result<(), DecodeError> {
        let index = self.advance(1);
        let member = reused(&mut self.member_record);
        reader.parse_member(index, member).map_err(|problem| self.data_reader.error(problem))
    }

    fn read_member_reference(
        &mut self,
        expected: Expected,
        reader: &mut ObjectReader<'g>,
    ) -> Result<(), DecodeError> {
        let record = reused(&mut self.member_reference);
        record.read(&mut self.data_reader)?;
        let id = record.id;
        let index = self.advance(1);
        let parsed = match expected {
            Expected::Text => reader.parse_text_reference(index, id),
            Expected::Element => reader.parse_element(index, id),
            _ => reader.parse_reference(index, id),
        };
        parsed.map_err(|problem| self.error(problem))
    }

    /// Members and elements of new objects are null: nulls are passed over.
    fn read_nulls(&mut self, count: i64) -> Result<(), DecodeError> {
        let left = self.progress().map_or(0, |progress| progress.count - progress.index);
        let record = reused(&mut self.object_null);
        record.count = usize::try_from(count)
            .ok()
            .filter(|count| (1..=left).contains(count))
            .ok_or_else(|| self.data_reader.error(DecodeProblem::LengthOutOfRange(count)))?;
        let count = record.count;
        self.advance(count);
        Ok(())
    }
}
