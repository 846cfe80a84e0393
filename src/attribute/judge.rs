//! What each function means for the types on a stack: judged once, whatever the number of stacks.

use std::collections::HashMap;
use std::rc::Rc;

use super::canonical::Canonical;
use super::container::{self, Container};
use super::function::{Function, Nominal, Subject, crate_of, first_module, function, is_closure, last_word};
use super::standard::{self, Says};
use super::third_party;
use crate::symbolize::mangling::{self, Arena, Argument, PathId, TypeId, Word};
use crate::symbolize::{Resolved, SymbolId, Symbols};

/// The modules of this crate that run a program's code to measure it.
const HARNESS: [&str; 4] = ["plan", "harness", "assertion", "bench"];

/// Whose function it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// The recorder, or a function that the compiler puts before the allocator.
    Machinery,
    /// What runs the program's code to measure it: nothing beyond tells who allocates.
    Harness,
    /// A function by which memory is asked for: `alloc::alloc::alloc`, `<Global as Allocator>::allocate`.
    Allocator,
    /// The standard library, or hashbrown.
    Standard,
    /// A crate whose types are containers.
    Containers(Word),
    /// Any other crate: the program itself, or a library that it uses.
    Program(Word),
    /// The standard library where it may have been mixed with code that nothing names: nothing around it is certain.
    Unreadable,
    /// Code of another language.
    Foreign,
}

/// What a function means for the types on a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Judgment {
    /// Whose it is.
    pub(super) origin: Origin,
    /// What it says about the memory that is asked for inside of it; outside of the standard library, its type.
    pub(super) says: Says,
    /// Whether it is a free function of `std`, around which no other crate's container is an owner.
    pub(super) works_for_itself: bool,
    /// Whether it is a closure, which others call in the name of the function that it stands in.
    pub(super) is_closure: bool,
}

/// A function on a stack, as far as types go.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Its name.
    pub(super) symbol: SymbolId,
    /// Where in the source the call stands that it made.
    pub(super) location: Option<Rc<str>>,
    /// What it means.
    pub(super) judgment: Judgment,
    /// Where its code is shared by functions that mean different things: the types that they speak of.
    pub(super) candidates: Option<Rc<[TypeId]>>,
}

/// The functions at a return address, judged.
#[derive(Debug)]
pub(super) struct Plan {
    /// Innermost first.
    pub(super) steps: Vec<Step>,
    /// Where the function that was not inlined starts.
    pub(super) start: Option<u64>,
    /// The function that is called from here, where the instruction tells, and where it starts.
    pub(super) called: Option<(u64, Step)>,
}

/// Judges functions, each once.
pub(super) struct Judge {
    pub(super) symbols: Symbols,
    pub(super) arena: Arena,
    canonical: Canonical,
    container_crates: Vec<String>,
    paths: HashMap<SymbolId, Option<PathId>>,
    judgments: HashMap<SymbolId, Judgment>,
    plans: HashMap<u64, Rc<Plan>>,
    texts: HashMap<SymbolId, Rc<str>>,
}

impl Judge {
    pub(super) fn new(symbols: Symbols, container_crates: Vec<String>) -> Self {
        Self {
            symbols,
            arena: Arena::default(),
            canonical: Canonical::default(),
            container_crates,
            paths: HashMap::new(),
            judgments: HashMap::new(),
            plans: HashMap::new(),
            texts: HashMap::new(),
        }
    }

    /// The functions at a return address, judged.
    pub(super) fn plan(&mut self, return_address: u64) -> Rc<Plan> {
        if let Some(plan) = self.plans.get(&return_address) {
            return Rc::clone(plan);
        }
        let resolved = self.symbols.resolve(return_address);
        let plan = Rc::new(self.new_plan(&resolved));
        self.plans.insert(return_address, Rc::clone(&plan));
        plan
    }

    /// Lays functions at addresses from 1 on: each a list of names, merged into one if there are several.
    #[cfg(test)]
    pub(super) fn lay(&mut self, functions: &[&[&str]]) -> Vec<u64> {
        for (address, names) in (1..).zip(functions) {
            let names: Vec<SymbolId> = names.iter().map(|name| self.symbols.add(name)).collect();
            let frame = crate::symbolize::SourceFrame { symbol: names[0], location: None };
            let merged = if names.len() > 1 { names } else { Vec::new() };
            let resolved = Resolved { frames: vec![frame], merged, ..Resolved::default() };
            let plan = Rc::new(self.new_plan(&resolved));
            self.plans.insert(address, plan);
        }
        (1..).take(functions.len()).collect()
    }

