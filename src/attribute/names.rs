//! Types and functions as text: in full as [`std::any::type_name`] spells them, and as short as can be told apart.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::container;
use super::function::{last_word, segments, words_without_impl};
use super::judge::Judge;
use super::{Allocated, AllocatedType, stack};
use crate::symbolize::mangling::{Arena, Argument, DynTrait, Path, PathId, Type, TypeId, Word};

/// How long a name gets before the rest is left out, in bytes.
const LONGEST: usize = 16 * 1024;

/// How long the arguments of a type get in the name of a function, in bytes.
const LONGEST_ARGUMENTS: usize = 60;

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

/// How paths are written.
#[derive(Clone, Copy)]
pub(super) enum Naming<'a> {
    /// From the crate on.
    Full,
    /// As a table says.
    Short(&'a HashMap<PathId, String>),
    /// For functions: the standard library's types by their names, the program's without the crate, others with it, and
    /// all types in arguments by their names.
    Readable(Option<&'a str>),
}

/// The text of a type.
fn type_text(arena: &Arena, naming: Naming<'_>, ty: TypeId) -> String {
    let mut text = Text { arena, naming, depth: 0, out: String::new() };
    text.ty(ty);
    text.out
}

/// The text of a function, without its own arguments.
pub(super) fn path_text(arena: &Arena, program: Option<&str>, path: PathId) -> String {
    let mut text = Text { arena, naming: Naming::Readable(program), depth: 0, out: String::new() };
    text.function(path);
    text.out
}

struct Text<'a> {
    arena: &'a Arena,
    naming: Naming<'a>,
    /// How many lists of arguments are open.
    depth: u32,
    out: String,
}

impl<'a> Text<'a> {
    fn push(&mut self, piece: &str) {
        if self.out.len() < LONGEST {
            self.out.push_str(piece);
        }
    }

