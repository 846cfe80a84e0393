//! Writing: each object of the original's writer a Rust object of its name.

mod binary_writer;
mod hashtable;
mod id_generator;
mod name_info;
mod object;
mod object_info;
mod object_manager;
mod object_map_info;
mod object_writer;
mod queue;
mod record;
mod record_writer;

pub(super) use object_writer::ObjectWriter;

/// The types that stand for the original's objects.
pub(super) mod objects {
    pub(in crate::codec::binaryformatter) use super::binary_writer::{BinaryWriter, UTF8Encoder};
    pub(in crate::codec::binaryformatter) use super::hashtable::{Bucket, Hashtable};
    pub(in crate::codec::binaryformatter) use super::id_generator::ObjectIDGenerator;
    pub(in crate::codec::binaryformatter) use super::name_info::NameInfo;
    pub(in crate::codec::binaryformatter) use super::object::Object;
    pub(in crate::codec::binaryformatter) use super::object_info::{
        SerObjectInfoCache, SerObjectInfoInit, WriteObjectInfo,
    };
    pub(in crate::codec::binaryformatter) use super::object_manager::SerializationObjectManager;
    pub(in crate::codec::binaryformatter) use super::object_map_info::ObjectMapInfo;
    pub(in crate::codec::binaryformatter) use super::object_writer::ObjectWriter;
    pub(in crate::codec::binaryformatter) use super::queue::Queue;
    pub(in crate::codec::binaryformatter) use super::record::{
        BinaryArray, BinaryAssembly, BinaryObject, BinaryObjectString, BinaryObjectWithMapTyped,
        MemberPrimitiveUnTyped, MemberReference, MessageEnd, ObjectNull, SerializationHeaderRecord,
    };
    pub(in crate::codec::binaryformatter) use super::record_writer::__BinaryWriter;
}
