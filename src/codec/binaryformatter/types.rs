//! Types as the runtime holds them once they are loaded: full names, fields, and the assembly that they come from.

use std::fmt;

use crate::codec::dotnet::{self, Form, ListTarget, Member, Property, Reflect, TypeCode, TypeInfo, TypeKind};
use crate::codec::nrbf::PrimitiveType;

/// The assembly of .NET's own types. Its types carry no library.
const SYSTEM_NAMESPACE: &str = "System.";

/// How a class keeps what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldNames {
    /// In auto-properties: the compiler names their fields `<Email>k__BackingField`.
    BackingFields,
    /// In plain fields.
    Plain,
}

/// The names under which BinaryFormatter writes the types of a graph.
///
/// A class of the member tables that begins with `System.` is one of .NET's own: it has no namespace added, and plain
/// fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Names<'n> {
    /// The full name of the classes' assembly: name, version, culture and public key token.
    pub assembly: &'n str,
    /// Their namespace.
    pub namespace: &'n str,
    /// The name of the root's class, if it is not the one in its member table.
    pub root: Option<&'n str>,
    /// How they keep what they hold.
    pub fields: FieldNames,
}

/// A type that is part of a graph and that BinaryFormatter's typed coding does not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnsupportedType(
    /// The type's name.
    pub &'static str,
);

impl fmt::Display for UnsupportedType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is no class, no array of classes, no string and no primitive", self.0)
    }
}

impl std::error::Error for UnsupportedType {}

/// A type, as the runtime holds it. There is one for each type, so that equal types are the same object.
#[derive(Debug)]
pub(super) struct RuntimeType {
    pub(super) full_name: String,
    /// Whether it is one of .NET's own.
    pub(super) is_system: bool,
    pub(super) shape: Shape,
}

/// What a type is.
#[derive(Debug)]
pub(super) enum Shape {
    Primitive(PrimitiveType),
    Text,
    Class { fields: Vec<FieldInfo>, create: fn() -> Box<dyn Reflect> },
    Array { element: TypeIndex, create: fn() -> Box<dyn ListTarget> },
}

/// The place of a type among the loaded ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TypeIndex(usize);

/// A field of a class.
#[derive(Debug)]
pub(super) struct FieldInfo {
    pub(super) name: String,
    pub(super) field_type: TypeIndex,
    /// Reads and writes it.
    pub(super) member: &'static Member,
}

impl RuntimeType {
    /// Its code, if it is written as a primitive.
    pub(super) fn primitive(&self) -> Option<PrimitiveType> {
        match self.shape {
            Shape::Primitive(primitive) => Some(primitive),
            _ => None,
        }
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self.shape, Shape::Text)
    }

    pub(super) fn is_array(&self) -> bool {
        matches!(self.shape, Shape::Array { .. })
    }

    /// The type of its elements, if it is an array.
    pub(super) fn element(&self) -> Option<TypeIndex> {
        match self.shape {
            Shape::Array { element, .. } => Some(element),
            _ => None,
        }
    }
}

/// The key under which the runtime keeps the fields of a class: `System.Runtime.Serialization.MemberHolder`.
pub(super) struct MemberHolder<'g> {
    pub(super) member_type: &'g RuntimeType,
}

/// The types that a graph is made of. All are loaded beforehand, as those of a program that has run for a while.
#[derive(Debug)]
pub(super) struct Types {
    types: Vec<RuntimeType>,
    pub(super) assembly: String,
}

impl Types {
    /// Loads the type of a graph's root, and all that it is made of. The root's is the first.
    pub(super) fn load<T: Property>(names: &Names<'_>) -> Result<Self, UnsupportedType> {
        let mut loader = Loader { names: *names, loaded: Vec::new(), known: Vec::new() };
        let root = T::type_info();
        if !matches!(root.kind, TypeKind::Class(_) | TypeKind::List { .. }) {
            return Err(UnsupportedType(root.name));
        }
        loader.load(root)?;
        let types = loader.loaded.into_iter().flatten().collect();
        Ok(Self { types, assembly: names.assembly.to_owned() })
    }

    pub(super) fn root(&self) -> &RuntimeType {
        &self.types[0]
    }

    pub(super) fn get(&self, index: TypeIndex) -> &RuntimeType {
        &self.types[index.0]
    }

    /// The type of a full name.
    pub(super) fn find(&self, full_name: &str) -> Option<&RuntimeType> {
        self.types.iter().find(|ty| ty.full_name == full_name)
    }

    /// The type of a primitive.
    pub(super) fn primitive(&self, primitive: PrimitiveType) -> Option<&RuntimeType> {
        self.types.iter().find(|ty| ty.primitive() == Some(primitive))
    }

    /// The type of strings.
    pub(super) fn text(&self) -> Option<&RuntimeType> {
        self.types.iter().find(|ty| ty.is_text())
    }

    /// The type of arrays of a type.
    pub(super) fn array_of(&self, element: &RuntimeType) -> Option<&RuntimeType> {
        let is_array =
            |ty: &&RuntimeType| ty.element().is_some_and(|index| std::ptr::eq(self.get(index), element));
        self.types.iter().find(is_array)
    }

    /// The fields of a class, from the table that the runtime keeps.
    pub(super) fn serializable_members<'g>(&'g self, holder: &MemberHolder<'g>) -> &'g [FieldInfo] {
        match &holder.member_type.shape {
            Shape::Class { fields, .. } => fields,
            _ => &[],
        }
    }

