//! `SerializationObjectManager`: tells objects that they are being written.

use super::super::heap::allocate;
use super::hashtable::Hashtable;

/// The objects that have been told. No model asks for that, so that the table stays empty; it is made all the same.
pub(crate) struct SerializationObjectManager<'g> {
    #[expect(
        dead_code,
        reason = "objects with methods to be told by would stand here; the models have none"
    )]
    object_seen_table: Box<Hashtable<'g>>,
}

impl SerializationObjectManager<'_> {
    /// The original makes its table twice: in the field's initializer, and in the constructor, which drops the first.
    pub(super) fn new() -> Box<Self> {
        let manager = allocate();
        drop(Hashtable::new());
        Box::write(manager, Self { object_seen_table: Hashtable::new() })
    }
}
