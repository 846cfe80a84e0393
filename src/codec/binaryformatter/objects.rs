//! The objects that are re-created, with their names and sizes in .NET.
//!
//! Writing has the sizes of 32-bit .NET Framework up to 3.5: the write-up's. Reading has those of 64-bit Mono 6.8: reading
//! was not measured in the write-up.

use std::rc::Rc;

use crate::codec::ModelledObject;
use crate::codec::nrbf::{BinaryType, PrimitiveType};
use crate::model::{Contact, DateTime, NestedModel, SimpleModel};

use super::format::{FormatterConverter, InternalFE};
use super::reader::objects as reading;
use super::ser_stack::SerStack;
use super::types::{MemberHolder, RuntimeType};
use super::writer::objects as writing;

/// Puts the namespace of most objects in front of their names.
macro_rules! binary {
    ($name:literal) => {
        concat!("System.Runtime.Serialization.Formatters.Binary.", $name)
    };
}

/// The same for their neighbors.
macro_rules! serialization {
    ($name:literal) => {
        concat!("System.Runtime.Serialization.", $name)
    };
}

/// The objects of writing.
pub(super) fn written() -> Vec<ModelledObject> {
    [written_machinery(), written_collections(), written_infos(), written_records(), boxes(4)].concat()
}

fn written_machinery() -> Vec<ModelledObject> {
    vec![
        ModelledObject::fixed::<Box<InternalFE>>(binary!("InternalFE"), 24),
        ModelledObject::fixed::<Box<writing::ObjectWriter<'_, '_>>>(binary!("ObjectWriter"), 104),
        ModelledObject::fixed::<Box<writing::__BinaryWriter<'_, '_>>>(binary!("__BinaryWriter"), 100),
        ModelledObject::fixed::<Box<writing::BinaryWriter<'_>>>("System.IO.BinaryWriter", 36),
        ModelledObject::fixed::<Box<writing::UTF8Encoder>>("System.Text.UTF8Encoding.UTF8Encoder", 32),
        ModelledObject::fixed::<Box<writing::SerializationObjectManager<'_>>>(
            serialization!("SerializationObjectManager"),
            24,
        ),
        ModelledObject::fixed::<Box<writing::ObjectIDGenerator<'_>>>(serialization!("ObjectIDGenerator"), 24),
        ModelledObject::fixed::<Box<FormatterConverter>>(serialization!("FormatterConverter"), 12),
    ]
}

fn written_collections() -> Vec<ModelledObject> {
    type Object<'g> = writing::Object<'g>;
    type Bucket<'g> = writing::Bucket<'g>;
    type Info<'g> = Option<Box<writing::WriteObjectInfo<'g>>>;
    vec![
        ModelledObject::fixed::<Box<SerStack<Object<'_>>>>(binary!("SerStack"), 24),
        ModelledObject::reference_array_x86::<Vec<Object<'_>>, Object<'_>>("System.Object[]"),
        ModelledObject::fixed::<Box<writing::Hashtable<'_>>>("System.Collections.Hashtable", 56),
        ModelledObject::value_array_x86::<Vec<Bucket<'_>>, Bucket<'_>>(
            "System.Collections.Hashtable.bucket[]",
            12,
        ),
        ModelledObject::fixed::<Box<writing::Queue<'_>>>("System.Collections.Queue", 36),
        ModelledObject::value_array_x86::<Vec<u8>, u8>("System.Byte[]", 1),
        ModelledObject::value_array_x86::<Vec<u16>, u16>("System.Char[]", 2),
        ModelledObject::value_array_x86::<Vec<i32>, i32>("System.Int32[]", 4),
        ModelledObject::value_array_x86::<Vec<i64>, i64>("System.Int64[]", 8),
        ModelledObject::value_array_x86::<Vec<BinaryType>, BinaryType>(binary!("BinaryTypeEnum[]"), 4),
        ModelledObject::reference_array_x86::<Vec<&str>, &str>("System.String[]"),
        ModelledObject::reference_array_x86::<Vec<&RuntimeType>, &RuntimeType>("System.Type[]"),
        ModelledObject::reference_array_x86::<Vec<Info<'_>>, Info<'_>>(binary!("WriteObjectInfo[]")),
        ModelledObject::string_x86::<String>("System.String"),
    ]
}

fn written_infos() -> Vec<ModelledObject> {
    vec![
        ModelledObject::fixed::<Box<writing::SerObjectInfoInit<'_>>>(binary!("SerObjectInfoInit"), 20),
        ModelledObject::fixed::<Box<writing::WriteObjectInfo<'_>>>(binary!("WriteObjectInfo"), 68),
        ModelledObject::fixed::<Rc<writing::SerObjectInfoCache<'_>>>(binary!("SerObjectInfoCache"), 28),
        ModelledObject::fixed::<Box<MemberHolder<'_>>>(serialization!("MemberHolder"), 24),
        ModelledObject::fixed::<Box<writing::NameInfo<'_>>>(binary!("NameInfo"), 48),
        ModelledObject::fixed::<Box<writing::ObjectMapInfo<'_>>>(binary!("ObjectMapInfo"), 24),
    ]
}

