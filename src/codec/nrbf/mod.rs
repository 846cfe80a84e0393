//! MS-NRBF, the bytes of .NET's BinaryFormatter, as a graph of values that knows no classes but those in the bytes.
//!
//! [`read`] makes a [`Graph`] of bytes, [`Graph::to_bytes`] bytes of a graph: the same ones, if BinaryFormatter wrote them.
//!
//! # Format
//! A stream is a header, records and an end. A record is a byte of [`RecordKind`] and what that kind has; numbers are
//! little-endian, strings are UTF-8 after their length in seven-bit groups. An object has an id. The first one of a class
//! describes the class, later ones name that first one. A class or an array that a member holds stands further on in the
//! stream, and the member has its id; strings at their first use and value types stand in place. Source: Microsoft's
//! specification MS-NRBF, and payloads of BinaryFormatter (Mono 6.8, which has Microsoft's reference source).
//!
//! # What is refused
//! Always, as in System.Formats.Nrbf, .NET's reader for bytes that are not trusted:
//!
//! - a version other than 1.0, a record that may not stand where it does, a stream that does not end;
//! - an id of 0, a positive id that is taken, an id that is nothing's or a wrong kind's (of a class, a library, an object
//!   referred to, the root);
//! - two members of one name; a length below 0, or above 2,147,483,591 for an array; more than 32 dimensions, or more
//!   elements than 4,294,967,295; more nulls than an array has room for;
//! - a primitive array of which not all bytes are there; text that is not UTF-8, a `Char` that is half of a pair, a
//!   `Decimal` that is no plain number or longer than 256 bytes, a `DateTime` beyond year 9999;
//! - records of application domains (kinds 18 to 20).
//!
//! Under [`Limits::strict`] also what that reader does not take at all: classes without the types of their members (kinds
//! 2 and 3), calls and returns of remote methods (21 and 22), arrays with lower bounds.
//!
//! Two rules are stricter here: that reader looks where a reference leads when a program follows it, and it takes a
//! `Decimal` in forms that BinaryFormatter does not write. It also wants type names that it can parse, which are not
//! looked into here.
//!
//! Memory follows the bytes that are there, never a length that they claim; depth takes heap, not stack.

mod allowed;
mod class;
mod cursor;
mod graph;
mod guide;
mod limits;
mod message;
mod object_reader;
mod primitive;
mod primitive_text;
mod reader;
mod record;
mod render;
mod value_reader;
mod writer;

pub use class::{Class, Library, Member, ValueType};
pub use graph::{Array, Content, Elements, Graph, Instance, Object, ObjectIndex, Run, Shape, Value};
pub use guide::Guide;
pub use limits::Limits;
pub use message::{InlineValue, Message, MessageContent};
pub use primitive::{DateTimeBits, Primitive, Primitives};
pub use reader::{read, read_guided};
pub use record::{ArrayKind, BinaryType, PrimitiveType, RecordKind};
