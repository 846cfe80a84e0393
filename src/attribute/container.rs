//! The containers of the standard library and of hashbrown: what allocates, and what it is called.

use super::function::Nominal;
use crate::symbolize::mangling::{Arena, Argument, Type, TypeId, Word};

/// A type whose methods allocate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    /// A container, by its own name.
    Plain(TypeId),
    /// A raw table or vector, which is never shown while a container around it is known.
    Raw(TypeId),
    /// A reader or a writer with a buffer: its constructors alone speak of the buffer.
    Buffered(TypeId),
}

/// How a type of the standard library is understood.
#[derive(Clone, Copy)]
enum Meaning {
    /// As it stands.
    Plain,
    /// As [`Container::Raw`].
    Raw,
    /// As [`Container::Buffered`].
    Buffered,
    /// As the type in its first argument.
    First,
    /// As another type, with some of its arguments: from the first index up to, not including, the second.
    Part(&'static [&'static str], usize, usize),
    /// As the owned form of its argument.
    OwnedForm,
}

use Meaning::{Buffered, First, OwnedForm, Part, Plain, Raw};

const BTREE_MAP: &[&str] = &["alloc", "collections", "btree", "map", "BTreeMap"];
const BTREE_SET: &[&str] = &["alloc", "collections", "btree", "set", "BTreeSet"];
const HASH_MAP: &[&str] = &["std", "collections", "hash", "map", "HashMap"];
const HASH_SET: &[&str] = &["std", "collections", "hash", "set", "HashSet"];
const HASHBROWN_MAP: &[&str] = &["hashbrown", "map", "HashMap"];
const HASHBROWN_SET: &[&str] = &["hashbrown", "set", "HashSet"];
const HASHBROWN_TABLE: &[&str] = &["hashbrown", "table", "HashTable"];
const RC: &[&str] = &["alloc", "rc", "Rc"];
const ARC: &[&str] = &["alloc", "sync", "Arc"];
const BOX: &[&str] = &["alloc", "boxed", "Box"];
const VEC: &[&str] = &["alloc", "vec", "Vec"];
const STRING: &[&str] = &["alloc", "string", "String"];
const C_STRING: &[&str] = &["alloc", "ffi", "c_str", "CString"];
const OS_STRING: &[&str] = &["std", "ffi", "os_str", "OsString"];
const PATH_BUF: &[&str] = &["std", "path", "PathBuf"];

