//! `Binary` itself.

use std::hint::black_box;

use crate::codec::DecodeError;
use crate::codec::dotnet::{List, MemoryStream, Property, Reflect, Stack, Stream, Value};

use super::core::{BinaryCore, StreamRef};
use super::error::EncodeError;
use super::handler::{HandlerRef, Host, sorted_handlers};
use super::options::{HeapEnumerators, Options};

/// NewLife's `Binary`: writes values to a stream and reads them from one, through a chain of handlers.
///
/// Every object that the original makes on the way is a block here too.
///
/// # Examples
/// ```
/// use alloclab::codec::binary::{Binary, Options};
/// use alloclab::codec::dotnet::MemoryStream;
///
/// let mut stream = MemoryStream::with_capacity(16);
/// let mut binary = Binary::new(&mut stream, Options::default());
/// binary.write(&1234_i32)?;
/// drop(binary);
/// assert_eq!(stream.written(), [0, 0, 0x04, 0xd2]);
/// # Ok::<(), alloclab::codec::binary::EncodeError>(())
/// ```
pub struct Binary<'s> {
    handlers: Box<List<HandlerRef>>,
    core: BinaryCore<'s>,
}

impl<'s> Binary<'s> {
    /// A `Binary` over a stream.
    pub fn new(stream: &'s mut (dyn Stream + 's), options: Options) -> Box<Self> {
        Self::over(StreamRef::Borrowed(stream), options)
    }

    /// A `Binary` that keeps its stream, to be reused with it.
    ///
    /// # Examples
    /// ```
    /// use alloclab::codec::binary::{Binary, Options};
    /// use alloclab::codec::dotnet::MemoryStream;
    ///
    /// let mut binary = Binary::owning(Box::new(MemoryStream::over(&[7, 8])), Options::FAST);
    /// assert_eq!((binary.read::<i32>()?, binary.read::<i32>()?), (7, 8));
    /// binary.rewind();
    /// assert_eq!(binary.read::<i32>()?, 7);
    /// # Ok::<(), alloclab::codec::DecodeError>(())
    /// ```
    pub fn owning(stream: Box<dyn Stream + 's>, options: Options) -> Box<Self> {
        Self::over(StreamRef::Owned(stream), options)
    }

    fn over(stream: StreamRef<'s>, options: Options) -> Box<Self> {
        let ignore_members = black_box(Box::new(List::new()));
        // The original's base class makes a stream that the caller's replaces at once.
        drop(black_box(Box::new(MemoryStream::new())));
        let hosts = black_box(Box::new(Stack::new()));
        let handlers = sorted_handlers();
        let core = BinaryCore::new(stream, options, ignore_members, hosts);
        black_box(Box::new(Self { handlers, core }))
    }

    /// Goes back to the start of the stream.
    pub fn rewind(&mut self) {
        self.core.rewind();
    }

    /// Leaves members of this name out.
    pub fn ignore_member(&mut self, name: impl Into<String>) {
        self.core.ignore_members.add(name.into());
    }

    /// Writes a value.
    ///
    /// # Errors
    /// If the stream is full, or if the format has no bytes for a value.
    pub fn write<T: Property>(&mut self, value: &T) -> Result<(), EncodeError> {
        let mut host = Host { handlers: &self.handlers, core: &mut self.core };
        let written = host.write(value.get().as_ref(), T::type_info());
        self.core.leave_all();
        written
    }

    /// Reads a value. Null reads as the type's empty value.
    ///
    /// # Errors
    /// If the bytes are not those of a `T`.
    pub fn read<T: Property>(&mut self) -> Result<T, DecodeError> {
        let value = self.read_value::<T>()?;
        T::from_value(value).ok_or(self.core.value_out_of_range())
    }

    /// Reads an object, and hands it out in the block in which it was made.
    ///
    /// # Errors
    /// If the bytes are not those of a `T`.
    pub fn read_object<T: Property + Reflect>(&mut self) -> Result<Box<T>, DecodeError> {
        let value = self.read_value::<T>()?;
        value.into_class().ok_or(self.core.value_out_of_range())
    }

    fn read_value<T: Property>(&mut self) -> Result<Value, DecodeError> {
        let mut host = Host { handlers: &self.handlers, core: &mut self.core };
        let value = host.read(T::type_info());
        self.core.leave_all();
        value
    }
}

/// What [`fast_read`] sets.
pub(super) const FAST_READ: Options = Options { enumerators: HeapEnumerators::Members, ..Options::FAST };

/// Writes one object through a `Binary` of its own, with variable-length integers.
///
/// # Errors
/// As [`Binary::write`].
pub fn fast_write<T: Property>(value: &T, stream: &mut dyn Stream) -> Result<(), EncodeError> {
    Binary::new(stream, Options::FAST).write(value)
}

/// Reads one object through a `Binary` of its own, with variable-length integers.
///
/// # Errors
/// As [`Binary::read_object`].
///
/// # Examples
/// ```
/// use alloclab::codec::binary::{fast_read, fast_write};
/// use alloclab::codec::dotnet::MemoryStream;
/// use alloclab::model::SimpleModel;
///
/// let mut stream = MemoryStream::new();
/// fast_write(&SimpleModel::sample(), &mut stream)?;
/// stream.rewind();
/// assert_eq!(*fast_read::<SimpleModel>(&mut stream)?, SimpleModel::sample());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fast_read<T: Property + Reflect>(stream: &mut dyn Stream) -> Result<Box<T>, DecodeError> {
    Binary::new(stream, FAST_READ).read_object()
}
