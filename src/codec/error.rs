//! What a decoder says about bytes that it cannot take.

use std::fmt;

/// Bytes that a decoder cannot take: where, and why.
///
/// It holds no memory of its own: a failed decode allocates nothing for its error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// The offset of the byte at which decoding stopped.
    pub offset: usize,
    /// What was wrong there.
    pub problem: DecodeProblem,
}

/// What was wrong with the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeProblem {
    /// The input ends where more bytes are needed.
    EndOfInput {
        /// How many bytes the value needs.
        needed: usize,
        /// How many there are.
        available: usize,
    },
    /// A variable-length integer goes on for too long.
    IntegerTooLong,
    /// A length or a count is negative, or larger than the bytes that are left can hold.
    LengthOutOfRange(i64),
    /// A string is not UTF-8.
    InvalidUtf8,
    /// A value that the target type cannot hold.
    ValueOutOfRange,
    /// Values are nested deeper than the limit.
    TooDeep,
    /// A member of a type that the decoder does not read.
    UnsupportedType(&'static str),
    /// A record of a kind that cannot stand there.
    UnexpectedRecord(u8),
    /// A type, a member or a library that the value's type does not have, or one that is missing.
    UnknownName,
    /// A number that stands for no object, or for one that is somebody else's part already.
    UnresolvedReference(i32),
    /// A number that another object has.
    RepeatedId(i32),
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: ", self.offset)?;
        match self.problem {
            DecodeProblem::EndOfInput { needed, available } => {
                write!(f, "the value needs {needed} bytes, the input has {available} left")
            }
            DecodeProblem::IntegerTooLong => f.write_str("an encoded integer does not end"),
            DecodeProblem::LengthOutOfRange(length) => {
                write!(f, "a length of {length} is more than the input can hold")
            }
            DecodeProblem::InvalidUtf8 => f.write_str("a string is not UTF-8"),
            DecodeProblem::ValueOutOfRange => f.write_str("a value is out of its type's range"),
            DecodeProblem::TooDeep => f.write_str("values are nested too deeply"),
            DecodeProblem::UnexpectedRecord(kind) => write!(f, "a record of kind {kind} cannot stand here"),
            DecodeProblem::UnknownName => {
                f.write_str("the types, members and libraries are not those of the value that is asked for")
            }
            DecodeProblem::UnresolvedReference(id) => {
                write!(f, "number {id} is no object, or one that is another's part already")
            }
            DecodeProblem::RepeatedId(id) => write!(f, "two objects have the number {id}"),
            DecodeProblem::UnsupportedType(name) => write!(f, "members of type {name} cannot be read"),
        }
    }
}

impl std::error::Error for DecodeError {}
