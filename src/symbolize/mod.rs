//! From the addresses of a snapshot to functions, inlined ones included, by their mangled names.

pub mod mangling;

mod calls;
mod dwarf;
mod image;
mod place;
mod spellings;

use std::cell::OnceCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::path::Path;
use std::rc::Rc;

use crate::error::{Error, ErrorKind, Result};
use crate::snapshot::Module;
use dwarf::Dwarf;
use image::{Function, Image};
use mangling::Spelling;

/// The name of a function as the linker knows it, in [`Symbols`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub(crate) u32);

/// The functions at a return address.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    /// Innermost first: functions inlined at the call, and last the function whose code it is.
    pub frames: Vec<SourceFrame>,
    /// All names of that last function, where functions of equal code were merged into it; else empty.
    pub merged: Vec<SymbolId>,
    /// Where that last function starts in the process.
    pub start: Option<u64>,
    /// The function that the call before the address calls, where the instruction tells it.
    pub called: Option<Called>,
}

/// The function that a call instruction names.
#[derive(Clone, Debug)]
pub struct Called {
    /// Where it starts in the process.
    pub start: u64,
    /// Its names: several where functions of equal code were merged.
    pub names: Vec<SymbolId>,
}

/// A function at an address.
#[derive(Clone, Debug)]
pub struct SourceFrame {
    /// Its name.
    pub symbol: SymbolId,
    /// Where the call stands: `alloc/src/vec/mod.rs:420`.
    pub location: Option<Rc<str>>,
}

/// The names of a process: what is known of its loaded files.
///
/// Every address is resolved once. Files are opened when an address in them is asked for first; a shared library that
/// cannot be read is named by its file.
pub struct Symbols {
    modules: Vec<LoadedModule>,
    names: Vec<Rc<str>>,
    ids: HashMap<Rc<str>, SymbolId>,
    /// How debug information spells functions whose names are of the older mangling.
    spellings: HashMap<SymbolId, Spelling>,
    resolved: HashMap<u64, Rc<Resolved>, BuildHasherDefault<AddressHasher>>,
}

struct LoadedModule {
    module: Module,
    is_program: bool,
    contents: OnceCell<Contents>,
}

#[derive(Default)]
struct Contents {
    image: Image,
    dwarf: Option<Dwarf>,
}

impl Symbols {
    /// Opens the program, the first of the modules, and takes note of the others.
    ///
    /// # Errors
    /// If there is no module, or the program's file cannot be read or is no object file. A program without debug
    /// information is no error: then inlined functions and places in the source are missing.
    pub fn load(modules: &[Module]) -> Result<Self> {
        let program = modules.first().ok_or_else(no_modules)?;
        let contents = OnceCell::from(open_program(&program.path)?);
        let mut loaded = vec![LoadedModule { module: program.clone(), is_program: true, contents }];
        loaded.extend(modules[1..].iter().map(|module| LoadedModule {
            module: module.clone(),
            is_program: false,
            contents: OnceCell::new(),
        }));
        Ok(Self {
            modules: loaded,
            names: Vec::new(),
            ids: HashMap::new(),
            spellings: HashMap::new(),
            resolved: HashMap::default(),
        })
    }

    /// The mangled name of a function.
    pub fn name(&self, symbol: SymbolId) -> &str {
        &self.names[symbol.0 as usize]
    }

    /// How debug information spells a function, if its name is of the older mangling: known once an address in it has been
    /// resolved.
    pub fn spelling(&self, symbol: SymbolId) -> Option<&Spelling> {
        self.spellings.get(&symbol)
    }

    /// The mangled names of the program's functions, as the symbol table has them.
    pub fn program_functions(&self) -> impl Iterator<Item = &str> {
        let contents = self.modules.first().map(LoadedModule::contents);
        let functions = contents.into_iter().flat_map(|contents| contents.image.functions());
        functions.flat_map(|function| function.names.iter().map(String::as_str))
    }

    /// The functions at a return address of the process.
    pub fn resolve(&mut self, return_address: u64) -> Rc<Resolved> {
        if let Some(resolved) = self.resolved.get(&return_address) {
            return Rc::clone(resolved);
        }
        let resolved = Rc::new(self.look_up(return_address));
        self.resolved.insert(return_address, Rc::clone(&resolved));
        resolved
    }