    fn new_plan(&mut self, resolved: &Resolved) -> Plan {
        let candidates = self.candidates(&resolved.merged);
        let steps = resolved.frames.iter().map(|frame| Step {
            symbol: frame.symbol,
            location: frame.location.clone(),
            judgment: self.judge_on_stack(frame.symbol),
            candidates: candidates.clone(),
        });
        let steps = steps.collect();
        let called = resolved.called.as_ref().and_then(|called| {
            let symbol = *called.names.first()?;
            let judgment = self.judge_on_stack(symbol);
            let candidates = self.candidates(&called.names);
            Some((called.start, Step { symbol, location: None, judgment, candidates }))
        });
        Plan { steps, start: resolved.start, called }
    }

    /// The types that functions at one address speak of; none if they all mean the same.
    fn candidates(&mut self, merged: &[SymbolId]) -> Option<Rc<[TypeId]>> {
        let judgments: Vec<Judgment> = merged.iter().map(|symbol| self.judge(*symbol)).collect();
        let is_standard = judgments.iter().all(|judgment| judgment.origin == Origin::Standard);
        if !is_standard || judgments.iter().all(|judgment| judgment.says == judgments[0].says) {
            return None;
        }
        let mut types = Vec::new();
        for ty in judgments.iter().filter_map(|judgment| spoken_of(judgment.says)) {
            if !types.contains(&ty) {
                types.push(ty);
            }
        }
        Some(types.into())
    }

    /// The path of a function; none where its name is not one of Rust's.
    pub(super) fn path(&mut self, symbol: SymbolId) -> Option<PathId> {
        if let Some(path) = self.paths.get(&symbol) {
            return *path;
        }
        let name = self.symbols.name(symbol);
        let path = mangling::parse(name, &mut self.arena)
            .ok()
            .or_else(|| mangling::parse_legacy(name, self.symbols.spelling(symbol), &mut self.arena));
        self.paths.insert(symbol, path);
        path
    }

    /// The readable name of a function.
    pub(super) fn text(&mut self, program: Option<&str>, symbol: SymbolId) -> Rc<str> {
        if let Some(text) = self.texts.get(&symbol) {
            return Rc::clone(text);
        }
        let text: Rc<str> = super::stack::function_text(self, program, symbol).into();
        self.texts.insert(symbol, Rc::clone(&text));
        text
    }

    /// What a function means.
    pub(super) fn judge(&mut self, symbol: SymbolId) -> Judgment {
        if let Some(judgment) = self.judgments.get(&symbol) {
            return *judgment;
        }
        let judgment = self.new_judgment(symbol);
        self.judgments.insert(symbol, judgment);
        judgment
    }

    /// What a function means on a stack. Where only the symbol table knows it, functions may have been inlined into it that
    /// nothing names, the program's own closures among them: it speaks of its memory only if it calls nothing of the kind.
    fn judge_on_stack(&mut self, symbol: SymbolId) -> Judgment {
        let judgment = self.judge(symbol);
        if !matches!(judgment.origin, Origin::Standard | Origin::Containers(_)) || !self.is_bare(symbol) {
            return judgment;
        }
        let function = self.path(symbol).and_then(|path| function(&self.arena, path));
        if function.is_some_and(|function| standard::calls_nothing_of_others(&self.arena, &function)) {
            return judgment;
        }
        let origin = if judgment.origin == Origin::Standard { Origin::Unreadable } else { judgment.origin };
        Judgment { origin, says: Says::Nothing, ..judgment }
    }

    /// Whether nothing but a name of the legacy mangling tells what a function is.
    fn is_bare(&self, symbol: SymbolId) -> bool {
        self.symbols.spelling(symbol).is_none() && mangling::is_legacy_name(self.symbols.name(symbol))
    }

    fn new_judgment(&mut self, symbol: SymbolId) -> Judgment {
        let silent =
            |origin| Judgment { origin, says: Says::Nothing, works_for_itself: false, is_closure: false };
        if is_shim(self.symbols.name(symbol)) {
            return silent(Origin::Machinery);
        }
        let Some(path) = self.path(symbol) else { return silent(Origin::Foreign) };
        let crate_word = crate_of(&self.arena, path);
        let Some(mut function) = function(&self.arena, path) else {
            return silent(self.origin(crate_word));
        };
        if self.is_machinery(crate_word, &function) {
            return silent(Origin::Machinery);
        }
        if self.own_module(crate_word, &function).is_some_and(|module| HARNESS.contains(&module)) {
            return silent(Origin::Harness);
        }
        if self.is_allocator(crate_word, &function) {
            return silent(Origin::Allocator);
        }
        self.rewrite(&mut function);
        let origin = self.origin(crate_word);
        let says = match origin {
            Origin::Standard => standard::says(&mut self.arena, &function),
            _ => self.own_type(crate_word, &function),
        };
        let works_for_itself =
            origin == Origin::Standard && standard::is_free_function_of_std(&self.arena, &function);
        Judgment { origin, says, works_for_itself, is_closure: is_closure(&self.arena, path) }
    }

