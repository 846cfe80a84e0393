//! MS-NRBF, the bytes of .NET's BinaryFormatter.

mod allowed;
mod cursor;
mod graph;
mod guide;
mod limits;
mod message;
mod object_reader;
mod primitive;
mod reader;
mod record;
mod render;
mod writer;

pub use graph::{
    Array, Class, Content, Elements, Graph, Instance, Library, Member, Object, ObjectIndex, Run, Shape,
    Value, ValueType,
};
pub use guide::Guide;
pub use limits::Limits;
pub use message::{InlineValue, Message, MessageContent};
pub use primitive::{DateTimeBits, Primitive, Primitives};
pub use reader::{read, read_guided};
pub use record::{ArrayKind, BinaryType, PrimitiveType, RecordKind};
