//! Writing objects, their members, and the elements of arrays.

use crate::codec::dotnet::{Enumerable, ObjectRef, StreamFull};

use super::super::super::heap::new_array;
use super::super::super::types::RuntimeType;
use super::super::name_info::NameInfo;
use super::super::object::{GraphObject, Object};
use super::super::object_info::WriteObjectInfo;
use super::ObjectWriter;

impl<'g> ObjectWriter<'_, 'g> {
    pub(super) fn write(&mut self, mut info: Box<WriteObjectInfo<'g>>) -> Result<(), StreamFull> {
        let type_name_info = self.type_to_name_info(&info);
        match info.object.map(|object| object.target) {
            Some(ObjectRef::List(array)) => self.write_array(array, &info)?,
            _ => self.write_class(&mut info, &type_name_info)?,
        }
        self.put_name_info(type_name_info);
        self.put_object_info(info);
        Ok(())
    }

    fn write_class(&mut self, info: &mut WriteObjectInfo<'g>, name: &NameInfo<'g>) -> Result<(), StreamFull> {
        let Some(cache) = info.cache.clone() else { return Ok(()) };
        let data = std::mem::take(&mut info.member_data);
        let mut infos: Vec<Option<Box<WriteObjectInfo<'g>>>> = new_array(data.len());
        for ((slot, value), ty) in infos.iter_mut().zip(&data).zip(&cache.member_types) {
            if ty.primitive().is_none() && !ty.is_text() {
                let object = if let Object::Graph(object) = value { Some(*object) } else { None };
                *slot = Some(self.object_info(object, ty)?);
            }
        }
        self.serializer.write_object(name, info, &infos)?;
        for (index, (value, info)) in data.into_iter().zip(&mut infos).enumerate() {
            let (name, ty) = (cache.member_names[index], cache.member_types[index]);
            self.write_member_setup(name, ty, value, info.take())?;
        }
        Ok(())
    }

    fn write_member_setup(
        &mut self,
        name: &'g str,
        ty: &'g RuntimeType,
        value: Object<'g>,
        info: Option<Box<WriteObjectInfo<'g>>>,
    ) -> Result<(), StreamFull> {
        let assembly_id = info.as_ref().map_or(0, |info| info.assembly_id);
        let mut member = self.name_info(NameInfo {
            full_name: Some(name),
            assembly_id,
            described_type: Some(ty),
            ..NameInfo::default()
        });
        let mut type_name = match &info {
            Some(info) => self.type_to_name_info(info),
            None => self.simple_type_to_name_info(ty),
        };
        self.write_value(&mut member, &mut type_name, value, info)?;
        self.put_name_info(member);
        self.put_name_info(type_name);
        Ok(())
    }

    /// Writes a member's value: primitives and strings in place, other objects as references to what follows later.
    fn write_value(
        &mut self,
        member: &mut NameInfo<'g>,
        type_name: &mut NameInfo<'g>,
        value: Object<'g>,
        info: Option<Box<WriteObjectInfo<'g>>>,
    ) -> Result<(), StreamFull> {
        match value {
            Object::Boxed(value) if type_name.primitive.is_some() => self.serializer.write_member(value),
            Object::Graph(object) => match object.target {
                ObjectRef::Text(text) => self.write_string(member, type_name, object, text),
                _ => {
                    member.object_id = self.schedule(object, info);
                    self.serializer.write_object_ref(member)
                }
            },
            _ => self.serializer.write_null_member(),
        }
    }

    /// Writes a string at its first use, later a reference to it.
    fn write_string(
        &mut self,
        member: &mut NameInfo<'g>,
        type_name: &mut NameInfo<'g>,
        object: GraphObject<'g>,
        text: &'g str,
    ) -> Result<(), StreamFull> {
        let (id, is_new) = self.internal_id(Object::Graph(object));
        type_name.object_id = id;
        member.object_id = id;
        if is_new {
            self.serializer.write_member_string(type_name, text)
        } else {
            self.serializer.write_object_ref(member)
        }
    }

    fn write_array(
        &mut self,
        array: &'g (dyn Enumerable + 'g),
        info: &WriteObjectInfo<'g>,
    ) -> Result<(), StreamFull> {
        let Some(element_type) = info.object_type.element().map(|index| self.types.get(index)) else {
            return Ok(());
        };
        let element_info = self.object_info(None, element_type)?;
        let mut element_name = self.type_to_name_info(&element_info);
        let [mut lengths, lower_bounds, mut upper_bounds]: [Vec<i32>; 3] = [(); 3].map(|()| new_array(1));
        lengths[0] = array.count() as i32;
        upper_bounds[0] = lower_bounds[0] + lengths[0];
        self.serializer.write_single_array(info.object_id, &element_name, lengths[0])?;
        for index in lower_bounds[0]..upper_bounds[0] {
            match Object::of_member(array.item(index as usize), element_type) {
                Object::Graph(object) => {
                    element_name.object_id = self.schedule(object, None);
                    self.serializer.write_object_ref(&element_name)?;
                }
                _ => self.serializer.write_delayed_null_item(),
            }
        }
        self.serializer.write_item_end()?;
        self.put_name_info(element_name);
        Ok(())
    }
}
