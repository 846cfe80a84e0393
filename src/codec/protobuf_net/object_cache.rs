//! `NetObjectCache`: which objects were written already.

use std::ptr;

/// What a writer of version 2 keeps to write an object once that is referred to twice.
///
/// It knows the object at the top. The original's lists of all others stay null as long as no member asks for references
/// (`AsReference`), which no model does and this writer does not offer.
#[derive(Debug, Default)]
pub struct NetObjectCache {
    // The address alone: the object is never read through it.
    root_address: Option<usize>,
}

impl NetObjectCache {
    /// Takes note of the object at the top.
    pub fn set_root<T: ?Sized>(&mut self, value: &T) {
        self.root_address = Some(ptr::from_ref(value).addr());
    }

    /// Whether an object is the one at the top.
    ///
    /// # Examples
    /// ```
    /// use alloclab::codec::protobuf_net::NetObjectCache;
    ///
    /// let (root, other) = (1, 1);
    /// let mut cache = NetObjectCache::default();
    /// cache.set_root(&root);
    /// assert!(cache.is_root(&root) && !cache.is_root(&other));
    /// ```
    pub fn is_root<T: ?Sized>(&self, value: &T) -> bool {
        self.root_address == Some(ptr::from_ref(value).addr())
    }
}
