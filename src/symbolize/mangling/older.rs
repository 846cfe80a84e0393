//! Names of Rust's older mangling as a tree, the type arguments that they have lost put back from debug information.
//!
//! The older mangling says where a function stands and what its `impl` is for, in the words of the source:
//! `alloc::vec::Vec<T,A>::push`. Debug information says what the parameters are: `push<u64, alloc::alloc::Global>`, those
//! of the `impl` first, in the order in which the source declares them. That order is told by the parameters' names where
//! debug information is complete (`debug = 2`). Where it is not, it is the order in which the path names them, except
//! where a trait's `impl` may have it otherwise: what is not certain there stays open.

use super::arena::{Arena, Argument, Path, PathId, Type, TypeId};
use super::legacy;
use super::spelling::{Known, Reader, is_primitive, split_list};

/// What debug information tells of a function whose name is of the older mangling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spelling {
    /// Its own name with all type arguments in effect: `push<u64, alloc::alloc::Global>`.
    pub name: String,
    /// The names of the parameters that are types, in their order; empty unless debug information is complete.
    pub parameters: Vec<String>,
}

/// Whether a name is of the older mangling.
///
/// # Examples
/// ```
/// use alloclab::symbolize::mangling::is_older;
///
/// assert!(is_older("_ZN3lab4main17h0123456789abcdefE"));
/// assert!(!is_older("_RNvC3lab4main") && !is_older("main"));
/// ```
pub fn is_older(symbol: &str) -> bool {
    legacy::segments(symbol).is_some()
}

/// Takes a name of the older mangling apart, with what debug information tells of the function; none if it is not such a
/// name.
///
/// Arguments that nothing tells are [`Type::Unknown`].
///
/// # Examples
/// ```
/// use alloclab::symbolize::mangling::{Arena, Path, Spelling, parse_older};
///
/// let mut arena = Arena::default();
/// let name = "_ZN5alloc3vec16Vec$LT$T$C$A$GT$4push17h0123456789abcdefE";
/// let spelling = Spelling { name: "push<u64, alloc::alloc::Global>".to_owned(), parameters: Vec::new() };
/// let path = parse_older(name, Some(&spelling), &mut arena).unwrap();
/// let Path::Nested { parent, .. } = arena.path(path) else { panic!("a function") };
/// assert!(matches!(arena.path(*parent), Path::Inherent { .. }));
/// ```
pub fn parse_older(symbol: &str, spelling: Option<&Spelling>, arena: &mut Arena) -> Option<PathId> {
    let segments = legacy::segments(symbol)?;
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    let function = segments.iter().rposition(|segment| !segment.starts_with('{'))?;
    let spelled = Spelled::new(spelling, arena);
    let place = Place::new(&segments[..function], &spelled);
    let arguments = spelled.assign(&place);
    let mut builder = Builder { arena, known: &arguments.known };
    let parent = builder.parent(&segments[..function], &place)?;
    let path = builder.function(parent, segments[function], arguments.own)?;
    let path = builder.unnamed(path, &segments[function + 1..], spelling);
    arena.is_reasonable(path).then_some(path)
}

/// What a function belongs to, as its path tells.
enum Place<'a> {
    /// A module, or something that may be a type or a trait.
    Module,
    /// `impl Type`, spelled at this index of the path; text between brackets.
    Inherent { at: usize, subject: &'a str },
    /// `impl Trait for Type`, spelled at this index of the path.
    TraitImpl { at: usize, subject: &'a str, of: &'a str },
    /// A trait, whose default method it is.
    TraitDefault,
}

