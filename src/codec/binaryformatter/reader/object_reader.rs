//! `ObjectReader`: from what the parser finds to objects.

use std::hint::black_box;

use crate::codec::DecodeProblem;
use crate::codec::dotnet::{Reflect, Value};

use super::super::format::{FormatterConverter, InternalFE};
use super::super::heap::new_array;
use super::super::ser_stack::SerStack;
use super::super::types::{FieldInfo, RuntimeType, Shape};
use super::assembly::BinaryAssemblyInfo;
use super::fixup::Place;
use super::object::Object;
use super::object_manager::{Held, ObjectManager};
use super::object_map::NameCache;
use super::progress::ParseRecord;

/// Reads one graph.
pub(crate) struct ObjectReader<'g> {
    pub(super) format: Box<InternalFE>,
    pub(super) type_cache: Box<NameCache<'g>>,
    /// The objects that have begun.
    pub(super) stack: Box<SerStack<Object<'g>>>,
    pub(super) object_manager: Box<ObjectManager<'g>>,
    #[expect(dead_code, reason = "classes with code of their own would use it")]
    pub(super) formatter_converter: Box<FormatterConverter>,
    pub(super) root_id: i32,
    /// How many bytes of strings may still be copied, for those that are referred to again.
    pub(super) copies_left: usize,
}

