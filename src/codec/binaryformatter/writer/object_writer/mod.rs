//! `ObjectWriter`: from a graph to objects, members and items, each written once.

mod info;
mod value;

use std::hint::black_box;

use crate::codec::dotnet::{self, Boxable, ObjectRef, Stream, StreamFull};

use super::super::format::{FormatterConverter, InternalFE};
use super::super::heap::{allocate, create};
use super::super::ser_stack::SerStack;
use super::super::types::Types;
use super::hashtable::Hashtable;
use super::id_generator::ObjectIDGenerator;
use super::object::{GraphObject, Identity, Object};
use super::object_info::{SerObjectInfoInit, WriteObjectInfo};
use super::object_manager::SerializationObjectManager;
use super::queue::Queue;
use super::record_writer::__BinaryWriter;

/// What stands in front of an assembly's name in the string that is numbered for it.
const ASSEMBLY_PREFIX: &str = "___AssemblyString___";

/// The header id of a stream without remoting headers.
const NO_HEADERS: i32 = -1;

/// Writes one graph.
pub(crate) struct ObjectWriter<'s, 'g> {
    types: &'g Types,
    #[expect(dead_code, reason = "the settings that the original asks for here have one value each")]
    format: Box<InternalFE>,
    name_info_pool: Box<SerStack<Object<'g>>>,
    #[expect(dead_code, reason = "objects with methods to be told by would be registered with it")]
    object_manager: Box<SerializationObjectManager<'g>>,
    serializer: Box<__BinaryWriter<'s, 'g>>,
    id_generator: Box<ObjectIDGenerator<'g>>,
    object_queue: Box<Queue<'g>>,
    #[expect(dead_code, reason = "classes with code of their own would use it")]
    formatter_converter: Box<FormatterConverter>,
    object_info_init: Box<SerObjectInfoInit<'g>>,
    current_id: i64,
    previous: Option<(Identity, i64)>,
    assembly_to_id_table: Option<Box<Hashtable<'g>>>,
}

/// Setting up, and the graph as a whole.
impl<'s, 'g> ObjectWriter<'s, 'g> {
    /// The objects stand in the order in which the original makes them, in `BinaryFormatter.Serialize`, the constructor
    /// and `ObjectWriter.Serialize`.
    pub(crate) fn new(types: &'g Types, stream: &'s mut dyn Stream) -> Box<Self> {
        let format = create(InternalFE::DEFAULT);
        let writer = allocate();
        let name_info_pool = SerStack::new();
        let object_manager = SerializationObjectManager::new();
        let serializer = __BinaryWriter::new(stream);
        let id_generator = ObjectIDGenerator::new();
        let object_queue = Queue::new();
        let formatter_converter = create(FormatterConverter::INVARIANT);
        let object_info_init = SerObjectInfoInit::new();
        let writer_fields = Self {
            types,
            format,
            name_info_pool,
            object_manager,
            serializer,
            id_generator,
            object_queue,
            formatter_converter,
            object_info_init,
            current_id: 1,
            previous: None,
            assembly_to_id_table: None,
        };
        Box::write(writer, writer_fields)
    }

    /// Writes the graph of a root: the root, and then each object that is referred to, first come first written.
    pub(crate) fn serialize(&mut self, root: ObjectRef<'g>) -> Result<(), StreamFull> {
        let root = GraphObject { target: root, object_type: self.types.root() };
        let (root_id, _) = self.internal_id(Object::Graph(root));
        self.serializer.write_serialization_header(root_id, NO_HEADERS)?;
        self.object_queue.enqueue(Object::Graph(root));
        while let Some(object) = self.object_queue.dequeue() {
            let mut info = match object {
                Object::WriteObjectInfo(info) => info,
                Object::Graph(object) => self.object_info(Some(object), object.object_type)?,
                _ => continue,
            };
            let id = info.object.and_then(|object| self.id_generator.known_id(&Object::Graph(object)));
            info.object_id = id.unwrap_or_default();
            self.write(info)?;
        }
        self.serializer.write_serialization_header_end()
    }

    /// The number of an object, and whether it is new. A number is used up even if the object has one already, unless
    /// the last call was for the same object.
    fn internal_id(&mut self, object: Object<'g>) -> (i64, bool) {
        let identity = object.identity();
        if let Some((previous, id)) = self.previous
            && previous == identity
        {
            return (id, false);
        }
        let (id, is_new) = self.id_generator.id(object, self.current_id);
        self.current_id += 1;
        self.previous = Some((identity, id));
        (id, is_new)
    }

    /// Numbers an object that is referred to, and has it written later if it is new.
    fn schedule(&mut self, object: GraphObject<'g>, info: Option<Box<WriteObjectInfo<'g>>>) -> i64 {
        let (id, is_new) = self.internal_id(Object::Graph(object));
        if is_new {
            self.object_queue.enqueue(info.map_or(Object::Graph(object), Object::WriteObjectInfo));
        }
        id
    }

    /// The number of the assembly that a type comes from; its name is written before it is referred to. 0 is .NET's own.
    fn assembly_id(&mut self, assembly: Option<&'g str>) -> Result<i64, StreamFull> {
        let table = self.assembly_to_id_table.get_or_insert_with(Hashtable::new);
        let Some(assembly) = assembly else { return Ok(0) };
        if let Some(Object::Boxed(dotnet::Boxed::Int64(id))) = table.get(&Object::Name(assembly)) {
            return Ok(**id);
        }
        let mut numbered = black_box(String::with_capacity(ASSEMBLY_PREFIX.len() + assembly.len()));
        numbered.push_str(ASSEMBLY_PREFIX);
        numbered.push_str(assembly);
        let (id, _) = self.internal_id(Object::AssemblyString(numbered));
        if let Some(table) = &mut self.assembly_to_id_table {
            table.add(Object::Name(assembly), Object::Boxed(id.boxed()));
        }
        self.serializer.write_assembly(assembly, id)?;
        Ok(id)
    }
}
