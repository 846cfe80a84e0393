//! The names of types: in full as [`std::any::type_name`] spells them, and as short as can be told apart.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::container;
use super::function::{segments, words_without_impl};
use super::judge::Judge;
use super::standard::is_standard_library;
use super::text::{Naming, type_text};
use super::{Allocated, AllocatedType, stack};
use crate::symbolize::mangling::{Arena, Argument, Path, PathId, Type, TypeId};

/// The two spellings of an allocated type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeName {
    /// The shortest that is unambiguous among all types of the run: `Vec<Box<NameInfo>>`.
    pub short: String,
    /// With full paths, as [`std::any::type_name`] spells it; closures carry their number.
    pub path: String,
}

/// The names of the types that an [`Attributor`](super::Attributor) has seen.
///
/// What is no type reads so: candidates of a merged function with ` | ` between them, `(untyped)` and the function that
/// asked for the memory, `(overflow)` for stacks that the recorder had no room for, `(outside)` for blocks that are older
/// than the window.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    names: Vec<TypeName>,
}

impl Names {
    /// Both spellings.
    ///
    /// # Panics
    /// If the type is of another attributor, or was seen after these names were made.
    pub fn get(&self, ty: AllocatedType) -> &TypeName {
        &self.names[ty.0 as usize]
    }

    /// The short spelling.
    ///
    /// # Panics
    /// As [`Names::get`].
    pub fn short(&self, ty: AllocatedType) -> &str {
        &self.get(ty).short
    }

    /// The full spelling.
    ///
    /// # Panics
    /// As [`Names::get`].
    pub fn path(&self, ty: AllocatedType) -> &str {
        &self.get(ty).path
    }

    pub(super) fn new(judge: &mut Judge, allocated: &[Allocated], program: Option<&str>) -> Self {
        let short = shortened(&judge.arena, allocated);
        let names = allocated.iter().map(|allocated| match allocated {
            Allocated::Type(ty) => both(&judge.arena, &[*ty], &short),
            Allocated::Candidates(types) => both(&judge.arena, types, &short),
            Allocated::Untyped(symbol) => same(&match symbol {
                Some(symbol) => format!("(untyped) {}", stack::function_text(judge, program, *symbol)),
                None => "(untyped)".to_owned(),
            }),
            Allocated::Overflow => same("(overflow)"),
            Allocated::Outside => same("(outside)"),
        });
        Self { names: names.collect() }
    }
}

fn same(text: &str) -> TypeName {
    TypeName { short: text.to_owned(), path: text.to_owned() }
}

fn both(arena: &Arena, types: &[TypeId], short: &HashMap<PathId, String>) -> TypeName {
    let text = |naming| {
        let mut texts: Vec<String> = types.iter().map(|ty| type_text(arena, naming, *ty)).collect();
        texts.sort_unstable();
        texts.join(" | ")
    };
    TypeName { short: text(Naming::Short(short)), path: text(Naming::Full) }
}

/// The short form of every path that the types name.
fn shortened(arena: &Arena, allocated: &[Allocated]) -> HashMap<PathId, String> {
    let mut items = Items { arena, seen: HashSet::new(), paths: HashSet::new() };
    for allocated in allocated {
        match allocated {
            Allocated::Type(ty) => items.collect(*ty),
            Allocated::Candidates(types) => types.iter().for_each(|ty| items.collect(*ty)),
            Allocated::Untyped(_) | Allocated::Overflow | Allocated::Outside => {}
        }
    }
    let mut by_name: BTreeMap<&str, Vec<(PathId, Vec<&str>)>> = BTreeMap::new();
    for path in items.paths {
        let words: Vec<&str> = words_without_impl(arena, path)
            .unwrap_or_default()
            .iter()
            .map(|word| arena.text(*word))
            .collect();
        if let Some(last) = words.last() {
            by_name.entry(last).or_default().push((path, words));
        }
    }
    by_name.into_values().flat_map(|group| tell_apart(&group)).collect()
}

/// Short forms for paths that end in the same word.
///
/// A type of the standard library keeps its bare name; others carry their crate, and more where that is not enough.
fn tell_apart(group: &[(PathId, Vec<&str>)]) -> Vec<(PathId, String)> {
    let standard = group.iter().filter(|(_, words)| is_standard_library(words[0])).count();
    let mut uses: HashMap<String, usize> = HashMap::new();
    for form in group.iter().flat_map(|(_, words)| forms(words)) {
        *uses.entry(form).or_default() += 1;
    }
    let bare = |words: &[&str]| {
        let name = words[words.len() - 1];
        let is_bare = match (is_standard_library(words[0]), standard) {
            (true, count) => count == 1,
            (false, 0) => group.len() == 1 && !container::is_name_of_standard(name),
            (false, _) => false,
        };
        is_bare.then(|| name.to_owned())
    };
    let shortest = |words: &[&str]| {
        let unique = forms(words).into_iter().find(|form| uses[form] == 1);
        unique.unwrap_or_else(|| words.join("::"))
    };
    group.iter().map(|(path, words)| (*path, bare(words).unwrap_or_else(|| shortest(words)))).collect()
}