fn written_records() -> Vec<ModelledObject> {
    vec![
        ModelledObject::fixed::<Box<writing::SerializationHeaderRecord>>(
            binary!("SerializationHeaderRecord"),
            36,
        ),
        ModelledObject::fixed::<Box<writing::BinaryAssembly<'_>>>(binary!("BinaryAssembly"), 16),
        ModelledObject::fixed::<Box<writing::BinaryObjectWithMapTyped<'_>>>(
            binary!("BinaryObjectWithMapTyped"),
            44,
        ),
        ModelledObject::fixed::<Box<writing::BinaryObject>>(binary!("BinaryObject"), 16),
        ModelledObject::fixed::<Box<writing::BinaryArray<'_>>>(binary!("BinaryArray"), 44),
        ModelledObject::fixed::<Box<writing::ObjectNull>>(binary!("ObjectNull"), 12),
        ModelledObject::fixed::<Box<writing::BinaryObjectString<'_>>>(binary!("BinaryObjectString"), 16),
        ModelledObject::fixed::<Box<writing::MemberReference>>(binary!("MemberReference"), 12),
        ModelledObject::fixed::<Box<writing::MemberPrimitiveUnTyped>>(binary!("MemberPrimitiveUnTyped"), 16),
        ModelledObject::fixed::<Box<writing::MessageEnd>>(binary!("MessageEnd"), 12),
    ]
}

/// Boxed values, where an object has two words of header of so many bytes; in Mono the least object has 24 bytes.
fn boxes(word: u64) -> Vec<ModelledObject> {
    let size = |value: u64| (2 * word + value).next_multiple_of(word);
    vec![
        ModelledObject::fixed::<Box<PrimitiveType>>(binary!("InternalPrimitiveTypeE"), size(4)),
        ModelledObject::fixed::<Box<bool>>("System.Boolean", size(1)),
        ModelledObject::fixed::<Box<i32>>("System.Int32", size(4)),
        ModelledObject::fixed::<Box<i64>>("System.Int64", size(8)),
        ModelledObject::fixed::<Box<f64>>("System.Double", size(8)),
        ModelledObject::fixed::<Box<DateTime>>("System.DateTime", size(8)),
    ]
}

/// The objects of reading.
pub(super) fn read() -> Vec<ModelledObject> {
    [read_machinery(), read_arrays(), read_infos(), read_graph(), read_records(), boxes(8)].concat()
}

fn read_machinery() -> Vec<ModelledObject> {
    type Object<'g> = reading::Object<'g>;
    vec![
        ModelledObject::fixed::<Box<InternalFE>>(binary!("InternalFE"), 32),
        ModelledObject::fixed::<Box<reading::ObjectReader<'_>>>(binary!("ObjectReader"), 216),
        ModelledObject::fixed::<Box<reading::NameCache<'_>>>(binary!("NameCache"), 24),
        ModelledObject::fixed::<Box<reading::__BinaryParser<'_, '_>>>(binary!("__BinaryParser"), 200),
        ModelledObject::fixed::<Box<SerStack<Object<'_>>>>(binary!("SerStack"), 40),
        ModelledObject::fixed::<Box<reading::SizedArray<'_>>>(binary!("SizedArray"), 32),
        ModelledObject::fixed::<Box<reading::BinaryReader<'_>>>("System.IO.BinaryReader", 72),
        ModelledObject::fixed::<Box<reading::UTF8Decoder>>("System.Text.UTF8Encoding.UTF8Decoder", 56),
        ModelledObject::fixed::<Box<FormatterConverter>>(serialization!("FormatterConverter"), 16),
    ]
}