    fn look_up(&mut self, return_address: u64) -> Resolved {
        // The address is where the call returns to; the call itself, and what was inlined there, stands before it.
        let call = return_address.wrapping_sub(1);
        let holds = |loaded: &LoadedModule| loaded.module.ranges.iter().any(|range| range.contains(&call));
        let Some(index) = self.modules.iter().position(holds) else {
            return self.unknown("[unknown]");
        };
        let loaded = &self.modules[index];
        let found = loaded.look_up(return_address.wrapping_sub(loaded.module.bias));
        if found.frames.is_empty() {
            let path = &loaded.module.path;
            let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
            return self.unknown(&format!("[{file}]"));
        }
        self.intern(found, index)
    }

    fn intern(&mut self, found: Found, module: usize) -> Resolved {
        let bias = self.modules[module].module.bias;
        let frames = found.frames.into_iter().map(|frame| {
            let symbol = self.add(&frame.name);
            if let Some(spelling) = frame.spelling {
                self.spellings.entry(symbol).or_insert(spelling);
            }
            SourceFrame { symbol, location: frame.location.map(Rc::from) }
        });
        let frames = frames.collect();
        if let Some((called, spelling)) =
            found.called.as_ref().and_then(|called| called.names.first().zip(called.spelling.clone()))
        {
            let symbol = self.add(called);
            self.spellings.entry(symbol).or_insert(spelling);
        }
        Resolved {
            frames,
            merged: found.merged.iter().map(|name| self.add(name)).collect(),
            start: found.start.map(|start| start.wrapping_add(bias)),
            called: found.called.map(|called| Called {
                start: called.start.wrapping_add(bias),
                names: called.names.iter().map(|name| self.add(name)).collect(),
            }),
        }
    }

    fn unknown(&mut self, name: &str) -> Resolved {
        let frame = SourceFrame { symbol: self.add(name), location: None };
        Resolved { frames: vec![frame], ..Resolved::default() }
    }

    /// The number of a mangled name.
    pub(crate) fn add(&mut self, name: &str) -> SymbolId {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = SymbolId(u32::try_from(self.names.len()).expect("a program has fewer than 2^32 functions"));
        let name: Rc<str> = name.into();
        self.names.push(Rc::clone(&name));
        self.ids.insert(name, id);
        id
    }
}

/// What a file says of an address, in the file's own addresses.
#[derive(Default)]
struct Found {
    frames: Vec<FoundFrame>,
    merged: Vec<String>,
    start: Option<u64>,
    called: Option<FoundCalled>,
}

/// A function of a file that is called.
struct FoundCalled {
    start: u64,
    names: Vec<String>,
    /// How debug information spells the first.
    spelling: Option<Spelling>,
}

/// A function at an address of a file.
struct FoundFrame {
    name: String,
    spelling: Option<Spelling>,
    location: Option<String>,
}

impl LoadedModule {
    fn contents(&self) -> &Contents {
        self.contents.get_or_init(|| {
            let data = std::fs::read(&self.module.path).unwrap_or_default();
            Contents { image: Image::new(&data, self.is_program).unwrap_or_default(), dwarf: None }
        })
    }

    fn look_up(&self, return_address: u64) -> Found {
        let contents = self.contents();
        let call = return_address.wrapping_sub(1);
        let function = contents.image.function_at(call);
        let called = calls::target(&contents.image, return_address);
        let called = called.and_then(|start| contents.image.function_from(start));
        Found {
            frames: contents.frames(call, function),
            merged: function
                .filter(|found| found.names.len() > 1)
                .map(|found| found.names.clone())
                .unwrap_or_default(),
            start: function.map(|function| function.range.start),
            called: called.map(|function| FoundCalled {
                start: function.range.start,
                names: function.names.clone(),
                spelling: contents.spelling(function),
            }),
        }
    }
}

impl Contents {
    /// How debug information spells a function, if its first name is of the older mangling.
    fn spelling(&self, function: &Function) -> Option<Spelling> {
        let name = function.names.first().filter(|name| mangling::is_older(name))?;
        let last = self.dwarf.as_ref()?.frames(function.range.start).pop()?;
        last.spelling.filter(|_| last.name.as_deref() == Some(name))
    }

