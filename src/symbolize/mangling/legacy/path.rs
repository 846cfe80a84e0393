//! From segments of a name and arguments to a path.

use super::super::arena::{Arena, Argument, Path, PathId, Type, TypeId};
use super::super::type_text::{Known, Reader};
use super::place::Place;
use super::{Spelling, rank};

/// Puts a path together.
pub(super) struct Builder<'a, 'b> {
    pub(super) arena: &'b mut Arena,
    pub(super) known: &'b Known<'a>,
}

impl<'a> Builder<'a, '_> {
    /// What the function stands in.
    pub(super) fn parent(&mut self, path: &[&'a str], place: &Place<'a>) -> Option<PathId> {
        match *place {
            Place::Module => self.module(path),
            Place::TraitDefault => {
                let of = self.module(path)?;
                let subject = self.known.by_name.get("Self").copied();
                let Some(Argument::Type(subject)) = subject else { return Some(of) };
                Some(self.arena.add_path(Path::TraitDefault { subject, of }))
            }
            Place::Inherent { at, subject } => {
                let scope = self.module(&path[..at]);
                let subject = self.subject(path[at], subject, scope)?;
                let scope = scope.or_else(|| self.scope(&[subject]))?;
                let inherent = self.arena.add_path(Path::Inherent { scope, subject });
                self.values(inherent, &path[at + 1..])
            }
            Place::TraitImpl { at, subject, of } => {
                let scope = self.module(&path[..at]);
                let subject = self.read(subject, |reader| reader.ty())?;
                let of = self.read(of, |reader| reader.trait_path())?;
                let of_type = self.arena.add_type(Type::Path(of));
                let scope = scope.or_else(|| self.scope(&[subject, of_type]))?;
                let implementation = self.arena.add_path(Path::TraitImpl { scope, subject, of });
                self.values(implementation, &path[at + 1..])
            }
        }
    }

    fn read<T>(&mut self, text: &'a str, read: impl FnOnce(&mut Reader<'a, '_>) -> Option<T>) -> Option<T> {
        read(&mut Reader::new(text, self.arena, self.known))
    }

    /// The type of an inherent `impl`, spelled between brackets or by the path up to it.
    fn subject(&mut self, segment: &'a str, subject: &'a str, scope: Option<PathId>) -> Option<TypeId> {
        if segment.starts_with('<') {
            return self.read(subject, |reader| reader.ty());
        }
        let name = segment.split('<').next()?;
        let name = self.arena.word(name);
        let mut path = self.arena.add_path(Path::Nested { namespace: b't', parent: scope?, name, number: 0 });
        let list = &segment[segment.find('<').unwrap_or(segment.len())..];
        let (arguments, _) = self.read(list, |reader| reader.arguments())?;
        if !arguments.is_empty() {
            path = self.arena.add_path(Path::Generic { base: path, arguments: arguments.into() });
        }
        Some(self.arena.add_type(Type::Path(path)))
    }

    /// A path of modules; none if it is empty.
    fn module(&mut self, path: &[&str]) -> Option<PathId> {
        let (root, rest) = path.split_first()?;
        let root = Path::Crate(self.arena.word(root));
        let root = self.arena.add_path(root);
        Some(rest.iter().fold(root, |parent, segment| self.nested(b't', parent, segment)))
    }

    /// Functions around the function, in an `impl`.
    fn values(&mut self, parent: PathId, path: &[&str]) -> Option<PathId> {
        Some(path.iter().fold(parent, |parent, segment| self.nested(b'v', parent, segment)))
    }

    fn nested(&mut self, namespace: u8, parent: PathId, segment: &str) -> PathId {
        if segment.starts_with('{') {
            return self.arena.add_unnamed(parent, segment);
        }
        let name = self.arena.word(segment);
        self.arena.add_path(Path::Nested { namespace, parent, name, number: 0 })
    }

    /// The module of an `impl` that the path leaves out: that of the type or of the trait, whichever comes later.
    fn scope(&mut self, candidates: &[TypeId]) -> Option<PathId> {
        let paths = candidates.iter().filter_map(|ty| match *self.arena.type_of(*ty) {
            Type::Path(path) => Some((rank_of(self.arena, path), self.arena.module_of(path))),
            _ => None,
        });
        let best = paths.reduce(|best, next| if next.0 > best.0 { next } else { best });
        match best {
            Some((_, scope)) => Some(scope),
            None => self.module(&["core"]),
        }
    }

    pub(super) fn function(
        &mut self,
        parent: PathId,
        segment: &'a str,
        own: Vec<Argument>,
    ) -> Option<PathId> {
        let name = segment.split(['<', '{']).next()?;
        let path = self.nested(b'v', parent, name);
        let arguments = match segment.find('<') {
            Some(at) if own.is_empty() => self.read(&segment[at..], |reader| reader.arguments())?.0,
            _ => own,
        };
        if arguments.is_empty() {
            return Some(path);
        }
        Some(self.arena.add_path(Path::Generic { base: path, arguments: arguments.into() }))
    }

    /// The closures inside of the function; debug information numbers the innermost.
    pub(super) fn unnamed(
        &mut self,
        function: PathId,
        closures: &[&str],
        spelling: Option<&Spelling>,
    ) -> PathId {
        let numbered = spelling.map(|spelling| spelling.name.split('<').next().unwrap_or_default());
        let last = closures.len().wrapping_sub(1);
        closures.iter().enumerate().fold(function, |parent, (index, closure)| {
            let text = numbered.filter(|text| index == last && text.starts_with('{')).unwrap_or(closure);
            self.arena.add_unnamed(parent, text)
        })
    }
}

/// How far downstream the crate of a path is.
fn rank_of(arena: &Arena, path: PathId) -> u32 {
    match *arena.path(path) {
        Path::Crate(name) => rank(arena.text(name)),
        Path::Nested { parent: inside, .. }
        | Path::Generic { base: inside, .. }
        | Path::Inherent { scope: inside, .. }
        | Path::TraitImpl { scope: inside, .. }
        | Path::TraitDefault { of: inside, .. } => rank_of(arena, inside),
    }
}
