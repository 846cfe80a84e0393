//! What a reader tells and asks on its way.

use super::record::{PrimitiveType, RecordKind};

/// Whom a reader tells about each record, and asks about what the bytes do not say.
///
/// `()` listens to nothing and knows the runtime's own classes.
pub trait Guide {
    /// A record of this kind begins at this offset.
    fn record(&mut self, kind: RecordKind, offset: usize) {
        let _ = (kind, offset);
    }

    /// The type of a primitive member, in a class whose record has no types; none for any other member.
    ///
    /// BinaryFormatter omits types that it trusts the reader to have, and then writes primitives as bare bytes: without
    /// the answer such a stream cannot be read on.
    fn primitive_member(&mut self, class: &str, member: &str) -> Option<PrimitiveType> {
        system_member(class, member)
    }
}

impl Guide for () {}

/// Members of the runtime's own classes: those of `Version`, and the value of a boxed primitive.
fn system_member(class: &str, member: &str) -> Option<PrimitiveType> {
    match (class, member) {
        ("System.Version", "_Major" | "_Minor" | "_Build" | "_Revision") => Some(PrimitiveType::Int32),
        ("System.Boolean", "m_value") => Some(PrimitiveType::Boolean),
        ("System.Byte", "m_value") => Some(PrimitiveType::Byte),
        ("System.SByte", "m_value") => Some(PrimitiveType::SByte),
        ("System.Char", "m_value") => Some(PrimitiveType::Char),
        ("System.Int16", "m_value") => Some(PrimitiveType::Int16),
        ("System.UInt16", "m_value") => Some(PrimitiveType::UInt16),
        ("System.Int32", "m_value") => Some(PrimitiveType::Int32),
        ("System.UInt32", "m_value") => Some(PrimitiveType::UInt32),
        ("System.Int64", "m_value") => Some(PrimitiveType::Int64),
        ("System.UInt64", "m_value") => Some(PrimitiveType::UInt64),
        ("System.Single", "m_value") => Some(PrimitiveType::Single),
        ("System.Double", "m_value") => Some(PrimitiveType::Double),
        _ => None,
    }
}