/// The forms longer than the bare name: crate and name, then from the end on.
fn forms(words: &[&str]) -> Vec<String> {
    let last = words.len() - 1;
    let mut forms = vec![format!("{}::{}", words[0], words[last])];
    forms.extend((0..last).rev().map(|from| words[from..].join("::")));
    forms.dedup();
    forms
}

/// Collects the paths that types name.
struct Items<'a> {
    arena: &'a Arena,
    seen: HashSet<TypeId>,
    paths: HashSet<PathId>,
}

impl Items<'_> {
    fn collect(&mut self, ty: TypeId) {
        if !self.seen.insert(ty) {
            return;
        }
        match self.arena.type_of(ty) {
            Type::Primitive(_) | Type::Placeholder | Type::Unknown => {}
            Type::Path(path) => self.path(*path),
            Type::Reference { target: part, .. }
            | Type::Pointer { target: part, .. }
            | Type::Array(part, _)
            | Type::Slice(part) => self.collect(*part),
            Type::Tuple(parts) => parts.iter().for_each(|part| self.collect(*part)),
            Type::Function { inputs, output, .. } => {
                inputs.iter().chain([output]).for_each(|part| self.collect(*part));
            }
            Type::Dyn(traits) => {
                for of in traits.iter() {
                    self.path(of.path);
                    of.bindings.iter().for_each(|(_, ty)| self.collect(*ty));
                }
            }
        }
    }

    fn path(&mut self, path: PathId) {
        match self.arena.path(path) {
            Path::Generic { base, arguments } => {
                self.path(*base);
                for argument in arguments.iter() {
                    if let Argument::Type(ty) = argument {
                        self.collect(*ty);
                    }
                }
            }
            Path::Nested { namespace: b't', .. } if words_without_impl(self.arena, path).is_some() => {
                self.paths.insert(path);
            }
            Path::Nested { namespace: b'v', .. } if segments(self.arena, path).is_some() => {
                self.paths.insert(path);
            }
            Path::Crate(_) => {}
            Path::Nested { parent, .. } => self.path(*parent),
            Path::Inherent { subject, .. } => self.collect(*subject),
            Path::TraitImpl { subject, of, .. } | Path::TraitDefault { subject, of } => {
                self.collect(*subject);
                self.path(*of);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short_names(types: &[(&[&str], &[&str])]) -> Vec<String> {
        let mut arena = Arena::default();
        let allocated = types.iter().map(|(path, argument)| {
            let arguments: Vec<Argument> = match argument {
                [] => Vec::new(),
                path => vec![Argument::Type(arena.nominal(path, &[]))],
            };
            Allocated::Type(arena.nominal(path, &arguments))
        });
        let allocated: Vec<Allocated> = allocated.collect();
        let short = shortened(&arena, &allocated);
        let text = |allocated: &Allocated| match allocated {
            Allocated::Type(ty) => type_text(&arena, Naming::Short(&short), *ty),
            _ => unreachable!("only types were given"),
        };
        allocated.iter().map(text).collect()
    }

    const VEC: &[&str] = &["alloc", "vec", "Vec"];

    #[test]
    fn a_name_that_is_used_once_stands_alone() {
        assert_eq!(short_names(&[(VEC, &["lab", "codec", "Object"])]), ["Vec<Object>"]);
    }

    #[test]
    fn another_crates_type_never_goes_by_a_name_of_the_standard_library() {
        assert_eq!(short_names(&[(&["bumpalo", "collections", "vec", "Vec"], &[])]), ["bumpalo::Vec"]);
        let both = short_names(&[(&["bumpalo", "collections", "vec", "Vec"], &[]), (VEC, &[])]);
        assert_eq!(both, ["bumpalo::Vec", "Vec"]);
    }

    #[test]
    fn names_that_collide_carry_their_crate_and_more_where_that_is_not_enough() {
        let crates = short_names(&[(&["a", "b", "Item"], &[]), (&["c", "Item"], &[])]);
        assert_eq!(crates, ["a::Item", "c::Item"]);
        let modules = short_names(&[(&["a", "b", "Item"], &[]), (&["a", "c", "Item"], &[])]);
        assert_eq!(modules, ["b::Item", "c::Item"]);
        let root = short_names(&[(&["a", "Item"], &[]), (&["a", "a", "Item"], &[])]);
        assert_eq!(root.iter().collect::<HashSet<_>>().len(), 2, "{root:?}");
    }

    #[test]
    fn a_collision_inside_of_arguments_counts() {
        let names = short_names(&[(VEC, &["a", "Item"]), (VEC, &["b", "Item"])]);
        assert_eq!(names, ["Vec<a::Item>", "Vec<b::Item>"]);
    }
}
