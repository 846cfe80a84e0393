//! The grammar of RFC 2603, read in one pass.

use std::collections::HashMap;
use std::fmt;

use super::arena::{Arena, Argument, DEPTH, DynTrait, Path, PathId, Type, TypeId, Word};
use super::punycode;

/// Why a name could not be taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseError {
    /// It does not start with `_R`: it is no v0 name.
    OtherMangling,
    /// It breaks the grammar at this byte.
    Malformed {
        /// The offset in the name.
        at: usize,
    },
    /// It is nested too deep, or its shared parts would be too large when written out.
    TooLarge,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherMangling => f.write_str("a v0 name starts with `_R`"),
            Self::Malformed { at } => write!(f, "byte {at} breaks the grammar of v0 names"),
            Self::TooLarge => f.write_str("the name is nested too deep or too large"),
        }
    }
}

impl std::error::Error for ParseError {}

/// Takes a v0 name apart.
///
/// What follows the name after a `.` or `$`, as compilers add it, is left out; so is the crate that instantiated it.
///
/// # Errors
/// If the text is not a v0 name, or one that is unreasonably large. It never panics.
///
/// # Examples
/// ```
/// use alloclab::symbolize::mangling::{parse, Arena, Path};
///
/// let mut arena = Arena::default();
/// let path = parse("_RNvC7mycrate3foo", &mut arena)?;
/// let Path::Nested { name, .. } = arena.path(path) else { panic!("a function in a crate") };
/// assert_eq!(arena.text(*name), "foo");
/// # Ok::<(), alloclab::symbolize::mangling::ParseError>(())
/// ```
pub fn parse(symbol: &str, arena: &mut Arena) -> Result<PathId, ParseError> {
    let prefix = ["_R", "__R"].into_iter().find(|prefix| symbol.starts_with(prefix));
    let start = prefix.ok_or(ParseError::OtherMangling)?.len();
    let name = &symbol[start..];
    if !name.starts_with(|first: char| first.is_ascii_uppercase()) || !symbol.is_ascii() {
        return Err(ParseError::Malformed { at: start });
    }
    let mut parser = Parser { bytes: name.as_bytes(), at: 0, depth: 0, arena, done: HashMap::new() };
    let path = parser.path().and_then(|path| parser.rest().map(|()| path));
    let at = parser.at + start;
    match path {
        Ok(path) if arena.is_reasonable(path) => Ok(path),
        Ok(_) | Err(Fault::Size) => Err(ParseError::TooLarge),
        Err(Fault::Grammar) => Err(ParseError::Malformed { at }),
    }
}

enum Fault {
    Grammar,
    Size,
}

type Parsed<T> = Result<T, Fault>;

