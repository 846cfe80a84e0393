//! `NetObjectCache`: which objects were written already.

use std::ptr;

/// What a writer of version 2 keeps to write an object once that is referred to twice.
///
/// It knows the object at the top. The original's lists of all others stay null as long as no member asks for references
/// (`AsReference`), which no model does and this writer does not offer.
#[derive(Debug, Default)]
pub struct NetObjectCache {
    // The address alone: the object is never read through it. A member that asks for references would compare it.
    root_address: Option<usize>,
}

impl NetObjectCache {
    /// Takes note of the object at the top.
    pub fn set_root<T: ?Sized>(&mut self, value: &T) {
        self.root_address = Some(ptr::from_ref(value).addr());
    }
}
