//! `ObjectProgress` and `ParseRecord`: what is being read.

use std::rc::Rc;

use crate::codec::dotnet::Reflect;

use super::super::heap::{allocate, create, new_array};
use super::super::types::RuntimeType;
use super::object::Object;
use super::object_map::ObjectMap;

/// How far the parser is in an object or an array.
pub(crate) struct ObjectProgress<'g> {
    /// Handed to the reader while the object is open.
    pub(super) record: Option<Box<ParseRecord<'g>>>,
    pub(super) content: Content<'g>,
    /// Members or elements read so far.
    pub(super) index: usize,
    /// How many there are.
    pub(super) count: usize,
}

/// What an object or an array consists of.
#[derive(Clone, Default)]
pub(super) enum Content<'g> {
    #[default]
    Nothing,
    Members(Rc<ObjectMap<'g>>),
    Elements,
}

/// What the parser tells the reader: an object that begins, a member with its value, or an object's end.
#[derive(Default)]
pub(crate) struct ParseRecord<'g> {
    pub(super) object_id: i32,
    /// The class of an object that begins, as a record has described it.
    pub(super) object_map: Option<Rc<ObjectMap<'g>>>,
    /// The members' values of an object that has begun.
    pub(super) member_data: Vec<Object<'g>>,
    /// The object, with nothing in it yet.
    pub(super) new_object: Option<Box<dyn Reflect>>,
    /// An array that begins.
    pub(super) array: Option<ArrayInstance<'g>>,
    /// The indices of the element at hand, if an array has begun.
    pub(super) index_map: Vec<i32>,
    /// A member's value.
    pub(super) value: Object<'g>,
}

/// An array without its elements: those that are no null follow later.
pub(super) struct ArrayInstance<'g> {
    pub(super) array_type: &'g RuntimeType,
    lengths: Vec<i32>,
}

impl<'g> ArrayInstance<'g> {
    /// Mono's `Array.CreateInstance`, which hands the length on in an array of its own.
    pub(super) fn create(array_type: &'g RuntimeType, length: i32) -> Self {
        let mut lengths = new_array(1);
        lengths[0] = length;
        Self { array_type, lengths }
    }

    pub(super) fn length(&self) -> usize {
        self.lengths[0] as usize
    }
}

impl<'g> ObjectProgress<'g> {
    pub(super) fn new() -> Box<Self> {
        let progress = allocate();
        let record = Some(create(ParseRecord::default()));
        Box::write(progress, Self { record, content: Content::Nothing, index: 0, count: 0 })
    }

    /// Makes one that has been used as good as new.
    pub(super) fn reset(&mut self) {
        self.content = Content::Nothing;
        self.index = 0;
        self.count = 0;
        if let Some(record) = &mut self.record {
            **record = ParseRecord::default();
        }
    }
}
