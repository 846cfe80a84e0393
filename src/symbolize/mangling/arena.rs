//! Where taken-apart names live: every word, path and type once, so that equality is equality of indices.

use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

/// A word of a name: an identifier, a primitive type, a constant's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(u32);

/// A path in an [`Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathId(u32);

/// A type in an [`Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(u32);

/// A path: what a function or a nominal type is called, and where it stands.
///
/// Disambiguators are kept for closures alone: a crate's version takes no part in a type's name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Path {
    /// The root of a crate.
    Crate(Word),
    /// An item in another: a module, a type, a function, a closure.
    Nested {
        /// `t` for types and modules, `v` for values, `C` for closures, `S` for shims.
        namespace: u8,
        /// What it stands in.
        parent: PathId,
        /// Its name; empty for closures.
        name: Word,
        /// Tells the closures of a function apart.
        number: u32,
    },
    /// `impl T`.
    Inherent {
        /// The module that the `impl` stands in.
        scope: PathId,
        /// The type.
        subject: TypeId,
    },
    /// `impl Trait for T`.
    TraitImpl {
        /// The module that the `impl` stands in.
        scope: PathId,
        /// The type.
        subject: TypeId,
        /// The trait.
        of: PathId,
    },
    /// `<T as Trait>`: a default method of a trait.
    TraitDefault {
        /// The type.
        subject: TypeId,
        /// The trait.
        of: PathId,
    },
    /// A path with generic arguments; lifetimes are left out.
    Generic {
        /// The path.
        base: PathId,
        /// Its arguments.
        arguments: Rc<[Argument]>,
    },
}

/// A generic argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// A type.
    Type(TypeId),
    /// A constant's value.
    Const(Word),
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A primitive type.
    Primitive(Word),
    /// `_`: a parameter that the name does not fill in.
    Placeholder,
    /// `_`, too: a type that was lost with the name's arguments.
    Unknown,
    /// A nominal type, or a closure.
    Path(PathId),
    /// `&T`, `&mut T`.
    Reference {
        /// Whether it is `&mut`.
        mutable: bool,
        /// What it points to.
        target: TypeId,
    },
    /// `*const T`, `*mut T`.
    Pointer {
        /// Whether it is `*mut`.
        mutable: bool,
        /// What it points to.
        target: TypeId,
    },
    /// `[T; N]`.
    Array(TypeId, Word),
    /// `[T]`.
    Slice(TypeId),
    /// `(A, B)`.
    Tuple(Rc<[TypeId]>),
    /// A pointer to a function.
    Function {
        /// Whether it is `unsafe`.
        is_unsafe: bool,
        /// The ABI, unless it is Rust's.
        abi: Option<Word>,
        /// What it takes.
        inputs: Rc<[TypeId]>,
        /// What it returns.
        output: TypeId,
    },
    /// `dyn Trait`.
    Dyn(Rc<[DynTrait]>),
}

/// A trait of a `dyn` type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DynTrait {
    /// The trait.
    pub path: PathId,
    /// Its associated types.
    pub bindings: Rc<[(Word, TypeId)]>,
}

/// How large a name is when everything shared in it is written out.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    nodes: u32,
    depth: u32,
}

impl Extent {
    fn around(parts: impl IntoIterator<Item = Extent>) -> Self {
        let inner = parts.into_iter().fold(Self::default(), |sum, part| Self {
            nodes: sum.nodes.saturating_add(part.nodes),
            depth: sum.depth.max(part.depth),
        });
        Self { nodes: inner.nodes.saturating_add(1), depth: inner.depth.saturating_add(1) }
    }
}

/// Nodes that a name may have when everything shared in it is written out.
const NODES: u32 = 20_000;

/// How deep a name may be nested.
pub(super) const DEPTH: u32 = 200;

/// All words, paths and types that were seen, each once.
#[derive(Debug, Default)]
pub struct Arena {
    words: Table<Rc<str>>,
    paths: Table<Path>,
    types: Table<Type>,
    path_extents: Vec<Extent>,
    type_extents: Vec<Extent>,
}

