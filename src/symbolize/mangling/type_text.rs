//! Types as text, read back: as the legacy mangling and debug information spell them.

use std::collections::HashMap;

use super::arena::{Arena, Argument, DynTrait, Path, PathId, Type, TypeId, Word};

/// How deep a type may be nested in text.
const DEPTH: u32 = 100;

/// Associated types, by their names.
type Bindings = Vec<(Word, TypeId)>;

/// What is known of the parameters that a text names.
#[derive(Debug, Default)]
pub(super) struct Known<'a> {
    /// Types and values by the names of their parameters.
    pub(super) by_name: HashMap<&'a str, Argument>,
    /// Values of parameters that the text calls `_`, in order; none if that is not certain.
    pub(super) unnamed: Vec<Argument>,
}

/// Reads a text from left to right. What it cannot read is none; what the text leaves open is [`Type::Unknown`].
pub(super) struct Reader<'a, 'b> {
    rest: &'a str,
    depth: u32,
    arena: &'b mut Arena,
    known: &'b Known<'a>,
    /// How many unnamed values were met.
    unnamed: usize,
}

impl<'a, 'b> Reader<'a, 'b> {
    pub(super) fn new(text: &'a str, arena: &'b mut Arena, known: &'b Known<'a>) -> Self {
        Self { rest: text, depth: 0, arena, known, unnamed: 0 }
    }

    /// The whole text as an argument: a type or a value.
    pub(super) fn whole_argument(mut self) -> Option<Argument> {
        let argument = self.argument()?;
        self.rest.is_empty().then_some(argument)
    }

    /// A type at the beginning of what is left.
    pub(super) fn ty(&mut self) -> Option<TypeId> {
        match self.argument()? {
            Argument::Type(ty) => Some(ty),
            Argument::Const(_) => None,
        }
    }

    /// A path at the beginning of what is left: that of a trait.
    pub(super) fn trait_path(&mut self) -> Option<PathId> {
        if self.take("<") {
            return self.inside_impl();
        }
        let ty = self.ty()?;
        match *self.arena.type_of(ty) {
            Type::Path(path) => Some(path),
            _ => None,
        }
    }

    /// What follows the `<` of `<Type as Trait>::method::Local`: a trait that stands in a method.
    fn inside_impl(&mut self) -> Option<PathId> {
        let subject = self.ty()?;
        self.take(" as ").then_some(())?;
        let of = self.ty()?;
        let &Type::Path(of) = self.arena.type_of(of) else { return None };
        self.take(">::").then_some(())?;
        let scope = self.arena.module_of(of);
        let parent = self.arena.add_path(Path::TraitImpl { scope, subject, of });
        self.segments(parent).map(|(path, _)| path)
    }

