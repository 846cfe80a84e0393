//! `ObjectMapInfo`: a class that a record of the stream has described.

use std::rc::Rc;

use super::object_info::SerObjectInfoCache;

/// The object whose record describes a class, with the members that stand there.
pub(crate) struct ObjectMapInfo<'g> {
    pub(super) object_id: i32,
    pub(super) members: Rc<SerObjectInfoCache<'g>>,
}

impl<'g> ObjectMapInfo<'g> {
    /// Whether an object with these members can refer to the record.
    pub(super) fn is_compatible(&self, members: &SerObjectInfoCache<'g>) -> bool {
        let same_types =
            |(ours, theirs): (&&_, &&_)| std::ptr::eq::<super::super::types::RuntimeType>(*ours, *theirs);
        self.members.member_names == members.member_names
            && self.members.member_types.iter().zip(&members.member_types).all(same_types)
    }
}
