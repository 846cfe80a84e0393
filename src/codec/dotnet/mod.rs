//! Pieces of .NET's object model that several codecs re-create.
//!
//! - values: [`Boxed`], [`Object`] (what a getter hands out), [`Value`] (what a setter takes);
//! - reflection: [`TypeInfo`] and [`MemberInfo`], one table per class, made by [`reflect_class!`](crate::reflect_class);
//! - collections: [`List`], [`Stack`], [`ListEnumerator`], and the query objects of `System.Linq`;
//! - streams: [`Stream`], [`MemoryStream`].
//!
//! An object of .NET is a block here as well: a boxed value is a `Box<i32>`, a list a `Box<List<T>>`, an array `T[]` a
//! `Vec<T>` whose capacity is the array's length. A list that grows takes a new array and leaves the old one behind, as
//! in .NET; no block is ever resized. What .NET's collector frees later is freed here when it goes out of scope.

mod boxed;
mod collections;
mod enumeration;
mod linq;
mod model;
mod object;
mod property;
mod reflection;
mod stream;
mod type_info;
mod value;

pub use boxed::{Boxable, Boxed, Plain};
pub use collections::{List, ListEnumerator, Stack};
pub use enumeration::{Enumeration, EnumerationValue, unbox_enumeration};
pub use linq::{Comparison, EnumerableSorter, Func, ListWhereIterator, OrderedIterator};
pub use object::{Dictionary, DictionaryTarget, Enumerable, ListTarget, Object, ObjectRef, Value};
pub use property::{Form, Property};
pub use reflection::{Reflect, get_member, member_of, set_member};
pub use stream::{MemoryStream, Stream, StreamFull};
pub use type_info::{ClassInfo, Constructor, FieldSize, Member, MemberInfo, TypeInfo, TypeKind};
pub use value::{DateOnly, TimeOnly, TypeCode};