    fn list<T: Copy>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.push(", ");
            }
            write(self, *item);
        }
    }

    fn ty(&mut self, ty: TypeId) {
        if self.out.len() >= LONGEST {
            return;
        }
        match self.arena.type_of(ty) {
            Type::Primitive(name) => self.push(self.arena.text(*name)),
            Type::Placeholder => self.push("_"),
            Type::Path(path) => self.path(*path),
            Type::Reference { mutable, target } => {
                self.push(if *mutable { "&mut " } else { "&" });
                self.ty(*target);
            }
            Type::Pointer { mutable, target } => {
                self.push(if *mutable { "*mut " } else { "*const " });
                self.ty(*target);
            }
            Type::Array(element, length) => {
                self.push("[");
                self.ty(*element);
                self.push("; ");
                self.push(self.arena.text(*length));
                self.push("]");
            }
            Type::Slice(element) => {
                self.push("[");
                self.ty(*element);
                self.push("]");
            }
            Type::Tuple(parts) => {
                self.push("(");
                self.list(parts, Self::ty);
                self.push(if parts.len() == 1 { ",)" } else { ")" });
            }
            Type::Function { is_unsafe, abi, inputs, output } => {
                self.push(if *is_unsafe { "unsafe " } else { "" });
                if let Some(abi) = abi {
                    self.push(&format!("extern {:?} ", self.arena.text(*abi)));
                }
                self.push("fn(");
                self.list(inputs, Self::ty);
                self.push(")");
                self.returned(*output);
            }
            Type::Dyn(traits) => self.dynamic(traits),
        }
    }

    fn returned(&mut self, output: TypeId) {
        if !matches!(self.arena.type_of(output), Type::Tuple(parts) if parts.is_empty()) {
            self.push(" -> ");
            self.ty(output);
        }
    }

    /// The trait with methods first, then the markers by name, as the compiler writes them.
    fn dynamic(&mut self, traits: &[DynTrait]) {
        let is_marker = |of: &&DynTrait| {
            let words = segments(self.arena, of.path).unwrap_or_default();
            words.get(1).is_some_and(|word| self.arena.text(*word) == "marker")
        };
        let (mut markers, mut sorted): (Vec<&DynTrait>, Vec<&DynTrait>) = traits.iter().partition(is_marker);
        markers.sort_by_key(|of| last_word(self.arena, of.path).map(|word| self.arena.text(word)));
        sorted.append(&mut markers);
        self.push("dyn ");
        for (index, of) in sorted.into_iter().enumerate() {
            self.push(if index > 0 { " + " } else { "" });
            self.dyn_trait(of);
        }
    }

    fn dyn_trait(&mut self, of: &DynTrait) {
        let (base, arguments) = self.split(of.path);
        self.item(base);
        let name = last_word(self.arena, base).map(|word| self.arena.text(word));
        let inputs = match arguments {
            [Argument::Type(inputs)] => Some(self.arena.type_of(*inputs)),
            _ => None,
        };
        if let (Some("Fn" | "FnMut" | "FnOnce"), Some(Type::Tuple(inputs)), [(_, output)]) =
            (name, inputs, &*of.bindings)
        {
            self.push("(");
            self.list(inputs, Self::ty);
            self.push(")");
            self.returned(*output);
            return;
        }
        if arguments.is_empty() && of.bindings.is_empty() {
            return;
        }
        self.push("<");
        self.list(arguments, Self::argument);
        self.push(if arguments.is_empty() || of.bindings.is_empty() { "" } else { ", " });
        self.list(&of.bindings, |text, (name, ty): (Word, TypeId)| {
            text.push(text.arena.text(name));
            text.push(" = ");
            text.ty(ty);
        });
        self.push(">");
    }

    fn split(&self, path: PathId) -> (PathId, &'a [Argument]) {
        match self.arena.path(path) {
            Path::Generic { base, arguments } => (*base, arguments),
            _ => (path, &[]),
        }
    }

    fn argument(&mut self, argument: Argument) {
        match argument {
            Argument::Type(ty) => self.ty(ty),
            Argument::Const(value) => self.push(self.arena.text(value)),
        }
    }

    fn arguments(&mut self, arguments: &[Argument]) {
        if arguments.is_empty() {
            return;
        }
        let start = self.out.len();
        self.push("<");
        self.depth += 1;
        self.list(arguments, Self::argument);
        self.depth -= 1;
        self.push(">");
        if matches!(self.naming, Naming::Readable(_)) && self.out.len() - start > LONGEST_ARGUMENTS {
            self.out.truncate(start);
            self.push("<..>");
        }
    }

    /// A path in a type.
    fn path(&mut self, path: PathId) {
        let (base, arguments) = self.split(path);
        match self.arena.path(base) {
            Path::Nested { namespace: b't' | b'v', .. } if self.is_item(base) => self.item(base),
            _ => self.impl_item(base),
        }
        if matches!(self.arena.path(base), Path::Nested { namespace: b'v', .. }) && !arguments.is_empty() {
            self.push("::");
        }
        self.arguments(arguments);
    }

    /// Whether a path is written as words alone; short names leave out the `impl` that a type is defined in.
    fn is_item(&self, path: PathId) -> bool {
        let is_short = matches!(self.naming, Naming::Short(table) if table.contains_key(&path));
        is_short || segments(self.arena, path).is_some()
    }

    /// A path that has an `impl` or a closure on it.
    fn impl_item(&mut self, path: PathId) {
        match self.arena.path(path) {
            Path::Crate(name) => self.push(self.arena.text(*name)),
            Path::Nested { namespace, parent, name, number } => {
                self.path(*parent);
                self.nested(*namespace, *name, *number);
            }
            Path::Inherent { subject, .. } => self.ty(*subject),
            Path::TraitImpl { subject, of, .. } | Path::TraitDefault { subject, of } => {
                self.push("<");
                self.ty(*subject);
                self.push(" as ");
                self.path(*of);
                self.push(">");
            }
            Path::Generic { .. } => self.path(path),
        }
    }

    fn nested(&mut self, namespace: u8, name: Word, number: u32) {
        self.push("::");
        match (namespace, self.arena.text(name)) {
            (b'C', _) => self.push(&format!("{{closure#{number}}}")),
            (b'A'..=b'Z', name) => self.push(&format!("{{{name}}}")),
            (_, name) => self.push(name),
        }
    }

    /// A function: types as they are, its own arguments left out.
    fn function(&mut self, path: PathId) {
        let (base, _) = self.split(path);
        match self.arena.path(base) {
            Path::Nested { namespace: b't' | b'v', .. } if segments(self.arena, base).is_some() => {
                self.free_function(base);
            }
            Path::Nested { namespace, parent, name, number } => {
                self.function(*parent);
                match (namespace, number) {
                    (b'C', 0) => self.push("::{closure}"),
                    _ => self.nested(*namespace, *name, *number),
                }
            }
            Path::TraitImpl { subject, of, .. } | Path::TraitDefault { subject, of } => {
                self.push("<");
                self.ty(*subject);
                self.push(" as ");
                let name = last_word(self.arena, *of).map_or("_", |word| self.arena.text(word));
                self.push(name);
                self.push(">");
            }
            Path::Crate(_) | Path::Inherent { .. } | Path::Generic { .. } => self.impl_item(base),
        }
    }

    fn free_function(&mut self, path: PathId) {
        let words = segments(self.arena, path).unwrap_or_default();
        let is_program =
            matches!(self.naming, Naming::Readable(Some(program)) if self.arena.text(words[0]) == program);
        self.words(&words[usize::from(is_program && words.len() > 1)..]);
    }

    fn words(&mut self, words: &[Word]) {
        for (index, word) in words.iter().enumerate() {
            self.push(if index > 0 { "::" } else { "" });
            self.push(self.arena.text(*word));
        }
    }

    /// A path of modules, types and functions only.
    fn item(&mut self, path: PathId) {
        let words = segments(self.arena, path).unwrap_or_default();
        match self.naming {
            Naming::Full => self.words(&words),
            Naming::Short(table) => match table.get(&path) {
                Some(short) => self.push(short),
                None => self.words(&words[words.len().saturating_sub(1)..]),
            },
            Naming::Readable(program) => match words.as_slice() {
                [] => {}
                [.., name] if self.depth > 0 || is_standard(self.arena.text(words[0])) => {
                    self.words(&[*name])
                }
                [first, rest @ ..] if Some(self.arena.text(*first)) == program => self.words(rest),
                [first, .., name] => self.words(&[*first, *name]),
                [only] => self.words(&[*only]),
            },
        }
    }
}

fn is_standard(crate_name: &str) -> bool {
    matches!(crate_name, "std" | "alloc" | "core")
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
    let standard = group.iter().filter(|(_, words)| is_standard(words[0])).count();
    let mut uses: HashMap<String, usize> = HashMap::new();
    for form in group.iter().flat_map(|(_, words)| forms(words)) {
        *uses.entry(form).or_default() += 1;
    }
    let bare = |words: &[&str]| {
        let name = words[words.len() - 1];
        let is_bare = match (is_standard(words[0]), standard) {
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
            Type::Primitive(_) | Type::Placeholder => {}
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