/// What was read at a position, for the back references to it.
#[derive(Clone, Copy)]
enum Done {
    Path(PathId),
    Type(TypeId),
    Const(Word),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Path,
    Type,
    Const,
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: u32,
    arena: &'a mut Arena,
    done: HashMap<(Kind, usize), Done>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn next(&mut self) -> Parsed<u8> {
        let byte = self.peek().ok_or(Fault::Grammar)?;
        self.at += 1;
        Ok(byte)
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn rest(&mut self) -> Parsed<()> {
        if self.peek().is_some_and(|byte| byte.is_ascii_uppercase()) {
            self.path()?;
        }
        match self.peek() {
            None | Some(b'.' | b'$') => Ok(()),
            Some(_) => Err(Fault::Grammar),
        }
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEPTH {
            return Err(Fault::Size);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn path(&mut self) -> Parsed<PathId> {
        let start = self.at;
        if self.take(b'B') {
            let Done::Path(path) = self.back_reference(Kind::Path, start)? else {
                return Err(Fault::Grammar);
            };
            // A later reference may lead here.
            self.done.insert((Kind::Path, start), Done::Path(path));
            return Ok(path);
        }
        let path = self.nested(Self::new_path)?;
        self.done.insert((Kind::Path, start), Done::Path(path));
        Ok(path)
    }

    fn new_path(&mut self) -> Parsed<PathId> {
        let path = match self.next()? {
            b'C' => {
                let (_, name) = self.identifier()?;
                Path::Crate(name)
            }
            b'N' => self.nested_item()?,
            b'M' => {
                let scope = self.scope()?;
                Path::Inherent { scope, subject: self.ty()? }
            }
            b'X' => {
                let scope = self.scope()?;
                let subject = self.ty()?;
                Path::TraitImpl { scope, subject, of: self.path()? }
            }
            b'Y' => {
                let subject = self.ty()?;
                Path::TraitDefault { subject, of: self.path()? }
            }
            b'I' => return self.generic(),
            _ => return Err(Fault::Grammar),
        };
        Ok(self.arena.add_path(path))
    }

    fn nested_item(&mut self) -> Parsed<Path> {
        let namespace = self.next()?;
        if !namespace.is_ascii_alphabetic() {
            return Err(Fault::Grammar);
        }
        let parent = self.path()?;
        let (disambiguator, name) = self.identifier()?;
        let number = if namespace.is_ascii_uppercase() { disambiguator as u32 } else { 0 };
        Ok(Path::Nested { namespace, parent, name, number })
    }

    fn generic(&mut self) -> Parsed<PathId> {
        let base = self.path()?;
        let mut arguments = Vec::new();
        while !self.take(b'E') {
            match self.peek() {
                Some(b'L') => drop(self.lifetime()?),
                Some(b'K') => {
                    self.at += 1;
                    arguments.push(Argument::Const(self.constant()?));
                }
                _ => arguments.push(Argument::Type(self.ty()?)),
            }
        }
        if arguments.is_empty() {
            return Ok(base);
        }
        Ok(self.arena.add_path(Path::Generic { base, arguments: arguments.into() }))
    }

    /// The path of an `impl`, behind its disambiguator.
    fn scope(&mut self) -> Parsed<PathId> {
        self.disambiguator()?;
        self.path()
    }

    fn ty(&mut self) -> Parsed<TypeId> {
        let start = self.at;
        if self.take(b'B') {
            let ty = match self.back_reference(Kind::Type, start)? {
                Done::Type(ty) => ty,
                Done::Path(path) => self.arena.add_type(Type::Path(path)),
                Done::Const(_) => return Err(Fault::Grammar),
            };
            self.done.insert((Kind::Type, start), Done::Type(ty));
            return Ok(ty);
        }
        let ty = self.nested(Self::new_type)?;
        let id = self.arena.add_type(ty);
        self.done.insert((Kind::Type, start), Done::Type(id));
        Ok(id)
    }

    fn new_type(&mut self) -> Parsed<Type> {
        let tag = self.peek().ok_or(Fault::Grammar)?;
        if let Some(name) = primitive(tag) {
            self.at += 1;
            return Ok(Type::Primitive(self.arena.word(name)));
        }
        if matches!(tag, b'C' | b'M' | b'X' | b'Y' | b'N' | b'I') {
            return Ok(Type::Path(self.path()?));
        }
        self.at += 1;
        Ok(match tag {
            b'p' => Type::Placeholder,
            b'u' => Type::Tuple([].into()),
            b'A' => {
                let element = self.ty()?;
                Type::Array(element, self.constant()?)
            }
            b'S' => Type::Slice(self.ty()?),
            b'T' => Type::Tuple(self.types()?.into()),
            b'R' | b'Q' => {
                if self.peek() == Some(b'L') {
                    self.lifetime()?;
                }
                Type::Reference { mutable: tag == b'Q', target: self.ty()? }
            }
            b'P' | b'O' => Type::Pointer { mutable: tag == b'O', target: self.ty()? },
            b'F' => self.function()?,
            b'D' => self.dynamic()?,
            b'W' => {
                let base = self.ty()?;
                self.pattern()?;
                self.arena.type_of(base).clone()
            }
            _ => return Err(Fault::Grammar),
        })
    }

    fn types(&mut self) -> Parsed<Vec<TypeId>> {
        let mut types = Vec::new();
        while !self.take(b'E') {
            types.push(self.ty()?);
        }
        Ok(types)
    }

    fn function(&mut self) -> Parsed<Type> {
        self.binder()?;
        let is_unsafe = self.take(b'U');
        let abi = if self.take(b'K') { Some(self.abi()?) } else { None };
        let inputs = self.types()?.into();
        Ok(Type::Function { is_unsafe, abi, inputs, output: self.ty()? })
    }

    fn abi(&mut self) -> Parsed<Word> {
        if self.take(b'C') {
            return Ok(self.arena.word("C"));
        }
        let name = self.undisambiguated()?;
        let name = self.arena.text(name).replace('_', "-");
        Ok(self.arena.word(&name))
    }

    fn dynamic(&mut self) -> Parsed<Type> {
        self.binder()?;
        let mut traits = Vec::new();
        while !self.take(b'E') {
            let path = self.path()?;
            let mut bindings = Vec::new();
            while self.take(b'p') {
                let name = self.undisambiguated()?;
                bindings.push((name, self.ty()?));
            }
            traits.push(DynTrait { path, bindings: bindings.into() });
        }
        self.lifetime()?;
        Ok(Type::Dyn(traits.into()))
    }

    fn pattern(&mut self) -> Parsed<()> {
        self.nested(|parser| match parser.next()? {
            b'R' => {
                parser.constant()?;
                parser.constant().map(drop)
            }
            b'O' => {
                while !parser.take(b'E') {
                    parser.pattern()?;
                }
                Ok(())
            }
            b'N' => Ok(()),
            _ => Err(Fault::Grammar),
        })
    }

    fn constant(&mut self) -> Parsed<Word> {
        let start = self.at;
        if self.take(b'B') {
            let Done::Const(value) = self.back_reference(Kind::Const, start)? else {
                return Err(Fault::Grammar);
            };
            self.done.insert((Kind::Const, start), Done::Const(value));
            return Ok(value);
        }
        let text = self.nested(Self::new_constant)?;
        if text.len() > 4096 {
            return Err(Fault::Size);
        }
        let value = self.arena.word(&text);
        self.done.insert((Kind::Const, start), Done::Const(value));
        Ok(value)
    }

    fn new_constant(&mut self) -> Parsed<String> {
        let tag = self.next()?;
        match tag {
            b'p' => Ok("_".to_owned()),
            b'b' => match self.hex()? {
                "0" | "" => Ok("false".to_owned()),
                _ => Ok("true".to_owned()),
            },
            b'c' => {
                let code = u32::from_str_radix(self.hex()?, 16).map_err(|_| Fault::Grammar)?;
                Ok(format!("{:?}", char::from_u32(code).ok_or(Fault::Grammar)?))
            }
            b'e' => self.string_constant(),
            b'R' | b'Q' => {
                let target = self.constant()?;
                let sign = if tag == b'R' { "&" } else { "&mut " };
                Ok(format!("{sign}{}", self.arena.text(target)))
            }
            b'A' => Ok(format!("[{}]", self.constants()?)),
            b'T' => Ok(format!("({})", self.constants()?)),
            b'V' => self.structure_constant(),
            _ if primitive(tag).is_some() => self.integer_constant(),
            _ => Err(Fault::Grammar),
        }
    }

    fn integer_constant(&mut self) -> Parsed<String> {
        let sign = if self.take(b'n') { "-" } else { "" };
        let digits = self.hex()?;
        match u128::from_str_radix(if digits.is_empty() { "0" } else { digits }, 16) {
            Ok(value) => Ok(format!("{sign}{value}")),
            Err(_) => Ok(format!("{sign}0x{digits}")),
        }
    }

    fn string_constant(&mut self) -> Parsed<String> {
        let digits = self.hex()?.as_bytes();
        let bytes = digits.chunks(2).map(|pair| {
            let pair = std::str::from_utf8(pair).map_err(|_| Fault::Grammar)?;
            u8::from_str_radix(pair, 16).map_err(|_| Fault::Grammar)
        });
        let bytes: Vec<u8> = bytes.collect::<Parsed<_>>()?;
        Ok(format!("{:?}", String::from_utf8_lossy(&bytes)))
    }

    fn constants(&mut self) -> Parsed<String> {
        let mut values = Vec::new();
        while !self.take(b'E') {
            let value = self.constant()?;
            values.push(self.arena.text(value).to_owned());
        }
        Ok(values.join(", "))
    }

    /// A value of a struct or an enum: `Name`, `Name(..)` or `Name { .. }`.
    fn structure_constant(&mut self) -> Parsed<String> {
        let shape = self.next()?;
        let path = self.path()?;
        let name = match self.arena.path(path) {
            Path::Nested { name, .. } => self.arena.text(*name).to_owned(),
            _ => "_".to_owned(),
        };
        match shape {
            b'U' => Ok(name),
            b'T' => Ok(format!("{name}({})", self.constants()?)),
            b'S' => {
                let mut fields = Vec::new();
                while !self.take(b'E') {
                    let (_, field) = self.identifier()?;
                    let value = self.constant()?;
                    fields.push(format!("{}: {}", self.arena.text(field), self.arena.text(value)));
                }
                Ok(format!("{name} {{ {} }}", fields.join(", ")))
            }
            _ => Err(Fault::Grammar),
        }
    }

    /// Lowercase hexadecimal digits up to `_`.
    fn hex(&mut self) -> Parsed<&'a str> {
        let start = self.at;
        while !self.take(b'_') {
            if !matches!(self.next()?, b'0'..=b'9' | b'a'..=b'f') {
                return Err(Fault::Grammar);
            }
        }
        std::str::from_utf8(&self.bytes[start..self.at - 1]).map_err(|_| Fault::Grammar)
    }

    fn binder(&mut self) -> Parsed<()> {
        if self.take(b'G') {
            self.base_62()?;
        }
        Ok(())
    }

    fn lifetime(&mut self) -> Parsed<u64> {
        if self.take(b'L') { self.base_62() } else { Err(Fault::Grammar) }
    }

    fn identifier(&mut self) -> Parsed<(u64, Word)> {
        let disambiguator = self.disambiguator()?;
        Ok((disambiguator, self.undisambiguated()?))
    }

    fn disambiguator(&mut self) -> Parsed<u64> {
        if self.take(b's') { self.base_62()?.checked_add(1).ok_or(Fault::Grammar) } else { Ok(0) }
    }

    fn undisambiguated(&mut self) -> Parsed<Word> {
        let is_punycode = self.take(b'u');
        let length = self.decimal()?;
        self.take(b'_');
        let end = self.at.checked_add(length).ok_or(Fault::Grammar)?;
        let bytes = self.bytes.get(self.at..end).ok_or(Fault::Grammar)?;
        let text = std::str::from_utf8(bytes).map_err(|_| Fault::Grammar)?;
        self.at = end;
        if is_punycode {
            let decoded = punycode::decode(text).ok_or(Fault::Grammar)?;
            return Ok(self.arena.word(&decoded));
        }
        Ok(self.arena.word(text))
    }

    fn decimal(&mut self) -> Parsed<usize> {
        if self.take(b'0') {
            return Ok(0);
        }
        let mut value = 0_usize;
        let start = self.at;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            self.at += 1;
            let digit = usize::from(digit - b'0');
            value = value.checked_mul(10).and_then(|value| value.checked_add(digit)).ok_or(Fault::Grammar)?;
        }
        if self.at == start { Err(Fault::Grammar) } else { Ok(value) }
    }

    /// `_` is 0, `0_` is 1, and so on.
    fn base_62(&mut self) -> Parsed<u64> {
        if self.take(b'_') {
            return Ok(0);
        }
        let mut value = 0_u64;
        while !self.take(b'_') {
            let digit = match self.next()? {
                figure @ b'0'..=b'9' => figure - b'0',
                letter @ b'a'..=b'z' => letter - b'a' + 10,
                letter @ b'A'..=b'Z' => letter - b'A' + 36,
                _ => return Err(Fault::Grammar),
            };
            value = value
                .checked_mul(62)
                .and_then(|value| value.checked_add(digit.into()))
                .ok_or(Fault::Grammar)?;
        }
        value.checked_add(1).ok_or(Fault::Grammar)
    }

    /// What stands at the position that a back reference names: something that was read to its end before.
    fn back_reference(&mut self, kind: Kind, start: usize) -> Parsed<Done> {
        let target = self.base_62()?;
        let target = usize::try_from(target).ok().filter(|target| *target < start).ok_or(Fault::Grammar)?;
        let kinds = if kind == Kind::Type { [Kind::Type, Kind::Path] } else { [kind, kind] };
        kinds.into_iter().find_map(|kind| self.done.get(&(kind, target)).copied()).ok_or(Fault::Grammar)
    }
}

fn primitive(tag: u8) -> Option<&'static str> {
    Some(match tag {
        b'a' => "i8",
        b'b' => "bool",
        b'c' => "char",
        b'd' => "f64",
        b'e' => "str",
        b'f' => "f32",
        b'h' => "u8",
        b'i' => "isize",
        b'j' => "usize",
        b'l' => "i32",
        b'm' => "u32",
        b'n' => "i128",
        b'o' => "u128",
        b's' => "i16",
        b't' => "u16",
        b'v' => "...",
        b'x' => "i64",
        b'y' => "u64",
        b'z' => "!",
        _ => return None,
    })
}
