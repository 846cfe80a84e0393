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
    /// A string is not UTF-16.
    InvalidUtf16,
    /// Compressed data is not what its format says, or does not unpack to the length that it is said to have.
    InvalidCompression,
    /// An object is null where one has to be.
    UnexpectedNull,
    /// An object has more members than its type.
    TooManyMembers {
        /// How many it has.
        found: u8,
        /// How many the type has.
        known: u8,
    },
    /// A length or a count, or the size of unpacked data, is above the decoder's limit, whatever the input can hold.
    LimitExceeded {
        /// The limit.
        limit: usize,
    },
    /// A member of a type, which is named, that the decoder does not read.
    UnsupportedType(&'static str),
    /// A value of a form, which is described, that the decoder does not read.
    UnsupportedValue(&'static str),
    /// A tag without a number, or with a wire type that does not exist.
    InvalidTag(u64),
    /// A field whose wire type its member does not have.
    UnexpectedWireType(u8),
    /// The end of a group of this number where no such group is open.
    UnexpectedEndOfGroup(u32),
    /// A byte that says what follows stands for nothing, or for nothing that may stand here.
    UnexpectedTag(u8),
    /// A byte that says what follows stands for something that the format has and the decoder does not take.
    UnsupportedTag(u8),
    /// An object, or a library, has the id of an earlier one.
    DuplicateId(i32),
    /// An id belongs to nothing, or to something of another kind.
    UnresolvedId(i32),
    /// An id belongs to an object that is a part of another one already, in a format whose values are trees.
    SharedObject(i32),
    /// A class has two members of one name.
    DuplicateName,
    /// Another version of the format.
    UnsupportedVersion {
        /// The number that tells of incompatible changes.
        major: i32,
        /// The number that tells of compatible ones.
        minor: i32,
    },
    /// A type, a member or a library that the value's type does not have, or one that is missing.
    UnknownName,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.offset, self.problem)
    }
}

impl std::error::Error for DecodeError {}

impl fmt::Display for DecodeProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::EndOfInput { needed, available } => {
                write!(f, "the value needs {needed} bytes, the input has {available} left")
            }
            Self::IntegerTooLong => f.write_str("an encoded integer does not end"),
            Self::LengthOutOfRange(length) => {
                write!(f, "a length of {length} is more than the input can hold")
            }
            Self::InvalidUtf8 => f.write_str("a string is not UTF-8"),
            Self::ValueOutOfRange => f.write_str("a value is out of its type's range"),
            Self::TooDeep => f.write_str("values are nested too deeply"),
            Self::InvalidUtf16 => f.write_str("a string is not UTF-16"),
            Self::InvalidCompression => f.write_str("compressed data is damaged"),
            Self::UnexpectedNull => f.write_str("an object is null, and its type has no place for that"),
            Self::TooManyMembers { found, known } => {
                write!(f, "an object has {found} members, its type {known}")
            }
            Self::LimitExceeded { limit } => write!(f, "something is longer than the limit of {limit}"),
            Self::UnknownName => {
                f.write_str("a name is not one of the value's type, or one of those is missing")
            }
            Self::UnsupportedType(name) => write!(f, "members of type {name} cannot be read"),
            Self::UnsupportedValue(description) => write!(f, "{description} cannot be read"),
            Self::InvalidTag(tag) => write!(f, "{tag} is no tag of a field"),
            Self::UnexpectedWireType(code) => write!(f, "the member has no values of wire type {code}"),
            Self::UnexpectedEndOfGroup(number) => {
                write!(f, "group {number} ends here and was not the last to begin")
            }
            Self::UnexpectedTag(tag) => write!(f, "nothing of kind {tag} may stand here"),
            Self::UnsupportedTag(tag) => write!(f, "what has kind {tag} is not read"),
            Self::DuplicateId(id) => write!(f, "the id {id} is taken"),
            Self::UnresolvedId(id) => write!(f, "the id {id} is nothing's, or something else's"),
            Self::SharedObject(id) => write!(f, "object {id} is a part of another one already"),
            Self::DuplicateName => f.write_str("a member has the name of another one"),
            Self::UnsupportedVersion { major, minor } => write!(f, "version {major}.{minor} is not read"),
        }
    }
}
