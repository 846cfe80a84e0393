//! Reading: one record after the other, with a stack of the objects that are not complete.

use crate::codec::{DecodeError, DecodeProblem};

use super::allowed::{self, RecordSet};
use super::class::ValueType;
use super::cursor::Cursor;
use super::graph::{Content, Elements, Graph, Identified, Object, ObjectIndex, Run, Value};
use super::guide::Guide;
use super::limits::Limits;
use super::primitive::Primitive;
use super::record::{PrimitiveType, RecordKind};

/// The version of the format.
const VERSION: (i32, i32) = (1, 0);

/// Reads a stream, up to the end of its message. Bytes behind that are not looked at.
///
/// # Errors
/// When the bytes break one of the module's rules, or need what the limits exclude: where, and what.
///
/// # Examples
/// ```
/// use alloclab::codec::nrbf::{Limits, read};
///
/// let bytes = include_bytes!("../../../fixtures/nrbf/cycle_two.bin");
/// let graph = read(bytes, Limits::strict())?;
/// assert_eq!(graph.to_string(), r#"&1 Models.Node {Name="a", Next=Models.Node {Name="b", Next=*1}}"#);
/// assert_eq!(graph.to_bytes(), bytes);
/// # Ok::<(), alloclab::codec::DecodeError>(())
/// ```
pub fn read(bytes: &[u8], limits: Limits) -> Result<Graph, DecodeError> {
    read_guided(bytes, limits, &mut ())
}

/// Reads a stream, telling and asking a [`Guide`].
///
/// # Errors
/// As [`read`].
pub fn read_guided(bytes: &[u8], limits: Limits, guide: &mut dyn Guide) -> Result<Graph, DecodeError> {
    let cursor = Cursor::new(bytes);
    let graph = Graph::new(0, 0);
    let mut reader =
        Reader { cursor, limits, guide, graph, frames: Vec::new(), references: Vec::new(), places: 0 };
    reader.read_header()?;
    while reader.step()? {}
    reader.resolve()?;
    Ok(reader.graph)
}

pub(super) struct Reader<'a, 'g> {
    pub(super) cursor: Cursor<'a>,
    pub(super) limits: Limits,
    pub(super) guide: &'g mut dyn Guide,
    pub(super) graph: Graph,
    pub(super) frames: Vec<Frame>,
    pub(super) references: Vec<Reference>,
    /// How many values have come, but for the primitives of members.
    pub(super) places: u64,
}

/// An object whose values are being read.
pub(super) enum Frame {
    Instance { object: ObjectIndex, class: u32, values: Vec<Value> },
    Array { object: ObjectIndex, records: RecordSet, runs: Vec<Run>, left: u64 },
}

/// What comes next.
enum Next {
    Primitive(PrimitiveType),
    Record(RecordSet),
}

/// A reference that must lead to an object which may stand where it does.
pub(super) struct Reference {
    pub(super) id: i32,
    pub(super) offset: usize,
    pub(super) records: RecordSet,
}

/// The loop.
impl Reader<'_, '_> {
    fn read_header(&mut self) -> Result<(), DecodeError> {
        self.read_kind(allowed::START)?;
        self.graph.root_id = self.cursor.int32()?;
        self.graph.header_id = self.cursor.int32()?;
        let offset = self.cursor.offset();
        let (major, minor) = (self.cursor.int32()?, self.cursor.int32()?);
        if (major, minor) != VERSION {
            return Err(DecodeError { offset, problem: DecodeProblem::UnsupportedVersion { major, minor } });
        }
        Ok(())
    }

    /// Reads one value, or one record that is none. False at the end of the message.
    fn step(&mut self) -> Result<bool, DecodeError> {
        match self.next() {
            Next::Primitive(kind) => {
                let value = Primitive::read(&mut self.cursor, kind)?;
                self.hold(Value::Primitive(value));
            }
            Next::Record(records) => {
                let kind = self.read_kind(records)?;
                if kind == RecordKind::MessageEnd {
                    return Ok(false);
                }
                self.read_record(kind, records)?;
            }
        }
        self.close_complete();
        Ok(true)
    }

    fn next(&self) -> Next {
        match self.frames.last() {
            None => Next::Record(allowed::TOP_LEVEL),
            Some(Frame::Array { records, .. }) => Next::Record(*records),
            Some(Frame::Instance { class, values, .. }) => {
                match &self.graph.classes[*class as usize].members[values.len()].value_type {
                    ValueType::Primitive(kind) => Next::Primitive(*kind),
                    value_type => Next::Record(allowed::records_of(value_type)),
                }
            }
        }
    }

    fn read_kind(&mut self, records: RecordSet) -> Result<RecordKind, DecodeError> {
        let offset = self.cursor.offset();
        let kind = self.cursor.tag(RecordKind::from_code)?;
        let problem = if !self.reads(kind) {
            DecodeProblem::UnsupportedTag(kind.code())
        } else if !records.has(kind) {
            DecodeProblem::UnexpectedTag(kind.code())
        } else {
            self.guide.record(kind, offset);
            return Ok(kind);
        };
        Err(DecodeError { offset, problem })
    }

