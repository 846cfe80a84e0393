//! `__BinaryParser`: from records to objects, members and elements.

mod record;

use crate::codec::nrbf::{PrimitiveType, RecordKind};
use crate::codec::{DecodeError, DecodeProblem};

use super::super::ser_stack::SerStack;
use super::assembly::BinaryAssemblyInfo;
use super::binary_reader::BinaryReader;
use super::object::Object;
use super::object_reader::ObjectReader;
use super::progress::{Content, ObjectProgress, ParseRecord};
use super::record::{
    BinaryArray, BinaryAssembly, BinaryObject, BinaryObjectString, BinaryObjectWithMapTyped,
    MemberPrimitiveUnTyped, MemberReference, ObjectNull,
};
use super::sized_array::SizedArray;

/// Reads records. It makes the object of each kind at the first use and fills it anew for the next.
pub(crate) struct __BinaryParser<'s, 'g> {
    data_reader: Box<BinaryReader<'s>>,
    /// The objects that the parser is in: one at most, as models have no structs.
    stack: Box<SerStack<Object<'g>>>,
    op_pool: Option<Box<SerStack<Object<'g>>>>,
    assembly_table: Option<Box<SizedArray<'g>>>,
    object_map_table: Option<Box<SizedArray<'g>>>,
    system_assembly: Option<Box<BinaryAssemblyInfo>>,
    /// What the reader is told of members.
    member_record: Option<Box<ParseRecord<'g>>>,
    binary_assembly: Option<Box<BinaryAssembly>>,
    binary_object: Option<Box<BinaryObject>>,
    binary_object_with_map_typed: Option<Box<BinaryObjectWithMapTyped<'g>>>,
    binary_array: Option<Box<BinaryArray<'g>>>,
    binary_object_string: Option<Box<BinaryObjectString>>,
    member_reference: Option<Box<MemberReference>>,
    object_null: Option<Box<ObjectNull>>,
    member_primitive_untyped: Option<Box<MemberPrimitiveUnTyped<'g>>>,
}

/// What comes next.
#[derive(Clone, Copy)]
enum Expected {
    /// Anything that stands by itself.
    Top,
    /// A member that is a primitive. It has no record around it.
    Primitive(PrimitiveType),
    /// A member that is a string.
    Text,
    /// A member that is an object.
    Reference,
    /// An element that is an object.
    Element,
}

/// The loop, and objects in progress.
impl<'s, 'g> __BinaryParser<'s, 'g> {
    pub(super) fn new(stack: Box<SerStack<Object<'g>>>, data_reader: Box<BinaryReader<'s>>) -> Self {
        Self {
            data_reader,
            stack,
            op_pool: None,
            assembly_table: None,
            object_map_table: None,
            system_assembly: None,
            member_record: None,
            binary_assembly: None,
            binary_object: None,
            binary_object_with_map_typed: None,
            binary_array: None,
            binary_object_string: None,
            member_reference: None,
            object_null: None,
            member_primitive_untyped: None,
        }
    }

    /// Reads all records, to the end of the message.
    pub(super) fn run(&mut self, reader: &mut ObjectReader<'g>) -> Result<(), DecodeError> {
        loop {
            match self.expected() {
                Expected::Primitive(primitive) => self.read_member_primitive(primitive, reader)?,
                expected => {
                    let kind = self.data_reader.read_byte()?;
                    match (RecordKind::from_code(kind), expected) {
                        (Some(RecordKind::MessageEnd), Expected::Top) => return Ok(()),
                        (Some(kind), expected) => self.read_record(kind, expected, reader)?,
                        (None, _) => return Err(self.unexpected(kind)),
                    }
                }
            }
            self.leave_what_is_complete(reader)?;
        }
    }

    /// An error at the position.
    pub(super) fn error(&self, problem: DecodeProblem) -> DecodeError {
        self.data_reader.error(problem)
    }

    fn unexpected(&self, kind: u8) -> DecodeError {
        self.data_reader.error_before(1, DecodeProblem::UnexpectedTag(kind))
    }

    fn progress(&mut self) -> Option<&mut ObjectProgress<'g>> {
        match self.stack.peek_mut() {
            Some(Object::Progress(progress)) => Some(progress),
            _ => None,
        }
    }

    fn expected(&mut self) -> Expected {
        let Some(progress) = self.progress() else { return Expected::Top };
        match &progress.content {
            Content::Members(map) => {
                let ty = map.member_types[progress.index];
                match ty.primitive() {
                    Some(primitive) => Expected::Primitive(primitive),
                    None if ty.is_text() => Expected::Text,
                    None => Expected::Reference,
                }
            }
            Content::Nothing | Content::Elements => Expected::Element,
        }
    }

    /// The member or element at hand is done with, and perhaps others after it.
    fn advance(&mut self, count: usize) -> usize {
        let Some(progress) = self.progress() else { return 0 };
        progress.index += count;
        progress.index - count
    }

    fn leave_what_is_complete(&mut self, reader: &mut ObjectReader<'g>) -> Result<(), DecodeError> {
        while self.progress().is_some_and(|progress| progress.index == progress.count) {
            let Some(Object::Progress(mut progress)) = self.stack.pop() else { break };
            let record = reader.parse_object_end().map_err(|problem| self.error(problem))?;
            progress.record = Some(record);
            self.op_pool.get_or_insert_with(SerStack::new).push(Object::Progress(progress));
        }
        Ok(())
    }

    /// One from the pool, or a new one.
    fn get_op(&mut self) -> Box<ObjectProgress<'g>> {
        match self.op_pool.as_mut().and_then(|pool| pool.pop_pooled()) {
            Some(Object::Progress(mut progress)) => {
                progress.reset();
                progress
            }
            _ => ObjectProgress::new(),
        }
    }

    /// Tells the reader that an object or an array begins, and goes into it.
    fn enter(
        &mut self,
        mut progress: Box<ObjectProgress<'g>>,
        reader: &mut ObjectReader<'g>,
    ) -> Result<(), DecodeError> {
        let record = progress.record.take().unwrap_or_default();
        reader.parse_object(record).map_err(|problem| self.error(problem))?;
        self.stack.push(Object::Progress(progress));
        Ok(())
    }
}
