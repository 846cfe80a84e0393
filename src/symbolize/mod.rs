//! From the addresses of a snapshot to functions, inlined ones included, by their mangled names.

pub mod mangling;

mod calls;
mod dwarf;
mod image;
mod place;
mod spellings;

use std::cell::OnceCell;
use std::collections::HashMap;
use std::fs;
use std::hash::{BuildHasherDefault, Hasher};
use std::io;
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
    /// How debug information spells functions whose names are of the legacy mangling.
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
    /// Whether the file could be read.
    is_there: bool,
    /// Whether it is not the one that was recorded; then nothing of it is kept.
    is_other_build: bool,
}

impl Symbols {
    /// Opens the program, the first of the modules, and takes note of the others.
    ///
    /// # Errors
    /// If there is no module, or the program's file cannot be read, is no object file, or is another build than the one that
    /// was recorded. A program without debug information is no error: then inlined functions and places in the
    /// source are missing.
    pub fn load(modules: &[Module]) -> Result<Self> {
        let program = modules.first().ok_or_else(no_modules)?;
        Self::load_with_program(modules, program.path.clone())
    }

    /// The same for a program whose file lies elsewhere now: on another machine, say.
    ///
    /// # Errors
    /// As for [`Symbols::load`].
    ///
    /// # Examples
    /// ```
    /// use alloclab::recorder::{Recorder, measure};
    /// use alloclab::symbolize::Symbols;
    ///
    /// #[global_allocator]
    /// static ALLOCATOR: Recorder = Recorder::system();
    ///
    /// let mut modules = measure(|| ()).unwrap().snapshot.modules;
    /// let here = std::mem::replace(&mut modules[0].path, "/no/longer/there".into());
    /// assert!(Symbols::load(&modules).is_err());
    /// assert!(Symbols::load_with_program(&modules, &here).is_ok());
    /// assert!(Symbols::load_with_program(&modules, "/bin/sh").is_err());
    /// ```
    pub fn load_with_program(modules: &[Module], program: impl AsRef<Path>) -> Result<Self> {
        let recorded = modules.first().ok_or_else(no_modules)?;
        let module = Module { path: program.as_ref().to_owned(), ..recorded.clone() };
        let contents = OnceCell::from(open_program(&module)?);
        let mut loaded = vec![LoadedModule { module, is_program: true, contents }];
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

    /// How debug information spells a function, if its name is of the legacy mangling: known once an address in it has been
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

    /// Files that were opened so far although nothing tells whether they are the ones that were recorded: the snapshot has
    /// no build id of them.
    pub fn unchecked(&self) -> impl Iterator<Item = &Path> {
        self.opened()
            .filter(|(module, _)| module.build_id.is_empty())
            .map(|(module, _)| module.path.as_path())
    }

    /// Shared libraries that lie there in another build than the one that was recorded, as far as they were looked for: they
    /// are named by their files alone.
    pub fn other_builds(&self) -> impl Iterator<Item = &Path> {
        self.opened().filter(|(_, contents)| contents.is_other_build).map(|(module, _)| module.path.as_path())
    }

    /// The modules whose files were opened and could be read.
    fn opened(&self) -> impl Iterator<Item = (&Module, &Contents)> {
        let opened = self.modules.iter().filter_map(|loaded| Some((&loaded.module, loaded.contents.get()?)));
        opened.filter(|(_, contents)| contents.is_there)
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
            let data = read_file(&self.module.path).unwrap_or_default();
            let Some(image) = Image::new(&data, self.is_program) else { return Contents::default() };
            if is_other_build(&self.module, &image) {
                return Contents { is_there: true, is_other_build: true, ..Contents::default() };
            }
            Contents { image, is_there: true, ..Contents::default() }
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
    /// How debug information spells a function, if its first name is of the legacy mangling.
    fn spelling(&self, function: &Function) -> Option<Spelling> {
        let name = function.names.first().filter(|name| mangling::is_legacy_name(name))?;
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
            let location = file.map(|file| location(&file, frame.line));
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

fn open_program(program: &Module) -> Result<Contents> {
    let at = program.path.display().to_string();
    let data = read_file(&program.path).map_err(|source| {
        Error::new(ErrorKind::Io, "the program's own file cannot be read, so its functions cannot be named")
            .at(&at)
            .with_source(source)
            .with_help("keep the file in place while the program runs, or say where it lies now")
    })?;
    let image = Image::new(&data, true).ok_or_else(|| {
        Error::new(ErrorKind::Malformed, "the program's own file is no object file that can be read").at(&at)
    })?;
    if is_other_build(program, &image) {
        let [recorded, found] = [&program.build_id[..], image.build_id()].map(hexadecimal);
        let message = format!(
            "the file is another build than the one that was recorded: its build id is {found}, and that of the recorded \
             one {recorded}"
        );
        return Err(Error::new(ErrorKind::OtherBuild, message).at(&at).with_help(
            "name the file of the recorded build, or record again with the program as it is now",
        ));
    }
    Ok(Contents { image, dwarf: Dwarf::new(&data), is_there: true, ..Contents::default() })
}

/// Reads a file; anything else of that name, such as a device, may have no end.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
    }
    fs::read(path)
}

/// Whether a file is not the one that was recorded. Without a build id of that one, nobody can tell.
fn is_other_build(recorded: &Module, image: &Image) -> bool {
    !recorded.build_id.is_empty() && recorded.build_id != image.build_id()
}

fn hexadecimal(id: &[u8]) -> String {
    let digits: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    if digits.is_empty() { "missing".to_owned() } else { digits }
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
        let endless = Symbols::load(&[module("/dev/zero", 0..1)]).err().expect("it is no regular file");
        assert_eq!(endless.kind(), ErrorKind::Io);
    }

    #[test]
    fn without_debug_information_the_symbol_table_names_functions() {
        let data = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let contents = Contents { image: Image::new(&data, true).unwrap(), ..Contents::default() };
        let function =
            contents.image.functions().iter().find(|function| function.names[0].ends_with("4main")).unwrap();
        let frames = contents.frames(function.range.start + 1, Some(function));
        let [frame] = &frames[..] else { panic!("a symbol is one function") };
        assert_eq!((&frame.name, &frame.location), (&function.names[0], &None));
    }

    #[test]
    fn a_file_of_another_build_is_told_and_not_used() {
        let own = std::env::current_exe().unwrap();
        let id = Image::new(&std::fs::read(&own).unwrap(), false).unwrap().build_id().to_owned();
        let recorded = |path: &std::path::PathBuf, build_id: &[u8], range| Module {
            build_id: build_id.to_owned(),
            ..module(path, range)
        };
        let program = recorded(&own, &id, 0..0x1000);
        let error = Symbols::load(&[recorded(&own, &[0xab; 20], 0..1)]).err().expect("the id is another");
        assert_eq!(error.kind(), ErrorKind::OtherBuild);
        let [theirs, ours] = ["ab".repeat(20), hexadecimal(&id)];
        assert!(error.to_string().contains(&theirs) && error.to_string().contains(&ours), "{error}");

        let other = recorded(&own, &[1], 0x1000..u64::MAX);
        let mut symbols = Symbols::load(&[program.clone(), other]).unwrap();
        assert_eq!((symbols.unchecked().count(), symbols.other_builds().count()), (0, 0));
        let symbol = symbols.resolve(0x1800).frames[0].symbol;
        let file = own.file_name().unwrap().to_str().unwrap();
        assert_eq!(symbols.name(symbol), format!("[{file}]"));
        assert_eq!(symbols.other_builds().collect::<Vec<_>>(), [&own]);

        let symbols = Symbols::load(&[module(&own, 0..1)]).unwrap();
        assert_eq!(symbols.unchecked().collect::<Vec<_>>(), [&own]);
        let moved = recorded(&"/no/such/program".into(), &id, 0..1);
        assert!(Symbols::load_with_program(&[moved], &own).is_ok());
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
