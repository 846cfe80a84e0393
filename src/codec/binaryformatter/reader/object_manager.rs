//! `ObjectManager`: the objects read so far, by number, and the references between them.

use std::hint::black_box;

use crate::codec::DecodeProblem;
use crate::codec::dotnet::{Object as Handed, Reflect, Value};

use super::super::heap::{allocate, create, grown, new_array};
use super::super::types::{FieldInfo, RuntimeType, Shape};
use super::fixup::{FixupHolder, FixupHolderList, LongList, Place};

/// The slots for holders, at first and at most. More objects than slots share them.
const FIRST_SLOTS: usize = 16;
const MAX_SLOTS: usize = 0x1000;

/// The slots of a list of holders.
const LIST_SLOTS: usize = 8;

/// An object that has been read, or that another one refers to.
pub(crate) struct ObjectHolder<'g> {
    id: i32,
    held: Held<'g>,
    missing_elements: Option<Box<FixupHolderList>>,
    dependent_objects: Option<Box<LongList>>,
    /// The next holder of the slot.
    next: Option<Box<ObjectHolder<'g>>>,
}

/// What is known of an object.
pub(super) enum Held<'g> {
    /// Nothing yet.
    Nothing,
    /// A string. It is in its owner's hands: a member of an object.
    Text { owner: i32, slot: usize },
    /// An object whose references are still to be followed.
    Class { object: Box<dyn Reflect>, fields: &'g [FieldInfo] },
    /// An array, all of whose elements are references that are still to be followed, or null.
    Array { array_type: &'g RuntimeType, length: usize },
    /// An object that is complete.
    Complete(Value),
}

/// A chain of holders is as long as a hostile input has objects: it is dropped one by one.
impl Drop for ObjectHolder<'_> {
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(mut holder) = next {
            next = holder.next.take();
        }
    }
}

impl<'g> ObjectHolder<'g> {
    fn new(id: i32) -> Box<Self> {
        let (held, missing_elements, dependent_objects, next) = (Held::Nothing, None, None, None);
        create(Self { id, held, missing_elements, dependent_objects, next })
    }
}

/// `ObjectHolderList`: the objects that need more than references. No model has such.
pub(crate) struct ObjectHolderList<'g> {
    values: Vec<Option<Box<ObjectHolder<'g>>>>,
    count: usize,
}

/// Walks through an [`ObjectHolderList`].
pub(crate) struct ObjectHolderListEnumerator<'l, 'g> {
    list: &'l ObjectHolderList<'g>,
    index: usize,
}

impl<'l, 'g> Iterator for ObjectHolderListEnumerator<'l, 'g> {
    type Item = &'l ObjectHolder<'g>;

    fn next(&mut self) -> Option<&'l ObjectHolder<'g>> {
        let holder = self.list.values[..self.list.count].get(self.index)?.as_deref();
        self.index += 1;
        holder
    }
}

/// The objects of one graph.
pub(crate) struct ObjectManager<'g> {
    objects: Vec<Option<Box<ObjectHolder<'g>>>>,
    max_id: i32,
    special_fixup_objects: Option<Box<ObjectHolderList<'g>>>,
}

/// Holders.
impl<'g> ObjectManager<'g> {
    pub(super) fn new() -> Box<Self> {
        let manager = allocate();
        let objects = new_array(FIRST_SLOTS);
        Box::write(manager, Self { objects, max_id: 0, special_fixup_objects: None })
    }

    fn find(&mut self, id: i32) -> Option<&mut ObjectHolder<'g>> {
        let mut holder = self.objects.get_mut(id as usize % MAX_SLOTS)?.as_deref_mut();
        while let Some(found) = holder {
            if found.id == id {
                return Some(found);
            }
            holder = found.next.as_deref_mut();
        }
        None
    }

    fn find_or_create(&mut self, id: i32) -> &mut ObjectHolder<'g> {
        if self.find(id).is_none() {
            self.add(ObjectHolder::new(id));
        }
        self.find(id).expect("it has just been added")
    }

    fn add(&mut self, mut holder: Box<ObjectHolder<'g>>) {
        let slot = holder.id as usize % MAX_SLOTS;
        if slot >= self.objects.len() {
            self.objects = grown(&mut self.objects, (slot + 1).next_power_of_two());
        }
        self.max_id = self.max_id.max(holder.id);
        holder.next = self.objects[slot].take();
        self.objects[slot] = Some(holder);
    }
}

/// Objects and references.
impl<'g> ObjectManager<'g> {
    /// Takes an object, whose number no other may have.
    pub(super) fn register(&mut self, id: i32, object: Held<'g>) -> Result<(), DecodeProblem> {
        let holder = self.find_or_create(id);
        if !matches!(holder.held, Held::Nothing) {
            return Err(DecodeProblem::DuplicateId(id));
        }
        holder.held = object;
        Ok(())
    }