    /// The full name of the assembly that a type comes from; none for .NET's own.
    pub(super) fn assembly_of(&self, ty: &RuntimeType) -> Option<&str> {
        (!ty.is_system).then_some(&self.assembly)
    }
}

struct Loader<'n> {
    names: Names<'n>,
    /// A class stands here before its fields are known: they can be of its own type.
    loaded: Vec<Option<RuntimeType>>,
    known: Vec<(&'static TypeInfo, TypeIndex)>,
}

impl Loader<'_> {
    fn load(&mut self, info: &'static TypeInfo) -> Result<TypeIndex, UnsupportedType> {
        if let Some((_, index)) = self.known.iter().find(|(known, _)| std::ptr::eq(*known, info)) {
            return Ok(*index);
        }
        let index = TypeIndex(self.loaded.len());
        self.loaded.push(None);
        self.known.push((info, index));
        let shape = self.shape(info)?;
        let full_name = self.full_name(info, &shape);
        let is_system = match &shape {
            Shape::Primitive(_) | Shape::Text => true,
            Shape::Class { .. } => full_name.starts_with(SYSTEM_NAMESPACE),
            Shape::Array { element, .. } => self.loaded[element.0].as_ref().is_some_and(|ty| ty.is_system),
        };
        self.loaded[index.0] = Some(RuntimeType { full_name, is_system, shape });
        Ok(index)
    }

    fn shape(&mut self, info: &'static TypeInfo) -> Result<Shape, UnsupportedType> {
        match &info.kind {
            TypeKind::Simple(TypeCode::String) => Ok(Shape::Text),
            TypeKind::Simple(code) => {
                primitive(*code).map(Shape::Primitive).ok_or(UnsupportedType(info.name))
            }
            TypeKind::Class(class) => {
                Ok(Shape::Class { fields: self.fields(info, class)?, create: class.create })
            }
            TypeKind::List { element, create } => {
                let element = element();
                if !matches!(element.kind, TypeKind::Class(_)) {
                    return Err(UnsupportedType(element.name));
                }
                Ok(Shape::Array { element: self.load(element)?, create: *create })
            }
            _ => Err(UnsupportedType(info.name)),
        }
    }

    fn fields(
        &mut self,
        info: &'static TypeInfo,
        class: &'static dotnet::ClassInfo,
    ) -> Result<Vec<FieldInfo>, UnsupportedType> {
        let plain = self.names.fields == FieldNames::Plain || info.name.starts_with(SYSTEM_NAMESPACE);
        let mut fields = Vec::with_capacity(class.members.len());
        for member in class.members {
            if member.form == Form::Nullable {
                return Err(UnsupportedType("Nullable"));
            }
            let name =
                if plain { member.name.to_owned() } else { format!("<{}>k__BackingField", member.name) };
            fields.push(FieldInfo { name, field_type: self.load((member.type_info)())?, member });
        }
        Ok(fields)
    }

    fn full_name(&self, info: &'static TypeInfo, shape: &Shape) -> String {
        match shape {
            Shape::Class { .. } => self.class_name(self.short_name(info)),
            Shape::Array { element, .. } => {
                let element = self.known.iter().find(|(_, index)| index == element);
                element.map_or(String::new(), |(info, _)| {
                    format!("{}[]", self.class_name(self.short_name(info)))
                })
            }
            _ => format!("{SYSTEM_NAMESPACE}{}", info.name),
        }
    }

    fn short_name(&self, info: &'static TypeInfo) -> &str {
        let is_root = self.known.first().is_some_and(|(root, _)| std::ptr::eq(*root, info));
        self.names.root.filter(|_| is_root).unwrap_or(info.name)
    }

    /// A class's name with its namespace. An argument of a generic class, in double brackets, has its assembly, too.
    fn class_name(&self, name: &str) -> String {
        let Names { assembly, namespace, .. } = self.names;
        if !name.starts_with(SYSTEM_NAMESPACE) {
            return format!("{namespace}.{name}");
        }
        match name.split_once("[[").and_then(|(class, rest)| Some((class, rest.strip_suffix("]]")?))) {
            Some((class, argument)) => format!("{class}[[{namespace}.{argument}, {assembly}]]"),
            None => name.to_owned(),
        }
    }
}

/// The format's number of a type; none if its values are no primitives there, or are written as text.
fn primitive(code: TypeCode) -> Option<PrimitiveType> {
    match code {
        TypeCode::Boolean => Some(PrimitiveType::Boolean),
        TypeCode::SByte => Some(PrimitiveType::SByte),
        TypeCode::Byte => Some(PrimitiveType::Byte),
        TypeCode::Int16 => Some(PrimitiveType::Int16),
        TypeCode::UInt16 => Some(PrimitiveType::UInt16),
        TypeCode::Int32 => Some(PrimitiveType::Int32),
        TypeCode::UInt32 => Some(PrimitiveType::UInt32),
        TypeCode::Int64 => Some(PrimitiveType::Int64),
        TypeCode::UInt64 => Some(PrimitiveType::UInt64),
        TypeCode::Single => Some(PrimitiveType::Single),
        TypeCode::Double => Some(PrimitiveType::Double),
        TypeCode::DateTime => Some(PrimitiveType::DateTime),
        TypeCode::Char | TypeCode::Decimal | TypeCode::String | TypeCode::Object | TypeCode::Empty => None,
    }
}
