//! What is known of an object and of a name while it is written.

use std::hint::black_box;
use std::rc::Rc;

use crate::codec::dotnet::{ObjectRef, Reflect, StreamFull};

use super::super::super::heap::{create, new_array};
use super::super::super::types::{MemberHolder, RuntimeType};
use super::super::name_info::NameInfo;
use super::super::object::{GraphObject, Object};
use super::super::object_info::{SerObjectInfoCache, WriteObjectInfo};
use super::ObjectWriter;

impl<'g> ObjectWriter<'_, 'g> {
    /// An info with the members of the object, or of its type if there is none.
    pub(super) fn object_info(
        &mut self,
        object: Option<GraphObject<'g>>,
        object_type: &'g RuntimeType,
    ) -> Result<Box<WriteObjectInfo<'g>>, StreamFull> {
        let mut info = self.object_info_init.object_info(object, object_type);
        let cache = self.members(object_type);
        if let Some(GraphObject { target: ObjectRef::Class(object), .. }) = object {
            info.member_data = self.object_data(object, &cache);
        }
        let assembly = cache.assembly;
        info.cache = Some(cache);
        info.assembly_id = self.assembly_id(assembly)?;
        Ok(info)
    }

    /// The members of a class: those of the first object of its kind serve all others. An array has none.
    fn members(&mut self, object_type: &'g RuntimeType) -> Rc<SerObjectInfoCache<'g>> {
        let table = &mut self.object_info_init.seen_before_table;
        if let Some(Object::SerObjectInfoCache(cache)) = table.get(&Object::Type(object_type)) {
            return Rc::clone(cache);
        }
        let mut shared = black_box(Rc::new(SerObjectInfoCache {
            full_type_name: &object_type.full_name,
            assembly: self.types.assembly_of(object_type),
            member_infos: &[],
            member_names: Vec::new(),
            member_types: Vec::new(),
        }));
        if let Some(cache) = Rc::get_mut(&mut shared).filter(|_| !object_type.is_array()) {
            let holder = create(MemberHolder { member_type: object_type });
            cache.member_infos = self.types.serializable_members(&holder);
            cache.member_names = black_box(Vec::with_capacity(cache.member_infos.len()));
            cache.member_types = black_box(Vec::with_capacity(cache.member_infos.len()));
            cache.member_names.extend(cache.member_infos.iter().map(|field| field.name.as_str()));
            cache
                .member_types
                .extend(cache.member_infos.iter().map(|field| self.types.get(field.field_type)));
        }
        table.add(Object::Type(object_type), Object::SerObjectInfoCache(Rc::clone(&shared)));
        shared
    }

    /// The values of an object's members, each read by reflection: `FormatterServices.GetObjectData`.
    fn object_data(&self, object: &'g dyn Reflect, cache: &SerObjectInfoCache<'g>) -> Vec<Object<'g>> {
        let mut data: Vec<Object<'g>> = new_array(cache.member_infos.len());
        for (slot, field) in data.iter_mut().zip(cache.member_infos) {
            *slot = Object::of_member((field.member.get)(object), self.types.get(field.field_type));
        }
        data
    }

    pub(super) fn name_info(&mut self, fields: NameInfo<'g>) -> Box<NameInfo<'g>> {
        match self.name_info_pool.pop_pooled() {
            Some(Object::NameInfo(mut pooled)) => {
                *pooled = fields;
                pooled
            }
            _ => create(fields),
        }
    }

    pub(super) fn put_name_info(&mut self, info: Box<NameInfo<'g>>) {
        self.name_info_pool.push(Object::NameInfo(info));
    }

    pub(super) fn put_object_info(&mut self, mut info: Box<WriteObjectInfo<'g>>) {
        info.cache = None;
        info.member_data = Vec::new();
        self.object_info_init.object_info_pool.push(Object::WriteObjectInfo(info));
    }

    /// The name of a type that has an info.
    pub(super) fn type_to_name_info(&mut self, info: &WriteObjectInfo<'g>) -> Box<NameInfo<'g>> {
        self.name_info(NameInfo {
            full_name: info.cache.as_ref().map(|cache| cache.full_type_name),
            object_id: info.object_id,
            assembly_id: info.assembly_id,
            primitive: None,
            described_type: Some(info.object_type),
        })
    }

    /// The name of a type that needs none: a primitive or a string.
    pub(super) fn simple_type_to_name_info(&mut self, ty: &'g RuntimeType) -> Box<NameInfo<'g>> {
        self.name_info(NameInfo {
            primitive: ty.primitive(),
            described_type: Some(ty),
            ..NameInfo::default()
        })
    }
}
