//! Paths and types as text.

use std::collections::HashMap;

use super::function::{last_word, segments};
use super::standard::is_standard_library;
use crate::symbolize::mangling::{Arena, Argument, DynTrait, Path, PathId, Type, TypeId, Word};

/// How long a name gets before the rest is left out, in bytes.
const LONGEST: usize = 16 * 1024;

/// How long the arguments of a type get in the name of a function, in bytes.
const LONGEST_ARGUMENTS: usize = 60;

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
pub(super) fn type_text(arena: &Arena, naming: Naming<'_>, ty: TypeId) -> String {
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
            Type::Placeholder | Type::Unknown => self.push("_"),
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
                [.., name] if self.depth > 0 || is_standard_library(self.arena.text(words[0])) => {
                    self.words(&[*name])
                }
                [first, rest @ ..] if Some(self.arena.text(*first)) == program => self.words(rest),
                [first, .., name] => self.words(&[*first, *name]),
                [only] => self.words(&[*only]),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribute::function::{Subject, function};
    use crate::symbolize::mangling::{Spelling, parse_legacy};

    /// Whose method a function is, its own name and arguments, as they are read from a name of the legacy mangling and from
    /// what debug information says.
    fn read(symbol: &str, name: Option<&str>, parameters: &[&str]) -> String {
        let mut arena = Arena::default();
        let parameters = parameters.iter().map(|name| (*name).to_owned()).collect();
        let spelling = name.map(|name| Spelling { name: name.to_owned(), parameters });
        let path = parse_legacy(symbol, spelling.as_ref(), &mut arena).expect("it is such a name");
        let function = function(&arena, path).expect("it is a function");
        let full = |ty| type_text(&arena, Naming::Full, ty);
        let subject = match function.subject {
            Subject::Module => path_text(&arena, None, function.scope),
            Subject::Inherent(subject) => full(subject),
            Subject::Trait { subject, of } => {
                let name = last_word(&arena, of).map_or("", |word| arena.text(word));
                format!("<{} as {name}>", full(subject))
            }
        };
        let own = function.arguments.iter().map(|argument| match argument {
            Argument::Type(ty) => full(*ty),
            Argument::Const(value) => arena.text(*value).to_owned(),
        });
        format!("{subject}::{}<{}>", arena.text(function.name), own.collect::<Vec<_>>().join(", "))
    }

    const PUSH: &str = "_ZN5alloc3vec16Vec$LT$T$C$A$GT$4push17h0123456789abcdefE";

    #[test]
    fn arguments_that_the_older_mangling_drops_are_put_back() {
        let name = "push<alloc::boxed::Box<(dyn core::ops::function::Fn<(u64), Output=u64> + core::marker::Send), \
                    alloc::alloc::Global>, alloc::alloc::Global>";
        let boxed = "alloc::boxed::Box<dyn core::ops::function::Fn(u64) -> u64 + core::marker::Send, alloc::alloc::Global>";
        let expected = format!("alloc::vec::Vec<{boxed}, alloc::alloc::Global>::push<>");
        assert_eq!(read(PUSH, Some(name), &[]), expected);
        assert_eq!(read(PUSH, Some(name), &["T", "A"]), expected);
    }

    #[test]
    fn what_nothing_tells_stays_open() {
        assert_eq!(read(PUSH, None, &[]), "alloc::vec::Vec<_, _>::push<>");
        assert_eq!(read(PUSH, Some("push<what is this?, u8>"), &[]), "alloc::vec::Vec<_, u8>::push<>");
        assert_eq!(read(PUSH, Some("push<u8>"), &[]), "alloc::vec::Vec<_, _>::push<>");
        let array = "_ZN4core5array71_$LT$impl$u20$core..clone..Clone$u20$for$u20$$u5b$T$u3b$$u20$N$u5d$$GT$5clone17h0123456789abcdefE";
        assert_eq!(read(array, Some("clone<u8>"), &[]), "<[u8; _] as Clone>::clone<>");
    }

    #[test]
    fn parameters_go_by_their_names_where_debug_information_has_them() {
        let call = "_ZN86_$LT$alloc..boxed..Box$LT$F$C$A$GT$$u20$as$u20$core..ops..function..Fn$LT$Args$GT$$GT$4call17h0123456789abcdefE";
        let name = "call<(), lab::main::{closure_env#3}<u8>, alloc::alloc::Global>";
        let expected = "<alloc::boxed::Box<lab::main::{closure#3}<u8>, alloc::alloc::Global> as Fn>::call<>";
        assert_eq!(read(call, Some(name), &["Args", "F", "A"]), expected);
    }

    #[test]
    fn the_allocator_of_a_standard_impl_comes_last() {
        let extend = "_ZN97_$LT$alloc..vec..Vec$LT$T$C$A$GT$$u20$as$u20$alloc..vec..spec_extend..SpecExtend$LT$T$C$I$GT$$GT$11spec_extend17h0123456789abcdefE";
        let name = "spec_extend<u8, core::ops::range::Range<u8>, alloc::alloc::Global>";
        let expected = "<alloc::vec::Vec<u8, alloc::alloc::Global> as SpecExtend>::spec_extend<>";
        assert_eq!(read(extend, Some(name), &[]), expected);
        assert_eq!(read(extend, Some(name), &["T", "I", "A"]), expected);
    }

    #[test]
    fn parameters_of_other_crates_impls_stay_open_where_their_order_is_not_certain() {
        let load = "_ZN124_$LT$arc_swap..strategy..hybrid..HybridStrategy$LT$Cfg$GT$$u20$as$u20$arc_swap..strategy..sealed..InnerStrategy$LT$T$GT$$GT$4load17h0123456789abcdefE";
        let name = "load<alloc::sync::Arc<u8>, arc_swap::strategy::hybrid::DefaultConfig>";
        let strategy = |config| {
            format!("<arc_swap::strategy::hybrid::HybridStrategy<{config}> as InnerStrategy>::load<>")
        };
        assert_eq!(read(load, Some(name), &[]), strategy("_"));
        assert_eq!(
            read(load, Some(name), &["T", "Cfg"]),
            strategy("arc_swap::strategy::hybrid::DefaultConfig")
        );
    }

    #[test]
    fn a_default_method_of_a_trait_belongs_to_its_first_argument() {
        let collect = "_ZN4core4iter6traits8iterator8Iterator7collect17h0123456789abcdefE";
        let name = "collect<core::ops::range::Range<u64>, alloc::vec::Vec<u64, alloc::alloc::Global>>";
        let expected =
            "<core::ops::range::Range<u64> as Iterator>::collect<alloc::vec::Vec<u64, alloc::alloc::Global>>";
        assert_eq!(read(collect, Some(name), &[]), expected);
        assert_eq!(read(collect, Some(name), &["Self", "B"]), expected);
    }

    #[test]
    fn a_method_of_another_crate_that_may_be_a_traits_names_no_type() {
        let put = "_ZN3lab3Put3put17h0123456789abcdefE";
        assert_eq!(read(put, Some("put<lab::Shelf, u8>"), &[]), "lab::Put::put<lab::Shelf, u8>");
        assert_eq!(read(put, Some("put<lab::Shelf, u8>"), &["Self", "U"]), "<lab::Shelf as Put>::put<u8>");
        assert_eq!(read(put, None, &[]), "lab::Put::put<>");
    }

    #[test]
    fn values_are_put_back_where_the_path_leaves_one_out() {
        let alloc = "_ZN7bumpalo13Bump$LT$_$GT$12alloc_layout17h0123456789abcdefE";
        assert_eq!(read(alloc, Some("alloc_layout<1>"), &[]), "bumpalo::Bump<1>::alloc_layout<>");
        assert_eq!(read(alloc, None, &[]), "bumpalo::Bump<_>::alloc_layout<>");
    }

    #[test]
    fn a_trait_inside_of_a_slices_method_is_found() {
        let to_vec = "_ZN87_$LT$T$u20$as$u20$alloc..slice..$LT$impl$u20$$u5b$T$u5d$$GT$..to_vec_in..ConvertVec$GT$6to_vec17h0123456789abcdefE";
        let name = Some("to_vec<u32, alloc::alloc::Global>");
        for parameters in [["T", "A"].as_slice(), &[]] {
            assert!(read(to_vec, name, parameters).starts_with("<u32 as ConvertVec>::to_vec<"));
        }
        let spec = "_ZN122_$LT$T$u20$as$u20$$LT$std..ffi..os_str..OsString$u20$as$u20$core..convert..From$LT$$RF$T$GT$$GT$..from..SpecToOsString$GT$17spec_to_os_string17h0123456789abcdefE";
        assert_eq!(
            read(spec, Some("spec_to_os_string<str>"), &[]),
            "<str as SpecToOsString>::spec_to_os_string<>"
        );
    }

    #[test]
    fn broken_spellings_never_panic() {
        let names = [
            "push<",
            "push<>",
            "push<,>",
            "push<a::>",
            "push<&>",
            "push<[u8>",
            "push<[u8; ]>",
            "push<(>",
            "push<dyn >",
            "push<{>",
            "push<fn(>",
            "push<extern \"C>",
            "push<<>",
            "push<é::é<é>>",
            "push<a::{é#é}>",
            "push<'a>",
            "push<->",
        ];
        for name in names {
            read(PUSH, Some(name), &[]);
            let deep = format!("push<{}u8", "&".repeat(100_000));
            read(PUSH, Some(&deep), &["T"]);
        }
    }
}