    /// The functions at an address: from DWARF, and without it from the symbol table.
    fn frames(&self, call: u64, function: Option<&Function>) -> Vec<FoundFrame> {
        let symbol = function.and_then(|function| function.names.first());
        let found = self.dwarf.as_ref().map(|dwarf| dwarf.frames(call)).unwrap_or_default();
        let folder = self.dwarf.as_ref().filter(|_| !found.is_empty()).and_then(|dwarf| dwarf.folder(call));
        let last = found.len().wrapping_sub(1);
        let named = found.into_iter().enumerate().filter_map(|(index, frame)| {
            let name = frame.name.or_else(|| symbol.filter(|_| index == last).cloned())?;
            let file = frame.file.as_deref().map(|file| place::shorten(file, folder.as_deref()));
            let location = file.map(|file| location(file, frame.line));
            Some(FoundFrame { name, spelling: frame.spelling, location })
        });
        let mut named: Vec<_> = named.collect();
        if named.is_empty() {
            let bare = |name: &String| FoundFrame { name: name.clone(), spelling: None, location: None };
            named.extend(symbol.map(bare));
        }
        named
    }
}

fn location(file: &str, line: Option<u32>) -> String {
    line.map_or_else(|| file.to_owned(), |line| format!("{file}:{line}"))
}

fn no_modules() -> Error {
    Error::new(ErrorKind::Malformed, "the snapshot names no loaded file, so its addresses cannot be named")
        .with_help("take the snapshot with this version of the recorder")
}

fn open_program(path: &Path) -> Result<Contents> {
    let at = path.display().to_string();
    let data = std::fs::read(path).map_err(|source| {
        Error::new(ErrorKind::Io, "the program's own file cannot be read, so its functions cannot be named")
            .at(&at)
            .with_source(source)
            .with_help("keep the file in place while the program runs")
    })?;
    let image = Image::new(&data, true).ok_or_else(|| {
        Error::new(ErrorKind::Malformed, "the program's own file is no object file that can be read").at(&at)
    })?;
    Ok(Contents { image, dwarf: Dwarf::new(&data) })
}

/// Addresses are spread well by one multiplication.
#[derive(Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(path: impl Into<std::path::PathBuf>, range: std::ops::Range<u64>) -> Module {
        Module { path: path.into(), bias: 0, ranges: Vec::from([range]), build_id: Vec::new() }
    }

    #[test]
    fn a_program_that_cannot_be_read_is_an_error_with_its_path() {
        let missing =
            Symbols::load(&[module("/no/such/program", 0..1)]).err().expect("there is no such file");
        assert_eq!(missing.kind(), ErrorKind::Io);
        assert!(missing.to_string().starts_with("/no/such/program: "));
        let wrong = Symbols::load(&[module("/proc/self/cmdline", 0..1)]).err().expect("it is no object file");
        assert_eq!(wrong.kind(), ErrorKind::Malformed);
        assert!(Symbols::load(&[]).is_err());
    }

    #[test]
    fn without_debug_information_the_symbol_table_names_functions() {
        let data = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let contents = Contents { image: Image::new(&data, true).unwrap(), dwarf: None };
        let function =
            contents.image.functions().iter().find(|function| function.names[0].ends_with("4main")).unwrap();
        let frames = contents.frames(function.range.start + 1, Some(function));
        let [frame] = &frames[..] else { panic!("a symbol is one function") };
        assert_eq!((&frame.name, &frame.location), (&function.names[0], &None));
    }

    #[test]
    fn addresses_outside_of_all_files_and_in_unreadable_files_are_named_so() {
        let program = module(std::env::current_exe().unwrap(), 0..0x1000);
        let library = module("/no/such/libother.so", 0x1000..0x2000);
        let mut symbols = Symbols::load(&[program, library]).unwrap();
        let mut name = |address| {
            let symbol = symbols.resolve(address).frames[0].symbol;
            symbols.name(symbol).to_owned()
        };
        assert_eq!(name(0x1800), "[libother.so]");
        assert_eq!(name(0x9000), "[unknown]");
        assert_eq!(name(0), "[unknown]");
    }
}
