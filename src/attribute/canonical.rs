//! One spelling for each type: default arguments dropped, as [`std::any::type_name`] drops them.

use std::collections::HashMap;
use std::rc::Rc;

use super::function::{Nominal, segments};
use super::standard::has_standard_origin;
use super::third_party::is_container_crate;
use crate::symbolize::mangling::{Arena, Argument, DynTrait, Path, PathId, Type, TypeId};

/// Rewrites types, each once.
#[derive(Debug, Default)]
pub(super) struct Canonical {
    types: HashMap<TypeId, TypeId>,
}

impl Canonical {
    /// A type in its one spelling.
    pub(super) fn rewrite(&mut self, arena: &mut Arena, ty: TypeId) -> TypeId {
        if let Some(done) = self.types.get(&ty) {
            return *done;
        }
        let rewritten = self.rebuild(arena, &arena.type_of(ty).clone());
        let id = arena.add_type(rewritten);
        self.types.insert(ty, id);
        id
    }

    fn rebuild(&mut self, arena: &mut Arena, ty: &Type) -> Type {
        match ty {
            Type::Primitive(_) | Type::Placeholder | Type::Unknown => ty.clone(),
            Type::Path(path) => Type::Path(self.path(arena, *path)),
            Type::Reference { mutable, target } => {
                Type::Reference { mutable: *mutable, target: self.rewrite(arena, *target) }
            }
            Type::Pointer { mutable, target } => {
                Type::Pointer { mutable: *mutable, target: self.rewrite(arena, *target) }
            }
            Type::Array(element, length) => Type::Array(self.rewrite(arena, *element), *length),
            Type::Slice(element) => Type::Slice(self.rewrite(arena, *element)),
            Type::Tuple(parts) => Type::Tuple(self.all(arena, parts)),
            Type::Function { is_unsafe, abi, inputs, output } => Type::Function {
                is_unsafe: *is_unsafe,
                abi: *abi,
                inputs: self.all(arena, inputs),
                output: self.rewrite(arena, *output),
            },
            Type::Dyn(traits) => {
                Type::Dyn(traits.iter().map(|of| self.dyn_trait(arena, of)).collect::<Vec<_>>().into())
            }
        }
    }

    fn all(&mut self, arena: &mut Arena, types: &[TypeId]) -> Rc<[TypeId]> {
        types.iter().map(|ty| self.rewrite(arena, *ty)).collect()
    }

    fn dyn_trait(&mut self, arena: &mut Arena, of: &DynTrait) -> DynTrait {
        let bindings = of.bindings.iter().map(|(name, ty)| (*name, self.rewrite(arena, *ty))).collect();
        DynTrait { path: self.path(arena, of.path), bindings }
    }

    /// A path whose types are in their one spelling.
    pub(super) fn path(&mut self, arena: &mut Arena, path: PathId) -> PathId {
        let rewritten = match arena.path(path).clone() {
            Path::Crate(_) => return path,
            Path::Nested { namespace, parent, name, number } => {
                Path::Nested { namespace, parent: self.path(arena, parent), name, number }
            }
            Path::Inherent { scope, subject } => {
                Path::Inherent { scope, subject: self.rewrite(arena, subject) }
            }
            Path::TraitImpl { scope, subject, of } => {
                let subject = self.rewrite(arena, subject);
                Path::TraitImpl { scope, subject, of: self.path(arena, of) }
            }
            Path::TraitDefault { subject, of } => {
                let subject = self.rewrite(arena, subject);
                Path::TraitDefault { subject, of: self.path(arena, of) }
            }
            Path::Generic { base, arguments } => return self.generic(arena, base, &arguments),
        };
        arena.add_path(rewritten)
    }

