//! A graph as text.

use std::fmt::{self, Write};

use super::class::ValueType;
use super::graph::{Array, Content, Elements, Graph, Object, ObjectIndex, Shape, Slot, Slots, Value};
use super::message::{InlineValue, Message, MessageContent};
use super::primitive::Primitives;

/// The whole graph on one line.
///
/// - An instance is its class and its members: `Models.Node {Name="a", Next=null}`. Type names are without libraries.
/// - An array is its element type, its lengths and its elements: `Int32[2,3] {1, 2, 3, 4, 5, 6}`, and with a lower bound
///   `Int32[5..8] {50, 60, 70}`. `null*255` are 255 nulls.
/// - A primitive is its value, and its type in front if it is boxed: `Int32 5`.
/// - What is referred to more than once has a number where it stands first, `&1 "same"`, and is that number from then on,
///   `*1`.
impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut renderer = Renderer { graph: self, uses: self.uses(), labels: 0, out: f };
        if let Some(message) = self.message() {
            renderer.message(message)?;
        }
        if let Some(root) = self.index_of(self.root_id) {
            renderer.out.write_str(if self.message().is_some() { " with " } else { "" })?;
            renderer.tree(root)?;
        }
        if let Some(headers) = self.index_of(self.header_id).filter(|_| self.header_id > 0) {
            renderer.out.write_str(" with headers ")?;
            renderer.tree(headers)?;
        }
        Ok(())
    }
}

/// What is known of an object's place in the text.
#[derive(Clone, Copy)]
enum Use {
    /// So many values are this object, and it has not been rendered.
    Ahead(u32),
    /// It has been rendered, under a number if one was needed.
    Behind(u32),
}

impl Graph {
    /// How many values are each object; one more for the root and the headers.
    fn uses(&self) -> Box<[Use]> {
        let mut counts = vec![0_u32; self.objects.len()];
        let mut count = |index: Option<ObjectIndex>| {
            if let Some(ObjectIndex(index)) = index {
                counts[index as usize] += 1;
            }
        };
        count(self.index_of(self.root_id));
        count(self.index_of(self.header_id));
        for slot in self.objects.iter().flat_map(|object| self.slots(object)) {
            if let Slot::Value { value, .. } = slot {
                count(self.target_index(value));
            }
        }
        counts.into_iter().map(Use::Ahead).collect()
    }

    fn target_index(&self, value: &Value) -> Option<ObjectIndex> {
        match value {
            Value::Object(index) => Some(*index),
            Value::Reference(id) => self.index_of(*id),
            Value::Null | Value::Primitive(_) => None,
        }
    }
}

struct Renderer<'g, 'f, 'o> {
    graph: &'g Graph,
    uses: Box<[Use]>,
    labels: u32,
    out: &'f mut fmt::Formatter<'o>,
}