    /// Leaves a mark behind, if it comes next.
    pub(super) fn take(&mut self, mark: &str) -> bool {
        let rest = self.rest.strip_prefix(mark);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// The arguments between `<` and `>`, if they come next; associated types apart.
    pub(super) fn arguments(&mut self) -> Option<(Vec<Argument>, Bindings)> {
        let (mut arguments, mut bindings) = (Vec::new(), Vec::new());
        if !self.take("<") {
            return Some((arguments, bindings));
        }
        while !self.take(">") {
            match self.binding() {
                Some(name) => bindings.push((name, self.ty()?)),
                None => arguments.push(self.argument()?),
            }
            self.separator(">")?;
        }
        Some((arguments, bindings))
    }

    fn unknown(&mut self) -> TypeId {
        self.arena.add_type(Type::Unknown)
    }

    /// A comma, or nothing before the end of a list.
    fn separator(&mut self, end: &str) -> Option<()> {
        (self.take(", ") || self.take(",") || self.rest.starts_with(end)).then_some(())
    }

    fn argument(&mut self) -> Option<Argument> {
        if self.depth >= DEPTH {
            return None;
        }
        self.depth += 1;
        let argument = self.new_argument();
        self.depth -= 1;
        argument
    }

    fn new_argument(&mut self) -> Option<Argument> {
        if let Some(value) = self.value() {
            return Some(value);
        }
        let ty = match self.rest.bytes().next()? {
            b'&' => self.reference()?,
            b'*' => self.pointer()?,
            b'[' => self.sequence()?,
            b'(' => return self.tuple().map(Argument::Type),
            b'!' if self.take("!") => Type::Primitive(self.arena.word("!")),
            // A type of a trait's: which one is not known.
            b'<' => {
                self.skip_path()?;
                Type::Unknown
            }
            _ if self.take("dyn ") => self.dynamic()?,
            _ => match self.function()? {
                Some(function) => function,
                None => return self.named(),
            },
        };
        Some(Argument::Type(self.arena.add_type(ty)))
    }

    /// The value of a constant argument: a number, a truth, a letter, a text.
    fn value(&mut self) -> Option<Argument> {
        let first = self.rest.bytes().next()?;
        let word = self.rest.len() - self.rest.trim_start_matches(|next: char| next.is_alphanumeric()).len();
        let is_value = matches!(first, b'0'..=b'9' | b'-' | b'\'' | b'"')
            || matches!(&self.rest[..word], "true" | "false" | "CONST");
        if !is_value && !self.rest.starts_with("{const") {
            return None;
        }
        let end = self.rest.find([',', '>', ']']).unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(Argument::Const(self.arena.word(text)))
    }

    fn reference(&mut self) -> Option<Type> {
        self.take("&");
        Some(Type::Reference { mutable: self.take("mut "), target: self.ty()? })
    }

    fn pointer(&mut self) -> Option<Type> {
        let mutable = self.take("*mut ");
        (mutable || self.take("*const ")).then_some(())?;
        Some(Type::Pointer { mutable, target: self.ty()? })
    }

    fn sequence(&mut self) -> Option<Type> {
        self.take("[");
        let element = self.ty()?;
        if self.take("]") {
            return Some(Type::Slice(element));
        }
        self.take("; ").then_some(())?;
        let end = self.rest.find(']')?;
        let length = match self.rest[..end].trim() {
            "_" => self.next_unnamed(),
            text if text.starts_with(|first: char| first.is_ascii_digit()) => {
                Some(Argument::Const(self.arena.word(text)))
            }
            name => self.known.by_name.get(name).copied(),
        };
        self.rest = &self.rest[end + 1..];
        match length {
            Some(Argument::Const(length)) => Some(Type::Array(element, length)),
            _ => Some(Type::Array(element, self.arena.word("_"))),
        }
    }

    fn next_unnamed(&mut self) -> Option<Argument> {
        self.unnamed += 1;
        self.known.unnamed.get(self.unnamed - 1).copied()
    }

    /// A tuple; parentheses stand around several traits behind one `dyn`, too.
    fn tuple(&mut self) -> Option<TypeId> {
        let parts = self.list()?;
        match parts[..] {
            [only] if matches!(self.arena.type_of(only), Type::Dyn(traits) if traits.len() > 1) => Some(only),
            _ => Some(self.arena.add_type(Type::Tuple(parts.into()))),
        }
    }

    fn list(&mut self) -> Option<Vec<TypeId>> {
        self.take("(").then_some(())?;
        let mut parts = Vec::new();
        while !self.take(")") {
            parts.push(self.ty()?);
            self.separator(")")?;
        }
        Some(parts)
    }

    fn dynamic(&mut self) -> Option<Type> {
        let mut traits: Vec<DynTrait> = Vec::new();
        loop {
            match (self.binding(), traits.last_mut()) {
                (Some(name), Some(last)) => {
                    let ty = self.ty()?;
                    last.bindings = last.bindings.iter().copied().chain([(name, ty)]).collect();
                }
                (Some(_), None) => return None,
                (None, _) => {
                    let (path, bindings) = self.path()?;
                    traits.push(DynTrait { path, bindings: bindings.into() });
                }
            }
            if !self.take(" + ") && !self.take("+") {
                return Some(Type::Dyn(traits.into()));
            }
        }
    }

    /// The name before a `=`, if that comes next.
    fn binding(&mut self) -> Option<Word> {
        let name = self.peek_identifier();
        let rest = self.rest[name.len()..].trim_start_matches(' ').strip_prefix('=')?;
        if name.is_empty() {
            return None;
        }
        self.rest = rest.trim_start_matches(' ');
        Some(self.arena.word(name))
    }

    /// A pointer to a function; outer none if it is broken.
    fn function(&mut self) -> Option<Option<Type>> {
        let before = self.rest;
        let is_unsafe = self.take("unsafe ");
        let abi = if self.take("extern \"") {
            let (name, rest) = self.rest.split_once("\" ")?;
            self.rest = rest;
            Some(self.arena.word(name))
        } else {
            None
        };
        if !self.rest.starts_with("fn(") {
            self.rest = before;
            return Some(None);
        }
        self.take("fn");
        let inputs = self.list()?.into();
        let returns = self.take(" -> ") || self.take(" .> ");
        let output = if returns { self.ty()? } else { self.arena.add_type(Type::Tuple([].into())) };
        Some(Some(Type::Function { is_unsafe, abi, inputs, output }))
    }

    /// A type with a name: a primitive one, a parameter, or one with a path.
    fn named(&mut self) -> Option<Argument> {
        let name = self.peek_identifier();
        if name.is_empty() {
            return None;
        }
        let rest = &self.rest[name.len()..];
        if rest.starts_with("::") {
            let (path, _) = self.path()?;
            return Some(Argument::Type(self.arena.add_type(Type::Path(path))));
        }
        self.rest = rest;
        if name == "_" {
            return Some(self.next_unnamed().unwrap_or(Argument::Type(self.unknown())));
        }
        if let Some(known) = self.known.by_name.get(name) {
            return Some(*known);
        }
        let ty =
            if PRIMITIVES.contains(&name) { Type::Primitive(self.arena.word(name)) } else { Type::Unknown };
        Some(Argument::Type(self.arena.add_type(ty)))
    }

    /// A path from its crate on, and the associated types that stand in its last arguments.
    fn path(&mut self) -> Option<(PathId, Bindings)> {
        let root = self.peek_identifier();
        self.rest = self.rest[root.len()..].strip_prefix("::").filter(|_| !root.is_empty())?;
        let root = Path::Crate(self.arena.word(root));
        let root = self.arena.add_path(root);
        self.segments(root)
    }

    fn segments(&mut self, root: PathId) -> Option<(PathId, Bindings)> {
        let mut path = root;
        loop {
            path = self.segment(path)?;
            let (arguments, bindings) = self.arguments()?;
            if !arguments.is_empty() {
                path = self.arena.add_path(Path::Generic { base: path, arguments: arguments.into() });
            }
            if !self.take("::") {
                return Some((path, bindings));
            }
        }
    }

    fn segment(&mut self, parent: PathId) -> Option<PathId> {
        if self.take("<impl ") {
            return self.implementation(parent);
        }
        if self.rest.starts_with('{') {
            let end = self.rest.find('}')?;
            let braces = self.rest[end..].len() - self.rest[end..].trim_start_matches('}').len();
            let (text, rest) = self.rest.split_at(end + braces);
            self.rest = rest;
            return Some(self.arena.add_unnamed(parent, text));
        }
        let name = self.peek_identifier();
        self.rest = &self.rest[name.len()..];
        let name = self.arena.word(Some(name).filter(|name| !name.is_empty())?);
        Some(self.arena.add_path(Path::Nested { namespace: b't', parent, name, number: 0 }))
    }

    /// What follows `<impl `: a type, or a trait and a type.
    pub(super) fn implementation(&mut self, scope: PathId) -> Option<PathId> {
        let first = self.ty()?;
        let path = match (self.take(" for "), self.arena.type_of(first)) {
            (true, &Type::Path(of)) => Path::TraitImpl { scope, subject: self.ty()?, of },
            (true, _) => return None,
            (false, _) => Path::Inherent { scope, subject: first },
        };
        self.take(">").then(|| self.arena.add_path(path))
    }

    /// Leaves a path behind that begins with `<`.
    fn skip_path(&mut self) -> Option<()> {
        let mut depth = 0_u32;
        let end = self.rest.char_indices().find(|(at, next)| {
            let is_arrow = self.rest[..*at].ends_with(['-', '.']);
            match next {
                '<' | '(' | '[' => depth += 1,
                '>' if is_arrow => {}
                '>' | ')' | ']' if depth == 0 => return true,
                '>' | ')' | ']' => depth -= 1,
                ',' | '+' | ' ' | ';' => return depth == 0,
                _ => {}
            }
            false
        });
        self.rest = &self.rest[end.map_or(self.rest.len(), |(at, _)| at)..];
        (depth == 0).then_some(())
    }

    fn peek_identifier(&self) -> &'a str {
        let end = self.rest.find(|next: char| !next.is_alphanumeric() && next != '_');
        &self.rest[..end.unwrap_or(self.rest.len())]
    }
}