/// By crate, a module on the path (or none), and name. Types move between modules from release to release, so only the
/// module that tells two of a name apart is asked for.
const KNOWN: &[(&str, &str, &str, Meaning)] = &[
    ("alloc", "", "Vec", Plain),
    ("alloc", "", "String", Plain),
    ("alloc", "", "Box", Plain),
    ("alloc", "", "Rc", Plain),
    ("alloc", "", "Arc", Plain),
    ("alloc", "", "VecDeque", Plain),
    ("alloc", "", "BinaryHeap", Plain),
    ("alloc", "", "LinkedList", Plain),
    ("alloc", "", "BTreeMap", Plain),
    ("alloc", "", "BTreeSet", Plain),
    ("alloc", "", "CString", Plain),
    ("alloc", "", "RawVec", Raw),
    ("alloc", "", "Cow", OwnedForm),
    ("alloc", "", "UniqueRc", Part(RC, 0, 1)),
    ("alloc", "", "UniqueRcUninit", Part(RC, 0, 1)),
    ("alloc", "", "UniqueArc", Part(ARC, 0, 1)),
    ("alloc", "", "UniqueArcUninit", Part(ARC, 0, 1)),
    ("alloc", "btree", "LeafNode", Part(BTREE_MAP, 0, 2)),
    ("alloc", "btree", "InternalNode", Part(BTREE_MAP, 0, 2)),
    ("alloc", "btree", "NodeRef", Part(BTREE_MAP, 1, 3)),
    ("alloc", "btree", "Handle", First),
    ("alloc", "map", "Entry", Part(BTREE_MAP, 0, 2)),
    ("alloc", "map", "VacantEntry", Part(BTREE_MAP, 0, 2)),
    ("alloc", "map", "OccupiedEntry", Part(BTREE_MAP, 0, 2)),
    ("alloc", "set", "Entry", Part(BTREE_SET, 0, 1)),
    ("alloc", "set", "VacantEntry", Part(BTREE_SET, 0, 1)),
    ("std", "", "HashMap", Plain),
    ("std", "", "HashSet", Plain),
    ("std", "", "OsString", Plain),
    ("std", "", "PathBuf", Plain),
    ("std", "os_str", "Buf", Part(OS_STRING, 0, 0)),
    ("std", "", "Wtf8Buf", Part(OS_STRING, 0, 0)),
    ("alloc", "", "Wtf8Buf", Part(OS_STRING, 0, 0)),
    ("std", "io", "BufReader", Buffered),
    ("std", "io", "BufWriter", Buffered),
    ("std", "io", "LineWriter", Buffered),
    ("std", "map", "Entry", Part(HASH_MAP, 0, 2)),
    ("std", "map", "VacantEntry", Part(HASH_MAP, 0, 2)),
    ("std", "map", "OccupiedEntry", Part(HASH_MAP, 0, 2)),
    ("std", "set", "Entry", Part(HASH_SET, 0, 2)),
    ("std", "set", "VacantEntry", Part(HASH_SET, 0, 2)),
    ("std", "mpsc", "Sender", Plain),
    ("std", "mpsc", "SyncSender", Plain),
    ("std", "mpsc", "Receiver", Plain),
    ("std", "counter", "Counter", First),
    ("std", "counter", "Sender", First),
    ("std", "counter", "Receiver", First),
    ("std", "mpmc", "Sender", Plain),
    ("std", "mpmc", "Receiver", Plain),
    ("std", "mpmc", "Channel", Plain),
    ("hashbrown", "", "HashMap", Plain),
    ("hashbrown", "", "HashSet", Plain),
    ("hashbrown", "", "HashTable", Plain),
    ("hashbrown", "", "RawTable", Raw),
    ("hashbrown", "map", "Entry", Part(HASHBROWN_MAP, 0, 3)),
    ("hashbrown", "map", "EntryRef", Part(HASHBROWN_MAP, 1, 4)),
    ("hashbrown", "map", "VacantEntry", Part(HASHBROWN_MAP, 0, 3)),
    ("hashbrown", "map", "VacantEntryRef", Part(HASHBROWN_MAP, 1, 4)),
    ("hashbrown", "map", "OccupiedEntry", Part(HASHBROWN_MAP, 0, 3)),
    ("hashbrown", "rustc_entry", "RustcEntry", Part(HASHBROWN_MAP, 0, 2)),
    ("hashbrown", "rustc_entry", "RustcVacantEntry", Part(HASHBROWN_MAP, 0, 2)),
    ("hashbrown", "set", "Entry", Part(HASHBROWN_SET, 0, 2)),
    ("hashbrown", "set", "VacantEntry", Part(HASHBROWN_SET, 0, 2)),
    ("hashbrown", "table", "Entry", Part(HASHBROWN_TABLE, 0, 1)),
    ("hashbrown", "table", "VacantEntry", Part(HASHBROWN_TABLE, 0, 1)),
];

/// Wrappers that have no memory of their own.
const TRANSPARENT: [&str; 4] = ["MaybeUninit", "ManuallyDrop", "Pin", "AssertUnwindSafe"];

/// The container that a type is, behind references and wrappers without memory of their own.
pub(super) fn container(arena: &mut Arena, ty: TypeId) -> Option<Container> {
    let ty = bare(arena, ty);
    let nominal = Nominal::new(arena, ty)?;
    if nominal.arguments.iter().any(|argument| is_placeholder(arena, *argument)) {
        return None;
    }
    match meaning(arena, &nominal)? {
        Plain if nominal.name(arena) == "Box" => Some(Container::Plain(boxed(arena, ty, &nominal))),
        Plain => Some(Container::Plain(ty)),
        Raw => Some(Container::Raw(ty)),
        Buffered => Some(Container::Buffered(ty)),
        First => container(arena, nominal.argument(0)?),
        OwnedForm => owned_form(arena, nominal.argument(0)?).map(Container::Plain),
        Part(segments, from, to) => {
            let to = to.min(nominal.arguments.len());
            let arguments = nominal.arguments.get(from..to)?.to_vec();
            Some(Container::Plain(arena.nominal(segments, &arguments)))
        }
    }
}

