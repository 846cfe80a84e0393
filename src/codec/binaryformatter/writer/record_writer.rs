//! `__BinaryWriter`: from objects, members and items to records.

use std::hint::black_box;
use std::rc::Rc;

use crate::codec::dotnet::{Boxed, Stream, StreamFull};
use crate::codec::nrbf::{BinaryType, PrimitiveType, RecordKind};

use super::super::heap::{allocate, create, new_array};
use super::super::types::RuntimeType;
use super::binary_writer::BinaryWriter;
use super::hashtable::Hashtable;
use super::name_info::NameInfo;
use super::object::Object;
use super::object_info::{SerObjectInfoCache, WriteObjectInfo};
use super::object_map_info::ObjectMapInfo;
use super::record::{
    BinaryArray, BinaryAssembly, BinaryObject, BinaryObjectString, BinaryObjectWithMapTyped,
    MemberPrimitiveUnTyped, MemberReference, MessageEnd, ObjectNull, SerializationHeaderRecord,
};

/// Writes records. It makes the object of each kind at the first use and fills it anew for the next.
pub(crate) struct __BinaryWriter<'s, 'g> {
    data_writer: Box<BinaryWriter<'s>>,
    /// The classes that have been described.
    object_map_table: Option<Box<Hashtable<'g>>>,
    /// Nulls of an array that are not written yet: what follows decides on their record.
    null_count: i32,
    binary_assembly: Option<Box<BinaryAssembly<'g>>>,
    binary_object: Option<Box<BinaryObject>>,
    binary_object_with_map_typed: Option<Box<BinaryObjectWithMapTyped<'g>>>,
    binary_array: Option<Box<BinaryArray<'g>>>,
    binary_object_string: Option<Box<BinaryObjectString<'g>>>,
    member_reference: Option<Box<MemberReference>>,
    object_null: Option<Box<ObjectNull>>,
    member_primitive_untyped: Option<Box<MemberPrimitiveUnTyped>>,
}

/// The record of a kind: the one at hand, or a new one.
fn reused<R: Default>(record: &mut Option<Box<R>>) -> &mut R {
    record.get_or_insert_with(|| create(R::default()))
}

/// What a class or an array says about the type of a member or of its elements.
struct BinaryTypeInfo<'g> {
    kind: BinaryType,
    information: Object<'g>,
    assembly_id: i32,
}

impl<'g> BinaryTypeInfo<'g> {
    /// .NET's `BinaryConverter.GetBinaryTypeInfo`. The type code of a primitive is boxed.
    fn new(ty: &'g RuntimeType, assembly_id: i64) -> Self {
        if ty.is_text() {
            return Self { kind: BinaryType::String, information: Object::Null, assembly_id: 0 };
        }
        if let Some(primitive) = ty.primitive() {
            let information = Object::Primitive(create::<PrimitiveType>(primitive));
            return Self { kind: BinaryType::Primitive, information, assembly_id: 0 };
        }
        let kind = if ty.is_system { BinaryType::SystemClass } else { BinaryType::Class };
        Self { kind, information: Object::Name(&ty.full_name), assembly_id: assembly_id as i32 }
    }
}

impl<'s, 'g> __BinaryWriter<'s, 'g> {
    pub(super) fn new(stream: &'s mut dyn Stream) -> Box<Self> {
        let writer = allocate();
        Box::write(
            writer,
            Self {
                data_writer: BinaryWriter::new(stream),
                object_map_table: None,
                null_count: 0,
                binary_assembly: None,
                binary_object: None,
                binary_object_with_map_typed: None,
                binary_array: None,
                binary_object_string: None,
                member_reference: None,
                object_null: None,
                member_primitive_untyped: None,
            },
        )
    }

    pub(super) fn write_serialization_header(
        &mut self,
        root_id: i64,
        header_id: i32,
    ) -> Result<(), StreamFull> {
        let record = create(SerializationHeaderRecord { root_id: root_id as i32, header_id });
        record.write(&mut self.data_writer)
    }

    pub(super) fn write_serialization_header_end(&mut self) -> Result<(), StreamFull> {
        create(MessageEnd { kind: RecordKind::MessageEnd }).write(&mut self.data_writer)
    }

    pub(super) fn write_assembly(&mut self, assembly: &'g str, assembly_id: i64) -> Result<(), StreamFull> {
        self.write_nulls()?;
        let record = reused(&mut self.binary_assembly);
        *record = BinaryAssembly { assembly_id: assembly_id as i32, assembly };
        record.write(&mut self.data_writer)
    }