impl<'a> Place<'a> {
    fn new(path: &[&'a str], spelled: &Spelled<'_>) -> Self {
        let is_telling = |segment: &&str| segment.contains('<');
        if let Some(at) = path.iter().position(is_telling) {
            return Self::bracketed(at, path[at]);
        }
        let [first, .., last] = *path else { return Self::Module };
        if !last.starts_with(|first: char| first.is_uppercase()) {
            return Self::Module;
        }
        let is_standard = rank(first) < OTHER;
        match spelled.has_subject() {
            Some(true) => Self::TraitDefault,
            Some(false) => Self::Inherent { at: path.len() - 1, subject: "" },
            None if is_standard && DEFAULTS.contains(&last) => Self::TraitDefault,
            None if is_standard => Self::Inherent { at: path.len() - 1, subject: "" },
            None => Self::Module,
        }
    }

    fn bracketed(at: usize, segment: &'a str) -> Self {
        let inside = |text: &'a str| text.strip_suffix('>').unwrap_or(text);
        if let Some(text) = segment.strip_prefix("<impl ") {
            return match split_outside(inside(text), " for ") {
                Some((of, subject)) => Self::TraitImpl { at, subject, of },
                None => Self::Inherent { at, subject: inside(text) },
            };
        }
        if let Some(text) = segment.strip_prefix('<') {
            return match split_outside(inside(text), " as ") {
                Some((subject, of)) => Self::TraitImpl { at, subject, of },
                None => Self::Inherent { at, subject: inside(text) },
            };
        }
        Self::Inherent { at, subject: segment }
    }

    fn texts(&self) -> [&'a str; 2] {
        match self {
            Self::Module | Self::TraitDefault => ["", ""],
            Self::Inherent { subject, .. } => [subject, ""],
            Self::TraitImpl { subject, of, .. } => [subject, of],
        }
    }
}

/// Splits at a word that stands outside of all brackets.
fn split_outside<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    let mut depth = 0_i32;
    let at = text.char_indices().find(|(at, next)| {
        match next {
            '<' | '(' | '[' => depth += 1,
            '>' if text[..*at].ends_with(['-', '.']) => {}
            '>' | ')' | ']' => depth -= 1,
            _ => {}
        }
        depth == 0 && text[*at..].starts_with(word)
    });
    let (at, _) = at?;
    Some((&text[..at], &text[at + word.len()..]))
}

/// Traits of the standard library whose default methods matter: the first argument is the type.
const DEFAULTS: [&str; 17] = [
    "Iterator",
    "DoubleEndedIterator",
    "ExactSizeIterator",
    "Read",
    "BufRead",
    "Write",
    "Fn",
    "FnMut",
    "FnOnce",
    "Extend",
    "PartialEq",
    "PartialOrd",
    "Ord",
    "Hash",
    "Hasher",
    "Error",
    "Clone",
];

/// How far downstream a crate is: an `impl` stands in the later one of its type's and its trait's.
fn rank(crate_name: &str) -> u32 {
    match crate_name {
        "core" => 0,
        "alloc" => 1,
        "std" => 2,
        _ => OTHER,
    }
}

const OTHER: u32 = 3;

/// The arguments that debug information tells.
struct Spelled<'a> {
    /// None if debug information tells nothing.
    types: Option<Vec<Argument>>,
    values: Vec<Argument>,
    parameters: &'a [String],
}

/// Arguments, assigned.
struct Assigned<'a> {
    known: Known<'a>,
    /// Those of the function itself.
    own: Vec<Argument>,
}

impl<'a> Spelled<'a> {
    fn new(spelling: Option<&'a Spelling>, arena: &mut Arena) -> Self {
        let Some(spelling) = spelling else {
            return Self { types: None, values: Vec::new(), parameters: &[] };
        };
        let nothing = Known::default();
        let list = spelling.name.split_once('<').and_then(|(_, list)| list.strip_suffix('>'));
        let arguments = list.map(split_list).unwrap_or_default().into_iter().map(|text| {
            let read = Reader::new(text, arena, &nothing).whole_argument();
            read.unwrap_or_else(|| Argument::Type(arena.add_type(Type::Unknown)))
        });
        let (types, values) = arguments.partition(|argument| matches!(argument, Argument::Type(_)));
        Self { types: Some(types), values, parameters: &spelling.parameters }
    }

    /// The names of the parameters, if they are told and go with the arguments.
    fn names(&self) -> Option<&'a [String]> {
        let types = self.types.as_ref()?;
        (types.len() == self.parameters.len()).then_some(self.parameters)
    }

    /// Whether the first argument is the type whose trait's default method it is; none if that is not told.
    fn has_subject(&self) -> Option<bool> {
        match (&self.types, self.names()?) {
            (Some(types), []) if types.is_empty() => Some(false),
            (_, names) => Some(names.first().is_some_and(|name| name == "Self")),
        }
    }

    /// What the parameters are that the place names, and what is left for the function.
    fn assign<'t>(mut self, place: &Place<'t>) -> Assigned<'t> {
        let [subject, of] = place.texts();
        let mut named = Named::default();
        named.scan(subject);
        let (of_subject, unnamed) = (named.types.len(), named.unnamed);
        named.scan(of);
        if matches!(place, Place::TraitDefault) {
            named.types.push("Self");
        }
        let mut known = Known::default();
        if [unnamed, named.unnamed] == [self.values.len(); 2] {
            known.unnamed = std::mem::take(&mut self.values);
        }
        let names = self.names().filter(|names| !names.is_empty());
        let Some(types) = self.types else { return Assigned { known, own: Vec::new() } };
        let own = if let Some(names) = names {
            let mut own = Vec::new();
            for (name, argument) in names.iter().zip(types) {
                match named.types.iter().find(|named| *named == name) {
                    Some(named) => drop(known.by_name.insert(named, argument)),
                    None => own.push(argument),
                }
            }
            own
        } else {
            let order = declared(named.types, of_subject, place, types.len());
            let own = order.as_ref().map_or(types.len(), Vec::len);
            known.by_name.extend(order.into_iter().flatten().zip(types.iter().copied()));
            types[own..].to_vec()
        };
        Assigned { known, own }
    }
}