#[derive(Debug)]
struct Table<T> {
    items: Vec<T>,
    indices: HashMap<T, u32>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { items: Vec::new(), indices: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Table<T> {
    fn add(&mut self, item: T) -> u32 {
        let next = u32::try_from(self.items.len()).expect("a program has fewer than 2^32 names");
        *self.indices.entry(item).or_insert_with_key(|item| {
            self.items.push(item.clone());
            next
        })
    }
}

impl Arena {
    /// Adds a word.
    pub fn word(&mut self, text: &str) -> Word {
        if let Some(&index) = self.words.indices.get(text) {
            return Word(index);
        }
        Word(self.words.add(text.into()))
    }

    /// A word's text.
    pub fn text(&self, word: Word) -> &str {
        &self.words.items[word.0 as usize]
    }

    /// A path.
    pub fn path(&self, path: PathId) -> &Path {
        &self.paths.items[path.0 as usize]
    }

    /// A type.
    pub fn type_of(&self, id: TypeId) -> &Type {
        &self.types.items[id.0 as usize]
    }

    /// Adds a path.
    pub fn add_path(&mut self, path: Path) -> PathId {
        let extent = self.extent_of_path(&path);
        let id = PathId(self.paths.add(path));
        if id.0 as usize == self.path_extents.len() {
            self.path_extents.push(extent);
        }
        id
    }

    /// Adds a type.
    pub fn add_type(&mut self, ty: Type) -> TypeId {
        let extent = self.extent_of_type(&ty);
        let id = TypeId(self.types.add(ty));
        if id.0 as usize == self.type_extents.len() {
            self.type_extents.push(extent);
        }
        id
    }

    /// Adds a nominal type, by the path of its crate, modules and name, with its arguments.
    pub fn nominal(&mut self, segments: &[&str], arguments: &[Argument]) -> TypeId {
        let (root, rest) = segments.split_first().expect("a nominal type has a crate");
        let root = Path::Crate(self.word(root));
        let mut path = self.add_path(root);
        for segment in rest {
            let name = self.word(segment);
            path = self.add_path(Path::Nested { namespace: b't', parent: path, name, number: 0 });
        }
        if !arguments.is_empty() {
            path = self.add_path(Path::Generic { base: path, arguments: arguments.into() });
        }
        self.add_type(Type::Path(path))
    }

    /// Whether a path, with everything shared in it written out, is of a size that can be worked with.
    pub(super) fn is_reasonable(&self, path: PathId) -> bool {
        let extent = self.path_extents[path.0 as usize];
        extent.nodes <= NODES && extent.depth <= DEPTH
    }

    fn extent_of_path(&self, path: &Path) -> Extent {
        let path_extent = |id: PathId| self.path_extents[id.0 as usize];
        let type_extent = |id: TypeId| self.type_extents[id.0 as usize];
        match path {
            Path::Crate(_) => Extent::around([]),
            Path::Nested { parent, .. } => Extent::around([path_extent(*parent)]),
            Path::Inherent { scope, subject } => Extent::around([path_extent(*scope), type_extent(*subject)]),
            Path::TraitImpl { scope, subject, of } => {
                Extent::around([path_extent(*scope), type_extent(*subject), path_extent(*of)])
            }
            Path::TraitDefault { subject, of } => Extent::around([type_extent(*subject), path_extent(*of)]),
            Path::Generic { base, arguments } => {
                let arguments = arguments.iter().filter_map(|argument| match argument {
                    Argument::Type(ty) => Some(type_extent(*ty)),
                    Argument::Const(_) => None,
                });
                Extent::around(arguments.chain([path_extent(*base)]))
            }
        }
    }

    fn extent_of_type(&self, ty: &Type) -> Extent {
        let path_extent = |id: PathId| self.path_extents[id.0 as usize];
        let type_extent = |id: TypeId| self.type_extents[id.0 as usize];
        match ty {
            Type::Primitive(_) | Type::Placeholder | Type::Unknown => Extent::around([]),
            Type::Path(path) => Extent::around([path_extent(*path)]),
            Type::Reference { target, .. } | Type::Pointer { target, .. } => {
                Extent::around([type_extent(*target)])
            }
            Type::Array(element, _) | Type::Slice(element) => Extent::around([type_extent(*element)]),
            Type::Tuple(parts) => Extent::around(parts.iter().map(|part| type_extent(*part))),
            Type::Function { inputs, output, .. } => {
                Extent::around(inputs.iter().chain([output]).map(|part| type_extent(*part)))
            }
            Type::Dyn(traits) => Extent::around(traits.iter().flat_map(|of| {
                let bindings = of.bindings.iter().map(|(_, ty)| type_extent(*ty));
                bindings.chain([path_extent(of.path)])
            })),
        }
    }
}
