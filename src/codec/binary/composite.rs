//! The handler of classes: member after member, as reflection lists them.

use std::hint::black_box;

use crate::codec::dotnet::{
    Boxable, ClassInfo, FieldSize, Func, List, ListEnumerator, ListWhereIterator, MemberInfo, Object,
    ObjectRef, Reflect, TypeInfo, Value,
};
use crate::codec::{DecodeError, DecodeProblem};

use super::core::BinaryCore;
use super::error::EncodeError;
use super::general::{box_number, unbox_number};
use super::handler::{Handler, Host};

/// Last in the chain.
pub(super) struct BinaryComposite {
    priority: i32,
}

/// The closure of the query over a class's members: it holds the names to leave out.
pub(super) struct MemberFilter<'i> {
    ignored: &'i List<String>,
}

/// What the original passes to types and members that serialize themselves; none here does.
pub(super) struct AccessorContext {
    type_info: &'static TypeInfo,
    member: Option<MemberInfo>,
}

impl BinaryComposite {
    pub(super) const fn new() -> Self {
        Self { priority: 100 }
    }
}

impl Handler for BinaryComposite {
    fn priority(&self) -> i32 {
        self.priority
    }

    /// Null writes nothing, unless references are written.
    fn write(
        &self,
        host: &mut Host<'_, '_>,
        value: ObjectRef<'_>,
        type_info: &'static TypeInfo,
    ) -> Result<bool, EncodeError> {
        let Some(class) = type_info.class() else { return Ok(false) };
        host.core.width = None;
        let members = serialized_members(class, &host.core.ignore_members);
        log_class(host.core, type_info, &members);
        let object = match value {
            ObjectRef::Class(object) => object,
            ObjectRef::Null => return host.core.write_reference(true).map(|()| true),
            _ => return Ok(false),
        };
        host.core.write_reference(false)?;
        if !host.core.enter(type_info) {
            return Err(EncodeError::TooDeep);
        }
        write_members(host, &members, object, type_info)?;
        host.core.leave();
        Ok(true)
    }

    /// An object whose bytes end between two members keeps the defaults of the rest.
    fn read(
        &self,
        host: &mut Host<'_, '_>,
        type_info: &'static TypeInfo,
    ) -> Result<Option<Value>, DecodeError> {
        let Some(class) = type_info.class() else { return Ok(None) };
        host.core.width = None;
        let members = serialized_members(class, &host.core.ignore_members);
        log_class(host.core, type_info, &members);
        if !host.core.at_end() && !host.core.read_reference()? {
            return Ok(Some(Value::Null));
        }
        let mut object = black_box((class.create)());
        if !host.core.enter(type_info) {
            return Err(host.core.error(DecodeProblem::TooDeep));
        }
        read_members(host, &members, &mut *object, type_info)?;
        host.core.leave();
        Ok(Some(Value::Class(object)))
    }
}

/// The members that take part, through the objects of the original's query.
fn serialized_members(class: &ClassInfo, ignored: &List<String>) -> Box<List<MemberInfo>> {
    let filter = black_box(Box::new(MemberFilter { ignored }));
    let mut all = black_box(Box::new(List::new()));
    for member in class.members {
        all.add(MemberInfo(member));
    }
    let predicate = black_box(Box::new(Func::new(filter, takes_part)));
    black_box(Box::new(ListWhereIterator::new(all, predicate))).to_list()
}

fn takes_part(filter: &MemberFilter<'_>, member: &MemberInfo) -> bool {
    !filter.ignored.items().iter().any(|name| name == member.name)
}

fn log_class(core: &BinaryCore<'_>, type_info: &'static TypeInfo, members: &List<MemberInfo>) {
    let mut arguments = Vec::with_capacity(2);
    arguments.push(ObjectRef::Text(type_info.name));
    let count = (members.items().len() as i32).boxed();
    arguments.push(ObjectRef::Value(&count));
    core.write_log(&arguments);
}

