//! `NameInfo`: what is known of a member or of a type while it is written.

use crate::codec::nrbf::PrimitiveType;

use super::super::types::RuntimeType;

/// A member or a type that is being written, taken from a pool and put back.
#[derive(Default)]
pub(crate) struct NameInfo<'g> {
    /// The full name, of a class or an array alone; of a member, its name.
    pub(super) full_name: Option<&'g str>,
    pub(super) object_id: i64,
    pub(super) assembly_id: i64,
    pub(super) primitive: Option<PrimitiveType>,
    pub(super) described_type: Option<&'g RuntimeType>,
}
