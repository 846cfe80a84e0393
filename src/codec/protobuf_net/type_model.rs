//! `RuntimeTypeModel`: the types that version 2 can write, found anew in each call.

use std::any::{Any, TypeId, type_name};
use std::hint::black_box;
use std::io::{self, Write};

use super::{ProtoContract, ProtoWriter};

/// The types that can be written, each with the code that writes it.
///
/// # Examples
/// ```
/// use alloclab::codec::protobuf_net::RuntimeTypeModel;
/// use alloclab::model::Contact;
///
/// let mut model = RuntimeTypeModel::default();
/// model.add::<Contact>();
/// let mut bytes = Vec::new();
/// model.serialize(&mut bytes, &Contact::sample())?;
/// assert_eq!(bytes.len(), 49);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct RuntimeTypeModel {
    types: Vec<MetaType>,
}

/// What the model knows of a type.
#[derive(Debug)]
struct MetaType {
    id: TypeId,
    // The type at the root of its inheritance; Rust has none, so that it is the type itself.
    root: TypeId,
    serialize: fn(&dyn Any, &mut ProtoWriter<'_>) -> io::Result<()>,
}

/// The question that goes through the model's types: an object of its own in the original.
#[derive(Debug)]
pub(super) struct TypeFinder {
    wanted: TypeId,
}

impl TypeFinder {
    fn is_match(&self, candidate: &MetaType) -> bool {
        candidate.id == self.wanted
    }
}

impl RuntimeTypeModel {
    /// Adds a type.
    pub fn add<T: ProtoContract + Any>(&mut self) {
        let id = TypeId::of::<T>();
        self.types.push(MetaType { id, root: id, serialize: serialize::<T> });
    }

    /// Writes an object, as version 2 does: with a writer, its cache, and two searches for the type.
    ///
    /// # Errors
    /// If the type was not added, and those of the stream.
    pub fn serialize<T: Any>(&self, stream: &mut dyn Write, value: &T) -> io::Result<()> {
        let mut writer = black_box(ProtoWriter::boxed(stream));
        writer.set_root(value);
        let meta_type = self.root_type(TypeId::of::<T>()).ok_or_else(unknown::<T>)?;
        (meta_type.serialize)(value, &mut writer)?;
        writer.finish()
    }

    /// The root of a type: one search for the type and one for its root, even if that is the same.
    fn root_type(&self, id: TypeId) -> Option<&MetaType> {
        let meta_type = self.find(id)?;
        self.find(meta_type.root)
    }

    fn find(&self, id: TypeId) -> Option<&MetaType> {
        let finder = black_box(Box::new(TypeFinder { wanted: id }));
        self.types.iter().find(|candidate| finder.is_match(candidate))
    }
}

#[cold]
fn unknown<T>() -> io::Error {
    let advice = format!("the model does not have the type `{}`: add it with `add`", type_name::<T>());
    io::Error::new(io::ErrorKind::InvalidInput, advice)
}

fn serialize<T: ProtoContract + Any>(value: &dyn Any, writer: &mut ProtoWriter<'_>) -> io::Result<()> {
    let value =
        value.downcast_ref::<T>().expect("the model calls this for values of the type it was added with");
    value.write_members(writer)
}
