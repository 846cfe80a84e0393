//! What a function of the standard library says about the memory that it asks for.

use std::rc::Rc;

use super::container::{self, Container};
use super::function::{Function, Nominal, Subject, crate_of, first_module, function, last_word, segments};
use crate::symbolize::mangling::{Arena, Argument, Path, PathId, Type, TypeId};

/// What a function says about the memory that is asked for inside of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// Nothing.
    Nothing,
    /// It is memory of this container.
    Container(TypeId),
    /// It is memory of this raw table or vector, unless a container around it is known.
    Raw(TypeId),
    /// It is the buffer of this reader or writer.
    Buffer(TypeId),
    /// It is memory of an array on the heap: a vector, if the program itself asks for it (`vec![a, b]`).
    Array {
        /// The array's box.
        boxed: TypeId,
        /// The vector that the box becomes.
        vec: TypeId,
    },
    /// If it is a buffer of bytes, it becomes this.
    Bytes(TypeId),
    /// It comes from elsewhere: whatever is around only looks, iterates or drops.
    Looks,
    /// An iterator passes it on: only the container that was found already may be around it.
    Iterates,
}

/// Traits whose methods read: what they allocate on the way is not their subject's.
const LOOKING: [&str; 7] = ["PartialEq", "Eq", "PartialOrd", "Ord", "Hash", "Drop", "Error"];

/// Traits of iterators, whose methods pass on what other code allocates.
const ITERATING: [&str; 3] = ["Iterator", "DoubleEndedIterator", "ExactSizeIterator"];

/// Methods of containers that call nothing but the allocator: no closure, no iterator, no `clone` of an element.
const SELF_CONTAINED: [&str; 29] = [
    "new",
    "new_in",
    "new_uninit",
    "pin",
    "with_capacity",
    "with_capacity_in",
    "with_capacity_zeroed",
    "allocate_in",
    "reserve",
    "reserve_exact",
    "try_reserve",
    "try_reserve_exact",
    "reserve_for_push",
    "grow",
    "grow_one",
    "grow_exact",
    "grow_amortized",
    "finish_grow",
    "push",
    "push_str",
    "push_mut",
    "push_back",
    "push_front",
    "append",
    "append_elements",
    "shrink_to_fit",
    "shrink_to",
    "into_boxed_slice",
    "into_boxed_str",
];

/// Whether a crate is part of the standard library as its users name it.
pub(super) fn is_standard_library(crate_name: &str) -> bool {
    matches!(crate_name, "std" | "alloc" | "core")
}

/// Whether a crate's functions are those of standard containers: the library's own, and hashbrown's, of which its tables are
/// made.
pub(super) fn has_standard_origin(crate_name: &str) -> bool {
    is_standard_library(crate_name) || crate_name == "hashbrown"
}

/// What a function of the standard library or hashbrown says.
pub(super) fn says(arena: &mut Arena, function: &Function) -> Says {
    match function.subject {
        Subject::Module => free_function(arena, function),
        Subject::Inherent(subject) => inherent(arena, function, subject),
        Subject::Trait { subject, of } => trait_method(arena, function, subject, of),
    }
}

fn trait_method(arena: &mut Arena, function: &Function, subject: TypeId, of: PathId) -> Says {
    let name = last_word(arena, of).map(|word| arena.text(word).to_owned()).unwrap_or_default();
    let method = arena.text(function.name).to_owned();
    match name.as_str() {
        _ if only_looks(arena, of) => return Says::Looks,
        "Read" | "BufRead" => return read(arena, &method),
        "ConvertVec" | "SpecFromElem" => return Says::Container(container::vec_of(arena, subject)),
        "ToString" | "SpecToString" => return Says::Bytes(container::string(arena)),
        "ToOwned" => return owned(arena, subject),
        "Into" | "TryInto" => return argument_of_trait(arena, of),
        "Concat" | "Join" => return concatenated(arena, of),
        "Fn" | "FnMut" | "FnOnce" => return called(arena, subject),
        _ => {}
    }
    let collected = matches!((name.as_str(), method.as_str()), ("Iterator", "collect" | "partition"));
    if let Some(says) = collected.then(|| collection(arena, function)).flatten() {
        return says;
    }
    if ITERATING.contains(&name.as_str()) || is_in_core_iter(arena, function) {
        return of_subject(arena, function, subject).unwrap_or(Says::Iterates);
    }
    of_subject(arena, function, subject).unwrap_or(Says::Nothing)
}

