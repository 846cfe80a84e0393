//! `ObjectMap` and `ReadObjectInfo`: a class as a record describes it, beside the class as the runtime knows it.

use std::hint::black_box;
use std::rc::Rc;

use crate::codec::DecodeProblem;
use crate::codec::dotnet::Func;
use crate::codec::nrbf::BinaryType;

use super::super::heap::{allocate, create, new_array};
use super::super::types::{FieldInfo, MemberHolder, RuntimeType, Types};
use super::object::Object;

/// A class that a record has described.
pub(crate) struct ObjectMap<'g> {
    pub(super) types: Vec<BinaryType>,
    /// The members' types, as the record has them.
    pub(super) member_types: Vec<&'g RuntimeType>,
    /// The members' names, as the record has them.
    pub(super) member_names: Vec<String>,
    pub(super) object_info: Option<Box<ReadObjectInfo<'g>>>,
}

/// A class as the runtime knows it.
pub(crate) struct ReadObjectInfo<'g> {
    pub(super) object_type: &'g RuntimeType,
    pub(super) cache: Box<SerObjectInfoCache<'g>>,
}

/// The members of a class: names, types, and how to reach them.
pub(crate) struct SerObjectInfoCache<'g> {
    pub(super) member_infos: &'g [FieldInfo],
    pub(super) member_names: Vec<&'g str>,
    pub(super) member_types: Vec<&'g RuntimeType>,
}

/// What the delegate that looks up a class's members has captured: `FormatterServices.<GetSerializableMembers>`'s closure.
pub(crate) struct GetSerializableMembersClosure<'g> {
    types: &'g Types,
}

/// The delegate that finds the members of a class that the table does not hold yet.
pub(crate) type MembersFactory<'g> =
    Func<MemberHolder<'g>, GetSerializableMembersClosure<'g>, &'g [FieldInfo]>;

impl<'g> ReadObjectInfo<'g> {
    pub(super) fn new(object_type: &'g RuntimeType, types: &'g Types) -> Box<Self> {
        let info = allocate();
        let cache = allocate();
        let closure = create(GetSerializableMembersClosure { types });
        let holder = create(MemberHolder { member_type: object_type });
        let factory: Box<MembersFactory<'g>> =
            create(Func::new(closure, |closure, holder| closure.types.serializable_members(holder)));
        let member_infos = factory.invoke(&holder);
        let mut member_names = black_box(Vec::with_capacity(member_infos.len()));
        let mut member_types = black_box(Vec::with_capacity(member_infos.len()));
        member_names.extend(member_infos.iter().map(|field| field.name.as_str()));
        member_types.extend(member_infos.iter().map(|field| types.get(field.field_type)));
        let cache = Box::write(cache, SerObjectInfoCache { member_infos, member_names, member_types });
        Box::write(info, Self { object_type, cache })
    }

    /// The place of a member in the class. Most often it is the one that it has in the record.
    pub(super) fn position(&self, expected: usize, name: &str) -> Option<usize> {
        let names = &self.cache.member_names;
        if names.get(expected).is_some_and(|member| *member == name) {
            return Some(expected);
        }
        names.iter().position(|member| *member == name)
    }

    /// The types that the class has for the members of a record; none if the record has other members than the class.
    fn member_types_of(&self, names: &[String]) -> Option<Vec<&'g RuntimeType>> {
        let ours = &self.cache.member_names;
        if names.len() != ours.len() || !ours.iter().all(|ours| names.iter().any(|name| name == ours)) {
            return None;
        }
        let mut types = black_box(Vec::with_capacity(names.len()));
        for (index, name) in names.iter().enumerate() {
            types.push(self.cache.member_types[self.position(index, name)?]);
        }
        Some(types)
    }

    /// An array for the values of an object's members.
    pub(super) fn init_data_store(&self) -> Vec<Object<'g>> {
        new_array(self.cache.member_infos.len())
    }
}

impl<'g> ObjectMap<'g> {
    /// Checks a record's class against the runtime's: the members and their types have to be the same.
    pub(super) fn create(
        object_type: &'g RuntimeType,
        types: &'g Types,
        member_names: Vec<String>,
        binary_types: Vec<BinaryType>,
        type_information: &[Object<'g>],
    ) -> Result<Rc<Self>, DecodeProblem> {
        let mut shared = black_box(Rc::new(Self {
            types: binary_types,
            member_types: Vec::new(),
            member_names,
            object_info: None,
        }));
        let map = Rc::get_mut(&mut shared).ok_or(DecodeProblem::UnknownName)?;
        map.member_types = black_box(Vec::with_capacity(map.types.len()));
        for (binary_type, information) in map.types.iter().zip(type_information) {
            map.member_types.push(
                type_from_info(types, *binary_type, information).ok_or(DecodeProblem::ValueOutOfRange)?,
            );
        }
        let info = ReadObjectInfo::new(object_type, types);
        let declared = info.member_types_of(&map.member_names).ok_or(DecodeProblem::UnknownName)?;
        let same = |(theirs, ours): (&&RuntimeType, &&RuntimeType)| std::ptr::eq(*theirs, *ours);
        if !map.member_types.iter().zip(&declared).all(same) {
            return Err(DecodeProblem::ValueOutOfRange);
        }
        map.object_info = Some(info);
        Ok(shared)
    }
}

/// The type of a member from what a record says: .NET's `BinaryConverter.TypeFromInfo`.
fn type_from_info<'g>(
    types: &'g Types,
    kind: BinaryType,
    information: &Object<'g>,
) -> Option<&'g RuntimeType> {
    match (kind, information) {
        (BinaryType::Primitive, Object::Primitive(primitive)) => types.primitive(**primitive),
        (BinaryType::String, _) => types.text(),
        (_, Object::Text(name)) => types.find(name),
        _ => None,
    }
}

/// `NameCache`: from the names of types to the types that the runtime has loaded.
pub(crate) struct NameCache<'g> {
    pub(super) types: &'g Types,
}

impl<'g> NameCache<'g> {
    pub(super) fn get(&self, name: &str) -> Option<&'g RuntimeType> {
        self.types.find(name)
    }
}
