//! What a function is: a free one, or one of a type or a trait; and the crate that it stands in.

use std::rc::Rc;

use crate::symbolize::mangling::{Arena, Argument, Path, PathId, Type, TypeId, Word};

/// A function, seen from its outermost item: closures and functions inside of it count as it.
#[derive(Clone, Debug)]
pub(super) struct Function {
    /// What it belongs to.
    pub(super) subject: Subject,
    /// Its name.
    pub(super) name: Word,
    /// Its own generic arguments.
    pub(super) arguments: Rc<[Argument]>,
    /// The module that it or its `impl` stands in; for a default method of a trait, the trait.
    pub(super) scope: PathId,
    /// The generic arguments nearest to the end of its path, with which the placeholders of its `impl` are filled.
    pub(super) filling: Rc<[Argument]>,
}

/// What a function belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Subject {
    /// A module.
    Module,
    /// `impl T`.
    Inherent(TypeId),
    /// `impl Trait for T`, or a default method of a trait.
    Trait {
        /// The type.
        subject: TypeId,
        /// The trait.
        of: PathId,
    },
}

/// Takes a function's path apart; none for a path that names no function.
pub(super) fn function(arena: &Arena, path: PathId) -> Option<Function> {
    let none: Rc<[Argument]> = Rc::from([]);
    let (mut pending, mut arguments, mut filling) = (Rc::clone(&none), Rc::clone(&none), Rc::clone(&none));
    let mut name = None;
    let mut at = path;
    let (subject, scope) = loop {
        match arena.path(at) {
            Path::Generic { base, arguments: found } => {
                pending = Rc::clone(found);
                if filling.is_empty() {
                    filling = Rc::clone(found);
                }
                at = *base;
            }
            Path::Nested { namespace: b'v', parent, name: found, .. } => {
                arguments = std::mem::replace(&mut pending, Rc::clone(&none));
                name = Some(*found);
                at = *parent;
            }
            Path::Nested { namespace: b't', .. } | Path::Crate(_) => break (Subject::Module, at),
            Path::Nested { parent, .. } => {
                pending = Rc::clone(&none);
                at = *parent;
            }
            Path::Inherent { scope, subject } => break (Subject::Inherent(*subject), *scope),
            Path::TraitImpl { scope, subject, of } => {
                break (Subject::Trait { subject: *subject, of: *of }, *scope);
            }
            Path::TraitDefault { subject, of } => break (Subject::Trait { subject: *subject, of: *of }, *of),
        }
    };
    Some(Function { subject, name: name?, arguments, scope, filling })
}

/// Whether a path names a closure.
pub(super) fn is_closure(arena: &Arena, path: PathId) -> bool {
    match arena.path(path) {
        Path::Generic { base, .. } => is_closure(arena, *base),
        Path::Nested { namespace, .. } => *namespace == b'C',
        _ => false,
    }
}

/// The words of a path from its crate on, where it is one of modules, types and functions only.
pub(super) fn segments(arena: &Arena, path: PathId) -> Option<Vec<Word>> {
    let mut words = Vec::new();
    let mut at = path;
    loop {
        match arena.path(at) {
            Path::Crate(name) => {
                words.push(*name);
                words.reverse();
                return Some(words);
            }
            Path::Nested { namespace: b't' | b'v', parent, name, .. } => {
                words.push(*name);
                at = *parent;
            }
            Path::Generic { base, .. } => at = *base,
            _ => return None,
        }
    }
}

/// The words of a path from its crate on, an `impl` on it left out; none for closures.
pub(super) fn words_without_impl(arena: &Arena, path: PathId) -> Option<Vec<Word>> {
    match arena.path(path) {
        Path::Nested { namespace: b't' | b'v', parent, name, .. } => {
            let mut words = words_without_impl(arena, *parent)?;
            words.push(*name);
            Some(words)
        }
        Path::Generic { base: inside, .. }
        | Path::Inherent { scope: inside, .. }
        | Path::TraitImpl { scope: inside, .. }
        | Path::TraitDefault { of: inside, .. } => words_without_impl(arena, *inside),
        Path::Crate(name) => Some(vec![*name]),
        Path::Nested { .. } => None,
    }
}

/// The crate that a path stands in, for an `impl` the crate of the `impl`.
pub(super) fn crate_of(arena: &Arena, path: PathId) -> Word {
    let mut at = path;
    loop {
        at = match arena.path(at) {
            Path::Crate(name) => return *name,
            Path::Nested { parent, .. } => *parent,
            Path::Inherent { scope, .. } | Path::TraitImpl { scope, .. } => *scope,
            Path::TraitDefault { of, .. } => *of,
            Path::Generic { base, .. } => *base,
        }
    }
}

/// The last word of a path.
pub(super) fn last_word(arena: &Arena, path: PathId) -> Option<Word> {
    match arena.path(path) {
        Path::Crate(name) | Path::Nested { name, .. } => Some(*name),
        Path::Generic { base, .. } => last_word(arena, *base),
        _ => None,
    }
}

/// The module right below the crate that a path stands in: `iter` of `core::iter::adapters::map`.
pub(super) fn first_module(arena: &Arena, path: PathId) -> Option<&str> {
    let words = segments(arena, path)?;
    words.get(1).map(|word| arena.text(*word))
}

/// A type that has a path: its crate, the words between, its name and its arguments.
#[derive(Clone, Debug)]
pub(super) struct Nominal {
    /// The words of its path.
    pub(super) segments: Vec<Word>,
    /// Its arguments.
    pub(super) arguments: Rc<[Argument]>,
}

impl Nominal {
    /// Takes a type apart, if it is a struct, an enum or a union.
    pub(super) fn new(arena: &Arena, ty: TypeId) -> Option<Self> {
        let Type::Path(path) = arena.type_of(ty) else { return None };
        let arguments = match arena.path(*path) {
            Path::Generic { arguments, .. } => Rc::clone(arguments),
            Path::Nested { namespace: b't', .. } => Rc::from([]),
            _ => return None,
        };
        Some(Self { segments: segments(arena, *path)?, arguments })
    }

    /// The name of its crate.
    pub(super) fn crate_name<'a>(&self, arena: &'a Arena) -> &'a str {
        arena.text(self.segments[0])
    }

    /// Its name, without modules.
    pub(super) fn name<'a>(&self, arena: &'a Arena) -> &'a str {
        arena.text(self.segments[self.segments.len() - 1])
    }

    /// Whether a module of this name stands on its path.
    pub(super) fn is_in(&self, arena: &Arena, module: &str) -> bool {
        self.segments.iter().any(|word| arena.text(*word) == module)
    }

    /// One of its arguments, if it is a type.
    pub(super) fn argument(&self, index: usize) -> Option<TypeId> {
        match self.arguments.get(index)? {
            Argument::Type(ty) => Some(*ty),
            Argument::Const(_) => None,
        }
    }
}