/// What a function says that is passed as a value and called through `Fn`: its type is its path.
fn called(arena: &mut Arena, subject: TypeId) -> Says {
    let Type::Path(path) = *arena.type_of(container::bare(arena, subject)) else { return Says::Nothing };
    if !matches!(arena.path(path), Path::Nested { namespace: b'v', .. } | Path::Generic { .. }) {
        return Says::Nothing;
    }
    let is_standard = has_standard_origin(arena.text(crate_of(arena, path)));
    function(arena, path).filter(|_| is_standard).map_or(Says::Nothing, |function| says(arena, &function))
}

fn inherent(arena: &mut Arena, function: &Function, subject: TypeId) -> Says {
    let method = arena.text(function.name).to_owned();
    let array = if method == "new_uninit" { container::boxed_array(arena, subject) } else { None };
    if let Some(vec) = array {
        return Says::Array { boxed: subject, vec };
    }
    if let Some(says) = borrowed_text(arena, subject, &method) {
        return says;
    }
    if let Type::Slice(element) = *arena.type_of(subject) {
        return slice_method(arena, function, element, &method);
    }
    match of_subject(arena, function, subject) {
        Some(Says::Buffer(_)) if !matches!(method.as_str(), "new" | "with_capacity") => Says::Nothing,
        Some(says) => says,
        None if is_in_core_iter(arena, function) => Says::Iterates,
        None => Says::Nothing,
    }
}

/// What the type of a method says: it is a container, its placeholders filled from the function's arguments.
fn of_subject(arena: &mut Arena, function: &Function, subject: TypeId) -> Option<Says> {
    let subject = fill_placeholders(arena, subject, &function.filling);
    container::container(arena, subject).map(|container| match container {
        Container::Plain(ty) => Says::Container(ty),
        Container::Raw(ty) => Says::Raw(ty),
        Container::Buffered(ty) if matches!(function.subject, Subject::Inherent(_)) => Says::Buffer(ty),
        Container::Buffered(_) => Says::Nothing,
    })
}

fn fill_placeholders(arena: &mut Arena, subject: TypeId, filling: &Rc<[Argument]>) -> TypeId {
    let Type::Path(path) = *arena.type_of(subject) else { return subject };
    let Path::Generic { base, arguments } = arena.path(path).clone() else { return subject };
    let is_open = |argument: &Argument| matches!(argument, Argument::Type(ty) if *arena.type_of(*ty) == Type::Placeholder);
    if !arguments.iter().any(is_open) {
        return subject;
    }
    let mut filling = filling.iter();
    let mut filled = Vec::with_capacity(arguments.len());
    for argument in arguments.iter() {
        match (is_open(argument), filling.len()) {
            (false, _) => filled.push(*argument),
            (true, 0) => break,
            (true, _) => filled.extend(filling.next()),
        }
    }
    let path = arena.add_path(Path::Generic { base, arguments: filled.into() });
    arena.add_type(Type::Path(path))
}

fn read(arena: &mut Arena, method: &str) -> Says {
    match method {
        "read_to_string" | "read_line" => Says::Bytes(container::string(arena)),
        "read_to_end" | "read_until" => Says::Bytes(container::bytes(arena)),
        _ => Says::Nothing,
    }
}

