//! `SizedArray`: objects by number.

use super::super::heap::{allocate, grown, new_array};
use super::object::Object;

/// Objects by number. Those with negative numbers, structs, have an array of their own.
pub(crate) struct SizedArray<'g> {
    objects: Vec<Object<'g>>,
    negative_objects: Vec<Object<'g>>,
}

impl<'g> SizedArray<'g> {
    pub(super) fn with_lengths(positive: usize, negative: usize) -> Box<Self> {
        let array = allocate();
        let objects = new_array(positive);
        Box::write(array, Self { objects, negative_objects: new_array(negative) })
    }

    fn slots(&self, number: i32) -> &Vec<Object<'g>> {
        if number < 0 { &self.negative_objects } else { &self.objects }
    }

    pub(super) fn get(&self, number: i32) -> Option<&Object<'g>> {
        self.slots(number).get(number.unsigned_abs() as usize)
    }

    /// Puts an object in its place. The caller has seen to it that the number is justified by the bytes read so far.
    pub(super) fn set(&mut self, number: i32, object: Object<'g>) {
        let slots = if number < 0 { &mut self.negative_objects } else { &mut self.objects };
        let index = number.unsigned_abs() as usize;
        if index >= slots.len() {
            let length = (slots.len() * 2).max(index + 1);
            *slots = grown(slots, length);
        }
        slots[index] = object;
    }
}