fn meaning(arena: &Arena, nominal: &Nominal) -> Option<Meaning> {
    let (crate_name, name) = (nominal.crate_name(arena), nominal.name(arena));
    let is_meant = |known: &&(&str, &str, &str, Meaning)| {
        known.2 == name && known.0 == crate_name && (known.1.is_empty() || nominal.is_in(arena, known.1))
    };
    KNOWN.iter().find(is_meant).map(|known| known.3)
}

/// A type behind references and wrappers that have no memory of their own.
pub(super) fn bare(arena: &Arena, ty: TypeId) -> TypeId {
    if let Type::Reference { target, .. } = arena.type_of(ty) {
        return bare(arena, *target);
    }
    let wrapper = Nominal::new(arena, ty)
        .filter(|nominal| nominal.crate_name(arena) == "core" && TRANSPARENT.contains(&nominal.name(arena)));
    match wrapper.and_then(|nominal| nominal.argument(0)) {
        Some(inner) => bare(arena, inner),
        None => ty,
    }
}

/// A box under the name of what it is: `Box<ArcInner<T>>` is an `Arc<T>`, `Box<MaybeUninit<T>>` a `Box<T>`.
fn boxed(arena: &mut Arena, ty: TypeId, nominal: &Nominal) -> TypeId {
    let Some(content) = nominal.argument(0) else { return ty };
    if let Type::Slice(element) = *arena.type_of(content) {
        let element = bare_value(arena, element);
        let slice = arena.add_type(Type::Slice(element));
        return with_arguments(arena, BOX, slice, nominal);
    }
    let content = bare_value(arena, content);
    let Some(inner) = Nominal::new(arena, content) else {
        return with_arguments(arena, BOX, content, nominal);
    };
    match (inner.crate_name(arena), inner.name(arena), inner.argument(0)) {
        ("alloc", "ArcInner", Some(counted)) => {
            arena.nominal(ARC, &[Argument::Type(bare_value(arena, counted))])
        }
        ("alloc", "RcInner" | "RcBox", Some(counted)) => {
            arena.nominal(RC, &[Argument::Type(bare_value(arena, counted))])
        }
        (_, "Counter", Some(counted)) => counted,
        _ => with_arguments(arena, BOX, content, nominal),
    }
}

/// A type behind wrappers without memory of their own; a reference stays one.
fn bare_value(arena: &Arena, ty: TypeId) -> TypeId {
    match arena.type_of(ty) {
        Type::Reference { .. } => ty,
        _ => match Nominal::new(arena, ty) {
            Some(nominal) if nominal.crate_name(arena) == "core" && nominal.name(arena) == "MaybeUninit" => {
                nominal.argument(0).map_or(ty, |inner| bare_value(arena, inner))
            }
            _ => ty,
        },
    }
}

fn with_arguments(arena: &mut Arena, segments: &[&str], first: TypeId, nominal: &Nominal) -> TypeId {
    let mut arguments = nominal.arguments.to_vec();
    arguments[0] = Argument::Type(first);
    arena.nominal(segments, &arguments)
}

fn is_placeholder(arena: &Arena, argument: Argument) -> bool {
    match argument {
        Argument::Type(ty) => *arena.type_of(ty) == Type::Placeholder,
        Argument::Const(_) => false,
    }
}

/// The name of an array on the heap, and of the vector that it becomes: `Box<[T; N]>` and `Vec<T>`.
pub(super) fn boxed_array(arena: &mut Arena, ty: TypeId) -> Option<TypeId> {
    let nominal = Nominal::new(arena, ty)?;
    let content = bare_value(arena, nominal.argument(0)?);
    match *arena.type_of(content) {
        Type::Array(element, _) => {
            let element = bare_value(arena, element);
            Some(vec_of(arena, element))
        }
        _ => None,
    }
}

