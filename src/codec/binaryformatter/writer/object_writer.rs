//! `ObjectWriter`: from a graph to objects, members and items, each written once.

use std::hint::black_box;
use std::rc::Rc;

use crate::codec::dotnet::{self, Boxable, Enumerable, ObjectRef, Reflect, Stream, StreamFull};

use super::super::format::{FormatterConverter, InternalFE};
use super::super::heap::{allocate, create, new_array};
use super::super::ser_stack::SerStack;
use super::super::types::{MemberHolder, RuntimeType, Types};
use super::hashtable::Hashtable;
use super::id_generator::ObjectIDGenerator;
use super::name_info::NameInfo;
use super::object::{GraphObject, Identity, Object};
use super::object_info::{SerObjectInfoCache, SerObjectInfoInit, WriteObjectInfo};
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

/// Infos of objects and names.
impl<'g> ObjectWriter<'_, 'g> {
    /// An info with the members of the object, or of its type if there is none.
    fn object_info(
        &mut self,
        object: Option<GraphObject<'g>>,
        object_type: &'g RuntimeType,
    ) -> Result<Box<WriteObjectInfo<'g>>, StreamFull> {
        let mut info = self.object_info_init.object_info(object, object_type);
        let cache = self.members(object_type);
        if let Some(GraphObject { target: ObjectRef::Class(object), .. }) = object {
            info.member_data = self.object_data(object, &cache);
        }
        let assembly = cache.assembly;
        info.cache = Some(cache);
        info.assembly_id = self.assembly_id(assembly)?;
        Ok(info)
    }

    /// The members of a class: those of the first object of its kind serve all others. An array has none.
    fn members(&mut self, object_type: &'g RuntimeType) -> Rc<SerObjectInfoCache<'g>> {
        let table = &mut self.object_info_init.seen_before_table;
        if let Some(Object::SerObjectInfoCache(cache)) = table.get(&Object::Type(object_type)) {
            return Rc::clone(cache);
        }
        let mut shared = black_box(Rc::new(SerObjectInfoCache {
            full_type_name: &object_type.full_name,
            assembly: self.types.assembly_of(object_type),
            member_infos: &[],
            member_names: Vec::new(),
            member_types: Vec::new(),
        }));
        if let Some(cache) = Rc::get_mut(&mut shared).filter(|_| !object_type.is_array()) {
            let holder = create(MemberHolder { member_type: object_type });
            cache.member_infos = self.types.serializable_members(&holder);
            cache.member_names = black_box(Vec::with_capacity(cache.member_infos.len()));
            cache.member_types = black_box(Vec::with_capacity(cache.member_infos.len()));
            cache.member_names.extend(cache.member_infos.iter().map(|field| field.name.as_str()));
            cache
                .member_types
                .extend(cache.member_infos.iter().map(|field| self.types.get(field.field_type)));
        }
        table.add(Object::Type(object_type), Object::SerObjectInfoCache(Rc::clone(&shared)));
        shared
    }

    /// The values of an object's members, each read by reflection: `FormatterServices.GetObjectData`.
    fn object_data(&self, object: &'g dyn Reflect, cache: &SerObjectInfoCache<'g>) -> Vec<Object<'g>> {
        let mut data: Vec<Object<'g>> = new_array(cache.member_infos.len());
        for (slot, field) in data.iter_mut().zip(cache.member_infos) {
            *slot = Object::of_member((field.member.get)(object), self.types.get(field.field_type));
        }
        data
    }

    fn name_info(&mut self, fields: NameInfo<'g>) -> Box<NameInfo<'g>> {
        match self.name_info_pool.pop_pooled() {
            Some(Object::NameInfo(mut pooled)) => {
                *pooled = fields;
                pooled
            }
            _ => create(fields),
        }
    }

    fn put_name_info(&mut self, info: Box<NameInfo<'g>>) {
        self.name_info_pool.push(Object::NameInfo(info));
    }

    fn put_object_info(&mut self, mut info: Box<WriteObjectInfo<'g>>) {
        info.cache = None;
        info.member_data = Vec::new();
        self.object_info_init.object_info_pool.push(Object::WriteObjectInfo(info));
    }

    /// The name of a type that has an info.
    fn type_to_name_info(&mut self, info: &WriteObjectInfo<'g>) -> Box<NameInfo<'g>> {
        self.name_info(NameInfo {
            full_name: info.cache.as_ref().map(|cache| cache.full_type_name),
            object_id: info.object_id,
            assembly_id: info.assembly_id,
            primitive: None,
            described_type: Some(info.object_type),
        })
    }

    /// The name of a type that needs none: a primitive or a string.
    fn simple_type_to_name_info(&mut self, ty: &'g RuntimeType) -> Box<NameInfo<'g>> {
        self.name_info(NameInfo {
            primitive: ty.primitive(),
            described_type: Some(ty),
            ..NameInfo::default()
        })
    }
}

/// Writing.
impl<'g> ObjectWriter<'_, 'g> {
    fn write(&mut self, mut info: Box<WriteObjectInfo<'g>>) -> Result<(), StreamFull> {
        let type_name_info = self.type_to_name_info(&info);
        match info.object.map(|object| object.target) {
            Some(ObjectRef::List(array)) => self.write_array(array, &info)?,
            _ => self.write_class(&mut info, &type_name_info)?,
        }
        self.put_name_info(type_name_info);
        self.put_object_info(info);
        Ok(())
    }

    fn write_class(&mut self, info: &mut WriteObjectInfo<'g>, name: &NameInfo<'g>) -> Result<(), StreamFull> {
        let Some(cache) = info.cache.clone() else { return Ok(()) };
        let data = std::mem::take(&mut info.member_data);
        let mut infos: Vec<Option<Box<WriteObjectInfo<'g>>>> = new_array(data.len());
        for ((slot, value), ty) in infos.iter_mut().zip(&data).zip(&cache.member_types) {
            if ty.primitive().is_none() && !ty.is_text() {
                let object = if let Object::Graph(object) = value { Some(*object) } else { None };
                *slot = Some(self.object_info(object, ty)?);
            }
        }
        self.serializer.write_object(name, info, &infos)?;
        for (index, (value, info)) in data.into_iter().zip(&mut infos).enumerate() {
            let (name, ty) = (cache.member_names[index], cache.member_types[index]);
            self.write_member_setup(name, ty, value, info.take())?;
        }
        Ok(())
    }

    fn write_member_setup(
        &mut self,
        name: &'g str,
        ty: &'g RuntimeType,
        value: Object<'g>,
        info: Option<Box<WriteObjectInfo<'g>>>,
    ) -> Result<(), StreamFull> {
        let assembly_id = info.as_ref().map_or(0, |info| info.assembly_id);
        let member = self.name_info(NameInfo {
            full_name: Some(name),
            assembly_id,
            described_type: Some(ty),
            ..NameInfo::default()
        });
        let mut type_name = match &info {
            Some(info) => self.type_to_name_info(info),
            None => self.simple_type_to_name_info(ty),
        };
        self.write_value(&mut type_name, value, info)?;
        self.put_name_info(member);
        self.put_name_info(type_name);
        Ok(())
    }

    /// Writes a member's value: primitives and strings in place, other objects as references to what follows later.
    fn write_value(
        &mut self,
        type_name: &mut NameInfo<'g>,
        value: Object<'g>,
        info: Option<Box<WriteObjectInfo<'g>>>,
    ) -> Result<(), StreamFull> {
        match value {
            Object::Boxed(value) if type_name.primitive.is_some() => self.serializer.write_member(value),
            Object::Graph(object) => match object.target {
                ObjectRef::Text(text) => self.write_string(type_name, object, text),
                _ => {
                    let id = self.schedule(object, info);
                    self.serializer.write_object_ref(id)
                }
            },
            _ => self.serializer.write_null_member(),
        }
    }

    /// Writes a string at its first use, later a reference to it.
    fn write_string(
        &mut self,
        type_name: &mut NameInfo<'g>,
        object: GraphObject<'g>,
        text: &'g str,
    ) -> Result<(), StreamFull> {
        let (id, is_new) = self.internal_id(Object::Graph(object));
        type_name.object_id = id;
        if is_new {
            self.serializer.write_member_string(id, text)
        } else {
            self.serializer.write_object_ref(id)
        }
    }

    fn write_array(
        &mut self,
        array: &'g (dyn Enumerable + 'g),
        info: &WriteObjectInfo<'g>,
    ) -> Result<(), StreamFull> {
        let Some(element_type) = info.object_type.element().map(|index| self.types.get(index)) else {
            return Ok(());
        };
        let element_info = self.object_info(None, element_type)?;
        let element_name = self.type_to_name_info(&element_info);
        let [mut lengths, lower_bounds, mut upper_bounds]: [Vec<usize>; 3] = [(); 3].map(|()| new_array(1));
        lengths[0] = array.count();
        upper_bounds[0] = lower_bounds[0] + lengths[0];
        self.serializer.write_single_array(info.object_id, &element_name, lengths[0])?;
        for index in lower_bounds[0]..upper_bounds[0] {
            match Object::of_member(array.item(index), element_type) {
                Object::Graph(object) => {
                    let id = self.schedule(object, None);
                    self.serializer.write_object_ref(id)?;
                }
                _ => self.serializer.write_delayed_null_item(),
            }
        }
        self.serializer.write_item_end()?;
        self.put_name_info(element_name);
        Ok(())
    }
}
