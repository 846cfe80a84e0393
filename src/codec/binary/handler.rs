//! The chain of handlers: each value is offered to one after the other until one takes it.

use std::hint::black_box;

use crate::codec::DecodeError;
use crate::codec::dotnet::{List, ListEnumerator, ObjectRef, OrderedIterator, TypeInfo, Value};

use super::composite::BinaryComposite;
use super::core::BinaryCore;
use super::dictionary::BinaryDictionary;
use super::error::EncodeError;
use super::general::BinaryGeneral;
use super::list::BinaryList;
use super::normal::BinaryNormal;
use super::options::HeapEnumerators;

/// .NET's `IBinaryHandler`: writes and reads some types.
pub(super) trait Handler: Send {
    /// Its place in the chain: low comes first.
    fn priority(&self) -> i32;

    /// Writes the value and says yes, or says no.
    fn write(
        &self,
        host: &mut Host<'_, '_>,
        value: ObjectRef<'_>,
        type_info: &'static TypeInfo,
    ) -> Result<bool, EncodeError>;

    /// Reads a value, or says no.
    fn read(
        &self,
        host: &mut Host<'_, '_>,
        type_info: &'static TypeInfo,
    ) -> Result<Option<Value>, DecodeError>;
}

/// A reference to a handler; null where it has been moved on from.
#[derive(Default)]
pub(super) struct HandlerRef(Option<Box<dyn Handler>>);

impl HandlerRef {
    fn priority(&self) -> i32 {
        self.0.as_ref().map_or(i32::MAX, |handler| handler.priority())
    }
}

/// The five handlers in the order of their priorities, through the objects that the original's constructor makes.
///
/// Each handler holds its priority in a field, as the original's does; without a field it would have no size, and a `Box` of
/// it no block to count.
pub(super) fn sorted_handlers() -> Box<List<HandlerRef>> {
    let mut handlers = black_box(Box::new(List::new()));
    handlers.add(HandlerRef(Some(black_box(Box::new(BinaryGeneral::new())))));
    handlers.add(HandlerRef(Some(black_box(Box::new(BinaryNormal::new())))));
    handlers.add(HandlerRef(Some(black_box(Box::new(BinaryComposite::new())))));
    handlers.add(HandlerRef(Some(black_box(Box::new(BinaryList::new())))));
    handlers.add(HandlerRef(Some(black_box(Box::new(BinaryDictionary::new())))));
    let mut ordered = black_box(Box::new(OrderedIterator::new(handlers, HandlerRef::priority)));
    ordered.to_list()
}

/// What a handler sees of its `Binary`: the chain, for values inside its value, and everything else.
pub(super) struct Host<'h, 's> {
    pub(super) handlers: &'h List<HandlerRef>,
    pub(super) core: &'h mut BinaryCore<'s>,
}

impl Host<'_, '_> {
    /// Offers a value to the chain.
    pub(super) fn write(
        &mut self,
        value: ObjectRef<'_>,
        type_info: &'static TypeInfo,
    ) -> Result<(), EncodeError> {
        let enumerator = ListEnumerator::new(self.handlers);
        if self.enumerator_escapes() {
            self.write_through(black_box(Box::new(enumerator)), value, type_info)
        } else {
            self.write_through(enumerator, value, type_info)
        }
    }

    /// Asks the chain for a value.
    pub(super) fn read(&mut self, type_info: &'static TypeInfo) -> Result<Value, DecodeError> {
        let enumerator = ListEnumerator::new(self.handlers);
        if self.enumerator_escapes() {
            self.read_through(black_box(Box::new(enumerator)), type_info)
        } else {
            self.read_through(enumerator, type_info)
        }
    }

    fn write_through<'e>(
        &mut self,
        handlers: impl Iterator<Item = &'e HandlerRef>,
        value: ObjectRef<'_>,
        type_info: &'static TypeInfo,
    ) -> Result<(), EncodeError> {
        for handler in handlers.filter_map(|handler| handler.0.as_deref()) {
            if handler.write(self, value, type_info)? {
                return Ok(());
            }
        }
        Err(EncodeError::WrongType(type_info.name))
    }

    fn read_through<'e>(
        &mut self,
        handlers: impl Iterator<Item = &'e HandlerRef>,
        type_info: &'static TypeInfo,
    ) -> Result<Value, DecodeError> {
        for handler in handlers.filter_map(|handler| handler.0.as_deref()) {
            if let Some(value) = handler.read(self, type_info)? {
                return Ok(value);
            }
        }
        Err(self.core.value_out_of_range())
    }

    fn enumerator_escapes(&self) -> bool {
        match self.core.options.enumerators {
            HeapEnumerators::None => false,
            HeapEnumerators::Members => !self.core.at_root(),
            HeapEnumerators::Root => self.core.at_root(),
        }
    }
}