impl Arena {
    /// The module that a type or a trait stands in; itself where that is a crate or an `impl`.
    pub(super) fn module_of(&self, path: PathId) -> PathId {
        match *self.path(path) {
            Path::Generic { base, .. } => self.module_of(base),
            Path::Nested { parent, .. } => parent,
            _ => path,
        }
    }

    /// Adds what has no name of its own, spelled in braces: `{closure_env#1}`, `{{closure}}`, `{impl#3}`.
    pub(super) fn add_unnamed(&mut self, parent: PathId, text: &str) -> PathId {
        let text = text.trim_matches(['{', '}']);
        let (kind, number) = text.split_once('#').unwrap_or((text, "0"));
        let namespace = match kind {
            // Which type it is for is not told here.
            "impl" => return parent,
            _ if kind.contains("closure") || kind.starts_with("async") => b'C',
            _ => b'k',
        };
        let name = self.word("");
        let number = number.parse().unwrap_or(0);
        self.add_path(Path::Nested { namespace, parent, name, number })
    }
}

const PRIMITIVES: [&str; 17] = [
    "bool", "char", "str", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
    "isize", "f32", "f64",
];

/// Whether a word stands for a type that needs no path.
pub(super) fn is_primitive(word: &str) -> bool {
    PRIMITIVES.contains(&word)
}

/// Splits a list at its commas, those inside of brackets left alone.
pub(super) fn split_list(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start, mut before) = (Vec::new(), 0_i32, 0, ' ');
    for (at, next) in text.char_indices() {
        match next {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if matches!(before, '-' | '.') => {}
            '>' | ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        before = next;
    }
    parts.push(text[start..].trim());
    parts
}