    /// Whether an object has a number.
    pub(super) fn is_registered(&mut self, id: i32) -> bool {
        self.find(id).is_some_and(|holder| !matches!(holder.held, Held::Nothing))
    }

    /// Notes a reference. An object can be part of one other alone.
    pub(super) fn record_fixup(&mut self, from: i32, place: Place, to: i32) -> Result<(), DecodeProblem> {
        let fixup = create(FixupHolder { place, id: to });
        self.find_or_create(from).missing_elements.get_or_insert_with(FixupHolderList::new).add(fixup);
        let dependents = self.find_or_create(to).dependent_objects.get_or_insert_with(LongList::new);
        dependents.add(from.into());
        if dependents.count() > 1 { Err(DecodeProblem::SharedObject(to)) } else { Ok(()) }
    }

    /// Where a string is: the object that holds it, and the member.
    pub(super) fn text_place(&mut self, id: i32) -> Option<(i32, usize)> {
        match self.find(id)?.held {
            Held::Text { owner, slot } => Some((owner, slot)),
            _ => None,
        }
    }

    /// A string that a complete object holds.
    pub(super) fn text_of(&mut self, owner: i32, slot: usize) -> Option<&str> {
        let Held::Class { object, fields } = &self.find(owner)?.held else { return None };
        match (fields.get(slot)?.member.get)(&**object) {
            Handed::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Follows all references.
    ///
    /// BinaryFormatter writes an object after the one that refers to it: from the highest number down, each is complete
    /// when it becomes a part.
    pub(super) fn do_fixups(&mut self) -> Result<(), DecodeProblem> {
        self.do_special_fixups();
        for id in (1..=self.max_id).rev() {
            let Some(holder) = self.find(id) else { continue };
            let held = std::mem::replace(&mut holder.held, Held::Nothing);
            let missing = holder.missing_elements.take();
            let complete = match held {
                Held::Class { object, fields } => {
                    self.complete_class(id, object, fields, missing.as_deref())?
                }
                Held::Array { array_type, length } => {
                    self.complete_array(id, array_type, length, missing.as_deref())?
                }
                Held::Nothing | Held::Text { .. } | Held::Complete(_) => continue,
            };
            if let Some(holder) = self.find(id) {
                holder.held = Held::Complete(complete);
            }
        }
        Ok(())
    }

    /// The original looks here for boxed structs and proxies: the list is made, asked, and empty.
    fn do_special_fixups(&mut self) {
        let list = self.special_fixup_objects.get_or_insert_with(|| {
            Box::write(allocate(), ObjectHolderList { values: new_array(LIST_SLOTS), count: 0 })
        });
        let mut enumerator = create(ObjectHolderListEnumerator { list, index: 0 });
        black_box(enumerator.next().is_none());
    }

    fn complete_class(
        &mut self,
        id: i32,
        mut object: Box<dyn Reflect>,
        fields: &'g [FieldInfo],
        missing: Option<&FixupHolderList>,
    ) -> Result<Value, DecodeProblem> {
        for fixup in missing.into_iter().flat_map(FixupHolderList::iter) {
            let part = self.take_part(id, fixup.id)?;
            let is_set =
                fields.get(fixup.place.index()).is_some_and(|field| (field.member.set)(&mut *object, part));
            if !is_set {
                return Err(DecodeProblem::ValueOutOfRange);
            }
        }
        Ok(Value::Class(object))
    }

    fn complete_array(
        &mut self,
        id: i32,
        array_type: &RuntimeType,
        length: usize,
        missing: Option<&FixupHolderList>,
    ) -> Result<Value, DecodeProblem> {
        let Shape::Array { create, .. } = array_type.shape else {
            return Err(DecodeProblem::ValueOutOfRange);
        };
        let mut array = create();
        let mut fixups = missing.into_iter().flat_map(FixupHolderList::iter).peekable();
        for index in 0..length {
            let element = match fixups.next_if(|fixup| fixup.place.index() == index) {
                Some(fixup) => self.take_part(id, fixup.id)?,
                None => Value::Null,
            };
            if !array.add(element) {
                return Err(DecodeProblem::ValueOutOfRange);
            }
        }
        Ok(Value::List(array))
    }

    /// Takes an object that becomes a part of another one before it.
    fn take_part(&mut self, owner: i32, id: i32) -> Result<Value, DecodeProblem> {
        if id <= owner {
            return Err(DecodeProblem::UnresolvedId(id));
        }
        self.take(id)
    }

    /// Takes an object that is complete.
    pub(super) fn take(&mut self, id: i32) -> Result<Value, DecodeProblem> {
        let held = self.find(id).map(|holder| std::mem::replace(&mut holder.held, Held::Nothing));
        match held {
            Some(Held::Complete(value)) => Ok(value),
            _ => Err(DecodeProblem::UnresolvedId(id)),
        }
    }
}