    fn reads(&self, kind: RecordKind) -> bool {
        match kind {
            RecordKind::SystemClassWithMembers | RecordKind::ClassWithMembers => self.limits.untyped_classes,
            RecordKind::MethodCall | RecordKind::MethodReturn => self.limits.messages,
            RecordKind::CrossAppDomainMap
            | RecordKind::CrossAppDomainString
            | RecordKind::CrossAppDomainAssembly => false,
            _ => true,
        }
    }

    fn read_record(&mut self, kind: RecordKind, records: RecordSet) -> Result<(), DecodeError> {
        match kind {
            RecordKind::ClassWithId => self.read_known_class(),
            RecordKind::SystemClassWithMembers
            | RecordKind::ClassWithMembers
            | RecordKind::SystemClassWithMembersAndTypes
            | RecordKind::ClassWithMembersAndTypes => self.read_class(kind),
            RecordKind::BinaryObjectString => self.read_string(),
            RecordKind::BinaryArray => self.read_array(),
            RecordKind::ArraySinglePrimitive
            | RecordKind::ArraySingleObject
            | RecordKind::ArraySingleString => self.read_single_array(kind),
            RecordKind::MemberPrimitiveTyped => self.read_boxed(),
            RecordKind::MemberReference => self.read_reference(records),
            RecordKind::ObjectNull | RecordKind::ObjectNullMultiple256 | RecordKind::ObjectNullMultiple => {
                self.read_nulls(kind)
            }
            RecordKind::BinaryLibrary => self.read_library(),
            // No set of records has the others but in a place of their own.
            _ => self.read_message(kind),
        }
    }

    /// Every reference must lead somewhere, and so must the stream's to its root, unless a message has it all.
    fn resolve(&self) -> Result<(), DecodeError> {
        for &Reference { id, offset, records } in &self.references {
            if !self.graph.find(id).is_some_and(|object| records.takes(&object.content)) {
                return Err(DecodeError { offset, problem: DecodeProblem::UnresolvedId(id) });
            }
        }
        let is_in_message = self.graph.root_id == 0 && self.graph.message.is_some();
        if self.graph.root().is_none() && !is_in_message {
            let problem = DecodeProblem::UnresolvedId(self.graph.root_id);
            return Err(DecodeError { offset: size_of::<RecordKind>(), problem });
        }
        Ok(())
    }
}

/// Objects and what they hold.
impl Reader<'_, '_> {
    /// An id that is free, for an object or a library.
    pub(super) fn read_id(&mut self) -> Result<i32, DecodeError> {
        let offset = self.cursor.offset();
        let id = self.cursor.int32()?;
        match id {
            0 => Err(DecodeError { offset, problem: DecodeProblem::ValueOutOfRange }),
            1.. if self.graph.ids.contains_key(&id) => {
                Err(DecodeError { offset, problem: DecodeProblem::DuplicateId(id) })
            }
            _ => Ok(id),
        }
    }

    /// Begins an object, and puts it where it stands.
    pub(super) fn begin(&mut self, id: i32, content: Content) -> ObjectIndex {
        let index = ObjectIndex(self.graph.objects.len() as u32);
        self.graph.objects.push(Object { id, content });
        self.graph.ids.insert(id, Identified::Object(index));
        self.place(Value::Object(index));
        index
    }

    /// Puts a value that has a record where it stands.
    pub(super) fn place(&mut self, value: Value) {
        self.places += 1;
        self.hold(value);
    }

    fn hold(&mut self, value: Value) {
        match self.frames.last_mut() {
            None => self.graph.top_level.push(value),
            Some(Frame::Instance { values, .. }) => values.push(value),
            Some(Frame::Array { runs, left, .. }) => {
                runs.push(Run::Value(value));
                *left -= 1;
            }
        }
    }

    /// Gives the objects that have all their values what they hold.
    fn close_complete(&mut self) {
        while let Some(frame) = self.frames.pop() {
            match frame {
                Frame::Instance { object, class, values }
                    if values.len() == self.graph.classes[class as usize].members.len() =>
                {
                    self.fill(object, |content| match content {
                        Content::Instance(instance) => instance.values = values.into_boxed_slice(),
                        _ => unreachable!("the object of an instance's frame is an instance"),
                    });
                }
                Frame::Array { object, runs, left: 0, .. } => self.fill(object, |content| match content {
                    Content::Array(array) => array.elements = Elements::Values(runs.into_boxed_slice()),
                    _ => unreachable!("the object of an array's frame is an array"),
                }),
                incomplete => {
                    self.frames.push(incomplete);
                    return;
                }
            }
        }
    }

    fn fill(&mut self, object: ObjectIndex, fill: impl FnOnce(&mut Content)) {
        fill(&mut self.graph.objects[object.0 as usize].content);
    }
}
