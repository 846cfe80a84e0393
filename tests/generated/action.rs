//! What a step of a generated program does: plain data.

/// What a value is: a container, and for most of them one of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `Box<T>`
    Boxed,
    /// `Box<T>` behind a trait.
    Dynamic,
    /// `Vec<T>` with room asked for.
    List,
    /// `Vec<T>` of an iterator whose length is known.
    Collected,
    /// `Box<[T]>`, from a `Vec<T>`.
    Slice,
    /// `VecDeque<T>`
    Deque,
    /// `Arc<T>`
    Shared,
    /// `Arc<[T]>`, from a `Vec<T>`.
    SharedSlice,
    /// `BTreeMap<u64, T>`
    Tree,
    /// `HashMap<u64, T>`
    Map,
    /// `LinkedList<T>`
    Chain,
    /// `Rc<T>`: it stays with the thread that made it.
    Counted,
    /// `String`
    Text,
    /// `Arc<str>`
    SharedText,
    /// `Vec<String>`
    Texts,
    /// `vec![0_u64; n]`
    Numbers,
}

/// What a step does to a value.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// Makes one with room for `capacity`, and puts `length` in.
    Make { kind: Kind, element: ElementId, capacity: usize, length: usize },
    /// Makes one, and frees it at once.
    MakeBriefly { kind: Kind, element: ElementId },
    /// Puts some more in, one by one.
    Push(usize),
    /// Asks for room for some more, exactly.
    Reserve(usize),
    /// Gives back the room that is not used.
    Shrink,
    /// Clones it into the other slot.
    Copy,
    /// Makes a slice that cannot grow of it, or a shared one.
    Turn { shared: bool },
    /// Frees it.
    Free,
}

macro_rules! element_ids {
    ($($id:ident: $type:ty,)*) => {
        /// The type of a value's elements.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum ElementId {
            $($id,)*
        }

        impl ElementId {
            pub(crate) const ALL: &[Self] = &[$(Self::$id,)*];

            pub(crate) fn facts(self) -> crate::element::Facts {
                match self {
                    $(Self::$id => crate::element::Facts::of::<$type>(),)*
                }
            }
        }

        /// A value of whatever kind, in its slot: it takes no memory of its own.
        #[derive(Default)]
        pub(crate) enum Held {
            #[default]
            None,
            Text(String),
            SharedText(#[expect(dead_code, reason = "it is there to be freed")] std::sync::Arc<str>),
            BoxedText(#[expect(dead_code, reason = "it is there to be freed")] Box<str>),
            Texts(#[expect(dead_code, reason = "it is there to be freed")] Vec<String>),
            Numbers(Vec<u64>),
            $($id(crate::value::Value<$type>),)*
        }

        impl Held {
            /// Makes a value of elements.
            pub(crate) fn make(kind: Kind, element: ElementId, capacity: usize, length: usize) -> Self {
                match element {
                    $(ElementId::$id => Self::$id(crate::value::make::<$type>(kind, capacity, length)),)*
                }
            }

            /// Does something to a value of elements that leaves it a value of elements; what it makes goes to `other`.
            pub(crate) fn change_elements(self, action: &Action, other: &mut Self) -> Self {
                match self {
                    $(Self::$id(value) => {
                        let mut copy = None;
                        let value = crate::value::change(value, action, &mut copy);
                        if let Some(copy) = copy {
                            *other = Self::$id(copy);
                        }
                        Self::$id(value)
                    })*
                    text => text,
                }
            }
        }
    };
}

element_ids! {
    Grain: crate::element::Grain,
    Triple: crate::element::Triple,
    Trio: crate::element::Trio,
    Dozen: crate::element::Dozen,
    Word: crate::element::Word,
    Wide: crate::element::Wide,
    Line: crate::element::Line,
    Blob: crate::element::Blob,
    Slab: crate::element::Slab,
    Page: crate::element::Page,
    Nothing: crate::element::Nothing,
    Pair: crate::element::Pair<crate::element::Word, crate::element::Grain>,
    Nested: crate::element::Pair<crate::element::Dozen, crate::element::Pair<crate::element::Trio, crate::element::Blob>>,
}