    fn origin(&self, crate_word: Word) -> Origin {
        match self.arena.text(crate_word) {
            name if standard::has_standard_origin(name) => Origin::Standard,
            "__rustc" => Origin::Machinery,
            "allocator_api2" => Origin::Allocator,
            name if third_party::is_container_crate(name) => Origin::Containers(crate_word),
            name if self.container_crates.iter().any(|known| known == name) => Origin::Containers(crate_word),
            _ => Origin::Program(crate_word),
        }
    }

    /// The module of a function of this crate.
    fn own_module(&self, crate_word: Word, function: &Function) -> Option<&str> {
        let is_own = self.arena.text(crate_word) == "alloclab";
        first_module(&self.arena, function.scope).filter(|_| is_own)
    }

    fn is_machinery(&self, crate_word: Word, function: &Function) -> bool {
        self.own_module(crate_word, function) == Some("recorder")
            || is_shim(self.arena.text(function.name))
            || self.is_of_trait(function, "GlobalAlloc")
    }

    fn is_allocator(&self, crate_word: Word, function: &Function) -> bool {
        let is_module = self.arena.text(crate_word) == "alloc"
            && first_module(&self.arena, function.scope) == Some("alloc");
        is_module || self.is_of_trait(function, "Allocator")
    }

    fn is_of_trait(&self, function: &Function, name: &str) -> bool {
        let Subject::Trait { of, .. } = function.subject else { return false };
        last_word(&self.arena, of).is_some_and(|word| self.arena.text(word) == name)
    }

    /// Puts all types that a function names into their one spelling.
    fn rewrite(&mut self, function: &mut Function) {
        let (arena, canonical) = (&mut self.arena, &mut self.canonical);
        function.subject = match function.subject {
            Subject::Module => Subject::Module,
            Subject::Inherent(subject) => Subject::Inherent(canonical.rewrite(arena, subject)),
            Subject::Trait { subject, of } => {
                let subject = canonical.rewrite(arena, subject);
                Subject::Trait { subject, of: canonical.path(arena, of) }
            }
        };
        let mut all = |arguments: &Rc<[Argument]>| -> Rc<[Argument]> {
            let rewritten = arguments.iter().map(|argument| match argument {
                Argument::Type(ty) => Argument::Type(canonical.rewrite(arena, *ty)),
                Argument::Const(_) => *argument,
            });
            rewritten.collect()
        };
        function.arguments = all(&function.arguments);
        function.filling = all(&function.filling);
    }

    /// What a function outside of the standard library says: whose method it is.
    fn own_type(&mut self, crate_word: Word, function: &Function) -> Says {
        let subject = match function.subject {
            Subject::Module => return Says::Nothing,
            Subject::Inherent(subject) => subject,
            Subject::Trait { subject, of } => {
                if self.only_looks(of) {
                    return Says::Looks;
                }
                subject
            }
        };
        let subject = container::bare(&self.arena, subject);
        match container::container(&mut self.arena, subject) {
            Some(Container::Plain(ty)) => return Says::Container(ty),
            Some(_) => return Says::Nothing,
            None => {}
        }
        let Some(nominal) = Nominal::new(&self.arena, subject) else { return Says::Nothing };
        let is_view = third_party::is_view(nominal.name(&self.arena));
        let is_of_containers = nominal.segments[0] == crate_word
            || matches!(self.origin(nominal.segments[0]), Origin::Containers(_));
        if is_view || !is_of_containers { Says::Nothing } else { Says::Container(subject) }
    }

    fn only_looks(&self, of: PathId) -> bool {
        let name = last_word(&self.arena, of).map(|word| self.arena.text(word));
        name == Some("Serialize") || standard::only_looks(&self.arena, of)
    }

    /// What a function of the standard library asks for of several types that share an address, if it is known to.
    pub(super) fn asks_for(&mut self, symbol: SymbolId) -> Option<TypeId> {
        let path = self.path(symbol)?;
        let function = function(&self.arena, path)?;
        standard::asks_for(&mut self.arena, &function)
    }

    /// Whether a type hands out memory to others and stays its owner.
    pub(super) fn is_arena(&self, ty: TypeId) -> bool {
        Nominal::new(&self.arena, ty).is_some_and(|nominal| {
            third_party::is_arena(nominal.crate_name(&self.arena), nominal.name(&self.arena))
        })
    }
}

fn spoken_of(says: Says) -> Option<TypeId> {
    match says {
        Says::Container(ty) | Says::Raw(ty) | Says::Buffer(ty) | Says::Bytes(ty) => Some(ty),
        Says::Array { boxed, .. } => Some(boxed),
        Says::Nothing | Says::Looks | Says::Iterates => None,
    }
}

/// Functions that the compiler puts between a program and its allocator.
fn is_shim(name: &str) -> bool {
    ["__rust_", "__rdl_", "__rg_"].iter().any(|prefix| name.starts_with(prefix))
}