impl<'g> Renderer<'g, '_, '_> {
    /// Renders an object and all that is first met in it.
    fn tree(&mut self, root: ObjectIndex) -> fmt::Result {
        let mut open: Vec<(Slots<'g>, &str)> = Vec::new();
        open.extend(self.object(root)?.map(|slots| (slots, "")));
        while let Some((slots, separator)) = open.last_mut() {
            let Some(slot) = slots.next() else {
                self.out.write_char('}')?;
                open.pop();
                continue;
            };
            self.out.write_str(std::mem::replace(separator, ", "))?;
            open.extend(self.slot(slot)?.map(|slots| (slots, "")));
        }
        Ok(())
    }

    fn slot(&mut self, slot: Slot<'g>) -> Result<Option<Slots<'g>>, fmt::Error> {
        let (value, member) = match slot {
            Slot::Nulls(1) => return self.out.write_str("null").map(|()| None),
            Slot::Nulls(count) => return write!(self.out, "null*{count}").map(|()| None),
            Slot::Value { value, member } => (value, member),
        };
        if let Some(member) = member {
            write!(self.out, "{}=", member.name.escape_debug())?;
        }
        let is_boxed = !member.is_some_and(|member| member.value_type.is_primitive());
        match value {
            Value::Null => self.out.write_str("null")?,
            Value::Primitive(value) if is_boxed => write!(self.out, "{} {value}", value.kind())?,
            Value::Primitive(value) => write!(self.out, "{value}")?,
            Value::Object(_) | Value::Reference(_) => match self.graph.target_index(value) {
                Some(index) => return self.object(index),
                None => unreachable!("a reader resolves all references"),
            },
        }
        Ok(None)
    }

    /// Renders an object's beginning. Gives what it holds, after which it must be closed.
    fn object(&mut self, index: ObjectIndex) -> Result<Option<Slots<'g>>, fmt::Error> {
        let seen = &mut self.uses[index.0 as usize];
        match *seen {
            Use::Behind(label) => return write!(self.out, "*{label}").map(|()| None),
            Use::Ahead(count) if count > 1 => {
                self.labels += 1;
                *seen = Use::Behind(self.labels);
                write!(self.out, "&{} ", self.labels)?;
            }
            Use::Ahead(_) => *seen = Use::Behind(0),
        }
        self.content(self.graph.object(index))
    }

    fn content(&mut self, object: &'g Object) -> Result<Option<Slots<'g>>, fmt::Error> {
        match &object.content {
            Content::String(text) => return write!(self.out, "\"{}\"", text.escape_debug()).map(|()| None),
            Content::Instance(instance) => self.type_name(&self.graph.class(instance).name)?,
            Content::Array(array) => self.array(array)?,
        }
        Ok(Some(self.graph.slots(object)))
    }
}

/// A type's name without the libraries, which stand behind a comma and a blank.
fn bare_letters(name: &str) -> impl Iterator<Item = char> {
    let mut in_library = false;
    name.char_indices().filter_map(move |(index, letter)| {
        in_library = letter != ']' && (in_library || name[index..].starts_with(", "));
        (!in_library).then_some(letter)
    })
}

/// Types.
impl Renderer<'_, '_, '_> {
    fn bare_name(&mut self, name: &str) -> fmt::Result {
        bare_letters(name).try_for_each(|letter| write!(self.out, "{}", letter.escape_debug()))
    }

    fn type_name(&mut self, name: &str) -> fmt::Result {
        self.bare_name(name)?;
        self.out.write_str(" {")
    }

    fn array(&mut self, array: &Array) -> fmt::Result {
        match &array.element_type {
            ValueType::Primitive(kind) => write!(self.out, "{kind}")?,
            ValueType::String => self.out.write_str("String")?,
            ValueType::Object => self.out.write_str("Object")?,
            ValueType::SystemClass(name) | ValueType::Class { name, .. } => self.bare_name(name)?,
            ValueType::ObjectArray => self.out.write_str("Object[]")?,
            ValueType::StringArray => self.out.write_str("String[]")?,
            ValueType::PrimitiveArray(kind) => write!(self.out, "{kind}[]")?,
        }
        self.shape(&array.shape)?;
        if let Elements::Primitives(values) = &array.elements {
            self.primitives(values)?;
        }
        Ok(())
    }

    fn shape(&mut self, shape: &Shape) -> fmt::Result {
        for (dimension, &length) in shape.lengths.iter().enumerate() {
            self.out.write_char(if dimension == 0 { '[' } else { ',' })?;
            match shape.lower_bounds.get(dimension) {
                Some(&lower) => write!(self.out, "{lower}..{}", i64::from(lower) + i64::from(length))?,
                None => write!(self.out, "{length}")?,
            }
        }
        self.out.write_str("] {")
    }

    fn primitives(&mut self, values: &Primitives) -> fmt::Result {
        for (index, value) in (0..values.len()).filter_map(|index| values.get(index)).enumerate() {
            self.out.write_str(if index == 0 { "" } else { ", " })?;
            write!(self.out, "{value}")?;
        }
        Ok(())
    }
}

/// Messages.
impl Renderer<'_, '_, '_> {
    fn message(&mut self, message: &Message) -> fmt::Result {
        match &message.content {
            MessageContent::Call { method, type_name } => {
                self.out.write_str("call ")?;
                self.bare_name(type_name)?;
                write!(self.out, ".{}", method.escape_debug())?;
            }
            MessageContent::Return { value } => {
                self.out.write_str("return")?;
                value.iter().try_for_each(|value| write!(self.out, " {value}"))?;
            }
        }
        if let Some(arguments) = &message.arguments {
            for (index, argument) in arguments.iter().enumerate() {
                self.out.write_str(if index == 0 { "(" } else { ", " })?;
                write!(self.out, "{argument}")?;
            }
            self.out.write_str(if arguments.is_empty() { "()" } else { ")" })?;
        }
        match &message.context {
            Some(context) => write!(self.out, " in \"{}\"", context.escape_debug()),
            None => Ok(()),
        }
    }
}

impl fmt::Display for InlineValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Primitive(value) => write!(f, "{} {value}", value.kind()),
            Self::String(text) => write!(f, "\"{}\"", text.escape_debug()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_libraries() {
        let name = "Box`1[[System.Version, mscorlib, Version=4.0.0.0]], Fixtures, Version=0.0.0.0";
        let bare: String = bare_letters(name).collect();
        assert_eq!(bare, "Box`1[[System.Version]]");
    }
}
