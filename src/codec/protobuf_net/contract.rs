//! Types that have a layout: contracts, and lists of them.

use std::io::{self, BufRead};

use super::wire::{Field, WireType};
use super::{ProtoReader, ProtoWriter};
use crate::codec::DecodeError;

/// The number of a list's items when the list is at the top.
pub(super) const LIST_ITEM: u32 = 1;

/// An object whose members have numbers; [`proto_contract!`](crate::proto_contract) implements it.
pub trait ProtoContract: Default {
    /// Writes the members, in the order of their numbers.
    ///
    /// # Errors
    /// Those of the writer's stream.
    fn write_members(&self, writer: &mut ProtoWriter<'_>) -> io::Result<()>;

    /// Reads the member of a field, or passes over a field that belongs to none.
    ///
    /// # Errors
    /// If the bytes are none of the member's kind.
    fn read_member<R: BufRead>(
        &mut self,
        field: Field,
        reader: &mut ProtoReader<R>,
    ) -> Result<(), DecodeError>;
}

impl<T: ProtoContract> ProtoContract for Box<T> {
    fn write_members(&self, writer: &mut ProtoWriter<'_>) -> io::Result<()> {
        (**self).write_members(writer)
    }

    fn read_member<R: BufRead>(
        &mut self,
        field: Field,
        reader: &mut ProtoReader<R>,
    ) -> Result<(), DecodeError> {
        (**self).read_member(field, reader)
    }
}

/// What can be at the top: an object, or a list of objects, each of them field 1.
pub trait ProtoRoot {
    /// What is read.
    type Owned;

    /// Writes the value, without a length of its own.
    ///
    /// # Errors
    /// Those of the writer's stream.
    fn write_root(&self, writer: &mut ProtoWriter<'_>) -> io::Result<()>;

    /// Reads a value up to the end of the input. `items` says how many items of a list are known to come.
    ///
    /// # Errors
    /// If the bytes are no such value.
    fn read_root<R: BufRead>(reader: &mut ProtoReader<R>, items: usize) -> Result<Self::Owned, DecodeError>;

    /// How many items of a list come, if the value is one.
    fn count_items(reader: &ProtoReader<&[u8]>) -> usize;
}

impl<T: ProtoContract> ProtoRoot for T {
    type Owned = T;

    fn write_root(&self, writer: &mut ProtoWriter<'_>) -> io::Result<()> {
        self.write_members(writer)
    }

    fn read_root<R: BufRead>(reader: &mut ProtoReader<R>, _items: usize) -> Result<T, DecodeError> {
        let mut object = T::default();
        reader.read_members(&mut object, None)?;
        Ok(object)
    }

    fn count_items(_reader: &ProtoReader<&[u8]>) -> usize {
        0
    }
}

impl<T: ProtoContract> ProtoRoot for [T] {
    type Owned = Vec<T>;

    fn write_root(&self, writer: &mut ProtoWriter<'_>) -> io::Result<()> {
        self.iter().try_for_each(|item| write_item(item, LIST_ITEM, writer))
    }

    fn read_root<R: BufRead>(reader: &mut ProtoReader<R>, items: usize) -> Result<Vec<T>, DecodeError> {
        let mut list = Root(Vec::with_capacity(items));
        reader.read_members(&mut list, None)?;
        Ok(list.0)
    }

    fn count_items(reader: &ProtoReader<&[u8]>) -> usize {
        reader.count_fields(LIST_ITEM)
    }
}

/// A list at the top, as the object that its bytes are.
struct Root<T>(Vec<T>);

impl<T> Default for Root<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: ProtoContract> ProtoContract for Root<T> {
    fn write_members(&self, writer: &mut ProtoWriter<'_>) -> io::Result<()> {
        self.0.write_root(writer)
    }

    fn read_member<R: BufRead>(
        &mut self,
        field: Field,
        reader: &mut ProtoReader<R>,
    ) -> Result<(), DecodeError> {
        match field.number {
            LIST_ITEM => read_item(&mut self.0, field, reader),
            _ => reader.skip(field),
        }
    }
}

/// Writes an object with its tag and its length.
pub(super) fn write_item<T: ProtoContract>(
    item: &T,
    number: u32,
    writer: &mut ProtoWriter<'_>,
) -> io::Result<()> {
    writer.write_field(number, WireType::LengthDelimited)?;
    let open = writer.start_sub_item()?;
    item.write_members(writer)?;
    writer.end_sub_item(open);
    Ok(())
}

/// Reads an object and adds it to a list.
pub(super) fn read_item<T: ProtoContract, R: BufRead>(
    list: &mut Vec<T>,
    field: Field,
    reader: &mut ProtoReader<R>,
) -> Result<(), DecodeError> {
    let mut item = T::default();
    reader.read_sub_item(field, &mut item)?;
    list.push(item);
    Ok(())
}

/// Gives a struct its layout: `Point { 1 => x, 2 => y }`, in ascending order of the numbers.
///
/// # Examples
/// ```
/// use alloclab::codec::protobuf_net;
/// use alloclab::proto_contract;
///
/// #[derive(Debug, Default, PartialEq)]
/// struct Point {
///     x: i32,
///     label: Option<String>,
/// }
/// proto_contract!(Point { 1 => x, 2 => label });
///
/// let point = Point { x: 150, label: None };
/// let bytes = protobuf_net::to_vec(&point);
/// assert_eq!(bytes, [0x08, 0x96, 0x01]);
/// assert_eq!(protobuf_net::from_slice::<Point>(&bytes), Ok(point));
/// ```
#[macro_export]
macro_rules! proto_contract {
    ($class:ty { $($number:literal => $member:ident),+ $(,)? }) => {
        impl $crate::codec::protobuf_net::ProtoContract for $class {
            fn write_members(
                &self,
                writer: &mut $crate::codec::protobuf_net::ProtoWriter<'_>,
            ) -> ::std::io::Result<()> {
                $($crate::codec::protobuf_net::ProtoMember::write(&self.$member, $number, writer)?;)+
                Ok(())
            }

            fn read_member<R: ::std::io::BufRead>(
                &mut self,
                field: $crate::codec::protobuf_net::Field,
                reader: &mut $crate::codec::protobuf_net::ProtoReader<R>,
            ) -> ::std::result::Result<(), $crate::codec::DecodeError> {
                match field.number {
                    $($number => {
                        $crate::codec::protobuf_net::ProtoMember::read(&mut self.$member, field, reader)
                    })+
                    _ => reader.skip(field),
                }
            }
        }
    };
}
