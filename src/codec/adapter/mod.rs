//! What the codecs over serde share: layers around a serializer and a deserializer, and the lab's side of their cases.

mod case;
mod file;
mod guarded;
mod written;

pub(in crate::codec) use case::SerdeModel;
pub(in crate::codec) use file::BufferedFile;
pub(in crate::codec) use guarded::{Container, Guard, Guarded, Nesting, TooDeep};
pub(in crate::codec) use written::{Dialect, Written};
