//! The objects of the original that a codec re-creates.

use std::collections::HashMap;

use crate::plan::ModelledObject;

/// The objects of a codec, by the path of the Rust type that stands for each.
pub(super) struct Objects<'a>(HashMap<&'a str, &'a ModelledObject>);

impl<'a> Objects<'a> {
    /// The objects that a codec declares.
    pub(super) fn new(objects: &'a [ModelledObject]) -> Self {
        Self(objects.iter().map(|object| (object.rust_type.as_str(), object)).collect())
    }

    /// Whether the codec re-creates no object at all.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The object that a type stands for.
    pub(super) fn get(&self, path: &str) -> Option<&'a ModelledObject> {
        self.0.get(path).copied()
    }
}
