//! Reading the records that begin an instance or an array.

use crate::codec::{DecodeError, DecodeProblem};

use super::allowed;
use super::class::{Class, Member, ValueType};
use super::graph::{Array, Content, Elements, Identified, Instance, Shape};
use super::primitive::Primitives;
use super::reader::{Frame, Reader};
use super::record::{ArrayKind, BinaryType, RecordKind};

/// The most elements of an array's dimension, and of all dimensions together: .NET's own limits.
const MAX_LENGTH: i32 = 2_147_483_591;
const MAX_ELEMENTS: u64 = u32::MAX as u64;

/// The most dimensions of an array.
const MAX_RANK: i32 = 32;

/// Instances.
impl Reader<'_, '_> {
    pub(super) fn read_class(&mut self, record: RecordKind) -> Result<(), DecodeError> {
        let id = self.read_id()?;
        let name: Box<str> = self.cursor.text()?.into();
        let mut members = self.read_member_names()?;
        let is_typed = record.has_member_types();
        if is_typed {
            self.read_member_types(&mut members)?;
        } else {
            self.ask_member_types(&name, &mut members);
        }
        let library = if record.has_library() { Some(self.read_library_id()?) } else { None };
        let class = self.graph.classes.len() as u32;
        self.graph.classes.push(Class { name, library, members: members.into_boxed_slice(), is_typed });
        self.begin_instance(id, class, None);
        Ok(())
    }

    pub(super) fn read_known_class(&mut self) -> Result<(), DecodeError> {
        let id = self.read_id()?;
        let offset = self.cursor.offset();
        let described_by = self.cursor.int32()?;
        let Some(Content::Instance(first)) = self.graph.find(described_by).map(|object| &object.content)
        else {
            return Err(DecodeError { offset, problem: DecodeProblem::UnresolvedId(described_by) });
        };
        let class = first.class;
        self.begin_instance(id, class, Some(described_by));
        Ok(())
    }

    fn begin_instance(&mut self, id: i32, class: u32, described_by: Option<i32>) {
        let values = Box::default();
        let object = self.begin(id, Content::Instance(Instance { class, described_by, values }));
        self.frames.push(Frame::Instance { object, class, values: Vec::new() });
    }

    fn read_member_names(&mut self) -> Result<Vec<Member>, DecodeError> {
        let offset = self.cursor.offset();
        let count = self.cursor.int32()?;
        let problem = DecodeProblem::LengthOutOfRange(count.into());
        let count = u32::try_from(count).map_err(|_| DecodeError { offset, problem })?;
        let mut members = Vec::new();
        for _ in 0..count {
            let name = self.cursor.text()?.into();
            members.push(Member { name, value_type: ValueType::Object });
        }
        if has_duplicates(&members) {
            return Err(DecodeError { offset, problem: DecodeProblem::DuplicateName });
        }
        Ok(members)
    }

    /// The codes of all types stand before what some of them need beside.
    fn read_member_types(&mut self, members: &mut [Member]) -> Result<(), DecodeError> {
        let offset = self.cursor.offset();
        let codes = self.cursor.take(members.len())?;
        for (index, (member, &code)) in members.iter_mut().zip(codes).enumerate() {
            let problem = DecodeProblem::UnexpectedTag(code);
            let binary_type =
                BinaryType::from_code(code).ok_or(DecodeError { offset: offset + index, problem })?;
            member.value_type = self.read_value_type(binary_type)?;
        }
        Ok(())
    }

    fn ask_member_types(&mut self, class: &str, members: &mut [Member]) {
        for member in members {
            if let Some(kind) = self.guide.primitive_member(class, &member.name) {
                member.value_type = ValueType::Primitive(kind);
            }
        }
    }

    fn read_value_type(&mut self, binary_type: BinaryType) -> Result<ValueType, DecodeError> {
        Ok(match binary_type {
            BinaryType::Primitive => ValueType::Primitive(self.cursor.primitive_type()?),
            BinaryType::String => ValueType::String,
            BinaryType::Object => ValueType::Object,
            BinaryType::SystemClass => ValueType::SystemClass(self.cursor.text()?.into()),
            BinaryType::Class => {
                ValueType::Class { name: self.cursor.text()?.into(), library: self.read_library_id()? }
            }
            BinaryType::ObjectArray => ValueType::ObjectArray,
            BinaryType::StringArray => ValueType::StringArray,
            BinaryType::PrimitiveArray => ValueType::PrimitiveArray(self.cursor.primitive_type()?),
        })
    }

    /// The id of a library that has been named.
    fn read_library_id(&mut self) -> Result<i32, DecodeError> {
        let offset = self.cursor.offset();
        let id = self.cursor.int32()?;
        match self.graph.ids.get(&id) {
            Some(Identified::Library) => Ok(id),
            _ => Err(DecodeError { offset, problem: DecodeProblem::UnresolvedId(id) }),
        }
    }
}

