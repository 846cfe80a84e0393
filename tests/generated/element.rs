//! The types that generated programs put into containers: sizes and alignments of all sorts.

use std::any::type_name;
use std::collections::{BTreeMap, HashMap, LinkedList, VecDeque};
use std::fmt::Debug;
use std::rc::Rc;
use std::sync::Arc;

use crate::action::Kind;

/// What every element can do.
pub(crate) trait Element: Clone + Default + Debug + Send + Sync + 'static {}

/// A trait that boxes stand behind.
pub(crate) trait Shape: Send {}

impl<T: Element> Shape for T {}

macro_rules! array_elements {
    ($($(#[$attribute:meta])* $name:ident of $length:literal $item:ty;)*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Debug)]
        pub(crate) struct $name(#[expect(dead_code, reason = "it takes room")] [$item; $length]);

        impl Default for $name {
            fn default() -> Self {
                Self([0; $length])
            }
        }

        impl Element for $name {}
    )*};
}

array_elements! {
    Grain of 1 u8;
    Triple of 3 u8;
    Trio of 3 u16;
    Dozen of 3 u32;
    Word of 1 u64;
    #[repr(align(16))]
    Wide of 2 u64;
    #[repr(align(64))]
    Line of 1 u8;
    Blob of 100 u8;
    // From 1,025 bytes on vectors begin with one element.
    Slab of 300 u64;
    #[repr(align(4096))]
    Page of 1 u8;
}

/// No bytes at all.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nothing;

impl Element for Nothing {}

/// A type with arguments.
#[derive(Clone, Debug, Default)]
#[expect(dead_code, reason = "its parts take room")]
pub(crate) struct Pair<A, B> {
    first: A,
    second: B,
}

impl<A: Element, B: Element> Element for Pair<A, B> {}

/// What the expectations know of an element.
#[derive(Clone, Copy)]
pub(crate) struct Facts {
    pub(crate) size: usize,
    pub(crate) align: usize,
    /// The full name of a container of it, as the compiler spells it.
    pub(crate) owner: fn(Kind) -> &'static str,
}

impl Facts {
    pub(crate) fn of<T: Element>() -> Self {
        Self { size: size_of::<T>(), align: align_of::<T>(), owner: owner::<T> }
    }
}

fn owner<T: Element>(kind: Kind) -> &'static str {
    match kind {
        Kind::Boxed | Kind::Dynamic => type_name::<Box<T>>(),
        Kind::List | Kind::Collected | Kind::Slice => type_name::<Vec<T>>(),
        Kind::Deque => type_name::<VecDeque<T>>(),
        Kind::Shared => type_name::<Arc<T>>(),
        Kind::SharedSlice => type_name::<Arc<[T]>>(),
        Kind::Tree => type_name::<BTreeMap<u64, T>>(),
        Kind::Map => type_name::<HashMap<u64, T>>(),
        Kind::Chain => type_name::<LinkedList<T>>(),
        Kind::Counted => type_name::<Rc<T>>(),
        Kind::Text | Kind::SharedText | Kind::Texts | Kind::Numbers => unreachable!("they have no element"),
    }
}