fn owned(arena: &mut Arena, subject: TypeId) -> Says {
    match container::owned_form(arena, subject) {
        Some(ty) if container::is_byte_buffer(arena, ty) => Says::Bytes(ty),
        Some(ty) => Says::Container(ty),
        None => Says::Nothing,
    }
}

fn argument_of_trait(arena: &mut Arena, of: PathId) -> Says {
    let Path::Generic { arguments, .. } = arena.path(of).clone() else { return Says::Nothing };
    match arguments.first() {
        Some(Argument::Type(ty)) => holder(arena, *ty),
        _ => Says::Nothing,
    }
}

fn holder(arena: &mut Arena, ty: TypeId) -> Says {
    match container::container(arena, ty) {
        Some(Container::Plain(ty)) => Says::Container(ty),
        _ => Says::Nothing,
    }
}

/// `[V]::concat` and `[V]::join`: text if the items are text, else a vector of them.
fn concatenated(arena: &mut Arena, of: PathId) -> Says {
    let Path::Generic { arguments, .. } = arena.path(of).clone() else { return Says::Nothing };
    let Some(Argument::Type(item)) = arguments.first() else { return Says::Nothing };
    joined(arena, *item)
}

fn joined(arena: &mut Arena, item: TypeId) -> Says {
    let item = match *arena.type_of(item) {
        Type::Reference { target, .. } => target,
        _ => item,
    };
    if container::is_primitive(arena, item, "str") {
        return Says::Bytes(container::string(arena));
    }
    if let Some(owned) = os_text(arena, item) {
        return Says::Bytes(owned);
    }
    let element = match *arena.type_of(item) {
        Type::Slice(element) => element,
        _ => item,
    };
    Says::Container(container::vec_of(arena, element))
}

fn os_text(arena: &mut Arena, item: TypeId) -> Option<TypeId> {
    let is_os_text = Nominal::new(arena, item).is_some_and(|nominal| nominal.name(arena) == "OsStr");
    is_os_text.then(|| container::os_string(arena))
}

/// What `collect::<B>` and `partition::<B, _>` make: `B`, or what a `Result` or an `Option` of it holds.
fn collection(arena: &mut Arena, function: &Function) -> Option<Says> {
    let Some(Argument::Type(mut made)) = function.arguments.first().copied() else { return None };
    while let Some(nominal) = Nominal::new(arena, made) {
        match nominal.argument(0) {
            Some(inner) if matches!(nominal.name(arena), "Result" | "Option") => made = inner,
            _ => break,
        }
    }
    match holder(arena, made) {
        Says::Container(ty) => Some(Says::Container(ty)),
        _ => None,
    }
}

/// Methods of borrowed text that make owned text.
fn borrowed_text(arena: &mut Arena, subject: TypeId, method: &str) -> Option<Says> {
    if container::is_primitive(arena, subject, "str") {
        return Some(match method {
            "to_lowercase" | "to_uppercase" | "to_ascii_lowercase" | "to_ascii_uppercase" | "replace"
            | "replacen" | "repeat" | "into_string" => Says::Bytes(container::string(arena)),
            _ => Says::Nothing,
        });
    }
    let nominal = Nominal::new(arena, subject)?;
    if method == "into_box" {
        return Some(Says::Container(container::box_of(arena, subject)));
    }
    Some(match (nominal.crate_name(arena), nominal.name(arena), method) {
        (
            "std",
            "Path",
            "to_path_buf" | "join" | "_join" | "with_extension" | "_with_extension" | "with_file_name"
            | "_with_file_name" | "canonicalize" | "read_link",
        ) => Says::Bytes(container::path_buf(arena)),
        ("std", "OsStr", "to_os_string" | "to_ascii_lowercase" | "to_ascii_uppercase") => {
            Says::Bytes(container::os_string(arena))
        }
        ("std", "OsStr" | "Path", "to_string_lossy") => Says::Bytes(container::string(arena)),
        ("core" | "alloc", "CStr", "to_string_lossy") => Says::Bytes(container::string(arena)),
        _ => return None,
    })
}

