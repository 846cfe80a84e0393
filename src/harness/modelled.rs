//! What the original's objects take in .NET, told from one traced operation.
//!
//! A block's exact size is known event by event, so that arrays and strings of any length come out right.

use std::collections::HashMap;

use crate::attribute::{Attribution, Names};
use crate::codec::ModelledObject;
use crate::snapshot::{EventKind, Snapshot};

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

    /// .NET bytes of a traced operation, by the path of the type.
    pub(super) fn bytes_by_path<'n>(
        &self,
        traced: &Snapshot,
        attribution: &Attribution,
        names: &'n Names,
    ) -> HashMap<&'n str, u64> {
        let mut bytes = HashMap::new();
        let requests = traced.events.iter().filter(|event| event.kind != EventKind::Free);
        for event in requests {
            let path = names.path(attribution.sites[event.site as usize].owner);
            if let Some(object) = self.get(path) {
                *bytes.entry(path).or_default() += object.dotnet_bytes(event.bytes);
            }
        }
        bytes
    }
}
