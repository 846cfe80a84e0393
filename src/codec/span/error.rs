//! What a writer says about values and buffers that it cannot work with.

use std::fmt;

/// A value that could not be written: where in the output, and why.
///
/// It holds no memory of its own: a failed write allocates nothing for its error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EncodeError {
    /// How many bytes had been written.
    pub offset: usize,
    /// What was wrong.
    pub problem: EncodeProblem,
}

/// What was wrong with the value or the buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeProblem {
    /// The buffer ends where more room is needed.
    OutOfSpace {
        /// How many bytes the next value, or run of values, needs.
        needed: usize,
        /// How many there are.
        available: usize,
    },
    /// A length or a count is larger than its prefix can say.
    LengthOutOfRange {
        /// The length.
        length: usize,
        /// The largest that can be said.
        limit: usize,
    },
    /// A character above U+00FF: the format gives a character one byte.
    CharOutOfRange(char),
    /// A character of two UTF-16 units: the format gives a character one.
    CharOfTwoUnits(char),
    /// Values are nested deeper than the format allows.
    TooDeep,
    /// A time, in seconds since 1970, before 1970 or after 2106-02-07: the format gives a time an unsigned 32-bit number.
    TimeOutOfRange(i64),
    /// A member of this type: the format has bytes for it, reflection does not know them.
    UnsupportedType(&'static str),
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: ", self.offset)?;
        match self.problem {
            EncodeProblem::OutOfSpace { needed, available } => {
                write!(
                    f,
                    "the value needs {needed} bytes, the buffer has {available} left; give it a larger one"
                )
            }
            EncodeProblem::LengthOutOfRange { length, limit } => {
                write!(f, "a length of {length} is more than the {limit} that its prefix can say")
            }
            EncodeProblem::CharOutOfRange(char) => {
                write!(f, "the character {char:?} is above U+00FF; write it as a string")
            }
            EncodeProblem::CharOfTwoUnits(char) => {
                write!(f, "the character {char:?} has two UTF-16 units; write it as a string")
            }
            EncodeProblem::TooDeep => f.write_str("values are nested too deeply; write fewer levels at once"),
            EncodeProblem::TimeOutOfRange(seconds) => {
                write!(f, "a time {seconds} s from 1970 is not between 1970 and 2106; write it as full time")
            }
            EncodeProblem::UnsupportedType(name) => {
                write!(
                    f,
                    "reflection cannot write a member of type {name}; give its class a layout of its own"
                )
            }
        }
    }
}

impl std::error::Error for EncodeError {}
