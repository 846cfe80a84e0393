//! References that are still to be followed: `FixupHolder`, `FixupHolderList`, `LongList`.

use super::super::heap::{allocate, grown, new_array};

/// The slots of a new list.
const FIRST_CAPACITY: usize = 2;

/// A member or an element that is to become an object.
pub(crate) struct FixupHolder {
    pub(super) place: Place,
    /// The object's number.
    pub(super) id: i32,
}

/// Where an object belongs.
pub(super) enum Place {
    /// In the member at this place in its class.
    Member(usize),
    /// In the element with these indices.
    Element(Vec<i32>),
}

impl Place {
    /// The place in the class or in the array.
    pub(super) fn index(&self) -> usize {
        match self {
            Self::Member(index) => *index,
            Self::Element(indices) => indices.first().map_or(0, |index| *index as usize),
        }
    }
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

impl FixupHolderList {
    pub(super) fn new() -> Box<Self> {
        Box::write(allocate(), Self { values: new_array(FIRST_CAPACITY), count: 0 })
    }

    pub(super) fn add(&mut self, holder: Box<FixupHolder>) {
        if self.count == self.values.len() {
            self.values = grown(&mut self.values, self.count * 2);
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
            self.values = grown(&mut self.values, self.count * 2);
        }
        self.values[self.count] = value;
        self.count += 1;
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }
}
