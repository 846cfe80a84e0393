//! Which argument is which: those that debug information tells, and the parameters that a path names.

use super::super::arena::{Arena, Argument, Type};
use super::super::type_text::{Known, Reader, is_primitive, split_list};
use super::place::Place;
use super::{OTHER, Spelling, rank};

/// The arguments that debug information tells.
pub(super) struct Spelled<'a> {
    /// None if debug information tells nothing.
    types: Option<Vec<Argument>>,
    values: Vec<Argument>,
    parameters: &'a [String],
}

/// Arguments, assigned.
pub(super) struct Assigned<'a> {
    /// Those of what it stands in.
    pub(super) known: Known<'a>,
    /// Those of the function itself.
    pub(super) own: Vec<Argument>,
}

impl<'a> Spelled<'a> {
    pub(super) fn new(spelling: Option<&'a Spelling>, arena: &mut Arena) -> Self {
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
    pub(super) fn has_subject(&self) -> Option<bool> {
        match (&self.types, self.names()?) {
            (Some(types), []) if types.is_empty() => Some(false),
            (_, names) => Some(names.first().is_some_and(|name| name == "Self")),
        }
    }

    /// What the parameters are that the place names, and what is left for the function.
    pub(super) fn assign<'t>(mut self, place: &Place<'t>) -> Assigned<'t> {
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
