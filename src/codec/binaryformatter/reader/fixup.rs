//! References that are still to be followed: `FixupHolder`, `FixupHolderList`, `LongList`.

use super::super::heap::{allocate, create, new_array};

/// The slots of a new list.
const FIRST_CAPACITY: usize = 2;

/// A member or an element that is to become an object.
pub(crate) struct FixupHolder {
    /// The member's place in its class, or the element's in its array.
    pub(super) slot: usize,
    /// The object's number.
    pub(super) id: i32,
}

/// The references of one object, in order.
pub(crate) struct FixupHolderList {
    values: Vec<Option<Box<FixupHolder>>>,
    count: usize,
}

/// The objects that wait for one.
pub(crate) struct LongList {
    values: Vec<i64>,
    count: usize,
}

/// An array of twice the length, with the same values at its start.
fn grown<T: Default>(values: &mut Vec<T>) -> Vec<T> {
    let mut grown = new_array(values.len() * 2);
    for (new, old) in grown.iter_mut().zip(values) {
        std::mem::swap(new, old);
    }
    grown
}

impl FixupHolderList {
    pub(super) fn new() -> Box<Self> {
        Box::write(allocate(), Self { values: new_array(FIRST_CAPACITY), count: 0 })
    }

    pub(super) fn add(&mut self, slot: usize, id: i32) {
        let holder = create(FixupHolder { slot, id });
        if self.count == self.values.len() {
            self.values = grown(&mut self.values);
        }
        self.values[self.count] = Some(holder);
        self.count += 1;
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &FixupHolder> {
        self.values.iter().flatten().map(|holder| &**holder)
    }
}

impl LongList {
    pub(super) fn new() -> Box<Self> {
        Box::write(allocate(), Self { values: new_array(FIRST_CAPACITY), count: 0 })
    }

    pub(super) fn add(&mut self, value: i64) {
        if self.count == self.values.len() {
            self.values = grown(&mut self.values);
        }
        self.values[self.count] = value;
        self.count += 1;
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }
}