impl<'g> ObjectReader<'g> {
    /// The type of a name in a library.
    pub(super) fn get_type(&self, assembly: &BinaryAssemblyInfo, name: &str) -> Option<&'g RuntimeType> {
        let types = self.type_cache.types;
        let ty = self.type_cache.get(name)?;
        let is_from = match types.assembly_of(ty) {
            Some(name) => assembly.is(name, self.format.simple_assembly),
            None => assembly.name.is_none(),
        };
        is_from.then_some(ty)
    }

    /// An object or an array begins.
    pub(super) fn parse_object(&mut self, mut record: Box<ParseRecord<'g>>) -> Result<(), DecodeProblem> {
        if self.object_manager.is_registered(record.object_id) {
            return Err(DecodeProblem::DuplicateId(record.object_id));
        }
        let class = record.object_map.as_ref().and_then(|map| map.object_info.as_ref());
        if let Some(info) = class {
            record.member_data = info.init_data_store();
            if let Shape::Class { create, .. } = info.object_type.shape {
                record.new_object = Some(black_box(create()));
            }
        }
        if record.array.is_some() {
            record.index_map = new_array(1);
        }
        self.stack.push(Object::ParseRecord(record));
        Ok(())
    }

    /// The object that has begun last.
    fn top(&mut self) -> Result<&mut ParseRecord<'g>, DecodeProblem> {
        match self.stack.peek_mut() {
            Some(Object::ParseRecord(record)) => Ok(record),
            _ => Err(DecodeProblem::ValueOutOfRange),
        }
    }

    /// The place in its class of a member that is at a place in its record.
    fn slot(&mut self, index: usize) -> Result<usize, DecodeProblem> {
        let map = self.top()?.object_map.as_ref().ok_or(DecodeProblem::UnknownName)?;
        let named = map.member_names.get(index).zip(map.object_info.as_ref());
        named.and_then(|(name, info)| info.position(index, name)).ok_or(DecodeProblem::UnknownName)
    }

    /// A member has a value of its own.
    pub(super) fn parse_member(
        &mut self,
        index: usize,
        member: &mut ParseRecord<'g>,
    ) -> Result<(), DecodeProblem> {
        let slot = self.slot(index)?;
        let owner = self.top()?.object_id;
        if matches!(member.value, Object::Text(_)) {
            if member.object_id == owner {
                return Err(DecodeProblem::DuplicateId(owner));
            }
            self.object_manager.register(member.object_id, Held::Text { owner, slot })?;
        }
        self.put(slot, std::mem::take(&mut member.value))
    }

    fn put(&mut self, slot: usize, value: Object<'g>) -> Result<(), DecodeProblem> {
        let data = &mut self.top()?.member_data;
        *data.get_mut(slot).ok_or(DecodeProblem::UnknownName)? = value;
        Ok(())
    }

    /// A member is an object with a number.
    pub(super) fn parse_reference(&mut self, index: usize, id: i32) -> Result<(), DecodeProblem> {
        let slot = self.slot(index)?;
        let owner = self.top()?.object_id;
        self.object_manager.record_fixup(owner, Place::Member(slot), id)
    }

    /// An element is an object with a number.
    pub(super) fn parse_element(&mut self, index: usize, id: i32) -> Result<(), DecodeProblem> {
        let top = self.top()?;
        let owner = top.object_id;
        top.index_map[0] = index as i32;
        let mut indices = new_array(top.index_map.len());
        indices.copy_from_slice(&top.index_map);
        self.object_manager.record_fixup(owner, Place::Element(indices), id)
    }

    /// A member is a string that stands elsewhere. It is copied: a `String` has one owner.
    pub(super) fn parse_text_reference(&mut self, index: usize, id: i32) -> Result<(), DecodeProblem> {
        let slot = self.slot(index)?;
        let (owner, place) = self.object_manager.text_place(id).ok_or(DecodeProblem::UnresolvedId(id))?;
        let mut left = self.copies_left;
        let top = self.top()?;
        let text = if top.object_id == owner {
            top.member_data.get(place).and_then(as_text)
        } else {
            self.object_manager.text_of(owner, place)
        };
        let copy = copy(text.ok_or(DecodeProblem::UnresolvedId(id))?, &mut left)?;
        self.copies_left = left;
        self.put(slot, Object::Text(copy))
    }

    /// The object or array that has begun last ends. Its record can be used again.
    pub(super) fn parse_object_end(&mut self) -> Result<Box<ParseRecord<'g>>, DecodeProblem> {
        let Some(Object::ParseRecord(mut record)) = self.stack.pop() else {
            return Err(DecodeProblem::ValueOutOfRange);
        };
        let held = match (record.new_object.take(), &record.object_map, &record.array) {
            (Some(mut object), Some(map), _) => {
                let fields = map.object_info.as_ref().map_or(&[][..], |info| info.cache.member_infos);
                populate_object_members(&mut *object, fields, &mut record.member_data)?;
                Held::Class { object, fields }
            }
            (_, _, Some(array)) => Held::Array { array_type: array.array_type, length: array.length() },
            _ => return Err(DecodeProblem::ValueOutOfRange),
        };
        self.object_manager.register(record.object_id, held)?;
        Ok(record)
    }

    /// The root, once all references have been followed.
    pub(super) fn root(&mut self) -> Result<Value, DecodeProblem> {
        self.object_manager.do_fixups()?;
        self.object_manager.take(self.root_id)
    }
}

fn as_text<'o>(object: &'o Object<'_>) -> Option<&'o str> {
    match object {
        Object::Text(text) => Some(text),
        _ => None,
    }
}

/// A copy of a string, unless it is longer than what the copies so far have left.
fn copy(text: &str, left: &mut usize) -> Result<String, DecodeProblem> {
    *left = left.checked_sub(text.len()).ok_or(DecodeProblem::LimitExceeded { limit: *left })?;
    Ok(text.to_owned())
}

/// Sets each member of an object by reflection: `FormatterServices.PopulateObjectMembers`.
fn populate_object_members(
    object: &mut dyn Reflect,
    fields: &[FieldInfo],
    data: &mut [Object<'_>],
) -> Result<(), DecodeProblem> {
    for (field, value) in fields.iter().zip(data) {
        let value = std::mem::take(value).into_value();
        if value.is_some_and(|value| !(field.member.set)(object, value)) {
            return Err(DecodeProblem::ValueOutOfRange);
        }
    }
    Ok(())
}