fn read_arrays() -> Vec<ModelledObject> {
    type Object<'g> = reading::Object<'g>;
    type Holder<'g> = Option<Box<reading::ObjectHolder<'g>>>;
    type Fixup = Option<Box<reading::FixupHolder>>;
    vec![
        ModelledObject::array_mono::<Vec<Object<'_>>, Object<'_>>("System.Object[]", 8),
        ModelledObject::array_mono::<Vec<u8>, u8>("System.Byte[]", 1),
        ModelledObject::array_mono::<Vec<u16>, u16>("System.Char[]", 2),
        ModelledObject::array_mono::<Vec<i32>, i32>("System.Int32[]", 4),
        ModelledObject::array_mono::<Vec<i64>, i64>("System.Int64[]", 8),
        ModelledObject::array_mono::<Vec<BinaryType>, BinaryType>(binary!("BinaryTypeEnum[]"), 4),
        ModelledObject::array_mono::<Vec<String>, String>("System.String[]", 8),
        ModelledObject::array_mono::<Vec<&str>, &str>("System.String[]", 8),
        ModelledObject::array_mono::<Vec<&RuntimeType>, &RuntimeType>("System.Type[]", 8),
        ModelledObject::array_mono::<Vec<Holder<'_>>, Holder<'_>>(serialization!("ObjectHolder[]"), 8),
        ModelledObject::array_mono::<Vec<Fixup>, Fixup>(serialization!("FixupHolder[]"), 8),
        ModelledObject::string_named::<String>("System.String"),
    ]
}

fn read_infos() -> Vec<ModelledObject> {
    vec![
        ModelledObject::fixed::<Box<reading::ObjectProgress<'_>>>(binary!("ObjectProgress"), 136),
        ModelledObject::fixed::<Box<reading::ParseRecord<'_>>>(binary!("ParseRecord"), 272),
        ModelledObject::fixed::<Rc<reading::ObjectMap<'_>>>(binary!("ObjectMap"), 96),
        ModelledObject::fixed::<Box<reading::ReadObjectInfo<'_>>>(binary!("ReadObjectInfo"), 128),
        ModelledObject::fixed::<Box<reading::SerObjectInfoCache<'_>>>(binary!("SerObjectInfoCache"), 64),
        ModelledObject::fixed::<Box<reading::GetSerializableMembersClosure<'_>>>(
            serialization!("FormatterServices.<GetSerializableMembers>c__AnonStorey0"),
            24,
        ),
        ModelledObject::fixed::<Box<MemberHolder<'_>>>(serialization!("MemberHolder"), 48),
        ModelledObject::fixed::<Box<reading::MembersFactory<'_>>>(
            "System.Func<System.Runtime.Serialization.MemberHolder,System.Reflection.MemberInfo[]>",
            128,
        ),
        ModelledObject::fixed::<Box<reading::BinaryAssemblyInfo>>(binary!("BinaryAssemblyInfo"), 32),
    ]
}

fn read_graph() -> Vec<ModelledObject> {
    vec![
        ModelledObject::fixed::<Box<reading::ObjectManager<'_>>>(serialization!("ObjectManager"), 88),
        ModelledObject::fixed::<Box<reading::ObjectHolder<'_>>>(serialization!("ObjectHolder"), 104),
        ModelledObject::fixed::<Box<reading::ObjectHolderList<'_>>>(serialization!("ObjectHolderList"), 32),
        ModelledObject::fixed::<Box<reading::ObjectHolderListEnumerator<'_, '_>>>(
            serialization!("ObjectHolderListEnumerator"),
            40,
        ),
        ModelledObject::fixed::<Box<reading::FixupHolder>>(serialization!("FixupHolder"), 40),
        ModelledObject::fixed::<Box<reading::FixupHolderList>>(serialization!("FixupHolderList"), 32),
        ModelledObject::fixed::<Box<reading::LongList>>(serialization!("LongList"), 40),
        ModelledObject::fixed::<Box<Contact>>("Models.TestDotNet", 56),
        ModelledObject::fixed::<Box<SimpleModel>>("Models.SimpleModel", 48),
        ModelledObject::fixed::<Box<NestedModel>>("Models.NestedModel", 48),
    ]
}

fn read_records() -> Vec<ModelledObject> {
    vec![
        ModelledObject::fixed::<Box<reading::SerializationHeaderRecord>>(
            binary!("SerializationHeaderRecord"),
            48,
        ),
        ModelledObject::fixed::<Box<reading::BinaryAssembly>>(binary!("BinaryAssembly"), 32),
        ModelledObject::fixed::<Box<reading::BinaryObjectWithMapTyped<'_>>>(
            binary!("BinaryObjectWithMapTyped"),
            72,
        ),
        ModelledObject::fixed::<Box<reading::BinaryObject>>(binary!("BinaryObject"), 24),
        ModelledObject::fixed::<Box<reading::BinaryArray<'_>>>(binary!("BinaryArray"), 64),
        ModelledObject::fixed::<Box<reading::ObjectNull>>(binary!("ObjectNull"), 24),
        ModelledObject::fixed::<Box<reading::BinaryObjectString>>(binary!("BinaryObjectString"), 32),
        ModelledObject::fixed::<Box<reading::MemberReference>>(binary!("MemberReference"), 24),
        ModelledObject::fixed::<Box<reading::MemberPrimitiveUnTyped<'_>>>(
            binary!("MemberPrimitiveUnTyped"),
            32,
        ),
    ]
}