    fn generic(&mut self, arena: &mut Arena, base: PathId, arguments: &[Argument]) -> PathId {
        let base = self.path(arena, base);
        let mut arguments: Vec<Argument> = arguments
            .iter()
            .map(|argument| match argument {
                Argument::Type(ty) => Argument::Type(self.rewrite(arena, *ty)),
                Argument::Const(_) => *argument,
            })
            .collect();
        while is_default(arena, base, &arguments) {
            arguments.pop();
        }
        if arguments.is_empty() {
            return base;
        }
        arena.add_path(Path::Generic { base, arguments: arguments.into() })
    }
}

/// Whether the last of a type's arguments is the one that its definition gives it.
fn is_default(arena: &Arena, of: PathId, arguments: &[Argument]) -> bool {
    let Path::Nested { namespace: b't', .. } = arena.path(of) else { return false };
    let (Some(words), Some(last)) = (segments(arena, of), arguments.last()) else { return false };
    let words: Vec<&str> = words.iter().map(|word| arena.text(*word)).collect();
    match *last {
        Argument::Type(ty) => arguments.len() > without_default(&words) && is_default_type(arena, &words, ty),
        // bumpalo's least alignment.
        Argument::Const(value) => matches!(words[..], ["bumpalo", .., "Bump"]) && arena.text(value) == "1",
    }
}

/// How many arguments come before those that may have a default: a map's key and value, else what a container holds.
fn without_default(words: &[&str]) -> usize {
    let is_map = words.iter().any(|word| matches!(*word, "map" | "rustc_entry") || is_named_map(word));
    if is_map { 2 } else { 1 }
}

fn is_named_map(name: &str) -> bool {
    name.ends_with("Map") || name.ends_with("Cache")
}

/// Whether a type has this one as a default: the standard allocator, or a hasher.
fn is_default_type(arena: &Arena, of: &[&str], ty: TypeId) -> bool {
    // Nodes borrow the allocator of their list.
    let ty = match *arena.type_of(ty) {
        Type::Reference { target, .. } => target,
        _ => ty,
    };
    if *arena.type_of(ty) == Type::Unknown {
        return has_standard_origin(of[0]);
    }
    let Some(nominal) = Nominal::new(arena, ty) else { return false };
    match (nominal.crate_name(arena), nominal.name(arena)) {
        ("alloc" | "hashbrown" | "allocator_api2", "Global") => {
            has_standard_origin(of[0]) || of[0] == "allocator_api2"
        }
        ("std", "RandomState") => of[0] == "std" || is_foreign_table(of),
        ("hashbrown", "DefaultHashBuilder") => of[0] == "hashbrown" || is_foreign_table(of),
        ("arc_swap", "HybridStrategy") => of[0] == "arc_swap",
        _ => false,
    }
}

/// Whether a type of a crate of containers is a table by hash, as far as its name tells: its parts have no hasher.
fn is_foreign_table(of: &[&str]) -> bool {
    let is_named_table = of.last().is_some_and(|name| is_named_map(name) || name.ends_with("Set"));
    is_container_crate(of[0]) && is_named_table
}

/// Whether a type stands somewhere in the arguments of another.
pub(super) fn is_element(arena: &Arena, inner: TypeId, outer: TypeId) -> bool {
    match arena.type_of(outer) {
        Type::Primitive(_) | Type::Placeholder | Type::Unknown | Type::Function { .. } | Type::Dyn(_) => {
            false
        }
        Type::Reference { target: part, .. } | Type::Pointer { target: part, .. } => {
            holds(arena, inner, *part)
        }
        Type::Array(part, _) | Type::Slice(part) => holds(arena, inner, *part),
        Type::Tuple(parts) => parts.iter().any(|part| holds(arena, inner, *part)),
        Type::Path(path) => match arena.path(*path) {
            Path::Generic { arguments, .. } => arguments.iter().any(|argument| match argument {
                Argument::Type(part) => holds(arena, inner, *part),
                Argument::Const(_) => false,
            }),
            _ => false,
        },
    }
}

/// An argument that is not known may be the type sought.
fn holds(arena: &Arena, inner: TypeId, part: TypeId) -> bool {
    inner == part || *arena.type_of(part) == Type::Unknown || is_element(arena, inner, part)
}
