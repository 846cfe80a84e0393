//! One spelling for each type: default arguments dropped, as [`std::any::type_name`] drops them.

use std::collections::HashMap;
use std::rc::Rc;

use super::function::Nominal;
use crate::symbolize::mangling::{Arena, Argument, DynTrait, Path, PathId, Type, TypeId};

/// Types that stand as a last argument only because they are the default.
const DEFAULTS: [&str; 4] = ["Global", "RandomState", "DefaultHashBuilder", "HybridStrategy"];

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
            Type::Primitive(_) | Type::Placeholder => ty.clone(),
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

    fn path(&mut self, arena: &mut Arena, path: PathId) -> PathId {
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
        while arguments.last().is_some_and(|last| is_default(arena, base, *last)) {
            arguments.pop();
        }
        if arguments.is_empty() {
            return base;
        }
        arena.add_path(Path::Generic { base, arguments: arguments.into() })
    }
}

fn is_default(arena: &Arena, of: PathId, argument: Argument) -> bool {
    match argument {
        Argument::Type(ty) => {
            // Nodes borrow the allocator of their list.
            let ty = match *arena.type_of(ty) {
                Type::Reference { target, .. } => target,
                _ => ty,
            };
            Nominal::new(arena, ty).is_some_and(|nominal| DEFAULTS.contains(&nominal.name(arena)))
        }
        // bumpalo's least alignment.
        Argument::Const(value) => {
            let name = super::function::last_word(arena, of).map(|word| arena.text(word));
            name == Some("Bump") && arena.text(value) == "1"
        }
    }
}

/// Whether a type stands somewhere in the arguments of another.
pub(super) fn is_element(arena: &Arena, inner: TypeId, outer: TypeId) -> bool {
    match arena.type_of(outer) {
        Type::Primitive(_) | Type::Placeholder | Type::Function { .. } | Type::Dyn(_) => false,
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

fn holds(arena: &Arena, inner: TypeId, part: TypeId) -> bool {
    inner == part || is_element(arena, inner, part)
}
