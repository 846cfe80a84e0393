//! `WriteObjectInfo`: an object that is being written, with the names, types and values of its members.

use std::rc::Rc;

use super::super::heap::{allocate, create};
use super::super::ser_stack::SerStack;
use super::super::types::{FieldInfo, RuntimeType};
use super::hashtable::Hashtable;
use super::object::{GraphObject, Object};

/// An object that is being written, or a type without an object.
pub(crate) struct WriteObjectInfo<'g> {
    /// The object; none if only its type is written.
    pub(super) object: Option<GraphObject<'g>>,
    pub(super) object_type: &'g RuntimeType,
    pub(super) object_id: i64,
    pub(super) assembly_id: i64,
    pub(super) cache: Option<Rc<SerObjectInfoCache<'g>>>,
    pub(super) member_data: Vec<Object<'g>>,
}

impl<'g> WriteObjectInfo<'g> {
    pub(super) fn new(object: Option<GraphObject<'g>>, object_type: &'g RuntimeType) -> Self {
        Self { object, object_type, object_id: 0, assembly_id: 0, cache: None, member_data: Vec::new() }
    }
}

/// The members of a class: names, types, and how to reach them. Objects of the class share it.
pub(crate) struct SerObjectInfoCache<'g> {
    pub(super) full_type_name: &'g str,
    /// The assembly's full name; none for .NET's own types.
    pub(super) assembly: Option<&'g str>,
    pub(super) member_infos: &'g [FieldInfo],
    pub(super) member_names: Vec<&'g str>,
    pub(super) member_types: Vec<&'g RuntimeType>,
}

/// What the infos of one graph share: the classes seen so far, and the infos that can be used again.
pub(crate) struct SerObjectInfoInit<'g> {
    pub(super) seen_before_table: Box<Hashtable<'g>>,
    pub(super) object_info_pool: Box<SerStack<Object<'g>>>,
}

impl<'g> SerObjectInfoInit<'g> {
    pub(super) fn new() -> Box<Self> {
        Box::write(
            allocate(),
            Self { seen_before_table: Hashtable::new(), object_info_pool: SerStack::new() },
        )
    }

    /// An info from the pool, or a new one.
    pub(super) fn object_info(
        &mut self,
        object: Option<GraphObject<'g>>,
        object_type: &'g RuntimeType,
    ) -> Box<WriteObjectInfo<'g>> {
        let info = WriteObjectInfo::new(object, object_type);
        match self.object_info_pool.pop_pooled() {
            Some(Object::WriteObjectInfo(mut pooled)) => {
                *pooled = info;
                pooled
            }
            _ => create(info),
        }
    }
}
