//! Reading: each object of the original's reader a Rust object of its name.

mod assembly;
mod binary_reader;
mod decoder;
mod fixup;
mod object;
mod object_manager;
mod object_map;
mod object_reader;
mod parser;
mod progress;
mod record;
mod sized_array;

use crate::codec::dotnet::{Property, Stream};
use crate::codec::{DecodeError, DecodeProblem};

use super::format::{FormatterConverter, InternalFE};
use super::heap::{allocate, create};
use super::ser_stack::SerStack;
use super::types::Types;
use binary_reader::BinaryReader;
use object_manager::ObjectManager;
use object_map::NameCache;
use object_reader::ObjectReader;
use parser::__BinaryParser;
use record::SerializationHeaderRecord;

/// Reads a graph. The objects stand in the order in which the original makes them, in `BinaryFormatter.Deserialize`, the
/// constructors, and `ObjectReader.InitFullDeserialization`, which runs once the root's number is known.
pub(super) fn deserialize<T: Property>(types: &Types, stream: &mut dyn Stream) -> Result<T, DecodeError> {
    let copies_left = stream.remaining();
    let format = create(InternalFE::DEFAULT);
    let reader = allocate();
    let type_cache = create(NameCache { types });
    let parser = allocate();
    let parser_stack = SerStack::new();
    let mut data_reader = BinaryReader::new(stream);
    let mut header = create(SerializationHeaderRecord::default());
    header.read(&mut data_reader)?;
    let mut reader = Box::write(
        reader,
        ObjectReader {
            format,
            type_cache,
            stack: SerStack::new(),
            object_manager: ObjectManager::new(),
            formatter_converter: create(FormatterConverter::INVARIANT),
            root_id: header.root_id,
            copies_left,
        },
    );
    let mut parser = Box::write(parser, __BinaryParser::new(parser_stack, data_reader));
    parser.run(&mut reader)?;
    let root = reader.root().map_err(|problem| parser.error(problem))?;
    T::from_value(root).ok_or_else(|| parser.error(DecodeProblem::ValueOutOfRange))
}

/// The types that stand for the original's objects.
pub(super) mod objects {
    pub(in crate::codec::binaryformatter) use super::assembly::BinaryAssemblyInfo;
    pub(in crate::codec::binaryformatter) use super::binary_reader::BinaryReader;
    pub(in crate::codec::binaryformatter) use super::decoder::UTF8Decoder;
    pub(in crate::codec::binaryformatter) use super::fixup::{FixupHolder, FixupHolderList, LongList};
    pub(in crate::codec::binaryformatter) use super::object::Object;
    pub(in crate::codec::binaryformatter) use super::object_manager::{
        ObjectHolder, ObjectHolderList, ObjectHolderListEnumerator, ObjectManager,
    };
    pub(in crate::codec::binaryformatter) use super::object_map::{
        GetSerializableMembersClosure, MembersFactory, NameCache, ObjectMap, ReadObjectInfo,
        SerObjectInfoCache,
    };
    pub(in crate::codec::binaryformatter) use super::object_reader::ObjectReader;
    pub(in crate::codec::binaryformatter) use super::parser::__BinaryParser;
    pub(in crate::codec::binaryformatter) use super::progress::{ObjectProgress, ParseRecord};
    pub(in crate::codec::binaryformatter) use super::record::{
        BinaryArray, BinaryAssembly, BinaryObject, BinaryObjectString, BinaryObjectWithMapTyped,
        MemberPrimitiveUnTyped, MemberReference, ObjectNull, SerializationHeaderRecord,
    };
    pub(in crate::codec::binaryformatter) use super::sized_array::SizedArray;
}
