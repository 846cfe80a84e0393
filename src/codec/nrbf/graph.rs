//! The values of a stream: objects, the classes that describe them, and what they hold.

use std::collections::HashMap;

use super::class::{Class, Library, Member, ValueType};
use super::message::Message;
use super::primitive::{Primitive, Primitives};
use super::record::{ArrayKind, RecordKind};

/// All that a stream says.
///
/// Objects stand in the order in which their records begin, and hold each other by [`Value`]s. What decides about the
/// bytes, and means nothing to a program, is kept: ids, which objects were written in place, where libraries were named.
/// So a graph writes the bytes that it was read from, if BinaryFormatter wrote those.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    pub(super) root_id: i32,
    pub(super) header_id: i32,
    pub(super) libraries: Vec<Library>,
    pub(super) classes: Vec<Class>,
    pub(super) objects: Vec<Object>,
    pub(super) top_level: Vec<Value>,
    pub(super) message: Option<Message>,
    pub(super) ids: HashMap<i32, Identified>,
}

/// What has an id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Identified {
    Object(ObjectIndex),
    Library,
}

/// A value of a member or of an element.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Null.
    Null,
    /// A primitive; a boxed one, unless the declared type is a primitive.
    Primitive(Primitive),
    /// An object that is written in place: a string at its first use, a value type.
    Object(ObjectIndex),
    /// The id of an object that is written elsewhere.
    Reference(i32),
}

/// The place of an object among those of its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectIndex(pub(super) u32);

/// A string, an instance of a class, or an array.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Its id: negative for value types in place, which nothing refers to; the last of several with a negative id has it.
    pub id: i32,
    /// What it is.
    pub content: Content,
}

/// What an object is.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A string.
    String(Box<str>),
    /// An instance of a class.
    Instance(Instance),
    /// An array.
    Array(Box<Array>),
}

/// An instance of a class.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    pub(super) class: u32,
    /// The id of the object whose record describes the class; none if this one's does.
    pub(super) described_by: Option<i32>,
    /// The values of the class's members.
    pub values: Box<[Value]>,
}

/// An array.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    /// The record that it is written as: there are short ones for the commonest arrays.
    pub record: RecordKind,
    /// Its dimensions.
    pub shape: Shape,
    /// The declared type of its elements.
    pub element_type: ValueType,
    /// Its elements, those of the last dimension side by side.
    pub elements: Elements,
}

/// The dimensions of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// What kind of array it is.
    pub kind: ArrayKind,
    /// The length of each dimension.
    pub lengths: Box<[i32]>,
    /// The first index of each dimension; empty if all are 0 by the array's kind.
    pub lower_bounds: Box<[i32]>,
}

impl Shape {
    /// One dimension that begins at 0.
    pub(super) fn single(length: i32) -> Self {
        Self { kind: ArrayKind::Single, lengths: Box::new([length]), lower_bounds: Box::default() }
    }

    /// How many elements there are.
    pub fn len(&self) -> u64 {
        self.lengths.iter().map(|&length| length as u64).product()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The elements of an array.
#[derive(Clone, Debug, PartialEq)]
pub enum Elements {
    /// Primitives.
    Primitives(Primitives),
    /// Values of any other type.
    Values(Box<[Run]>),
}

/// Elements that stand side by side. Nulls are counted: a few bytes may stand for billions of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Run {
    /// One element.
    Value(Value),
    /// So many nulls.
    Nulls(u32),
}

/// A value of an object, and how it is declared.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot<'g> {
    Value { value: &'g Value, member: Option<&'g Member> },
    Nulls(u32),
}

/// The values that an object holds, in order.
pub(super) enum Slots<'g> {
    Members(std::iter::Zip<std::slice::Iter<'g, Value>, std::slice::Iter<'g, Member>>),
    Runs(std::slice::Iter<'g, Run>),
}

impl<'g> Iterator for Slots<'g> {
    type Item = Slot<'g>;