/// The parameters that a place names, in the order in which the source declares them; none where that is not certain.
fn declared<'a>(
    mut named: Vec<&'a str>,
    of_subject: usize,
    place: &Place<'_>,
    told: usize,
) -> Option<Vec<&'a str>> {
    if told < named.len() {
        return None;
    }
    let Place::TraitImpl { subject, of, .. } = place else { return Some(named) };
    let name = of.split('<').next().and_then(|path| path.rsplit("::").next()).unwrap_or("");
    let is_standard = [subject, of].into_iter().all(|text| {
        let text = text.trim_start_matches(['&', '[', '(', '<']);
        // A parameter or a primitive type is of no crate.
        text.split_once("::")
            .is_none_or(|(root, _)| rank(root) < OTHER || root == "hashbrown" || !is_crate(root))
    });
    let is_alone = of_subject == named.len();
    match name {
        // These name a parameter of their own before one of the type's.
        "Index" | "IndexMut" => is_alone.then_some(named),
        "Concat" | "Join" => {
            named.rotate_left(of_subject);
            Some(named)
        }
        _ if is_standard => {
            // The standard library declares an allocator last.
            if let Some(at) =
                named.iter().position(|name| *name == "A").filter(|at| *at + 1 == of_subject && *at > 0)
            {
                let allocator = named.remove(at);
                named.push(allocator);
            }
            Some(named)
        }
        _ => (is_alone && told - named.len() == parameters_of_method(name)).then_some(named),
    }
}

/// Whether what stands before `::` is all a name.
fn is_crate(root: &str) -> bool {
    root.chars().all(|next| next.is_alphanumeric() || next == '_')
}

/// How many parameters the methods of a trait have that fill containers.
fn parameters_of_method(of: &str) -> usize {
    match of {
        "FromIterator" | "Extend" | "Deserialize" | "Visitor" => 1,
        _ => 0,
    }
}

/// The parameters that a text names.
#[derive(Default)]
struct Named<'a> {
    /// Types, each once.
    types: Vec<&'a str>,
    /// How often a value is named, or left out as `_`.
    unnamed: usize,
}

impl<'a> Named<'a> {
    fn scan(&mut self, text: &'a str) {
        let is_part = |next: char| next.is_alphanumeric() || next == '_';
        let mut at = 0;
        while let Some(start) = text[at..].find(is_part).map(|offset| at + offset) {
            let end = text[start..].find(|next| !is_part(next)).map_or(text.len(), |length| start + length);
            at = end;
            let (before, word, after) = (&text[..start], &text[start..end], &text[end..]);
            if word == "_" {
                self.unnamed += 1;
                continue;
            }
            let is_alone = !before.ends_with([':', '{', '#', '\''])
                && !after.starts_with("::")
                && !after.starts_with('<');
            let is_binding = after.trim_start().starts_with('=');
            let is_type = word.starts_with(|first: char| first.is_uppercase()) && !is_primitive(word);
            if is_alone && !is_binding && is_type && !before.ends_with("; ") && !self.types.contains(&word) {
                self.types.push(word);
            }
        }
    }
}

/// Puts a path together.
struct Builder<'a, 'b> {
    arena: &'b mut Arena,
    known: &'b Known<'a>,
}

impl<'a> Builder<'a, '_> {
    /// What the function stands in.
    fn parent(&mut self, path: &[&'a str], place: &Place<'a>) -> Option<PathId> {
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

    fn function(&mut self, parent: PathId, segment: &'a str, own: Vec<Argument>) -> Option<PathId> {
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
    fn unnamed(&mut self, function: PathId, closures: &[&str], spelling: Option<&Spelling>) -> PathId {
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
