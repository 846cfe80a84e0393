//! What a reference to `System.Object` can refer to while a graph is written.

use std::rc::Rc;

use crate::codec::dotnet::{self, Boxed, ObjectRef, Reflect};
use crate::codec::nrbf::PrimitiveType;

use super::super::types::RuntimeType;
use super::name_info::NameInfo;
use super::object_info::{SerObjectInfoCache, WriteObjectInfo};
use super::object_map_info::ObjectMapInfo;

/// A slot of an `Object[]`, of a hash table or of a queue.
#[derive(Default)]
pub(crate) enum Object<'g> {
    /// No object.
    #[default]
    Null,
    /// An object of the graph.
    Graph(GraphObject<'g>),
    /// A boxed value.
    Boxed(Boxed),
    /// The string that stands for an assembly among the numbered objects.
    AssemblyString(String),
    /// The name of a type or of an assembly.
    Name(&'g str),
    /// A type.
    Type(&'g RuntimeType),
    /// A boxed type code.
    Primitive(Box<PrimitiveType>),
    NameInfo(Box<NameInfo<'g>>),
    WriteObjectInfo(Box<WriteObjectInfo<'g>>),
    SerObjectInfoCache(Rc<SerObjectInfoCache<'g>>),
    MapInfo(Box<ObjectMapInfo<'g>>),
}

/// An object of the graph and its type.
#[derive(Clone, Copy)]
pub(crate) struct GraphObject<'g> {
    pub(super) target: ObjectRef<'g>,
    pub(super) object_type: &'g RuntimeType,
}

/// What makes an object the same as another: where it is, and its type, for a struct and its first field share a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    address: usize,
    object_type: usize,
}

impl Identity {
    /// .NET's `RuntimeHelpers.GetHashCode`.
    pub(super) fn hash_code(self) -> u32 {
        hash(&(self.address ^ self.object_type.rotate_left(16)).to_le_bytes())
    }
}

impl<'g> GraphObject<'g> {
    fn identity(&self) -> Identity {
        let address = match self.target {
            ObjectRef::Text(text) => text.as_ptr() as usize,
            ObjectRef::Class(object) => std::ptr::from_ref::<dyn Reflect>(object).cast::<()>() as usize,
            ObjectRef::List(list) => std::ptr::from_ref(list).cast::<()>() as usize,
            _ => 0,
        };
        Identity { address, object_type: std::ptr::from_ref(self.object_type) as usize }
    }
}

impl<'g> Object<'g> {
    /// What a getter hands out.
    pub(super) fn of_member(value: dotnet::Object<'g>, declared: &'g RuntimeType) -> Self {
        let target = match value {
            dotnet::Object::Boxed(boxed) => return Self::Boxed(boxed),
            dotnet::Object::Text(text) => ObjectRef::Text(text),
            dotnet::Object::Class(object) => ObjectRef::Class(object),
            dotnet::Object::List(list) => ObjectRef::List(list),
            // Types that hold anything else are not loaded.
            _ => return Self::Null,
        };
        Self::Graph(GraphObject { target, object_type: declared })
    }

    /// What tells a numbered object from others.
    pub(super) fn identity(&self) -> Identity {
        match self {
            Self::Graph(object) => object.identity(),
            Self::AssemblyString(text) => Identity { address: text.as_ptr() as usize, object_type: 0 },
            _ => Identity { address: 0, object_type: 0 },
        }
    }

    /// .NET's `GetHashCode` of a key.
    pub(super) fn hash_code(&self) -> u32 {
        match self {
            Self::Name(name) => hash(name.as_bytes()),
            Self::Type(ty) => hash(&(std::ptr::from_ref(*ty) as usize).to_le_bytes()),
            _ => 0,
        }
    }

    /// .NET's `Equals` of two keys.
    pub(super) fn equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Name(name), Self::Name(other)) => name == other,
            (Self::Type(ty), Self::Type(other)) => std::ptr::eq(*ty, *other),
            _ => false,
        }
    }
}

/// FNV-1a, folded to 31 bits.
fn hash(bytes: &[u8]) -> u32 {
    let hash =
        bytes.iter().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    hash & 0x7fff_ffff
}