    fn next(&mut self) -> Option<Slot<'g>> {
        match self {
            Self::Members(members) => {
                members.next().map(|(value, member)| Slot::Value { value, member: Some(member) })
            }
            Self::Runs(runs) => runs.next().map(|run| match run {
                Run::Value(value) => Slot::Value { value, member: None },
                Run::Nulls(count) => Slot::Nulls(*count),
            }),
        }
    }
}

impl Graph {
    pub(super) fn new(root_id: i32, header_id: i32) -> Self {
        Self {
            root_id,
            header_id,
            libraries: Vec::new(),
            classes: Vec::new(),
            objects: Vec::new(),
            top_level: Vec::new(),
            message: None,
            ids: HashMap::new(),
        }
    }

    /// The object that was serialized; none for a message that carries no object.
    pub fn root(&self) -> Option<&Object> {
        self.find(self.root_id)
    }

    /// The array of a message's headers, which are not those of the stream.
    pub fn headers(&self) -> Option<&Object> {
        self.find(self.header_id).filter(|_| self.header_id > 0)
    }

    /// The call or the return of a remote method, if the stream is one.
    pub fn message(&self) -> Option<&Message> {
        self.message.as_ref()
    }

    /// The libraries, in the order of the stream.
    pub fn libraries(&self) -> &[Library] {
        &self.libraries
    }

    /// The classes, in the order of the stream.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// All objects, in the order in which their records begin.
    pub fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// The object of an id.
    pub fn find(&self, id: i32) -> Option<&Object> {
        self.index_of(id).map(|index| self.object(index))
    }

    pub(super) fn index_of(&self, id: i32) -> Option<ObjectIndex> {
        match self.ids.get(&id)? {
            Identified::Object(index) => Some(*index),
            Identified::Library => None,
        }
    }

    /// An object of this graph.
    ///
    /// # Panics
    /// If the index is another graph's, and this one has fewer objects.
    pub fn object(&self, index: ObjectIndex) -> &Object {
        &self.objects[index.0 as usize]
    }

    /// The object that a value is, or refers to.
    pub fn target(&self, value: &Value) -> Option<&Object> {
        match value {
            Value::Object(index) => Some(self.object(*index)),
            Value::Reference(id) => self.find(*id),
            Value::Null | Value::Primitive(_) => None,
        }
    }

    /// The class of an instance.
    ///
    /// # Panics
    /// If the instance is another graph's, and this one has fewer classes.
    pub fn class(&self, instance: &Instance) -> &Class {
        &self.classes[instance.class as usize]
    }

    /// The value of a member.
    ///
    /// # Panics
    /// As [`Graph::class`].
    ///
    /// # Examples
    /// ```
    /// use alloclab::codec::nrbf::{Content, Limits, Primitive, Value, read};
    ///
    /// let graph = read(include_bytes!("../../../fixtures/nrbf/testdotnet_fields.bin"), Limits::strict())?;
    /// let Content::Instance(contact) = &graph.root().unwrap().content else { panic!() };
    /// assert_eq!(graph.member(contact, "ID"), Some(&Value::Primitive(Primitive::Int32(3456))));
    /// # Ok::<(), alloclab::codec::DecodeError>(())
    /// ```
    pub fn member<'g>(&self, instance: &'g Instance, name: &str) -> Option<&'g Value> {
        let position = self.class(instance).members.iter().position(|member| *member.name == *name)?;
        instance.values.get(position)
    }

    pub(super) fn slots<'g>(&'g self, object: &'g Object) -> Slots<'g> {
        match &object.content {
            Content::Instance(instance) => {
                Slots::Members(instance.values.iter().zip(&self.class(instance).members))
            }
            Content::Array(array) => match &array.elements {
                Elements::Values(runs) => Slots::Runs(runs.iter()),
                Elements::Primitives(_) => Slots::Runs([].iter()),
            },
            Content::String(_) => Slots::Runs([].iter()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a reader holds for a byte of input follows from these.
    #[test]
    fn the_parts_of_a_graph_are_small() {
        assert_eq!((size_of::<Value>(), size_of::<Run>()), (16, 16));
        assert_eq!((size_of::<Object>(), size_of::<Member>()), (40, 40));
    }
}
