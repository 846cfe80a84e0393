//! `System.Collections.Queue`: a ring.

use std::mem;

use super::super::heap::{allocate, grown, new_array};
use super::object::Object;

/// The slots of a new queue.
const FIRST_CAPACITY: usize = 32;

/// The objects that are still to be written, first come first written.
pub(crate) struct Queue<'g> {
    array: Vec<Object<'g>>,
    head: usize,
    count: usize,
}

impl<'g> Queue<'g> {
    pub(super) fn new() -> Box<Self> {
        Box::write(allocate(), Self { array: new_array(FIRST_CAPACITY), head: 0, count: 0 })
    }

    pub(super) fn enqueue(&mut self, object: Object<'g>) {
        if self.count == self.array.len() {
            self.grow();
        }
        let tail = (self.head + self.count) % self.array.len();
        self.array[tail] = object;
        self.count += 1;
    }

    pub(super) fn dequeue(&mut self) -> Option<Object<'g>> {
        self.count = self.count.checked_sub(1)?;
        let object = mem::take(&mut self.array[self.head]);
        self.head = (self.head + 1) % self.array.len();
        Some(object)
    }

    fn grow(&mut self) {
        self.array.rotate_left(self.head);
        self.array = grown(&mut self.array, self.count * 2);
        self.head = 0;
    }
}