/// `Vec<T>`.
pub(super) fn vec_of(arena: &mut Arena, element: TypeId) -> TypeId {
    arena.nominal(VEC, &[Argument::Type(element)])
}

/// `Box<T>`.
pub(super) fn box_of(arena: &mut Arena, content: TypeId) -> TypeId {
    arena.nominal(BOX, &[Argument::Type(content)])
}

/// `Vec<u8>`.
pub(super) fn bytes(arena: &mut Arena) -> TypeId {
    let byte = primitive(arena, "u8");
    vec_of(arena, byte)
}

/// `String`.
pub(super) fn string(arena: &mut Arena) -> TypeId {
    arena.nominal(STRING, &[])
}

/// `CString`.
pub(super) fn c_string(arena: &mut Arena) -> TypeId {
    arena.nominal(C_STRING, &[])
}

/// `PathBuf`.
pub(super) fn path_buf(arena: &mut Arena) -> TypeId {
    arena.nominal(PATH_BUF, &[])
}

/// `OsString`.
pub(super) fn os_string(arena: &mut Arena) -> TypeId {
    arena.nominal(OS_STRING, &[])
}

fn primitive(arena: &mut Arena, name: &str) -> TypeId {
    let name: Word = arena.word(name);
    arena.add_type(Type::Primitive(name))
}

/// What a borrowed type becomes when it is owned: `str` a `String`, `[T]` a `Vec<T>`.
pub(super) fn owned_form(arena: &mut Arena, ty: TypeId) -> Option<TypeId> {
    match *arena.type_of(ty) {
        Type::Slice(element) => Some(vec_of(arena, element)),
        Type::Primitive(name) if arena.text(name) == "str" => Some(string(arena)),
        _ => {
            let nominal = Nominal::new(arena, ty)?;
            match (nominal.crate_name(arena), nominal.name(arena)) {
                ("std", "Path") => Some(path_buf(arena)),
                ("std", "OsStr") => Some(os_string(arena)),
                ("core" | "alloc", "CStr") => Some(arena.nominal(C_STRING, &[])),
                _ => match container(arena, ty) {
                    Some(Container::Plain(ty)) => Some(ty),
                    _ => None,
                },
            }
        }
    }
}

/// Whether a type holds bytes or text.
pub(super) fn is_byte_buffer(arena: &Arena, ty: TypeId) -> bool {
    let Some(nominal) = Nominal::new(arena, ty) else { return false };
    match nominal.name(arena) {
        "String" | "OsString" | "PathBuf" | "CString" => true,
        "Vec" => nominal.argument(0).is_some_and(|element| is_primitive(arena, element, "u8")),
        "Box" => nominal.argument(0).is_some_and(|content| match arena.type_of(content) {
            Type::Slice(element) => is_primitive(arena, *element, "u8"),
            _ => is_primitive(arena, content, "str"),
        }),
        _ => false,
    }
}

/// Whether a container of the standard library has this name, so that no other type may go by it alone.
pub(super) fn is_name_of_standard(name: &str) -> bool {
    KNOWN.iter().any(|known| known.2 == name && known.0 != "hashbrown" && matches!(known.3, Plain | Buffered))
}

/// Whether a type is the primitive one of this name.
pub(super) fn is_primitive(arena: &Arena, ty: TypeId, name: &str) -> bool {
    matches!(arena.type_of(ty), Type::Primitive(word) if arena.text(*word) == name)
}

/// Whether a container holds a value behind a trait: `Box<dyn Error>`.
pub(super) fn is_dyn(arena: &Arena, ty: TypeId) -> bool {
    let content = Nominal::new(arena, ty).and_then(|nominal| nominal.argument(0));
    content.is_some_and(|content| matches!(arena.type_of(content), Type::Dyn(_)))
}

/// Whether a type is one of the tables by hash, which lie inside of one another.
pub(super) fn is_hash_table(arena: &Arena, ty: TypeId) -> bool {
    Nominal::new(arena, ty).is_some_and(|nominal| {
        matches!(nominal.crate_name(arena), "std" | "hashbrown")
            && matches!(nominal.name(arena), "HashMap" | "HashSet" | "HashTable" | "RawTable")
    })
}
