//! Writing: the records of a graph, in the order in which they were read.

use super::class::{Class, Library, ValueType};
use super::graph::{Array, Content, Elements, Graph, Instance, Object, ObjectIndex, Slot, Slots, Value};
use super::primitive::write_text;
use super::record::RecordKind;

/// The version of the format.
const VERSION: [i32; 2] = [1, 0];

impl Graph {
    /// The bytes of the stream.
    ///
    /// Those that the graph was read from, if BinaryFormatter wrote them. Others may have said in more records what is
    /// said in one (nulls in a row), or in other bytes (a `Boolean` of 2, a decimal number with zeros in front).
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        bytes
    }

    /// Appends the bytes of the stream, as [`Graph::to_bytes`].
    pub fn write(&self, out: &mut Vec<u8>) {
        let mut writer = Writer { graph: self, out, libraries: &self.libraries, places: 0 };
        writer.write_header();
        for value in &self.top_level {
            writer.write_message_of_place();
            writer.write_tree(value);
        }
        writer.write_end();
    }
}

struct Writer<'g, 'o> {
    graph: &'g Graph,
    out: &'o mut Vec<u8>,
    /// Those that have not been named.
    libraries: &'g [Library],
    /// How many values have been written, but for the primitives of members.
    places: u64,
}

impl<'g> Writer<'g, '_> {
    fn kind(&mut self, kind: RecordKind) {
        self.out.push(kind.code());
    }

    fn int32(&mut self, value: i32) {
        self.out.extend_from_slice(&value.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        write_text(text, self.out);
    }

    fn write_header(&mut self) {
        self.kind(RecordKind::SerializedStreamHeader);
        let [major, minor] = VERSION;
        let numbers = [self.graph.root_id, self.graph.header_id, major, minor];
        numbers.into_iter().for_each(|number| self.int32(number));
    }

    fn write_end(&mut self) {
        self.write_message_of_place();
        self.write_libraries_of_place();
        self.kind(RecordKind::MessageEnd);
    }

    /// Writes the message if it stands before the next value.
    fn write_message_of_place(&mut self) {
        if let Some(message) = self.graph.message().filter(|message| message.place == self.places) {
            message.write(self.out);
        }
    }

    fn write_libraries_of_place(&mut self) {
        while let [library, rest @ ..] = self.libraries
            && library.place == self.places
        {
            self.kind(RecordKind::BinaryLibrary);
            self.int32(library.id);
            self.text(&library.name);
            self.libraries = rest;
        }
    }

    /// Writes a value, and all that stands in place in it.
    fn write_tree(&mut self, value: &'g Value) {
        let mut open: Vec<Slots<'g>> = Vec::new();
        open.extend(self.write_value(value));
        while let Some(slots) = open.last_mut() {
            match slots.next() {
                None => drop(open.pop()),
                Some(Slot::Nulls(count)) => self.write_nulls(count),
                Some(Slot::Value { value: Value::Primitive(value), member: Some(member) })
                    if member.value_type.is_primitive() =>
                {
                    value.write(self.out);
                }
                Some(Slot::Value { value, .. }) => open.extend(self.write_value(value)),
            }
        }
    }

    /// Writes the record of a value. Gives what the object of the record holds.
    fn write_value(&mut self, value: &'g Value) -> Option<Slots<'g>> {
        self.write_libraries_of_place();
        self.places += 1;
        match value {
            Value::Null => self.kind(RecordKind::ObjectNull),
            Value::Primitive(value) => {
                self.kind(RecordKind::MemberPrimitiveTyped);
                self.out.push(value.kind().code());
                value.write(self.out);
            }
            Value::Reference(id) => {
                self.kind(RecordKind::MemberReference);
                self.int32(*id);
            }
            Value::Object(index) => return Some(self.write_object(*index)),
        }
        None
    }

    fn write_nulls(&mut self, count: u32) {
        self.write_libraries_of_place();
        self.places += 1;
        match count {
            1 => self.kind(RecordKind::ObjectNull),
            2..256 => {
                self.kind(RecordKind::ObjectNullMultiple256);
                self.out.push(count as u8);
            }
            _ => {
                self.kind(RecordKind::ObjectNullMultiple);
                self.int32(count as i32);
            }
        }
    }

    fn write_object(&mut self, index: ObjectIndex) -> Slots<'g> {
        let object = self.graph.object(index);
        match &object.content {
            Content::String(text) => {
                self.kind(RecordKind::BinaryObjectString);
                self.int32(object.id);
                self.text(text);
            }
            Content::Instance(instance) => self.write_instance(object, instance),
            Content::Array(array) => self.write_array(object, array),
        }
        self.graph.slots(object)
    }

    fn write_instance(&mut self, object: &Object, instance: &Instance) {
        match instance.described_by {
            Some(described_by) => {
                self.kind(RecordKind::ClassWithId);
                self.int32(object.id);
                self.int32(described_by);
            }
            None => self.write_class(object.id, self.graph.class(instance)),
        }
    }

    fn write_class(&mut self, id: i32, class: &Class) {
        self.kind(match (class.library, class.is_typed) {
            (None, false) => RecordKind::SystemClassWithMembers,
            (Some(_), false) => RecordKind::ClassWithMembers,
            (None, true) => RecordKind::SystemClassWithMembersAndTypes,
            (Some(_), true) => RecordKind::ClassWithMembersAndTypes,
        });
        self.int32(id);
        self.text(&class.name);
        self.int32(class.members.len() as i32);
        class.members.iter().for_each(|member| self.text(&member.name));
        if class.is_typed {
            let types = class.members.iter().map(|member| &member.value_type);
            self.out.extend(types.clone().map(|value_type| value_type.binary_type().code()));
            types.for_each(|value_type| self.write_type_detail(value_type));
        }
        class.library.iter().for_each(|&library| self.int32(library));
    }

    /// Writes what a type's code does not say.
    fn write_type_detail(&mut self, value_type: &ValueType) {
        match value_type {
            ValueType::Primitive(kind) | ValueType::PrimitiveArray(kind) => self.out.push(kind.code()),
            ValueType::SystemClass(name) => self.text(name),
            ValueType::Class { name, library } => {
                self.text(name);
                self.int32(*library);
            }
            ValueType::String | ValueType::Object | ValueType::ObjectArray | ValueType::StringArray => {}
        }
    }

    fn write_array(&mut self, object: &Object, array: &Array) {
        self.kind(array.record);
        self.int32(object.id);
        match array.record {
            RecordKind::BinaryArray => self.write_shape(array),
            _ => self.int32(array.shape.lengths[0]),
        }
        if array.record == RecordKind::ArraySinglePrimitive {
            self.write_type_detail(&array.element_type);
        }
        if let Elements::Primitives(values) = &array.elements {
            values.write(self.out);
        }
    }

    fn write_shape(&mut self, array: &Array) {
        let shape = &array.shape;
        self.out.push(shape.kind.code());
        self.int32(shape.lengths.len() as i32);
        shape.lengths.iter().chain(&shape.lower_bounds).for_each(|&number| self.int32(number));
        self.out.push(array.element_type.binary_type().code());
        self.write_type_detail(&array.element_type);
    }
}
