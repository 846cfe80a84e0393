//! Calls and returns of remote methods.

use crate::codec::{DecodeError, DecodeProblem};

use super::cursor::Cursor;
use super::primitive::{Primitive, write_text};
use super::record::{PrimitiveType, RecordKind};

/// The bits of [`Message::flags`] that exclude each other, and those that a call does not have. Source: MS-NRBF 2.2.1.1.
const ARGUMENTS: i32 = 0x000f;
const CONTEXT: i32 = 0x0070;
const RETURN_VALUE: i32 = 0x1e00;
const EXCEPTION_IN_ARRAY: i32 = 0x2000;
const KNOWN: i32 = 0xbfff;

const ARGUMENTS_INLINE: i32 = 0x0002;
const CONTEXT_INLINE: i32 = 0x0020;
const RETURN_VALUE_INLINE: i32 = 0x0800;

/// The call or the return of a remote method. What does not fit in it follows as an array of objects.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Which parts there are, and where. Source: MS-NRBF 2.2.1.1.
    pub flags: i32,
    /// A call or a return.
    pub content: MessageContent,
    /// The name of the logical call, if it stands in the record.
    pub context: Option<Box<str>>,
    /// The arguments, if they stand in the record.
    pub arguments: Option<Box<[InlineValue]>>,
    /// How many values stand before it in the stream.
    pub(super) place: u64,
}

/// A call or a return.
#[derive(Clone, Debug, PartialEq)]
pub enum MessageContent {
    /// A call.
    Call {
        /// The name of the method.
        method: Box<str>,
        /// The name of the type that has it, with its library.
        type_name: Box<str>,
    },
    /// A return.
    Return {
        /// The value, if it stands in the record.
        value: Option<InlineValue>,
    },
}

/// A value that stands in the record of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum InlineValue {
    /// Null.
    Null,
    /// A primitive.
    Primitive(Primitive),
    /// A string.
    String(Box<str>),
}

impl InlineValue {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, DecodeError> {
        Ok(match cursor.tag(PrimitiveType::from_code)? {
            PrimitiveType::Null => Self::Null,
            PrimitiveType::String => Self::String(cursor.text()?.into()),
            kind => Self::Primitive(Primitive::read(cursor, kind)?),
        })
    }

    fn read_all(cursor: &mut Cursor<'_>) -> Result<Box<[Self]>, DecodeError> {
        let offset = cursor.offset();
        let count = cursor.int32()?;
        let problem = DecodeProblem::LengthOutOfRange(count.into());
        let count = u32::try_from(count).map_err(|_| DecodeError { offset, problem })?;
        let mut values = Vec::new();
        for _ in 0..count {
            values.push(Self::read(cursor)?);
        }
        Ok(values.into_boxed_slice())
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Null => out.push(PrimitiveType::Null.code()),
            Self::Primitive(value) => {
                out.push(value.kind().code());
                value.write(out);
            }
            Self::String(text) => write_inline_text(text, out),
        }
    }
}

impl Message {
    /// Reads what follows the kind of the record.
    pub(super) fn read(cursor: &mut Cursor<'_>, kind: RecordKind, place: u64) -> Result<Self, DecodeError> {
        let is_call = kind == RecordKind::MethodCall;
        let flags = read_flags(cursor, is_call)?;
        let content = if is_call {
            MessageContent::Call { method: read_inline_text(cursor)?, type_name: read_inline_text(cursor)? }
        } else {
            MessageContent::Return { value: part(flags, RETURN_VALUE_INLINE, || InlineValue::read(cursor))? }
        };
        let context = part(flags, CONTEXT_INLINE, || read_inline_text(cursor))?;
        let arguments = part(flags, ARGUMENTS_INLINE, || InlineValue::read_all(cursor))?;
        Ok(Self { flags, content, context, arguments, place })
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let kind = match self.content {
            MessageContent::Call { .. } => RecordKind::MethodCall,
            MessageContent::Return { .. } => RecordKind::MethodReturn,
        };
        out.push(kind.code());
        out.extend_from_slice(&self.flags.to_le_bytes());
        match &self.content {
            MessageContent::Call { method, type_name } => {
                write_inline_text(method, out);
                write_inline_text(type_name, out);
            }
            MessageContent::Return { value } => value.iter().for_each(|value| value.write(out)),
        }
        self.context.iter().for_each(|context| write_inline_text(context, out));
        if let Some(arguments) = &self.arguments {
            out.extend_from_slice(&(arguments.len() as i32).to_le_bytes());
            arguments.iter().for_each(|argument| argument.write(out));
        }
    }
}

/// The flags, of which no two may say different things of one part.
fn read_flags(cursor: &mut Cursor<'_>, is_call: bool) -> Result<i32, DecodeError> {
    let offset = cursor.offset();
    let flags = cursor.int32()?;
    let says_one_thing = |part: i32| (flags & part).count_ones() <= 1;
    let is_consistent = flags & !KNOWN == 0
        && [ARGUMENTS, CONTEXT, RETURN_VALUE | EXCEPTION_IN_ARRAY].into_iter().all(says_one_thing)
        && !(is_call && flags & (RETURN_VALUE | EXCEPTION_IN_ARRAY) != 0);
    if is_consistent {
        Ok(flags)
    } else {
        Err(DecodeError { offset, problem: DecodeProblem::ValueOutOfRange })
    }
}

fn part<T>(
    flags: i32,
    flag: i32,
    read: impl FnOnce() -> Result<T, DecodeError>,
) -> Result<Option<T>, DecodeError> {
    if flags & flag == 0 { Ok(None) } else { read().map(Some) }
}

/// A string after the code of its type.
fn read_inline_text(cursor: &mut Cursor<'_>) -> Result<Box<str>, DecodeError> {
    let is_string = |code| (code == PrimitiveType::String.code()).then_some(());
    cursor.tag(is_string)?;
    Ok(cursor.text()?.into())
}

fn write_inline_text(text: &str, out: &mut Vec<u8>) {
    out.push(PrimitiveType::String.code());
    write_text(text, out);
}
