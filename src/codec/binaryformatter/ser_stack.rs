//! `SerStack`, the stack that BinaryFormatter keeps its pools in.

use std::mem;

use super::heap::{allocate, grown, new_array};

/// The slots that a stack begins with.
const FIRST_CAPACITY: usize = 5;

/// A stack of objects, and the pool of those that can be used again.
pub(super) struct SerStack<O> {
    objects: Vec<O>,
    /// How many objects there are.
    count: usize,
}

impl<O: Default> SerStack<O> {
    pub(super) fn new() -> Box<Self> {
        Box::write(allocate(), Self { objects: new_array(FIRST_CAPACITY), count: 0 })
    }

    pub(super) fn push(&mut self, object: O) {
        if self.count == self.objects.len() {
            self.objects = grown(&mut self.objects, self.count * 2);
        }
        self.objects[self.count] = object;
        self.count += 1;
    }

    pub(super) fn pop(&mut self) -> Option<O> {
        self.count = self.count.checked_sub(1)?;
        Some(mem::take(&mut self.objects[self.count]))
    }

    /// An object for further use. As in the original the last one stays: a stack that holds one counts as empty.
    pub(super) fn pop_pooled(&mut self) -> Option<O> {
        if self.count > 1 { self.pop() } else { None }
    }

    /// The object on top.
    pub(super) fn peek_mut(&mut self) -> Option<&mut O> {
        self.objects[..self.count].last_mut()
    }
}