fn slice_method(arena: &mut Arena, function: &Function, element: TypeId, method: &str) -> Says {
    match method {
        "to_vec" | "into_vec" | "to_vec_in" | "repeat" | "to_ascii_lowercase" | "to_ascii_uppercase" => {
            Says::Container(container::vec_of(arena, element))
        }
        "concat" | "join" => match function.arguments.first() {
            Some(Argument::Type(item)) => joined(arena, *item),
            _ => Says::Nothing,
        },
        _ => Says::Nothing,
    }
}

/// Functions that stand in a module and make something.
fn free_function(arena: &mut Arena, function: &Function) -> Says {
    let name = arena.text(function.name).to_owned();
    let module = last_word(arena, function.scope).map(|word| arena.text(word).to_owned()).unwrap_or_default();
    match (module.as_str(), name.as_str()) {
        ("fs", "read") => Says::Bytes(container::bytes(arena)),
        ("fs" | "io", "read_to_string") | ("env", "var" | "_var") | ("fmt", "format" | "format_inner") => {
            Says::Bytes(container::string(arena))
        }
        ("env", "var_os" | "_var_os") | ("env" | "unix" | "args", "args" | "args_os") => {
            Says::Bytes(container::os_string(arena))
        }
        ("fs", "read_link" | "canonicalize")
        | ("env", "current_dir" | "current_exe" | "temp_dir" | "home_dir") => {
            Says::Bytes(container::path_buf(arena))
        }
        ("vec", "from_elem") | ("hack", "to_vec" | "into_vec") => match function.arguments.first() {
            Some(Argument::Type(element)) => Says::Container(container::vec_of(arena, *element)),
            _ => Says::Nothing,
        },
        ("ptr", "drop_in_place" | "drop_glue") => Says::Looks,
        _ if is_in_core_iter(arena, function) => Says::Iterates,
        _ => Says::Nothing,
    }
}

/// What a function asks for of the types whose functions share an address in the standard library as it is shipped, where
/// its source tells.
pub(super) fn asks_for(arena: &mut Arena, function: &Function) -> Option<TypeId> {
    let Subject::Trait { subject, .. } = function.subject else { return None };
    let nominal = Nominal::new(arena, subject)?;
    match (nominal.crate_name(arena), nominal.name(arena), arena.text(function.name)) {
        // It owns the name of an entry as C has it.
        ("std", "ReadDir", "next") => Some(container::c_string(arena)),
        _ => None,
    }
}

/// Whether a function stands freely in the crate `std`, and so works for its caller's caller.
pub(super) fn is_free_function_of_std(arena: &Arena, function: &Function) -> bool {
    matches!(function.subject, Subject::Module) && arena.text(crate_of(arena, function.scope)) == "std"
}

/// Whether a function is a method by which a container asks for memory itself, and calls nothing that its user brings
/// along.
pub(super) fn calls_nothing_of_others(arena: &Arena, function: &Function) -> bool {
    matches!(function.subject, Subject::Inherent(_)) && SELF_CONTAINED.contains(&arena.text(function.name))
}

/// Whether a trait's methods only read their subject, or drop it.
pub(super) fn only_looks(arena: &Arena, of: PathId) -> bool {
    let Some(name) = last_word(arena, of).map(|word| arena.text(word)) else { return false };
    let is_standard = is_standard_library(arena.text(crate_of(arena, of)));
    is_standard && (LOOKING.contains(&name) || (name != "Write" && is_in_module(arena, of, "fmt")))
}

fn is_in_core_iter(arena: &Arena, function: &Function) -> bool {
    arena.text(crate_of(arena, function.scope)) == "core"
        && first_module(arena, function.scope) == Some("iter")
}

fn is_in_module(arena: &Arena, path: PathId, module: &str) -> bool {
    segments(arena, path).is_some_and(|words| words.iter().any(|word| arena.text(*word) == module))
}
