//! What a reference to `System.Object` can refer to while a graph is read.

use std::rc::Rc;

use crate::codec::dotnet::{Boxed, Value};
use crate::codec::nrbf::PrimitiveType;

use super::assembly::BinaryAssemblyInfo;
use super::object_map::ObjectMap;
use super::progress::{ObjectProgress, ParseRecord};

/// A slot of an `Object[]`.
#[derive(Default)]
pub(crate) enum Object<'g> {
    /// No object.
    #[default]
    Null,
    /// A boxed value.
    Boxed(Boxed),
    /// A string: of the graph, or the name of a type.
    Text(String),
    /// A boxed type code.
    Primitive(Box<PrimitiveType>),
    Assembly(Box<BinaryAssemblyInfo>),
    Map(Rc<ObjectMap<'g>>),
    Progress(Box<ObjectProgress<'g>>),
    ParseRecord(Box<ParseRecord<'g>>),
}

impl Object<'_> {
    /// What a setter takes; none for null, which leaves a member as it is in a new object.
    pub(super) fn into_value(self) -> Option<Value> {
        match self {
            Self::Boxed(boxed) => Some(Value::Boxed(boxed)),
            Self::Text(text) => Some(Value::Text(text)),
            _ => None,
        }
    }
}