fn write_members(
    host: &mut Host<'_, '_>,
    members: &List<MemberInfo>,
    object: &dyn Reflect,
    type_info: &'static TypeInfo,
) -> Result<(), EncodeError> {
    let mut context = black_box(Box::new(AccessorContext::new(type_info)));
    for &member in ListEnumerator::new(members) {
        context.member = Some(member);
        let value = written_value(host.core, members, object, member)?;
        let mut arguments = Vec::with_capacity(3);
        arguments.extend(context.names());
        arguments.push(value.as_ref());
        host.core.write_log(&arguments);
        host.core.width = written_width(host.core, member, value.as_ref());
        host.write(value.as_ref(), (member.type_info)())?;
    }
    Ok(())
}

fn read_members(
    host: &mut Host<'_, '_>,
    members: &List<MemberInfo>,
    object: &mut dyn Reflect,
    type_info: &'static TypeInfo,
) -> Result<(), DecodeError> {
    let mut context = black_box(Box::new(AccessorContext::new(type_info)));
    for &member in ListEnumerator::new(members) {
        if host.core.at_end() {
            break;
        }
        context.member = Some(member);
        let mut arguments = Vec::with_capacity(2);
        arguments.extend(context.names());
        host.core.write_log(&arguments);
        // The original looks at what it is about to overwrite.
        let former = (member.get)(object);
        black_box(&former);
        drop(former);
        host.core.width = read_width(host.core, members, object, member)?;
        let value = host.read((member.type_info)())?;
        set_member(host.core, object, member, value)?;
    }
    Ok(())
}

/// Null leaves the member as it is.
fn set_member(
    core: &BinaryCore<'_>,
    object: &mut dyn Reflect,
    member: MemberInfo,
    value: Value,
) -> Result<(), DecodeError> {
    if matches!(value, Value::Null) || (member.set)(object, value) {
        Ok(())
    } else {
        Err(core.value_out_of_range())
    }
}

/// A member's value; if it holds another member's size, that size.
fn written_value<'o>(
    core: &BinaryCore<'_>,
    members: &List<MemberInfo>,
    object: &'o dyn Reflect,
    member: MemberInfo,
) -> Result<Object<'o>, EncodeError> {
    let sized = members.items().iter().find(|other| other.field_size == Some(FieldSize::Member(member.name)));
    match sized {
        Some(sized) if core.options.use_field_size => {
            let size = byte_length((sized.get)(object).as_ref());
            box_number(member.code, size).map(Object::Boxed).ok_or(EncodeError::LengthOutOfRange(size))
        }
        _ => Ok((member.get)(object)),
    }
}

/// The bytes that a string or a byte array takes.
fn byte_length(value: ObjectRef<'_>) -> usize {
    match value {
        ObjectRef::Text(text) => text.len(),
        ObjectRef::Bytes(bytes) => bytes.len(),
        ObjectRef::Chars(chars) => chars.iter().map(|unit| unit.len_utf8()).sum(),
        _ => 0,
    }
}

fn written_width(core: &BinaryCore<'_>, member: MemberInfo, value: ObjectRef<'_>) -> Option<usize> {
    match member.field_size {
        Some(FieldSize::Bytes(bytes)) if core.options.use_field_size => Some(bytes),
        Some(FieldSize::Member(_)) if core.options.use_field_size => Some(byte_length(value)),
        _ => member.fixed_string,
    }
}

fn read_width(
    core: &BinaryCore<'_>,
    members: &List<MemberInfo>,
    object: &dyn Reflect,
    member: MemberInfo,
) -> Result<Option<usize>, DecodeError> {
    match member.field_size {
        Some(FieldSize::Bytes(bytes)) if core.options.use_field_size => Ok(Some(bytes)),
        Some(FieldSize::Member(name)) if core.options.use_field_size => {
            let holder = members.items().iter().find(|other| other.name == name);
            let size = holder.and_then(|holder| match (holder.get)(object).as_ref() {
                ObjectRef::Value(value) => unbox_number(value),
                _ => None,
            });
            size.map(Some).ok_or(core.value_out_of_range())
        }
        _ => Ok(member.fixed_string),
    }
}

impl AccessorContext {
    fn new(type_info: &'static TypeInfo) -> Self {
        Self { type_info, member: None }
    }

    /// The names of the class and of the member at hand.
    fn names(&self) -> [ObjectRef<'static>; 2] {
        let member = self.member.map_or(ObjectRef::Null, |member| ObjectRef::Text(member.0.name));
        [ObjectRef::Text(self.type_info.name), member]
    }
}