    /// Writes what stands in front of an object's members.
    pub(super) fn write_object(
        &mut self,
        type_name_info: &NameInfo<'g>,
        object_info: &WriteObjectInfo<'g>,
        member_object_infos: &[Option<Box<WriteObjectInfo<'g>>>],
    ) -> Result<(), StreamFull> {
        self.write_nulls()?;
        let (Some(name), Some(members)) = (type_name_info.full_name, &object_info.cache) else {
            return Ok(());
        };
        let object_id = type_name_info.object_id as i32;
        let table = self.object_map_table.get_or_insert_with(Hashtable::new);
        if let Some(Object::MapInfo(map)) = table.get(&Object::Name(name))
            && map.is_compatible(members)
        {
            let record = reused(&mut self.binary_object);
            *record = BinaryObject { object_id, map_id: map.object_id };
            return record.write(&mut self.data_writer);
        }
        self.write_class(type_name_info, name, members, member_object_infos)
    }

    /// Writes an object whose record describes its class, for later objects to refer to.
    fn write_class(
        &mut self,
        type_name_info: &NameInfo<'g>,
        name: &'g str,
        members: &Rc<SerObjectInfoCache<'g>>,
        member_object_infos: &[Option<Box<WriteObjectInfo<'g>>>],
    ) -> Result<(), StreamFull> {
        let object_id = type_name_info.object_id as i32;
        let count = members.member_types.len();
        let mut types = black_box(Vec::with_capacity(count));
        let mut type_information: Vec<Object<'g>> = new_array(count);
        let mut member_assembly_ids: Vec<i32> = new_array(count);
        for (index, ty) in members.member_types.iter().enumerate() {
            let assembly_id = member_object_infos[index].as_ref().map_or(0, |info| info.assembly_id);
            let info = BinaryTypeInfo::new(ty, assembly_id);
            types.push(info.kind);
            type_information[index] = info.information;
            member_assembly_ids[index] = info.assembly_id;
        }
        let record = reused(&mut self.binary_object_with_map_typed);
        *record = BinaryObjectWithMapTyped {
            object_id,
            name,
            members: Some(Rc::clone(members)),
            types,
            type_information,
            member_assembly_ids,
            assembly_id: type_name_info.assembly_id as i32,
        };
        record.write(&mut self.data_writer)?;
        let map = create(ObjectMapInfo { object_id, members: Rc::clone(members) });
        let table = self.object_map_table.get_or_insert_with(Hashtable::new);
        table.add(Object::Name(name), Object::MapInfo(map));
        Ok(())
    }

    /// Writes what stands in front of an array's elements.
    pub(super) fn write_single_array(
        &mut self,
        array_id: i64,
        element: &NameInfo<'g>,
        length: i32,
    ) -> Result<(), StreamFull> {
        self.write_nulls()?;
        let Some(element_type) = element.described_type else { return Ok(()) };
        let mut lengths: Vec<i32> = new_array(1);
        lengths[0] = length;
        let info = BinaryTypeInfo::new(element_type, element.assembly_id);
        let record = reused(&mut self.binary_array);
        *record = BinaryArray {
            object_id: array_id as i32,
            lengths,
            element_type: Some(info.kind),
            type_information: info.information,
            assembly_id: info.assembly_id,
        };
        record.write(&mut self.data_writer)
    }

    pub(super) fn write_member(&mut self, value: Boxed) -> Result<(), StreamFull> {
        self.write_nulls()?;
        let record = reused(&mut self.member_primitive_untyped);
        record.value = Some(value);
        record.write(&mut self.data_writer)
    }

    /// Writes a string in a member, with the number that the name of its type has been given.
    pub(super) fn write_member_string(
        &mut self,
        type_name: &NameInfo<'g>,
        value: &'g str,
    ) -> Result<(), StreamFull> {
        self.write_nulls()?;
        let record = reused(&mut self.binary_object_string);
        *record = BinaryObjectString { object_id: type_name.object_id as i32, value };
        record.write(&mut self.data_writer)
    }

    /// Writes a reference to an object, in a member or in an array.
    pub(super) fn write_object_ref(&mut self, name: &NameInfo<'g>) -> Result<(), StreamFull> {
        self.write_nulls()?;
        let record = reused(&mut self.member_reference);
        record.id = name.object_id as i32;
        record.write(&mut self.data_writer)
    }

    /// Writes a member that is null. Nulls of members are never joined.
    pub(super) fn write_null_member(&mut self) -> Result<(), StreamFull> {
        self.write_nulls()?;
        self.null_count = 1;
        self.write_nulls()
    }

    /// Notes an element that is null: its record tells how many follow each other.
    pub(super) fn write_delayed_null_item(&mut self) {
        self.null_count += 1;
    }

    /// Writes the nulls at the end of an array.
    pub(super) fn write_item_end(&mut self) -> Result<(), StreamFull> {
        self.write_nulls()
    }

    fn write_nulls(&mut self) -> Result<(), StreamFull> {
        if self.null_count == 0 {
            return Ok(());
        }
        let record = reused(&mut self.object_null);
        record.count = self.null_count;
        self.null_count = 0;
        record.write(&mut self.data_writer)
    }
}