/// Compares neighbors in sorted order: a table of names would take more memory than the members.
fn has_duplicates(members: &[Member]) -> bool {
    let mut order: Box<[u32]> = (0..members.len() as u32).collect();
    let name = |index: u32| &*members[index as usize].name;
    order.sort_unstable_by_key(|&index| name(index));
    order.windows(2).any(|pair| name(pair[0]) == name(pair[1]))
}

/// Arrays.
impl Reader<'_, '_> {
    pub(super) fn read_single_array(&mut self, record: RecordKind) -> Result<(), DecodeError> {
        let id = self.read_id()?;
        let shape = Shape::single(self.read_array_length()?);
        let element_type = match record {
            RecordKind::ArraySinglePrimitive => ValueType::Primitive(self.cursor.primitive_type()?),
            RecordKind::ArraySingleString => ValueType::String,
            _ => ValueType::Object,
        };
        self.read_elements(id, record, shape, element_type)
    }

    pub(super) fn read_array(&mut self) -> Result<(), DecodeError> {
        let id = self.read_id()?;
        let shape = self.read_shape()?;
        let binary_type = self.cursor.tag(BinaryType::from_code)?;
        let element_type = self.read_value_type(binary_type)?;
        self.read_elements(id, RecordKind::BinaryArray, shape, element_type)
    }

    fn read_elements(
        &mut self,
        id: i32,
        record: RecordKind,
        shape: Shape,
        element_type: ValueType,
    ) -> Result<(), DecodeError> {
        let left = shape.len();
        let (elements, is_complete) = match element_type {
            ValueType::Primitive(kind) => {
                (Elements::Primitives(Primitives::read(&mut self.cursor, kind, left)?), true)
            }
            _ => (Elements::Values(Box::default()), false),
        };
        let records = allowed::records_of(&element_type).and(allowed::NULLS);
        let array = Array { record, shape, element_type, elements };
        let object = self.begin(id, Content::Array(Box::new(array)));
        if !is_complete {
            self.frames.push(Frame::Array { object, records, runs: Vec::new(), left });
        }
        Ok(())
    }

    fn read_array_length(&mut self) -> Result<i32, DecodeError> {
        let offset = self.cursor.offset();
        let length = self.cursor.int32()?;
        if (0..=MAX_LENGTH).contains(&length) {
            return Ok(length);
        }
        Err(DecodeError { offset, problem: DecodeProblem::LengthOutOfRange(length.into()) })
    }

    fn read_shape(&mut self) -> Result<Shape, DecodeError> {
        let kind = self.read_array_kind()?;
        let offset = self.cursor.offset();
        let rank = self.cursor.int32()?;
        let ranks = if kind.is_rectangular() { 2..=MAX_RANK } else { 1..=1 };
        if !ranks.contains(&rank) {
            return Err(DecodeError { offset, problem: DecodeProblem::LengthOutOfRange(rank.into()) });
        }
        let lengths = self.read_lengths(rank)?;
        let lower_bounds =
            if kind.has_lower_bounds() { self.read_lower_bounds(&lengths)? } else { Box::default() };
        Ok(Shape { kind, lengths, lower_bounds })
    }

    fn read_array_kind(&mut self) -> Result<ArrayKind, DecodeError> {
        let offset = self.cursor.offset();
        let kind = self.cursor.tag(ArrayKind::from_code)?;
        if kind.has_lower_bounds() && !self.limits.lower_bounds {
            return Err(DecodeError { offset, problem: DecodeProblem::UnsupportedTag(kind.code()) });
        }
        Ok(kind)
    }

    fn read_lengths(&mut self, rank: i32) -> Result<Box<[i32]>, DecodeError> {
        let mut lengths = Vec::new();
        let mut elements = 1;
        for _ in 0..rank {
            let offset = self.cursor.offset();
            let length = self.read_array_length()?;
            elements *= length as u64;
            if elements > MAX_ELEMENTS {
                return Err(DecodeError { offset, problem: DecodeProblem::LengthOutOfRange(length.into()) });
            }
            lengths.push(length);
        }
        Ok(lengths.into_boxed_slice())
    }

    /// No index may be beyond the largest `Int32`.
    fn read_lower_bounds(&mut self, lengths: &[i32]) -> Result<Box<[i32]>, DecodeError> {
        let mut lower_bounds = Vec::new();
        for &length in lengths {
            let offset = self.cursor.offset();
            let lower_bound = self.cursor.int32()?;
            if i64::from(lower_bound) + i64::from(length) > i64::from(i32::MAX) + 1 {
                return Err(DecodeError { offset, problem: DecodeProblem::ValueOutOfRange });
            }
            lower_bounds.push(lower_bound);
        }
        Ok(lower_bounds.into_boxed_slice())
    }
}
